/** Orders on the wire (contract 2.6, 4.8). */
import { z } from 'zod';
import { errorAnswer, problems } from '../../http/error-schemas.ts';
import { exampleDate, openEnum, textSchema } from '../../http/schemas.ts';
import { dryRunMark } from '../../http/write-calls.ts';
import { orderRowInput } from '../invoices/row-schemas.ts';
import { tillReasons, tillReportStates } from '../till-reports/reasons.ts';
import { orderReasons, refundReasons } from './reasons.ts';

/** A payment of an order, or what a refund paid back. */
export const paymentInput = z
  .looseObject({
    method: z
      .string()
      .max(50)
      .describe(
        'As the company has named it with its account: card, klarna, paypal, swish, bank, cash or gift_card unless changed',
      ),
    amount: z.number().describe('In the currency of the order; above zero'),
    date: z
      .string()
      .nullish()
      .meta({ format: 'date' })
      .describe('Left out: the day of the order or refund'),
    reference: z.string().max(200).nullish().describe("The provider's number of it, say"),
  })
  .meta({ id: 'OrderPayment', description: 'A payment of an order, or what a refund paid back' });

/**
 * The order as documented. It never refuses a call: what breaks the shape is stored with its reason
 * by the worker (src/domain/sales/order-shape.ts), so that a person can see it.
 */
export const orderExample = {
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
};

export const orderInput = z
  .looseObject({
    externalId: z
      .string()
      .max(255)
      .describe('The number that the shop has for the order; can never become two invoices'),
    orderDate: z.string().meta({ format: 'date' }),
    deliveryDate: z
      .string()
      .nullish()
      .meta({ format: 'date' })
      .describe('When the goods were delivered or the service was done, if that is another day'),
    currency: z
      .string()
      .describe('SEK, or another (EUR, NOK, USD …) where the company has switched OSS on'),
    exchangeRate: z
      .number()
      .nullish()
      .describe(
        'Kronor for one of the currency, at most six decimals: what the order is booked at. Required in other currencies than SEK',
      ),
    pricesIncludeVat: z.boolean(),
    total: z
      .number()
      .nullish()
      .describe('What the customer paid including VAT; required when pricesIncludeVat is true'),
    customer: z.looseObject({
      name: z.string().max(200),
      externalId: z
        .string()
        .max(255)
        .nullish()
        .describe(
          'What the shop calls the customer. A customer of the register that is called so is found by it before any number',
        ),
      email: z.string().max(320).nullish(),
      orgNumber: z.string().nullish(),
      vatNumber: z.string().nullish(),
      countryCode: z.string().nullish(),
      address: z
        .string()
        .max(200)
        .nullish()
        .describe('Street address; the customer register fills gaps'),
      postalCode: z.string().max(20).nullish(),
      city: z.string().max(100).nullish(),
      phone: z.string().max(50).nullish(),
    }),
    rows: z.array(orderRowInput).min(1),
    payments: z
      .array(paymentInput)
      .nullish()
      .describe(
        'What has been paid, by several means; must come to the total and the tip. Settles the invoice as it is booked',
      ),
    tip: z
      .number()
      .nullish()
      .describe(
        'Paid beyond the total for those who work there: no sale, no VAT, and no row. A part of payments, without which it is read past',
      ),
  })
  .meta({
    id: 'Order',
    example: orderExample,
  });

export const preferHeaders = z.looseObject({
  prefer: z
    .string()
    .optional()
    .describe('respond-async: answer 202 without waiting for the outcome'),
});

/** Beside `duplicate`. */
export const differingFields = z
  .array(z.string())
  .optional()
  .describe(
    'With duplicate: the fields, at the top, in which this is another than what the same key sent first. The invoice is as the first; nothing of this is kept',
  );

export const acceptedOrder = z
  .object({
    ok: z.literal(true),
    invoiceId: z.uuid(),
    customerId: z.uuid(),
    duplicate: z.literal(true).optional().describe('The order had been received already'),
    differingFields,
  })
  .meta({ id: 'AcceptedOrder', description: 'The order is an invoice draft' });

export const triedOrder = z
  .object({
    ok: z.literal(true),
    dry_run: dryRunMark,
    net_amount: z.number(),
    vat_amount: z.number(),
    rounding: z.number().describe('What is booked as rounding, so that the sum is what was paid'),
    total_amount: z.number(),
    warnings: problems.describe('Nothing that stops it, but worth a look before it is booked'),
  })
  .meta({
    id: 'TriedOrder',
    description: 'With dryRun: it would become an invoice draft, nothing is kept',
  });

export const queuedOrder = z
  .object({
    ok: z.literal(true),
    orderId: z.uuid(),
    status: openEnum({ queued: 'The order is safely stored and waits to be judged' }),
  })
  .meta({ id: 'QueuedOrder', description: 'Received; ask /api/inbound/avstamning afterwards' });

const reason = openEnum(orderReasons);

const amounts = { net: z.number(), vat: z.number(), gross: z.number() };

const oreTable = z
  .object({
    prices_include_vat: z.boolean(),
    rows: z.array(z.object({ row_no: z.int(), vat_rate: z.number(), ...amounts })),
    vat_rounded_per_rate: z.object(amounts).describe('As the order is calculated'),
    vat_rounded_per_row: z.object(amounts).describe('As some shops calculate'),
    total: z.number(),
    difference: z.number().describe('total minus the rows with VAT rounded per VAT rate'),
  })
  .meta({
    id: 'OreTable',
    description: 'Where the amounts differ when the rows do not come to total',
  });

export const rejectedOrder = errorAnswer(
  'unprocessable',
  'RejectedOrderError',
  z.object({
    order_id: z.uuid().optional().describe('Left out with dryRun'),
    external_id: z.string().nullable(),
    reason,
    problems,
    oren: oreTable.optional(),
    stored: z
      .boolean()
      .describe(
        'The order is stored, so that a person sees it in the order inbox: not with dryRun',
      ),
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
    refundIds: z
      .array(textSchema(255, 1))
      .max(maxAsked)
      .nullish()
      .describe('Refunds, by the numbers they were sent with'),
    tillReports: z
      .array(z.strictObject({ tillId: textSchema(100, 1), zNumber: z.int().min(0) }))
      .max(maxAsked)
      .nullish()
      .describe("Tills' Z reports, by till and number"),
  })
  .refine(
    (asked) => Object.values(asked).reduce((all, some) => all + (some?.length ?? 0), 0) <= maxAsked,
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
          received: 'Received, not judged yet',
          draft: 'Became an invoice draft, which may be booked by now',
          rejected: 'Stored with its reason; a person sees it',
          unknown: 'The key has sent no such order',
        }),
        reason: reason.nullish(),
        orderId: z.uuid().optional(),
        invoiceId: z.uuid().nullish(),
        customerId: z.uuid().nullish(),
        receivedAt: z.string().meta({ format: 'date-time' }).optional(),
      }),
    ),
    refunds: z
      .array(
        z.object({
          refundId: z.string(),
          externalId: z.string().optional().describe("The order's"),
          status: openEnum({
            received: 'Kept; also while its order was not sent by the same key',
            draft: 'A credit note, draft or booked',
            rejected: 'Waits with its reason, for a person or for its order',
            unknown: 'Never sent by this key',
          }),
          reason: openEnum(refundReasons).nullish(),
          invoiceId: z.uuid().nullish().describe('The credit note'),
          receivedAt: z.string().meta({ format: 'date-time' }).optional(),
        }),
      )
      .optional()
      .describe('When refundIds were asked for; a number sent for several orders has one each'),
    tillReports: z
      .array(
        z.object({
          tillId: z.string(),
          zNumber: z.int(),
          status: openEnum(tillReportStates),
          reason: openEnum(tillReasons).nullish(),
          receivedAt: z.string().meta({ format: 'date-time' }).optional(),
        }),
      )
      .optional()
      .describe('When tillReports were asked for'),
  })
  .meta({
    id: 'Reconciliation',
    description: 'One entry for each question, in the order of the questions',
  });
