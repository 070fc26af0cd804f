/** E-invoices on the wire (contract 2.7, 4.9). */
import { z } from 'zod';
import { errorAnswer, problems } from '../../http/error-schemas.ts';
import { openEnum } from '../../http/schemas.ts';
import { dryRunMark } from '../../http/write-calls.ts';
import { exampleDocument } from './example.ts';

export const eInvoiceEnvelope = z
  .looseObject({
    document: z.string().nullish().describe('The UBL document as text'),
    documentBase64: z
      .string()
      .nullish()
      .describe('The same document as base64; one of the two fields'),
  })
  .meta({ id: 'EInvoiceEnvelope', example: { document: exampleDocument } });

export const warning = z
  .object({
    rule: z.string().meta({ example: 'BR-CO-15' }),
    level: openEnum({
      fatal: 'Breaks a rule that the document must follow',
      warning: 'Ought to be mended',
    }),
    path: z.string().describe('Where in the document'),
    message: z.string(),
  })
  .meta({ id: 'EInvoiceWarning', description: 'What the rules say of the document' });

export const acceptedEInvoice = z
  .object({
    ok: z.literal(true),
    draftId: z.uuid(),
    invoiceNo: z.string(),
    supplier: z.string(),
    total: z
      .number()
      .describe(
        'Amount to pay according to the document, in its currency; a credit note is negative',
      ),
    warnings: z.array(warning),
    documentSha256: z.string(),
    receivedAt: z.string().meta({ format: 'date-time' }),
    countryCodeC4: z.string().describe('The country of the recipient, SE'),
    status: openEnum({
      new: 'A draft in the supplier inbox',
      review: 'A draft that a person should look at first',
    }),
    duplicate: z.literal(true).optional().describe('The same bytes have come before'),
  })
  .meta({ id: 'AcceptedEInvoice', description: 'The document is a draft in the supplier inbox' });

/** What the document itself says, and the rules of it. */
export const triedEInvoice = acceptedEInvoice
  .pick({
    ok: true,
    invoiceNo: true,
    supplier: true,
    total: true,
    warnings: true,
    documentSha256: true,
  })
  .extend({ dry_run: dryRunMark })
  .meta({
    id: 'TriedEInvoice',
    description: 'With dryRun: it would become a draft, nothing is kept',
  });

export const refusedEInvoice = errorAnswer(
  'invalid_request',
  'RefusedEInvoiceError',
  z
    .object({
      problems: problems.optional(),
      reason: openEnum({
        document_unreadable: 'The document cannot be read as an e-invoice',
        wrong_receiver: 'The document is addressed to somebody else',
      }).optional(),
      document_id: z.uuid().optional().describe('What it is called among the refused'),
      line: z.int().nullable().optional().describe('The line where the reading stopped'),
      column: z.int().nullable().optional(),
      stored: z
        .boolean()
        .optional()
        .describe('Whether the document is stored, so that a person sees it: not with dryRun'),
    })
    .optional(),
);

export const delayedEInvoice = errorAnswer(
  'processing_delayed',
  'DelayedEInvoiceError',
  z.object({ document_id: z.uuid(), stored: z.literal(true) }),
);
