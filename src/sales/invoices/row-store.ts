/** The rows of customer invoices and credit notes: one way in, one way out, for all that write and read them. */
import type { Db } from '../../db/pool.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { InvoiceRow } from '../../domain/sales/invoice.ts';

/** As `InvoiceRow`, of the rows called `r`. */
export const rowColumns = sql`r.row_no as "rowNo", r.article_number as "articleNumber", r.description,
  r.quantity_e4 as "quantityE4", r.unit, r.unit_price_e4 as "unitPriceE4",
  r.discount_e2 as "discountE2", r.vat_rate as "vatRate", r.account, r.net_ore as "netOre",
  r.vat_ore as "vatOre", r.oss_country as "ossCountry", r.oss_rate_e2 as "ossRateE2",
  r.oss_supply as "ossSupply", r.currency_net as "currencyNet", r.currency_vat as "currencyVat"`;

/** Rows as JSON that `jsonb_populate_recordset(null::sales.invoice_rows, …)` reads. */
export function rowsJson(invoiceId: string, rows: readonly InvoiceRow[]): string {
  const records = rows.map(
    (row) =>
      ({
        invoice_id: invoiceId,
        row_no: row.rowNo,
        article_number: row.articleNumber,
        description: row.description,
        quantity_e4: String(row.quantityE4),
        unit: row.unit,
        unit_price_e4: String(row.unitPriceE4),
        discount_e2: String(row.discountE2),
        vat_rate: row.vatRate,
        account: row.account,
        net_ore: String(row.netOre),
        vat_ore: String(row.vatOre),
        is_price_reduction: row.isPriceReduction ?? null,
        oss_country: row.ossCountry ?? null,
        oss_rate_e2: row.ossRateE2 ?? null,
        oss_supply: row.ossSupply ?? null,
        currency_net: row.currencyNet == null ? null : String(row.currencyNet),
        currency_vat: row.currencyVat == null ? null : String(row.currencyVat),
      }) satisfies Record<Column | 'invoice_id', unknown>,
  );
  return JSON.stringify(records);
}

/** Every field of a row has its column, so that none is left out of what is written. */
type Column = Snake<keyof InvoiceRow>;
type Snake<Name extends string> = Name extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${Snake<Tail>}`
  : '';

/** The rows of several invoices, to put after whatever makes the invoices. */
export const insertRows = (
  invoices: readonly { readonly id: string; readonly rows: readonly InvoiceRow[] }[],
): Sql => sql`insert into sales.invoice_rows
  select r.* from unnest(${invoices.map(({ id, rows }) => rowsJson(id, rows))}::jsonb[]) as i (rows)
  cross join lateral jsonb_populate_recordset(null::sales.invoice_rows, i.rows) as r`;

/** A row with what its account and its invoice's buyer say of it. */
export interface ListedRow extends InvoiceRow {
  readonly accountName: string;
  /** The box of the VAT return that the account belongs to. */
  readonly vatBox: string | null;
  /** Why the buyer speaks against there being no VAT (`sales.vat_doubt`). */
  readonly vatDoubt: string | null;
}

/** It cannot be written anew on an invoice by hand, which knows of Sweden's VAT alone. */
export const hasForeignVat = ({ ossCountry }: Pick<InvoiceRow, 'ossCountry'>): boolean =>
  ossCountry != null;

export function listRows(db: Db, invoiceId: string): Promise<ListedRow[]> {
  return db.query(sql`select ${rowColumns}, a.name as "accountName", a.vat_box as "vatBox",
      sales.vat_doubt(a.vat_box, r.vat_rate, i.debtor ->> 'countryCode', i.debtor ->> 'vatNumber')
        as "vatDoubt"
    from sales.invoice_rows r join ledger.accounts a on a.number = r.account
    join sales.invoices i on i.id = r.invoice_id
    where r.invoice_id = ${invoiceId}::uuid order by r.row_no`);
}
