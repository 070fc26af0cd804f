/**
 * Every right of every role, written out. A table or function that somebody adds without deciding who
 * may use it changes one of these lists, and so fails here.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrate } from '#src/db/migrate.ts';
import { createPool, db, type Pool } from '#src/db/pool.ts';
import { roles } from '#src/db/roles.ts';
import { sql } from '#src/db/sql.ts';
import { cloneDatabase, type TestDatabase } from '../support/database.ts';
import {
  listPolicies,
  listPrivileges,
  listRoutines,
  listSchemas,
  listTables,
} from './catalogue.ts';

const schemas = [
  'agency',
  'api',
  'archive',
  'audit',
  'bank',
  'events',
  'intake',
  'ledger',
  'migration',
  'pgboss',
  'purchases',
  'restricted',
  'sales',
];

const tables = [
  'archive.contents',
  'archive.pages',
  'archive.renderings',
  'audit.events',
  'audit.verifications',
  'bank.accounts',
  'bank.statements',
  'bank.transactions',
  'events.attempts',
  'events.clock',
  'events.deliveries',
  'events.endpoints',
  'events.outbox',
  'events.outbox_seq_seq',
  'intake.e_invoices',
  'intake.order_attempts',
  'intake.order_senders',
  'intake.orders',
  'ledger.accounts',
  'ledger.attachments',
  'ledger.day_revenues',
  'ledger.dimensions',
  'ledger.documented_vouchers',
  'ledger.fiscal_years',
  'ledger.locks',
  'ledger.month_balances',
  'ledger.month_ends',
  'ledger.month_totals',
  'ledger.series',
  'ledger.supplier_costs',
  'ledger.vat_filings',
  'ledger.voucher_rows',
  'ledger.vouchers',
  'migration.applied',
  'migration.applied_id_seq',
  'migration.hashes',
  'pgboss.bam',
  'pgboss.job',
  'pgboss.job_common',
  'pgboss.job_dependency',
  'pgboss.queue',
  'pgboss.queue_stats',
  'pgboss.queue_stats_<day>',
  'pgboss.schedule',
  'pgboss.subscription',
  'pgboss.version',
  'pgboss.warning',
  'purchases.attachments',
  'purchases.invoice_rows',
  'purchases.invoices',
  'purchases.payments',
  'purchases.supplier_accounts',
  'purchases.suppliers',
  'restricted.address_windows',
  'restricted.agency_keys',
  'restricted.agency_tokens',
  'restricted.api_keys',
  'restricted.company',
  'restricted.idempotency',
  'restricted.key_windows',
  'restricted.users',
  'sales.article_revenues',
  'sales.articles',
  'sales.customer_revenues',
  'sales.customers',
  'sales.day_invoices',
  'sales.disputes',
  'sales.invoice_numbers',
  'sales.invoice_rows',
  'sales.invoices',
  'sales.payments',
  'sales.receivables',
  'sales.reference_rates',
  'sales.reminders',
];

/** Functions that run with their owner's rights. */
const definers = [
  'agency.aggregate',
  'agency.count_call',
  'agency.create_token',
  'agency.find_key',
  'api.admit',
  'api.count_failures',
  'api.create_invoices',
  'api.daily_statistics',
  'api.e_invoice_outcomes',
  'api.installation',
  'api.last_verification',
  'api.latest_event_place',
  'api.list_events',
  'api.monthly_statistics',
  'api.order_outcomes',
  'api.overview_statistics',
  'api.post_vouchers',
  'api.reconcile_orders',
  'api.require_key',
  'api.store_e_invoices',
  'api.store_orders',
  'archive.find_rendering',
  'archive.request_rendering',
  'events.current_epoch',
  'events.note_invoice_status',
  'events.note_new_invoices',
  'events.note_received_e_invoices',
  'events.note_received_orders',
  'events.note_rejected_order',
  'intake.enqueue',
  'ledger.count_attached',
  'ledger.count_attachments_missing',
  'ledger.post_vouchers',
  'restricted.purge_expired',
  'sales.book_invoices',
  'sales.settle',
  'sales.sum_booked',
];

/** Functions that run with the caller's rights. */
const helpers = [
  'archive.refuse_change',
  'audit.refuse_change',
  'events.begin_epoch_after_restore',
  'events.body_of',
  'events.describe',
  'events.fan_out',
  'events.id_of',
  'events.latest_place',
  'events.list_after',
  'events.list_due',
  'events.take',
  'intake.count_stopped_orders',
  'intake.freeze_e_invoice',
  'intake.freeze_received',
  'ledger.balance_at',
  'ledger.check_new_rows',
  'ledger.check_new_vouchers',
  'ledger.earliest_open_date',
  'ledger.failing_conditions',
  'ledger.find_lock',
  'ledger.first_hash',
  'ledger.has_own_document',
  'ledger.month_ends_on',
  'ledger.month_results',
  'ledger.refuse_change',
  'ledger.refuse_if_in_use',
  'ledger.row_content',
  'ledger.row_problems',
  'ledger.seal',
  'ledger.series_problem',
  'ledger.touches_vat',
  'ledger.voucher_content',
  'pgboss.create_queue',
  'pgboss.delete_queue',
  'pgboss.job_now',
  'pgboss.job_table_format',
  'pgboss.job_table_run',
  'pgboss.job_table_run_async',
  'purchases.freeze_booked_invoice',
  'purchases.freeze_booked_rows',
  'purchases.usual_accounts',
  'restricted.count_calls',
  'restricted.intake_refusals',
  'restricted.judge_calls',
  'sales.check_new_rows',
  'sales.debtor_of',
  'sales.draft_problems',
  'sales.freeze_booked_invoice',
  'sales.freeze_booked_rows',
  'sales.ocr_for',
  'sales.refuse_change',
  'sales.settle_added',
];

const queueTables = tables.filter((table) => table.startsWith('pgboss.'));
const queueFunctions = helpers.filter((name) => name.startsWith('pgboss.'));

const privileges: Record<(typeof roles)[number], string[]> = {
  hb_api: [
    'api: usage',
    'ledger: usage',
    'ledger.fiscal_years: select',
    'ledger.locks: select',
    'ledger.series: select',
    'ledger.voucher_rows: select',
    'ledger.vouchers: select',
    'api.admit(): execute',
    'api.count_failures(): execute',
    'api.create_invoices(): execute',
    'api.daily_statistics(): execute',
    'api.e_invoice_outcomes(): execute',
    'api.installation(): execute',
    'api.last_verification(): execute',
    'api.latest_event_place(): execute',
    'api.list_events(): execute',
    'api.monthly_statistics(): execute',
    'api.order_outcomes(): execute',
    'api.overview_statistics(): execute',
    'api.post_vouchers(): execute',
    'api.reconcile_orders(): execute',
    'api.require_key(): execute',
    'api.store_e_invoices(): execute',
    'api.store_orders(): execute',
  ],
  hb_app: [
    'archive: usage',
    'archive.find_rendering(): execute',
    'archive.request_rendering(): execute',
  ],
  hb_agency: [
    'agency: usage',
    'agency.aggregate(): execute',
    'agency.count_call(): execute',
    'agency.create_token(): execute',
    'agency.find_key(): execute',
  ],
  hb_worker: [
    'archive: usage',
    'audit: usage',
    'events: usage',
    'intake: usage',
    'ledger: usage',
    'pgboss: usage',
    'purchases: usage',
    'restricted: usage',
    'sales: usage',
    'archive.contents: insert',
    'archive.pages: select',
    'archive.renderings: select, insert',
    'audit.events: insert',
    'audit.verifications: insert',
    'events.attempts: select, insert, update',
    'events.deliveries: select, insert, update',
    'events.endpoints: select, update',
    'events.outbox: select',
    'intake.e_invoices: select',
    'intake.order_attempts: select',
    'intake.orders: select',
    'ledger.accounts: select',
    'ledger.dimensions: select',
    'ledger.fiscal_years: select',
    'ledger.locks: select',
    'ledger.month_balances: select',
    'ledger.series: select',
    'ledger.voucher_rows: select',
    'ledger.vouchers: select',
    ...queueTables.map((table) => `${table}: select, insert, update, delete`),
    'purchases.attachments: select, insert',
    'purchases.invoice_rows: select, insert',
    'purchases.invoices: select, insert',
    'purchases.supplier_accounts: select, insert',
    'purchases.suppliers: select',
    'sales.articles: select',
    'sales.customers: select',
    'sales.invoice_numbers: select',
    'sales.invoice_rows: select, insert',
    'sales.invoices: select, insert',
    'sales.payments: select',
    'sales.receivables: select',
    'sales.reminders: select',
    'archive.contents (sha256): select',
    'intake.e_invoices (status, reason, detail, draft_id, answer, decided_at): update',
    'intake.order_attempts (status, reason, detail, decided_at): update',
    'intake.orders (invoice_id, customer_id): update',
    'purchases.invoices (status, booking_date, booking_refusal, voucher_id, open_ore, decided_at, decided_by): update',
    'restricted.company (singleton, organization_number, vat_number, order_supply, order_payment_terms_days, order_booking_is_automatic, collective_customer_id, receiver_ids, e_invoice_booking_is_automatic, purchase_account): select',
    'sales.invoices (booking_refusal): update',
    'events.body_of(): execute',
    'events.current_epoch(): execute',
    'events.describe(): execute',
    'events.fan_out(): execute',
    'events.id_of(): execute',
    'events.list_after(): execute',
    'events.list_due(): execute',
    'events.take(): execute',
    'intake.enqueue(): execute',
    'ledger.first_hash(): execute',
    'ledger.post_vouchers(): execute',
    'ledger.row_content(): execute',
    'ledger.seal(): execute',
    'ledger.voucher_content(): execute',
    ...queueFunctions.map((name) => `${name}(): execute`),
    'purchases.usual_accounts(): execute',
    'restricted.purge_expired(): execute',
    'sales.book_invoices(): execute',
  ],
};

const livingKey = (scope: string) =>
  `( SELECT api.require_key(${scope === '' ? '' : `'${scope}'::text`}) AS require_key)`;

const policies = [
  ['ledger.fiscal_years', ''],
  ['ledger.locks', ''],
  ['ledger.series', 'data:read'],
  ['ledger.voucher_rows', 'data:read'],
  ['ledger.vouchers', 'data:read'],
].flatMap(([table, scope = '']) => [
  `${table} key_reads select hb_api: ${livingKey(scope)}`,
  `${table} on`,
  `${table} worker_reads select hb_worker: true`,
]);

let database: TestDatabase;
let owner: Pool;
beforeAll(async () => {
  database = await cloneDatabase();
  // A clone does not take the database's own rights with it.
  await migrate({ url: database.url, log: () => undefined });
  owner = createPool({ url: database.url, max: 4, applicationName: 'test' });
});
afterAll(async () => {
  await owner.end();
  await database.drop();
});

describe('nothing is in the database that nobody has decided about', () => {
  test('schemas', async () => {
    expect(await listSchemas(owner)).toEqual([...schemas, 'public'].sort());
  });
  test('tables', async () => {
    expect(await listTables(owner)).toEqual(tables);
  });
  test('functions', async () => {
    const routines = await listRoutines(owner);
    expect(routines.filter(({ isDefiner }) => isDefiner).map(({ name }) => name)).toEqual(definers);
    expect(routines.filter(({ isDefiner }) => !isDefiner).map(({ name }) => name)).toEqual(helpers);
  });
});

describe('a role may do what is listed and nothing else', () => {
  test.each(roles)('%s', async (role) => {
    expect(await listPrivileges(owner, role)).toEqual(privileges[role]);
  });

  test('whoever logs in with another role may do nothing', async () => {
    expect(await listPrivileges(owner, 'public')).toEqual([]);
    const [rights] = await db(owner).query(
      sql`select has_database_privilege('public', current_database(), 'temporary') as temporary,
            has_database_privilege('public', current_database(), 'create') as create`,
    );
    expect(rights).toEqual({ temporary: false, create: false });
  });

  test('no role is a superuser, inherits another, goes past row level security or makes roles', async () => {
    const found = await db(owner).query(
      sql`select rolname from pg_roles r
          where (rolname = any (${roles}::text[]) or rolname = current_user and not rolsuper)
            and (rolsuper or rolbypassrls or rolreplication
              or rolname <> current_user and (rolcreaterole or rolcreatedb)
              or exists (select from pg_auth_members m where m.member = r.oid
                and not exists (select from pg_roles g where g.oid = m.roleid
                  and r.rolname = current_user and g.rolname = any (${roles}::text[]))))`,
    );
    expect(found).toEqual([]);
  });
});

test('row level security is on where keys read, and lets through just who is listed', async () => {
  expect(await listPolicies(owner)).toEqual(policies);
});

test('a function with its owner’s rights cannot be fooled by names of the caller’s', async () => {
  const loose = (await listRoutines(owner)).filter(
    ({ isDefiner, searchPath }) => isDefiner && searchPath !== 'pg_catalog, pg_temp',
  );
  expect(loose).toEqual([]);
});
