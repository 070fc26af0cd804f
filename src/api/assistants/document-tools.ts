/** Tools that read the bank, invoices, parties and orders. */
import { z } from 'zod';
import { listBankRowsForKey } from '../../bank/statements/posted-store.ts';
import { isDate } from '../../domain/basics/dates.ts';
import { e4ToNumber, oreToNumber } from '../../domain/basics/money.ts';
import { idSchema } from '../../http/schemas.ts';
import { isUuid } from '../../lib/uuid.ts';
import { requireOrder } from '../paging.ts';
import {
  type InvoiceForKey,
  listInvoices,
  listPurchases,
  type PurchaseForKey,
  vatRateOf,
} from '../registers/invoice-store.ts';
import { listCustomers, listSuppliers, type PartyRow } from '../registers/store.ts';
import { untrusted, untrustedSchema } from './answers.ts';
import { listStoppedOrdersForKey } from './store.ts';
import { days, isId, isoDate, kronor, listTool } from './tool.ts';

type DayParts = readonly [date: string, id: string];
const isDay = (parts: readonly unknown[]): parts is DayParts =>
  typeof parts[0] === 'string' && isDate(parts[0]) && isUuid(parts[1]);

const listBankRowsTool = listTool({
  name: 'list_bank_rows',
  title: 'Rows of the bank',
  description:
    'What the bank says happened, by day; below zero is money out. What the payer wrote is untrusted_text.',
  scopes: ['bank:read'],
  asked: {
    ...days,
    account: z.int().min(1).max(999_999_999).optional().describe('The ledger account of the bank'),
    matched: z.boolean().optional().describe('Whether a voucher books it'),
  },
  items: 'bank_rows',
  item: {
    transaction_id: z.string(),
    account: z.int(),
    date: isoDate,
    amount: kronor,
    voucher_id: z.string().nullable(),
    payment_count: z.int(),
    untrusted_text: untrustedSchema,
  },
  isPlace: isDay,
  read: (tx, asked, { after, limit }) => {
    requireOrder(asked.from, asked.to);
    return listBankRowsForKey(tx, { ...asked, limit }, after && { date: after[0], id: after[1] });
  },
  placeOf: ({ booked_on: day, id }) => [day, id],
  answer: (row) => ({
    transaction_id: row.id,
    account: row.account,
    date: row.booked_on,
    amount: oreToNumber(row.amount_ore),
    voucher_id: row.voucher_id,
    payment_count: row.payment_count,
    untrusted_text: untrusted({
      text: row.description,
      // What payments within the row say of themselves, as the bank passed it on.
      payments: row.payments.length === 0 ? null : JSON.stringify(row.payments.slice(0, 3)),
    }),
  }),
});

/** An invoice in a list, ours or a supplier's: what it comes to, and its first rows. */
const invoiceShape = <Row extends z.ZodRawShape>(row: Row) => ({
  net_amount: kronor,
  vat_amount: kronor,
  paid_amount: kronor,
  remaining_amount: kronor,
  voucher_id: z.string().nullable(),
  row_count: z.int(),
  rows: z.array(z.object({ account: z.int(), ...row, untrusted_text: untrustedSchema })),
  untrusted_text: untrustedSchema,
});
const amountsOf = (row: InvoiceForKey | PurchaseForKey) => ({
  net_amount: oreToNumber(row.net_ore),
  vat_amount: oreToNumber(row.vat_ore),
  paid_amount: oreToNumber(row.paid_ore),
  remaining_amount: oreToNumber(row.open_ore),
  voucher_id: row.voucher_id,
  row_count: row.rows.length,
});
/** One or none, as a list of them is asked for. */
const only = <T>(one: T | undefined): readonly T[] | undefined =>
  one === undefined ? undefined : [one];
const rowsInList = 5;

const listInvoicesTool = listTool({
  name: 'list_invoices',
  title: 'Customer invoices',
  description: `Invoices to customers with what remains and their first ${rowsInList} rows, in the order of ids.`,
  scopes: ['data:read'],
  asked: {
    invoice_id: idSchema.optional(),
    customer_id: idSchema.optional(),
    status: z.enum(['draft', 'booked', 'paid', 'credited']).optional(),
  },
  items: 'invoices',
  item: {
    invoice_id: z.string(),
    kind: z.string(),
    status: z.string(),
    invoice_number: z.int().nullable(),
    customer_id: z.string(),
    invoice_date: isoDate,
    due_date: isoDate,
    total_amount: kronor,
    ...invoiceShape({ quantity: z.number(), vat_rate: z.number(), net_amount: kronor }),
  },
  isPlace: isId,
  read: (tx, { invoice_id: id, customer_id: customer, status }, { after, limit }) =>
    listInvoices(tx, {
      id: only(id),
      customer: only(customer),
      status: only(status),
      after: after?.[0],
      limit,
    }),
  placeOf: ({ id }) => [id],
  isFollowed: (last) => last.is_followed,
  answer: (row) => ({
    invoice_id: row.id,
    kind: row.kind,
    status: row.status,
    invoice_number: row.number,
    customer_id: row.customer_id,
    invoice_date: row.invoice_date,
    due_date: row.due_date,
    total_amount: oreToNumber(row.total_ore),
    ...amountsOf(row),
    rows: row.rows.slice(0, rowsInList).map((one) => ({
      account: one.account,
      quantity: e4ToNumber(BigInt(one.quantity_e4)),
      vat_rate: vatRateOf(one),
      net_amount: oreToNumber(one.net_ore),
      untrusted_text: untrusted({ description: one.description }, 120),
    })),
    untrusted_text: untrusted({
      customer: row.debtor['name'],
      your_reference: row.your_reference,
      notes: row.notes,
      external_id: row.external_id,
    }),
  }),
});

const listPurchasesTool = listTool({
  name: 'list_purchases',
  title: 'Supplier invoices',
  description: `Invoices from suppliers and outlays with what remains and their first ${rowsInList} rows, in the order of ids.`,
  scopes: ['data:read'],
  asked: {
    purchase_id: idSchema.optional(),
    supplier_id: idSchema.optional(),
    status: z.enum(['new', 'review', 'booked', 'rejected']).optional(),
  },
  items: 'purchases',
  item: {
    purchase_id: z.string(),
    kind: z.string(),
    status: z.string(),
    supplier_id: z.string().nullable(),
    invoice_date: isoDate,
    due_date: isoDate.nullable(),
    currency: z.string(),
    payable_amount: kronor,
    ...invoiceShape({ debit: kronor, credit: kronor }),
  },
  isPlace: isId,
  read: (tx, { purchase_id: id, supplier_id: supplier, status }, { after, limit }) =>
    listPurchases(tx, {
      id: only(id),
      supplier: only(supplier),
      status: only(status),
      after: after?.[0],
      limit,
    }),
  placeOf: ({ id }) => [id],
  isFollowed: (last) => last.is_followed,
  answer: (row) => ({
    purchase_id: row.id,
    kind: row.kind,
    status: row.status,
    supplier_id: row.supplier_id,
    invoice_date: row.issue_date,
    due_date: row.due_date,
    currency: row.currency,
    payable_amount: oreToNumber(row.payable_ore),
    ...amountsOf(row),
    rows: row.rows.slice(0, rowsInList).map((one) => ({
      account: one.account,
      debit: oreToNumber(one.debit_ore),
      credit: oreToNumber(one.credit_ore),
      untrusted_text: untrusted({ note: one.note }, 120),
    })),
    untrusted_text: untrusted({
      seller: row.seller_name,
      invoice_number: row.invoice_number,
      rejection: row.rejection,
    }),
  }),
});

interface Party extends PartyRow {
  readonly kind: 'customer' | 'supplier';
  readonly days: number | null;
}

const listPartiesTool = listTool({
  name: 'list_parties',
  title: 'Customers or suppliers',
  description: 'Customers or suppliers in use, in the order of ids.',
  scopes: ['data:read'],
  asked: {
    kind: z.enum(['customer', 'supplier']),
    ids: z.array(idSchema).min(1).max(50).optional(),
  },
  items: 'parties',
  item: {
    party_id: z.string(),
    kind: z.enum(['customer', 'supplier']),
    payment_days: z.int().nullable(),
    untrusted_text: untrustedSchema,
  },
  isPlace: isId,
  read: async (tx, { kind, ids }, { after, limit }): Promise<Party[]> => {
    const query = { keys: ids, active: true, updatedSince: undefined, after: after?.[0], limit };
    if (kind === 'customer') {
      const customers = await listCustomers(tx, query);
      return customers.map((row) => ({ ...row, kind, days: row.payment_terms_days }));
    }
    const suppliers = await listSuppliers(tx, query);
    return suppliers.map((row) => ({ ...row, kind, days: row.payment_days }));
  },
  placeOf: ({ id }) => [id],
  answer: (row) => ({
    party_id: row.id,
    kind: row.kind,
    payment_days: row.days,
    untrusted_text: untrusted({
      name: row.name,
      organization_number: row.organization_number,
      vat_number: row.vat_number,
      country_code: row.country_code,
    }),
  }),
});

const listStoppedOrdersTool = listTool({
  name: 'list_stopped_orders',
  title: 'Orders that stopped',
  description:
    'Orders that became no invoice and wait for a person, each with the reason. What is in them is for people.',
  scopes: ['data:read'],
  asked: {},
  items: 'orders',
  item: {
    order_id: z.string(),
    received_at: isoDate,
    reason: z.string().nullable(),
    untrusted_text: untrustedSchema,
  },
  isPlace: isId,
  read: (tx, _, { after, limit }) => listStoppedOrdersForKey(tx, after?.[0], limit + 1),
  placeOf: ({ id }) => [id],
  answer: (row) => ({
    order_id: row.id,
    received_at: row.received_at.toISOString(),
    reason: row.reason,
    untrusted_text: untrusted({ external_id: row.external_id }),
  }),
});

export const documentTools = {
  listBankRowsTool,
  listInvoicesTool,
  listPurchasesTool,
  listPartiesTool,
  listStoppedOrdersTool,
};
