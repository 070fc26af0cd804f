/**
 * A primary with a standby that confirms every commit, of the embedded binaries, each killed, promoted and
 * started again as a test wants it. npm's build has no pg_basebackup: the standby is a copied folder.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { appendFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Cluster, openCluster } from '#src/db/embedded/cluster.ts';
import { asAccount } from '#src/db/embedded/programs.ts';
import { connect } from '#src/db/pool.ts';
import { freePort } from '../support/port.ts';
import { newDataDir, query, usedDataDir, waitUntil } from './embedded.ts';

export class TestServer {
  readonly cluster: Cluster;
  readonly port: number;
  #child: ChildProcess | undefined;

  constructor(cluster: Cluster, port: number) {
    this.cluster = cluster;
    this.port = port;
  }

  /** As the superuser, to the books. */
  get adminUrl(): string {
    return `postgres://postgres:${this.cluster.secrets.superuser}@127.0.0.1:${this.port}/huvudbok`;
  }

  get ownerUrl(): string {
    return `postgres://hb_owner:${this.cluster.secrets.owner}@127.0.0.1:${this.port}/huvudbok`;
  }

  async start(settings: Readonly<Record<string, string | number>> = {}): Promise<void> {
    const all = { port: this.port, max_connections: 100, shared_buffers: '32MB', ...settings };
    const { programs, directory, account } = this.cluster;
    const options = Object.entries({
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      hot_standby: 'on',
      wal_keep_size: '1GB',
      ...all,
    }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const child = spawn(join(programs.bin, 'postgres'), ['-D', directory, ...options], {
      ...asAccount(account),
      stdio: 'ignore',
    });
    this.#child = child;
    onTestFinished(() => this.kill());
    await waitUntil(async () => {
      if (child.exitCode !== null) throw new Error(`PostgreSQL on ${this.port} did not start`);
      return query(this.adminUrl, 'select 1').then(
        () => true,
        () => false,
      );
    });
  }

  /** kill -9 of the server and of every process it has. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    const pids = this.#signal('SIGKILL');
    await ended;
    // Until the last of them is gone they hold the shared memory, and none can start in its place.
    await waitUntil(async () => pids.every(isGone));
    await rm(join(this.cluster.directory, 'postmaster.pid'), { force: true });
  }

  /** As when its machine has gone: connections stay open, and nobody answers. */
  fallSilent(): void {
    this.#signal('SIGSTOP');
  }

  /** Those that it was sent to. */
  #signal(signal: NodeJS.Signals): number[] {
    const own = this.#child?.pid ?? 0;
    const pids = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number))
      .filter(([, parent]) => parent === own)
      .map(([pid = 0]) => pid);
    for (const pid of [own, ...pids]) {
      try {
        process.kill(pid, signal);
      } catch {
        // It went with its parent.
      }
    }
    return [own, ...pids];
  }

  async promote(): Promise<void> {
    await query(this.adminUrl, 'select pg_promote(false)');
    await waitUntil(async () => (await this.ask('select pg_is_in_recovery()')) === false);
  }

  /** One value of one row, as the superuser. */
  async ask(statement: string): Promise<unknown> {
    return (await query(this.adminUrl, statement))[0]?.[0];
  }
}

/** Nobody may have taken notice of its end yet. */
function isGone(pid: number): boolean {
  try {
    return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return true;
  }
}

/** One server with an owner and without books; a copy of the same one each time, unless it is to be new. */
export async function startServer(
  settings: Readonly<Record<string, string | number>> = {},
  { isNew = false } = {},
): Promise<TestServer> {
  const dataDir = isNew ? await newDataDir() : await usedDataDir();
  const cluster = await openCluster({ dataDir, durable: true, mayCreate: isNew, log: () => {} });
  const server = new TestServer(cluster, await freePort());
  await server.start(settings);
  return server;
}

/** A primary whose commits wait for its standby. */
export async function startReplicas(): Promise<{ primary: TestServer; standby: TestServer }> {
  const primary = await startServer();
  const standby = await copyOf(primary);
  const { secrets } = primary.cluster;
  await writeFile(join(standby.cluster.directory, 'standby.signal'), '');
  await appendFile(
    join(standby.cluster.directory, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=127.0.0.1 port=${primary.port} user=postgres password=${secrets.superuser} application_name=standby'\n# What is asked of it while it catches up is never cut off.\nmax_standby_streaming_delay = -1\nmax_standby_archive_delay = -1\n`,
  );
  giveAway(standby);
  await standby.start();
  await query(primary.adminUrl, `alter system set synchronous_standby_names = 'standby'`);
  await query(primary.adminUrl, 'select pg_reload_conf()');
  await waitUntil(
    async () => (await primary.ask('select sync_state from pg_stat_replication')) === 'sync',
  );
  return { primary, standby };
}

/** A copy of a server that runs, as the manual's "low level API" makes one. */
async function copyOf(primary: TestServer): Promise<TestServer> {
  const dataDir = await usedDataDir();
  const cluster = await openCluster({ dataDir, durable: true, mayCreate: false, log: () => {} });
  const session = await connect(primary.adminUrl, 'test backup');
  await session.query(`select pg_backup_start('test', true)`);
  await rm(cluster.directory, { recursive: true });
  execFileSync('cp', ['-a', primary.cluster.directory, cluster.directory]);
  const { rows } = await session.query('select labelfile from pg_backup_stop()');
  await session.end();
  await rm(join(cluster.directory, 'postmaster.pid'), { force: true });
  await writeFile(join(cluster.directory, 'backup_label'), rows[0].labelfile);
  return new TestServer({ ...cluster, secrets: primary.cluster.secrets }, await freePort());
}

function giveAway({ cluster: { account, directory } }: TestServer): void {
  if (account) execFileSync('chown', ['-R', `${account.uid}:${account.gid}`, directory]);
}

/** The address of several servers, with the owner's login. */
export function addressOf(servers: readonly TestServer[], query = ''): string {
  const [first] = servers;
  const hosts = servers.map(({ port }) => `127.0.0.1:${port}`).join(',');
  return `postgres://hb_owner:${first?.cluster.secrets.owner}@${hosts}/huvudbok${query}`;
}
