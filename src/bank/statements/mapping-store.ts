/** What people have said of the columns of lists, by their headings. */
import type { Db, Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { BankFileMapping } from '../../domain/ledger/bank-files/mapping.ts';

export interface KeptMapping extends BankFileMapping {
  readonly id: string;
  readonly createdAt: Date;
}

/** The latest first. */
export function listMappings(db: Db): Promise<KeptMapping[]> {
  return db.query(sql`select id, headings, roles, decimal_mark as decimal, day_order as "dayOrder",
      is_reversed as "isReversed", created_at as "createdAt"
    from bank.mappings order by created_at desc, id`);
}

/** In the place of what was said of the same headings before. */
export async function replaceMapping(
  tx: Tx,
  id: string,
  { headings, roles, decimal, dayOrder, isReversed }: BankFileMapping,
  actor: string,
): Promise<void> {
  await tx.query(sql`delete from bank.mappings where headings = ${headings}::text[]`);
  await tx.query(sql`insert into bank.mappings (id, headings, roles, decimal_mark, day_order, is_reversed, created_by)
    values (${id}, ${headings}::text[], ${roles}::text[], ${decimal}, ${dayOrder}, ${isReversed}, ${actor})`);
}

/** False when there is none. */
export async function deleteMapping(tx: Tx, id: string): Promise<boolean> {
  const removed = await tx.query(
    sql`delete from bank.mappings where id = ${id}::uuid returning id`,
  );
  return removed.length > 0;
}
