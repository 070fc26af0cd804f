/**
 * What is soaked: a durable PostgreSQL, two machines with every part of the service on each, and a network
 * that fails between callers and machines and between machines and database. All in a folder of its own,
 * gone afterwards.
 */
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedServer, startEmbedded } from '#src/db/embedded.ts';
import { createPool, type Pool, withTx } from '#src/db/pool.ts';
import { createRandom } from '#src/demo/random.ts';
import { changeSetting, setUp } from '#src/installation/company/service.ts';
import { insertCustomer } from '#src/sales/customers/store.ts';
import { testCompany } from '../test/support/installation.ts';
import { freePort } from '../test/support/port.ts';
import { Host } from './host.ts';
import { listChildren } from './processes.ts';
import { type FaultyProxy, openProxy } from './proxy.ts';
import type { Violations } from './violations.ts';

/** Calls are few pieces each, so that connections fail within some calls; statements are many more. */
const http_pieces_max = 60;
const database_pieces_max = 1_500;

export interface System {
  readonly folder: string;
  /** The owner's login, past the network that fails. */
  readonly url: string;
  readonly owner: Pool;
  readonly hosts: readonly Host[];
  /** Where callers reach the machines, in the same order. */
  readonly doors: readonly FaultyProxy[];
  readonly wires: readonly FaultyProxy[];
  readonly customerId: string;
  /** What a command needs to know. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** PostgreSQL's main process, and the others it has. */
  postgres(): Promise<{ postmaster: number; backends: readonly number[] }>;
}

export async function withSystem<T>(
  seed: string,
  violations: Violations,
  work: (system: System) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'huvudbok-soak-'));
  await chmod(folder, 0o755); // As root, PostgreSQL's own user must be able to enter.
  const dataDir = join(folder, 'data');
  const undo: (() => Promise<unknown>)[] = [() => removeBooks(folder, dataDir)];
  try {
    const server = await startEmbedded({ dataDir, log: () => undefined });
    undo.push(() => server.stop());
    void server.lost.then(({ message }) =>
      violations.add(`PostgreSQL was not brought back: ${message}`),
    );
    const owner = createPool({ url: server.url, max: 4, applicationName: 'soak' });
    undo.push(() => owner.end());
    const system = await makeSystem({ folder, dataDir, server, owner, seed, violations, undo });
    return await work(system);
  } finally {
    for (const step of undo.reverse()) await step().catch(() => undefined);
  }
}

interface Parts {
  readonly folder: string;
  readonly dataDir: string;
  readonly server: EmbeddedServer;
  readonly owner: Pool;
  readonly seed: string;
  readonly violations: Violations;
  readonly undo: (() => Promise<unknown>)[];
}

async function makeSystem(parts: Parts): Promise<System> {
  const { folder, dataDir, server, owner, seed, violations, undo } = parts;
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const common = {
    PATH,
    NODE_COMPILE_CACHE,
    HOME,
    LOG_LEVEL: 'warn',
    INTAKE_WAIT_MS: '4000',
    WEBHOOK_PRIVATE_NETWORKS: '127.0.0.1',
    SECRETS_KEY: randomBytes(32).toString('base64'),
  };
  const hosts: Host[] = [];
  const doors: FaultyProxy[] = [];
  const wires: FaultyProxy[] = [];
  const databasePort = Number(new URL(server.url).port);
  for (const name of ['host 1', 'host 2']) {
    const port = await freePort();
    const open = async (target: number, which: string, pieces_max: number) => {
      const random = createRandom(`${seed} ${which} ${name}`);
      const proxy = await openProxy({ target, random, pieces_max });
      undo.push(() => proxy.close());
      return proxy;
    };
    const wire = await open(databasePort, 'wire', database_pieces_max);
    wires.push(wire);
    doors.push(await open(port, 'door', http_pieces_max));
    const env = {
      ...common,
      PORT: String(port),
      DATA_DIR: join(folder, name.replace(' ', '-')),
      DATABASE_URL: server.url.replace(`:${databasePort}/`, `:${wire.port}/`),
    };
    const host = new Host({ name, port, env, violate: (sentence) => violations.add(sentence) });
    undo.push(() => host.stop());
    hosts.push(host);
    await host.start();
    await host.becomesReady();
  }
  violations.listenTo(hosts);
  return {
    folder,
    url: server.url,
    owner,
    hosts,
    doors,
    wires,
    customerId: await makeBooks(owner),
    env: { ...common, DATA_DIR: join(folder, 'commands'), DATABASE_URL: server.url },
    async postgres() {
      const path = join(dataDir, 'postgresql/cluster/postmaster.pid');
      const postmaster = Number.parseInt(await readFile(path, 'utf8'), 10);
      return { postmaster, backends: listChildren(postmaster).map(({ pid }) => pid) };
    },
  };
}

function makeBooks(owner: Pool): Promise<string> {
  return withTx(owner, async (tx) => {
    await setUp(tx, testCompany, 'soak');
    await changeSetting(tx, 'order-booking', 'on', 'soak');
    const { id } = await insertCustomer(tx, { name: 'Kunden AB', email: 'kund@exempel.se' });
    return id;
  });
}

/** As root, the books lie elsewhere (src/db/embedded/cluster.ts). */
async function removeBooks(folder: string, dataDir: string): Promise<void> {
  const home = await realpath(join(dataDir, 'postgresql')).catch(() => '');
  const patiently = { recursive: true, force: true, maxRetries: 20, retryDelay: 100 };
  if (home.startsWith('/var/lib/huvudbok/')) await rm(home, patiently);
  await rm(folder, patiently);
}
