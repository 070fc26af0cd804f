/** Our connection to the embedded server: getting it up, and holding the locks that say who uses it. */
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, DatabaseError } from 'pg';
import { OperatorError } from '#src/lib/operator-error.ts';
import { sha256Of } from '#src/lib/sha256.ts';
import { wayBack } from '../faults.ts';
import type { Cluster } from './cluster.ts';
import { superuserSql } from './create-cluster.ts';
import { noteKnown, readKnown } from './known.ts';
import { markOf } from './programs.ts';
import {
  endOrphans,
  findPostmaster,
  hasEnded,
  lastLog,
  quitPostmaster,
  quitSpawned,
  type Spawned,
  spawnPostmaster,
} from './server.ts';

/** Held exclusively by `huvudbok start`: one supervisor per DATA_DIR. */
const supervisorLock = 1752523101;
/** Held shared by everyone who needs the server up: the last one out stops it. */
const usersLock = 1752523102;

/** A long replay after a power cut must be allowed to finish. */
const startMsMax = 300_000;
/** After kill -9 the old children may hold the shared memory for a moment. */
const startAttemptsMax = 6;
/** By then, 1.2 s or more, they have ended by themselves if they ever do. */
const orphansFromAttempt = 3;
/** A shutdown that waits for a stuck process, or was asked for in the midst of recovery (PostgreSQL 18), never ends. */
const shutdownMsMax = 30_000;
/** A start that was just asked to stop has ten seconds to let go, and one that was killed needs a moment. */
const lockMsMax = 11_000;

/** Somebody else has the folder. */
export class Occupied extends OperatorError {}

/** The server has gone back to a point in time, and takes no writes there. */
class StandsStill extends OperatorError {}

export interface Session {
  readonly client: Client;
  readonly port: number;
  readonly postmasterPid: number;
}

export interface SessionOptions {
  readonly exclusive: boolean;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Gets the server up, whoever starts it, and takes our locks on it. Every obstacle that passes by itself
 * (another start in the same second, a server on its way down, a crash being repaired) is one more
 * turn of the loop.
 */
export async function openSession(cluster: Cluster, options: SessionOptions): Promise<Session> {
  const servers: Spawned[] = [];
  try {
    return await openWith(servers, cluster, options);
  } catch (error) {
    // One that lets nobody in serves nobody, and holds the folder that is to be put right; nor is one left that nobody
    // waits for any more.
    const isForNobody =
      error instanceof DatabaseError || error instanceof StandsStill || options.signal.aborted;
    if (isForNobody) await Promise.all(servers.map(({ child }) => quitSpawned(child)));
    throw error;
  }
}

/** `servers` gets those that it spawns. */
async function openWith(
  servers: Spawned[],
  cluster: Cluster,
  { exclusive, log, signal }: SessionOptions,
): Promise<Session> {
  let started = performance.now();
  let attempts = 0;
  let told = false;
  let shuttingDownSince: number | undefined;
  while (performance.now() - started < startMsMax) {
    signal.throwIfAborted();
    const running = await findPostmaster(cluster.directory);
    if (running?.port) {
      const client = await tryConnect(cluster, running.port);
      if (client instanceof Client && (await isServedBy(client, running.pid))) {
        // However much of an archive there is to go through.
        if (await isRecovering(client, cluster)) started = performance.now();
        else if (await takeLocks(client, cluster, { exclusive, signal })) {
          return { client, port: running.port, postmasterPid: running.pid };
        }
      }
      shuttingDownSince =
        client === 'shutting down' ? (shuttingDownSince ?? performance.now()) : undefined;
      if (shuttingDownSince && performance.now() - shuttingDownSince > shutdownMsMax) {
        log(
          'PostgreSQL blev inte klar med att stanna, och avbryts. Allt som bekräftats finns kvar.',
        );
        await quitPostmaster(cluster.directory);
        shuttingDownSince = undefined;
      }
    } else if (!running && servers.every(({ child }) => hasEnded(child))) {
      if (attempts === startAttemptsMax) break;
      await sleep(200 * attempts);
      if (attempts >= orphansFromAttempt) await endOrphans(cluster.directory);
      attempts += 1;
      servers.push(await spawnPostmaster(cluster));
    }
    if (!told && performance.now() - started > 5000) {
      log('PostgreSQL går igenom sin logg efter ett avbrott; det kan ta en stund.');
      told = true;
    }
    await sleep(20);
  }
  // The next start looks at everything anew.
  await noteKnown(cluster.home, {});
  throw new OperatorError(
    `PostgreSQL startade inte i ${cluster.dataDir}. Serverns sista ord:\n${await lastLog(cluster, servers[0]?.logFrom ?? 0)}\n${waysOut}`,
  );
}

/** Its words are English, and name what is missing or damaged. */
const waysOut = `Är en fil borta eller skadad: ${wayBack}. Kopiera mappen innan något ändras i den.`;

/** `undefined` while the server is on its way up, or just gone; the caller tries again. */
async function tryConnect(
  cluster: Cluster,
  port: number,
  database = 'postgres',
): Promise<Client | 'shutting down' | undefined> {
  const client = new Client({
    host: '127.0.0.1',
    port,
    user: 'postgres',
    password: cluster.secrets.superuser,
    database,
    application_name: 'huvudbok DATA_DIR',
    keepAlive: true,
  });
  client.on('error', () => {}); // 'end' follows, and is what counts.
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    if (!isPassing(error)) throw error;
    return /shutting down/.test(String(error)) ? 'shutting down' : undefined;
  }
}

/** Network errors and "starting up / shutting down" (class 57) pass; a wrong password does not. */
function isPassing(error: unknown): boolean {
  return !(error instanceof DatabaseError) || (error.code?.startsWith('57') ?? false);
}

/**
 * A server writes its port into its file before it has it, and on that port another may listen: of a copied
 * DATA_DIR, which knows the same password. Ends the connection to such a one, whose books are not ours.
 */
async function isServedBy(client: Client, postmasterPid: number): Promise<boolean> {
  try {
    const { rows } = await client.query<{ pid: string }>(
      `select split_part(pg_read_file('postmaster.pid'), E'\\n', 1) as pid`,
    );
    if (Number(rows[0]?.pid) === postmasterPid) return true;
  } catch (error) {
    if (!isPassing(error)) throw error;
  }
  await client.end().catch(() => {});
  return false;
}

/**
 * A server that goes back to a point in time lets people read before it is there, and at its goal stands still unless it
 * is told otherwise. Ends the connection to one that is on its way.
 */
async function isRecovering(client: Client, { directory }: Cluster): Promise<boolean> {
  const asked = client.query<{ is_recovering: boolean; is_paused: boolean }>(
    `select pg_is_in_recovery() as is_recovering,
       pg_is_in_recovery() and pg_get_wal_replay_pause_state() = 'paused' as is_paused`,
  );
  // Lost to a last user who is just stopping the server, as whoever takes the locks sees.
  const { rows } = await asked.catch((error) => {
    if (!isPassing(error)) throw error;
    return { rows: [] };
  });
  if (!rows[0]?.is_recovering) return false;
  await client.end().catch(() => {});
  if (!rows[0].is_paused) return true;
  throw new StandsStill(
    `PostgreSQL i ${directory} har gått tillbaka till den tidpunkt som är vald, och står still där utan att ta emot skrivning. ` +
      `Skriv recovery_target_action = 'promote' i postgresql.conf där, och gör om det.`,
  );
}

async function takeLocks(
  client: Client,
  cluster: Cluster,
  { exclusive, signal }: Pick<SessionOptions, 'exclusive' | 'signal'>,
): Promise<boolean> {
  try {
    if (exclusive && !(await waitForLock(client, signal))) {
      await client.end();
      throw new Occupied(
        `Huvudbok kör redan med denna DATA_DIR (${cluster.dataDir}). Stoppa den som kör, ` +
          'eller ange en annan mapp med DATA_DIR.',
      );
    }
    // Waits out a last user who is just stopping the server, and then fails with it.
    await client.query('select pg_advisory_lock_shared($1)', [usersLock]);
    return true;
  } catch (error) {
    await client.end().catch(() => {});
    if (error instanceof OperatorError || !isPassing(error)) throw error;
    return false;
  }
}

async function waitForLock(client: Client, signal: AbortSignal): Promise<boolean> {
  const deadline = performance.now() + lockMsMax;
  while (!(await tryLock(client, supervisorLock))) {
    if (performance.now() > deadline) return false;
    await sleep(50, undefined, { signal });
  }
  return true;
}

async function tryLock(client: Client, key: number): Promise<boolean> {
  const { rows } = await client.query<{ held: boolean }>(
    'select pg_try_advisory_lock($1) as held',
    [key],
  );
  return rows[0]?.held === true;
}

/**
 * Takes away what only the superuser may, in books made before their cluster was made with it
 * (migrations/superuser.sql): here the program is the superuser, and nobody else could run it. Asked once of each
 * database; what the server is run with is noted in the same file.
 */
export async function restrictOlder(cluster: Cluster, { client, port }: Session): Promise<void> {
  const known = await readKnown(cluster.home);
  const { rows } = await client.query<{ oid: number }>(
    `select oid from pg_database where datname = 'huvudbok'`,
  );
  const restricted = `${rows[0]?.oid} ${sha256Of(await readFile(superuserSql, 'utf8')).toString('hex')}`;
  if (known.restricted !== restricted && !(await restrict(cluster, port))) return;
  const programs = await markOf(cluster.programs.bin);
  if (known.restricted === restricted && known.programs === programs) return;
  await noteKnown(cluster.home, { ...(programs === undefined ? {} : { programs }), restricted });
}

/** Whether it is done; it is not where the database is not there. */
async function restrict(cluster: Cluster, port: number): Promise<boolean> {
  const client = await tryConnect(cluster, port, 'huvudbok');
  if (!(client instanceof Client)) return false;
  try {
    const { rows } = await client.query<{ is_open: boolean }>(
      `select has_function_privilege('public', 'pg_prepared_statement()', 'execute')
         or has_function_privilege(datdba, 'lo_import(text)', 'execute') as is_open
       from pg_database where datname = current_database()`,
    );
    if (rows[0]?.is_open) await client.query(await readFile(superuserSql, 'utf8'));
    return true;
  } finally {
    await client.end();
  }
}

/** Whether stopping the server now would hurt nobody else. */
export async function isLastUser(client: Client, exclusive: boolean): Promise<boolean> {
  try {
    await client.query('select pg_advisory_unlock_shared($1)', [usersLock]);
    return (await tryLock(client, supervisorLock)) && (await tryLock(client, usersLock));
  } catch {
    // The server broke our connection. Only its supervisor may then put an end to it unasked.
    return exclusive;
  }
}
