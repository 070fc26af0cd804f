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
    amount: amount.nullish().describe('Med radens tecken; utelämnas när banken inte säger det'),
    ocr: textSchema(100, 1).nullish().describe('OCR eller annan referens till mottagaren'),
    invoiceNumbers: z.array(textSchema(100, 1)).max(100).optional(),
    message: textSchema(500).nullish(),
    payer: party.nullish(),
    payee: party.nullish(),
    endToEndId: textSchema(100, 1).nullish().describe('Betalarens eget namn på betalningen'),
  })
  .meta({ id: 'NewBankPayment' });

const newRow = z
  .strictObject({
    date: dateSchema.describe('Bankens bokföringsdag'),
    amount: amount
      .refine((ore) => ore !== 0n, {
        error: 'får inte vara 0; utelämna rader utan belopp',
        params: { reason: 'zero' },
      })
      .describe('Kronor; minus när pengar går ut'),
    text: textSchema(500, 1),
    reference: textSchema(200, 1).nullish().describe('Bankens referens; flera rader kan ha samma'),
    transactionId: textSchema(200, 1).nullish().meta({
      description:
        'Bankens eget id på raden, samma varje gång den hämtas och aldrig på en annan rad. När alla rader har det råder aldrig tvekan om vilka som finns',
    }),
    valueDate: dateSchema.nullish(),
    balanceAfter: amount.nullish().describe('Kontots saldo efter raden'),
    payments: z.array(newPayment).max(1000).optional().describe('Betalningarna i raden'),
  })
  .meta({ id: 'NewBankTransaction' });

export const postedRows = z
  .strictObject({
    account: ledgerAccount
      .optional()
      .describe('Kontot i kontoplanen som bankkontot har; antingen det eller iban'),
    iban: ibanSchema.optional(),
    from: dateSchema
      .optional()
      .describe('Första dagen; alla bankens rader från och med den är med'),
    to: dateSchema.optional().describe('Sista dagen; alla bankens rader till och med den är med'),
    openingBalance: amount.nullish().describe('Saldot före den äldsta raden'),
    closingBalance: amount.nullish().describe('Saldot efter den yngsta raden'),
    equalRows: z
      .enum(['known', 'new'])
      .optional()
      .describe(
        'Vad lika rader är när inget visar om de finns redan: known är samma rader, new är fler. Sägs först när svaret frågar efter det',
      ),
    rows: z
      .array(newRow)
      .min(1)
      .max(1000)
      .describe('Äldst eller nyast först, som banken har dem; i ordning inom varje dag'),
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
      .describe('Som i händelsen bank.imported; null när ingen rad var ny'),
    account: z.int(),
    iban: z.string().nullable(),
    added: z.int().describe('Rader som är nya'),
    known: z.int().describe('Rader som fanns redan'),
    openingBalance: balance.describe('Som det sades eller följer av raderna'),
    closingBalance: balance,
  })
  .meta({ id: 'TakenBankTransactions', description: 'Alla rader är med, var och en gång' });

export const untakenRows = errorAnswer(
  'unprocessable',
  'BankTransactionsUnprocessableError',
  z.object({
    problems,
    days: z
      .array(z.object({ day: z.string().meta({ format: 'date' }), rows: z.int() }))
      .optional()
      .describe('När equalRows måste sägas: dagarna, och hur många rader som kan finnas redan'),
  }),
);

const listedParty = z
  .object({ name: z.string().nullable(), account: z.string().nullable() })
  .meta({ id: 'BankParty' });

const listedPayment = z
  .object({
    amount: z.number().nullable(),
    ocr: z.string().nullable().describe('Den första av references'),
    references: z.array(z.string()).describe('OCR och andra referenser till mottagaren'),
    invoiceNumbers: z.array(z.string()),
    message: z.string().nullable(),
    payer: listedParty,
    payee: listedParty,
    endToEndId: z.string().nullable(),
    returnReason: z.string().nullable().describe('Varför en betalning kom tillbaka'),
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
    matched: z.boolean().describe('Om ett verifikat bokför raden'),
    matchedAt: z.string().meta({ format: 'date-time' }).nullable(),
    voucher: z
      .object({ id: z.uuid(), label: z.string().meta({ example: 'A17' }), url: z.url() })
      .nullable(),
    paymentCount: z.int(),
    payments: z.array(listedPayment).describe(`Högst ${paymentsOfRow} av dem`),
    createdAt: z.string().meta({ format: 'date-time' }).describe('När raden kom hit'),
    url: z.url(),
  })
  .meta({ id: 'BankTransaction' });

export const rowPage = pageSchema(
  listedRow,
  'BankTransactionPage',
  'En sida bankrader i datumordning',
);

export const rowQuery = z.strictObject({
  account: queryInteger(1000, 9999).optional().describe('Bankkontots konto i kontoplanen'),
  iban: ibanSchema.optional(),
  from: dateSchema.optional().describe('Tidigaste bokföringsdag'),
  to: dateSchema.optional().describe('Senaste bokföringsdag'),
  matched: queryBoolean.describe('Bara rader som ett verifikat bokför, eller bara andra'),
  limit: queryInteger(1, 200).default(50).describe('Rader per sida'),
  cursor: cursorParameter,
});
