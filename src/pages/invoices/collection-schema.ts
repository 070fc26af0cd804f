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
          unit: text.describe('Som på fakturan; null när ingen är angiven'),
          unitPrice: z.number().describe('Utan moms, före rabatt'),
          discountPct: z.number(),
          vatRatePct: z.number(),
          lineAmount: z.number().describe('Utan moms, efter rabatt'),
        }),
      ),
    }),
    payments: z
      .array(z.object({ date: day, amount: z.number() }))
      .describe('Betalningar, och kreditfakturor från den dag de gäller'),
    reminders: z.array(z.object({ reminderNo: z.int(), sentDate: day, fee: z.number() })),
    interest: z.object({
      amount: z.number(),
      days: z.int(),
      fromDate: day,
      toDate: day,
      rateSource: openEnum({
        avtalad: 'Avtalad ränta',
        rantelagen: 'Referensräntan med tillägg av åtta procentenheter',
      }),
      agreedRatePct: z.number().nullable(),
      basis: openEnum({
        rantelagen_3: 'Från förfallodagen, som var avtalad i förväg',
        rantelagen_4: 'Från 30 dagar efter att fakturan sändes',
      })
        .nullable()
        .describe('null när det inte finns någon rätt till ränta'),
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
    disputed: z.boolean().describe('Borgenären har bedömt kravet som tvistigt'),
  })
  .meta({ id: 'CollectionCase' });

const csvText = [
  'UTF-8 med BOM, semikolon och decimalkomma; null är en tom cell. Första cellen säger vad raden är, de övriga är i ordning:',
  '`case`: fältets namn (som `debtor.name`) och värde;',
  '`line`: rowNo, description, quantity, unit, unitPrice, discountPct, vatRatePct, lineAmount;',
  '`payment`: date, amount; `reminder`: reminderNo, sentDate, fee;',
  '`segment`: from, to, days, ratePct, balance, amount, eller from, to och `okänd ränta`;',
  '`claim`: namn, amount, currency.',
  'En text som ett kalkylblad hade räknat ut (den börjar med `=`, `@`, `+` eller `-` och är inget tal eller telefonnummer) har en apostrof först; tas den bort är texten tecken för tecken JSON:s.',
].join(' ');

export const collectionRouteSchema = {
  operationId: 'exportCollectionCase',
  summary: 'Hämta inkassounderlaget för en förfallen faktura',
  description:
    'För den som är inloggad i appen; ingen API-nyckel öppnar den. Alla format görs av ett och samma ärende, vars SHA-256 står i rubriken X-Case-Digest. 422 unprocessable när fakturan inte kan drivas in.',
  tags: ['Inkasso'],
  security: [{ session: [] }],
  params: z.object({ fakturaId: z.guid().describe('Fakturans id') }),
  querystring: z.object({
    format: z
      .enum(['pdf', 'json', 'csv'])
      .describe('pdf att bifoga, json enligt schemat, csv för kalkylblad'),
  }),
  response: {
    200: {
      description: 'Ärendet',
      content: {
        'application/json': { schema: collectionCase },
        'application/pdf': { schema: z.string().describe('Dokumentet') },
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
