/** What calls refer to, on the wire: named as the contract's answers are (2.1–2.4). */
import { z } from 'zod';
import { isDate } from '../../domain/basics/dates.ts';
import {
  cursorParameter,
  idSchema,
  openEnum,
  queryBoolean,
  queryInteger,
  textSchema,
} from '../../http/schemas.ts';

export const time = z.string().meta({ format: 'date-time' });
export const day = z.string().meta({ format: 'date' });

const kept = {
  active: z
    .boolean()
    .describe('false when it is no longer used; what has been used is never removed'),
  updated_at: time.describe('When it was last changed'),
};

const called = {
  external_id: z
    .string()
    .nullable()
    .describe('What another system calls it; no other of the register has the same'),
};

export const account = z
  .object({
    number: z.int(),
    name: z.string(),
    type: openEnum({
      asset: 'Asset',
      equity: 'Equity',
      liability: 'Liability',
      revenue: 'Income',
      cost: 'Expense',
    }),
    vat_code: z
      .string()
      .nullable()
      .describe('The VAT code that rows on the account get when nothing else is said'),
    vat_rate: z.int().nullable().describe('VAT rate in per cent; null without VAT'),
    sru: z.string().nullable().describe('The field of the income tax return'),
    ...kept,
  })
  .meta({ id: 'Account' });

export const dimension = z
  .object({
    id: z.uuid().describe('What a voucher row has in cost_center or project'),
    kind: openEnum({ cost_center: 'Cost centre', project: 'Project' }),
    code: z.string(),
    name: z.string(),
    ...called,
    ...kept,
  })
  .meta({ id: 'Dimension' });

export const article = z
  .object({
    number: z.string().describe('What an order row has in articleNumber'),
    description: z.string(),
    supply: openEnum({ goods: 'Goods', services: 'Service' }),
    account: z.int().nullable().describe('The income account, when the article has one of its own'),
    unit_price: z.number().nullable(),
    unit: z.string().nullable(),
    ...called,
    ...kept,
  })
  .meta({ id: 'Article' });

const party = {
  ...called,
  name: z.string(),
  email: z.string().nullable(),
  org_number: z.string().nullable(),
  vat_number: z.string().nullable(),
  address: z.string().nullable(),
  postal_code: z.string().nullable(),
  city: z.string().nullable(),
  country_code: z.string(),
  phone: z.string().nullable(),
  created_at: time,
  ...kept,
};

export const customer = z
  .object({
    id: z.uuid().describe('What a customer invoice has in customerId'),
    ...party,
    payment_terms: z.int().nullable().describe('Days until the due date, when they are agreed'),
    url: z.url(),
  })
  .meta({ id: 'Customer' });

export const supplier = z
  .object({
    id: z.uuid(),
    ...party,
    endpoint: z.string().nullable().describe('The address in Peppol, as 0007:5560360793'),
    account: z.int().nullable().describe('The cost account that is suggested'),
    payment_days: z.int().nullable().describe('Days until the due date'),
    url: z.url(),
  })
  .meta({ id: 'Supplier' });

export const series = z
  .object({
    id: z.uuid(),
    code: z.string().describe('What a voucher has in seriesCode'),
    name: z.string(),
    year: z.int().describe('The fiscal year, as in rakenskapsar'),
    last_number: z.int().describe('The latest number of the series; 0 when it is empty'),
  })
  .meta({ id: 'Series' });

export const fiscalYear = z
  .object({
    id: z.uuid(),
    year: z.int(),
    start: day,
    end: day,
    status: openEnum({ open: 'Can be booked in, unless a lock hinders', closed: 'Closed' }),
  })
  .meta({ id: 'FiscalYear' });

const keysMax = 100;

/** What a call may ask of a register. */
export interface Asked<Key> {
  readonly id?: Key[] | undefined;
  readonly externalId?: string[] | undefined;
  readonly updatedSince?: string | undefined;
  readonly active?: boolean | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** One, or several as `?id=…&id=…`. */
export const several = <One extends z.ZodType>(one: One) =>
  z
    .union([one, z.array(one)])
    .transform((given): z.output<One>[] =>
      Array.isArray(given) ? given : [given as z.output<One>],
    )
    .refine((those) => those.length <= keysMax, {
      error: `får anges högst ${keysMax} gånger`,
      params: { reason: 'too_many' },
    })
    .optional();

export const paging = <Key extends z.ZodType>(key: Key) => ({
  id: several(key).describe(`Only this one; several as ?id=…&id=…, at most ${keysMax}`),
  limit: queryInteger(1, 200).default(50).describe('Entries a page'),
  cursor: cursorParameter,
});

const timeForm =
  /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/;

export const updatedSince = z
  .string()
  .refine((text) => isDate(timeForm.exec(text)?.[1] ?? ''), {
    error: 'ska vara en tid med tidszon, som 2026-03-31T08:00:00Z (+ skrivs %2B i en adress)',
    params: { reason: 'not_a_time' },
  })
  .meta({ format: 'date-time' })
  .optional()
  .describe(
    'Only those that changed then or later. A copy that is to lose nothing sends updated_since of handelser',
  );

/** The query of what is as many as years. */
export const yearlyQuery = z.strictObject(paging(idSchema));

/** The query of a list whose items have that key. */
export const registerQuery = <Key extends z.ZodType>(key: Key) =>
  z.strictObject({
    ...paging(key),
    updatedSince,
    active: queryBoolean.describe('Only those that are used, or only those that no longer are'),
  });

/** The query of what other systems have names for. */
export const namedQuery = <Key extends z.ZodType>(key: Key) =>
  registerQuery(key).extend({
    externalId: several(textSchema(255, 1)).describe(
      'The one that another system calls so; several as ?externalId=…&externalId=…. Compared without white space around it and in Unicode form NFC',
    ),
  });

export const accountKey = queryInteger(1000, 9999);
export const articleKey = textSchema(100, 1);

export const unchangedHeaders = z.object({
  'if-none-match': z
    .string()
    .optional()
    .describe(
      'ETag of the answer that you have: when it is the same, the answer is 304 without a body',
    ),
});
