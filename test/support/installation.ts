/**
 * A whole installation for a test file: its own database, a company, the HTTP application answering
 * `call`, and (when asked for) real workers. Nothing is mocked; only the clock is set.
 */
import { randomUUID } from 'node:crypto';
import type { InjectOptions, Response } from 'light-my-request';
import { pino } from 'pino';
import { syncLegacySecrets } from '#src/access/keys/legacy.ts';
import type { Scope } from '#src/access/keys/scopes.ts';
import { createKey } from '#src/access/keys/service.ts';
import { type Config, loadConfig } from '#src/config/config.ts';
import { findLogins } from '#src/db/logins.ts';
import { migrate } from '#src/db/migrate.ts';
import { createPool, db, type Pool, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { closeConnections, createConnections } from '#src/http/connections.ts';
import type { App } from '#src/http/fastify.ts';
import { noteProcess } from '#src/installation/processes/store.ts';
import { buildApp } from '#src/process/app.ts';
import { booking } from '#workers/booking.ts';
import { eInvoices } from '#workers/e-invoices.ts';
import { createBankImporter, createSieImporter } from '#workers/import.ts';
import { intake } from '#workers/intake.ts';
import { previewing } from '#workers/preview.ts';
import { purchaseBooking } from '#workers/purchase-booking.ts';
import { createRenderer } from '#workers/render.ts';
import { runWorkers } from '#workers/run.ts';
import { createTillReports } from '#workers/till-reports.ts';
import { trials } from '#workers/trials.ts';
import { TODAY } from './company.ts';
import { type Content, cloneDatabase, copyDatabase } from './database.ts';
import { TEST_KEY } from './secrets.ts';
import { findMisjudged, takeWrittenDown } from './written-down.ts';

export { TODAY, testCompany } from './company.ts';
export const allScopes: readonly Scope[] = [
  'data:read',
  'intake:write',
  'documents:read',
  'documents:write',
  'bank:write',
  'bank:read',
  'ledger:write',
];

/** The database of an installation, without what serves it. */
export interface Books {
  /** The owner's login. */
  readonly url: string;
  /** Statements as the owner, to arrange and to look behind the scenes. */
  readonly owner: Pool;
  makeKey(scopes?: readonly Scope[], quotaPerHour?: number): Promise<{ id: string; key: string }>;
  close(): Promise<void>;
}

export interface Installation extends Books {
  readonly app: App;
  /** A key with every scope and a quota no test reaches. */
  readonly key: string;
  /** A call with the key (or another, or none) and a fresh Idempotency-Key unless given. */
  call(options: CallOptions): Promise<Response>;
}

export interface CallOptions extends Omit<InjectOptions, 'url'> {
  readonly url: string;
  readonly key?: string | null;
}

export interface BooksOptions {
  /** What is in them: a company unless said. Nothing is as before `huvudbok setup`. */
  readonly content?: Content;
  /** Of which others they are a copy, which nobody is in any more. */
  readonly copyOf?: string;
  /** With roles of its own, as an upgrade finds it, and not those of the database that it is cloned from. */
  readonly isMigrated?: boolean;
}

export interface InstallationOptions extends BooksOptions {
  readonly workers?: boolean;
  /** The workers print PDFs too, and make pictures to be shown. */
  readonly prints?: boolean;
  /** The day it is; `TODAY` unless said. */
  readonly today?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** For what needs no HTTP and no workers, which take longer to start than most tests do. */
export async function createBooks(options: BooksOptions = {}): Promise<Books> {
  const { content = 'company', copyOf, isMigrated = false } = options;
  const database = copyOf ? await copyDatabase(copyOf) : await cloneDatabase(content);
  if (isMigrated) await migrate({ url: database.url, log: () => undefined });
  const owner = createPool({ url: database.url, max: 4, applicationName: 'test' });
  return {
    url: database.url,
    owner,
    makeKey: (scopes = allScopes, quotaPerHour = 1_000_000) =>
      withTx(owner, (tx) =>
        createKey(tx, { name: 'Test', scopes, quotaPerHour, expiresAt: null }, 'test'),
      ),
    async close() {
      await owner.end();
      await database.drop();
    },
  };
}

export async function createInstallation(options: InstallationOptions = {}): Promise<Installation> {
  const { workers = false, prints = false, today = TODAY, env = {} } = options;
  const books = await createBooks(options);
  const { url, owner } = books;
  const loginOf = await findLogins(url);
  const connections = createConnections(loginOf, 'test http');
  await connections.decisions.start(loginOf('hb_api'));
  const config: Config = loadConfig({
    BASE_URL: 'https://bok.example',
    SECRETS_KEY: TEST_KEY,
    ...env,
  });
  await withTx(owner, (tx) => syncLegacySecrets(tx, config.legacySecrets));
  const clock = { now: () => new Date(`${today}T12:00:00Z`), today: () => today };
  const app = await buildApp({ config, ...connections, clock });
  await app.ready();
  const own = { databaseUrl: url, timeZone: 'Europe/Stockholm' };
  const importers = [createSieImporter(own), createBankImporter(own)];
  const others = [createTillReports(own), trials, ...importers];
  const works = [intake, booking, eInvoices, purchaseBooking, ...others];
  const running = workers
    ? await runWorkers([...works, ...(prints ? [createRenderer(undefined), previewing] : [])], {
        url: loginOf('hb_worker'),
        log: pino({ level: 'silent' }),
        timeZone: 'Europe/Stockholm',
      })
    : undefined;

  if (prints) {
    await noteProcess(db(owner), renderProcess);
    // A worker says again every fifteen seconds that it is there, which no test waits for.
    await db(owner).query(sql`update restricted.processes set seen_at = now() + interval '1 day'`);
  }
  const { key } = await books.makeKey();

  return {
    ...books,
    app,
    key,
    call: ({ key: given = key, headers, ...rest }) =>
      app.inject({
        ...rest,
        headers: {
          ...(given === null ? {} : { authorization: `Bearer ${given}` }),
          'idempotency-key': randomUUID(),
          ...headers,
        },
      }),
    async close() {
      await running?.stop();
      await app.close();
      await closeConnections(connections);
      const misjudged = await findMisjudged(owner, takeWrittenDown(url));
      await books.close();
      if (misjudged.length > 0) throw new Error(`audit.needed_right: ${misjudged.join('; ')}`);
    },
  };
}

/** As `worker render` says of itself when it starts. */
export const renderProcess = {
  id: randomUUID(),
  host: 'test',
  pid: process.pid,
  parts: ['render'],
  version: 'test',
  startedAt: new Date(),
  work: new Map(),
};

/** A voucher as an integrator sends it; anything can be overridden. */
export const voucherBody = (overrides: object = {}) => ({
  seriesCode: 'A',
  date: '2026-03-31',
  description: 'Kontantförsäljning',
  rows: [
    { account: 1930, debit: 125, credit: 0 },
    { account: 3001, debit: 0, credit: 100 },
    { account: 2611, debit: 0, credit: 25 },
  ],
  ...overrides,
});

/** An order as a shop sends it; anything can be overridden. */
export const orderBody = (overrides: object = {}) => ({
  externalId: randomUUID(),
  orderDate: '2026-03-31',
  currency: 'SEK',
  pricesIncludeVat: true,
  total: 199,
  customer: { name: 'Anna Andersson' },
  rows: [{ description: 'Kaffebryggare', quantity: 1, unitPrice: 199, vatRate: 25 }],
  ...overrides,
});

/** How many vouchers there are. */
export async function countVouchers(owner: Pool): Promise<number> {
  const [row] = await db(owner).query<{ count: number }>(
    sql`select count(*)::integer as count from ledger.vouchers`,
  );
  return row?.count ?? 0;
}
