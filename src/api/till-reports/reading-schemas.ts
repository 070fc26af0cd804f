/** Tills' Z reports as `GET /api/v1/dagskassor` answers them. Amounts are kronor. */
import { z } from 'zod';
import { tillIdMax, zNumberMax } from '../../domain/sales/till-report.ts';
import {
  dateSchema,
  idSchema,
  openEnum,
  pageSchema,
  queryInteger,
  textSchema,
} from '../../http/schemas.ts';
import { day, paging, several, time, updatedSince } from '../registers/schemas.ts';
import { tillReasons, tillReportStates } from './reasons.ts';

const { unknown: _ofNone, ...states } = tillReportStates;

const sold = z
  .object({ vat_rate: z.number(), amount: z.number().describe('With VAT') })
  .meta({ id: 'TillReportSales', description: 'What was sold, or brought back, at one VAT rate' });

const said = z
  .object({
    receipt_count: z.int().nullable().describe('How many receipts the sums are of'),
    sales: z.array(sold).describe('By VAT rate, before returns'),
    returns: z.array(sold).describe('What was brought back, by VAT rate, above zero'),
    rates: z
      .array(
        z
          .object({
            vat_rate: z.number(),
            gross_amount: z.number().describe('Sales less returns, with VAT'),
            vat_amount: z.number().describe('The VAT in it, as it is booked'),
          })
          .meta({ id: 'TillReportRate', description: 'All that was sold at one VAT rate' }),
      )
      .describe('By VAT rate, the highest first'),
    gift_cards_sold: z
      .number()
      .describe('Gift cards of several uses that were sold: no sale and no VAT until redeemed'),
    tips: z.number().describe('Paid beyond the sales for those who work there: no sale, no VAT'),
    rounding: z.number().describe('Of cash; above zero when more was paid'),
    payments: z.array(
      z
        .object({
          method: z.string().describe('The means, as the company has named it'),
          amount: z.number().describe('Less what was paid back by it'),
        })
        .meta({ id: 'TillReportPayment', description: 'What was paid by one means' }),
    ),
    movements: z
      .array(
        z
          .object({
            kind: z.string().describe('What it was against, as the company has named it'),
            amount: z.number().describe('Above zero into the till, below zero out of it'),
            text: z.string().nullable(),
          })
          .meta({ id: 'TillReportMovement', description: 'Cash into the till, or out of it' }),
      )
      .describe('Cash that came to the till or left it otherwise than by sales'),
  })
  .meta({ id: 'TillReportSums', description: 'The sums of the report, as the till has them' });

export const tillReportItem = z
  .object({
    id: z.uuid(),
    till_id: z.string().nullable(),
    z_number: z.int().nullable(),
    date: day.nullable().describe('The day of sales, when it could be read'),
    status: openEnum(states),
    reason: openEnum({
      ...tillReasons,
      replaced: 'Another body of the same till and number was booked in its place',
    })
      .nullable()
      .describe('Why it is not booked'),
    sums: said
      .nullable()
      .describe('What the report says; null when it cannot be read, or its own sums differ'),
    voucher_id: z.uuid().nullable(),
    received_at: time,
    updated_at: time.describe('When any of this was last changed'),
    url: z.url(),
  })
  .meta({ id: 'ListedTillReport', description: "A till's Z report, and what it became" });

export const tillReportPage = pageSchema(
  tillReportItem,
  'TillReportPage',
  'A page of reports, in the order they came',
);

export const tillReportsQuery = z.strictObject({
  ...paging(idSchema),
  updatedSince,
  status: several(z.enum(['received', 'booked', 'rejected', 'dismissed'])).describe(
    'Several as ?status=…&status=…',
  ),
  tillId: several(textSchema(tillIdMax, 1)).describe(
    'The till, however it is spelt: as when reports are received',
  ),
  zNumber: several(queryInteger(0, zNumberMax)).describe('The number of the Z report'),
  from: dateSchema.optional().describe('The first day of sales, included'),
  to: dateSchema.optional().describe('The last day of sales, included'),
});
