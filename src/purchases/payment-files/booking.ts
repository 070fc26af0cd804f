/** A file booked as paid by a person, where no rows of the bank come that do it: a voucher for each payment. */
import { recordEvent, recordEvents } from '../../audit/store.ts';
import type { Tx } from '../../db/pool.ts';
import { type Ore, oreToNumber, sum } from '../../domain/basics/money.ts';
import { futureProblems, refuseAny } from '../../domain/basics/problems.ts';
import { signedRow } from '../../domain/ledger/voucher.ts';
import { taxAccount } from '../../domain/purchases/payables/tax-claims.ts';
import { postAppVoucher } from '../../ledger/vouchers/service.ts';
import { refuse, refuseWhole } from '../../lib/errors.ts';
import { insertPurchasePayments } from '../inbox/payment-store.ts';
import { taxName } from './register.ts';
import { holdInvoices } from './register-store.ts';
import { requireLive } from './service.ts';
import { listPayouts, lockPaymentFile, type Payout, setPaid } from './store.ts';

/**
 * Books what the bank was asked for through a day, and may still pay, as paid on it. Throws 422 when the file is not sent,
 * nothing is left, or the day has not come or is before all of it. Answers how many.
 */
export async function bookAsPaid(
  tx: Tx,
  {
    fileId,
    date,
    today,
  }: { readonly fileId: string; readonly date: string; readonly today: string },
  actor: string,
): Promise<number> {
  const file = await lockPaymentFile(tx, fileId);
  requireLive(file);
  if (file.sent_at === null) throw refuseWhole('unprocessable', 'payment_file_not_sent');
  const waiting = (await listPayouts(tx, fileId)).filter(
    ({ voucher_id, refused_at }) => voucher_id === null && refused_at === null,
  );
  const [next] = waiting.map(({ execution_on }) => execution_on).sort();
  if (next === undefined) throw refuseWhole('unprocessable', 'payment_file_done');
  refuseAny(futureProblems('date', date, today));
  const due = waiting.filter(({ execution_on }) => execution_on <= date);
  if (due.length === 0) {
    const fault = { path: 'date', reason: 'paid_before_asked', params: { first: next } } as const;
    throw refuse('unprocessable', [fault]);
  }
  const invoices = due.flatMap(({ parts }) => parts.flatMap(({ invoiceId }) => invoiceId ?? []));
  await holdInvoices(tx, invoices);
  for (const payout of due) {
    await bookPayout(
      tx,
      payout,
      { date, account: file.ledger_account, number: file.number },
      actor,
    );
  }
  const detail = { payments: due.length, date };
  await recordEvent(tx, { actor, action: 'payment_file.booked', subject: fileId, detail });
  return due.length;
}

async function bookPayout(
  tx: Tx,
  payout: Payout,
  {
    date,
    account,
    number,
  }: { readonly date: string; readonly account: number; readonly number: number },
  actor: string,
): Promise<void> {
  const parts = payout.parts.map((part) => ({ ...part, ore: BigInt(part.amountOre) }));
  const debts = Map.groupBy(parts, ({ debtAccount }) => debtAccount ?? taxAccount);
  const { id: voucherId } = await postAppVoucher(
    tx,
    {
      series: 'E',
      date,
      description: describe(payout, number),
      counterparty: payout.payee_name,
      source: 'supplier_payment',
      rows: [
        ...[...debts].map(([debt, some]) => signedRow(debt, sum(some.map(({ ore }) => ore)))),
        signedRow(account, -payout.amount_ore),
      ],
    },
    actor,
  );
  await setPaid(tx, [{ payoutId: payout.id, voucherId }]);
  const paid = parts.flatMap(({ invoiceId, ore }) =>
    invoiceId === null ? [] : [{ invoiceId, ore }],
  );
  if (paid.length === 0) return;
  const common = { kind: 'money', date, account, voucherId, createdBy: actor } as const;
  await insertPurchasePayments(
    tx,
    paid.map(({ invoiceId, ore: amountOre }) => ({ ...common, invoiceId, amountOre })),
  );
  await recordEvents(
    tx,
    paid.map(({ invoiceId, ore }) => ({
      actor,
      action: 'purchase.paid',
      subject: invoiceId,
      detail: paidDetail(voucherId, ore),
    })),
  );
}

const paidDetail = (voucherId: string, ore: Ore) => ({
  voucher_id: voucherId,
  amount: oreToNumber(ore),
});

const descriptionMax = 500;

/** As the bank's row would have it, with the file. */
function describe({ parts, laid_out_by, payee_name }: Payout, number: number): string {
  const numbers = parts.flatMap((part) => part.number ?? []).join(', ');
  const [tax] = parts.flatMap((part) => part.tax ?? []);
  const what =
    tax !== undefined
      ? taxName(tax)
      : laid_out_by === null
        ? `Betalning av leverantörsfaktura ${numbers}`
        : `Utlägg åter till ${payee_name}: ${numbers}`;
  return `${what} (betalfil ${number})`.slice(0, descriptionMax);
}
