/** An invoice's rows as every page and document shows them, so that they show the same. Pure. */
import { percentE2 } from '../domain/ledger/vat.ts';
import { chargedRate, taxKey } from '../domain/sales/invoice.ts';
import { decimalText } from '../lib/swedish.ts';

export interface ShownRow {
  readonly quantityE4: bigint;
  readonly unit: string | null;
  readonly unitPriceE4: bigint;
  readonly discountE2: bigint;
  readonly vatRate: number;
  /** Of another country, whose rate it then is. */
  readonly ossCountry?: string | null;
  readonly ossRateE2?: number | null;
  /** As it is to be shown. */
  readonly amount: string;
}

/** `25 %`; of another country `DE 19 %`. */
export function rateText(row: Pick<ShownRow, 'vatRate' | 'ossCountry' | 'ossRateE2'>): string {
  const rate = `${decimalText(percentE2(chargedRate(row)) * 100n)} %`;
  return row.ossCountry ? `${row.ossCountry} ${rate}` : rate;
}

/** Rows by the VAT they bear: Sweden's first, the highest rate first. */
export function byTax<Row extends Pick<ShownRow, 'vatRate' | 'ossCountry' | 'ossRateE2'>>(
  rows: readonly Row[],
): Row[][] {
  const country = ({ ossCountry }: Row): string => ossCountry ?? '';
  return [...Map.groupBy(rows, taxKey).values()].sort(([a], [b]) =>
    a && b ? country(a).localeCompare(country(b)) || chargedRate(b) - chargedRate(a) : 0,
  );
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
    number('Moms', rateText),
    number(heads.amount, (row) => row.amount),
  ];
  return {
    columns: columns.map(({ head, isNumber }) => ({ head, isNumber })),
    cellsOf: (row: ShownRow) =>
      columns.map(({ isNumber, text }) => ({ isNumber, text: text(row) })),
  };
}
