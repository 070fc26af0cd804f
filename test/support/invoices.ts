/** Invoice drafts for tests, and what became of them. */

import { db, type Pool, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import type { ExchangeRate } from '#src/domain/basics/exchange-rate.ts';
import { rowsInKronor } from '#src/domain/sales/foreign-currency.ts';
import { priceRowsExcludingVat, totalsOf } from '#src/domain/sales/invoice.ts';
import { uuid } from '#src/lib/uuid.ts';
import { insertDrafts, type NewInvoice } from '#src/sales/invoices/create-store.ts';
import { bookInvoices } from '#src/sales/invoices/service.ts';

/** What a company says of itself on its invoices, so that nobody is asked for it before the first. */
export async function fillInCompany(owner: Pool): Promise<void> {
  await db(
    owner,
  ).query(sql`update restricted.company set address = 'Vägen 1', postal_code = '903 26',
    city = 'Umeå', seat = 'Umeå', bankgiro = '5050-1055'`);
}

type Row = NewInvoice['rows'][number];
type PricedRow = Pick<Row, 'quantityE4' | 'unitPriceE4'> &
  Partial<Pick<Row, 'account' | 'vatRate' | 'unit' | 'discountE2'>>;

const draftOf = (customerId: string, invoiceDate: string, priced: readonly PricedRow[]) => {
  const rows = priceRowsExcludingVat(
    priced.map(({ vatRate = 25, account = 3001, ...row }, index) => ({
      unit: null,
      discountE2: 0n,
      ...row,
      vatRate,
      account,
      rowNo: index + 1,
      articleNumber: null,
      description: 'Kaffebryggare',
    })),
  );
  return {
    id: uuid(),
    source: 'api',
    createdBy: 'test',
    customerId,
    invoiceDate,
    dueDate: invoiceDate,
    paymentTermsDays: 0,
    pricesIncludeVat: false,
    yourReference: null,
    notes: null,
    debtor: { name: 'Kund' },
    rows,
    totals: totalsOf(rows, 0n),
  } satisfies NewInvoice;
};

async function collectiveCustomer(owner: Pool): Promise<string> {
  const [customer] = await db(owner).query<{ id: string }>(
    sql`select collective_customer_id as id from restricted.company`,
  );
  return customer?.id ?? '';
}

/** Drafts of `unitPrices` kronor each, to the collective customer; answers their ids. */
export async function makeDrafts(
  owner: Pool,
  unitPrices: readonly bigint[],
  invoiceDate = '2026-03-31',
): Promise<string[]> {
  const customer = await collectiveCustomer(owner);
  const drafts = unitPrices.map((kronor) =>
    draftOf(customer, invoiceDate, [{ quantityE4: 10_000n, unitPriceE4: kronor * 10_000n }]),
  );
  await withTx(owner, (tx) => insertDrafts(tx, drafts));
  return drafts.map(({ id }) => id);
}

/** A draft with these rows, to the collective customer; answers its id. */
export async function makeDraft(
  owner: Pool,
  rows: readonly PricedRow[],
  invoiceDate = '2026-03-31',
): Promise<string> {
  const draft = draftOf(await collectiveCustomer(owner), invoiceDate, rows);
  await withTx(owner, (tx) => insertDrafts(tx, [draft]));
  return draft.id;
}

/** A booked invoice with these rows; answers its id. */
export async function makeInvoice(owner: Pool, rows: readonly PricedRow[]): Promise<string> {
  const id = await makeDraft(owner, rows);
  await withTx(owner, (tx) => bookInvoices(tx, [id], 'test'));
  return id;
}

export interface StoredInvoice {
  id: string;
  status: string;
  number: number | null;
  ocr: string | null;
  voucher_id: string | null;
  booking_refusal: { error: string; detail: { lock?: string } } | null;
}

export function listInvoices(owner: Pool): Promise<StoredInvoice[]> {
  return db(owner).query(
    sql`select id, status, number, ocr, voucher_id, booking_refusal from sales.invoices
        order by number, id`,
  );
}

/** A booked invoice of so many hundredths of a currency, 25 % of VAT in it; answers its id. */
export async function bookInCurrency(
  owner: Pool,
  { amount, ...rate }: ExchangeRate & { readonly amount: bigint },
): Promise<string> {
  const draft = draftOf(await collectiveCustomer(owner), '2026-03-05', [
    { quantityE4: 10_000n, unitPriceE4: amount * 80n },
  ]);
  const rows = rowsInKronor(draft.rows, rate);
  const inCurrency = { ...rate, currencyRounding: 0n };
  const invoice = {
    ...draft,
    source: 'order' as const,
    rows,
    totals: totalsOf(rows, 0n),
    inCurrency,
  };
  await withTx(owner, async (tx) => {
    await insertDrafts(tx, [invoice]);
    await bookInvoices(tx, [invoice.id], 'test');
  });
  return invoice.id;
}
