/** Statistics on the wire (contract 2.5, 4.6, 4.7). Whole kronor without VAT, but for liquidity. */
import { z } from 'zod';
import { dateSchema } from '../../http/schemas.ts';

const kronor = z.int();
const results = { revenue: kronor, costs: kronor, result: kronor };
const timestamp = z.string().meta({ format: 'date-time' });

const months = z.array(
  z
    .object({ month: z.string().meta({ example: '2026-03' }), ...results })
    .meta({ id: 'MonthRecord' }),
);
const totals = z.object(results).meta({ id: 'Totals' });

export const monthly = z.object({ generated_at: timestamp, months, totals }).meta({
  id: 'MonthlyStatistics',
  description: 'The months without gaps, from that of the first voucher',
});

export const overview = z
  .object({
    generated_at: timestamp,
    months,
    totals,
    attachments_missing: z.int(),
    by_service: z
      .array(
        z.object({
          article: z.string().nullable(),
          account: z.int().nullable(),
          name: z.string(),
          revenue: kronor,
        }),
      )
      .describe(
        'Income per article, and per account where there is no article; the 50 largest and a last entry of all others. Counted through this month, so that the sum is totals.revenue.',
      ),
    by_customer: z
      .array(z.object({ customer_id: z.uuid().nullable(), name: z.string(), revenue: kronor }))
      .describe(
        'Invoiced per customer less what was credited; the 50 largest and a last entry of all others. Counted through this month, so that the sum is totals.revenue.',
      ),
    by_supplier: z
      .array(z.object({ supplier: z.string().nullable(), name: z.string(), cost: kronor }))
      .describe(
        'Costs per counterparty; the 50 largest and a last entry of all others. Counted through this month, so that the sum is totals.costs.',
      ),
    margin: z.object({
      revenue: kronor,
      cost_of_goods: kronor.describe('Accounts 4000–4999'),
      gross_margin: kronor,
      percent: z.number().nullable().describe('One decimal; null without income'),
    }),
    liquidity: z
      .object({
        balance: z.number(),
        accounts: z.array(z.object({ account: z.int(), name: z.string(), balance: z.number() })),
      })
      .describe('Accounts 1900–1999, with decimals'),
    receivables: kronor.describe('What customers owe now'),
    payables: kronor.describe('The balance of 2440'),
    ledger_head: z.object({ vouchers: z.int(), hash: z.string() }),
  })
  .meta({ id: 'Overview', description: 'The state of things now, in whole kronor without VAT' });

export const daily = z
  .array(
    z
      .object({
        date: z.string().meta({ format: 'date' }),
        revenue_total: kronor,
        invoices_count: z.int(),
        unpaid_amount: kronor.describe(
          'The receivables just now, the same in every entry; never to be summed',
        ),
      })
      .meta({ id: 'DayRecord' }),
  )
  .meta({
    id: 'DailyStatistics',
    description: 'An entry for every day, those without anything too',
  });

export const dailyQuery = z.strictObject({
  from: dateSchema.describe('The first day'),
  to: dateSchema.describe('The last day, at most 90 days after from'),
});
