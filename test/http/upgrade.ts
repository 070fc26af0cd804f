/** The database is brought to a newer schema while the version before it serves: callers are held up, never refused. */
import { randomUUID } from 'node:crypto';
import { globSync } from 'node:fs';
import { appendFile, cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '#src/db/migrate.ts';
import { db } from '#src/db/pool.ts';
import { verifyBooks } from '#src/ledger/verification/service.ts';
import {
  createInstallation,
  type Installation,
  orderBody,
  voucherBody,
} from '../support/installation.ts';
import { times, until } from '../support/processes.ts';

export const root = join(import.meta.dirname, '..', '..');

/** A copy of the migrations, for newer ones to be put in. */
export async function copyMigrations(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'huvudbok-upgrade-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(join(root, 'migrations'), folder, { recursive: true });
  return folder;
}

/** Tables in the order that is the worst for whoever posts: what is written last is taken first. */
const touched = [
  'events.outbox',
  'audit.events',
  'ledger.month_balances',
  'ledger.voucher_rows',
  'ledger.vouchers',
  'ledger.series',
  'intake.order_attempts',
  'intake.orders',
  'sales.invoice_rows',
  'sales.invoices',
  'restricted.api_keys',
];

/** What an upgrade does: columns, a trigger, functions anew, a foreign key, rows. */
async function writeUpgrade(folder: string, nth: number): Promise<void> {
  const functions = join(folder, 'functions');
  for (const file of globSync('{api,ledger}/*.sql', { cwd: functions })) {
    await appendFile(join(functions, file), `-- Upgrade ${nth}.\n`);
  }
  await writeFile(
    join(functions, 'ledger', `upgrade_${nth}.sql`),
    `create or replace function ledger.upgrade_${nth}() returns trigger language plpgsql as $$
  begin return new; end $$;\n`,
  );
  const columns = touched.map((table) => `alter table ${table} add column upgrade_${nth} text;`);
  const text = `-- Upgrade ${nth}.
${columns.join('\n')}
-- functions: ledger.upgrade_${nth}
create trigger upgrade_${nth} before insert on ledger.voucher_rows
  for each row execute function ledger.upgrade_${nth}();
create table ledger.upgrade_${nth} (
  id uuid not null, constraint upgrade_${nth}_pkey primary key (id),
  constraint upgrade_${nth}_voucher foreign key (id) references ledger.vouchers (id));
update restricted.company set seat = 'Umeå';
`;
  await writeFile(join(folder, `99${String(nth).padStart(2, '0')}-upgrade.sql`), text);
}

/** Calls one after the other until told to stop; how each was answered. */
function callSteadily(books: Installation, signal: AbortSignal) {
  const calls: (() => { method: string; path: string; body?: object })[] = [
    () => ({ method: 'POST', path: '/api/v1/verifikat', body: voucherBody() }),
    () => ({ method: 'POST', path: '/api/inbound/order', body: orderBody() }),
    () => ({ method: 'GET', path: '/api/v1/verifikat?limit=5' }),
    () => ({ method: 'GET', path: '/api/stats/overview' }),
    () => ({ method: 'GET', path: '/api/v1/handelser?limit=5' }),
    () => ({ method: 'GET', path: '/readyz' }),
  ];
  const address = books.app.listeningOrigin;
  const statuses = new Map<string, number>();
  const one = async (caller: number): Promise<void> => {
    for (let nth = caller; !signal.aborted; nth += 1) {
      const { method, path, body } = calls[nth % calls.length]?.() ?? { method: 'GET', path: '/' };
      const answer = await fetch(`${address}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${books.key}`,
          'content-type': 'application/json',
          'idempotency-key': randomUUID(),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const text = await answer.text();
      const kind = `${method} ${path} ${answer.status}${answer.status < 500 ? '' : ` ${text}`}`;
      statuses.set(kind, (statuses.get(kind) ?? 0) + 1);
    }
  };
  return { statuses, ended: Promise.all(times(8).map(one)) };
}

export function testUpgrades(count: number): void {
  test(`${count} upgrades under posting, orders and reading: no call gets a 5xx, and the books hold`, {
    timeout: 240_000,
  }, async () => {
    const books = await createInstallation({ workers: true, isMigrated: true });
    onTestFinished(() => books.close());
    await books.app.listen({ port: 0, host: '127.0.0.1' });
    const folder = await copyMigrations();
    const directory = pathToFileURL(`${folder}/`);

    const stop = new AbortController();
    const { statuses, ended } = callSteadily(books, stop.signal);
    const posted = () => statuses.get('POST /api/v1/verifikat 200') ?? 0;
    try {
      for (const nth of times(count)) {
        await writeUpgrade(folder, nth);
        const before = posted();
        await migrate({ url: books.url, log: () => undefined, directory });
        // The service went on by itself after each.
        await until(() => posted() > before);
      }
    } finally {
      stop.abort();
      await ended;
    }
    const faults = [...statuses].filter(([kind]) => / 5\d\d/.test(kind));
    expect(faults).toEqual([]);
    expect([...statuses.keys()]).toEqual(
      expect.arrayContaining([
        'POST /api/v1/verifikat 200',
        'POST /api/inbound/order 200',
        'GET /api/v1/verifikat?limit=5 200',
        'GET /api/stats/overview 200',
        'GET /readyz 200',
      ]),
    );
    const verified = await verifyBooks(db(books.owner), () => undefined);
    // The upgrades' own tables and columns are not this program's, which verify says.
    const ofBooks = verified.problems.filter(({ kind }) => !kind.startsWith('schema_'));
    expect(ofBooks).toEqual([]);
    expect(verified.vouchers).toBeGreaterThanOrEqual(posted());
  });
}
