/** Tills' Z reports on the wire. */
import { z } from 'zod';
import { errorAnswer, problems } from '../../http/error-schemas.ts';
import { exampleDate, openEnum } from '../../http/schemas.ts';
import { dryRunMark } from '../../http/write-calls.ts';
import { tillReasons } from './reasons.ts';

const salesInput = z
  .looseObject({
    vatRate: z.number().describe('25, 12, 6 or 0'),
    amount: z.number().describe('In SEK with VAT; zero or more'),
    vat: z
      .number()
      .nullish()
      .describe(
        'The VAT of it as the till has it, checked and not booked: at most half an `öre` a receipt from what amount contains, which needs receiptCount',
      ),
  })
  .meta({ id: 'TillSales', description: 'What was sold, or brought back, at one VAT rate' });

export const tillReportInput = z
  .looseObject({
    tillId: z
      .string()
      .max(100)
      .describe(
        "The till's designation (kassabeteckning); compared without white space around it and whatever the case",
      ),
    zNumber: z.int().min(0).describe('The number of the Z report; once for each till'),
    date: z.string().meta({ format: 'date' }).describe('The day of sales, and of the voucher'),
    currency: z.literal('SEK').nullish(),
    receiptCount: z
      .int()
      .min(0)
      .nullish()
      .describe('How many receipts the sums are of; bounds rounding and vat'),
    sales: z.array(salesInput).nullish().describe('By VAT rate, before returns'),
    returns: z
      .array(salesInput)
      .nullish()
      .describe('What was brought back, by VAT rate, above zero; taken off sales'),
    giftCardsSold: z
      .number()
      .nullish()
      .describe('Gift cards of several uses that were sold: no sale and no VAT until redeemed'),
    tips: z
      .number()
      .nullish()
      .describe('Paid beyond the sales for those who work there: no sale, no VAT'),
    rounding: z
      .number()
      .nullish()
      .describe('What cash payments were rounded by; above zero when more was paid'),
    payments: z
      .array(
        z.looseObject({
          method: z
            .string()
            .max(50)
            .describe(
              'As the company has named it with its account: card, swish, cash, gift_card or bank unless changed',
            ),
          amount: z
            .number()
            .describe('In SEK, less what was paid back by it; below zero when that was more'),
        }),
      )
      .nullish()
      .describe(
        'By means of payment; come to sales less returns, gift cards, tips and rounding, to the `öre`. Redeemed gift cards are the means gift_card',
      ),
    movements: z
      .array(
        z.looseObject({
          kind: z
            .string()
            .max(50)
            .describe('What it was against, as the company has named it with its account: bank'),
          amount: z.number().describe('In SEK; above zero into the till, below zero out of it'),
          text: z.string().max(200).nullish().describe('What it was, for the row of the voucher'),
        }),
      )
      .nullish()
      .describe('Cash that came to the till or left it otherwise than by sales'),
  })
  .meta({
    id: 'TillReport',
    description:
      "A till's Z report: what it has sold since the one before, by VAT rate and by means",
    example: {
      tillId: 'KASSA-1',
      zNumber: 412,
      date: exampleDate,
      receiptCount: 61,
      sales: [
        { vatRate: 25, amount: 8_412 },
        { vatRate: 12, amount: 3_208.5 },
      ],
      returns: [{ vatRate: 25, amount: 199 }],
      giftCardsSold: 500,
      rounding: 0.5,
      payments: [
        { method: 'card', amount: 8_921 },
        { method: 'swish', amount: 1_240 },
        { method: 'cash', amount: 1_461 },
        { method: 'gift_card', amount: 300 },
      ],
      movements: [{ kind: 'bank', amount: -1_000, text: 'Servicebox' }],
    },
  });

export const acceptedTillReport = z
  .object({
    ok: z.literal(true),
    duplicate: z
      .literal(true)
      .optional()
      .describe('A report of that till and number was received before'),
  })
  .meta({ id: 'AcceptedTillReport', description: 'The report is kept' });

export const checkedTillReport = z
  .object({ ok: z.literal(true), dry_run: dryRunMark })
  .meta({ id: 'CheckedTillReport', description: 'With dryRun: it can be read, nothing is kept' });

export const rejectedTillReport = errorAnswer(
  'unprocessable',
  'RejectedTillReportError',
  z.object({
    till_id: z.string().nullable(),
    z_number: z.int().nullable(),
    reason: openEnum(tillReasons),
    problems,
    stored: z.boolean().describe('The report is kept, so that a person sees it: not with dryRun'),
  }),
);
