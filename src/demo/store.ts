/** What the example company's story asks of the books as they grow. */
import type { Scope } from '../access/keys/scopes.ts';
import { eInvoiceIntake, orderIntake, tillReportIntake } from '../db/jobs.ts';
import { databaseErrorOf, type Tx } from '../db/pool.ts';
import { sql } from '../db/sql.ts';
import { lastDayOfMonth } from '../domain/basics/dates.ts';
import type { Ore } from '../domain/basics/money.ts';
import { OperatorError } from '../lib/operator-error.ts';

export interface BankVoucher {
  id: string;
  date: string;
  description: string;
  ore: bigint;
}

/** What a month's list from the bank tells of: payments, and the others named. */
export function listBankVouchers(
  tx: Tx,
  month: string,
  others: readonly string[],
): Promise<BankVoucher[]> {
  const first = `${month}-01`;
  return tx.query(sql`select v.id, v.verification_date as date, v.description,
      (select coalesce(sum(r.debit_ore - r.credit_ore), 0)::bigint from ledger.voucher_rows r
        where r.voucher_id = v.id and r.account = 1930) as ore
    from ledger.vouchers v
    where v.verification_date between ${first}::date and ${lastDayOfMonth(month)}::date
      and (v.source in ('payment', 'supplier_payment') or v.id = any (${others}::uuid[]))
    order by v.verification_date, v.series, v.number`);
}

export interface AccountChange {
  account: number;
  ore: bigint;
}

/** What each of the accounts `from`–`to` changed by in a stretch of whole months. */
export function listChanges(
  tx: Tx,
  [from, to]: readonly [number, number],
  { start, end }: { readonly start: string; readonly end: string },
): Promise<AccountChange[]> {
  return tx.query(sql`select account, sum(debit_ore - credit_ore)::bigint as ore
    from ledger.month_balances
    where account between ${from} and ${to} and month between ${start}::date and ${end}::date
    group by account having sum(debit_ore - credit_ore) <> 0 order by account`);
}

/** A voucher that changed the account. */
export interface OnAccount {
  id: string;
  date: string;
  label: string;
  description: string;
  counterparty: string | null;
  ore: bigint;
}

export function listOnAccount(tx: Tx, account: number, from: string): Promise<OnAccount[]> {
  return tx.query(sql`select v.id, v.verification_date as date, v.series || v.number as label,
      v.description, v.counterparty, sum(r.debit_ore - r.credit_ore)::bigint as ore
    from ledger.vouchers v join ledger.voucher_rows r on r.voucher_id = v.id
    where r.account = ${account} and v.verification_date >= ${from}::date
      and v.source <> 'opening'
    group by v.id having sum(r.debit_ore - r.credit_ore) <> 0
    order by v.verification_date, v.series, v.number`);
}

/** By the bank's reference. */
export async function listTransactionIds(
  tx: Tx,
  accountId: string,
): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.query<{ id: string; reference: string }>(
    sql`select id, bank_reference as reference from bank.transactions where account_id = ${accountId}::uuid
        order by id`,
  );
  return new Map(rows.map(({ id, reference }) => [reference, id]));
}

/** As `matchTransaction` does it, all at once: a thousand one by one would be felt by whoever tries the example. */
export async function matchAll(
  tx: Tx,
  matches: readonly { readonly transactionId: string; readonly voucherId: string }[],
  actor: string,
): Promise<void> {
  const pairs = sql`unnest(${matches.map(({ transactionId }) => transactionId)}::uuid[],
    ${matches.map(({ voucherId }) => voucherId)}::uuid[]) as m (transaction_id, voucher_id)`;
  await tx.query(sql`update bank.transactions t set voucher_id = m.voucher_id, matched_at = now(),
      matched_by = ${actor} from ${pairs} where t.id = m.transaction_id`);
  await tx.query(sql`select audit.record(${actor}, 'bank.matched', m.transaction_id::text,
      jsonb_build_object('voucher_id', m.voucher_id)) from ${pairs}`);
}

/** Longer than a call may take: others are waited for, and wait. */
const lockTimeout = '20s';

/**
 * Empties the example company's books, and leaves who has access; nobody else reaches them until commit. Refuses those
 * of any other company, and throws when somebody has worked in the books for long: a backup, or a large report.
 */
export async function emptyDemo(tx: Tx, patience = lockTimeout): Promise<void> {
  await tx.query(sql`select set_config('lock_timeout', ${patience}, true)`);
  await tx.query(sql`select restricted.empty_demo()`).catch((cause) => {
    const { code, constraint } = databaseErrorOf(cause) ?? {};
    if (constraint === 'only_the_example_is_emptied') {
      throw new OperatorError('Bara exempelföretagets böcker kan tömmas.', { cause });
    }
    if (code !== lockNotAvailable) throw cause;
    throw new OperatorError(
      'Någon arbetar i böckerna just nu: en säkerhetskopia tas, eller en stor rapport görs. Inget är ändrat; försök igen om en stund.',
      { cause },
    );
  });
}

const lockNotAvailable = '55P03';

/** Webhooks are told of what happens from now on, and not of all that is in the new books. */
export async function passEvents(tx: Tx): Promise<void> {
  await tx.query(sql`update events.endpoints set after_epoch = place.epoch, after_xid = place.xid,
      after_seq = place.seq
    from (select epoch, xid, seq from events.outbox order by epoch desc, xid desc, seq desc limit 1) as place`);
}

export interface KnownKey {
  hash: Buffer;
  scopes: Scope[];
  is_live: boolean;
}

/** The key of that name, the one that opens something before others. */
export async function findKeyNamed(tx: Tx, name: string): Promise<KnownKey | undefined> {
  const [key] = await tx.query<KnownKey>(sql`select hash, scopes,
      revoked_at is null and successor_id is null and coalesce(expires_at > now(), true) as is_live
    from restricted.api_keys where name = ${name} order by 3 desc, created_at, id limit 1`);
  return key;
}

export async function hasAgencyNamed(tx: Tx, name: string): Promise<boolean> {
  const found = await tx.query(
    sql`select from restricted.agency_keys where agency = ${name} limit 1`,
  );
  return found.length > 0;
}

export async function hasEndpoint(tx: Tx, url: string): Promise<boolean> {
  const found = await tx.query(sql`select from events.endpoints where url = ${url} limit 1`);
  return found.length > 0;
}

/** What came was judged at once, so the jobs to judge it leave a worker nothing to do. */
export async function clearJobs(tx: Tx): Promise<void> {
  const names = [orderIntake.name, tillReportIntake.name, eInvoiceIntake.name];
  await tx.query(sql`delete from pgboss.job where name = any (${names}::text[])`);
}

export async function countVouchers(tx: Tx): Promise<number> {
  const [count] = await tx.query<{ vouchers: number }>(
    sql`select count(*)::integer as vouchers from ledger.vouchers`,
  );
  return count?.vouchers ?? 0;
}

export async function getBalanceAt(tx: Tx, account: number, day: string): Promise<Ore> {
  const [balance] = await tx.query<{ ore: Ore }>(
    sql`select ledger.balance_at(${account}, ${day}::date) as ore`,
  );
  return balance?.ore ?? 0n;
}

export interface UndocumentedVoucher {
  date: string;
  description: string;
  ore: bigint;
}

/** The latest vouchers written by hand that lack the document they need. */
export function listUndocumented(tx: Tx, limit: number): Promise<UndocumentedVoucher[]> {
  return tx.query(sql`select v.verification_date as date, v.description, v.total_ore as ore
    from ledger.vouchers v
    where v.source = 'app'
      and not exists (select from ledger.attachments a where a.voucher_id = v.id)
    order by v.verification_date desc, v.series, v.number limit ${limit}::integer`);
}

/** Booked up to a day and paid in no part, the first due first. */
export function listOpenInvoices(tx: Tx, day: string): Promise<{ ocr: string; open_ore: Ore }[]> {
  return tx.query(sql`select ocr, open_ore from sales.invoices
    where open_ore = total_ore and open_ore > 0 and due_date >= ${day}::date and invoice_date <= ${day}::date
      and source <> 'opening' order by due_date, id limit 3`);
}

/** The same of suppliers'. */
export function listOpenPurchases(tx: Tx, day: string): Promise<{ name: string; open_ore: Ore }[]> {
  return tx.query(sql`select s.name, i.open_ore from purchases.invoices i
    join purchases.suppliers s on s.id = i.supplier_id
    where i.open_ore = i.payable_ore and i.open_ore > 0 and i.issue_date <= ${day}::date
    order by i.due_date, i.id limit 1`);
}
