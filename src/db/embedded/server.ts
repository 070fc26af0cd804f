/**
 * The PostgreSQL process of a cluster: is it up, start it, stop it. We start `postgres` itself rather
 * than through pg_ctl, whose shell command breaks on odd paths and hides an early exit.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '#src/lib/process-mark.ts';
import type { Cluster, ClusterPlace } from './cluster.ts';
import { asAccount } from './programs.ts';

const megabyte = 1024 * 1024;
const logBytesMax = 10 * megabyte;
/** Of the time a stop may take, this is kept for the hard way. */
const hardStopMs = 1000;

export interface Postmaster {
  readonly pid: number;
  /** Missing during the first milliseconds, before PostgreSQL has written it. */
  readonly port: number | undefined;
}

/** The PostgreSQL that runs on this cluster, whoever started it. */
export async function findPostmaster(directory: string): Promise<Postmaster | undefined> {
  const path = join(directory, 'postmaster.pid');
  const lines = (await readFile(path, 'utf8').catch(() => '')).split('\n');
  const pid = Number(lines[0]);
  if (!pid || !isAlive(pid)) return undefined; // PostgreSQL itself clears a dead one's file away.
  if (await worksIn(pid, directory)) return { pid, port: Number(lines[3]) || undefined };
  // After a power cut the number may be another program's, and PostgreSQL would refuse to start.
  await rm(path, { force: true });
  return undefined;
}

/** PostgreSQL works in its data directory. Without /proc we take a living process at its word. */
async function worksIn(pid: number, directory: string): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  try {
    const [theirs, ours] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(directory)]);
    return theirs.ino === ours.ino && theirs.dev === ours.dev;
  } catch {
    return false; // Not ours to look at, so not our server.
  }
}

/**
 * After a power cut its file may be empty, or whole of zeros, and PostgreSQL would never start again: the number of a
 * process that may live is not in it. So they are looked through.
 */
async function clearUnreadableLock(directory: string): Promise<void> {
  const path = join(directory, 'postmaster.pid');
  const text = await readFile(path, 'utf8').catch(() => '1');
  if (Number.parseInt(text, 10)) return;
  const { mtimeMs } = await stat(path);
  // One that starts just now has made it and not written it yet.
  if (Math.abs(Date.now() - mtimeMs) < writtenWithinMs) return;
  if (!(await isWorkedIn(directory))) await rm(path, { force: true });
}

const writtenWithinMs = 2_000;

/** Whether any process works there. Where they cannot be seen, one might. */
async function isWorkedIn(directory: string): Promise<boolean> {
  const pids = await listPids();
  if (pids.length === 0) return true;
  return (await Promise.all(pids.map((pid) => worksIn(pid, directory)))).includes(true);
}

/** None where there is no /proc. */
async function listPids(): Promise<number[]> {
  return (await readdir('/proc').catch(() => [])).map(Number).filter(Boolean);
}

/**
 * Ends what a killed server's processes left running. They end by themselves, but not those that wait for a lock in
 * shared memory of one that is gone: these wait for ever, hold the memory, and no server starts beside them. What
 * they had in hand is as after a power cut, which the next start repairs.
 */
export async function endOrphans(directory: string): Promise<void> {
  for (const pid of await listPids()) {
    if (!(await isOrphan(pid, directory))) continue;
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended by itself after all.
    }
  }
}

/** A server's process without its server; never a server itself, which another may be starting just now. */
async function isOrphan(pid: number, directory: string): Promise<boolean> {
  if (!(await worksIn(pid, directory))) return false;
  const read = (name: string) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '');
  const parent = Number(/^PPid:\s*(\d+)/m.exec(await read('status'))?.[1]);
  return (await read('cmdline')).startsWith('postgres: ') && !(await worksIn(parent, directory));
}

export interface Spawned {
  readonly child: ChildProcess;
  /** Where in the server's log its own words begin, in bytes. */
  readonly logFrom: number;
}

/** Starts PostgreSQL apart from us: Ctrl-C in the terminal must not reach it before its clients end. */
export async function spawnPostmaster(cluster: Cluster): Promise<Spawned> {
  await clearUnreadableLock(cluster.directory);
  const port = await choosePort(cluster.home);
  const path = logPath(cluster);
  const old = await stat(path).catch(() => undefined);
  if (old && old.size > logBytesMax) await rename(path, `${path}.1`);
  const log = await open(path, 'a', 0o600);
  try {
    const { size: logFrom } = await log.stat();
    const settings = Object.entries(chooseSettings(port, cluster.durable));
    const args = ['-D', cluster.directory, ...settings.flatMap(([k, v]) => ['-c', `${k}=${v}`])];
    const child = spawn(join(cluster.programs.bin, 'postgres'), args, {
      ...asAccount(cluster.account),
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    });
    child.on('error', () => {}); // Seen as an exit by whoever waits.
    child.unref();
    return { child, logFrom };
  } finally {
    await log.close();
  }
}

function logPath(place: ClusterPlace): string {
  return join(place.dataDir, 'postgresql.log');
}

/** The port is chosen once, so a saved connection keeps working; again only if someone has taken it. */
async function choosePort(home: string): Promise<number> {
  const path = join(home, 'port');
  const kept = Number(await readFile(path, 'utf8').catch(() => 0));
  if (kept && (await listenOn(kept)) === kept) return kept;
  const port = await listenOn(0);
  if (!port) throw new Error('no free port on 127.0.0.1');
  await writeFile(path, String(port), { mode: 0o600 });
  return port;
}

async function listenOn(port: number): Promise<number | undefined> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    return typeof address === 'object' ? address?.port : undefined;
  } catch {
    return undefined;
  } finally {
    server.close();
  }
}

function chooseSettings(port: number, durable: boolean): Record<string, string | number> {
  // A container's limit counts, not the memory of the machine around it.
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  const megabytes = Math.floor(memory / megabyte);
  return {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '', // Their paths have a length limit, and loopback is enough.
    cluster_name: 'huvudbok',
    max_connections: 200,
    shared_buffers: `${Math.min(512, Math.max(64, Math.floor(megabytes / 4)))}MB`,
    effective_cache_size: `${Math.max(128, Math.floor(megabytes / 2))}MB`,
    maintenance_work_mem: '64MB',
    random_page_cost: 1.1, // Solid state disks, or a database that fits in memory.
    jit: 'off', // Short statements: compiling costs more than it gives.
    // Files of the log are used again: made anew, each of them holds up whoever posts.
    min_wal_size: '1GB',
    max_wal_size: '2GB',
    // With pglz, the one that the build has, a page costs more processor time than its bytes cost the disk.
    wal_compression: 'off',
    // Of a server that rests, which keeps them all in memory: a batch fills a sixth of 4 MB, and 16 are usual.
    wal_buffers: '4MB',
    // Each process reads for itself: the pages that are asked for are few and mostly in memory, and what is read in a row the
    // system reads ahead. Processes that read for others, and the room for their work, are 8 MB.
    io_method: 'sync',
    io_max_concurrency: 16,
    // No transaction here is serializable: room for their locks is 2 MB.
    max_pred_locks_per_transaction: 10,
    // Nobody subscribes to another server's changes here.
    max_logical_replication_workers: 0,
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '%m [%p] ',
    // Failed statements carry people's names and numbers; the one who sent them gets the error anyway.
    log_min_messages: 'log',
    log_checkpoints: 'on',
    // The books are at stake: only a throw-away test server may forget what it has confirmed.
    fsync: durable ? 'on' : 'off',
    synchronous_commit: durable ? 'on' : 'off',
    full_page_writes: durable ? 'on' : 'off',
  };
}

/** Fast shutdown; if that takes too long an immediate one, after which the next start replays the log. */
export async function stopPostmaster(directory: string, within_ms: number): Promise<void> {
  if (await signalAndWait(directory, 'SIGINT', within_ms - hardStopMs)) return;
  await quitPostmaster(directory);
}

/** Immediate shutdown: nothing that was confirmed is lost, and the next start replays the log. */
export async function quitPostmaster(directory: string): Promise<void> {
  await signalAndWait(directory, 'SIGQUIT', hardStopMs);
}

/** The same for one that we spawned, which may not have told its number in the folder yet. */
export async function quitSpawned(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGQUIT');
  await Promise.race([ended, sleep(hardStopMs)]);
}

export function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

async function signalAndWait(
  directory: string,
  signal: NodeJS.Signals,
  patience_ms: number,
): Promise<boolean> {
  const deadline = performance.now() + patience_ms;
  const running = await findPostmaster(directory);
  if (running) process.kill(running.pid, signal);
  while (performance.now() < deadline) {
    if (!(await findPostmaster(directory))) return true;
    await sleep(20);
  }
  return false;
}

/** What a clear error needs of the words of the servers that were spawned since `logFrom`. */
export async function lastLog(place: ClusterPlace, logFrom: number): Promise<string> {
  const bytes = await readFile(logPath(place)).catch(() => Buffer.alloc(0));
  const text = bytes.subarray(bytes.length < logFrom ? 0 : logFrom).toString('utf8');
  // Each attempt says the same again.
  const words = text
    .trim()
    .split('\n')
    .map((line) => line.replace(/^.* \[\d+\] /, ''));
  return [...new Set(words.reverse())].slice(0, 6).reverse().join('\n');
}
