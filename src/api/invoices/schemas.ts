/** Customer invoices on the wire (contract 2.3, 4.5). */
import { z } from 'zod';
import { errorAnswer, lockFields, problems } from '../../http/error-schemas.ts';
import { dateSchema, exampleDate, idSchema, openEnum, textSchema } from '../../http/schemas.ts';
import { invoiceRowInput } from './row-schemas.ts';

/** A customer of the example company (`huvudbok demo`), so that the example can be sent there. */
export const exampleCustomerId = '01980a3c-5b1e-7c3a-9d0f-2f6a4b8c1d2e';

export const invoiceInput = z
  .strictObject({
    customerId: idSchema,
    invoiceDate: dateSchema,
    deliveryDate: dateSchema
      .nullish()
      .describe('När varan levererades eller tjänsten blev klar, om det är en annan dag'),
    paymentTerms: z.int().min(0).max(90).describe('Dagar till förfallodagen').meta({ example: 30 }),
    yourReference: textSchema(200).nullish().describe('Kundens referens'),
    notes: textSchema(5_000).nullish().describe('Fri text på fakturan'),
    rows: z.array(invoiceRowInput).min(1),
    book: z.boolean().nullish().describe('true bokför direkt, annars blir det ett utkast'),
  })
  .meta({
    id: 'NewCustomerInvoice',
    example: {
      customerId: exampleCustomerId,
      invoiceDate: exampleDate,
      paymentTerms: 30,
      yourReference: 'Anna Andersson',
      rows: [
        {
          description: 'Konsulttimmar mars',
          quantity: 12.5,
          unit: 'tim',
          unitPrice: 950,
          vatRate: 25,
          account: 3001,
        },
      ],
      book: true,
    },
  });

export type InvoiceInput = z.output<typeof invoiceInput>;

const amounts = { net_amount: z.number(), vat_amount: z.number(), total_amount: z.number() };
const dueDate = z.string().meta({ format: 'date' });

export const customerInvoice = z
  .object({
    id: z.uuid(),
    status: openEnum({
      draft: 'Ett utkast utan nummer',
      booked: 'Har nummer, OCR och verifikat',
      paid: 'Inget återstår att betala; så också en bokförd faktura på noll kronor',
      credited: 'Helt krediterad',
    }),
    invoice_number: z.int().nullable().describe('null för ett utkast'),
    ...amounts,
    due_date: dueDate,
    ocr: z.string().nullable(),
  })
  .meta({ id: 'CustomerInvoice', description: 'Fakturan som den är sparad' });

/** A dry run that found nothing in the way: the invoice would have been made. */
export const checkedInvoice = z
  .object({
    dry_run: z.literal(true),
    status: openEnum({
      draft: 'Ett utkast',
      booked: 'En bokförd faktura',
      paid: 'En bokförd faktura på noll kronor',
    }).describe('Vad fakturan hade blivit'),
    ...amounts,
    due_date: dueDate,
  })
  .meta({
    id: 'CheckedCustomerInvoice',
    description: 'Med dryRun: inget hindrar, inget är skrivet',
  });

export const unmadeInvoice = errorAnswer(
  'unprocessable',
  'CustomerInvoiceUnprocessableError',
  z
    .object({ problems, ...lockFields })
    .partial()
    .extend({
      invoice_id: z
        .uuid()
        .optional()
        .describe('Utkastet som finns kvar när bara bokföringen hindrades'),
    }),
);
