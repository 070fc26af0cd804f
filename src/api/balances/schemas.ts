/** Balances by month on the wire. */
import { z } from 'zod';
import { isDate } from '../../domain/basics/dates.ts';
import { cursorParameter, idSchema, pageSchema, queryInteger } from '../../http/schemas.ts';
import { accountNameField, includeNames } from '../included.ts';
import { accountKey, several } from '../registers/schemas.ts';

const month = z
  .string()
  .refine((text) => isDate(`${text}-01`), {
    error: 'ska vara en månad, i formen ÅÅÅÅ-MM',
    params: { reason: 'not_a_month' },
  })
  .meta({ pattern: '^\\d{4}-(0[1-9]|1[0-2])$' });

const balance = z
  .object({
    account: z.int(),
    ...accountNameField,
    year: z.int().describe('The fiscal year, as in rakenskapsar'),
    month: z
      .string()
      .meta({ example: '2026-03' })
      .describe('YYYY-MM; fiscal years are of whole months'),
    opening: z
      .number()
      .describe(
        'As the month begins; accounts from 3000 begin each fiscal year at 0. Debit is above zero',
      ),
    debit: z.number().describe('Posted in debit in the month'),
    credit: z.number().describe('Posted in credit in the month'),
    closing: z.number().describe('As the month ends: opening + debit − credit'),
  })
  .meta({ id: 'MonthBalance', description: 'What an account came to in a month, in kronor' });

export const balancePage = pageSchema(
  balance,
  'MonthBalancePage',
  'A page of balances, by account and month',
);

export const balanceQuery = z.strictObject({
  konto: several(accountKey).describe(
    'Only this account; several as ?konto=…&konto=…, at most 100',
  ),
  fromMonth: month.optional().describe('The first month'),
  toMonth: month
    .optional()
    .describe('The last month; the last that anything is posted in when it is left out'),
  year: queryInteger(1, 9999)
    .optional()
    .describe('Only months of that fiscal year, as in rakenskapsar'),
  dimension: idSchema
    .optional()
    .describe('Only what is posted with the cost centre or project, by its id'),
  include: includeNames,
  limit: queryInteger(1, 1000).default(200).describe('Balances a page'),
  cursor: cursorParameter,
});
