/** Rows of the bank on the wire. */
import { z } from 'zod';
import { paymentsOfRow } from '../../bank/statements/posted-store.ts';
import { errorAnswer, problems } from '../../http/error-schemas.ts';
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
import { updatedSince } from '../registers/schemas.ts';

const amount = signedDecimalSchema(2);
const ledgerAccount = z.int().min(1000).max(9999);
const ibanSchema = z
  .string()
  .max(42)
  .transform((text) => text.replaceAll(' ', '').toUpperCase())
  .refine((text) => /^[A-Z]{2}\d{2}[A-Z0-9]{10,30}$/.test(text), {
    error: 'ska vara ett IBAN, t.ex. SE4550000000058398257466',
    params: { reason: 'wrong_format' },
  })
  .meta({ type: 'string', example: 'SE4550000000058398257466' });

const party = z
  .strictObject({ name: textSchema(200).nullish(), account: textSchema(50).nullish() })
  .meta({ id: 'NewBankParty' });

const newPayment = z
  .strictObject({
    amount: amount
      .nullish()
      .describe('With the sign of the row; left out when the bank does not say'),
    ocr: textSchema(100, 1).nullish().describe('OCR or other reference to the recipient'),
    invoiceNumbers: z.array(textSchema(100, 1)).max(100).optional(),
    message: textSchema(500).nullish(),
    payer: party.nullish(),
    payee: party.nullish(),
    endToEndId: textSchema(100, 1).nullish().describe('The name that the payer gave the payment'),
  })
  .meta({ id: 'NewBankPayment' });

const newRow = z
  .strictObject({
    date: dateSchema.describe('The booking day of the bank'),
    amount: amount
      .refine((ore) => ore !== 0n, {
        error: 'får inte vara 0; utelämna rader utan belopp',
        params: { reason: 'zero' },
      })
      .describe('Kronor; minus when money goes out'),
    text: textSchema(500, 1),
    reference: textSchema(200, 1)
      .nullish()
      .describe('Reference of the bank; several rows may have the same'),
    transactionId: textSchema(200, 1).nullish().meta({
      description:
        'The id that the bank itself has for the row, the same each time it is fetched and never on another row. When all rows have it, there is never doubt about which exist',
    }),
    valueDate: dateSchema.nullish(),
    balanceAfter: amount.nullish().describe('The balance of the account after the row'),
    payments: z.array(newPayment).max(1000).optional().describe('The payments of the row'),
  })
  .meta({ id: 'NewBankTransaction' });

export const postedRows = z
  .strictObject({
    account: ledgerAccount
      .optional()
      .describe(
        'The account of the chart of accounts that the bank account has; either this or iban',
      ),
    iban: ibanSchema.optional(),
    from: dateSchema
      .optional()
      .describe('First day; all rows of the bank from that day on are included'),
    to: dateSchema
      .optional()
      .describe('Last day; all rows of the bank through that day are included'),
    openingBalance: amount.nullish().describe('The balance before the oldest row'),
    closingBalance: amount.nullish().describe('The balance after the newest row'),
    equalRows: z
      .enum(['known', 'new'])
      .optional()
      .describe(
        'What equal rows are when nothing shows whether they exist already: known is the same rows, new is more of them. Not said until the answer asks for it',
      ),
    rows: z
      .array(newRow)
      .min(1)
      .max(1000)
      .describe('Oldest or newest first, as the bank has them; in order within each day'),
  })
  .check(({ value, issues }) => {
    const count = [value.account, value.iban].filter((one) => one !== undefined).length;
    if (count === 1) return;
    issues.push({
      code: 'custom',
      input: value,
      path: ['account'],
      message:
        count === 0
          ? 'eller iban måste anges: vilket bankkonto raderna hör till'
          : 'och iban kan inte anges båda; ange det ena',
      params: { reason: count === 0 ? 'required' : 'one_of_two' },
    });
  })
  .meta({
    id: 'NewBankTransactions',
    example: {
      account: 1930,
      from: exampleDate,
      to: exampleDate,
      openingBalance: 10000,
      closingBalance: 22364,
      rows: [
        {
          date: exampleDate,
          amount: 12500,
          text: 'Bankgiro inbetalning',
          reference: '991-2346 00142',
          payments: [{ amount: 12500, ocr: '10041', payer: { name: 'Kunden AB' } }],
        },
        { date: exampleDate, amount: -136, text: 'BANKTJÄNSTER' },
      ],
    },
  });

export type PostedRowsInput = z.output<typeof postedRows>;

const balance = z.number().nullable();

export const takenRows = z
  .object({
    importId: z
      .uuid()
      .nullable()
      .describe('As in the event bank.imported; null when no row was new'),
    account: z.int(),
    iban: z.string().nullable(),
    added: z.int().describe('Rows that are new'),
    known: z.int().describe('Rows that existed already'),
    openingBalance: balance.describe('As it was said, or follows from the rows'),
    closingBalance: balance,
  })
  .meta({ id: 'TakenBankTransactions', description: 'All rows are there, each of them once' });

export const checkedRows = takenRows.omit({ importId: true }).extend({ dry_run: dryRunMark }).meta({
  id: 'CheckedBankTransactions',
  description: 'With dryRun: what would be taken in, nothing is written',
});

export const untakenRows = errorAnswer(
  'unprocessable',
  'BankTransactionsUnprocessableError',
  z.object({
    problems,
    days: z
      .array(z.object({ day: z.string().meta({ format: 'date' }), rows: z.int() }))
      .optional()
      .describe('When equalRows must be said: the days, and how many rows may exist already'),
  }),
);

const listedParty = z
  .object({ name: z.string().nullable(), account: z.string().nullable() })
  .meta({ id: 'BankParty' });

const listedPayment = z
  .object({
    amount: z.number().nullable(),
    ocr: z.string().nullable().describe('The first of references'),
    references: z.array(z.string()).describe('OCR and other references to the recipient'),
    invoiceNumbers: z.array(z.string()),
    message: z.string().nullable(),
    payer: listedParty,
    payee: listedParty,
    endToEndId: z.string().nullable(),
    returnReason: z.string().nullable().describe('Why a payment came back'),
  })
  .meta({ id: 'BankPayment' });

const day = z.string().meta({ format: 'date' });

const listedRow = z
  .object({
    id: z.uuid(),
    account: z.int(),
    iban: z.string().nullable(),
    date: day,
    valueDate: day.nullable(),
    amount: z.number(),
    text: z.string(),
    reference: z.string().nullable(),
    transactionId: z.string().nullable(),
    balanceAfter: balance,
    matched: z.boolean().describe('Whether a voucher books the row'),
    matchedAt: z.string().meta({ format: 'date-time' }).nullable(),
    voucher: z
      .object({ id: z.uuid(), label: z.string().meta({ example: 'A17' }), url: z.url() })
      .nullable(),
    paymentCount: z.int(),
    payments: z.array(listedPayment).describe(`At most ${paymentsOfRow} of them`),
    createdAt: z.string().meta({ format: 'date-time' }).describe('When the row came here'),
    updatedAt: z
      .string()
      .meta({ format: 'date-time' })
      .describe('When it came, got its voucher, lost it or was detailed'),
    url: z.url(),
  })
  .meta({ id: 'BankTransaction' });

export const rowPage = pageSchema(listedRow, 'BankTransactionPage', 'A page of bank rows, by date');

export const rowQuery = z.strictObject({
  account: queryInteger(1000, 9999)
    .optional()
    .describe('The account of the chart of accounts that the bank account has'),
  iban: ibanSchema.optional().describe('Only of this bank account'),
  from: dateSchema.optional().describe('Earliest booking day'),
  to: dateSchema.optional().describe('Latest booking day'),
  matched: queryBoolean.describe('Only rows that a voucher books, or only others'),
  updatedSince,
  limit: queryInteger(1, 200).default(50).describe('Rows a page'),
  cursor: cursorParameter,
});
