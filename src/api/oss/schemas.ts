/** A quarter's return in the one stop shop on the wire. Amounts in kronor, in the currency sold in, and in euro. */
import { z } from 'zod';
import { openEnum } from '../../http/schemas.ts';
import { several } from '../registers/schemas.ts';

const day = z.string().meta({ format: 'date' });
const euro = z.number().nullable();
const country = z.string().describe('ISO 3166-1; the return itself writes EL for GR');

export const ossQuery = z.strictObject({
  quarter: z
    .string()
    .regex(/^20\d{2}-Q[1-4]$/, 'ska vara ett kvartal, som 2026-Q2')
    .describe('A quarter of the calendar, as 2026-Q2')
    .meta({ example: '2026-Q1' }),
  rate: several(
    z
      .string()
      .regex(
        /^[A-Z]{3}:(?!0+(?:\.0+)?$)\d{1,6}(?:\.\d{1,6})?$/,
        'ska vara en valuta och hur många av den en euro är, som SEK:11.2345',
      ),
  ).describe(
    'How many of a currency one euro is, as SEK:11.2345; several as ?rate=…&rate=…. The rate is what the European Central Bank published for the last day of the quarter',
  ),
});

export const ossAnswer = z
  .object({
    quarter: z.string().describe('As it was asked for'),
    from: day,
    to: day,
    due_date: day.describe('Last day of the month after the quarter'),
    lines: z
      .array(
        z
          .object({
            country,
            vat_rate: z.number().describe('Of that country, per cent'),
            supply: openEnum({ goods: 'Goods', services: 'Service' }),
            net_amount: z.number(),
            vat_amount: z.number(),
            net_eur: euro.describe('null while the rate of a currency is not given'),
            vat_eur: euro.describe('null while the rate of a currency is not given'),
            sold: z
              .array(z.object({ currency: z.string(), net: z.number(), vat: z.number() }))
              .describe('The same in each currency that it was sold in'),
          })
          .meta({ id: 'OssLine', description: 'What a country has at one VAT rate' }),
      )
      .describe('Sales of the quarter, less what was credited in it'),
    corrections: z
      .array(
        z
          .object({
            quarter: z.string().describe('What it corrects, as 2026-Q1'),
            country,
            vat_amount: z.number().describe('Below zero when the VAT was too much'),
            vat_eur: euro.describe('null while the rate of a currency is not given'),
          })
          .meta({
            id: 'OssCorrection',
            description: 'What credit notes of the quarter change of an earlier one',
          }),
      )
      .describe('What is told of earlier quarters'),
    vat_amount: z.number().describe('Of lines and corrections together'),
    vat_eur: euro.describe('To pay; null while the rate of a currency is not given'),
    posted_amount: z
      .number()
      .describe('What the quarter has posted on account 2670, payments and vouchers by hand too'),
    currencies: z.array(z.string()).describe('Those that need a rate'),
  })
  .meta({ id: 'OssReturn', description: 'What is filed in the one stop shop for the quarter' });
