/** How a year begins and ends in the books: opening balances, and the result's way into equity. */
import { z } from 'zod';
import { sum } from '../../../domain/basics/money.ts';
import type { Balance } from '../../../domain/ledger/opening-balances.ts';
import {
  bookResult,
  getYearOpening,
  moveResult,
  setFirstBalances,
  type YearOpening,
} from '../../../ledger/fiscal-years/opening-balances.ts';
import {
  getYear,
  listAccountNames,
  listOpeningVouchers,
} from '../../../ledger/fiscal-years/store.ts';
import { listSeries } from '../../../ledger/series/store.ts';
import { AppError } from '../../../lib/errors.ts';
import { field, formOf } from '../../fields.ts';
import { amountOrEmpty, amountText, dayInWords, kronor } from '../../format.ts';
import { parseTyped } from '../../inputs.ts';
import type { Pages } from '../../page.ts';
import type { FormInput, View, Visit } from '../../visit.ts';
import { yearParams } from './fiscal-years.ts';

type OfYear = Visit<{ year: number }>;
export const seriesCode = z.string().min(1, { error: 'Välj en serie.' }).max(2);

/** `1930 125 000,00` on each line. */
const balances = z.string({ error: 'Fyll i fältet.' }).transform((typed, context): Balance[] => {
  const lines = typed.split('\n').map((line) => line.trim());
  const found: Balance[] = [];
  for (const [index, line] of lines.entries()) {
    if (line === '') continue;
    const [, account = '', amount = ''] = /^(\d{4})[\s;:]+([^\s;:].*)$/s.exec(line) ?? [];
    const balanceOre = parseTyped(amount, 2);
    if (balanceOre === undefined || found.length >= 1000) {
      const message = `Rad ${index + 1} går inte att läsa: skriv konto och belopp, t.ex. 1930 125 000,00.`;
      context.addIssue({ code: 'custom', message, params: { reason: 'wrong_format' } });
      return z.NEVER;
    }
    if (balanceOre !== 0n) found.push({ account: Number(account), balanceOre });
  }
  return found;
});

export function registerOpeningBalances(pages: Pages): void {
  const place = { url: '/rakenskapsar/:year/ingaende', params: yearParams };
  pages.show({
    ...place,
    right: 'read',
    show: (visit) => showOpening(visit, { fields: {}, problems: [], isSent: false }),
  });
  pages.act({
    ...place,
    right: 'keep_books',
    fields: z.object({ series: seriesCode, balances }),
    show: showOpening,
    perform: async ({ tx, person, params: { year } }, values) => {
      const isBooked = await setFirstBalances(tx, { year, ...values }, person.actor);
      const notice = isBooked
        ? 'Den ingående balansen är bokförd.'
        : 'Balansen var redan bokförd så; inget nytt verifikat.';
      return { to: `/rakenskapsar/${year}/ingaende`, notice };
    },
  });
  pages.act({
    url: '/rakenskapsar/:year/ingaende/omforing',
    params: yearParams,
    right: 'keep_books',
    fields: z.object({ series: seriesCode }),
    show: showOpening,
    perform: async ({ tx, person, params: { year } }, values) => {
      const isBooked = await moveResult(tx, { year, ...values }, person.actor);
      const notice = isBooked
        ? 'Föregående års resultat är omfört.'
        : 'Det var redan omfört; inget nytt verifikat.';
      return { to: `/rakenskapsar/${year}/ingaende`, notice };
    },
  });
  pages.form({
    url: '/rakenskapsar/:year/resultat',
    params: yearParams,
    right: 'keep_books',
    fields: z.object({ series: seriesCode }),
    show: showResult,
    perform: async ({ tx, person, today, params: { year } }, values) => {
      const isBooked = await bookResult(tx, { year, today, ...values }, person.actor);
      const notice = isBooked
        ? `Resultatet ${year} är bokfört mot eget kapital.`
        : 'Det var redan bokfört; inget nytt verifikat.';
      return { to: `/rakenskapsar/${year}`, notice };
    },
  });
}

export async function seriesField({ tx }: Pick<OfYear, 'tx'>, input: FormInput, year: number) {
  const known = await listSeries(tx, year);
  return field(input, 'series', 'Serie', {
    type: 'select',
    isRequired: true,
    value: known.some(({ code }) => code === 'A') ? 'A' : (known[0]?.code ?? ''),
    options: known.map(({ code, name }) => ({ value: code, label: `${code} – ${name}` })),
  });
}

async function showOpening(visit: OfYear, input: FormInput): Promise<View> {
  const { tx, params } = visit;
  const year = await getYear(tx, params.year);
  const opening = await getYearOpening(tx, params.year);
  const names = await listAccountNames(
    tx,
    opening.balances.map(({ account }) => account),
  );
  const total = sum(opening.balances.map(({ balanceOre }) => balanceOre));
  return {
    template: 'opening-balances',
    title: `Ingående balans ${year.year}`,
    values: {
      year: year.year,
      start: year.start,
      isOpen: year.status === 'open',
      previous: opening.previous?.year ?? null,
      undisposed: opening.undisposedOre === 0n ? null : kronor(opening.undisposedOre),
      ...tableOf(opening, names),
      difference: total === 0n ? null : kronor(total),
      vouchers: (await listOpeningVouchers(tx, year.start)).map((voucher) => ({
        id: voucher.id,
        name: `${voucher.series}${voucher.number}`,
        description: voucher.description,
      })),
      move: moveOf(opening),
      form: formOf(input, {
        series: await seriesField(visit, input, year.year),
        balances: field(input, 'balances', 'Konto och belopp', {
          type: 'textarea',
          isRequired: true,
          value: opening.posted
            .map(({ account, balanceOre }) => `${account} ${amountText(balanceOre)}`)
            .join('\n'),
          help: `En rad per konto, t.ex. 1930 125 000,00 och ${opening.plan.into === 2010 ? '2010' : '2081'} −25 000,00. Tillgångar är plus, skulder och eget kapital minus; summan ska bli noll.`,
        }),
      }),
    },
  };
}

/** What is moved within equity as the year begins; null when nothing is. */
function moveOf({ toMove, disposedOre, plan }: YearOpening) {
  if (toMove.length === 0) return null;
  return {
    disposed:
      disposedOre === 0n ? null : { account: plan.emptied.from, amount: kronor(disposedOre) },
    accounts: toMove.map(({ account, balanceOre }) => ({ account, amount: kronor(-balanceOre) })),
    into: plan.into,
  };
}

function tableOf({ balances: rows, carried, posted }: YearOpening, names: Map<number, string>) {
  const of = (list: readonly Balance[], account: number) =>
    list.find((one) => one.account === account)?.balanceOre ?? 0n;
  const side = (isAsset: boolean) =>
    sum(
      rows.filter(({ account }) => account < 2000 === isAsset).map(({ balanceOre }) => balanceOre),
    );
  return {
    balances: rows.map(({ account, balanceOre }) => ({
      account,
      name: names.get(account) ?? '',
      carried: amountOrEmpty(of(carried, account)),
      posted: amountOrEmpty(of(posted, account)),
      balance: amountText(balanceOre),
    })),
    assets: amountText(side(true)),
    claims: amountText(side(false)),
  };
}

async function showResult(visit: OfYear, input: FormInput): Promise<View> {
  const { tx, params, today } = visit;
  const year = await getYear(tx, params.year);
  if (year.status === 'closed') {
    throw new AppError('unprocessable', `Räkenskapsåret ${year.year} är stängt.`);
  }
  const { plan } = await getYearOpening(tx, year.year);
  const isProfit = year.undisposed_ore > 0n;
  const ore = isProfit ? year.undisposed_ore : -year.undisposed_ore;
  return {
    template: 'year-result',
    title: `Årets resultat ${year.year}`,
    values: {
      year: year.year,
      end: year.end,
      goesOnUntil: year.end < today ? null : dayInWords(year.end),
      result: kronor(year.result_ore),
      undisposed: year.undisposed_ore === 0n ? null : kronor(ore),
      word: isProfit ? 'vinst' : 'förlust',
      debit: isProfit ? 8999 : plan.resultTo,
      credit: isProfit ? plan.resultTo : 8999,
      form: formOf(input, { series: await seriesField(visit, input, year.year) }),
    },
  };
}
