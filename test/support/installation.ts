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
import { findLogins, roleUrl } from '#src/db/logins.ts';
import { migrate } from '#src/db/migrate.ts';
import { createPool, db, type Pool, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { closeConnections, createConnections } from '#src/http/connections.ts';
import type { App } from '#src/http/fastify.ts';
import { setUp } from '#src/installation/company/service.ts';
import { buildApp } from '#src/process/app.ts';
import { booking } from '#workers/booking.ts';
import { eInvoices } from '#workers/e-invoices.ts';
import { intake } from '#workers/intake.ts';
import { purchaseBooking } from '#workers/purchase-booking.ts';
import { createRenderer } from '#workers/render.ts';
import { runWorkers } from '#workers/run.ts';
import { cloneDatabase } from './database.ts';
import { TEST_KEY } from './secrets.ts';

export const allScopes: readonly Scope[] = ['data:read', 'intake:write', 'ledger:write'];
export const TODAY = '2026-11-20';

export interface Installation {
  /** The owner's login. */
  readonly url: string;
  /** Statements as the owner, to arrange and to look behind the scenes. */
  readonly owner: Pool;
  readonly app: App;
  /** A key with every scope and a quota no test reaches. */
  readonly key: string;
  makeKey(scopes?: readonly Scope[], quotaPerHour?: number): Promise<{ id: string; key: string }>;
  /** A call with the key (or another, or none) and a fresh Idempotency-Key unless given. */
  call(options: CallOptions): Promise<Response>;
  close(): Promise<void>;
}

export interface CallOptions extends Omit<InjectOptions, 'url'> {
  readonly url: string;
  readonly key?: string | null;
}

export interface InstallationOptions {
  readonly workers?: boolean;
  /** The workers print PDFs too. */
  readonly prints?: boolean;
  /** False leaves the installation as it is before `huvudbok setup`. */
  readonly isSetUp?: boolean;
  /** With roles of its own, as an upgrade finds it, and not those of the database that it is cloned from. */
  readonly isMigrated?: boolean;
  /** The day it is; `TODAY` unless said. */
  readonly today?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export async function createInstallation(options: InstallationOptions = {}): Promise<Installation> {
  const {
    workers = false,
    prints = false,
    isSetUp = true,
    isMigrated = false,
    today = TODAY,
    env = {},
  } = options;
  const database = await cloneDatabase();
  if (isMigrated) await migrate({ url: database.url, log: () => undefined });
  const owner = createPool({ url: database.url, max: 4, applicationName: 'test' });
  if (isSetUp) await withTx(owner, (tx) => setUp(tx, testCompany, 'test'));
  const connections = createConnections(await findLogins(database.url), 'test http');
  await connections.decisions.start();
  const config: Config = loadConfig({
    BASE_URL: 'https://bok.example',
    SECRETS_KEY: TEST_KEY,
    ...env,
  });
  await withTx(owner, (tx) => syncLegacySecrets(tx, config.legacySecrets));
  const clock = { now: () => new Date(`${today}T12:00:00Z`), today: () => today };
  const app = await buildApp({ config, ...connections, clock });
  await app.ready();
  const works = [intake, booking, eInvoices, purchaseBooking];
  const running = workers
    ? await runWorkers([...works, ...(prints ? [createRenderer(undefined)] : [])], {
        url: await roleUrl(database.url, 'hb_worker'),
        log: pino({ level: 'silent' }),
        timeZone: 'Europe/Stockholm',
      })
    : undefined;

  const makeKey = (scopes = allScopes, quotaPerHour = 1_000_000) =>
    withTx(owner, (tx) =>
      createKey(tx, { name: 'Test', scopes, quotaPerHour, expiresAt: null }, 'test'),
    );
  const { key } = await makeKey();

  return {
    url: database.url,
    owner,
    app,
    key,
    makeKey,
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
      await owner.end();
      await database.drop();
    },
  };
}

export const testCompany = {
  company: 'Testbolaget AB',
  organizationNumber: '5567026934',
  fiscalYear: { year: 2026, start: '2026-01-01', end: '2026-12-31' },
  owner: null,
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
