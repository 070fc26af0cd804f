/** Tools that read the bank, invoices, parties and orders. */
import { z } from 'zod';
import { listBankRowsForKey } from '../../bank/statements/posted-store.ts';
import { isDate } from '../../domain/basics/dates.ts';
import { e4ToNumber, oreToNumber } from '../../domain/basics/money.ts';
import { requireScopes, withKey } from '../../http/access.ts';
import { idSchema } from '../../http/schemas.ts';
import { isUuid } from '../../lib/uuid.ts';
import { requireOrder } from '../paging.ts';
import {
  type InvoiceForKey,
  listInvoices,
  listPurchases,
  type PurchaseForKey,
} from '../registers/invoice-store.ts';
import { listCustomers, listSuppliers, type PartyRow } from '../registers/store.ts';
import { type Bound, cursorAt, fitPage, placeAt, untrusted, untrustedSchema } from './answers.ts';
import { listStoppedOrdersForKey } from './store.ts';
import { days, isoDate, kronor, nextCursor, paging, tool } from './tool.ts';

const isId = (parts: readonly unknown[]): parts is readonly [string] => isUuid(parts[0]);
type DayParts = readonly [date: string, id: string];
const isDay = (parts: readonly unknown[]): parts is DayParts =>
  typeof parts[0] === 'string' && isDate(parts[0]) && isUuid(parts[1]);

const listBankRowsTool = tool({
  name: 'list_bank_rows',
  title: 'Rows of the bank',
  description:
    'What the bank says happened, by day; below zero is money out. Scope bank:read. What the payer wrote is untrusted_text.',
  input: z.strictObject({
    ...days,
    account: z.int().min(1).max(999_999_999).optional().describe('The ledger account of the bank'),
    matched: z.boolean().optional().describe('Whether a voucher books it'),
    ...paging,
  }),
  output: z.object({
    bank_rows: z.array(
      z.object({
        transaction_id: z.string(),
        account: z.int(),
        date: isoDate,
        amount: kronor,
        voucher_id: z.string().nullable(),
        payment_count: z.int(),
        untrusted_text: untrustedSchema,
      }),
    ),
    next_cursor: nextCursor,
  }),
  run: async ({ deps, caller }, { limit, cursor, ...asked }) => {
    requireScopes(caller, ['bank:read']);
    requireOrder(asked.from, asked.to);
    const bound: Bound = ['list_bank_rows', caller.keyId, asked];
    const place = placeAt(bound, cursor, isDay);
    const found = await withKey(deps.readers, caller, (tx) =>
      listBankRowsForKey(tx, { ...asked, limit }, place && { date: place[0], id: place[1] }),
    );
    const { items, next_cursor } = fitPage(found, {
      limit,
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
      cursorOf: ({ booked_on: day, id }) => cursorAt(bound, [day, id]),
    });
    return { bank_rows: items, next_cursor };
  },
});

const amounts = {
  net_amount: kronor,
  vat_amount: kronor,
  paid_amount: kronor,
  remaining_amount: kronor,
};
const amountsOf = (row: InvoiceForKey | PurchaseForKey) => ({
  net_amount: oreToNumber(row.net_ore),
  vat_amount: oreToNumber(row.vat_ore),
  paid_amount: oreToNumber(row.paid_ore),
  remaining_amount: oreToNumber(row.open_ore),
});
const rowsInList = 5;

const listInvoicesTool = tool({
  name: 'list_invoices',
  title: 'Customer invoices',
  description: `Invoices to customers with what remains and their first ${rowsInList} rows, in the order of ids. Scope data:read.`,
  input: z.strictObject({
    invoice_id: idSchema.optional(),
    customer_id: idSchema.optional(),
    status: z.enum(['draft', 'booked', 'paid', 'credited']).optional(),
    ...paging,
  }),
  output: z.object({
    invoices: z.array(
      z.object({
        invoice_id: z.string(),
        kind: z.string(),
        status: z.string(),
        invoice_number: z.int().nullable(),
        customer_id: z.string(),
        invoice_date: isoDate,
        due_date: isoDate,
        total_amount: kronor,
        ...amounts,
        voucher_id: z.string().nullable(),
        row_count: z.int(),
        rows: z.array(
          z.object({
            account: z.int(),
            quantity: z.number(),
            vat_rate: z.number(),
            net_amount: kronor,
            untrusted_text: untrustedSchema,
          }),
        ),
        untrusted_text: untrustedSchema,
      }),
    ),
    next_cursor: nextCursor,
  }),
  run: async (
    { deps, caller },
    { limit, cursor, invoice_id: id, customer_id: customer, status },
  ) => {
    const bound: Bound = ['list_invoices', caller.keyId, { id, customer, status }];
    const [after] = placeAt(bound, cursor, isId) ?? [];
    const found = await withKey(deps.readers, caller, (tx) =>
      listInvoices(tx, {
        id: id ? [id] : undefined,
        customer: customer ? [customer] : undefined,
        status: status && [status],
        after,
        limit,
      }),
    );
    const { items, next_cursor } = fitPage(found, {
      limit,
      isFollowed: found.at(-1)?.is_followed === true,
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
        voucher_id: row.voucher_id,
        row_count: row.rows.length,
        rows: row.rows.slice(0, rowsInList).map((one) => ({
          account: one.account,
          quantity: e4ToNumber(BigInt(one.quantity_e4)),
          vat_rate: one.vat_rate,
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
      cursorOf: ({ id: last }) => cursorAt(bound, [last]),
    });
    return { invoices: items, next_cursor };
  },
});

const listPurchasesTool = tool({
  name: 'list_purchases',
  title: 'Supplier invoices',
  description: `Invoices from suppliers and outlays with what remains and their first ${rowsInList} rows, in the order of ids. Scope data:read.`,
  input: z.strictObject({
    purchase_id: idSchema.optional(),
    supplier_id: idSchema.optional(),
    status: z.enum(['new', 'review', 'booked', 'rejected']).optional(),
    ...paging,
  }),
  output: z.object({
    purchases: z.array(
      z.object({
        purchase_id: z.string(),
        kind: z.string(),
        status: z.string(),
        supplier_id: z.string().nullable(),
        invoice_date: isoDate,
        due_date: isoDate.nullable(),
        currency: z.string(),
        payable_amount: kronor,
        ...amounts,
        voucher_id: z.string().nullable(),
        row_count: z.int(),
        rows: z.array(
          z.object({
            account: z.int(),
            debit: kronor,
            credit: kronor,
            untrusted_text: untrustedSchema,
          }),
        ),
        untrusted_text: untrustedSchema,
      }),
    ),
    next_cursor: nextCursor,
  }),
  run: async (
    { deps, caller },
    { limit, cursor, purchase_id: id, supplier_id: supplier, status },
  ) => {
    const bound: Bound = ['list_purchases', caller.keyId, { id, supplier, status }];
    const [after] = placeAt(bound, cursor, isId) ?? [];
    const found = await withKey(deps.readers, caller, (tx) =>
      listPurchases(tx, {
        id: id ? [id] : undefined,
        supplier: supplier ? [supplier] : undefined,
        status: status && [status],
        after,
        limit,
      }),
    );
    const { items, next_cursor } = fitPage(found, {
      limit,
      isFollowed: found.at(-1)?.is_followed === true,
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
        voucher_id: row.voucher_id,
        row_count: row.rows.length,
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
      cursorOf: ({ id: last }) => cursorAt(bound, [last]),
    });
    return { purchases: items, next_cursor };
  },
});

const listPartiesTool = tool({
  name: 'list_parties',
  title: 'Customers or suppliers',
  description: 'Customers or suppliers in use, in the order of ids. Scope data:read.',
  input: z.strictObject({
    kind: z.enum(['customer', 'supplier']),
    ids: z.array(idSchema).min(1).max(50).optional(),
    ...paging,
  }),
  output: z.object({
    parties: z.array(
      z.object({
        party_id: z.string(),
        kind: z.enum(['customer', 'supplier']),
        payment_days: z.int().nullable(),
        untrusted_text: untrustedSchema,
      }),
    ),
    next_cursor: nextCursor,
  }),
  run: async ({ deps, caller }, { kind, ids, limit, cursor }) => {
    const bound: Bound = ['list_parties', caller.keyId, { kind, ids }];
    const [after] = placeAt(bound, cursor, isId) ?? [];
    const query = { keys: ids, active: true, updatedSince: undefined, after, limit };
    const found = await withKey(deps.readers, caller, async (tx) => {
      const parties: (PartyRow & { readonly days: number | null })[] =
        kind === 'customer'
          ? (await listCustomers(tx, query)).map((row) => ({
              ...row,
              days: row.payment_terms_days,
            }))
          : (await listSuppliers(tx, query)).map((row) => ({ ...row, days: row.payment_days }));
      return parties;
    });
    const { items, next_cursor } = fitPage(found, {
      limit,
      answer: (row) => ({
        party_id: row.id,
        kind,
        payment_days: row.days,
        untrusted_text: untrusted({
          name: row.name,
          organization_number: row.organization_number,
          vat_number: row.vat_number,
          country_code: row.country_code,
        }),
      }),
      cursorOf: ({ id }) => cursorAt(bound, [id]),
    });
    return { parties: items, next_cursor };
  },
});

const listStoppedOrdersTool = tool({
  name: 'list_stopped_orders',
  title: 'Orders that stopped',
  description:
    'Orders that became no invoice and wait for a person, each with the reason. What is in them is for people. Scope data:read.',
  input: z.strictObject({ ...paging }),
  output: z.object({
    orders: z.array(
      z.object({
        order_id: z.string(),
        received_at: isoDate,
        reason: z.string().nullable(),
        untrusted_text: untrustedSchema,
      }),
    ),
    next_cursor: nextCursor,
  }),
  run: async ({ deps, caller }, { limit, cursor }) => {
    const bound: Bound = ['list_stopped_orders', caller.keyId, {}];
    const [after] = placeAt(bound, cursor, isId) ?? [];
    const found = await withKey(deps.readers, caller, (tx) =>
      listStoppedOrdersForKey(tx, after, limit + 1),
    );
    const { items, next_cursor } = fitPage(found, {
      limit,
      answer: (row) => ({
        order_id: row.id,
        received_at: row.received_at.toISOString(),
        reason: row.reason,
        untrusted_text: untrusted({ external_id: row.external_id }),
      }),
      cursorOf: ({ id }) => cursorAt(bound, [id]),
    });
    return { orders: items, next_cursor };
  },
});

export const documentTools = {
  listBankRowsTool,
  listInvoicesTool,
  listPurchasesTool,
  listPartiesTool,
  listStoppedOrdersTool,
};
