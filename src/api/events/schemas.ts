/** Events on the wire: the feed's items, and the bodies of webhooks. */
import { z } from 'zod';
import { type EventType, eventMeanings } from '../../events/types.ts';
import { openEnum, queryInteger } from '../../http/schemas.ts';
import { orderReasons } from '../orders/reasons.ts';
import { proposalKindMeanings, resultKindMeanings, statusMeanings } from '../proposals/schemas.ts';

const date = z.string().meta({ format: 'date' });

const event = z
  .object({
    id: z.guid().describe('The same however often it is sent; also in the header webhook-id'),
    type: z.string().describe('Others may come; read past those you do not know'),
    timestamp: z.string().meta({ format: 'date-time' }),
    data: z
      .looseObject({})
      .nullable()
      .describe(
        'What happened, by the names that the API has for the same things; null when it is gone',
      ),
  })
  .meta({ id: 'Event', description: 'All events have this form.' });

const invoice = {
  invoice_id: z.uuid(),
  kind: openEnum({ invoice: 'Invoice', credit_note: 'Credit note' }),
  source: openEnum({ api: 'POST /api/v1/kundfakturor', order: 'An order', app: 'A person' }),
  customer_id: z.uuid().nullable(),
  invoice_date: date,
  due_date: date,
  total: z.number().describe('Kronor with VAT'),
};
/** Of one that has been removed since, only which it was. */
const draftedInvoice = {
  ...z.object(invoice).partial().shape,
  invoice_id: invoice.invoice_id,
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

const proposal = {
  proposal_id: z.uuid(),
  kind: openEnum(proposalKindMeanings),
  status: openEnum(statusMeanings),
  expires_at: z.string().meta({ format: 'date-time' }),
  result: z
    .object({ kind: openEnum(resultKindMeanings), id: z.uuid() })
    .nullable()
    .describe('What it became'),
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
  'invoice.drafted': draftedInvoice,
  'invoice.booked': bookedInvoice,
  'invoice.paid': bookedInvoice,
  'order.received': order,
  'order.rejected': { ...order, reason: openEnum(orderReasons).nullable() },
  'e_invoice.received': {
    documentId: z.uuid(),
    documentSha256: z.string().nullable(),
    draftId: z
      .uuid()
      .nullable()
      .describe('null until the document is judged, and when it was refused'),
  },
  'payment.matched': {
    transactionId: z.uuid().describe('As in GET /api/v1/banktransaktioner'),
    account: z.int().describe('The account in the books'),
    date,
    amount: z.number().describe('Kronor; below zero is money out'),
    voucher: z
      .object({ id: z.uuid(), label: z.string().meta({ example: 'A17' }), source: z.string() })
      .nullable()
      .describe('null when the match has been undone since'),
  },
  'bank.imported': {
    importId: z.uuid(),
    statements: z.int().describe('Statements and notifications'),
    transactions: z.int().describe('Rows that were not known before'),
    accountIds: z.array(z.uuid()),
    from: date.nullable(),
    to: date.nullable(),
  },
  'payment_file.created': {
    paymentFileId: z.uuid(),
    number: z.int().describe('What people call it'),
    payments: z.int(),
    total: z.number().describe('Kronor'),
    from: date.describe('The first day of payment'),
    to: date,
    sha256: z.string().describe('Of the file, in lower case'),
    needsApproval: z
      .boolean()
      .describe('A second person is to approve it: it pays to an account that is new'),
  },
  'documents.changed': {
    voucher_id: z.uuid().describe('Whose documents GET /api/v1/underlag?voucher= lists'),
  },
  'record.removed': {
    list: z
      .string()
      .meta({ example: 'kunder' })
      .describe('The list of /api/v1 that had it, as kunder, artiklar or kundfakturor'),
    id: z
      .string()
      .nullable()
      .describe('What ?id= asks for there; null when all that the list had is gone'),
  },
  'proposal.created': proposal,
  'proposal.decided': proposal,
  'proposal.withdrawn': proposal,
};

/** The name of the schema of events of a type: `VoucherPostedEvent`. */
export const eventSchemaName = (type: EventType): string =>
  `${type.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}Event`;

const eventOfType = (type: EventType) =>
  z
    .intersection(event, z.object({ type: z.literal(type), data: z.object(data[type]).nullable() }))
    .meta({ id: eventSchemaName(type), description: eventMeanings[type] });

const known = (Object.keys(eventMeanings) as EventType[]).map(eventOfType);

export const eventQuery = z
  .strictObject({
    cursor: z
      .string()
      .max(200)
      .optional()
      .describe(
        'next_cursor of the last answer; without it the list begins with the oldest there is',
      ),
    from: z
      .literal('now')
      .optional()
      .describe('Begin now: the answer is empty and bears a cursor. Not together with cursor'),
    limit: queryInteger(1, 500).default(100).describe('Events a page, 100 when nothing is said'),
  })
  // Either would be passed over without a word, and events with it.
  .superRefine(({ cursor, from }, context) => {
    if (cursor === undefined || from === undefined) return;
    const message = 'skickas inte tillsammans med cursor; utelämna from för att fortsätta där';
    context.addIssue({
      code: 'custom',
      path: ['from'],
      message,
      params: { reason: 'contradictory' },
    });
  });

export const eventPage = z
  .object({
    data: z.array(z.union([...known, event])),
    next_cursor: z.string().describe('Send it along next time; always there'),
    has_more: z.boolean(),
    updated_since: z
      .string()
      .meta({ format: 'date-time' })
      .describe(
        'For a copy of the lists: read them after this answer, and send this as updatedSince the next time they are read. A change that could not be seen yet is of that time or later, however long its transaction was open',
      ),
  })
  .meta({ id: 'EventPage', description: 'Events in the order they became true' });
