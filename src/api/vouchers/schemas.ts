/** Vouchers on the wire (contract 2.1, 2.2, 4.3, 4.4). */
import { z } from 'zod';
import { isReservedSource } from '../../domain/ledger/voucher.ts';
import { refusedItemSchema } from '../../http/bulk.ts';
import { errorAnswer, problems } from '../../http/error-schemas.ts';
import {
  amountSchema,
  cursorParameter,
  dateSchema,
  exampleDate,
  idSchema,
  pageSchema,
  queryBoolean,
  queryInteger,
  textSchema,
} from '../../http/schemas.ts';
import { accountNameField, dimensionNameFields, includeNamesAndDimensions } from '../included.ts';
import { several } from '../registers/schemas.ts';

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

const voucherExample = {
  seriesCode: 'A',
  date: exampleDate,
  description: 'Kontantförsäljning',
  rows: [
    { account: 1930, debit: 1250, credit: 0 },
    { account: 3001, debit: 0, credit: 1000 },
    { account: 2611, debit: 0, credit: 250 },
  ],
};

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
    externalId: textSchema(255, 1)
      .nullish()
      .describe(
        'What it is called where it comes from; several vouchers may share one. Find them by ?externalId=',
      ),
    rows: z.array(voucherRowInput).min(2),
  })
  .meta({
    id: 'NewVoucher',
    example: voucherExample,
  });

const bulkKey = textSchema(255, 8).meta({
  example: 'receipt-2026-0311',
  description:
    'Your own name for this very voucher, the same whenever it is sent again: what Idempotency-Key is for one by itself',
});

/** A voucher of a bulk. */
export const bulkVoucherInput = voucherInput.extend({ idempotencyKey: bulkKey }).meta({
  id: 'NewBulkVoucher',
  description: 'A voucher of a bulk, with the key that keeps it from being posted twice',
});

export const bulkExample = [{ idempotencyKey: 'receipt-2026-0311', ...voucherExample }];

/** One that is only to be judged. */
export const checkedBulkVoucherInput = voucherInput.extend({ idempotencyKey: bulkKey.optional() });

export const bulkQuery = z.strictObject({
  dryRun: queryBoolean.describe(
    'Judge everything and write nothing: no number is taken, and no idempotencyKey is needed',
  ),
  atomic: queryBoolean.describe(
    'All or none: 422 bulk_refused when something is in the way of one',
  ),
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

const done = { status: z.literal(200) };

const postedBulkVoucher = postedVoucher
  .extend({
    ...done,
    replayed: z.literal(true).optional().describe('It had been posted before'),
  })
  .meta({ id: 'PostedBulkVoucher', description: 'Posted, now or before' });

export type PostedBulkVoucher = z.output<typeof postedBulkVoucher>;

const checkedBulkVoucher = checkedVoucher
  .extend(done)
  .meta({ id: 'CheckedBulkVoucher', description: 'With dryRun: nothing is in the way' });

export type CheckedBulkVoucher = z.output<typeof checkedBulkVoucher>;

export const voucherBulkAnswer = z
  .object({
    results: z
      .array(z.union([postedBulkVoucher, checkedBulkVoucher, refusedItemSchema]))
      .describe('One for each voucher, in the order they came'),
  })
  .meta({ id: 'VoucherBulk', description: 'What became of each voucher' });

export const bulkRefused = errorAnswer(
  'bulk_refused',
  'BulkRefusedError',
  z.object({
    refused_count: z.int().describe('How many have something in their way'),
    refused: z.array(refusedItemSchema).describe('The first hundred of them'),
  }),
);

export const voucher = z
  .object({
    id: z.uuid(),
    number: z.int(),
    series: z.string(),
    verification_date: z.string().meta({ format: 'date' }),
    description: z.string(),
    counterparty: z.string().nullable(),
    source: z.string(),
    external_id: z.string().nullable().describe('What the sender calls it'),
    rows: z.array(
      z
        .object({
          row_no: z.int(),
          account: z.int(),
          ...accountNameField,
          debit: z.number(),
          credit: z.number(),
          note: z.string().nullable(),
          vat_code: z
            .string()
            .nullable()
            .describe(
              'As the row was posted; does not change when the VAT code of the account does',
            ),
          cost_center: z
            .uuid()
            .nullable()
            .optional()
            .describe('The id of the cost centre; with include=dimensions'),
          project: z
            .uuid()
            .nullable()
            .optional()
            .describe('The id of the project; with include=dimensions'),
          ...dimensionNameFields,
        })
        .meta({ id: 'VoucherRow' }),
    ),
  })
  .meta({ id: 'Voucher' });

export const voucherPage = pageSchema(voucher, 'VoucherPage', 'A page of vouchers, by date');

/** Which vouchers are asked for, in a list and in an export. */
export const voucherFilters = {
  from: dateSchema.optional().describe('Earliest date of a voucher'),
  to: dateSchema.optional().describe('Latest date of a voucher'),
  serie: seriesCodeSchema.optional().describe('Code of a series'),
  konto: queryInteger(1, 999_999_999)
    .optional()
    .describe('Only vouchers with a row on the account'),
  id: several(idSchema).describe('Only this one; several as ?id=…&id=…, at most 100'),
  externalId: several(textSchema(255, 1)).describe(
    'Those that their sender called so; several as ?externalId=…&externalId=…',
  ),
};

export const voucherQuery = z.strictObject({
  ...voucherFilters,
  include: includeNamesAndDimensions,
  limit: queryInteger(1, 200)
    .default(50)
    .describe(
      'Vouchers a page, 50 when nothing is said; fewer when they have thousands of rows, so read on while has_more is true',
    ),
  cursor: cursorParameter,
});
