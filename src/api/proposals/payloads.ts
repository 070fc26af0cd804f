/** What may be proposed, as programs send it: each payload in the words of the route that would book it. */
import { z } from 'zod';
import type { WriteCall } from '../../access/keys/write-calls.ts';
import { foreignCurrencies, homeCurrency } from '../../domain/basics/exchange-rate.ts';
import { normalizePaymentAccount } from '../../domain/basics/payment-accounts.ts';
import { isVisible } from '../../domain/basics/visible-text.ts';
import { purchaseVatCodes, usualVatCode } from '../../domain/purchases/vat-codes.ts';
import { wholeDeduction } from '../../domain/purchases/written-purchase.ts';
import { priceDraft } from '../../domain/sales/invoice-draft.ts';
import { pathText } from '../../http/problems.ts';
import {
  amountSchema,
  dateSchema,
  exchangeRateSchema,
  idSchema,
  textSchema,
} from '../../http/schemas.ts';
import { refuse, refuseWhole } from '../../lib/errors.ts';
import type { ProposalKind, Proposed } from '../../proposals/proposed.ts';
import type { ProposalCall } from '../../proposals/store.ts';
import { draftRow } from '../invoices/row-schemas.ts';
import { invoiceInput } from '../invoices/schemas.ts';
import { balancedRows } from '../vouchers/posting.ts';
import { voucherInput } from '../vouchers/schemas.ts';

/** Rows that a person can look through. */
const rowsMax = 200;
const documentsMax = 20;

const documentIds = z
  .array(idSchema)
  .max(documentsMax)
  .nullish()
  .describe('Documents of the inbox that it is written from; they follow to what it becomes');

const rows = voucherInput.shape.rows.max(rowsMax);
const written = voucherInput.omit({ source: true, seriesCode: true, date: true }).extend({ rows });

const voucher = voucherInput.omit({ source: true }).extend({ rows, documentIds });

const correction = z.strictObject({
  voucherId: idSchema.describe('The voucher to take back'),
  date: dateSchema.describe('Of the voucher that takes it back, and of the one in its place'),
  description: textSchema(500, 1).describe('Why: of the voucher that takes it back'),
  replacement: written.nullish().describe('What should have been there; none when nothing should'),
});

const oneTarget = 'ett av voucherId, invoiceId, purchaseId och account ska anges';

const match = z
  .strictObject({
    transactionId: idSchema.describe(
      'The row of the bank, as GET /api/v1/banktransaktioner has it',
    ),
    voucherId: idSchema.nullish().describe('The voucher that books it already'),
    invoiceId: idSchema.nullish().describe('The customer invoice that it pays'),
    purchaseId: idSchema.nullish().describe('The supplier invoice that it pays'),
    account: z.int().min(1).max(999_999_999).nullish().describe('The account to book it on'),
    description: textSchema(500, 1).nullish().describe('Of the voucher, with account'),
    seriesCode: textSchema(2, 1).nullish().describe('Of the voucher, with account; A unless said'),
  })
  .superRefine((body, context) => {
    const targets = [body.voucherId, body.invoiceId, body.purchaseId, body.account];
    const say = (path: string, message: string, reason: string) =>
      context.addIssue({ code: 'custom', path: [path], message, params: { reason } });
    if (targets.filter((one) => one != null).length !== 1)
      say('transactionId', oneTarget, 'one_target');
    else if (body.account != null && body.description == null) {
      say('description', 'saknas: verifikatet behöver en beskrivning', 'required');
    } else if (body.account == null && (body.description != null || body.seriesCode != null)) {
      say('account', 'saknas: description och seriesCode hör till ett konto', 'required');
    }
  });

const invoiceDraft = invoiceInput
  .omit({ book: true })
  .extend({ rows: invoiceInput.shape.rows.max(rowsMax) });

const positive = amountSchema
  .refine((ore) => ore > 0n, { error: 'ska vara över noll', params: { reason: 'zero' } })
  .meta({ type: 'number', minimum: 0.01, maximum: 9_999_999_999.99 });
const anyAmount = amountSchema.meta({ type: 'number', minimum: 0, maximum: 9_999_999_999.99 });

const rateOfItsOwn = 'saknas: en annan valuta än SEK har en kurs, och SEK ingen';

const purchase = z
  .strictObject({
    supplierId: idSchema,
    kind: z.enum(['invoice', 'credit_note']).nullish().describe('invoice unless said'),
    invoiceNumber: textSchema(100, 1).describe('As the supplier wrote it'),
    invoiceDate: dateSchema,
    dueDate: dateSchema.nullish().describe("The supplier's terms unless said"),
    reference: textSchema(100, 1).nullish().describe('OCR number or message'),
    payTo: z
      .strictObject({
        kind: z.enum(['bankgiro', 'plusgiro', 'iban']),
        number: textSchema(50, 1),
      })
      .refine(({ kind, number }) => normalizePaymentAccount(kind, number) !== null, {
        path: ['number'],
        error: 'är inget sådant nummer; kontrollera siffrorna',
        params: { reason: 'wrong_number' },
      })
      .nullish()
      .describe("Where it is to be paid; the supplier's known accounts unless said"),
    currency: z
      .enum([homeCurrency, ...foreignCurrencies])
      .nullish()
      .describe('Of all amounts; SEK unless said'),
    exchangeRate: exchangeRateSchema
      .nullish()
      .describe(
        'Kronor for one of the currency on the day of the invoice, at most six decimals: what it is booked at. Required in other currencies than SEK, and no part of it in kronor',
      ),
    total: positive.describe('To be paid, with VAT'),
    vat: anyAmount.nullish().describe('As printed'),
    pricesIncludeVat: z.boolean().nullish().describe("Whether the rows' amounts have VAT in them"),
    rows: z
      .array(
        z
          .strictObject({
            account: z.int().min(1).max(999_999_999).meta({ example: 4000 }),
            amount: anyAmount
              .nullish()
              .describe('Left out on one row at most: what the others leave'),
            vatCode: z
              .enum([...purchaseVatCodes.keys()] as [string, ...string[]])
              .nullish()
              .describe('I25 unless said'),
            deductiblePct: z
              .int()
              .min(0)
              .max(100)
              .nullish()
              .describe('Of the VAT; 100 unless said'),
            note: textSchema(500).nullish(),
            costCenter: idSchema.nullish(),
            project: idSchema.nullish(),
          })
          .meta({ id: 'NewProposedPurchaseRow' }),
      )
      .min(1)
      .max(rowsMax),
    documentIds,
  })
  .superRefine(({ currency, exchangeRate }, context) => {
    const isForeign = (currency ?? homeCurrency) !== homeCurrency;
    if (isForeign === (exchangeRate != null)) return;
    const params = { reason: isForeign ? 'required' : 'rate_of_kronor' };
    context.addIssue({ code: 'custom', path: ['exchangeRate'], message: rateOfItsOwn, params });
  });

export const payloads = {
  voucher: seen(voucher).meta({
    id: 'NewProposedVoucher',
    description: 'A voucher, as POST /api/v1/verifikat takes it',
  }),
  correction: seen(correction).meta({
    id: 'NewProposedCorrection',
    description: 'A voucher taken back, and perhaps one in its place',
  }),
  match: seen(match).meta({
    id: 'NewProposedMatch',
    description: 'What a row of the bank is to be booked as: one of the four',
  }),
  invoice_draft: seen(invoiceDraft).meta({
    id: 'NewProposedInvoiceDraft',
    description: 'A customer invoice as a draft, as POST /api/v1/kundfakturor takes it',
  }),
  purchase: seen(purchase).meta({
    id: 'NewProposedPurchase',
    description: "A supplier's invoice, as a draft in the inbox",
  }),
} as const;

/** What a person approves is what they see: no text of it has anything in it that nobody sees. */
function seen<Schema extends z.ZodType>(schema: Schema): Schema {
  return schema.superRefine((body, context) => {
    for (const path of hiddenIn(body, [])) {
      const message = 'innehåller tecken som inte syns; ta bort dem';
      context.addIssue({
        code: 'custom',
        path,
        message,
        params: { reason: 'invisible_character' },
      });
    }
  });
}

function* hiddenIn(
  value: unknown,
  path: readonly (string | number)[],
): Generator<(string | number)[]> {
  if (typeof value === 'string') {
    if (!isVisible(value, { lines: path.at(-1) === 'notes' })) yield [...path];
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* hiddenIn(item, [...path, index]);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) yield* hiddenIn(item, [...path, key]);
  }
}

type Payload<Kind extends ProposalKind> = z.output<(typeof payloads)[Kind]>;

/** What a payload of the kind becomes. Throws of what no form of it can take: rows that do not balance, amounts beyond all bounds. */
export function proposedOf(kind: ProposalKind, payload: object): Proposed {
  const read = payloads[kind].safeParse(payload);
  if (!read.success) {
    const [issue] = read.error.issues;
    const params = { path: pathText(issue?.path ?? []) };
    throw refuseWhole('unprocessable', 'proposal_unreadable', params, { cause: read.error });
  }
  switch (kind) {
    case 'voucher':
      return voucherOf(read.data as Payload<'voucher'>);
    case 'correction':
      return correctionOf(read.data as Payload<'correction'>);
    case 'match':
      return matchOf(read.data as Payload<'match'>);
    case 'invoice_draft':
      return draftOf(read.data as Payload<'invoice_draft'>);
    case 'purchase':
      return purchaseOf(read.data as Payload<'purchase'>);
    default:
      return kind satisfies never;
  }
}

function voucherOf(body: Payload<'voucher'>): Proposed {
  const { seriesCode: series, date, description, counterparty = null } = body;
  return {
    kind: 'voucher',
    voucher: { series, date, description, counterparty, rows: balancedRows(body.rows) },
    documentIds: [...new Set(body.documentIds ?? [])],
  };
}

function correctionOf(body: Payload<'correction'>): Proposed {
  const { voucherId: correctedId, date, description, replacement } = body;
  return {
    kind: 'correction',
    correction: {
      correctedId,
      date,
      description,
      replacement: replacement
        ? {
            description: replacement.description,
            counterparty: replacement.counterparty ?? null,
            rows: balancedRows(replacement.rows, 'replacement.'),
          }
        : null,
    },
  };
}

function matchOf(body: Payload<'match'>): Proposed {
  const { transactionId, voucherId, invoiceId, purchaseId, account, description, seriesCode } =
    body;
  const target =
    voucherId != null
      ? ({ kind: 'voucher', id: voucherId } as const)
      : invoiceId != null
        ? ({ kind: 'invoice', id: invoiceId } as const)
        : purchaseId != null
          ? ({ kind: 'purchase', id: purchaseId } as const)
          : ({
              kind: 'account',
              account: account ?? 0,
              description: description ?? '',
              series: seriesCode ?? 'A',
            } as const);
  return { kind: 'match', transactionId, target };
}

function draftOf(body: Payload<'invoice_draft'>): Proposed {
  const draft = {
    customerId: body.customerId,
    invoiceDate: body.invoiceDate,
    deliveryDate: body.deliveryDate ?? null,
    paymentTermsDays: body.paymentTerms,
    yourReference: body.yourReference ?? null,
    notes: body.notes ?? null,
    rows: body.rows.map(draftRow),
    isVatConfirmed: false,
  };
  const decision = priceDraft(draft);
  if (decision.kind !== 'draft') throw refuse('unprocessable', decision.problems);
  return { kind: 'invoice_draft', draft };
}

function purchaseOf(body: Payload<'purchase'>): Proposed {
  return {
    kind: 'purchase',
    invoice: {
      supplierId: body.supplierId,
      kind: body.kind ?? 'invoice',
      invoiceNumber: body.invoiceNumber,
      issueDate: body.invoiceDate,
      currency: body.currency ?? homeCurrency,
      exchangeRateE6: body.exchangeRate ?? null,
      dueDate: body.dueDate ?? null,
      reference: body.reference ?? null,
      payTo: body.payTo
        ? {
            kind: body.payTo.kind,
            number:
              normalizePaymentAccount(body.payTo.kind, body.payTo.number) ?? body.payTo.number,
          }
        : null,
      totalOre: body.total,
      vatOre: body.vat ?? null,
      isVatIncluded: body.pricesIncludeVat ?? false,
      documentIds: [...new Set(body.documentIds ?? [])],
      lines: body.rows.map((row) => ({
        account: row.account,
        ore: row.amount ?? null,
        vatCode: row.vatCode ?? usualVatCode,
        deduction:
          row.deductiblePct == null
            ? wholeDeduction
            : ({ kind: 'share', percent: row.deductiblePct } as const),
        note: row.note ?? null,
        costCenter: row.costCenter ?? null,
        project: row.project ?? null,
      })),
    },
  };
}

/** A proposal as a call brought it, its shape checked. */
export interface SentProposal {
  readonly kind: ProposalKind;
  readonly payload: object;
  readonly untrusted_text?: string | null | undefined;
}

/** What is kept of it. Throws as `proposedOf` when what it would become cannot be. */
export function proposalOfCall(
  { kind, payload, untrusted_text: prose = null }: SentProposal,
  call: Omit<WriteCall, 'request'>,
): ProposalCall {
  proposedOf(kind, payload);
  const { keyHash, idempotencyKey, requestHash, requestId } = call;
  if (idempotencyKey === null) throw new Error('a proposal has an Idempotency-Key');
  return { keyHash, idempotencyKey, requestHash, requestId, kind, payload, prose };
}
