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

const amount = signedDecimalSchema(2);
const account = z.int().min(1000).max(9999);
const kind = z
  .enum(settlementLineKinds)
  .describe(
    'sale: försäljning; refund: återbetalning till köpare; fee: avgift; fee_vat: svensk moms på avgifter; adjustment: annat, på ett konto som sägs; reserve: det som hålls inne (minus) eller släpps (plus)',
  );

const newLine = z
  .strictObject({
    kind,
    amount: amount
      .refine((ore) => ore !== 0n, {
        error: 'får inte vara 0; utelämna rader utan belopp',
        params: { reason: 'zero' },
      })
      .describe('Kronor, med utbetalningens tecken: det som minskar den är minus'),
    account: account
      .nullish()
      .describe('Av fee kostnadens konto, annars 6570; av adjustment måste det sägas'),
    reverseChargeVat: amount.nullish().meta({
      description:
        'Moms som ni själva ska redovisa på en avgift från utlandet, 25 % av den och större än noll; ingår inte i utbetalningen',
    }),
    text: textSchema(500).nullish(),
    reference: textSchema(100, 1).nullish().describe('Orderns eller fakturans nummer'),
  })
  .meta({ id: 'NewSettlementLine' });

export const postedSettlement = z
  .strictObject({
    provider: textSchema(100, 1).describe('T.ex. Stripe, Klarna, Swedbank Pay'),
    settlementId: textSchema(100, 1).describe(
      'Betaltjänstens eget namn på avräkningen; provider och settlementId bokförs en gång',
    ),
    date: dateSchema.describe('Verifikatets dag'),
    account: account
      .default(usualClearingAccount)
      .describe('Avräkningskontot, 1580–1589 eller 1680–1689'),
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
      .meta({ type: 'string', description: 'Var betaltjänsten är etablerad', example: 'SE' }),
    payout: amount.describe('Det som kommer till banken; minus när pengar dras därifrån'),
    payoutReference: textSchema(100, 1)
      .nullish()
      .describe('Det som står på bankraden, när det är något annat än settlementId'),
    lines: z.array(newLine).min(1).max(1000).describe('Blir tillsammans payout'),
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
      .describe('Om samma avräkning redan var bokförd; då är det den som svaret gäller'),
    url: z.url(),
  })
  .meta({ id: 'BookedSettlement', description: 'Avräkningen är bokförd, en gång' });

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
    paid: z.boolean().describe('Om utbetalningen är bokförd'),
    voucher,
    payoutVoucher: voucher.nullable(),
    takenBack: z
      .boolean()
      .describe('Om verifikatet är rättat bort; då kan avräkningen skickas igen'),
    lines: z.array(listedLine),
    createdAt: z.string().meta({ format: 'date-time' }),
    url: z.url(),
  })
  .meta({ id: 'Settlement' });

export const settlementPage = pageSchema(
  listedSettlement,
  'SettlementPage',
  'En sida avräkningar i datumordning',
);

export const settlementQuery = z.strictObject({
  provider: textSchema(100, 1).optional(),
  settlementId: textSchema(100, 1).optional(),
  from: dateSchema.optional().describe('Tidigaste dag'),
  to: dateSchema.optional().describe('Senaste dag'),
  paid: queryBoolean.describe('Bara avräkningar vars utbetalning är bokförd, eller bara andra'),
  limit: queryInteger(1, 50).default(20).describe('Avräkningar per sida'),
  cursor: cursorParameter,
});
