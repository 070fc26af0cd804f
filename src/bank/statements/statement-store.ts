/** What is known of accounts, day by day, and what statements add to it. */
import type { Db, Tx } from '../../db/pool.ts';
import { prepared, sql } from '../../db/sql.ts';
import type { Ore } from '../../domain/basics/money.ts';
import type { BankEntry, BankStatement } from '../../domain/ledger/bank-files/statement.ts';
import type { ToldSpan } from '../../domain/ledger/bank-statements/contradictions.ts';
import type { Identity } from '../../domain/ledger/bank-statements/identity.ts';
import type { DaySlice } from '../../domain/ledger/bank-statements/merging.ts';
import type { RowMarks } from '../../domain/ledger/bank-statements/pairing.ts';
import { uuid } from '../../lib/uuid.ts';

export const bankAccountKinds = ['bank', 'tax', 'cash', 'clearing'] as const;
export type BankAccountKind = (typeof bankAccountKinds)[number];

export interface IdentifiedAccount extends Identity {
  id: string;
  name: string;
  kind: BankAccountKind;
  ledger_account: number;
}

export function listIdentifiedAccounts(db: Db): Promise<IdentifiedAccount[]> {
  return db.query(sql`select id, name, kind, ledger_account, iban, number, bankgiro from bank.accounts
    where is_active order by ledger_account`);
}

/** With what a file called an account that somebody chose for it; what is known of it holds. */
export async function setIdentity(
  tx: Tx,
  id: string,
  { iban, number, bankgiro }: Identity,
): Promise<void> {
  await tx.query(sql`update bank.accounts set iban = coalesce(iban, ${iban}), number = coalesce(number, ${number}),
    bankgiro = coalesce(bankgiro, ${bankgiro}) where id = ${id}::uuid`);
}

export interface StoredRow extends RowMarks {
  readonly day: string;
  /** By which the account knows it; out of statements its day, amount and number among equal ones. */
  readonly key: string;
}

export async function listKnownRows(
  db: Db,
  accountId: string,
  [from, to]: readonly [string, string],
): Promise<StoredRow[]> {
  const rows = await db.query<{
    day: string;
    key: string;
    amount: Ore;
    text: string;
    reference: string | null;
    servicer_reference: string | null;
    balance_after: Ore | null;
    format: string | null;
  }>(sql`select t.booked_on as day, t.reference as key, t.amount_ore as amount, t.description as text,
      t.bank_reference as reference, t.servicer_reference, t.balance_after_ore as balance_after, s.format
    from bank.transactions t left join bank.imported_statements s on s.id = t.statement_id
    where t.account_id = ${accountId}::uuid and t.booked_on between ${from}::date and ${to}::date
    order by t.booked_on, t.id`);
  return rows.map(({ servicer_reference, balance_after, ...row }) => ({
    ...row,
    servicerReference: servicer_reference,
    balanceAfter: balance_after,
  }));
}

interface StoredDay {
  day: string;
  opening_ore: Ore | null;
  closing_ore: Ore | null;
  is_from_start: boolean;
  is_to_end: boolean;
}

/** Of the days asked for, and of the nearest before and after them. */
export async function listKnownDays(
  db: Db,
  accountId: string,
  [from, to]: readonly [string, string],
): Promise<Map<string, DaySlice>> {
  const days = await db.query<StoredDay>(sql`
    select day, opening_ore, closing_ore, is_from_start, is_to_end from bank.days
    where account_id = ${accountId}::uuid and day between
      coalesce((select max(d.day) from bank.days d
        where d.account_id = ${accountId}::uuid and d.day < ${from}::date), ${from}::date)
      and coalesce((select min(d.day) from bank.days d
        where d.account_id = ${accountId}::uuid and d.day > ${to}::date), ${to}::date)
    order by day`);
  return new Map(
    days.map((day) => [
      day.day,
      {
        opening: day.opening_ore,
        closing: day.closing_ore,
        isFromStart: day.is_from_start,
        isToEnd: day.is_to_end,
      },
    ]),
  );
}

export async function upsertDays(
  tx: Tx,
  accountId: string,
  days: ReadonlyMap<string, DaySlice>,
): Promise<void> {
  const all = [...days];
  await tx.query(sql`insert into bank.days (account_id, day, opening_ore, closing_ore, is_from_start, is_to_end)
    select ${accountId}::uuid, d.* from unnest(${all.map(([day]) => day)}::date[],
      ${all.map(([, { opening }]) => opening)}::bigint[],
      ${all.map(([, { closing }]) => closing)}::bigint[],
      ${all.map(([, { isFromStart }]) => isFromStart)}::boolean[],
      ${all.map(([, { isToEnd }]) => isToEnd)}::boolean[])
      as d (day, opening_ore, closing_ore, is_from_start, is_to_end)
    on conflict (account_id, day) do update set opening_ore = excluded.opening_ore,
      closing_ore = excluded.closing_ore, is_from_start = excluded.is_from_start,
      is_to_end = excluded.is_to_end`);
}

/** What the account held at the end of days, by the bank; of a day that is known better, that holds. */
export async function upsertBalances(
  tx: Tx,
  accountId: string,
  balances: readonly { readonly day: string; readonly ore: Ore }[],
): Promise<void> {
  await tx.query(sql`insert into bank.statements (account_id, closing_date, balance_ore)
    select ${accountId}::uuid, b.day, coalesce((select d.closing_ore from bank.days d
        where d.account_id = ${accountId}::uuid and d.day = b.day), b.ore)
    from unnest(${balances.map(({ day }) => day)}::date[],
      ${balances.map(({ ore }) => ore)}::bigint[]) as b (day, ore)
    on conflict (account_id, closing_date) do update set balance_ore = excluded.balance_ore`);
}

/** Whether the same statement has been taken in before: out of the same file, or by the bank's own name of it. */
export async function isKnownStatement(
  db: Db,
  accountId: string,
  { sha256, statement }: { readonly sha256: string; readonly statement: BankStatement },
): Promise<boolean> {
  const { id, sequence, opening, closing, place, isNotice, entries } = statement;
  const [first, last] = spanOf(statement);
  const [found] = await db.query<{ known: boolean }>(sql`select exists (
    select from bank.imported_statements s where s.account_id = ${accountId}::uuid
      and ((s.sha256 = decode(${sha256}, 'hex') and s.place = ${place})
        or (s.is_notice = ${isNotice} and (s.bank_id is not null or s.sequence is not null)
          and (s.bank_id, s.sequence, s.first_day, s.last_day, s.opening_ore, s.closing_ore, s.entries)
            is not distinct from (${id}::text, ${sequence}::bigint, ${first}::date, ${last}::date,
              ${opening}::bigint, ${closing}::bigint, ${entries}::integer)))) as known`);
  return found?.known === true;
}

const earliest = (a: string | null, b: string | null): string | null =>
  a === null || (b !== null && b < a) ? b : a;
const latest = (a: string | null, b: string | null): string | null =>
  a === null || (b !== null && b > a) ? b : a;

/** The days of a statement: those it says, and those of its entries. */
export const spanOf = ({
  from,
  to,
  saidFrom,
  saidTo,
}: BankStatement): readonly [string | null, string | null] => [
  earliest(from, saidFrom),
  latest(to, saidTo),
];

/** The days that a statement has told of; null when it has none. */
export function toldSpan(statement: BankStatement): ToldSpan | null {
  const [first, last] = spanOf(statement);
  const { opening, closing, isNotice } = statement;
  if (isNotice || first === null || last === null) return null;
  return { first, last, opening: closing === null ? null : opening };
}

/** Of statements taken in that have told of days within these, between their own first and last. */
export function listToldSpans(
  db: Db,
  accountId: string,
  [from, to]: readonly [string, string],
): Promise<ToldSpan[]> {
  return db.query(sql`select first_day as first, last_day as last,
      case when closing_ore is not null then opening_ore end as opening
    from bank.imported_statements where account_id = ${accountId}::uuid and not is_notice
      and last_day > ${from}::date and first_day < ${to}::date and last_day > first_day + 1
    order by first_day, last_day, id`);
}

export async function insertStatement(
  tx: Tx,
  one: {
    readonly id: string;
    readonly importId: string;
    readonly accountId: string;
    readonly sha256: string | null;
    readonly format: string;
    readonly statement: BankStatement;
    readonly added: number;
  },
): Promise<void> {
  const { id, importId, accountId, sha256, format, statement, added } = one;
  const [first, last] = spanOf(statement);
  await tx.query(sql`insert into bank.imported_statements (id, import_id, account_id, sha256, place, format, bank_id,
      sequence, is_notice, first_day, last_day, opening_ore, closing_ore, entries, added)
    values (${id}, ${importId}, ${accountId}, decode(${sha256}, 'hex'), ${statement.place}, ${format},
      ${statement.id}, ${statement.sequence}, ${statement.isNotice}, ${first}::date, ${last}::date,
      ${statement.opening}, ${statement.closing}, ${statement.entries}, ${added})`);
}

export interface NewRow extends RowMarks {
  readonly id: string;
  readonly key: string;
  readonly day: string;
  readonly entry: BankEntry;
}

export async function insertRows(
  tx: Tx,
  { accountId, statementId }: { readonly accountId: string; readonly statementId: string },
  rows: readonly NewRow[],
): Promise<void> {
  const column = <T>(value: (row: NewRow) => T): T[] => rows.map(value);
  await tx.query(
    prepared(
      'bank rows of statements',
      sql`insert into bank.transactions (id, account_id, statement_id, reference, booked_on, amount_ore, description,
          line, value_date, balance_after_ore, bank_reference, servicer_reference, code, is_reversal)
        select r.id, ${accountId}::uuid, ${statementId}::uuid, r.reference, r.booked_on, r.amount_ore, r.description,
          r.line, r.value_date, r.balance_after_ore, r.bank_reference, r.servicer_reference, r.code, r.is_reversal
        from unnest(${column(({ id }) => id)}::uuid[], ${column(({ key }) => key)}::text[],
          ${column(({ day }) => day)}::date[], ${column(({ amount }) => amount)}::bigint[],
          ${column(({ text }) => text)}::text[], ${column(({ entry }) => entry.line)}::integer[],
          ${column(({ entry }) => entry.valueDate)}::date[],
          ${column(({ balanceAfter }) => balanceAfter)}::bigint[],
          ${column(({ reference }) => reference)}::text[],
          ${column(({ servicerReference }) => servicerReference)}::text[],
          ${column(({ entry }) => entry.code)}::text[],
          ${column(({ entry }) => entry.isReversal)}::boolean[])
          as r (id, reference, booked_on, amount_ore, description, line, value_date, balance_after_ore,
            bank_reference, servicer_reference, code, is_reversal)`,
    ),
  );
  await insertDetails(tx, 'transaction', rows);
}

/** The payments within rows or announcements. */
export async function insertDetails(
  tx: Tx,
  of: 'transaction' | 'announcement',
  rows: readonly { readonly id: string; readonly entry: BankEntry }[],
): Promise<void> {
  const all = rows.flatMap(({ id, entry: { details } }) =>
    details.map((detail, index) => ({ ...detail, of: id, place: index + 1 })),
  );
  const owner = of === 'transaction' ? sql`transaction_id` : sql`announcement_id`;
  for (let from = 0; from < all.length; from += detailsAtOnce) {
    const some = all.slice(from, from + detailsAtOnce);
    const column = <T>(value: (detail: (typeof some)[number]) => T): T[] => some.map(value);
    await tx.query(sql`insert into bank.details (${owner}, place, amount_ore, currency, end_to_end_id, batch_id,
        payment_id, servicer_reference, creditor_references, documents, texts, debtor, creditor, return_reason)
      select d.owner, d.place, d.amount_ore, d.currency, d.end_to_end_id, d.batch_id, d.payment_id,
        d.servicer_reference, array(select jsonb_array_elements_text(d.creditor_references)), d.documents,
        array(select jsonb_array_elements_text(d.texts)), d.debtor, d.creditor, d.return_reason
      from unnest(${column((one) => one.of)}::uuid[], ${column((one) => one.place)}::integer[],
        ${column((one) => one.amount)}::bigint[], ${column((one) => one.currency)}::text[],
        ${column((one) => one.endToEndId)}::text[], ${column((one) => one.paymentBatchId)}::text[],
        ${column((one) => one.transactionId)}::text[], ${column((one) => one.servicerReference)}::text[],
        ${column((one) => JSON.stringify(one.references))}::jsonb[],
        ${column((one) => JSON.stringify(one.documents))}::jsonb[],
        ${column((one) => JSON.stringify(one.texts))}::jsonb[],
        ${column((one) => JSON.stringify(one.debtor))}::jsonb[],
        ${column((one) => JSON.stringify(one.creditor))}::jsonb[],
        ${column((one) => one.returnReason)}::text[])
        as d (owner, place, amount_ore, currency, end_to_end_id, batch_id, payment_id, servicer_reference,
          creditor_references, documents, texts, debtor, creditor, return_reason)`);
  }
}

const detailsAtOnce = 1_000;

export interface Announcement {
  readonly fingerprint: string;
  readonly ordinal: number;
  readonly day: string;
  readonly amount: Ore;
  readonly text: string;
  readonly entry: BankEntry;
}

/** Of announcements those that are not in, by their place. */
export async function findNewAnnouncements(
  db: Db,
  accountId: string,
  some: readonly Announcement[],
): Promise<ReadonlySet<number>> {
  const found = await db.query<{ place: number }>(sql`
    select a.place::integer as place
    from unnest(${some.map(({ fingerprint }) => fingerprint)}::text[],
      ${some.map(({ ordinal }) => ordinal)}::integer[]) with ordinality as a (fingerprint, ordinal, place)
    where not exists (select from bank.announcements b where b.account_id = ${accountId}::uuid
      and b.fingerprint = decode(a.fingerprint, 'hex') and b.ordinal = a.ordinal)`);
  return new Set(found.map(({ place }) => place - 1));
}

export async function insertAnnouncements(
  tx: Tx,
  { accountId, statementId }: { readonly accountId: string; readonly statementId: string },
  some: readonly Announcement[],
): Promise<void> {
  const rows = some.map((one) => ({ ...one, id: uuid() }));
  const column = <T>(value: (row: (typeof rows)[number]) => T): T[] => rows.map(value);
  await tx.query(sql`insert into bank.announcements (id, account_id, statement_id, fingerprint, ordinal, booked_on,
      amount_ore, description, bank_reference, servicer_reference)
    select a.id, ${accountId}::uuid, ${statementId}::uuid, decode(a.fingerprint, 'hex'), a.ordinal, a.booked_on,
      a.amount_ore, a.description, a.bank_reference, a.servicer_reference
    from unnest(${column(({ id }) => id)}::uuid[], ${column(({ fingerprint }) => fingerprint)}::text[],
      ${column(({ ordinal }) => ordinal)}::integer[], ${column(({ day }) => day)}::date[],
      ${column(({ amount }) => amount)}::bigint[], ${column(({ text }) => text)}::text[],
      ${column(({ entry }) => entry.reference)}::text[],
      ${column(({ entry }) => entry.servicerReference)}::text[])
      as a (id, fingerprint, ordinal, booked_on, amount_ore, description, bank_reference, servicer_reference)`);
  await insertDetails(tx, 'announcement', rows);
}

/** Finds the row that each waiting announcement details. */
export async function tieAnnouncements(tx: Tx, accountId: string): Promise<void> {
  await tx.query(sql`select bank.tie_announcements(${accountId}::uuid)`);
}
