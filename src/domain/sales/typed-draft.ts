/** What a person left out of an invoice row, from the article register and the chart of accounts. */
import type { Fault } from '../../lib/errors.ts';
import { domesticSalesAccounts, isVatRate, type VatRate } from '../ledger/vat.ts';
import type { DraftRow, WrittenField } from './invoice.ts';

/** A row as typed: what is null is left to the registers, the VAT rate to the account. */
export type TypedDraftRow = { readonly [Field in WrittenField]: DraftRow[Field] | null } & Pick<
  DraftRow,
  'quantityE4' | 'discountE2'
>;

export interface Registers {
  readonly articles: readonly {
    readonly number: string;
    readonly description: string;
    readonly account: number | null;
    readonly unit: string | null;
    readonly unit_price_e4: bigint | null;
  }[];
  readonly accounts: readonly { readonly number: number; readonly vat_rate: number | null }[];
}

/**
 * What a row is sold on where nothing else is said and the chart has it: sales in Sweden at its rate, 25 % when
 * that is not said either. Null at 0 %, where it follows from why there is no VAT.
 */
export function usualAccountOf(
  rate: VatRate | null,
  accounts: Registers['accounts'],
): number | null {
  if (rate === 0) return null;
  const usual = domesticSalesAccounts[rate ?? 25];
  return accounts.find(({ number }) => number === usual)?.number ?? null;
}

export type CompletedRows = { readonly rows: DraftRow[] } | { readonly problems: Fault[] };

/**
 * An article gives its description, unit, price and account, an account its rate; where neither names an account it
 * is the usual one of the rate. What is typed wins, also where it is wrong: that is judged when the draft is saved.
 */
export function completeRows(
  typed: readonly TypedDraftRow[],
  { articles, accounts }: Registers,
): CompletedRows {
  const problems: Fault[] = [];
  const rows = typed.map((row, index): DraftRow => {
    const article = articles.find(({ number }) => number === row.articleNumber);
    const description = row.description ?? article?.description;
    const account = row.account ?? article?.account ?? usualAccountOf(row.vatRate, accounts);
    const unitPriceE4 = row.unitPriceE4 ?? article?.unit_price_e4;
    const missing = (name: string) => {
      const params = { name, isExempt: row.vatRate === 0 };
      problems.push({ path: `rows[${index}].${name}`, reason: 'row_needs', params });
    };
    if (!description) missing('description');
    if (unitPriceE4 === undefined || unitPriceE4 === null) missing('unitPrice');
    if (!account) missing('account');
    const rate = accounts.find(({ number }) => number === account)?.vat_rate ?? 0;
    return {
      ...row,
      description: description ?? '',
      unit: row.unit ?? article?.unit ?? null,
      unitPriceE4: unitPriceE4 ?? 0n,
      account: account ?? 0,
      vatRate: row.vatRate ?? (isVatRate(rate) ? rate : 0),
    };
  });
  return problems.length > 0 ? { problems } : { rows };
}
