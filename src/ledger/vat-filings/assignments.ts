/** Vouchers that mend the return of a filed period, by a person's word: they count in that, and not where they stand. */
import { recordEvent } from '../../audit/store.ts';
import type { Tx } from '../../db/pool.ts';
import { labelOf } from '../../domain/ledger/voucher.ts';
import { refuseWhole } from '../../lib/errors.ts';
import {
  deleteAssignment,
  findVoucherCalled,
  findVoucherInBrief,
  insertAssignment,
} from './assignment-store.ts';
import type { VoucherInBrief } from './voucher-store.ts';

/** A voucher by its id, or as it is called in a fiscal year. */
export type CalledVoucher =
  | { readonly id: string }
  | { readonly series: string; readonly number: number; readonly year: number };

/** Throws 422 when the period is not filed, or the voucher cannot mend it. The VAT lock stays as it is. */
export async function assignToPeriod(
  tx: Tx,
  { voucher: called, end }: { readonly voucher: CalledVoucher; readonly end: string },
  actor: string,
): Promise<VoucherInBrief> {
  const voucher = await getCalled(tx, called);
  await insertAssignment(tx, { voucherId: voucher.id, end }, actor);
  const detail = { period_end: end, voucher: labelOf(voucher) };
  await recordEvent(tx, { actor, action: 'vat.assigned', subject: voucher.id, detail });
  return voucher;
}

/** Until a return tells of it. Throws 422 when one does, or when the voucher mends nothing. */
export async function takeBackAssignment(
  tx: Tx,
  called: CalledVoucher,
  actor: string,
): Promise<VoucherInBrief> {
  const voucher = await getCalled(tx, called);
  const end = await deleteAssignment(tx, voucher.id);
  if (end === undefined) throw refuseWhole('unprocessable', 'vat_not_assigned');
  const detail = { period_end: end, voucher: labelOf(voucher) };
  await recordEvent(tx, { actor, action: 'vat.unassigned', subject: voucher.id, detail });
  return voucher;
}

/** Throws 404 when there is none. */
export async function getCalled(tx: Tx, called: CalledVoucher): Promise<VoucherInBrief> {
  const found =
    'id' in called ? await findVoucherInBrief(tx, called.id) : await findVoucherCalled(tx, called);
  if (!found) {
    const voucher = 'id' in called ? called.id : `${labelOf(called)} ${called.year}`;
    throw refuseWhole('not_found', 'unknown_vat_voucher', { voucher });
  }
  return found;
}
