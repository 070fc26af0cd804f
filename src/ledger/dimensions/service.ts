/** What people do with cost centres and projects, written down: vouchers are sorted by them (BFNAR 2013:2 ch. 9). */
import { recordEvent } from '../../audit/store.ts';
import type { Tx } from '../../db/pool.ts';
import {
  deleteDimension,
  getDimension,
  insertDimension,
  type NewDimension,
  updateDimension,
} from './store.ts';

export async function createDimension(
  tx: Tx,
  dimension: NewDimension,
  actor: string,
): Promise<{ id: string } & NewDimension> {
  const made = await insertDimension(tx, dimension);
  const { id, ...detail } = made;
  await recordEvent(tx, { actor, action: 'dimension.created', subject: id, detail });
  return made;
}

export async function changeDimension(
  tx: Tx,
  id: string,
  { name, isActive }: { readonly name: string; readonly isActive: boolean },
  actor: string,
): Promise<void> {
  const before = await getDimension(tx, id);
  await updateDimension(tx, id, { name, isActive });
  const detail = {
    code: before.code,
    name,
    is_active: isActive,
    before: { name: before.name, is_active: before.is_active },
  };
  await recordEvent(tx, { actor, action: 'dimension.changed', subject: id, detail });
}

/** What it was; throws `unprocessable` when a voucher carries it. */
export async function removeDimension(tx: Tx, id: string, actor: string): Promise<NewDimension> {
  const { kind, code, name } = await getDimension(tx, id);
  await deleteDimension(tx, id);
  const detail = { kind, code, name };
  await recordEvent(tx, { actor, action: 'dimension.removed', subject: id, detail });
  return detail;
}
