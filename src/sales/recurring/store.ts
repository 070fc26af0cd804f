/** Invoices that recur, as kept, and which were made of them. */
import type { Db, Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { Recurrence } from '../../domain/sales/recurrence.ts';
import type { TypedDraftRow } from '../../domain/sales/typed-draft.ts';
import { type Fault, jsonOf } from '../../lib/errors.ts';
import { rowTextsOf, typedRowsOf } from './rows.ts';

/** What becomes of each one on its day. */
export const becomings = ['draft', 'booked', 'mailed'] as const;
export type Becoming = (typeof becomings)[number];

export interface RecurringFacts {
  readonly customerId: string;
  readonly recurrence: Recurrence;
  /** None is dated after it; null when nobody has said. */
  readonly lastDate: string | null;
  readonly becomes: Becoming;
  readonly paymentTermsDays: number;
  readonly yourReference: string | null;
  readonly notes: string | null;
  readonly rows: readonly TypedDraftRow[];
  /** Who has said that sales without VAT are so, where the buyer's facts speak against it. */
  readonly vatConfirmedBy: string | null;
}

export interface RecurringInvoice extends RecurringFacts {
  readonly id: string;
  /** Of what has been made: whoever changes it says which version they saw. */
  readonly version: string;
  readonly customerName: string;
  /** Made since the anchor. */
  readonly made: number;
  /** Null when there will be no more. */
  readonly nextDate: string | null;
  /** What came in the way of the latest. */
  readonly problems: readonly Fault[];
  readonly createdAt: Date;
  readonly createdBy: string;
}

interface StoredRecurring {
  readonly rows: unknown;
  readonly anchor: string;
  readonly unit: Recurrence['unit'];
  readonly every: number;
  readonly problems: Fault[] | null;
}

type Row = Omit<RecurringInvoice, 'rows' | 'recurrence' | 'problems'> & StoredRecurring;

const columns = sql`r.id, r.xmin::text as version, r.customer_id as "customerId", k.name as "customerName",
  r.anchor, r.unit, r.every, r.made, r.next_date as "nextDate", r.last_date as "lastDate", r.becomes,
  r.payment_terms_days as "paymentTermsDays", r.your_reference as "yourReference", r.notes, r.rows,
  r.vat_confirmed_by as "vatConfirmedBy", r.problems, r.created_at as "createdAt", r.created_by as "createdBy"`;

const from = sql`from sales.recurring_invoices r join sales.customers k on k.id = r.customer_id`;

/** Throws what the rows' schema says where the database holds others than we write. */
function recurringOf({ anchor, unit, every, rows, problems, ...row }: Row): RecurringInvoice {
  return {
    ...row,
    recurrence: { anchor, unit, count: every },
    rows: typedRowsOf(rows),
    problems: problems ?? [],
  };
}

export type ListedRecurring = Omit<Row, 'rows' | 'problems'> & {
  readonly isStopped: boolean;
  /** What its first row says. */
  readonly about: string | null;
};

/** Those that come first first, the ended last. */
export function listRecurring(db: Db): Promise<ListedRecurring[]> {
  return db.query(sql`select ${columns}, r.problems is not null as "isStopped",
      coalesce(r.rows -> 0 ->> 'description', r.rows -> 0 ->> 'articleNumber') as about ${from}
    order by r.next_date nulls last, lower(k.name), r.id`);
}

export async function findRecurring(db: Db, id: string): Promise<RecurringInvoice | undefined> {
  const [row] = await db.query<Row>(sql`select ${columns} ${from} where r.id = ${id}::uuid`);
  return row && recurringOf(row);
}

/** Undefined when there is none. */
export async function lockRecurring(tx: Tx, id: string): Promise<RecurringInvoice | undefined> {
  const [row] = await tx.query<Row>(
    sql`select ${columns} ${from} where r.id = ${id}::uuid for update of r`,
  );
  return row && recurringOf(row);
}

/** Those to be made by that day, the earliest first; not those that a restore has left to a person. */
export async function listDue(db: Db, today: string): Promise<string[]> {
  const due = await db.query<{ id: string }>(sql`select r.id from sales.recurring_invoices r
    where r.next_date <= ${today}::date
      and not coalesce(r.problems @> '[{"reason": "recurring_restored"}]', false) order by r.next_date, r.id`);
  return due.map(({ id }) => id);
}

export interface NewRecurring extends RecurringFacts {
  readonly id: string;
}

export async function insertRecurring(tx: Tx, one: NewRecurring, actor: string): Promise<void> {
  const { recurrence } = one;
  await tx.query(sql`insert into sales.recurring_invoices (id, customer_id, anchor, unit, every, next_date,
      last_date, becomes, payment_terms_days, your_reference, notes, rows, vat_confirmed_by, created_by)
    values (${one.id}, ${one.customerId}, ${recurrence.anchor}, ${recurrence.unit}, ${recurrence.count},
      ${recurrence.anchor}, ${one.lastDate}, ${one.becomes}, ${one.paymentTermsDays}, ${one.yourReference},
      ${one.notes}, ${rowTextsOf(one.rows)}::jsonb, ${one.vatConfirmedBy}, ${actor})`);
}

/** What came in the way of it is forgotten: that was another. */
export async function updateRecurring(
  tx: Tx,
  id: string,
  one: RecurringFacts & { readonly made: number; readonly nextDate: string },
): Promise<void> {
  const { recurrence } = one;
  await tx.query(sql`update sales.recurring_invoices set customer_id = ${one.customerId},
      anchor = ${recurrence.anchor}, unit = ${recurrence.unit}, every = ${recurrence.count}, made = ${one.made},
      next_date = ${one.nextDate}, last_date = ${one.lastDate}, becomes = ${one.becomes},
      payment_terms_days = ${one.paymentTermsDays}, your_reference = ${one.yourReference}, notes = ${one.notes},
      rows = ${rowTextsOf(one.rows)}::jsonb, vat_confirmed_by = ${one.vatConfirmedBy}, problems = null
    where id = ${id}::uuid`);
}

/** There will be no more. */
export async function endRecurring(tx: Tx, id: string): Promise<void> {
  await tx.query(
    sql`update sales.recurring_invoices set next_date = null, problems = null where id = ${id}::uuid`,
  );
}

/** Notes what was made, and when the next is due; `nextDate` is null when that was the last. */
export async function insertRecurred(
  tx: Tx,
  made: {
    readonly id: string;
    readonly dueOn: string;
    readonly invoiceId: string;
    readonly nextDate: string | null;
    readonly problems: readonly Fault[];
  },
): Promise<void> {
  await tx.query(sql`insert into sales.recurred_invoices (recurring_id, due_on, invoice_id)
    values (${made.id}, ${made.dueOn}, ${made.invoiceId})`);
  await tx.query(sql`update sales.recurring_invoices set made = made + 1, next_date = ${made.nextDate}
    where id = ${made.id}::uuid`);
  await updateProblems(tx, made.id, made.problems);
}

export async function updateProblems(
  tx: Tx,
  id: string,
  problems: readonly Fault[],
): Promise<void> {
  const stored = problems.length === 0 ? null : jsonOf(problems);
  await tx.query(sql`update sales.recurring_invoices set problems = ${stored}::jsonb
    where id = ${id}::uuid and problems is distinct from ${stored}::jsonb`);
}

export interface RecurredInvoice {
  readonly due_on: string;
  /** Null when the draft was removed. */
  readonly id: string | null;
  readonly number: number | null;
  readonly status: string | null;
  readonly invoice_date: string | null;
  readonly total_ore: bigint | null;
}

/** What has been made of it, the latest first; a hundred at most. */
export function listRecurred(db: Db, id: string): Promise<RecurredInvoice[]> {
  return db.query(sql`select d.due_on, i.id, i.number, i.status, i.invoice_date, i.total_ore
    from sales.recurred_invoices d left join sales.invoices i on i.id = d.invoice_id
    where d.recurring_id = ${id}::uuid order by d.due_on desc limit 100`);
}
