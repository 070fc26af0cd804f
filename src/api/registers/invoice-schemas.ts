/** Invoices to customers and from suppliers on the wire, with their rows and payments. Amounts are kronor. */
import { z } from 'zod';
import { idSchema, openEnum, textSchema } from '../../http/schemas.ts';
import {
  accountNameField,
  dimensionNameFields,
  includeNames,
  includeNamesAndDimensions,
} from '../included.ts';
import { day, paging, several, time, updatedSince } from './schemas.ts';

const kind = openEnum({ invoice: 'Invoice', credit_note: 'Credit note' });

const payment = {
  id: z.uuid(),
  date: day,
  amount: z.number().describe('Lessens what remains; below zero when money has gone back'),
  kind: openEnum({
    money: 'Money',
    rounding: 'Rounding to whole kronor',
    bank_fee: 'Bank fee',
    loss: 'Confirmed loss on the customer',
    exchange: 'Exchange difference since the invoice',
    set_off: 'Set off against another invoice',
  }),
  account: z.int().describe('The account that it came in on or went out from'),
  ...accountNameField,
  voucher_id: z.uuid(),
};

const refundId = z
  .string()
  .nullable()
  .describe('refundId of the refund that the credit note was made of, as it came');

export const invoiceItem = z
  .object({
    id: z.uuid(),
    kind,
    status: openEnum({
      draft: 'A draft without number, which can be changed and removed',
      booked: 'Booked, and something remains to be paid',
      paid: 'Nothing remains to be paid',
      credited: 'Credited in full, and nothing remains to be paid',
    }),
    source: openEnum({
      order: 'Out of an order',
      api: 'By a key',
      app: 'Written by a person',
      opening: 'Taken over when the books began here',
    }),
    invoice_number: z.int().nullable().describe('null for a draft'),
    ocr: z.string().nullable(),
    external_id: z.string().nullable().describe('externalId of the order, as it came'),
    refund_id: refundId,
    credited_invoice_id: z.uuid().nullable().describe('The invoice that a credit note takes back'),
    customer_id: z.uuid(),
    debtor: z
      .object({
        name: z.string().nullable(),
        email: z.string().nullable(),
        org_number: z.string().nullable(),
        vat_number: z.string().nullable(),
        address: z.string().nullable(),
        postal_code: z.string().nullable(),
        city: z.string().nullable(),
        country_code: z.string().nullable(),
        phone: z.string().nullable(),
      })
      .meta({ id: 'Debtor', description: 'The buyer as the invoice has it' }),
    invoice_date: day,
    delivery_date: day.nullable(),
    due_date: day,
    payment_terms: z.int().describe('Days until the due date'),
    your_reference: z.string().nullable(),
    notes: z.string().nullable(),
    net_amount: z.number(),
    vat_amount: z.number(),
    rounding: z.number().describe('Rounding to whole kronor, which is part of total_amount'),
    total_amount: z.number(),
    currency: z
      .string()
      .describe('What the buyer pays in; amounts are in kronor where they do not say otherwise'),
    exchange_rate: z
      .number()
      .nullable()
      .describe('Kronor for one of the currency, as the invoice is booked; null in kronor'),
    currency_total: z
      .number()
      .nullable()
      .describe('total_amount in the currency of the invoice; null in kronor'),
    fees_amount: z.number().describe('Reminder fees that still stand'),
    paid_amount: z.number().describe('Sum of payments'),
    credited_amount: z.number().describe('Sum of booked credit notes'),
    remaining_amount: z
      .number()
      .describe(
        'total_amount + fees_amount − paid_amount − credited_amount; 0 for drafts and credit notes',
      ),
    voucher_id: z.uuid().nullable(),
    created_at: time,
    updated_at: time.describe('When any of this was last changed'),
    url: z.url(),
    rows: z.array(
      z
        .object({
          row_no: z.int(),
          article_number: z.string().nullable(),
          description: z.string(),
          quantity: z.number(),
          unit: z.string().nullable(),
          unit_price: z
            .number()
            .describe(
              'In the currency of the invoice. Without VAT; with VAT on invoices of orders that had it',
            ),
          discount_pct: z.number(),
          vat_rate: z.number(),
          vat_country: z
            .string()
            .nullable()
            .describe(
              'The EU country whose VAT it is, filed in the one stop shop; null for Sweden',
            ),
          account: z.int(),
          ...accountNameField,
          net_amount: z.number(),
          vat_amount: z.number(),
          currency_net: z.number().nullable().describe('Net in the currency; null in kronor'),
          currency_vat: z.number().nullable().describe('VAT in the currency; null in kronor'),
        })
        .meta({ id: 'CustomerInvoiceRow' }),
    ),
    payments: z.array(
      z
        .object({ ...payment, reference: z.string().nullable() })
        .meta({ id: 'CustomerInvoicePayment' }),
    ),
    credit_notes: z
      .array(
        z
          .object({
            id: z.uuid(),
            invoice_number: z.int(),
            invoice_date: day,
            total_amount: z.number(),
            refund_id: refundId,
          })
          .meta({ id: 'CreditNoteOfInvoice', description: 'A credit note of the invoice' }),
      )
      .describe('Booked credit notes of the invoice, by number'),
  })
  .meta({
    id: 'ListedCustomerInvoice',
    description: 'The customer invoice with rows and payments',
  });

export const purchaseItem = z
  .object({
    id: z.uuid(),
    kind,
    status: openEnum({
      new: 'In the inbox, ready to be booked',
      review: 'In the inbox, waiting for a person',
      booked: 'Booked',
      rejected: 'Rejected',
    }),
    origin: openEnum({
      e_invoice: 'An e-invoice',
      by_hand: 'Written by a person',
      outlay: 'An outlay',
      opening: 'Taken over when the books began here',
    }),
    supplier_id: z.uuid().nullable(),
    seller: z
      .object({
        name: z.string().nullable(),
        org_number: z.string().nullable(),
        vat_number: z.string().nullable(),
      })
      .meta({ id: 'Seller', description: 'The seller as the invoice has it' }),
    invoice_number: z.string(),
    invoice_date: day,
    due_date: day.nullable(),
    booking_date: day.nullable(),
    currency: z
      .string()
      .describe('The currency of the amounts; payments and remaining_amount are in kronor'),
    net_amount: z.number(),
    vat_amount: z.number(),
    rounding: z.number(),
    prepaid_amount: z.number(),
    payable_amount: z
      .number()
      .describe('To pay, as the invoice says; that of a credit note is above zero'),
    paid_amount: z.number().describe('Sum of payments'),
    remaining_amount: z
      .number()
      .describe('What was booked as a debt − paid_amount; below zero when the supplier owes'),
    is_prepayment: z.boolean(),
    rejection: z.string().nullable().describe('Why it was rejected'),
    voucher_id: z.uuid().nullable(),
    created_at: time,
    updated_at: time.describe('When any of this was last changed'),
    url: z.url(),
    rows: z
      .array(
        z
          .object({
            row_no: z.int(),
            account: z.int(),
            ...accountNameField,
            debit: z.number(),
            credit: z.number(),
            note: z.string().nullable(),
            cost_center: z.uuid().nullable(),
            project: z.uuid().nullable(),
            ...dimensionNameFields,
          })
          .meta({ id: 'PurchaseRow' }),
      )
      .describe('As it was booked; empty until then'),
    payments: z.array(z.object(payment).meta({ id: 'PurchasePayment' })),
  })
  .meta({ id: 'Purchase', description: 'The purchase with rows and payments' });

const common = { ...paging(idSchema), updatedSince };
const among = <Value extends string>(...values: [Value, ...Value[]]) => several(z.enum(values));

export const invoicesQuery = z.strictObject({
  ...common,
  status: among('draft', 'booked', 'paid', 'credited').describe('Several as ?status=…&status=…'),
  customer: several(idSchema).describe('The id of the customer'),
  externalId: several(textSchema(255, 1)).describe(
    'The invoice of the order with that externalId; compared as when orders are received',
  ),
  refundId: several(textSchema(255, 1)).describe(
    'The credit note of the refund with that refundId; compared as when refunds are received',
  ),
  include: includeNames,
});
export const invoiceQuery = z.strictObject({ include: includeNames });

export const purchasesQuery = z.strictObject({
  ...common,
  status: among('new', 'review', 'booked', 'rejected').describe('Several as ?status=…&status=…'),
  supplier: several(idSchema).describe('The id of the supplier'),
  number: several(textSchema(200, 1)).describe(
    'The number that the supplier has for the invoice, exactly as it stands',
  ),
  include: includeNamesAndDimensions,
});
export const purchaseQuery = z.strictObject({ include: includeNamesAndDimensions });
