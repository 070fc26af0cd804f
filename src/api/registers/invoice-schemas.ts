/** Invoices to customers and from suppliers on the wire, with their rows and payments. Amounts are kronor. */
import { z } from 'zod';
import { idSchema, openEnum, textSchema } from '../../http/schemas.ts';
import { day, paging, several, time, updatedSince } from './schemas.ts';

const kind = openEnum({ invoice: 'Faktura', credit_note: 'Kreditfaktura' });

const payment = {
  id: z.uuid(),
  date: day,
  amount: z.number().describe('Minskar det som återstår; under noll när pengar gått tillbaka'),
  kind: openEnum({
    money: 'Pengar',
    rounding: 'Öresavrundning',
    bank_fee: 'Bankavgift',
    loss: 'Konstaterad kundförlust',
    set_off: 'Kvittning mot en annan faktura',
  }),
  account: z.int().describe('Kontot som det kom in eller ut på'),
  voucher_id: z.uuid(),
};

export const invoiceItem = z
  .object({
    id: z.uuid(),
    kind,
    status: openEnum({
      draft: 'Ett utkast utan nummer, som kan ändras och tas bort',
      booked: 'Bokförd, och något återstår att betala',
      paid: 'Inget återstår att betala',
      credited: 'Helt krediterad',
    }),
    source: openEnum({
      order: 'Ur en order',
      api: 'Med en nyckel',
      app: 'Skriven av en person',
      opening: 'Tagen över när böckerna började här',
    }),
    invoice_number: z.int().nullable().describe('null för ett utkast'),
    ocr: z.string().nullable(),
    external_id: z.string().nullable().describe('Orderns externalId, som den kom'),
    credited_invoice_id: z.uuid().nullable().describe('Fakturan som en kreditfaktura tar tillbaka'),
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
      .meta({ id: 'Debtor', description: 'Köparen som den står på fakturan' }),
    invoice_date: day,
    delivery_date: day.nullable(),
    due_date: day,
    payment_terms: z.int().describe('Dagar till förfallodagen'),
    your_reference: z.string().nullable(),
    notes: z.string().nullable(),
    net_amount: z.number(),
    vat_amount: z.number(),
    rounding: z.number().describe('Öresavrundning, som ingår i total_amount'),
    total_amount: z.number(),
    fees_amount: z.number().describe('Påminnelseavgifter som står kvar'),
    paid_amount: z.number().describe('Summan av payments'),
    credited_amount: z.number().describe('Summan av bokförda kreditfakturor'),
    remaining_amount: z
      .number()
      .describe(
        'total_amount + fees_amount − paid_amount − credited_amount; 0 för utkast och kreditfakturor',
      ),
    voucher_id: z.uuid().nullable(),
    created_at: time,
    updated_at: time.describe('När något av det här senast ändrades'),
    url: z.url(),
    rows: z.array(
      z
        .object({
          row_no: z.int(),
          article_number: z.string().nullable(),
          description: z.string(),
          quantity: z.number(),
          unit: z.string().nullable(),
          unit_price: z.number().describe('Utan moms; med moms på fakturor av order som hade det'),
          discount_pct: z.number(),
          vat_rate: z.int(),
          account: z.int(),
          net_amount: z.number(),
          vat_amount: z.number(),
        })
        .meta({ id: 'CustomerInvoiceRow' }),
    ),
    payments: z.array(
      z
        .object({ ...payment, reference: z.string().nullable() })
        .meta({ id: 'CustomerInvoicePayment' }),
    ),
  })
  .meta({ id: 'ListedCustomerInvoice', description: 'Kundfakturan med rader och betalningar' });

export const purchaseItem = z
  .object({
    id: z.uuid(),
    kind,
    status: openEnum({
      new: 'I inkorgen, redo att bokföras',
      review: 'I inkorgen, väntar på en person',
      booked: 'Bokförd',
      rejected: 'Avvisad',
    }),
    origin: openEnum({
      e_invoice: 'En e-faktura',
      by_hand: 'Skriven av en person',
      outlay: 'Ett utlägg',
      opening: 'Tagen över när böckerna började här',
    }),
    supplier_id: z.uuid().nullable(),
    seller: z
      .object({
        name: z.string().nullable(),
        org_number: z.string().nullable(),
        vat_number: z.string().nullable(),
      })
      .meta({ id: 'Seller', description: 'Säljaren som den står på fakturan' }),
    invoice_number: z.string(),
    invoice_date: day,
    due_date: day.nullable(),
    booking_date: day.nullable(),
    currency: z.string().describe('Beloppens valuta; payments och remaining_amount är i kronor'),
    net_amount: z.number(),
    vat_amount: z.number(),
    rounding: z.number(),
    prepaid_amount: z.number(),
    payable_amount: z
      .number()
      .describe('Att betala, som fakturan säger; en kreditfakturas är över noll'),
    paid_amount: z.number().describe('Summan av payments'),
    remaining_amount: z
      .number()
      .describe(
        'Det som bokfördes som skuld − paid_amount; under noll när leverantören är skyldig',
      ),
    is_prepayment: z.boolean(),
    rejection: z.string().nullable().describe('Varför den avvisades'),
    voucher_id: z.uuid().nullable(),
    created_at: time,
    updated_at: time.describe('När något av det här senast ändrades'),
    url: z.url(),
    rows: z
      .array(
        z
          .object({
            row_no: z.int(),
            account: z.int(),
            debit: z.number(),
            credit: z.number(),
            note: z.string().nullable(),
            cost_center: z.uuid().nullable(),
            project: z.uuid().nullable(),
          })
          .meta({ id: 'PurchaseRow' }),
      )
      .describe('Som den bokfördes; tom till dess'),
    payments: z.array(z.object(payment).meta({ id: 'PurchasePayment' })),
  })
  .meta({ id: 'Purchase', description: 'Inköpet med rader och betalningar' });

const common = { ...paging(idSchema), updatedSince };
const among = <Value extends string>(...values: [Value, ...Value[]]) => several(z.enum(values));

export const invoicesQuery = z.strictObject({
  ...common,
  status: among('draft', 'booked', 'paid', 'credited').describe('Flera som ?status=…&status=…'),
  customer: several(idSchema).describe('Kundens id'),
  externalId: several(textSchema(255, 1)).describe(
    'Fakturan av ordern med det externalId; jämförs som när order tas emot',
  ),
});

export const purchasesQuery = z.strictObject({
  ...common,
  status: among('new', 'review', 'booked', 'rejected').describe('Flera som ?status=…&status=…'),
  supplier: several(idSchema).describe('Leverantörens id'),
  number: several(textSchema(200, 1)).describe('Leverantörens fakturanummer, precis som det står'),
});

export const idParams = z.strictObject({ id: idSchema });
