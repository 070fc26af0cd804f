/** Refunds on the wire. */
import { z } from 'zod';
import { errorAnswer, problems } from '../../http/error-schemas.ts';
import { exampleDate, openEnum } from '../../http/schemas.ts';
import { dryRunMark } from '../../http/write-calls.ts';
import { differingFields, paymentInput } from './schemas.ts';

export const refundInput = z
  .looseObject({
    externalId: z.string().max(255).describe("The order's externalId, as it was sent"),
    refundId: z
      .string()
      .max(255)
      .describe(
        "The shop's own number of the refund; credits once, so it may not repeat between orders",
      ),
    refundDate: z
      .string()
      .meta({ format: 'date' })
      .describe("The day of the credit note; not before the order's"),
    currency: z
      .string()
      .nullish()
      .describe("The order's currency, which amounts are in also when it is left out"),
    amount: z
      .number()
      .nullish()
      .describe(
        'With VAT, in the currency of the order. Leave out both amount and rows to refund everything that remains',
      ),
    rows: z
      .array(
        z.looseObject({
          articleNumber: z
            .string()
            .nullish()
            .describe("Taken of the order's rows with that article, in their order"),
          rowNo: z
            .int()
            .nullish()
            .describe('A row of the order, 1 for the first; wins over articleNumber'),
          quantity: z.number().describe('How many come back; above zero'),
        }),
      )
      .nullish()
      .describe('Not together with amount'),
    payments: z
      .array(paymentInput)
      .nullish()
      .describe(
        'What was paid back, by several means; must come to what is credited and the tip. Booked with the credit note',
      ),
    tip: z
      .number()
      .nullish()
      .describe(
        "What of payments gave back the order's tip: no part of amount, no VAT, and no row of the credit note. Without payments it is read past",
      ),
  })
  .meta({
    id: 'Refund',
    example: {
      externalId: 'W-100245',
      refundId: 'R-2001',
      refundDate: exampleDate,
      rows: [{ rowNo: 2, quantity: 1 }],
    },
  });

export const acceptedRefund = z
  .object({
    ok: z.literal(true),
    duplicate: z.literal(true).optional().describe('That refund of that order was received before'),
    differingFields,
  })
  .meta({ id: 'AcceptedRefund', description: 'The refund is kept' });

export const checkedRefund = z
  .object({ ok: z.literal(true), dry_run: dryRunMark })
  .meta({ id: 'CheckedRefund', description: 'With dryRun: it can be read, nothing is kept' });

export const rejectedRefund = errorAnswer(
  'unprocessable',
  'RejectedRefundError',
  z.object({
    refund_id: z.string().nullable(),
    reason: openEnum({ invalid_refund: 'Something is missing or mistyped' }),
    problems,
    stored: z
      .boolean()
      .describe('The refund is kept, so that a person sees it in the order inbox: not with dryRun'),
  }),
);
