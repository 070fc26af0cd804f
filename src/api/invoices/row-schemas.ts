/** The rows of invoices and orders on the wire (contract 2.3, 2.6). */
import { z } from 'zod';
import { vatRates, vatRateWords } from '../../domain/ledger/vat.ts';
import { type DraftRow, isOneLine, unitLengthMax } from '../../domain/sales/invoice.ts';
import { percentSchema, signedDecimalSchema, textSchema } from '../../http/schemas.ts';

const unit = 'Vad antalet räknas i, till exempel tim';
const discountPct = 'Rabatt i procent på antal × à-pris, 0–100 med högst två decimaler';

export const invoiceRowInput = z
  .strictObject({
    description: textSchema(500, 1),
    quantity: signedDecimalSchema(4).describe('Högst fyra decimaler, inte 0; minus för rabatt'),
    unitPrice: signedDecimalSchema(4).describe('Kronor utan moms, högst fyra decimaler'),
    vatRate: z.literal(vatRates).describe('Procent; ska vara intäktskontots momssats'),
    account: z
      .int()
      .min(1)
      .max(999_999_999)
      .meta({ example: 3001 })
      .describe('Aktivt intäktskonto'),
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
  vatRate: z.number().describe(`Procent: ${vatRateWords}`),
  articleNumber: z.string().nullish(),
  unit: z.string().max(unitLengthMax).nullish().describe(unit),
  discountPct: z.number().min(0).max(100).nullish().describe(`${discountPct}; total är efter den`),
});
