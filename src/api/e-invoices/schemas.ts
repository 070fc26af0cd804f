/** E-invoices on the wire (contract 2.7, 4.9). */
import { z } from 'zod';
import { errorAnswer, problems } from '../../http/error-schemas.ts';
import { openEnum } from '../../http/schemas.ts';
import { exampleDocument } from './example.ts';

export const eInvoiceEnvelope = z
  .looseObject({
    document: z.string().nullish().describe('UBL-dokumentet som text'),
    documentBase64: z.string().nullish().describe('Samma dokument som base64; ett av fälten'),
  })
  .meta({ id: 'EInvoiceEnvelope', example: { document: exampleDocument } });

export const warning = z
  .object({
    rule: z.string().meta({ example: 'BR-CO-15' }),
    level: openEnum({ fatal: 'Bryter en regel som dokumentet måste följa', warning: 'Bör rättas' }),
    path: z.string().describe('Var i dokumentet'),
    message: z.string(),
  })
  .meta({ id: 'EInvoiceWarning', description: 'Vad reglerna säger om dokumentet' });

export const acceptedEInvoice = z
  .object({
    ok: z.literal(true),
    draftId: z.uuid(),
    invoiceNo: z.string(),
    supplier: z.string(),
    total: z.number().describe('Att betala enligt dokumentet, i dess valuta; kredit är negativt'),
    warnings: z.array(warning),
    documentSha256: z.string(),
    receivedAt: z.string().meta({ format: 'date-time' }),
    countryCodeC4: z.string().describe('Mottagarens land, SE'),
    status: openEnum({
      new: 'Ett utkast i leverantörsinkorgen',
      review: 'Ett utkast som en människa ska titta på först',
    }),
    duplicate: z.literal(true).optional().describe('Samma byte har kommit förut'),
  })
  .meta({ id: 'AcceptedEInvoice', description: 'Dokumentet är ett utkast i leverantörsinkorgen' });

export const refusedEInvoice = errorAnswer(
  'invalid_request',
  'RefusedEInvoiceError',
  z
    .object({
      problems: problems.optional(),
      reason: openEnum({
        document_unreadable: 'Dokumentet går inte att läsa som en e-faktura',
        wrong_receiver: 'Dokumentet är ställt till någon annan',
      }).optional(),
      document_id: z.uuid().optional().describe('Så heter det bland de avvisade'),
      line: z.int().nullable().optional().describe('Raden där läsningen stannade'),
      column: z.int().nullable().optional(),
      stored: z.literal(true).optional().describe('Dokumentet är sparat; en människa ser det'),
    })
    .optional(),
);

export const delayedEInvoice = errorAnswer(
  'processing_delayed',
  'DelayedEInvoiceError',
  z.object({ document_id: z.uuid(), stored: z.literal(true) }),
);
