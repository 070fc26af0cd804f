import { databaseErrorOf, type Tx } from '../db/pool.ts';
import { sql } from '../db/sql.ts';
import { OperatorError } from '../operator-error.ts';
import { uuid } from '../uuid.ts';

export interface NewDimension {
  readonly kind: 'cost_center' | 'project';
  readonly code: string;
  readonly name: string;
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
    throw new OperatorError(`Koden ${code} finns redan bland dimensionerna.`, { cause: error });
  }
  return { id, kind, code, name };
}
