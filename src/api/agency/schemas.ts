/** The agency's routes on the wire (contract 2.8). Frozen: fields are added, never changed. */
import { z } from 'zod';
import { openEnum } from '../../http/schemas.ts';
import { conditionMeanings } from './conditions.ts';

const date = z.string().meta({ format: 'date' });
const count = z.int();

export const tokenSeconds = 3_600;

export const token = z
  .object({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.literal(tokenSeconds).describe('Seconds'),
    expires_at: z.int().describe('Unix time in seconds'),
    scopes: z.array(openEnum({ 'stats:read': 'Reads the aggregate' })),
    agency: z.string().describe('The name of the agency'),
  })
  .meta({
    id: 'AgencyToken',
    description: 'Valid until it expires or the client withdraws the access',
  });

export const aggregate = z
  .object({
    schema_version: z.int().describe('The form of the answer, 1; never lowered'),
    installation_schema_version: count.describe(
      'The number of the latest migration; never lowered, 0 means unknown',
    ),
    period: z.string().meta({ example: '202603' }).describe('The present month, YYYYMM'),
    unbooked_count: count.describe(
      'Invoice drafts, supplier invoices to decide on, and stopped orders',
    ),
    attachments_missing: count.describe('Vouchers that lack a document'),
    unmatched_bank: count.describe('Bank transactions without a voucher'),
    last_verification: date
      .nullable()
      .describe('Date of the latest voucher; null when there is none'),
    period_locked_to: date.nullable(),
    vat_due_date: date.describe('The next day that VAT is to be filed and paid'),
    fiscal_year: z.object({ start: date, end: date, status: z.string() }),
    last_closed_month: date.nullable().describe('First day of the month'),
    open_month: date.nullable().describe('First day of the month whose turn it is'),
    open_month_status: openEnum({
      in_progress: 'Some condition remains',
      ready: 'Nothing hinders signing the month off',
    }).nullable(),
    open_month_failing: z.array(openEnum(conditionMeanings)).describe('The conditions that remain'),
    months_behind: count.describe('Months that have ended and are not signed off'),
  })
  .meta({ id: 'AgencyAggregate', description: 'The state of the books now' });
