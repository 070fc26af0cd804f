/** Settlements of providers on the wire. */
import { z } from 'zod';
import { countryOf } from '../../domain/basics/countries.ts';
import {
  type ProviderSettlement,
  settlementLineKinds,
  usualClearingAccount,
} from '../../domain/purchases/provider-settlement.ts';
import {
  cursorParameter,
  dateSchema,
  exampleDate,
  pageSchema,
  queryBoolean,
  queryInteger,
  signedDecimalSchema,
  textSchema,
} from '../../http/schemas.ts';
import { dryRunMark } from '../../http/write-calls.ts';

const amount = signedDecimalSchema(2);
const account = z.int().min(1000).max(9999);
const kind = z
  .enum(settlementLineKinds)
  .describe(
    'sale: sales; refund: refunds to buyers; fee: fees; fee_vat: Swedish VAT on fees; adjustment: anything else, on an account that is given; reserve: what is withheld (minus) or released (plus)',
  );

const newLine = z
  .strictObject({
    kind,
    amount: amount
      .refine((ore) => ore !== 0n, {
        error: 'får inte vara 0; utelämna rader utan belopp',
        params: { reason: 'zero' },
      })
      .describe('Kronor, with the sign of the payout: what lessens it is minus'),
    account: account
      .nullish()
      .describe('For fee the account of the cost, otherwise 6570; for adjustment it must be given'),
    reverseChargeVat: amount.nullish().meta({
      description:
        'VAT that you are to account for yourself on a fee from abroad, 25 % of it and above zero; not part of the payout',
    }),
    text: textSchema(500).nullish(),
    reference: textSchema(100, 1).nullish().describe('The number of the order or invoice'),
  })
  .meta({ id: 'NewSettlementLine' });

export const postedSettlement = z
  .strictObject({
    provider: textSchema(100, 1).describe('E.g. Stripe, Klarna, Swedbank Pay'),
    settlementId: textSchema(100, 1).describe(
      'The name that the provider has for the settlement; provider and settlementId are booked once',
    ),
    date: dateSchema.describe('The day of the voucher'),
    account: account
      .default(usualClearingAccount)
      .describe('The clearing account, 1580–1589 or 1680–1689'),
    country: z
      .string()
      .max(50)
      .transform((text, context) => {
        const country = countryOf(text);
        if (country !== null) return country;
        context.addIssue({
          code: 'custom',
          message: 'ska vara en landskod med två bokstäver, t.ex. SE eller IE',
          params: { reason: 'wrong_format' },
        });
        return z.NEVER;
      })
      .default('SE')
      .meta({ type: 'string', description: 'Where the provider is established', example: 'SE' }),
    payout: amount.describe('What comes to the bank; minus when money is drawn from there'),
    payoutReference: textSchema(100, 1)
      .nullish()
      .describe('What the bank row says, when it is something else than settlementId'),
    lines: z.array(newLine).min(1).max(1000).describe('Together they become payout'),
  })
  .meta({
    id: 'NewSettlement',
    example: {
      provider: 'Kortbolaget',
      settlementId: 'AVR-2026-0331',
      date: exampleDate,
      payout: 9675,
      lines: [
        { kind: 'sale', amount: 10500, reference: '10041' },
        { kind: 'refund', amount: -500 },
        { kind: 'fee', amount: -260 },
        { kind: 'fee_vat', amount: -65 },
      ],
    },
  });
/** What a call, or a file that a command is given, says. */
export const settlementOf = (body: z.output<typeof postedSettlement>): ProviderSettlement => ({
  provider: body.provider.trim(),
  number: body.settlementId.trim(),
  day: body.date,
  account: body.account,
  payoutOre: body.payout,
  payoutReference: body.payoutReference?.trim() ?? null,
  country: body.country,
  lines: body.lines.map((line) => ({
    kind: line.kind,
    amountOre: line.amount,
    account: line.account ?? null,
    reverseChargeVatOre: line.reverseChargeVat ?? null,
    text: line.text ?? null,
    reference: line.reference?.trim() ?? null,
  })),
});

const day = z.string().meta({ format: 'date' });
const voucher = z
  .object({ id: z.uuid(), label: z.string().meta({ example: 'A17' }), url: z.url() })
  .meta({ id: 'SettlementVoucher' });

export const bookedSettlement = z
  .object({
    id: z.uuid(),
    provider: z.string(),
    settlementId: z.string(),
    payout: z.number(),
    voucher,
    duplicate: z
      .boolean()
      .describe(
        'Whether the same settlement was booked already; the answer is then about that one',
      ),
    url: z.url(),
  })
  .meta({ id: 'BookedSettlement', description: 'The settlement is booked, once' });

export const checkedSettlement = bookedSettlement
  .omit({ id: true, voucher: true, url: true })
  .extend({ dry_run: dryRunMark })
  .meta({
    id: 'CheckedSettlement',
    description: 'With dryRun: nothing hinders, nothing is written',
  });

const listedLine = z
  .object({
    kind: z.string(),
    amount: z.number(),
    account: z.int().nullable(),
    reverseChargeVat: z.number().nullable(),
    text: z.string().nullable(),
    reference: z.string().nullable(),
  })
  .meta({ id: 'SettlementLine' });

const listedSettlement = z
  .object({
    id: z.uuid(),
    provider: z.string(),
    settlementId: z.string(),
    date: day,
    account: z.int(),
    country: z.string(),
    payout: z.number(),
    payoutReference: z.string().nullable(),
    paid: z.boolean().describe('Whether the payout is booked'),
    voucher,
    payoutVoucher: voucher.nullable(),
    takenBack: z
      .boolean()
      .describe('Whether the voucher has been reversed; the settlement can then be sent again'),
    lines: z.array(listedLine),
    createdAt: z.string().meta({ format: 'date-time' }),
    url: z.url(),
  })
  .meta({ id: 'Settlement' });

export const settlementPage = pageSchema(
  listedSettlement,
  'SettlementPage',
  'A page of settlements, by date',
);

export const settlementQuery = z.strictObject({
  provider: textSchema(100, 1).optional().describe('Only of this payment provider'),
  settlementId: textSchema(100, 1).optional().describe('Only the settlement of this name'),
  from: dateSchema.optional().describe('Earliest day'),
  to: dateSchema.optional().describe('Latest day'),
  paid: queryBoolean.describe('Only settlements whose payout is booked, or only others'),
  limit: queryInteger(1, 50).default(20).describe('Settlements a page'),
  cursor: cursorParameter,
});
