/** The database is brought to a newer schema while the version before it serves; more often in test/slow. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '#src/db/migrate.ts';
import { tablesOf } from '#src/db/migrations.ts';
import { connect, db } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { createInstallation, voucherBody } from '../support/installation.ts';
import { copyMigrations, root, testUpgrades } from './upgrade.ts';

testUpgrades(3);

test('a change gives way to whoever holds its table, and gets through when they are done', async () => {
  const books = await createInstallation({ isMigrated: true });
  onTestFinished(() => books.close());
  const folder = await copyMigrations();
  await writeFile(
    join(folder, '9900-upgrade.sql'),
    'alter table audit.events add column a text; alter table ledger.vouchers add column b text;',
  );
  const reader = await connect(books.url, 'test');
  onTestFinished(() => reader.end());
  await reader.query('begin; select 1 from ledger.vouchers');
  const lines: string[] = [];
  const migrated = migrate({
    url: books.url,
    log: (line) => lines.push(line),
    directory: pathToFileURL(`${folder}/`),
  });
  await expect.poll(() => lines).toContainEqual(expect.stringContaining('Väntar på'));
  // Whoever would go in after it, is let in within a second or so although the reader stays.
  const began = performance.now();
  const answer = await books.call({
    method: 'POST',
    url: '/api/v1/verifikat',
    payload: voucherBody(),
  });
  expect(answer.statusCode).toBe(200);
  expect(performance.now() - began).toBeLessThan(10_000);
  // What the reader asks for meanwhile is no deadlock either.
  await reader.query('select 1 from audit.events limit 1');
  await reader.query('commit');
  await migrated;
});

test('a voucher that waits while an upgrade changes its tables and functions is posted once, and not answered with 500', async () => {
  const books = await createInstallation({ isMigrated: true });
  onTestFinished(() => books.close());
  const upgrade = await connect(books.url, 'test');
  onTestFinished(() => upgrade.end());
  const file = join(root, 'migrations', 'functions', 'ledger', 'post_vouchers.sql');
  const posting = (await readFile(file, 'utf8')).replaceAll(
    '(series_id, part, month',
    '(series_id, sum_part, month',
  );
  await upgrade.query('begin; lock table ledger.month_totals in access exclusive mode');
  const answered = Promise.resolve(
    books.call({ method: 'POST', url: '/api/v1/verifikat', payload: voucherBody() }),
  );
  // On another connection: within a transaction the same activity is told again.
  const blocked = sql`select pid from pg_locks where not granted and relation = 'ledger.month_totals'::regclass`;
  await expect.poll(async () => (await db(books.owner).query(blocked)).length).toBe(1);
  await upgrade.query(
    `alter table ledger.month_totals rename column part to sum_part; ${posting}; commit`,
  );
  const answer = await answered;
  expect(answer.json()).toMatchObject({ number: 1 });
  expect(answer.statusCode).toBe(200);
});

test('the tables that a migration touches are found, outside the functions that it defines', () => {
  expect(
    tablesOf(`-- alter table not.this add column x text;
      alter table only ledger.vouchers
        add constraint a foreign key (b) references ledger.series (id);
      drop trigger if exists c on sales.invoices;
      create constraint trigger d after insert or update on audit.events deferrable
        for each row execute function audit.e();
      create unique index f on intake.orders (id);
      create policy g on bank.rows for select to hb_app using (true);
      create function ledger.h() returns void language sql as $$ delete from archive.contents $$;
      update restricted.company set name = name; drop table purchases.old;`),
  ).toEqual({
    exclusive: ['bank.rows', 'ledger.vouchers', 'purchases.old', 'sales.invoices'],
    shared: ['audit.events', 'intake.orders', 'ledger.series', 'restricted.company'],
  });
});
