/** E-invoices on the wire (contract 2.7, 4.9). */
import { z } from 'zod';
import { exampleDocument } from './example.ts';

export const eInvoiceEnvelope = z
  .looseObject({
    document: z.string().optional().describe('UBL-dokumentet som text'),
    documentBase64: z.string().optional().describe('Samma dokument som base64; ett av fälten'),
  })
  .meta({ id: 'EInvoiceEnvelope', example: { document: exampleDocument } });

export const warning = z
  .object({
    rule: z.string().meta({ example: 'BR-CO-15' }),
    level: z.enum(['fatal', 'warning']),
    path: z.string().describe('Var i dokumentet'),
    message: z.string(),
  })
  .meta({ id: 'EInvoiceWarning' });

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
    countryCodeC4: z.literal('SE'),
    status: z.enum(['new', 'review']).describe('review: en människa ska titta först'),
    duplicate: z.literal(true).optional().describe('Samma byte har kommit förut'),
  })
  .meta({ id: 'AcceptedEInvoice' });

/** What the first sender is answered; `duplicate` is added for those who come after. */
export type EInvoiceAnswer = Omit<z.infer<typeof acceptedEInvoice>, 'duplicate'>;
