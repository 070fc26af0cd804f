/** Overdue invoices as reminders see them, the company's plan, pauses, and runs. */
import type { Db, Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { Ore } from '../../domain/basics/money.ts';
import type { Remindable, ReminderPlan } from '../../domain/sales/reminding.ts';

/** What is off before the company is set up. */
export async function getPlan(db: Db): Promise<ReminderPlan> {
  const [plan] = await db.query<ReminderPlan>(sql`select reminder_runs_are_on as "isOn",
      reminder_days as days, reminder_runs_claim_fee as "claimsFee", reminder_bank_days as "bankDays"
    from restricted.company`);
  return plan ?? { isOn: false, days: [7, 21, 35], claimsFee: false, bankDays: null };
}

export interface OverdueInvoice extends Remindable {
  readonly id: string;
  readonly number: number;
  readonly debtor: string;
  readonly openOre: Ore;
  /** As written on the invoice, else in the register; not looked into. */
  readonly email: string | null;
}

/** More are dealt with once these are. */
export const overdueMax = 2_000;

/** Oldest first; of these ids when they are given. */
export function listOverdue(
  db: Db,
  today: string,
  ids: readonly string[] | null = null,
): Promise<Omit<OverdueInvoice, 'mailTo'>[]> {
  return db.query(sql`select i.id, i.number, coalesce(i.debtor ->> 'name', '') as debtor,
      i.open_ore as "openOre", i.due_date as "dueDate", coalesce(r.count, 0)::integer as reminders,
      r.last as "lastReminder", i.reminder_fee_is_agreed as "isFeeAgreed",
      exists (select from sales.disputes d where d.invoice_id = i.id) as "isDisputed",
      (select jsonb_build_object('kind', p.kind, 'lastDay', p.last_day)
        from sales.reminder_pauses p where p.invoice_id = i.id) as pause,
      exists (select from sales.invoices c where c.credited_invoice_id = i.id
        and c.status = 'draft') as "isBeingCredited",
      exists (select from sales.order_payments p where p.invoice_id = i.id and p.voucher_id is null
        and p.amount_ore > p.tip_ore) as "isSaidPaid",
      i.open_ore <= coalesce(r.fees, 0) as "isOnlyFees",
      coalesce(nullif(trim(i.debtor ->> 'email'), ''), nullif(trim(case when k.id is distinct from
        (select c.collective_customer_id from restricted.company c) then k.email end), '')) as email,
      coalesce(i.debtor ->> 'address', '') <> '' and coalesce(i.debtor ->> 'city', '') <> '' as "hasPostalAddress"
    from sales.invoices i join sales.customers k on k.id = i.customer_id
    left join lateral (select max(reminder_no) as count, max(sent_date) as last,
        sum(fee_ore) filter (where not exists (select from sales.withdrawn_fees w
          where w.invoice_id = r.invoice_id and w.reminder_no = r.reminder_no))::bigint as fees
      from sales.reminders r where r.invoice_id = i.id) as r on true
    where i.open_ore <> 0 and i.open_ore > 0 and i.due_date < ${today}::date and i.status <> 'draft'
      and i.kind = 'invoice' and (${ids}::uuid[] is null or i.id = any (${ids}::uuid[]))
    order by i.due_date, i.id limit ${overdueMax}`);
}

/** Held until commit, in the order of their ids: nothing else happens to them meanwhile. */
export async function lockInvoices(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.query(
    sql`select from sales.invoices where id = any (${ids}::uuid[]) order by id for update`,
  );
}

export interface Pause {
  readonly kind: 'promise' | 'pause';
  readonly lastDay: string;
  readonly reason: string | null;
}

export async function findPause(db: Db, invoiceId: string): Promise<Pause | undefined> {
  const [pause] = await db.query<Pause>(sql`select kind, last_day as "lastDay", reason
    from sales.reminder_pauses where invoice_id = ${invoiceId}::uuid`);
  return pause;
}

/** In place of the one there was; null ends it. False when there was none to end. */
export async function setPause(
  tx: Tx,
  invoiceId: string,
  pause: Pause | null,
  actor: string,
): Promise<boolean> {
  const ended = await tx.query(
    sql`delete from sales.reminder_pauses where invoice_id = ${invoiceId}::uuid returning kind`,
  );
  if (pause === null) return ended.length > 0;
  await tx.query(sql`insert into sales.reminder_pauses (invoice_id, kind, last_day, reason, created_by)
    values (${invoiceId}, ${pause.kind}, ${pause.lastDay}, ${pause.reason}, ${actor})`);
  return true;
}

export interface RunReminder {
  readonly invoiceId: string;
  readonly reminderNo: number;
  readonly channel: 'mail' | 'paper';
}

/** False when the run is there already: its form was sent twice. */
export async function insertRun(
  tx: Tx,
  { id, runOn }: { readonly id: string; readonly runOn: string },
  actor: string,
): Promise<boolean> {
  const added = await tx.query(sql`insert into sales.reminder_runs (id, run_on, created_by)
    values (${id}, ${runOn}, ${actor}) on conflict do nothing returning id`);
  return added.length > 0;
}

export async function insertRunReminders(
  tx: Tx,
  runId: string,
  reminders: readonly RunReminder[],
): Promise<void> {
  await tx.query(sql`insert into sales.run_reminders (run_id, invoice_id, reminder_no, channel)
    select ${runId}::uuid, * from unnest(${reminders.map(({ invoiceId }) => invoiceId)}::uuid[],
      ${reminders.map(({ reminderNo }) => reminderNo)}::integer[],
      ${reminders.map(({ channel }) => channel)}::text[])`);
}

export interface ListedRun {
  id: string;
  runOn: string;
  createdAt: Date;
  author: string | null;
  mailed: number;
  printed: number;
  feesOre: Ore;
}

/** The latest first. */
export function listRuns(db: Db, limit: number, id: string | null = null): Promise<ListedRun[]> {
  return db.query(sql`select n.id, n.run_on as "runOn", n.created_at as "createdAt",
      coalesce(u.name, u.email) as author, of_run.*
    from sales.reminder_runs n left join restricted.users u on 'user:' || u.id = n.created_by
    cross join lateral (select count(*) filter (where x.channel = 'mail')::integer as mailed,
        count(*) filter (where x.channel = 'paper')::integer as printed,
        coalesce(sum(r.fee_ore), 0)::bigint as "feesOre"
      from sales.run_reminders x join sales.reminders r using (invoice_id, reminder_no)
      where x.run_id = n.id) as of_run
    where ${id}::uuid is null or n.id = ${id}::uuid
    order by n.created_at desc, n.id desc limit ${limit}`);
}

export interface ListedRunReminder extends RunReminder {
  readonly number: number;
  readonly debtor: string;
  readonly feeOre: Ore;
  readonly openOre: Ore;
  /** Of the latest mail with it; null when there is none. */
  readonly mail: {
    readonly id: string;
    readonly state: 'queued' | 'sent' | 'failed';
    readonly to: readonly string[];
    readonly delivered: readonly string[];
    readonly error: string | null;
    /** Attempts that ended without the server's answer. */
    readonly unanswered: number;
  } | null;
}

export function listRunReminders(db: Db, runId: string): Promise<ListedRunReminder[]> {
  return db.query(sql`select x.invoice_id as "invoiceId", x.reminder_no as "reminderNo", x.channel,
      i.number, coalesce(i.debtor ->> 'name', '') as debtor, r.fee_ore as "feeOre", i.open_ore as "openOre",
      (select jsonb_build_object('id', m.id, 'state', m.state, 'to', m.recipients,
          'delivered', m.delivered_to, 'error', m.last_error, 'unanswered', m.unanswered)
        from sales.mails m where m.invoice_id = x.invoice_id and m.reminder_no = x.reminder_no
        order by m.created_at desc, m.id desc limit 1) as mail
    from sales.run_reminders x join sales.reminders r using (invoice_id, reminder_no)
    join sales.invoices i on i.id = x.invoice_id
    where x.run_id = ${runId}::uuid order by i.number`);
}
