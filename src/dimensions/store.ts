import { type Db, databaseErrorOf, type Tx } from '../db/pool.ts';
import { sql } from '../db/sql.ts';
import { AppError, refuse } from '../errors.ts';
import { uuid } from '../uuid.ts';

export interface NewDimension {
  readonly kind: 'cost_center' | 'project';
  readonly code: string;
  readonly name: string;
}

export interface Dimension extends NewDimension {
  id: string;
  is_active: boolean;
}

export function listDimensions(db: Db): Promise<Dimension[]> {
  return db.query(sql`select id, kind, code, name, is_active from ledger.dimensions
    order by kind, code`);
}

/** Throws 404 when there is none. */
export async function getDimension(db: Db, id: string): Promise<Dimension> {
  const [dimension] = await db.query<Dimension>(
    sql`select id, kind, code, name, is_active from ledger.dimensions where id = ${id}::uuid`,
  );
  if (!dimension) throw new AppError('not_found', 'Dimensionen finns inte.');
  return dimension;
}

export async function insertDimension(
  tx: Tx,
  { kind, code, name }: NewDimension,
): Promise<{ id: string } & NewDimension> {
  const id = uuid();
  try {
    await tx.query(sql`insert into ledger.dimensions (id, kind, code, name)
      values (${id}, ${kind}, ${code}, ${name})`);
  } catch (error) {
    if (databaseErrorOf(error)?.constraint !== 'dimensions_code_key') throw error;
    const message = `Koden ${code} finns redan bland dimensionerna.`;
    throw refuse('unprocessable', [{ path: 'code', reason: 'taken', message }]);
  }
  return { id, kind, code, name };
}

/** What it is called and whether new vouchers may carry it; kind and code stay. */
export async function updateDimension(
  tx: Tx,
  id: string,
  { name, isActive }: { readonly name: string; readonly isActive: boolean },
): Promise<void> {
  await tx.query(sql`update ledger.dimensions set name = ${name}, is_active = ${isActive}
    where id = ${id}::uuid`);
}
