import { type Db, databaseErrorOf, type Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import { refuse, refuseWhole } from '../../lib/errors.ts';
import { uuid } from '../../lib/uuid.ts';
import type { LedgerRow } from './posting-store.ts';

/** What a voucher can begin from. */
export interface VoucherTemplate {
  readonly name: string;
  readonly series: string;
  readonly description: string;
  readonly counterparty: string | null;
  /** They need not balance: a template may leave the amounts to be typed. */
  readonly rows: readonly LedgerRow[];
}

export interface ListedTemplate {
  id: string;
  name: string;
  series: string;
  description: string;
  accounts: number[];
}

export function listTemplates(db: Db): Promise<ListedTemplate[]> {
  return db.query(sql`select t.id, t.name, t.series, t.description,
      array(select (r.row ->> 'account')::integer from jsonb_array_elements(t.rows) as r (row))
        as accounts
    from ledger.voucher_templates t order by lower(t.name), t.id`);
}

interface StoredRow {
  account: number;
  debit: string;
  credit: string;
  note: string | null;
  cost_center: string | null;
  project: string | null;
  vat_code?: string;
}

/** Throws 404 when there is none. */
export async function getTemplate(db: Db, id: string): Promise<VoucherTemplate> {
  const [found] = await db.query<Omit<VoucherTemplate, 'rows'> & { rows: StoredRow[] }>(
    sql`select t.name, t.series, t.description, t.counterparty, t.rows
        from ledger.voucher_templates t where t.id = ${id}::uuid`,
  );
  if (!found) throw refuseWhole('not_found', 'no_voucher_template');
  return {
    ...found,
    rows: found.rows.map((row) => ({
      account: row.account,
      debitOre: BigInt(row.debit),
      creditOre: BigInt(row.credit),
      note: row.note,
      costCenter: row.cost_center,
      project: row.project,
      vatCode: row.vat_code,
    })),
  };
}

/** Throws 422 when there is one of that name. */
export async function insertTemplate(
  tx: Tx,
  { name, series, description, counterparty, rows }: VoucherTemplate,
  actor: string,
): Promise<void> {
  const stored = rows.map(
    (row): StoredRow => ({
      account: row.account,
      debit: String(row.debitOre),
      credit: String(row.creditOre),
      note: row.note ?? null,
      cost_center: row.costCenter ?? null,
      project: row.project ?? null,
      ...(row.vatCode ? { vat_code: row.vatCode } : {}),
    }),
  );
  try {
    await tx.query(sql`insert into ledger.voucher_templates (id, name, series, description,
        counterparty, rows, created_by)
      values (${uuid()}, ${name}, ${series}, ${description}, ${counterparty},
        ${JSON.stringify(stored)}::jsonb, ${actor})`);
  } catch (error) {
    if (databaseErrorOf(error)?.constraint !== 'voucher_templates_name_key') throw error;
    throw refuse('unprocessable', [
      { path: 'templateName', reason: 'template_name_taken', params: { name } },
    ]);
  }
}

/** Its name, or undefined when it is gone already. */
export async function deleteTemplate(tx: Tx, id: string): Promise<string | undefined> {
  const [gone] = await tx.query<{ name: string }>(
    sql`delete from ledger.voucher_templates where id = ${id}::uuid returning name`,
  );
  return gone?.name;
}
