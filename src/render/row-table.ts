/** An invoice's rows as every page and document shows them, so that they show the same. Pure. */
import { decimalText } from '../lib/swedish.ts';

export interface ShownRow {
  readonly quantityE4: bigint;
  readonly unit: string | null;
  readonly unitPriceE4: bigint;
  readonly discountE2: bigint;
  readonly vatRate: number;
  /** As it is to be shown. */
  readonly amount: string;
}

interface Column {
  readonly head: string;
  readonly isNumber: boolean;
  readonly text: (row: ShownRow) => string;
}

const number = (head: string, text: Column['text']): Column => ({ head, isNumber: true, text });

/** The columns after the description. Units and discounts have theirs only where some row has one. */
export function rowTable(
  rows: readonly Pick<ShownRow, 'unit' | 'discountE2'>[],
  heads: { readonly unitPrice: string; readonly amount: string },
) {
  const unit: Column = { head: 'Enhet', isNumber: false, text: (row) => row.unit ?? '' };
  const discount = number('Rabatt', ({ discountE2 }) =>
    discountE2 === 0n ? '' : `${decimalText(discountE2 * 100n)} %`,
  );
  const columns: Column[] = [
    number('Antal', (row) => decimalText(row.quantityE4)),
    ...(rows.some((row) => row.unit !== null) ? [unit] : []),
    number(heads.unitPrice, (row) => decimalText(row.unitPriceE4, 2)),
    ...(rows.some((row) => row.discountE2 !== 0n) ? [discount] : []),
    number('Moms', (row) => `${row.vatRate} %`),
    number(heads.amount, (row) => row.amount),
  ];
  return {
    columns: columns.map(({ head, isNumber }) => ({ head, isNumber })),
    cellsOf: (row: ShownRow) =>
      columns.map(({ isNumber, text }) => ({ isNumber, text: text(row) })),
  };
}
