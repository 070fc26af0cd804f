/** Why no invoice was made, or why it stayed a draft. */
import { capProblems } from '../../domain/basics/problems.ts';
import { ledgerRefusal, toldFaults } from '../../ledger/vouchers/refusals.ts';
import { Refusal, refuse } from '../../lib/errors.ts';
import type { Unbookable } from './create-store.ts';

/** Unusual rather than unlawful: goods may be delivered elsewhere, a company be registered in several countries. */
const questions = new Set(['vat_number_of_other_country', 'buyer_not_outside_eu']);

/** Whether a person may confirm that the sale is without VAT all the same. */
export const isQuestion = (reason: string): boolean => questions.has(reason);

/** A draft that customers or accounts do not allow. */
export const draftRefusal = (detail: Record<string, unknown>): Refusal =>
  refuse('unprocessable', capProblems(toldFaults(detail, { of: 'invoice' })));

/**
 * Always `unprocessable`, a lock too (contract 4.5), with `detail.lock` and `detail.invoice_id`. The
 * voucher's own fields are not the caller's: what is wrong there is told of the whole invoice. `invoiceId` is
 * the draft that stays; null on a dry run, which leaves none.
 */
export function bookingRefusal({ error, detail }: Unbookable, invoiceId: string | null): Refusal {
  const { whole, faults, detail: lock } = ledgerRefusal(error, detail);
  const cause = whole ?? faults[0];
  if (!cause) throw new TypeError('the ledger refused without a reason');
  const told = faults.map((fault) => ({
    ...fault,
    path: fault.path === 'date' ? 'invoiceDate' : 'book',
  }));
  return new Refusal(
    'unprocessable',
    { whole: { reason: 'invoice_not_bookable', params: { cause } }, faults: told },
    { detail: { ...lock, ...(invoiceId === null ? {} : { invoice_id: invoiceId }) } },
  );
}
