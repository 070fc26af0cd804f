/** What is owed and may be paid by file, out of the books. */
import type { Db, Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { VatReporting } from '../../domain/ledger/vat-deadlines.ts';
import type { Payee } from '../../domain/purchases/payables/payable.ts';
import { taxAccount, vatDebtAccount } from '../../domain/purchases/payables/tax-claims.ts';
import type { PaymentInstruction } from '../../domain/purchases/received-invoice.ts';
import { vatReporting } from '../../ledger/vat-filings/company-store.ts';

/** More is not shown at once, the first due first. */
const invoicesMax = 2_000;

export interface OwedInvoice {
  id: string;
  kind: 'invoice' | 'credit_note';
  number: string;
  due_on: string | null;
  open_ore: bigint;
  currency: string;
  payment: PaymentInstruction;
  supplier_id: string | null;
  laid_out_by: string | null;
  name: string;
  /** Of the supplier's register, the newest first. */
  known_payees: Payee[];
  /** Where the same person had their latest outlay back. */
  latest_payee: Payee | null;
  file_id: string | null;
  file_number: number | null;
  /** The file of whose payment the bank said no last, when nothing has been asked since. */
  refused_in: { id: string; number: number } | null;
}

/** Booked purchases with something left to pay or to have back; of these ids when some are said. */
export function listOwedInvoices(db: Db, ids: readonly string[] | null): Promise<OwedInvoice[]> {
  return db.query(sql`
    select i.id, i.kind, i.invoice_number as number, i.due_date as due_on, i.open_ore, i.currency, i.payment,
      i.supplier_id, i.laid_out_by, coalesce(i.laid_out_by, s.name, i.seller ->> 'name') as name,
      (select coalesce(json_agg(json_build_object('kind', a.kind, 'number', a.number)
          order by a.created_at desc, a.number), '[]')
        from purchases.supplier_accounts a where a.supplier_id = i.supplier_id) as known_payees,
      (select json_build_object('kind', p.payee_kind, 'number', p.payee_number)
        from purchases.payouts p where p.laid_out_by = i.laid_out_by order by p.id desc limit 1) as latest_payee,
      f.id as file_id, f.number as file_number,
      (select case when p.refused_at is not null then json_build_object('id', f.id, 'number', f.number) end
        from purchases.payout_parts t join purchases.payouts p on p.id = t.payout_id
        join purchases.payment_files f on f.id = p.file_id
        where t.invoice_id = i.id order by p.id desc limit 1) as refused_in
    from purchases.invoices i
    left join purchases.suppliers s on s.id = i.supplier_id
    left join purchases.payout_parts t on t.invoice_id = i.id and t.is_live
    left join purchases.payouts p on p.id = t.payout_id
    left join purchases.payment_files f on f.id = p.file_id
    where i.open_ore <> 0 and i.status = 'booked'
      and (${ids}::uuid[] is null or i.id = any (${ids}::uuid[]))
    order by i.due_date, i.id limit ${invoicesMax}`);
}

/** Holds purchases until commit, in the order of their ids: whoever else chooses one of them waits. */
export async function holdInvoices(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.query(
    sql`select from purchases.invoices where id = any (${ids}::uuid[]) order by id for update`,
  );
}

export interface TaxBooks {
  /** Skatteverket's number of the company; null when it is not said. */
  ocr: string | null;
  reporting: VatReporting;
  /** What is owed of taxes that are paid through the tax account, less what stands on it. */
  owed_ore: bigint;
  /** What settled periods came to, by their last day; with their first where they are filed. */
  vat: { end: string; filed_from: string | null; ore: bigint }[];
  /** What salaries of a month (`2026-10`) left to pay. */
  payroll: { month: string; ore: bigint }[];
  /** Taxes that the bank may still pay, by key. */
  in_files: { key: string; file_id: string; file_number: number }[];
}

/** Of periods and months so far back; what is older stands on the tax account. */
const monthsBack = 14;

/** Undefined before there is a company. */
export async function findTaxBooks(db: Db, today: string): Promise<TaxBooks | undefined> {
  const isPayroll = sql`(b.account = 2710 or b.account between 2730 and 2739)`;
  const [company] = await db.query<Pick<TaxBooks, 'ocr' | 'reporting' | 'owed_ore'>>(sql`
    select c.tax_ocr as ocr, ${vatReporting} as reporting,
      (select coalesce(sum(b.credit_ore - b.debit_ore), 0)::bigint from ledger.month_balances b
        where b.account in (${vatDebtAccount}, ${taxAccount}) or ${isPayroll}) as owed_ore
    from restricted.company c`);
  if (!company) return undefined;
  const vat = await db.query<TaxBooks['vat'][number]>(sql`
    select s.period_end as end, sum(r.credit_ore - r.debit_ore)::bigint as ore,
      (select f.period_start from ledger.vat_filings f where f.period_end = s.period_end) as filed_from
    from ledger.vat_settlements s
    join ledger.voucher_rows r on r.voucher_id = s.voucher_id and r.account = ${vatDebtAccount}
    where s.period_end > ${today}::date - make_interval(months => ${monthsBack}::integer)
    group by s.period_end order by s.period_end`);
  const payroll = await db.query<TaxBooks['payroll'][number]>(sql`
    select to_char(b.month, 'YYYY-MM') as month, sum(b.credit_ore)::bigint as ore from ledger.month_balances b
    where ${isPayroll} and b.month > ${today}::date - make_interval(months => ${monthsBack}::integer)
      and b.month <= ${today}::date
    group by b.month order by b.month`);
  const inFiles = await db.query<TaxBooks['in_files'][number]>(sql`
    select t.tax as key, f.id as file_id, f.number as file_number from purchases.payout_parts t
    join purchases.payouts p on p.id = t.payout_id join purchases.payment_files f on f.id = p.file_id
    where t.is_live and t.tax is not null order by t.tax`);
  return { ...company, vat, payroll, in_files: inFiles };
}

export interface PayingAccount {
  id: string;
  name: string;
  ledger_account: number;
  iban: string | null;
  bankgiro: string | null;
}

/** Accounts that money is paid from: in use, at a bank. */
export function listPayingAccounts(db: Db): Promise<PayingAccount[]> {
  return db.query(sql`select id, name, ledger_account, iban, bankgiro from bank.accounts
    where is_active and kind = 'bank' and (iban is not null or bankgiro is not null) order by ledger_account`);
}

export async function findPayer(
  db: Db,
): Promise<{ name: string; organization_number: string } | undefined> {
  const [payer] = await db.query<{ name: string; organization_number: string }>(
    sql`select name, organization_number from restricted.company`,
  );
  return payer;
}
