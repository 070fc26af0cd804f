/** Suppliers' invoices and outlays that people write. */
import { type Db, databaseErrorOf, type Tx } from '../../db/pool.ts';
import { anywhere, sql } from '../../db/sql.ts';
import type { AccountType } from '../../domain/ledger/account.ts';
import type {
  InvoiceSeller,
  PayeeAccount,
  PaymentInstruction,
} from '../../domain/purchases/received-invoice.ts';
import type { InboxWarning } from '../../domain/purchases/supplier-inbox.ts';
import type { CostAccount } from '../../domain/purchases/supplier-posting.ts';
import { outlayAccounts } from '../../domain/purchases/written-purchase.ts';
import { refuse } from '../../lib/errors.ts';
import type { WrittenJson } from './written.ts';

export interface StoredByHand {
  readonly id: string;
  readonly status: 'new' | 'review';
  readonly kind: 'invoice' | 'credit_note';
  readonly supplierId: string | null;
  readonly seller: InvoiceSeller;
  readonly invoiceNumber: string;
  readonly issueDate: string;
  readonly dueDate: string | null;
  readonly currency: string;
  readonly exchangeRateE6: bigint | null;
  /** In hundredths of the currency, as the other amounts. */
  readonly netOre: bigint;
  readonly vatOre: bigint;
  readonly roundingOre: bigint;
  readonly payableOre: bigint;
  readonly payment: PaymentInstruction;
  readonly warnings: readonly InboxWarning[];
  readonly debtAccount: number;
  readonly laidOutBy: string | null;
  readonly written: WrittenJson;
}

/** New, or instead of what the draft was. Throws 422 when the supplier has an invoice of that number. */
export async function storeByHand(tx: Tx, invoice: StoredByHand, actor: string): Promise<void> {
  const json = {
    id: invoice.id,
    status: invoice.status,
    kind: invoice.kind,
    supplier_id: invoice.supplierId,
    seller: invoice.seller,
    invoice_number: invoice.invoiceNumber,
    issue_date: invoice.issueDate,
    due_date: invoice.dueDate,
    currency: invoice.currency,
    exchange_rate_e6: invoice.exchangeRateE6 === null ? null : String(invoice.exchangeRateE6),
    net_ore: String(invoice.netOre),
    vat_ore: String(invoice.vatOre),
    rounding_ore: String(invoice.roundingOre),
    payable_ore: String(invoice.payableOre),
    payment: invoice.payment,
    warnings: invoice.warnings,
    debt_account: invoice.debtAccount,
    laid_out_by: invoice.laidOutBy,
    written: invoice.written,
  };
  try {
    await tx.query(sql`select purchases.write_by_hand(${JSON.stringify(json)}::jsonb, ${actor})`);
  } catch (error) {
    if (databaseErrorOf(error)?.constraint !== 'invoices_by_hand_key') throw error;
    const { invoiceNumber: number, seller } = invoice;
    throw refuse('unprocessable', [numberTaken(number, seller.name)]);
  }
}

export const numberTaken = (number: string, name: string) =>
  ({
    path: 'invoiceNumber',
    reason: 'purchase_number_taken',
    params: { number, name },
  }) as const;

/** The supplier's invoice with the number, other than `exceptId`; what is rejected is none. */
export async function findNumbered(
  db: Db,
  supplierId: string,
  number: string,
  exceptId: string | null,
): Promise<{ id: string } | undefined> {
  const [found] = await db.query<{ id: string }>(
    sql`select id from purchases.invoices
        where supplier_id = ${supplierId}::uuid and invoice_number = ${number}
          and status <> 'rejected' and id is distinct from ${exceptId}::uuid
        order by id limit 1`,
  );
  return found;
}

/** Whether an outlay of the same sum, day and seller is there already. */
export async function isOutlayKnown(
  db: Db,
  outlay: Pick<
    StoredByHand,
    'id' | 'laidOutBy' | 'issueDate' | 'currency' | 'payableOre' | 'seller'
  >,
): Promise<boolean> {
  const { id, laidOutBy, issueDate, currency, payableOre, seller } = outlay;
  const [found] = await db.query(
    sql`select from purchases.invoices
        where laid_out_by = ${laidOutBy} and issue_date = ${issueDate}::date
          and currency = ${currency} and payable_ore = ${payableOre} and lower(seller ->> 'name') = lower(${seller.name})
          and status <> 'rejected' and id <> ${id}::uuid limit 1`,
  );
  return found !== undefined;
}

export interface BookableAccount extends CostAccount {
  readonly type: AccountType;
}

/** Those of the numbers that are accounts in use, with what each is to the VAT return. */
export function listBookable(db: Db, numbers: readonly number[]): Promise<BookableAccount[]> {
  return db.query(
    sql`select number, type, vat_box as "vatBox", vat_rate as "vatRate" from ledger.accounts
        where is_active and number = any (${numbers}::integer[])`,
  );
}

export interface WrittenPage {
  id: string;
  status: 'new' | 'review' | 'booked' | 'rejected';
  kind: 'invoice' | 'credit_note';
  supplier_id: string | null;
  supplier_name: string | null;
  seller: InvoiceSeller;
  invoice_number: string;
  issue_date: string;
  due_date: string | null;
  currency: string;
  exchange_rate_e6: bigint | null;
  payment: PaymentInstruction;
  debt_account: number;
  laid_out_by: string | null;
  written: WrittenJson;
}

/** What was written by hand; undefined of anything else. */
export async function findByHand(db: Db, id: string): Promise<WrittenPage | undefined> {
  const [found] = await db.query<WrittenPage>(
    sql`select i.id, i.status, i.kind, i.supplier_id, s.name as supplier_name, i.seller,
          i.invoice_number, i.issue_date, i.due_date, i.currency, i.exchange_rate_e6, i.payment,
          i.debt_account, i.laid_out_by,
          i.written
        from purchases.invoices i left join purchases.suppliers s on s.id = i.supplier_id
        where i.id = ${id}::uuid and i.is_by_hand`,
  );
  return found;
}

export interface OwedPerson {
  name: string;
  account: number;
  open_ore: bigint;
  count: number;
}

/** Who has outlays to have back, the most first. */
export function listOwedPeople(db: Db): Promise<OwedPerson[]> {
  return db.query(
    sql`select laid_out_by as name, debt_account as account, sum(open_ore)::bigint as open_ore,
          count(*)::integer as count
        from purchases.invoices where laid_out_by is not null and open_ore <> 0
        group by laid_out_by, debt_account order by sum(open_ore) desc, laid_out_by limit 100`,
  );
}

/** What is left to give back to a person, the oldest first. */
export async function listOwedOutlays(db: Db, name: string): Promise<string[]> {
  const found = await db.query<{ id: string }>(
    sql`select id from purchases.invoices where laid_out_by = ${name} and open_ore <> 0
        order by issue_date, id`,
  );
  return found.map(({ id }) => id);
}

/** Names that have stood on outlays, for a form to suggest. */
export async function listOutlayNames(db: Db): Promise<string[]> {
  const found = await db.query<{ name: string }>(
    sql`select distinct laid_out_by as name from purchases.invoices
        where laid_out_by is not null order by laid_out_by limit 100`,
  );
  return found.map(({ name }) => name);
}

/** A supplier to choose, with what its next invoice is likely to be. */
export interface SuggestedSupplier {
  id: string;
  name: string;
  organization_number: string | null;
  country_code: string;
  payment_days: number | null;
  /** Its own, or that of its latest booked invoice. */
  account: number | null;
  /** Of its latest booked invoice. */
  currency: string | null;
  accounts: { kind: PayeeAccount['kind']; number: string }[];
  /** Its latest booked invoice that a person wrote, when it had one row. */
  latest: WrittenJson['lines'][number] | null;
}

/** Active ones whose name or number has the text, by name. */
export function suggestSuppliers(
  db: Db,
  search: string,
  limit: number,
): Promise<SuggestedSupplier[]> {
  const part = anywhere(search);
  return db.query(
    sql`with found as (
          select s.id from purchases.suppliers s
          where s.is_active and (lower(s.name) like ${part} or s.organization_number like ${part})
          order by s.sort_name, s.id limit ${limit}::integer)
        select s.id, s.name, s.organization_number, s.country_code, s.payment_days, u.account,
          (select i.currency from purchases.invoices i
            where i.supplier_id = s.id and i.status = 'booked'
            order by i.decided_at desc, i.id desc limit 1) as currency,
          (select coalesce(json_agg(json_build_object('kind', a.kind, 'number', a.number)
              order by a.created_at), '[]')
            from purchases.supplier_accounts a where a.supplier_id = s.id) as accounts,
          (select case when jsonb_array_length(i.written -> 'lines') = 1
              then i.written -> 'lines' -> 0 end
            from purchases.invoices i
            where i.supplier_id = s.id and i.is_by_hand and i.status = 'booked'
            order by i.issue_date desc, i.id desc limit 1) as latest
        from purchases.suppliers s
        join purchases.usual_accounts(array(select id from found)) u on u.supplier_id = s.id
        order by s.sort_name, s.id`,
  );
}

/** Accounts in use that an outlay may be owed on; first the one of whoever owns a firm or company of this form. */
export function listOutlayAccounts(db: Db): Promise<{ number: number; name: string }[]> {
  return db.query(
    sql`select number, name from ledger.accounts
        where is_active and number = any (${[...outlayAccounts]}::integer[])
        order by case when exists (select from restricted.company where substr(organization_number, 3, 1) < '2')
          then number else -number end`,
  );
}
