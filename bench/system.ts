/**
 * The whole service as `huvudbok start` runs it, in a folder of its own: durable embedded PostgreSQL,
 * the HTTP process and every worker as child processes. Only the company and the key are made here.
 */
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKey } from '#src/access/keys/service.ts';
import { parseDatabaseUrl } from '#src/config/database-url.ts';
import { migrate } from '#src/db/migrate.ts';
import { connect, createPool, db, type Pool, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { setUp } from '#src/installation/company/service.ts';
import { createYear } from '#src/ledger/fiscal-years/service.ts';
import { compileProgram, entryOf } from '#src/process/compile.mjs';
import { allParts, start } from '#src/process/start.ts';
import { insertCustomer } from '#src/sales/customers/store.ts';
import { type Load, startLoad } from './load.ts';
import type { Watched } from './watch.ts';

export const years = [2024, 2025, 2026] as const;
export const customers_count = 500;
export const customerOf = (n: number) => ({
  name: `Kund ${n} AB`,
  email: `kund${n}@kunder.example`,
});

export interface System extends Watched {
  /** The owner's login. */
  readonly url: string;
  readonly port: number;
  readonly key: string;
  readonly owner: Pool;
  readonly load: Load;
  readonly dataDir: string;
}

export interface SystemOptions {
  /** A folder kept from an earlier run; undefined makes a new one. */
  readonly folder: string | undefined;
  readonly keep: boolean;
  readonly note: (line: string) => void;
}

/** The measured company's organisation number. */
export const company_number = '5599990008';

/** Somebody stopped the run. */
export class Interrupted extends Error {}

/** Runs `work` on a system that is up, and takes everything down after it. */
export async function withSystem<T>(
  { folder: given, keep, note }: SystemOptions,
  work: (system: System) => Promise<T>,
): Promise<T> {
  const folder = given ?? (await makeFolder());
  const dataDir = join(folder, 'data');
  const port = await freePort();
  const stop = new AbortController();
  const { promise: interrupted, reject: interrupt } = Promise.withResolvers<never>();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => interrupt(new Interrupted('Interrupted; nothing was written.')));
  }
  const { promise: up, resolve: reportUp } = Promise.withResolvers<string>();
  let key = '';
  let owner = '';
  const compiled = compileProgram(process.execPath);
  const running = start({
    scripts: { command: entryOf(compiled), http: entryOf(compiled, 'http') },
    env: {
      ...process.env,
      PORT: String(port),
      HOST: '127.0.0.1',
      LOG_LEVEL: 'warn',
      TRUST_PROXY: '127.0.0.1',
    },
    parts: allParts,
    write: note,
    preparation: {
      begun: Promise.resolve({
        folder: dataDir,
        databaseUrl: undefined,
        metrics: undefined,
        env: { EMBEDDED_IN: dataDir, BACKUP_DIR: join(dataDir, 'backups') },
      }),
      async prepare(url) {
        owner = url;
        await migrate({ url, log: note });
        return {};
      },
      async greet() {
        key = await prepareBooks(owner);
        reportUp(owner);
      },
      stop: async () => undefined,
    },
    log: (part, line) => note(`${part} | ${line}`),
    stop: stop.signal,
  });
  try {
    const lost = running.then(() => Promise.reject(new Error('the service stopped by itself')));
    const ended = Promise.race([interrupted, lost]);
    const url = await Promise.race([up, ended]);
    return await Promise.race([withConnections({ url, port, key, dataDir }, work), ended]);
  } finally {
    stop.abort();
    await running.catch(() => undefined);
    if (keep) note(`Kept: ${folder} (use it again with --data ${folder})`);
    else if (given === undefined) await rm(folder, { recursive: true, force: true });
  }
}

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'huvudbok-bench-'));
  await chmod(folder, 0o755); // As root, PostgreSQL's own user must be able to enter.
  return folder;
}

async function withConnections<T>(
  base: Pick<System, 'url' | 'port' | 'key' | 'dataDir'>,
  work: (system: System) => Promise<T>,
): Promise<T> {
  const owner = createPool({
    url: base.url,
    max: 8,
    applicationName: 'bench',
  });
  const observer = await connect(base.url, 'bench observer');
  const load = startLoad();
  try {
    const postmaster = await postmasterOf(base.dataDir);
    return await work({ ...base, owner, observer, load, postmaster });
  } finally {
    load.stop();
    await observer.end();
    await owner.end();
  }
}

/** Safe to run again on a kept folder; the key is new each time. */
export async function prepareBooks(url: string): Promise<string> {
  const owner = createPool({ url, max: 1, applicationName: 'bench setup' });
  try {
    return await withTx(owner, async (tx) => {
      for (const year of years) {
        const fiscalYear = { year, start: `${year}-01-01`, end: `${year}-12-31` };
        const company = 'Mätbolaget AB';
        await setUp(
          tx,
          { company, organizationNumber: company_number, fiscalYear, owner: null },
          'bench',
        );
        await createYear(tx, fiscalYear, 'bench');
      }
      const [known] = await tx.query<{ count: number }>(
        sql`select count(*)::integer as count from sales.customers`,
      );
      for (let n = 0; n < customers_count && (known?.count ?? 0) < customers_count; n += 1) {
        await insertCustomer(tx, customerOf(n));
      }
      const { key } = await createKey(
        tx,
        {
          name: 'Mätning',
          scopes: ['data:read', 'intake:write', 'ledger:write'],
          quotaPerHour: 1_000_000_000,
          expiresAt: null,
        },
        'bench',
      );
      return key;
    });
  } finally {
    await owner.end();
  }
}

/** As autovacuum would have done in a minute: plans that know the tables' size. */
export async function analyze({ owner }: Pick<System, 'owner'>): Promise<void> {
  await db(owner).query(sql`analyze`);
}

/** As the server is some minutes later: nothing of what was written is still to be tidied up while something is measured. */
export async function settle(system: Pick<System, 'owner' | 'url' | 'dataDir'>): Promise<void> {
  await db(system.owner).query(sql`vacuum (analyze)`);
  const superuser = await connect(await superuserUrl(system), 'bench settle');
  try {
    await superuser.query('checkpoint');
  } finally {
    await superuser.end();
  }
}

/** What only a superuser may see or make, on the measured books. */
export async function superuserUrl({
  url,
  dataDir,
}: Pick<System, 'url' | 'dataDir'>): Promise<string> {
  const { servers, database } = parseDatabaseUrl(url);
  const secrets = JSON.parse(await readFile(join(dataDir, 'postgresql/secrets.json'), 'utf8'));
  return `postgres://postgres:${encodeURIComponent(secrets.superuser)}@127.0.0.1:${servers[0].port}/${database}`;
}

async function postmasterOf(dataDir: string): Promise<number> {
  const text = await readFile(join(dataDir, 'postgresql/cluster/postmaster.pid'), 'utf8');
  return Number.parseInt(text, 10);
}

export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}
