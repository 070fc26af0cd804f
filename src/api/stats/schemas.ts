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
  description: 'Månaderna utan lucka, från första verifikatets',
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
        'Intäkter per artikel, och per konto där ingen artikel finns; de 50 största och en sista rad Övrigt. Räknat till och med denna månad, så att summan är totals.revenue.',
      ),
    by_customer: z
      .array(z.object({ customer_id: z.uuid().nullable(), name: z.string(), revenue: kronor }))
      .describe(
        'Fakturerat per kund minus krediterat; de 50 största och en sista rad Övrigt. Räknat till och med denna månad, så att summan är totals.revenue.',
      ),
    by_supplier: z
      .array(z.object({ supplier: z.string().nullable(), name: z.string(), cost: kronor }))
      .describe(
        'Kostnader per motpart; de 50 största och en sista rad Övrigt. Räknat till och med denna månad, så att summan är totals.costs.',
      ),
    margin: z.object({
      revenue: kronor,
      cost_of_goods: kronor.describe('Kontona 4000–4999'),
      gross_margin: kronor,
      percent: z.number().nullable().describe('En decimal; null utan intäkter'),
    }),
    liquidity: z
      .object({
        balance: z.number(),
        accounts: z.array(z.object({ account: z.int(), name: z.string(), balance: z.number() })),
      })
      .describe('Kontona 1900–1999, med ören'),
    receivables: kronor.describe('Vad kunderna är skyldiga nu'),
    payables: kronor.describe('Saldot på 2440'),
    ledger_head: z.object({ vouchers: z.int(), hash: z.string() }),
  })
  .meta({ id: 'Overview', description: 'Läget nu, i hela kronor utan moms' });

export const daily = z
  .array(
    z
      .object({
        date: z.string().meta({ format: 'date' }),
        revenue_total: kronor,
        invoices_count: z.int(),
        unpaid_amount: kronor.describe(
          'Kundfordringarna just nu, samma i varje post; ska aldrig summeras',
        ),
      })
      .meta({ id: 'DayRecord' }),
  )
  .meta({ id: 'DailyStatistics', description: 'En post för varje dag, också dem utan händelser' });

export const dailyQuery = z.strictObject({
  from: dateSchema.describe('Första dagen'),
  to: dateSchema.describe('Sista dagen, högst 90 dagar efter from'),
});
