/** Documents on the wire. */
import { z } from 'zod';
import { dateSchema, openEnum, textSchema } from '../../http/schemas.ts';

export const documentQuery = z.strictObject({
  fileName: textSchema(200, 1)
    .describe('Filens namn. Dag och belopp som står i det behöver inte sägas')
    .meta({ example: 'Kvitto.pdf' }),
  date: dateSchema.optional().describe('Dag på kvittot eller fakturan'),
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
    .describe('Belopp med moms, i kronor'),
  counterparty: textSchema(200, 1).optional().describe('Vem det kommer från'),
});

/** Read as it comes, to disk: described for readers only. */
export const documentBody = z
  .any()
  .meta({ type: 'string', format: 'binary', description: 'Filen som den är, högst 10 MiB' });

const statuses = {
  waiting: 'Väntar i inkorgen på sitt verifikat',
  filed: 'Ligger på ett verifikat eller en leverantörsfaktura',
  set_aside: 'Undanlagt av någon; sparas',
};

export const keptDocument = z
  .object({
    id: z.uuid(),
    sha256: z.string().describe('Innehållets SHA-256, hexadecimalt'),
    size: z.int().describe('Byte'),
    media_type: z.string().describe('Efter innehållet, vad filen än heter'),
    received_at: z.string().meta({ format: 'date-time' }),
    status: openEnum(statuses),
    duplicate: z
      .boolean()
      .describe('Samma innehåll fanns redan; det är det underlaget, som det beskrevs då'),
    url: z.url(),
  })
  .meta({ id: 'KeptDocument', description: 'Underlaget är sparat' });
