/** Events on the wire: the feed's items, and the bodies of webhooks. */
import { z } from 'zod';
import { orderRejectionMeanings } from '../../domain/sales/order-rejections.ts';
import { type EventType, eventMeanings } from '../../events/types.ts';
import { openEnum, queryInteger } from '../../http/schemas.ts';

const date = z.string().meta({ format: 'date' });

const event = z
  .object({
    id: z.guid().describe('Samma vid varje omsändning; också i rubriken webhook-id'),
    type: z.string().describe('Fler kan komma; läs förbi dem du inte känner'),
    timestamp: z.string().meta({ format: 'date-time' }),
    data: z
      .looseObject({})
      .nullable()
      .describe('Det som hände, med de namn API:et har för samma saker; null när det är borta'),
  })
  .meta({ id: 'Event', description: 'Alla händelser har den här formen.' });

const invoice = {
  invoice_id: z.uuid(),
  kind: openEnum({ invoice: 'Faktura', credit_note: 'Kreditfaktura' }),
  source: openEnum({ api: 'POST /api/v1/kundfakturor', order: 'En order', app: 'En människa' }),
  customer_id: z.uuid().nullable(),
  invoice_date: date,
  due_date: date,
  total: z.number().describe('Kronor med moms'),
};
const bookedInvoice = {
  ...invoice,
  invoice_number: z.int().nullable(),
  ocr: z.string().nullable(),
  voucher_id: z.uuid().nullable(),
};
const order = {
  orderId: z.uuid(),
  attemptId: z.uuid(),
  externalId: z.string().nullable(),
};

/** What `data` is, by the type of the event. */
const data: Readonly<Record<EventType, z.ZodRawShape>> = {
  'voucher.posted': {
    id: z.uuid(),
    series: z.string(),
    number: z.int(),
    label: z.string().meta({ example: 'A17' }),
    verification_date: date,
    source: z.string(),
  },
  'invoice.drafted': invoice,
  'invoice.booked': bookedInvoice,
  'invoice.paid': bookedInvoice,
  'order.received': order,
  'order.rejected': { ...order, reason: openEnum(orderRejectionMeanings).nullable() },
  'e_invoice.received': {
    documentId: z.uuid(),
    documentSha256: z.string().nullable(),
    draftId: z.uuid().nullable().describe('null tills dokumentet är prövat, och när det avvisades'),
  },
  'payment.matched': {
    transactionId: z.uuid().describe('Som i GET /api/v1/banktransaktioner'),
    account: z.int().describe('Kontot i bokföringen'),
    date,
    amount: z.number().describe('Kronor; under noll är pengar ut'),
    voucher: z
      .object({ id: z.uuid(), label: z.string().meta({ example: 'A17' }), source: z.string() })
      .nullable()
      .describe('null när matchningen har hävts sedan dess'),
  },
  'bank.imported': {
    importId: z.uuid(),
    statements: z.int().describe('Kontoutdrag och aviseringar'),
    transactions: z.int().describe('Rader som inte var kända förut'),
    accountIds: z.array(z.uuid()),
    from: date.nullable(),
    to: date.nullable(),
  },
  'payment_file.created': {
    paymentFileId: z.uuid(),
    number: z.int().describe('Som människor kallar den'),
    payments: z.int(),
    total: z.number().describe('Kronor'),
    from: date.describe('Första betalningsdagen'),
    to: date,
    sha256: z.string().describe('Filens, gemener'),
    needsApproval: z
      .boolean()
      .describe('En andra person ska godkänna den: den betalar till ett konto som är nytt'),
  },
};

/** The name of the schema of events of a type: `VoucherPostedEvent`. */
export const eventSchemaName = (type: EventType): string =>
  `${type.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}Event`;

const eventOfType = (type: EventType) =>
  z
    .intersection(event, z.object({ type: z.literal(type), data: z.object(data[type]).nullable() }))
    .meta({ id: eventSchemaName(type), description: eventMeanings[type] });

const known = (Object.keys(eventMeanings) as EventType[]).map(eventOfType);

export const eventQuery = z.strictObject({
  cursor: z
    .string()
    .max(200)
    .optional()
    .describe('next_cursor från förra svaret; utan den börjar listan med det äldsta som finns'),
  from: z.literal('now').optional().describe('Börja nu: svaret är tomt och bär en cursor'),
  limit: queryInteger(1, 500).default(100).describe('Händelser per sida, 100 när inget anges'),
});

export const eventPage = z
  .object({
    data: z.array(z.union([...known, event])),
    next_cursor: z.string().describe('Skicka med nästa gång; finns alltid'),
    has_more: z.boolean(),
  })
  .meta({ id: 'EventPage', description: 'Händelser i den ordning de blev sanna' });
