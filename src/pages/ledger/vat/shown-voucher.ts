/** A voucher in lists of VAT, with where it is shown. */
import { labelOf } from '../../../domain/ledger/voucher.ts';
import type { VoucherInBrief } from '../../../ledger/vat-filings/voucher-store.ts';

export const shownVoucher = (one: VoucherInBrief) => ({
  id: one.id,
  href: `/verifikat/${one.id}`,
  label: labelOf(one),
  date: one.date,
  description: one.description,
});
