/** Vouchers on the wire (contract 2.1, 2.2, 4.3, 4.4). */
import { z } from 'zod';
import { isReservedSource } from '../../domain/ledger/voucher.ts';
import { errorAnswer, problems } from '../../http/error-schemas.ts';
import {
  amountSchema,
  cursorParameter,
  dateSchema,
  exampleDate,
  idSchema,
  pageSchema,
  queryInteger,
  textSchema,
} from '../../http/schemas.ts';

const seriesCodeSchema = textSchema(2, 1).meta({ example: 'A' });

const voucherRowInput = z
  .strictObject({
    account: z
      .int()
      .min(1)
      .max(999_999_999)
      .meta({ example: 1930, description: 'Exists in the chart of accounts and is active' }),
    debit: amountSchema.meta({ type: 'number', minimum: 0, maximum: 9_999_999_999.99 }),
    credit: amountSchema.meta({ type: 'number', minimum: 0, maximum: 9_999_999_999.99 }),
    note: textSchema(500).nullish(),
    cost_center: idSchema.nullish().describe('The id of the dimension, not its code'),
    project: idSchema.nullish().describe('The id of the dimension, not its code'),
    vat_code: textSchema(20, 1).nullish().meta({
      example: 'MP1',
      description:
        'A VAT code that some account of the chart of accounts has. Left out or null: that of the account when the voucher is posted',
    }),
  })
  .meta({ id: 'NewVoucherRow' });

export const voucherInput = z
  .strictObject({
    seriesCode: seriesCodeSchema,
    date: dateSchema.describe('Decides fiscal year, period and which locks are tried'),
    description: textSchema(500, 1),
    counterparty: textSchema(200).nullish(),
    source: z
      .string()
      .regex(/^[a-z][a-z0-9_]{0,39}$/, 'ska vara ett ord med små bokstäver a–z, högst 40 tecken')
      .refine((source) => !isReservedSource(source), {
        error: 'är reserverat för programmets egna verifikat; välj ett annat ord',
        params: { reason: 'reserved_source' },
      })
      .nullish()
      .describe('Where the voucher comes from: one word in lower case, api when none is given'),
    rows: z.array(voucherRowInput).min(2),
  })
  .meta({
    id: 'NewVoucher',
    example: {
      seriesCode: 'A',
      date: exampleDate,
      description: 'Kontantförsäljning',
      rows: [
        { account: 1930, debit: 1250, credit: 0 },
        { account: 3001, debit: 0, credit: 1000 },
        { account: 2611, debit: 0, credit: 250 },
      ],
    },
  });

export type VoucherInput = z.output<typeof voucherInput>;

export const postedVoucher = z
  .object({
    id: z.uuid(),
    series: z.string(),
    number: z.int(),
    label: z.string().meta({ example: 'A17' }),
    verification_date: z.string().meta({ format: 'date' }),
    url: z.url(),
  })
  .meta({ id: 'PostedVoucher', description: 'The voucher has got its number' });

export const unpostedVoucher = errorAnswer(
  'unprocessable',
  'VoucherUnprocessableError',
  z.object({ problems }),
);

/** A dry run that found nothing in the way: the voucher would have been posted. */
export const checkedVoucher = z
  .object({
    dry_run: z.literal(true),
    series: z.string(),
    verification_date: z.string().meta({ format: 'date' }),
    total_amount: z.number(),
  })
  .meta({ id: 'CheckedVoucher', description: 'With dryRun: nothing hinders, nothing is written' });

export const voucher = z
  .object({
    id: z.uuid(),
    number: z.int(),
    series: z.string(),
    verification_date: z.string().meta({ format: 'date' }),
    description: z.string(),
    counterparty: z.string().nullable(),
    source: z.string(),
    rows: z.array(
      z
        .object({
          row_no: z.int(),
          account: z.int(),
          debit: z.number(),
          credit: z.number(),
          note: z.string().nullable(),
          vat_code: z
            .string()
            .nullable()
            .describe(
              'As the row was posted; does not change when the VAT code of the account does',
            ),
        })
        .meta({ id: 'VoucherRow' }),
    ),
  })
  .meta({ id: 'Voucher' });

export const voucherPage = pageSchema(voucher, 'VoucherPage', 'A page of vouchers, by date');

export const voucherQuery = z.strictObject({
  from: dateSchema.optional().describe('Earliest date of a voucher'),
  to: dateSchema.optional().describe('Latest date of a voucher'),
  serie: seriesCodeSchema.optional().describe('Code of a series'),
  konto: queryInteger(1, 999_999_999)
    .optional()
    .describe('Only vouchers with a row on the account'),
  id: idSchema.optional().describe('A single voucher'),
  limit: queryInteger(1, 200)
    .default(50)
    .describe(
      'Vouchers a page, 50 when nothing is said; fewer when they have thousands of rows, so read on while has_more is true',
    ),
  cursor: cursorParameter,
});
