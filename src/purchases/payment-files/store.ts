/** Files of payments to the bank, as kept. */
import { type Db, databaseErrorOf, type Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { FileFacts } from '../../domain/purchases/payables/file-state.ts';
import type { Payee } from '../../domain/purchases/payables/payable.ts';
import { type Refusal, refuse, refuseWhole } from '../../lib/errors.ts';

export interface NewPayout {
  readonly id: string;
  readonly endToEndId: string;
  readonly blockId: string;
  readonly executionOn: string;
  readonly amountOre: bigint;
  readonly supplierId: string | null;
  readonly laidOutBy: string | null;
  readonly payeeName: string;
  readonly payee: Payee;
  readonly ocr: string | null;
  readonly message: string | null;
  /** Of an invoice its id, of a tax its key. */
  readonly parts: readonly {
    readonly invoiceId: string | null;
    readonly tax: string | null;
    readonly amountOre: bigint;
  }[];
}

export interface NewPaymentFile {
  readonly id: string;
  readonly accountId: string;
  readonly messageId: string;
  readonly content: Buffer;
  readonly sha256: Buffer;
  readonly payouts: readonly NewPayout[];
}

/** Throws 422 when something of it has been chosen by somebody else meanwhile. */
export async function insertPaymentFile(
  tx: Tx,
  file: NewPaymentFile,
  actor: string,
): Promise<void> {
  const { id, accountId, messageId, content, sha256, payouts } = file;
  await tx.query(sql`insert into purchases.payment_files (id, account_id, message_id, content, sha256, created_by)
    values (${id}, ${accountId}, ${messageId}, ${content}, ${sha256}, ${actor})`);
  const column = <T>(value: (payout: NewPayout) => T): T[] => payouts.map(value);
  await tx.query(sql`insert into purchases.payouts (id, file_id, place, end_to_end_id, block_id, execution_on,
      amount_ore, supplier_id, laid_out_by, payee_name, payee_kind, payee_number, ocr, message)
    select p.id, ${id}::uuid, p.place, p.end_to_end_id, p.block_id, p.execution_on, p.amount_ore, p.supplier_id,
      p.laid_out_by, p.payee_name, p.payee_kind, p.payee_number, p.ocr, p.message
    from unnest(${column((one) => one.id)}::uuid[], ${payouts.map((_, place) => place + 1)}::integer[],
      ${column((one) => one.endToEndId)}::text[], ${column((one) => one.blockId)}::text[],
      ${column((one) => one.executionOn)}::date[], ${column((one) => one.amountOre)}::bigint[],
      ${column((one) => one.supplierId)}::uuid[], ${column((one) => one.laidOutBy)}::text[],
      ${column((one) => one.payeeName)}::text[], ${column(({ payee }) => payee.kind)}::text[],
      ${column(({ payee }) => payee.number)}::text[], ${column((one) => one.ocr)}::text[],
      ${column((one) => one.message)}::text[])
      as p (id, place, end_to_end_id, block_id, execution_on, amount_ore, supplier_id, laid_out_by, payee_name,
        payee_kind, payee_number, ocr, message)`);
  const parts = payouts.flatMap(({ id: payoutId, parts }) =>
    parts.map((part, place) => ({ ...part, payoutId, place: place + 1 })),
  );
  await tx
    .query(sql`insert into purchases.payout_parts (payout_id, place, invoice_id, tax, amount_ore)
      select * from unnest(${parts.map((one) => one.payoutId)}::uuid[], ${parts.map((one) => one.place)}::integer[],
        ${parts.map((one) => one.invoiceId)}::uuid[], ${parts.map((one) => one.tax)}::text[],
        ${parts.map((one) => one.amountOre)}::bigint[])`)
    .catch((error) => {
      throw partRefusal(error) ?? error;
    });
}

const takenParts: ReadonlySet<string | undefined> = new Set([
  'payout_parts_invoice_once',
  'payout_parts_tax_once',
  'payout_parts_are_open',
]);

/** What the database has kept two people from choosing; undefined of any other error. */
export const partRefusal = (error: unknown): Refusal | undefined =>
  takenParts.has(databaseErrorOf(error)?.constraint)
    ? refuseWhole('unprocessable', 'payment_file_taken', {}, { cause: error })
    : undefined;

/** The refusal of a payment of what a file pays already; undefined of any other error. */
export function payingTwiceRefusal(error: unknown, path: string): Refusal | undefined {
  const told = databaseErrorOf(error);
  if (told?.constraint !== 'payouts_pay_once') return undefined;
  const params = { file: told.detail ?? '' };
  return refuse('unprocessable', [{ path, reason: 'payment_in_file', params }], { cause: error });
}

export interface PaymentFile {
  id: string;
  number: number;
  account_id: string;
  account: string;
  ledger_account: number;
  message_id: string;
  sha256: Buffer;
  needs_second_person: boolean;
  created_at: Date;
  created_by: string;
  approved_at: Date | null;
  approved_by: string | null;
  sent_at: Date | null;
  sent_by: string | null;
  cancelled_at: Date | null;
  cancelled_by: string | null;
  cancel_reason: string | null;
  /** Its payouts: how many, their sum, and what has become of them. */
  payouts: number;
  total_ore: bigint;
  paid: number;
  refused: number;
  first_day: string;
  last_day: string;
}

const fileColumns = sql`f.id, f.number, f.account_id, a.name as account, a.ledger_account, f.message_id, f.sha256,
  f.needs_second_person, f.created_at, f.created_by, f.approved_at, f.approved_by, f.sent_at, f.sent_by,
  f.cancelled_at, f.cancelled_by, f.cancel_reason, p.*`;
const withPayouts = sql`purchases.payment_files f join bank.accounts a on a.id = f.account_id
  cross join lateral (select count(*)::integer as payouts, coalesce(sum(o.amount_ore), 0)::bigint as total_ore,
      count(o.voucher_id)::integer as paid, count(o.refused_at)::integer as refused,
      min(o.execution_on) as first_day, max(o.execution_on) as last_day
    from purchases.payouts o where o.file_id = f.id) as p`;

/** The newest first; those before a number. */
export function listPaymentFiles(
  db: Db,
  { before = null, limit }: { readonly before?: number | null; readonly limit: number },
): Promise<PaymentFile[]> {
  return db.query(sql`select ${fileColumns} from ${withPayouts}
    where ${before}::integer is null or f.number < ${before}::integer
    order by f.number desc limit ${limit}::integer`);
}

export async function findPaymentFile(
  db: Db,
  {
    id = null,
    number = null,
    messageId = null,
  }: { id?: string | null; number?: number | null; messageId?: string | null },
): Promise<PaymentFile | undefined> {
  const [found] = await db.query<PaymentFile>(sql`select ${fileColumns} from ${withPayouts}
    where f.id = ${id}::uuid or f.number = ${number}::integer or f.message_id = ${messageId}::text`);
  return found;
}

/** Holds a file until commit: what is said of it is said by one at a time. */
export async function lockPaymentFile(tx: Tx, id: string): Promise<PaymentFile> {
  await tx.query(sql`select from purchases.payment_files where id = ${id}::uuid for update`);
  const file = await findPaymentFile(tx, { id });
  if (!file) throw refuseWhole('not_found', 'no_payment_file', { id });
  return file;
}

export interface Payout {
  id: string;
  end_to_end_id: string;
  block_id: string;
  execution_on: string;
  amount_ore: bigint;
  payee_name: string;
  payee_kind: Payee['kind'];
  payee_number: string;
  ocr: string | null;
  message: string | null;
  is_payee_changed: boolean;
  accepted_at: Date | null;
  refused_at: Date | null;
  refusal: string | null;
  voucher_id: string | null;
  /** `E17`. */
  voucher: string | null;
  laid_out_by: string | null;
  parts: {
    invoiceId: string | null;
    tax: string | null;
    number: string | null;
    /** In öre, as digits. */
    amountOre: string;
    debtAccount: number | null;
  }[];
}

export function listPayouts(db: Db, fileId: string): Promise<Payout[]> {
  return db.query(sql`select p.id, p.end_to_end_id, p.block_id, p.execution_on, p.amount_ore, p.payee_name, p.payee_kind,
      p.payee_number, p.ocr, p.message, p.is_payee_changed, p.accepted_at, p.refused_at, p.refusal, p.voucher_id,
      v.series || v.number as voucher, p.laid_out_by,
      (select json_agg(json_build_object('invoiceId', t.invoice_id, 'tax', t.tax, 'number', i.invoice_number,
          'amountOre', t.amount_ore::text, 'debtAccount', i.debt_account) order by t.place)
        from purchases.payout_parts t left join purchases.invoices i on i.id = t.invoice_id
        where t.payout_id = p.id) as parts
    from purchases.payouts p left join ledger.vouchers v on v.id = p.voucher_id
    where p.file_id = ${fileId}::uuid order by p.place`);
}

export async function setApproved(tx: Tx, id: string, actor: string): Promise<void> {
  await tx
    .query(
      sql`update purchases.payment_files set approved_at = now(), approved_by = ${actor} where id = ${id}::uuid`,
    )
    .catch((error) => {
      if (databaseErrorOf(error)?.constraint !== 'payment_files_approved_by_another') throw error;
      throw refuseWhole('unprocessable', 'payment_file_own', {}, { cause: error });
    });
}

export async function setSent(tx: Tx, id: string, actor: string): Promise<void> {
  await tx
    .query(
      sql`update purchases.payment_files set sent_at = now(), sent_by = ${actor} where id = ${id}::uuid`,
    )
    .catch(waitsForYes);
}

function waitsForYes(error: unknown): never {
  if (databaseErrorOf(error)?.constraint !== 'payment_files_wait_for_yes') throw error;
  throw refuseWhole('unprocessable', 'payment_file_waits', {}, { cause: error });
}

export async function setCancelled(
  tx: Tx,
  id: string,
  reason: string | null,
  actor: string,
): Promise<void> {
  await tx.query(sql`update purchases.payment_files set cancelled_at = now(), cancelled_by = ${actor},
    cancel_reason = ${reason} where id = ${id}::uuid`);
}

/** The bytes for the bank; throws 422 when a second person's yes is waited for. */
export async function readContent(db: Db, id: string): Promise<Buffer> {
  const [found] = await db
    .query<{ content: Buffer }>(sql`select purchases.payment_file_content(${id}::uuid) as content`)
    .catch(waitsForYes);
  if (!found?.content) throw refuseWhole('not_found', 'no_payment_file', { id });
  return found.content;
}

/** The same again is one. */
export async function insertBankAnswer(
  tx: Tx,
  answer: { readonly fileId: string; readonly content: Buffer; readonly sha256: Buffer },
  actor: string,
): Promise<void> {
  const { fileId, content, sha256 } = answer;
  await tx.query(sql`insert into purchases.bank_answers (file_id, sha256, content, created_by)
    values (${fileId}, ${sha256}, ${content}, ${actor}) on conflict do nothing`);
}

/** In the order they came. */
export function listBankAnswers(
  db: Db,
  fileId: string,
): Promise<{ sha256: string; created_at: Date; created_by: string }[]> {
  return db.query(sql`select encode(sha256, 'hex') as sha256, created_at, created_by
    from purchases.bank_answers where file_id = ${fileId}::uuid order by created_at, sha256`);
}

/** Throws 404 when there is none. */
export async function readBankAnswerOf(db: Db, id: string, sha256: string): Promise<Buffer> {
  const [found] = await db.query<{ content: Buffer }>(sql`select content from purchases.bank_answers
    where file_id = ${id}::uuid and sha256 = decode(${sha256}, 'hex')`);
  if (!found) throw refuseWhole('not_found', 'no_payment_file', { id });
  return found.content;
}

export async function setAnswered(
  tx: Tx,
  answered: readonly { readonly payoutId: string; readonly refusal: string | null }[],
): Promise<void> {
  await tx.query(sql`update purchases.payouts p
    set accepted_at = case when a.refusal is null then coalesce(p.accepted_at, now()) else p.accepted_at end,
      refused_at = case when a.refusal is null then p.refused_at else now() end,
      refusal = a.refusal
    from unnest(${answered.map(({ payoutId }) => payoutId)}::uuid[],
      ${answered.map(({ refusal }) => refusal)}::text[]) as a (id, refusal)
    where p.id = a.id and p.voucher_id is null and p.refused_at is null`);
}

/** The vouchers that book them; those already refused or booked stay as they are. Answers the ids of their files. */
export async function setPaid(
  tx: Tx,
  paid: readonly { readonly payoutId: string; readonly voucherId: string }[],
): Promise<void> {
  if (paid.length === 0) return;
  await tx.query(sql`update purchases.payouts p set voucher_id = m.voucher_id
    from unnest(${paid.map(({ payoutId }) => payoutId)}::uuid[],
      ${paid.map(({ voucherId }) => voucherId)}::uuid[]) as m (id, voucher_id)
    where p.id = m.id and p.voucher_id is null`);
}

/** What a voucher that is taken back had paid is to be paid again. Throws 422 when it stands in another file meanwhile. */
export async function reopenPayouts(tx: Tx, voucherId: string): Promise<void> {
  await tx
    .query(
      sql`update purchases.payouts set voucher_id = null where voucher_id = ${voucherId}::uuid`,
    )
    .catch((error) => {
      throw partRefusal(error) ?? error;
    });
}

/** What falls due within so many days is chosen from the beginning where payments are made. */
const dueDays = 7;

export interface WaitingPayments {
  /** Files that a second person is to look at, but for one's own. */
  to_approve: number;
  /** Files that are made and not yet sent. */
  to_send: number;
  /** What the bank has refused and is owed still. */
  refused: number;
  /** Purchases that fall due within a week and may be paid by file but stand in none, and how many of them are late. */
  due: number;
  overdue: number;
}

/** What waits for whoever asks: `actor` does not approve their own. */
export async function countWaitingPayments(
  db: Db,
  actor: string,
  today: string,
): Promise<WaitingPayments> {
  const [waiting] = await db.query<WaitingPayments>(sql`
    with due as materialized (select i.due_date from purchases.invoices i
      where i.open_ore <> 0 and i.open_ore > 0 and i.status = 'booked' and i.currency = 'SEK'
        and (i.due_date is null or i.due_date <= ${today}::date + ${dueDays}::integer)
        and not (i.payment ->> 'isPaidOtherwise')::boolean
        and not exists (select from purchases.payout_parts t where t.invoice_id = i.id and t.is_live))
    select (select count(*)::integer from due) as due,
      (select count(*)::integer from due where due_date < ${today}::date) as overdue,
      (count(*) filter (where f.needs_second_person and f.approved_at is null and f.created_by <> ${actor}))::integer
        as to_approve,
      (count(*) filter (where not f.needs_second_person or f.approved_at is not null))::integer as to_send,
      (select count(*)::integer from purchases.payouts p
        where p.refused_at is not null and exists (select from purchases.payout_parts t
          join purchases.invoices i on i.id = t.invoice_id
          where t.payout_id = p.id and i.open_ore <> 0 and not exists (
            select from purchases.payout_parts o where o.invoice_id = i.id and o.payout_id > p.id))) as refused
    from purchases.payment_files f where f.sent_at is null and f.cancelled_at is null`);
  if (!waiting) throw new Error('the payment files gave no answer');
  return waiting;
}

/** What a file's state is told by. */
export const factsOf = (file: PaymentFile): FileFacts => ({
  needsSecondPerson: file.needs_second_person,
  isApproved: file.approved_at !== null,
  isSent: file.sent_at !== null,
  isCancelled: file.cancelled_at !== null,
  payouts: file.payouts,
  paid: file.paid,
  refused: file.refused,
});
