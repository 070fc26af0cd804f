import { refusingTakenName } from '../../db/external-ids.ts';
import { type Db, databaseErrorOf, type Tx } from '../../db/pool.ts';
import { anywhere, sql } from '../../db/sql.ts';
import { plainExternalId } from '../../domain/basics/identifiers.ts';
import { refuse, refuseWhole } from '../../lib/errors.ts';
import { uuid } from '../../lib/uuid.ts';

export interface NewDimension {
  readonly kind: 'cost_center' | 'project';
  readonly code: string;
  readonly name: string;
}

export interface Dimension extends NewDimension {
  id: string;
  external_id: string | null;
  is_active: boolean;
}

export function listDimensions(db: Db): Promise<Dimension[]> {
  return db.query(sql`select id, kind, code, name, external_id, is_active from ledger.dimensions
    order by kind, code`);
}

export interface ChangedDimension {
  readonly name: string;
  readonly isActive: boolean;
  /** As another system calls it, in its one spelling (`plainExternalId`). */
  readonly externalId: string | null;
}

export interface ListedDimension extends Dimension {
  /** The date of the last voucher that carries it; null when none does. */
  last_used: string | null;
}

/** Every dimension that the search and the filter let through; `search` is part of code or name. */
export function findDimensions(
  db: Db,
  { search, isActive }: { readonly search: string; readonly isActive: boolean | null },
): Promise<ListedDimension[]> {
  const part = anywhere(search);
  return db.query(
    sql`select d.id, d.kind, d.code, d.name, d.external_id, d.is_active,
          greatest(
            (select max(r.verification_date) from ledger.voucher_rows r where r.cost_center_id = d.id),
            (select max(r.verification_date) from ledger.voucher_rows r where r.project_id = d.id))
            as last_used
        from ledger.dimensions d
        where (lower(d.code) like ${part} or lower(d.name) like ${part}
            or d.external_id = ${plainExternalId(search)})
          and (${isActive}::boolean is null or d.is_active = ${isActive})
        order by d.kind, d.code`,
  );
}

export interface DimensionUse {
  voucher_id: string;
  verification_date: string;
  series: string;
  number: number;
  account: number;
  description: string;
  debit_ore: bigint;
  credit_ore: bigint;
}

/** The latest rows that carry the dimension, at most `limit`. */
export function listDimensionUses(
  db: Db,
  { id, kind }: Pick<Dimension, 'id' | 'kind'>,
  limit: number,
): Promise<DimensionUse[]> {
  const carries =
    kind === 'cost_center' ? sql`r.cost_center_id = ${id}::uuid` : sql`r.project_id = ${id}::uuid`;
  return db.query(
    sql`select r.voucher_id, r.verification_date, r.series, r.number, r.account, v.description,
          r.debit_ore, r.credit_ore
        from (select * from ledger.voucher_rows r where ${carries}
          order by r.verification_date desc limit ${limit}) as r
        cross join lateral (select description from ledger.vouchers where id = r.voucher_id limit 1) as v
        order by r.verification_date desc, r.series, r.number desc, r.row_no`,
  );
}

/** Throws `unprocessable` when a voucher carries it. */
export async function deleteDimension(tx: Tx, id: string): Promise<void> {
  try {
    await tx.query(sql`delete from ledger.dimensions where id = ${id}::uuid`);
  } catch (error) {
    const { code, constraint } = databaseErrorOf(error) ?? {};
    if (code !== '23503' && constraint !== 'dimensions_in_use') throw error;
    throw refuse('unprocessable', [{ path: '', reason: 'dimension_in_use' }]);
  }
}

/** Throws 404 when there is none. */
export async function getDimension(db: Db, id: string): Promise<Dimension> {
  const [dimension] = await db.query<Dimension>(
    sql`select id, kind, code, name, external_id, is_active from ledger.dimensions where id = ${id}::uuid`,
  );
  if (!dimension) throw refuseWhole('not_found', 'no_dimension');
  return dimension;
}

export async function insertDimension(
  tx: Tx,
  { kind, code, name }: NewDimension,
  externalId: string | null = null,
): Promise<{ id: string } & NewDimension> {
  const id = uuid();
  try {
    await refusingTakenName(() =>
      tx.query(sql`insert into ledger.dimensions (id, kind, code, name, external_id)
      values (${id}, ${kind}, ${code}, ${name}, ${externalId})`),
    );
  } catch (error) {
    if (databaseErrorOf(error)?.constraint !== 'dimensions_code_key') throw error;
    throw refuse('unprocessable', [
      { path: 'code', reason: 'dimension_code_taken', params: { code } },
    ]);
  }
  return { id, kind, code, name };
}

/** What it is called, also from outside, and whether new vouchers may carry it; kind and code stay. */
export async function updateDimension(
  tx: Tx,
  id: string,
  { name, isActive, externalId }: ChangedDimension,
): Promise<void> {
  await refusingTakenName(() =>
    tx.query(sql`update ledger.dimensions
    set name = ${name}, is_active = ${isActive}, external_id = ${externalId} where id = ${id}::uuid`),
  );
}
