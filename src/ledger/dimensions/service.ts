/** What people do with cost centres and projects, written down: vouchers are sorted by them (BFNAR 2013:2 ch. 9). */
import { recordEvent } from '../../audit/store.ts';
import type { Tx } from '../../db/pool.ts';
import {
  type ChangedDimension,
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
  externalId: string | null = null,
): Promise<{ id: string } & NewDimension> {
  const made = await insertDimension(tx, dimension, externalId);
  const { id, ...facts } = made;
  const detail = { ...facts, external_id: externalId };
  await recordEvent(tx, { actor, action: 'dimension.created', subject: id, detail });
  return made;
}

export async function changeDimension(
  tx: Tx,
  id: string,
  changed: ChangedDimension,
  actor: string,
): Promise<void> {
  const before = await getDimension(tx, id);
  await updateDimension(tx, id, changed);
  const detail = {
    code: before.code,
    name: changed.name,
    is_active: changed.isActive,
    external_id: changed.externalId,
    before: { name: before.name, is_active: before.is_active },
  };
  await recordEvent(tx, { actor, action: 'dimension.changed', subject: id, detail });
}

/** What another system calls it; null when none does any more. Throws 422 when another dimension is called so. */
export async function nameDimensionOutside(
  tx: Tx,
  id: string,
  externalId: string | null,
  actor: string,
): Promise<void> {
  const { name, is_active: isActive } = await getDimension(tx, id);
  await changeDimension(tx, id, { name, isActive, externalId }, actor);
}

/** What it was; throws `unprocessable` when a voucher carries it. */
export async function removeDimension(tx: Tx, id: string, actor: string): Promise<NewDimension> {
  const { kind, code, name } = await getDimension(tx, id);
  await deleteDimension(tx, id);
  const detail = { kind, code, name };
  await recordEvent(tx, { actor, action: 'dimension.removed', subject: id, detail });
  return detail;
}
