/** Vouchers as people call them. */
import type { VoucherPlace } from '../../../ledger/vouchers/cursor.ts';

/** `A12`, as it is written on the paper. */
export const labelOf = ({ series, number }: Pick<VoucherPlace, 'series' | 'number'>): string =>
  `${series}${number}`;
