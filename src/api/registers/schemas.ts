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
  active: z.boolean().describe('false när det inte längre används; ingenting tas bort'),
  updated_at: time.describe('När det senast ändrades'),
};

export const account = z
  .object({
    number: z.int(),
    name: z.string(),
    type: openEnum({
      asset: 'Tillgång',
      equity: 'Eget kapital',
      liability: 'Skuld',
      revenue: 'Intäkt',
      cost: 'Kostnad',
    }),
    vat_code: z
      .string()
      .nullable()
      .describe('Momskoden som rader på kontot får när inget annat sägs'),
    vat_rate: z.int().nullable().describe('Momssatsen i procent; null utan moms'),
    sru: z.string().nullable().describe('Fältet i inkomstdeklarationen'),
    ...kept,
  })
  .meta({ id: 'Account' });

export const dimension = z
  .object({
    id: z.uuid().describe('Det som en verifikatrad har i cost_center eller project'),
    kind: openEnum({ cost_center: 'Kostnadsställe', project: 'Projekt' }),
    code: z.string(),
    name: z.string(),
    ...kept,
  })
  .meta({ id: 'Dimension' });

export const article = z
  .object({
    number: z.string().describe('Det som en orderrad har i articleNumber'),
    description: z.string(),
    supply: openEnum({ goods: 'Vara', services: 'Tjänst' }),
    account: z.int().nullable().describe('Intäktskontot, när artikeln har ett eget'),
    unit_price: z.number().nullable(),
    unit: z.string().nullable(),
    ...kept,
  })
  .meta({ id: 'Article' });

const party = {
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
    id: z.uuid().describe('Det som en kundfaktura har i customerId'),
    ...party,
    payment_terms: z.int().nullable().describe('Dagar till förfallodagen, när de är överenskomna'),
    url: z.url(),
  })
  .meta({ id: 'Customer' });

export const supplier = z
  .object({
    id: z.uuid(),
    ...party,
    endpoint: z.string().nullable().describe('Adressen i Peppol, som 0007:5560360793'),
    account: z.int().nullable().describe('Kostnadskontot som föreslås'),
    payment_days: z.int().nullable().describe('Dagar till förfallodagen'),
    url: z.url(),
  })
  .meta({ id: 'Supplier' });

export const series = z
  .object({
    id: z.uuid(),
    code: z.string().describe('Det som ett verifikat har i seriesCode'),
    name: z.string(),
    year: z.int().describe('Räkenskapsåret, som i rakenskapsar'),
    last_number: z.int().describe('Seriens senaste nummer; 0 när den är tom'),
  })
  .meta({ id: 'Series' });

export const fiscalYear = z
  .object({
    id: z.uuid(),
    year: z.int(),
    start: day,
    end: day,
    status: openEnum({ open: 'Går att bokföra i, om inget lås hindrar', closed: 'Stängt' }),
  })
  .meta({ id: 'FiscalYear' });

const keysMax = 100;

/** What a call may ask of a register. */
export interface Asked<Key> {
  readonly id?: Key[] | undefined;
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
  id: several(key).describe(`Bara den här; flera som ?id=…&id=…, högst ${keysMax}`),
  limit: queryInteger(1, 200).default(50).describe('Poster per sida'),
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
  .describe('Bara de som ändrats då eller senare; ta i några minuter, de sparas en aning efter');

/** The query of what is as many as years. */
export const yearlyQuery = z.strictObject(paging(idSchema));

/** The query of a list whose items have that key. */
export const registerQuery = <Key extends z.ZodType>(key: Key) =>
  z.strictObject({
    ...paging(key),
    updatedSince,
    active: queryBoolean.describe('Bara de som används, eller bara de som inte gör det längre'),
  });

export const accountKey = queryInteger(1000, 9999);
export const articleKey = textSchema(100, 1);

export const unchangedHeaders = z.object({
  'if-none-match': z
    .string()
    .optional()
    .describe('ETag av svaret som finns: är det samma blir svaret 304 utan kropp'),
});
