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
      .describe('When the goods were delivered or the service was done, if that is another day'),
    paymentTerms: z.int().min(0).max(90).describe('Days until the due date').meta({ example: 30 }),
    yourReference: textSchema(200).nullish().describe('The reference of the customer'),
    notes: textSchema(5_000).nullish().describe('Free text on the invoice'),
    rows: z.array(invoiceRowInput).min(1),
    book: z.boolean().nullish().describe('true books at once, otherwise it becomes a draft'),
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
      draft: 'A draft without number',
      booked: 'Has number, OCR reference and voucher',
      paid: 'Nothing remains to be paid; so also a booked invoice of zero kronor',
      credited: 'Credited in full, and nothing remains to be paid',
    }),
    invoice_number: z.int().nullable().describe('null for a draft'),
    ...amounts,
    due_date: dueDate,
    ocr: z.string().nullable(),
  })
  .meta({ id: 'CustomerInvoice', description: 'The invoice as it is stored' });

/** A dry run that found nothing in the way: the invoice would have been made. */
export const checkedInvoice = z
  .object({
    dry_run: z.literal(true),
    status: openEnum({
      draft: 'A draft',
      booked: 'A booked invoice',
      paid: 'A booked invoice of zero kronor',
    }).describe('What the invoice would have become'),
    ...amounts,
    due_date: dueDate,
  })
  .meta({
    id: 'CheckedCustomerInvoice',
    description: 'With dryRun: nothing hinders, nothing is written',
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
        .describe('The draft that is left when only its booking was hindered'),
    }),
);
