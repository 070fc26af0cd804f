/** Documents on the wire. */
import { z } from 'zod';
import {
  cursorParameter,
  dateSchema,
  idSchema,
  openEnum,
  pageSchema,
  queryInteger,
  textSchema,
} from '../../http/schemas.ts';
import { dryRunMark, dryRunParameter } from '../../http/write-calls.ts';
import { several, unchangedHeaders } from '../registers/schemas.ts';

export const documentQuery = z.strictObject({
  fileName: textSchema(200, 1)
    .describe('The name of the file. A day and an amount that stand in it need not be said')
    .meta({ example: 'Kvitto.pdf' }),
  date: dateSchema.optional().describe('The day on the receipt or invoice'),
  amount: z
    .string()
    .regex(/^\d{1,10}(?:\.\d{1,2})?$/, 'ska vara kronor med högst två decimaler, t.ex. 1249.50')
    .refine((text) => /[1-9]/.test(text), {
      error: 'ska vara mer än noll',
      params: { reason: 'not_positive' },
    })
    .transform((text): bigint => {
      const [whole = '', decimals = ''] = text.split('.');
      return BigInt(whole + decimals.padEnd(2, '0'));
    })
    .optional()
    .meta({ type: 'number', exclusiveMinimum: 0, maximum: 9_999_999_999.99 })
    .describe('Amount with VAT, in kronor'),
  counterparty: textSchema(200, 1).optional().describe('Whom it comes from'),
  dryRun: dryRunParameter,
});

/** Read as it comes, to disk: described for readers only. */
export const documentBody = z
  .any()
  .meta({ type: 'string', format: 'binary', description: 'The file as it is, at most 10 MiB' });

const statuses = {
  waiting: 'Waits in the inbox for its voucher',
  filed: 'Lies on a voucher or a supplier invoice',
  set_aside: 'Put aside by somebody; kept',
};

export const keptDocument = z
  .object({
    id: z.uuid(),
    sha256: z.string().describe('SHA-256 of the content, hexadecimal'),
    size: z.int().describe('Bytes'),
    media_type: z.string().describe('By the content, whatever the file is called'),
    received_at: z.string().meta({ format: 'date-time' }),
    status: openEnum(statuses),
    duplicate: z
      .boolean()
      .describe(
        'The same content was here already; this is that document, as it was described then',
      ),
    url: z.url(),
  })
  .meta({ id: 'KeptDocument', description: 'The document is stored' });

/** Nothing of what exists here: whether the content had come before is told to whoever hands it in. */
export const checkedDocument = keptDocument
  .pick({ sha256: true, size: true, media_type: true })
  .extend({ dry_run: dryRunMark })
  .meta({ id: 'CheckedDocument', description: 'With dryRun: the document can be handed in' });

export const documentsQuery = z.strictObject({
  voucher: several(idSchema)
    .unwrap()
    .describe('The voucher; several as ?voucher=…&voucher=…, at most 100'),
  limit: queryInteger(1, 200).default(100).describe('Documents a page, 100 when nothing is said'),
  cursor: cursorParameter,
});

const documentItem = z
  .object({
    id: z.uuid(),
    voucher_id: z.uuid(),
    kind: openEnum({
      attachment: 'Laid on the voucher or the purchase by somebody, or sent within the e-invoice',
      order: 'The order that the invoice was made of, as the shop sent it',
      refund: 'The refund that the credit note was made of, as the shop sent it',
      e_invoice: 'The e-invoice as it came',
      invoice_pdf: 'The invoice as it was sent to the customer',
    }),
    invoice_id: z.uuid().nullable().describe('The customer invoice that it belongs to'),
    purchase_id: z.uuid().nullable().describe('The purchase that it belongs to'),
    file_name: z.string(),
    media_type: z.string().describe('By the content, whatever the file is called'),
    size: z.int().describe('Bytes'),
    sha256: z.string().describe('SHA-256 of the content, hexadecimal'),
    added_at: z.string().meta({ format: 'date-time' }),
    file_url: z.url().describe('Where the file is fetched'),
    url: z.url(),
  })
  .meta({ id: 'VoucherDocument', description: 'A document of a voucher that keys may read' });

export const documentPage = pageSchema(
  documentItem,
  'VoucherDocumentPage',
  'A page of documents, by voucher',
);

export const documentParams = z.strictObject({ id: idSchema.describe('As in the list') });

export const fileHeaders = unchangedHeaders.extend({
  range: z
    .string()
    .optional()
    .meta({ example: 'bytes=0-1023' })
    .describe('One range of bytes; without it the whole file'),
});

/** Bytes of a file, of whatever kind it is. */
export const documentFile = (description: string) => ({
  description,
  content: {
    '*/*': { schema: z.any().meta({ type: 'string', format: 'binary', description: 'Bytes' }) },
  },
});
