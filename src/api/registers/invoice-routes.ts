/** GET /api/v1/kundfakturor and inkop: invoices with rows and payments, listed and one by one in one shape. */
import type { z } from 'zod';
import type { Tx } from '../../db/pool.ts';
import { e4ToNumber, oreToNumber, sum } from '../../domain/basics/money.ts';
import type { Access } from '../../http/access.ts';
import type { App, AppDeps } from '../../http/fastify.ts';
import { pageSchema } from '../../http/schemas.ts';
import { identityOf, refundKeyOf } from '../../intake/orders/identity.ts';
import { type Included, type Names, readNames } from '../included.ts';
import {
  type ListedById,
  type ListQuery,
  type ReadPage,
  registerListedById,
} from '../listed-by-id.ts';
import * as schemas from './invoice-schemas.ts';
import * as store from './invoice-store.ts';

const amountsOf = (row: store.InvoiceForKey | store.PurchaseForKey) => ({
  net_amount: oreToNumber(row.net_ore),
  vat_amount: oreToNumber(row.vat_ore),
  rounding: oreToNumber(row.rounding_ore),
  paid_amount: oreToNumber(row.paid_ore),
  remaining_amount: oreToNumber(row.open_ore),
});
const timesOf = (row: store.InvoiceForKey | store.PurchaseForKey) => ({
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

const description =
  'Drafts and booked ones, with what remains to be paid. A draft can change and be removed, which the event record.removed tells; what is booked can only be paid or credited.';
const pageMeaning = 'A page in order of id; shorter when they have thousands of rows';

const customerInvoices: ListedById<store.InvoiceForKey, z.output<typeof schemas.invoiceItem>> = {
  path: 'kundfakturor',
  tag: 'Customer invoices',
  operation: { list: 'listCustomerInvoices', one: 'getCustomerInvoice' },
  summary: {
    list: 'Read customer invoices with rows and payments',
    one: 'Read one customer invoice with rows and payments',
  },
  description,
  query: schemas.invoicesQuery,
  oneQuery: schemas.invoiceQuery,
  item: schemas.invoiceItem,
  page: pageSchema(schemas.invoiceItem, 'CustomerInvoicePage', pageMeaning),
  missing: 'Det finns ingen kundfaktura med det id:t; ett utkast kan ha tagits bort.',
  read(tx, { externalId, refundId, include, ...query }: Asked<typeof schemas.invoicesQuery>) {
    const identities = externalId?.map(identityOf);
    const refundKeys = refundId?.map(refundKeyOf);
    const found = store.listInvoices(tx, { ...query, identities, refundKeys });
    return named(tx, include, found, invoiceOf);
  },
};

const invoiceOf = (row: store.InvoiceForKey, baseUrl: string, names: Names) => ({
  id: row.id,
  kind: row.kind,
  status: row.status,
  source: row.source,
  invoice_number: row.number,
  ocr: row.ocr,
  external_id: row.external_id,
  refund_id: row.refund_id,
  credited_invoice_id: row.credited_invoice_id,
  customer_id: row.customer_id,
  debtor: debtorOf(row.debtor),
  invoice_date: row.invoice_date,
  delivery_date: row.delivery_date,
  due_date: row.due_date,
  payment_terms: row.payment_terms_days,
  your_reference: row.your_reference,
  notes: row.notes,
  ...amountsOf(row),
  total_amount: oreToNumber(row.total_ore),
  currency: row.currency,
  exchange_rate: row.exchange_rate_e6 === null ? null : Number(row.exchange_rate_e6) / 1_000_000,
  currency_total:
    row.exchange_rate_e6 === null
      ? null
      : oreToNumber(
          row.currency_rounding +
            sum(row.rows.map((one) => BigInt((one.currency_net ?? 0) + (one.currency_vat ?? 0)))),
        ),
  fees_amount: oreToNumber(row.fees_ore),
  credited_amount: oreToNumber(row.credited_ore),
  voucher_id: row.voucher_id,
  ...timesOf(row),
  url: `${baseUrl}/kundfakturor/${row.id}`,
  rows: row.rows.map(({ quantity_e4, unit_price_e4, discount_e2, net_ore, vat_ore, ...row }) => {
    const { oss_country, oss_rate_e2, currency_net, currency_vat, ...rest } = row;
    return {
      ...rest,
      ...names.ofAccount(rest),
      vat_rate: store.vatRateOf({ vat_rate: rest.vat_rate, oss_rate_e2 }),
      vat_country: oss_country,
      quantity: e4ToNumber(BigInt(quantity_e4)),
      unit_price: e4ToNumber(BigInt(unit_price_e4)),
      discount_pct: discount_e2 / 100,
      net_amount: oreToNumber(net_ore),
      vat_amount: oreToNumber(vat_ore),
      currency_net: currency_net === null ? null : oreToNumber(currency_net),
      currency_vat: currency_vat === null ? null : oreToNumber(currency_vat),
    };
  }),
  payments: row.payments.map(({ amount_ore, ...rest }) => ({
    ...rest,
    ...names.ofAccount(rest),
    amount: oreToNumber(amount_ore),
  })),
  credit_notes: row.credit_notes.map(({ id, number, date, total_ore, refund_id }) => ({
    ...{ id, invoice_number: number, invoice_date: date },
    ...{ total_amount: oreToNumber(total_ore), refund_id },
  })),
});

const debtorOf = (debtor: store.InvoiceForKey['debtor']) => ({
  name: debtor['name'] ?? null,
  email: debtor['email'] ?? null,
  org_number: debtor['orgNumber'] ?? null,
  vat_number: debtor['vatNumber'] ?? null,
  address: debtor['address'] ?? null,
  postal_code: debtor['postalCode'] ?? null,
  city: debtor['city'] ?? null,
  country_code: debtor['countryCode'] ?? null,
  phone: debtor['phone'] ?? null,
});

const purchases: ListedById<store.PurchaseForKey, z.output<typeof schemas.purchaseItem>> = {
  path: 'inkop',
  tag: 'Purchases',
  operation: { list: 'listPurchases', one: 'getPurchase' },
  summary: {
    list: 'Read supplier invoices and outlays with rows and payments',
    one: 'Read one supplier invoice or outlay with rows and payments',
  },
  description,
  query: schemas.purchasesQuery,
  oneQuery: schemas.purchaseQuery,
  item: schemas.purchaseItem,
  page: pageSchema(schemas.purchaseItem, 'PurchasePage', pageMeaning),
  missing: 'Det finns inget inköp med det id:t.',
  read: (tx, { include, ...query }: Asked<typeof schemas.purchasesQuery>) =>
    named(tx, include, store.listPurchases(tx, query), purchaseOf),
};

const purchaseOf = (row: store.PurchaseForKey, baseUrl: string, names: Names) => ({
  id: row.id,
  kind: row.kind,
  status: row.status,
  origin: originOf(row),
  supplier_id: row.supplier_id,
  seller: {
    name: row.seller_name,
    org_number: row.seller_org_number,
    vat_number: row.seller_vat_number,
  },
  invoice_number: row.invoice_number,
  invoice_date: row.issue_date,
  due_date: row.due_date,
  booking_date: row.booking_date,
  currency: row.currency,
  ...amountsOf(row),
  prepaid_amount: oreToNumber(row.prepaid_ore),
  payable_amount: oreToNumber(row.payable_ore),
  is_prepayment: row.is_prepayment,
  rejection: row.rejection,
  voucher_id: row.voucher_id,
  ...timesOf(row),
  url: `${baseUrl}/leverantorsinkorg/${row.id}`,
  rows: row.rows.map(({ debit_ore, credit_ore, ...rest }) => ({
    ...rest,
    ...names.ofAccount(rest),
    ...names.ofDimensions(rest),
    debit: oreToNumber(debit_ore),
    credit: oreToNumber(credit_ore),
  })),
  payments: row.payments.map(({ amount_ore, ...rest }) => ({
    ...rest,
    ...names.ofAccount(rest),
    amount: oreToNumber(amount_ore),
  })),
});

function originOf({ is_opening, is_outlay, is_by_hand }: store.PurchaseForKey): string {
  if (is_opening) return 'opening';
  if (is_outlay) return 'outlay';
  return is_by_hand ? 'by_hand' : 'e_invoice';
}

export function registerInvoiceReading(app: App, deps: AppDeps, access: Access): void {
  registerListedById(app, deps, access, customerInvoices);
  registerListedById(app, deps, access, purchases);
}

type Asked<Query extends z.ZodType> = ListQuery & Omit<z.output<Query> & object, 'cursor'>;

/** What is listed, answered with the names in it that are asked for. */
async function named<Row extends store.Invoiced, Item>(
  tx: Tx,
  include: Included[] | undefined,
  listed: Promise<Row[]>,
  answer: (row: Row, baseUrl: string, names: Names) => Item,
): Promise<ReadPage<Row, Item>> {
  const page = await listed;
  const within = page.flatMap(({ rows, payments }) => [...rows, ...payments]);
  const names = await readNames(tx, include, within);
  return { page, answer: (row, baseUrl) => answer(row, baseUrl, names) };
}
