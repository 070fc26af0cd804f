/** The rows of invoices and orders on the wire (contract 2.3, 2.6). */
import { z } from 'zod';
import { vatRates } from '../../domain/ledger/vat.ts';
import { type DraftRow, isOneLine, unitLengthMax } from '../../domain/sales/invoice.ts';
import { percentSchema, signedDecimalSchema, textSchema } from '../../http/schemas.ts';

const unit = 'What the quantity is counted in, for example tim';
const discountPct =
  'Discount in per cent of quantity × unit price, 0–100 with at most two decimals';

export const invoiceRowInput = z
  .strictObject({
    description: textSchema(500, 1),
    quantity: signedDecimalSchema(4).describe(
      'At most four decimals, not 0; minus for a deduction',
    ),
    unitPrice: signedDecimalSchema(4).describe('Kronor without VAT, at most four decimals'),
    vatRate: z.literal(vatRates).describe('Per cent; must be the VAT rate of the income account'),
    account: z
      .int()
      .min(1)
      .max(999_999_999)
      .meta({ example: 3001 })
      .describe('An active income account'),
    articleNumber: textSchema(100, 1).nullish(),
    unit: textSchema(unitLengthMax, 1)
      .refine(isOneLine, {
        error: 'ska vara en kort text på en rad, till exempel tim',
        params: { reason: 'control_character' },
      })
      .nullish()
      .describe(unit),
    discountPct: percentSchema.nullish().describe(discountPct),
  })
  .meta({ id: 'NewCustomerInvoiceRow' });

/** The row as it is to be invoiced. */
export const draftRow = ({
  quantity,
  unitPrice,
  discountPct,
  ...row
}: z.output<typeof invoiceRowInput>): DraftRow => ({
  ...row,
  articleNumber: row.articleNumber ?? null,
  unit: row.unit ?? null,
  quantityE4: quantity,
  unitPriceE4: unitPrice,
  discountE2: discountPct ?? 0n,
});

/** As documented: what breaks its form is judged with the order (src/domain/sales/order-shape.ts). */
export const orderRowInput = z.looseObject({
  description: z.string().max(500),
  quantity: z.number(),
  unitPrice: z.number(),
  vatRate: z
    .number()
    .describe(
      `Per cent: ${vatRates.join(', ')}; where the company has switched OSS on also that of another EU country, as 25.5`,
    ),
  vatCountry: z
    .string()
    .nullish()
    .describe(
      "Whose VAT vatRate is, where the company has switched OSS on: SE or another EU country. Left out: by the buyer's country and the rate",
    ),
  giftCard: z
    .boolean()
    .nullish()
    .describe(
      'true of a gift card of several uses, with vatRate 0: a debt until it is redeemed, when it is a payment by gift_card. One whose goods and rate are known is sold as they are',
    ),
  articleNumber: z.string().nullish(),
  unit: z.string().max(unitLengthMax).nullish().describe(unit),
  discountPct: z.number().min(0).max(100).nullish().describe(`${discountPct}; total is after it`),
});
