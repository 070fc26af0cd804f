/** Paying by file: made of what is chosen, looked at by a second person where it must be, sent, cancelled, answered. */
import { recordEvent } from '../../audit/store.ts';
import type { Tx } from '../../db/pool.ts';
import { type Ore, oreToNumber, sum } from '../../domain/basics/money.ts';
import { refuseAny } from '../../domain/basics/problems.ts';
import { answeredPayouts } from '../../domain/purchases/payables/bank-answer.ts';
import { type PaymentMessage, pain001 } from '../../domain/purchases/payables/pain001.ts';
import type { Payee } from '../../domain/purchases/payables/payable.ts';
import {
  type PayoutChoice,
  type PlannedPayout,
  planPayouts,
} from '../../domain/purchases/payables/payout-plan.ts';
import { type Fault, refuse, refuseWhole } from '../../lib/errors.ts';
import { sha256Of } from '../../lib/sha256.ts';
import { uuid } from '../../lib/uuid.ts';
import { readBankAnswer } from './bank-answer-reader.ts';
import { findPayables, isInvoiceKey } from './register.ts';
import { findPayer, holdInvoices, listPayingAccounts } from './register-store.ts';
import {
  findPaymentFile,
  insertBankAnswer,
  insertPaymentFile,
  listPayouts,
  lockPaymentFile,
  type NewPayout,
  type PaymentFile,
  readContent,
  setAnswered,
  setApproved,
  setCancelled,
  setSent,
} from './store.ts';

export interface PaymentFileChoices {
  /** Of `bank.accounts`. */
  readonly accountId: string;
  /** The day of all payments; null pays each when it falls due. */
  readonly executionOn: string | null;
  readonly today: string;
  readonly now: Date;
  readonly rows: readonly {
    /** Of a payable. */
    readonly key: string;
    readonly amountOre: Ore;
    /** Null pays where the payable says. */
    readonly payee: Payee | null;
  }[];
}

/** Throws 422 naming the row when something cannot be paid as it is chosen; nothing is made then. */
export async function createPaymentFile(
  tx: Tx,
  { accountId, executionOn, today, now, rows }: PaymentFileChoices,
  actor: string,
): Promise<{ id: string }> {
  const keys = rows.map(({ key }) => key);
  await holdInvoices(tx, keys.filter(isInvoiceKey));
  const found = await findPayables(tx, keys, today);
  const faults: Fault[] = [];
  const choices = rows.flatMap(({ key, amountOre, payee }, place): PayoutChoice[] => {
    const payable = found.get(key);
    const isAgain = keys.indexOf(key) < place;
    if (!payable || isAgain) faults.push({ path: `rows[${place}].amount`, reason: 'no_payable' });
    return payable ? [{ payable, amountOre, payee: payee ?? payable.payees[0] ?? null }] : [];
  });
  const account = (await listPayingAccounts(tx)).find(({ id }) => id === accountId);
  const from = account && payingFrom(account);
  if (!from) faults.push({ path: 'accountId', reason: 'no_paying_account' });
  refuseAny(faults);
  const plan = planPayouts(choices, { executionOn, today });
  if ('problems' in plan) throw refuse('unprocessable', plan.problems);
  const payer = await findPayer(tx);
  if (!payer || !from) throw new Error('there is no company to pay for');
  const id = uuid();
  const messageId = plainId(id);
  const payouts = payoutsOf(plan.payouts, messageId);
  const content = Buffer.from(
    pain001({
      messageId,
      createdAt: now.toISOString().replace(/\.\d+Z$/, 'Z'),
      payer: { name: payer.name, organizationNumber: payer.organization_number, account: from },
      orders: payouts.map((one, place) => ({
        ...one,
        documents: plan.payouts[place]?.parts.map(documentOf) ?? [],
      })),
    }),
  );
  const file = { id, accountId, messageId, content, sha256: sha256Of(content), payouts };
  await insertPaymentFile(tx, file, actor);
  const total = oreToNumber(sum(payouts.map(({ amountOre }) => amountOre)));
  const detail = { payments: payouts.length, total, sha256: file.sha256.toString('hex') };
  await recordEvent(tx, { actor, action: 'payment_file.created', subject: id, detail });
  return { id };
}

function payingFrom({
  iban,
  bankgiro,
}: {
  readonly iban: string | null;
  readonly bankgiro: string | null;
}): PaymentMessage['payer']['account'] | null {
  if (iban !== null) return { kind: 'iban', number: iban };
  return bankgiro === null ? null : { kind: 'bankgiro', number: bankgiro };
}

/** 32 characters of the 35 that banks give back. */
const plainId = (id: string): string => id.replaceAll('-', '');

const documentOf = ({ payable, amountOre }: PlannedPayout['parts'][number]) => ({
  number: payable.number,
  amountOre,
});

function payoutsOf(planned: readonly PlannedPayout[], messageId: string): NewPayout[] {
  const isTax = ({ parts }: PlannedPayout): boolean =>
    parts.some(({ payable }) => payable.kind === 'tax');
  const blockOf = (one: PlannedPayout): string => `${one.executionOn} ${isTax(one)}`;
  const blocks = [...new Set(planned.map(blockOf))].sort();
  return planned
    .toSorted((a, b) => (blockOf(a) < blockOf(b) ? -1 : blockOf(a) > blockOf(b) ? 1 : 0))
    .map((one) => {
      const { payee, executionOn, amountOre, ocr, message, parts } = one;
      const { supplierId = null, laidOutBy = null, name = '' } = parts[0]?.payable.party ?? {};
      const id = uuid();
      return {
        ...{ id, endToEndId: plainId(id), payee, executionOn, amountOre, ocr, message },
        blockId: `${messageId}-${blocks.indexOf(blockOf(one)) + 1}`,
        ...{ supplierId, laidOutBy, payeeName: name },
        parts: parts.map(({ payable: { key }, amountOre: ore }) => ({
          invoiceId: isInvoiceKey(key) ? key : null,
          tax: isInvoiceKey(key) ? null : key,
          amountOre: ore,
        })),
      };
    });
}

/** Throws 422 when it is one's own, or nobody's yes is waited for. */
export async function approvePaymentFile(tx: Tx, id: string, actor: string): Promise<void> {
  const file = await lockPaymentFile(tx, id);
  requireLive(file);
  if (!file.needs_second_person || file.approved_at !== null) {
    throw refuseWhole('unprocessable', 'payment_file_needs_no_yes');
  }
  await setApproved(tx, id, actor);
  await recordEvent(tx, { actor, action: 'payment_file.approved', subject: id });
}

/** The bytes for the bank, and that they were fetched. Throws 422 when a second person is waited for, or it is cancelled. */
export async function fetchPaymentFile(
  tx: Tx,
  id: string,
  actor: string,
): Promise<{ readonly number: number; readonly content: Buffer }> {
  const file = await findPaymentFile(tx, { id });
  if (!file) throw refuseWhole('not_found', 'no_payment_file', { id });
  requireLive(file);
  const content = await readContent(tx, id);
  await recordEvent(tx, { actor, action: 'payment_file.downloaded', subject: id });
  return { number: file.number, content };
}

/** The bank has it. Throws 422 when a second person is waited for, or it is sent or cancelled already. */
export async function markSent(tx: Tx, id: string, actor: string): Promise<void> {
  const file = await lockPaymentFile(tx, id);
  requireLive(file);
  if (file.sent_at !== null) throw refuseWhole('unprocessable', 'payment_file_sent');
  await setSent(tx, id, actor);
  await recordEvent(tx, { actor, action: 'payment_file.sent', subject: id });
}

/** What it would pay is open again. Throws 422 when something of it is paid, or it was sent and nothing says why. */
export async function cancelPaymentFile(
  tx: Tx,
  id: string,
  reason: string | null,
  actor: string,
): Promise<void> {
  const file = await lockPaymentFile(tx, id);
  requireLive(file);
  if (file.paid > 0) throw refuseWhole('unprocessable', 'payment_file_paid');
  if (file.sent_at !== null && reason === null) {
    throw refuse('unprocessable', [{ path: 'reason', reason: 'cancel_reason_missing' }]);
  }
  await setCancelled(tx, id, reason, actor);
  const detail = reason === null ? {} : { reason };
  await recordEvent(tx, { actor, action: 'payment_file.cancelled', subject: id, detail });
}

export function requireLive({ cancelled_at }: PaymentFile): void {
  if (cancelled_at !== null) throw refuseWhole('unprocessable', 'payment_file_cancelled');
}

export interface AnsweredFile {
  readonly id: string;
  readonly number: number;
  readonly accepted: number;
  readonly refused: number;
  /** Of those that the bank refuses, what the books have as paid: somebody must look at it. */
  readonly refusedPaid: number;
  /** Of those that the bank neither takes nor refuses here: it answers them later. */
  readonly pending: number;
}

/** Takes in the bank's answer (pain.002): what it refuses is open again. Throws 422 when it is of no file of ours. */
export async function takeBankAnswer(tx: Tx, bytes: Buffer, actor: string): Promise<AnsweredFile> {
  const read = readBankAnswer(bytes);
  if ('fault' in read) throw refuse('unprocessable', [read.fault]);
  const { answer } = read;
  const found = await findPaymentFile(tx, { messageId: answer.messageId });
  if (!found) {
    const params = { id: answer.messageId };
    throw refuse('unprocessable', [{ path: 'answer', reason: 'bank_answer_unknown', params }]);
  }
  const file = await lockPaymentFile(tx, found.id);
  requireLive(file);
  const payouts = await listPayouts(tx, file.id);
  const byName = new Map(payouts.map((one) => [one.end_to_end_id, one]));
  const answered = answeredPayouts(
    answer,
    payouts.map((one) => ({ endToEndId: one.end_to_end_id, blockId: one.block_id })),
  );
  // Whoever sent it may not have said so; a bank that answers has it, also while it decides nothing.
  if (file.sent_at === null) await markSent(tx, file.id, actor);
  const outcomes = answered.flatMap(({ endToEndId, refusal }) => {
    const payout = byName.get(endToEndId);
    return payout ? [{ payout, refusal }] : [];
  });
  await setAnswered(
    tx,
    outcomes.map(({ payout, refusal }) => ({ payoutId: payout.id, refusal })),
  );
  const refused = outcomes.filter((one) => one.refusal !== null);
  const counts = {
    accepted: outcomes.length - refused.length,
    refused: refused.length,
    refusedPaid: refused.filter(({ payout }) => payout.voucher_id !== null).length,
    pending: payouts.length - outcomes.length,
  };
  const sha256 = sha256Of(bytes);
  await insertBankAnswer(tx, { fileId: file.id, content: bytes, sha256 }, actor);
  const detail = { ...counts, sha256: sha256.toString('hex') };
  await recordEvent(tx, { actor, action: 'payment_file.answered', subject: file.id, detail });
  return { id: file.id, number: file.number, ...counts };
}
