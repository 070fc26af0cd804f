/** GET /fakturor/{fakturaId}/inkasso as OpenAPI describes it (contract 2.9, 4.12). */
import { z } from 'zod';
import { errorResponses } from '../../http/error-schemas.ts';
import { dateSchema, openEnum } from '../../http/schemas.ts';

const text = z.string().nullable();
const day = dateSchema.meta({ example: undefined });
const party = { name: z.string(), orgNumber: text, address: text, postalCode: text, city: text };
const reached = { email: text, phone: text };
const claimed = z.object({ amount: z.number(), currency: z.string() });

const collectionCase = z
  .object({
    schema: z.literal('svc/inkasso-arende'),
    schemaVersion: z.literal(1),
    preparedAt: z.string().meta({ format: 'date-time' }),
    creditor: z.object({
      ...party,
      ...reached,
      bankgiro: text,
      plusgiro: text,
      iban: text,
      partnerAccount: text,
    }),
    debtor: z.object({ ...party, ...reached, vatNumber: text, country: text, yourReference: text }),
    invoice: z.object({
      invoiceNo: z.int(),
      ocr: text,
      invoiceDate: day,
      dueDate: day,
      currency: z.string(),
      netAmount: z.number(),
      vatAmount: z.number(),
      rounding: z.number(),
      totalAmount: z.number(),
      notes: text,
      lines: z.array(
        z.object({
          rowNo: z.int(),
          description: z.string(),
          quantity: z.number(),
          unit: text.describe('As on the invoice; null when none is given'),
          unitPrice: z.number().describe('Without VAT, before discount'),
          discountPct: z.number(),
          vatRatePct: z.number(),
          lineAmount: z.number().describe('Without VAT, after discount'),
        }),
      ),
    }),
    payments: z
      .array(z.object({ date: day, amount: z.number() }))
      .describe('Payments, and credit notes from the day they are effective'),
    reminders: z.array(z.object({ reminderNo: z.int(), sentDate: day, fee: z.number() })),
    interest: z.object({
      amount: z.number(),
      days: z.int(),
      fromDate: day,
      toDate: day,
      rateSource: openEnum({
        avtalad: 'Agreed rate',
        rantelagen: 'The reference rate with eight percentage points added',
      }),
      agreedRatePct: z.number().nullable(),
      basis: openEnum({
        rantelagen_3: 'From the due date, which was agreed in advance',
        rantelagen_4: 'From 30 days after the invoice was sent',
      })
        .nullable()
        .describe('null when there is no right to interest'),
      segments: z.array(
        z.object({
          from: day,
          to: day,
          days: z.int(),
          ratePct: z.number(),
          balance: z.number(),
          amount: z.number(),
        }),
      ),
      incomplete: z.boolean(),
      missingPeriods: z.array(z.object({ from: day, to: day })),
    }),
    claim: z.object({
      principal: claimed,
      interest: claimed,
      reminderFees: claimed,
      total: claimed,
    }),
    disputed: z.boolean().describe('The creditor has judged the claim to be disputed'),
  })
  .meta({ id: 'CollectionCase' });

const csvText = [
  'UTF-8 with BOM, semicolons and decimal commas; null is an empty cell. The first cell says what the row is, the others are in order:',
  '`case`: name of the field (as `debtor.name`) and value;',
  '`line`: rowNo, description, quantity, unit, unitPrice, discountPct, vatRatePct, lineAmount;',
  '`payment`: date, amount; `reminder`: reminderNo, sentDate, fee;',
  '`segment`: from, to, days, ratePct, balance, amount, or from, to and `okänd ränta` (no rate is known);',
  '`claim`: name, amount, currency.',
  'A text that a spreadsheet would have calculated (it begins with `=`, `@`, `+` or `-` and is no number or telephone number) has an apostrophe first; without that it is the text of the JSON, character by character.',
].join(' ');

export const collectionRouteSchema = {
  operationId: 'exportCollectionCase',
  summary: 'Fetch the collection case of an overdue invoice',
  description:
    'For whoever is logged in to the application; no API key opens it. All formats are made of one and the same case, whose SHA-256 stands in the header X-Case-Digest. 422 unprocessable when the invoice cannot be collected.',
  tags: ['Collection'],
  security: [{ session: [] }],
  params: z.object({ fakturaId: z.guid().describe('The id of the invoice') }),
  querystring: z.object({
    format: z
      .enum(['pdf', 'json', 'csv'])
      .describe('pdf to attach, json by the schema, csv for spreadsheets'),
  }),
  response: {
    200: {
      description: 'The case',
      content: {
        'application/json': { schema: collectionCase },
        'application/pdf': { schema: z.string().describe('The document') },
        'text/csv': { schema: z.string().describe(csvText) },
      },
    },
    ...errorResponses(
      'invalid_request',
      'unauthorized',
      'https_required',
      'forbidden',
      'not_found',
      'unprocessable',
      'internal_error',
      'database_unavailable',
      'overloaded',
      'processing_delayed',
    ),
  },
};
