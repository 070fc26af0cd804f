/** Claims and debts in other currencies at the closing day's rate: the rates, each document, and the voucher that it becomes. */
import { z } from 'zod';
import { addDays } from '../../../domain/basics/dates.ts';
import { maxExchangeRateE6 } from '../../../domain/basics/exchange-rate.ts';
import { divideRounded } from '../../../domain/basics/money.ts';
import { isBalanceAccount } from '../../../domain/ledger/account.ts';
import { customersCredit } from '../../../domain/ledger/bank-matching/posting.ts';
import type { Balance } from '../../../domain/ledger/opening-balances.ts';
import { amountOpen } from '../../../domain/ledger/part-in-currency.ts';
import {
  type ClosingRates,
  farRates,
  type OpenInCurrency,
} from '../../../domain/ledger/revaluation.ts';
import { reverseRows } from '../../../domain/ledger/reversal.ts';
import type { PostingRow } from '../../../domain/ledger/voucher.ts';
import {
  bookRevaluation,
  isNoted,
  isRevalued,
  openRevaluationAt,
  revaluationOf,
  revaluationWords,
} from '../../../ledger/fiscal-years/revaluation.ts';
import { findRevaluationRates } from '../../../ledger/fiscal-years/revaluation-store.ts';
import { getYear, listBalancesBefore } from '../../../ledger/fiscal-years/store.ts';
import { jsonOf } from '../../../lib/errors.ts';
import { exchangeRateText } from '../../../render/wording.ts';
import { field, formOf } from '../../fields.ts';
import { textOf } from '../../form-fields.ts';
import { amountOrEmpty, amountText, dayInWords, kronor } from '../../format.ts';
import { parseTyped } from '../../inputs.ts';
import type { Pages } from '../../page.ts';
import type { FormInput, View, Visit } from '../../visit.ts';
import { yearParams } from './fiscal-years.ts';
import { seriesCode, seriesField } from './opening-balances.ts';

type OfYear = Visit<{ year: number }>;

export function registerRevaluation(pages: Pages): void {
  pages.form({
    url: '/rakenskapsar/:year/omrakning',
    right: 'keep_books',
    params: yearParams,
    fields: z.object({ series: seriesCode, rates: z.string().max(1000), seen: z.string().max(20) }),
    show: showRevaluation,
    perform: async ({ tx, person, today, params: { year } }, { series, rates, seen }) => {
      const { closing, opening } = await bookRevaluation(
        tx,
        { year, series, rates: ratesIn(rates), seen },
        { today, actor: person.actor },
      );
      const voucher = closing ?? opening;
      return {
        to: voucher ? `/verifikat/${voucher.id}` : `/rakenskapsar/${year}/bokslut`,
        notice: revaluationWords(closing, opening),
      };
    },
  });
}

/** As the form keeps them: `EUR 11,2345; USD 9,5`. */
function ratesIn(text: string): ClosingRates {
  const pairs = text.split(';').map((pair) => pair.trim().split(' '));
  return new Map(
    pairs.flatMap(([currency = '', typed = '']) => {
      const rate = rateOf(typed);
      return rate === null ? [] : [[currency, rate] as const];
    }),
  );
}

function rateOf(typed: string): bigint | null {
  const rate = parseTyped(typed, 6);
  return rate !== undefined && rate > 0n && rate <= maxExchangeRateE6 ? rate : null;
}

const pathOf = (currency: string): string => `kurs${currency}`;

/** What the address says of a currency; the form once it has been sent. */
function rateField(currency: string, typed: string) {
  const message = 'Skriv kronor för en av valutan, t.ex. 11,2345.';
  const isWrong = typed !== '' && rateOf(typed) === null;
  const path = pathOf(currency);
  const problems = isWrong ? [{ path, reason: 'wrong_format', message }] : [];
  const input = { fields: { [path]: typed }, problems, isSent: true };
  return field(input, path, `Kronor för en ${currency}`, { isRequired: true });
}

async function showRevaluation(visit: OfYear, input: FormInput): Promise<View> {
  const { tx, today, query, params } = visit;
  const year = await getYear(tx, params.year);
  const open = await openRevaluationAt(tx, year.end);
  const { items, currencies, booked } = open;
  // Where it has been done before, at the rates of then.
  const last = await findRevaluationRates(tx, params.year);
  const sent = input.isSent ? ratesIn(textOf(input.fields, 'rates')) : null;
  const typed = (currency: string): string => {
    const rate = sent?.get(currency);
    if (rate !== undefined) return exchangeRateText(rate);
    const asked = query[pathOf(currency)];
    const before = last?.get(currency);
    if (asked === undefined && before !== undefined) return exchangeRateText(before);
    return textOf(query, pathOf(currency));
  };
  const rates = new Map(
    currencies.flatMap((currency) => {
      const rate = rateOf(typed(currency));
      return rate === null ? [] : [[currency, rate] as const];
    }),
  );
  const { revalued, rows, nextDayRows, digest } = revaluationOf(open, rates);
  const isDone = isRevalued(open, rates);
  const credit = (await listBalancesBefore(tx, addDays(year.end, 1))).find(
    ({ account }) => account === customersCredit,
  );
  const valued = new Map(revalued.map((one) => [`${one.kind} ${one.id}`, one]));
  return {
    template: 'revaluation',
    title: `Omräkning till balansdagens kurs ${year.year}`,
    values: {
      year: year.year,
      end: dayInWords(year.end),
      goesOnUntil: year.end < today ? null : dayInWords(year.end),
      isOpen: year.status === 'open',
      booked: booked
        .filter(isOfDocuments)
        .map(({ account, balanceOre }) => `${account}: ${kronor(balanceOre)}`),
      items: items.map((item) => {
        const found = valued.get(`${item.kind} ${item.id}`);
        return {
          ...itemWords(item),
          value: found ? amountText(found.valueOre) : '',
          gain: found ? amountText(found.gainOre) : '',
        };
      }),
      credit: credit && kronor(-credit.balanceOre),
      rates: currencies.map((currency) => rateField(currency, typed(currency))),
      far: farRates(revalued).map((currency) => ({ currency })),
      vouchers: [
        { day: dayInWords(year.end), rows: rows.map(rowWords) },
        // The mirror needs no table of its own, unless something else is put right with it.
        {
          day: dayInWords(addDays(year.end, 1)),
          rows: isMirror(rows, nextDayRows) ? [] : nextDayRows.map(rowWords),
        },
      ].filter((voucher) => voucher.rows.length > 0),
      isDone,
      // Rates at which nothing differs are worth noting too: the checklist asks for them.
      isToNote: isDone && !(await isNoted(tx, params.year, open, rates)),
      kept: [...rates]
        .map(([currency, rate]) => `${currency} ${exchangeRateText(rate)}`)
        .join('; '),
      seen: digest,
      form: formOf(input, { series: await seriesField(visit, input, year.year) }),
    },
  };
}

/** Not the gain and the loss, which the year's result tells. */
const isOfDocuments = ({ account }: Balance): boolean => isBalanceAccount(account);

const isMirror = (rows: readonly PostingRow[], others: readonly PostingRow[]): boolean =>
  jsonOf(reverseRows(rows)) === jsonOf(others);

const rowWords = ({ account, note, debitOre, creditOre }: PostingRow) => ({
  account,
  note: note ?? '',
  debit: amountOrEmpty(debitOre),
  credit: amountOrEmpty(creditOre),
});

const itemWords = (item: OpenInCurrency) => ({
  href: `${item.kind === 'invoice' ? '/kundfakturor' : '/leverantorsinkorg'}/${item.id}`,
  label: `${item.kind === 'invoice' ? 'Kundfaktura' : 'Leverantörsfaktura'} ${item.number}`,
  who: item.who,
  // Of kronor that are rounded: four decimals, as rates are told.
  rate: exchangeRateText(divideRounded(item.wholeOre * 10_000n, item.wholeAmount) * 100n),
  amount: `${amountText(amountOpen(item))} ${item.currency}`,
  open: amountText(item.openOre),
});
