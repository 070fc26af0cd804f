/** Documents on the wire. */
import { z } from 'zod';
import { dateSchema, openEnum, textSchema } from '../../http/schemas.ts';

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
