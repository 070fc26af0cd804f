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
      .meta({ example: 1930, description: 'Finns i kontoplanen och är aktivt' }),
    debit: amountSchema.meta({ type: 'number', minimum: 0, maximum: 9_999_999_999.99 }),
    credit: amountSchema.meta({ type: 'number', minimum: 0, maximum: 9_999_999_999.99 }),
    note: textSchema(500).nullish(),
    cost_center: idSchema.nullish().describe('Dimensionens id, inte dess kod'),
    project: idSchema.nullish().describe('Dimensionens id, inte dess kod'),
    vat_code: textSchema(20, 1).nullish().meta({
      example: 'MP1',
      description:
        'Momskod som något konto i kontoplanen har. Utelämnad eller null: kontots egen när verifikatet bokförs',
    }),
  })
  .meta({ id: 'NewVoucherRow' });

export const voucherInput = z
  .strictObject({
    seriesCode: seriesCodeSchema,
    date: dateSchema.describe('Avgör räkenskapsår, period och vilka lås som prövas'),
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
      .describe('Verifikatets ursprung: ett ord med små bokstäver, api när inget anges'),
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
  .meta({ id: 'PostedVoucher', description: 'Verifikatet har fått sitt nummer' });

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
  .meta({ id: 'CheckedVoucher', description: 'Med dryRun: inget hindrar, inget är skrivet' });

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
            .describe('Som raden bokfördes; ändras inte när kontots momskod ändras'),
        })
        .meta({ id: 'VoucherRow' }),
    ),
  })
  .meta({ id: 'Voucher' });

export const voucherPage = pageSchema(voucher, 'VoucherPage', 'En sida verifikat i datumordning');

export const voucherQuery = z.strictObject({
  from: dateSchema.optional().describe('Tidigaste verifikationsdatum'),
  to: dateSchema.optional().describe('Senaste verifikationsdatum'),
  serie: seriesCodeSchema.optional().describe('Seriekod'),
  konto: queryInteger(1, 999_999_999).optional().describe('Bara verifikat med en rad på kontot'),
  id: idSchema.optional().describe('Ett enda verifikat'),
  limit: queryInteger(1, 200)
    .default(50)
    .describe(
      'Verifikat per sida, 50 när inget anges; färre när de har tusentals rader, så läs vidare medan has_more är true',
    ),
  cursor: cursorParameter,
});
