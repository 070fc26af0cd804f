/** A row of the form of an invoice draft: how it is shown, counted and read. */
import { z } from 'zod';
import { sum } from '../../domain/basics/money.ts';
import { isVatRate, type VatRate, vatRates } from '../../domain/ledger/vat.ts';
import {
  type DraftRow,
  isDiscount,
  isUnit,
  priceRowsExcludingVat,
  totalsOf,
  unitLengthMax,
  type WrittenField,
} from '../../domain/sales/invoice.ts';
import { usualAccountOf } from '../../domain/sales/typed-draft.ts';
import { listArticles, type SalesAccount } from '../../sales/invoices/draft-store.ts';
import { cellsOf } from '../fields.ts';
import { type Fields, textOf } from '../form-fields.ts';
import { amountText, e4Text, kronor } from '../format.ts';
import { account, e4, optional, optionalText, parseTyped, percentE2 } from '../inputs.ts';
import type { FormInput, Visit } from '../visit.ts';

const discountE2 = percentE2.refine(isDiscount, {
  error: 'Skriv en rabatt i procent, 0–100.',
  params: { reason: 'out_of_range' },
});

/** A row as the texts of its form; what is null nobody knows yet. No discount is an empty field. */
export const rowTexts = (
  row: {
    readonly [Field in WrittenField]: DraftRow[Field] | null;
  },
): Fields => ({
  articleNumber: row.articleNumber ?? '',
  description: row.description ?? '',
  quantity: row.quantityE4 === null ? '' : e4Text(row.quantityE4),
  unit: row.unit ?? '',
  unitPrice: row.unitPriceE4 === null ? '' : e4Text(row.unitPriceE4),
  discountPct: row.discountE2 ? e4Text(row.discountE2 * 100n) : '',
  vatRate: String(row.vatRate ?? ''),
  account: String(row.account ?? ''),
});

/** Nobody has written on it: the quantity is there from the start. */
export const isBlank = (row: Fields): boolean =>
  ['articleNumber', 'description', 'unitPrice'].every((name) => textOf(row, name).trim() === '');

/** A row as it stands in the form; what is left empty the registers know. */
export const typedRow = z
  .object({
    articleNumber: optionalText(100),
    description: optionalText(500),
    quantity: e4,
    unit: optionalText(unitLengthMax).refine((unit) => unit === null || isUnit(unit), {
      error: 'Skriv en kort text på en rad, t.ex. tim.',
      params: { reason: 'control_character' },
    }),
    unitPrice: optional(e4),
    discountPct: optional(discountE2),
    vatRate: z
      .string()
      .default('')
      .pipe(
        z.enum(['', ...vatRates.map(String)] as [string, ...string[]], { error: 'Välj en sats.' }),
      )
      .transform((rate) => (rate === '' ? null : (Number(rate) as (typeof vatRates)[number]))),
    account: optional(account),
  })
  .transform(({ quantity: quantityE4, unitPrice: unitPriceE4, discountPct, ...texts }) => ({
    ...texts,
    quantityE4,
    unitPriceE4,
    discountE2: discountPct ?? 0n,
  }));

/** What an article says of its row, where nobody has written: what is shown is what would be booked. */
export async function withArticles(tx: Visit['tx'], rows: readonly Fields[]): Promise<Fields[]> {
  const numberOf = (row: Fields): string => textOf(row, 'articleNumber').trim();
  const articles = await listArticles(tx, rows.map(numberOf).filter(Boolean));
  return rows.map((row) => {
    const article = articles.find(({ number }) => number === numberOf(row));
    if (!article) return row;
    const { description, unit, account, unit_price_e4: price } = article;
    const known: Readonly<Record<string, string>> = {
      description,
      unit: unit ?? '',
      unitPrice: price === null ? '' : e4Text(price),
      account: account === null ? '' : String(account),
    };
    const blank = Object.entries(known).filter(([name]) => textOf(row, name).trim() === '');
    return { ...row, ...Object.fromEntries(blank) };
  });
}

/** The inputs of a row. Its number is its place among the rows that are written, as problems count it. */
export function rowCells(
  input: FormInput,
  row: Fields,
  index: number,
  accounts: readonly SalesAccount[],
) {
  const cell = cellsOf(input, row, index);
  const sums = sumsOf([row], accounts);
  return {
    no: index + 1,
    net: sums.isCounted ? sums.net : '',
    cells: {
      article: cell('articleNumber', 'Artikel', { maxLength: 100, list: 'artikelforslag' }),
      description: cell('description', 'Beskrivning', { maxLength: 500 }),
      quantity: cell('quantity', 'Antal', { type: 'amount' }),
      unit: cell('unit', 'Enhet', { maxLength: unitLengthMax }),
      unitPrice: cell('unitPrice', 'À-pris utan moms', { type: 'amount' }),
      discountPct: cell('discountPct', 'Rabatt %', { type: 'amount' }),
      vatRate: cell('vatRate', 'Moms', {
        type: 'select',
        options: [
          { value: '', label: 'Kontots' },
          ...vatRates.map((rate) => ({ value: String(rate), label: `${rate} %` })),
        ],
      }),
      account: cell('account', 'Konto', {
        maxLength: 200,
        list: 'intaktskonton',
        placeholder: String(usualAccountOf(typedRate(row), accounts) ?? ''),
      }),
    },
  };
}

/** What the rows that can be read come to; the others are told about when the draft is saved. */
export function sumsOf(typed: readonly Fields[], accounts: readonly SalesAccount[]) {
  const readable = typed.flatMap((row) => {
    const quantityE4 = parseTyped(textOf(row, 'quantity').trim(), 4);
    const unitPriceE4 = parseTyped(textOf(row, 'unitPrice').trim(), 4);
    const typedDiscount = textOf(row, 'discountPct').trim();
    const discountE2 = typedDiscount === '' ? 0n : parseTyped(typedDiscount, 2);
    if (quantityE4 === undefined || unitPriceE4 === undefined) return [];
    if (discountE2 === undefined || !isDiscount(discountE2)) return [];
    return [{ quantityE4, unitPriceE4, discountE2, vatRate: rateOf(row, accounts) }];
  });
  const priced = priceRowsExcludingVat(readable);
  const totals = totalsOf(priced, 0n);
  const byRate = [...Map.groupBy(priced, (row) => row.vatRate)].sort(([a], [b]) => b - a);
  return {
    isCounted: readable.length > 0,
    net: amountText(totals.netOre),
    vat: byRate.map(([rate, rows]) => ({
      rate,
      amount: amountText(sum(rows.map((row) => row.vatOre))),
    })),
    ...totalShown(totals.totalOre),
  };
}

/** What is to be paid, and the same in öre for the form to carry. */
export const totalShown = (ore: bigint) => ({ total: kronor(ore), shown: String(ore) });

/** Null when the row leaves it to its account. */
function typedRate(row: Fields): VatRate | null {
  const typed = textOf(row, 'vatRate');
  if (typed === '') return null;
  return isVatRate(Number(typed)) ? (Number(typed) as VatRate) : 0;
}

function rateOf(row: Fields, accounts: readonly SalesAccount[]): VatRate {
  const typed = typedRate(row);
  if (typed !== null) return typed;
  const account = parseInt(textOf(row, 'account'), 10) || usualAccountOf(null, accounts);
  return accounts.find(({ number }) => number === account)?.vat_rate ?? 0;
}
