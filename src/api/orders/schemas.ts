/** Orders on the wire (contract 2.6, 4.8). */
import { z } from 'zod';
import { orderRejectionMeanings } from '../../domain/sales/order-rejections.ts';
import { errorAnswer, problems } from '../../http/error-schemas.ts';
import { exampleDate, openEnum, textSchema } from '../../http/schemas.ts';
import { orderRowInput } from '../invoices/row-schemas.ts';

/**
 * The order as documented. It never refuses a call: what breaks the shape is stored with its reason
 * by the worker (src/domain/sales/order-shape.ts), so that a person can see it.
 */
export const orderInput = z
  .looseObject({
    externalId: z
      .string()
      .max(255)
      .describe('Butikens eget ordernummer; kan aldrig bli två fakturor'),
    orderDate: z.string().meta({ format: 'date' }),
    deliveryDate: z
      .string()
      .nullish()
      .meta({ format: 'date' })
      .describe('När varan levererades eller tjänsten blev klar, om det är en annan dag'),
    currency: z.literal('SEK'),
    pricesIncludeVat: z.boolean(),
    total: z
      .number()
      .nullish()
      .describe('Vad kunden betalade inklusive moms; krävs när pricesIncludeVat är true'),
    customer: z.looseObject({
      name: z.string().max(200),
      email: z.string().max(320).nullish(),
      orgNumber: z.string().nullish(),
      vatNumber: z.string().nullish(),
      countryCode: z.string().nullish(),
      address: z.string().max(200).nullish().describe('Gatuadress; kundregistret fyller luckor'),
      postalCode: z.string().max(20).nullish(),
      city: z.string().max(100).nullish(),
      phone: z.string().max(50).nullish(),
    }),
    rows: z.array(orderRowInput).min(1),
  })
  .meta({
    id: 'Order',
    example: {
      externalId: 'W-100245',
      orderDate: exampleDate,
      currency: 'SEK',
      pricesIncludeVat: true,
      total: 748,
      customer: { name: 'Anna Andersson', email: 'anna@exempel.se' },
      rows: [
        { description: 'Kaffebryggare', quantity: 1, unitPrice: 699, vatRate: 25 },
        { description: 'Frakt', quantity: 1, unitPrice: 49, vatRate: 25 },
      ],
    },
  });

export const preferHeaders = z.looseObject({
  prefer: z.string().optional().describe('respond-async: svara 202 utan att vänta på utfallet'),
});

export const acceptedOrder = z
  .object({
    ok: z.literal(true),
    invoiceId: z.uuid(),
    customerId: z.uuid(),
    duplicate: z.literal(true).optional().describe('Ordern var redan mottagen'),
  })
  .meta({ id: 'AcceptedOrder', description: 'Ordern är ett fakturautkast' });

export const queuedOrder = z
  .object({
    ok: z.literal(true),
    orderId: z.uuid(),
    status: openEnum({ queued: 'Ordern är säkrad och väntar på att prövas' }),
  })
  .meta({ id: 'QueuedOrder', description: 'Mottagen; fråga sedan /api/inbound/avstamning' });

const reason = openEnum(orderRejectionMeanings);

const amounts = { net: z.number(), vat: z.number(), gross: z.number() };

const oreTable = z
  .object({
    prices_include_vat: z.boolean(),
    rows: z.array(z.object({ row_no: z.int(), vat_rate: z.number(), ...amounts })),
    vat_rounded_per_rate: z.object(amounts).describe('Som ordern räknas'),
    vat_rounded_per_row: z.object(amounts).describe('Så som en del butiker räknar'),
    total: z.number(),
    difference: z.number().describe('total minus raderna med momsen avrundad per momssats'),
  })
  .meta({ id: 'OreTable', description: 'Var ören skiljer när raderna inte blir total' });

export const rejectedOrder = errorAnswer(
  'unprocessable',
  'RejectedOrderError',
  z.object({
    order_id: z.uuid(),
    external_id: z.string().nullable(),
    reason,
    problems,
    oren: oreTable.optional(),
    stored: z.literal(true).describe('Ordern är sparad; en människa ser den i orderinkorgen'),
  }),
);

export const delayedOrder = errorAnswer(
  'processing_delayed',
  'DelayedOrderError',
  z.object({ order_id: z.uuid(), stored: z.literal(true) }),
);

const maxAsked = 1_000;

export const reconciliationInput = z
  .strictObject({
    externalIds: z.array(textSchema(255, 1)).max(maxAsked).nullish(),
    sha256s: z
      .array(
        z.string().regex(/^[0-9a-f]{64}$/, 'ska vara 64 hexadecimala tecken med små bokstäver'),
      )
      .max(maxAsked)
      .nullish(),
  })
  .refine(
    ({ externalIds, sha256s }) => (externalIds?.length ?? 0) + (sha256s?.length ?? 0) <= maxAsked,
    {
      error: `får fråga om högst ${maxAsked} order åt gången`,
      params: { reason: 'too_many' },
    },
  )
  .meta({ id: 'ReconciliationRequest', example: { externalIds: ['W-100245', 'W-100246'] } });

export const reconciliation = z
  .object({
    orders: z.array(
      z.object({
        externalId: z.string().optional(),
        sha256: z.string().optional(),
        status: openEnum({
          received: 'Mottagen, inte prövad än',
          draft: 'Blev ett fakturautkast, som nu kan vara bokfört',
          rejected: 'Lagrad med sin orsak; en människa ser den',
          unknown: 'Nyckeln har inte skickat någon sådan order',
        }),
        reason: reason.nullish(),
        orderId: z.uuid().optional(),
        invoiceId: z.uuid().nullish(),
        customerId: z.uuid().nullish(),
        receivedAt: z.string().meta({ format: 'date-time' }).optional(),
      }),
    ),
  })
  .meta({ id: 'Reconciliation', description: 'En post för varje fråga, i frågornas ordning' });
