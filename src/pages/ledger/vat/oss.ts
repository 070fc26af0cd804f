/** A quarter's return in the one stop shop: by country and rate, in euro once somebody has given the rates. */
import { z } from 'zod';
import { ossQuarter, vatCountryCode } from '../../../domain/ledger/oss-return.ts';
import { readOss } from '../../../ledger/vat-filings/oss.ts';
import type { Problem } from '../../../lib/errors.ts';
import { decimalText } from '../../../lib/swedish.ts';
import { field, formOf } from '../../fields.ts';
import { textOf } from '../../form-fields.ts';
import { amountText, dayInWords } from '../../format.ts';
import { parseTyped } from '../../inputs.ts';
import type { Pages } from '../../page.ts';
import type { FormInput, View, Visit } from '../../visit.ts';

const params = z.object({ quarter: z.string().refine((name) => ossQuarter(name) !== undefined) });
const home = '/moms/oss';

export function registerOssPage(pages: Pages): void {
  pages.show({ url: `${home}/:quarter`, right: 'read', params, show: showOss });
}

const supplyWords = { goods: 'Varor', services: 'Tjänster' } as const;

async function showOss({ tx, query, params: asked }: Visit<{ quarter: string }>): Promise<View> {
  const rates = new Map<string, bigint>();
  for (const currency of Object.keys(query)) {
    const rate = parseTyped(textOf(query, currency).trim(), 6);
    if (rate !== undefined && rate > 0n) rates.set(currency, rate);
  }
  const read = await readOss(tx, asked.quarter, rates);
  const { quarter, lines, corrections, currencies, postedOre, otherOre } = read;
  const given = currencies.filter((currency) => textOf(query, currency).trim() !== '');
  const problems = given
    .filter((currency) => !rates.has(currency))
    .map((currency): Problem => {
      const message = `Skriv hur många ${currency} en euro är, t.ex. 11,2345, med högst sex decimaler.`;
      return { path: currency, reason: 'wrong_format', message };
    });
  const input: FormInput = { fields: query, problems, isSent: given.length > 0 };
  const fields = Object.fromEntries(
    currencies.map((currency) => [
      currency,
      field(input, currency, `${currency} för en euro`, { type: 'amount' }),
    ]),
  );
  const cents = (cent: bigint | null): string => (cent === null ? '–' : amountText(cent));
  return {
    template: 'vat-oss',
    title: `One Stop Shop ${quarter.name}`,
    values: {
      address: `${home}/${quarter.name}`,
      span: `${dayInWords(quarter.start)} – ${dayInWords(quarter.end)}`,
      lastDay: dayInWords(quarter.end),
      dueOn: dayInWords(quarter.dueOn),
      lines: lines.map((line) => ({
        country: vatCountryCode(line.country),
        supply: supplyWords[line.supply],
        rate: `${decimalText(BigInt(line.rateE2) * 100n)} %`,
        sold: line.sold.map(({ currency, net, vat }) => ({
          currency,
          net: amountText(net),
          vat: amountText(vat),
        })),
        netKronor: amountText(line.netOre),
        vatKronor: amountText(line.vatOre),
        netEuro: cents(line.netCent),
        vatEuro: cents(line.vatCent),
      })),
      corrections: corrections.map((one) => ({
        quarter: one.quarter,
        country: vatCountryCode(one.country),
        vatKronor: amountText(one.vatOre),
        vatEuro: cents(one.vatCent),
      })),
      vatKronor: amountText(read.vatOre),
      vatEuro: cents(read.vatCent),
      lacksRate: read.vatCent === null,
      posted: amountText(postedOre),
      other: otherOre === 0n ? null : amountText(otherOre),
      form: formOf(input, fields),
      rateFields: Object.values(fields),
    },
  };
}
