/** Rows as somebody typed them, as they are kept until the day that they are invoiced. */
import { z } from 'zod';
import { vatRates } from '../../domain/ledger/vat.ts';
import type { TypedDraftRow } from '../../domain/sales/typed-draft.ts';

const integer = z
  .string()
  .regex(/^-?\d{1,16}$/)
  .transform(BigInt);

const typedRow = z.object({
  articleNumber: z.string().nullable(),
  description: z.string().nullable(),
  quantityE4: integer,
  unit: z.string().nullable(),
  unitPriceE4: integer.nullable(),
  discountE2: integer,
  vatRate: z.literal([...vatRates]).nullable(),
  account: z.int().nullable(),
}) satisfies z.ZodType<TypedDraftRow>;

/** Throws when they are none of ours. */
export const typedRowsOf = (stored: unknown): TypedDraftRow[] => z.array(typedRow).parse(stored);

export const rowTextsOf = (rows: readonly TypedDraftRow[]): string =>
  JSON.stringify(
    rows.map(
      ({
        articleNumber,
        description,
        quantityE4,
        unit,
        unitPriceE4,
        discountE2,
        vatRate,
        account,
      }) =>
        ({
          articleNumber,
          description,
          quantityE4: String(quantityE4),
          unit,
          unitPriceE4: unitPriceE4 === null ? null : String(unitPriceE4),
          discountE2: String(discountE2),
          vatRate,
          account,
        }) satisfies Record<keyof TypedDraftRow, unknown>,
    ),
  );
