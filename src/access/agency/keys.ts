/** Agency keys: issued and withdrawn by the client's administrator. Only a hash is ever stored. */
import { recordEvent } from '../../audit/store.ts';
import type { Tx } from '../../db/pool.ts';
import { uuid } from '../../lib/uuid.ts';
import { createSecret, hashOfSecret, hintOf } from '../keys/secrets.ts';
import { insertAgencyKey, lockAgencyKey, setAgencyKeyRevoked } from './key-store.ts';

export interface CreatedAgencyKey {
  readonly id: string;
  /** The secret: `svcb_` and 43 characters (256 random bits). Cannot be shown again. */
  readonly key: string;
  /** The agency's name. */
  readonly name: string;
}

const keyPrefix = 'svcb_';
export const agencyKeyForm = /^svcb_[A-Za-z0-9_-]{43}$/;

export async function createAgencyKey(
  tx: Tx,
  name: string,
  actor: string,
): Promise<CreatedAgencyKey> {
  const id = uuid();
  const key = createSecret(keyPrefix);
  await insertAgencyKey(
    tx,
    { id, agency: name, hash: hashOfSecret(key), hint: hintOf(keyPrefix, key) },
    actor,
  );
  await recordEvent(tx, { actor, action: 'agency.created', subject: id, detail: { name } });
  return { id, key, name };
}

/** False when there is no such key. Its tokens open nothing from commit on; the first time is kept. */
export async function revokeAgencyKey(tx: Tx, id: string, actor: string): Promise<boolean> {
  const key = await lockAgencyKey(tx, id);
  if (key && key.revoked_at === null) {
    await setAgencyKeyRevoked(tx, id, actor);
    const detail = { name: key.agency };
    await recordEvent(tx, { actor, action: 'agency.revoked', subject: id, detail });
  }
  return key !== undefined;
}
