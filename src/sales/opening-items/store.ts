/** Open items taken over: what there is, and the functions that write them. */
import { type Db, databaseErrorOf, type Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { VatRate } from '../../domain/ledger/vat.ts';
import type { OpeningItem, OpeningSide } from '../../domain/sales/opening-items.ts';
import { refuse } from '../../lib/errors.ts';

export interface StoredItem {
  id: string;
  number: string;
  /** Of the customer or supplier. */
  party_id: string;
  party: string;
  invoice_date: string;
  due_date: string | null;
  /** As it was before it came here. */
  total_ore: bigint;
  /** What was taken over, and what is left of that now. Of suppliers: what we owe. */
  taken_ore: bigint;
  open_ore: bigint;
}

const listedMax = 5000;

export function listOpeningItems(db: Db, side: OpeningSide): Promise<StoredItem[]> {
  return db.query(
    side === 'customers'
      ? sql`select i.id, i.number::text, i.customer_id as party_id, c.name as party, i.invoice_date,
              i.due_date, coalesce(i.original_total_ore, i.total_ore) as total_ore,
              i.total_ore as taken_ore, i.open_ore
            from sales.invoices i join sales.customers c on c.id = i.customer_id
            where i.source = 'opening' order by i.number limit ${listedMax}`
      : sql`select i.id, i.invoice_number as number, i.supplier_id as party_id, s.name as party,
              i.issue_date as invoice_date, i.due_date,
              coalesce(i.original_payable_ore, i.payable_ore) as total_ore,
              i.payable_ore as taken_ore, i.open_ore
            from purchases.invoices i join purchases.suppliers s on s.id = i.supplier_id
            where i.document_id is null and not i.is_by_hand order by s.name, i.invoice_number, i.id limit ${listedMax}`,
  );
}

/** What all items of a side came to when they were taken over, öre: as a claim or a debt, above zero. */
export async function sumOpeningItems(db: Db, side: OpeningSide): Promise<bigint> {
  const [sums] = await db.query<{ ore: bigint }>(
    side === 'customers'
      ? sql`select coalesce(sum(total_ore), 0)::bigint as ore from sales.invoices
            where source = 'opening'`
      : sql`select coalesce(sum(payable_ore), 0)::bigint as ore from purchases.invoices
            where document_id is null and not is_by_hand`,
  );
  return sums?.ore ?? 0n;
}

/** The last day in the old program, with what the account brought from there; null when the books began here. */
export async function findMoveBalance(
  db: Db,
  account: number,
): Promise<{ day: string; ore: bigint } | null> {
  const [found] = await db.query<{ day: string; ore: bigint }>(
    sql`select moved_on as day, sales.moved_balance(${account}) as ore
        from restricted.company where moved_on is not null`,
  );
  return found ?? null;
}

/** Active ones with the number, or of the name (whatever case) where there is no number to go by. */
export function listParties(
  db: Db,
  side: OpeningSide,
  { name, organizationNumber }: { name: string; organizationNumber: string | null },
): Promise<{ id: string; name: string }[]> {
  const register = side === 'customers' ? sql`sales.customers` : sql`purchases.suppliers`;
  return db.query(
    organizationNumber === null
      ? sql`select id, name from ${register} where lower(name) = lower(${name}) and is_active
            order by id limit 2`
      : sql`select id, name from ${register} where organization_number = ${organizationNumber}
            order by is_active desc, id limit 1`,
  );
}

/** Which of the items are in the books already, by their place: by number, and of suppliers by whose it is too. */
export async function listTaken(
  db: Db,
  side: OpeningSide,
  items: readonly Pick<OpeningItem, 'number' | 'name' | 'organizationNumber'>[],
): Promise<number[]> {
  const given = sql`unnest(${items.map(({ number }) => number)}::text[],
    ${items.map(({ name }) => name)}::text[],
    ${items.map(({ organizationNumber }) => organizationNumber)}::text[])
    with ordinality as g (number, name, organization_number, place)`;
  const isTaken =
    side === 'customers'
      ? sql`exists (select from sales.invoices i where i.number::text = g.number)`
      : sql`exists (select from purchases.invoices i join purchases.suppliers s on s.id = i.supplier_id
          where i.invoice_number = g.number and case when g.organization_number is null
            then lower(s.name) = lower(g.name) else s.organization_number = g.organization_number end)`;
  const taken = await db.query<{ place: bigint }>(
    sql`select g.place from ${given} where ${isTaken} order by g.place`,
  );
  return taken.map(({ place }) => Number(place) - 1);
}

export async function listRevenueRates(
  db: Db,
  accounts: readonly number[],
): Promise<Map<number, VatRate>> {
  const rows = await db.query<{ number: number; vat_rate: VatRate | null }>(
    sql`select number, vat_rate from ledger.accounts
        where number = any (${accounts}::integer[]) and type = 'revenue' and is_active`,
  );
  return new Map(rows.map(({ number, vat_rate }) => [number, vat_rate ?? 0]));
}

export interface NewOpeningInvoice {
  readonly id: string;
  readonly customerId: string;
  readonly number: number;
  readonly ocr: string | null;
  readonly invoiceDate: string;
  readonly dueDate: string;
  readonly totalOre: bigint;
  readonly originalOre: bigint | null;
  readonly notes: string;
  readonly row: {
    readonly description: string;
    readonly account: number;
    readonly vatRate: number;
    readonly netOre: bigint;
    readonly vatOre: bigint;
  };
}

/** Throws `unprocessable` when a number is taken by another invoice. */
export async function insertOpeningInvoices(
  tx: Tx,
  items: readonly NewOpeningInvoice[],
  actor: string,
): Promise<void> {
  const given = items.map(({ row, ...item }) => ({
    id: item.id,
    customer_id: item.customerId,
    number: item.number,
    ocr: item.ocr,
    invoice_date: item.invoiceDate,
    due_date: item.dueDate,
    total_ore: String(item.totalOre),
    original_total_ore: item.originalOre === null ? null : String(item.originalOre),
    notes: item.notes,
    rows: [
      {
        row_no: 1,
        description: row.description,
        account: row.account,
        vat_rate: row.vatRate,
        net_ore: String(row.netOre),
        vat_ore: String(row.vatOre),
      },
    ],
  }));
  try {
    await tx.query(
      sql`select sales.add_opening_invoices(${JSON.stringify(given)}::jsonb, ${actor})`,
    );
  } catch (error) {
    const { constraint, detail } = databaseErrorOf(error) ?? {};
    if (constraint !== 'invoices_number_key') throw error;
    const number = /\((\d+)\)/.exec(String(detail ?? ''))?.[1] ?? null;
    throw refuse('unprocessable', [
      { path: 'lines', reason: 'opening_number_taken', params: { number } },
    ]);
  }
}

export interface NewOpeningPurchase {
  readonly id: string;
  readonly supplierId: string;
  readonly number: string;
  readonly reference: string | null;
  readonly invoiceDate: string;
  readonly dueDate: string;
  readonly payableOre: bigint;
  readonly originalOre: bigint | null;
  /** The first day of the books. */
  readonly bookingDate: string;
}

/** Throws `unprocessable` when the supplier's number is taken over already. */
export async function insertOpeningPurchases(
  tx: Tx,
  items: readonly NewOpeningPurchase[],
  actor: string,
): Promise<void> {
  const given = items.map((item) => ({
    id: item.id,
    supplier_id: item.supplierId,
    number: item.number,
    reference: item.reference,
    invoice_date: item.invoiceDate,
    due_date: item.dueDate,
    payable_ore: String(item.payableOre),
    original_payable_ore: item.originalOre === null ? null : String(item.originalOre),
    booking_date: item.bookingDate,
  }));
  try {
    await tx.query(
      sql`select purchases.add_opening_invoices(${JSON.stringify(given)}::jsonb, ${actor})`,
    );
  } catch (error) {
    if (databaseErrorOf(error)?.constraint !== 'invoices_opening_key') throw error;
    throw refuse('unprocessable', [{ path: 'lines', reason: 'opening_purchase_taken' }]);
  }
}

/** False when there is no such item. Throws `unprocessable` when something has happened to it. */
export async function deleteOpeningItem(tx: Tx, side: OpeningSide, id: string): Promise<boolean> {
  try {
    const [answer] = await tx.query<{ removed: boolean }>(
      side === 'customers'
        ? sql`select sales.remove_opening_invoice(${id}::uuid) as removed`
        : sql`select purchases.remove_opening_invoice(${id}::uuid) as removed`,
    );
    return answer?.removed ?? false;
  } catch (error) {
    const { code, constraint } = databaseErrorOf(error) ?? {};
    const isFrozen =
      constraint === 'invoices_are_frozen' || constraint === 'supplier_invoices_are_frozen';
    if (!isFrozen && code !== '23503') throw error;
    throw refuse('unprocessable', [{ path: '', reason: 'opening_item_in_use' }]);
  }
}
