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
  const { currencies } = await readOss(tx, asked.quarter, new Map());
  const typed = currencies.map((currency) => ({ currency, text: textOf(query, currency).trim() }));
  const given = typed.filter(({ text }) => text !== '');
  const rates = new Map<string, bigint>();
  const problems: Problem[] = [];
  for (const { currency, text } of given) {
    const rate = parseTyped(text, 6);
    if (rate !== undefined && rate > 0n) rates.set(currency, rate);
    else {
      const message = `Skriv hur många ${currency} en euro är, t.ex. 11,2345, med högst sex decimaler.`;
      problems.push({ path: currency, reason: 'wrong_format', message });
    }
  }
  const read = await readOss(tx, asked.quarter, rates);
  const { quarter, lines, corrections, postedOre, otherOre } = read;
  const input: FormInput = { fields: query, problems, isSent: given.length > 0 };
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
      form: formOf(
        input,
        Object.fromEntries(
          currencies.map((currency) => [
            currency,
            field(input, currency, `${currency} för en euro`, { type: 'amount' }),
          ]),
        ),
      ),
      rateFields: currencies.map((currency) =>
        field(input, currency, `${currency} för en euro`, { type: 'amount' }),
      ),
    },
  };
}
