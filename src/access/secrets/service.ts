/**
 * The key of the installation's secrets: agreed on with the database at start, changed, and let go of when
 * it is lost. Everything here needs the owner's login; what only seals and opens does not (seal.ts).
 */
import { randomUUID } from 'node:crypto';
import { constants, copyFile, link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { recordEvent } from '../../audit/store.ts';
import type { Config } from '../../config/config.ts';
import { type Db, db, type Pool, withTx } from '../../db/pool.ts';
import { isFull } from '../../db/refusals.ts';
import { inDataDir, makeFolder } from '../../lib/folders.ts';
import { refuseWhole } from '../../lib/errors.ts';
import { OperatorError } from '../../lib/operator-error.ts';
import { createKey, type Keyring, keyFileIn, parseKeyring, writtenKey } from '../../config/keyring.ts';
import { open, seal } from './seal.ts';
import {
  findKeyId,
  listSealed,
  listSealedByOthers,
  lockKey,
  pauseUnreadable,
  places,
  replaceSealed,
  type SealedSecrets,
  setKeyId,
} from './store.ts';

export type SecretsConfig = Pick<Config, 'keyring' | 'databaseUrl' | 'dataDir'>;

/**
 * The keys that this process has, once they are known to be the installation's. The first key it gets is
 * its own from then on. Undefined when there is no key and nothing needs one; throws an OperatorError when it
 * is the wrong one or missing.
 */
export async function openSecrets(pool: Pool, config: SecretsConfig): Promise<Keyring | undefined> {
  const keyring = config.keyring ?? (await embeddedKeyring(pool, config));
  if (keyring) {
    await withTx(pool, async (tx) => {
      await lockKey(tx);
      if ((await findKeyId(tx)) === null) await setKeyId(tx, keyring.sealing.id);
    });
  }
  await requireKey(db(pool), keyring);
  return keyring;
}

/** Refuses keys that are not the installation's. */
export async function requireKey(db: Db, keyring: Keyring | undefined): Promise<void> {
  const known = await findKeyId(db);
  if (known === null || keyring?.keys.has(known)) return;
  const what = keyring
    ? `SECRETS_KEY är fel nyckel: databasens hemligheter är krypterade med ${known}, inte med ${keyring.sealing.id}.`
    : `SECRETS_KEY saknas: databasens hemligheter är krypterade med nyckeln ${known}.`;
  throw new OperatorError(`${what} Sätt den rätta; ${ifLost}`);
}

const ifLost =
  'är den förlorad, kör huvudbok secrets forget, så pausas webhookarna tills de fått nya hemligheter.';

async function embeddedKeyring(
  pool: Pool,
  { databaseUrl, dataDir }: SecretsConfig,
): Promise<Keyring | undefined> {
  if (databaseUrl !== undefined) return undefined;
  // In this order: where the database knows a key, whoever made it has written its file by then.
  const known = await findKeyId(db(pool));
  const found = await readKeyFile(dataDir);
  if (known !== null && !found?.keys.has(known)) {
    const path = keyFileIn(dataDir);
    const what = found ? `Nyckelfilen ${path} är en annan` : `Nyckelfilen ${path} saknas`;
    throw new OperatorError(
      `${what}: databasens hemligheter är krypterade med nyckeln ${known}. Lägg tillbaka den rätta ur din kopia; ${ifLost}`,
    );
  }
  if (found) return found;
  await writeKeyFile(dataDir, [createKey()], 'wx').catch((error) => {
    // Another process made it at the same moment.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  });
  return readKeyFile(dataDir);
}

/** Undefined when there is none. */
export async function readKeyFile(dataDir: string): Promise<Keyring | undefined> {
  const path = keyFileIn(dataDir);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new OperatorError(`Nyckelfilen ${path} kan inte läsas (${error.code}).`, {
      cause: error,
    });
  });
  if (text === undefined) return undefined;
  const keyring = parseKeyring(text);
  if (!keyring) {
    throw new OperatorError(
      `Nyckelfilen ${path} har ingen nyckel: 32 byte i base64. Lägg tillbaka den rätta ur din kopia; är den förlorad, ta bort filen och kör huvudbok secrets forget.`,
    );
  }
  return keyring;
}

async function writeKeyFile(
  dataDir: string,
  keys: readonly string[],
  flag: 'w' | 'wx',
): Promise<void> {
  const path = keyFileIn(dataDir);
  const text = `${keys.join('\n')}\n`;
  // Whole or not at all: half a key would be the loss of every secret, and an empty file no start goes on from.
  const next = `${path}.${randomUUID()}`;
  await inDataDir(dataDir, () => makeFolder(dataDir));
  try {
    await writeFile(next, text, { mode: 0o600, flush: true });
    await (flag === 'wx' ? placeNew : rename)(next, path);
  } catch (error) {
    if (!isFull(error)) throw error;
    throw new OperatorError(`Disken där ${dataDir} ligger är full: frigör plats eller utöka den.`, {
      cause: error,
    });
  } finally {
    await rm(next, { force: true });
  }
}

/** What folders without hard links answer: FAT, and some that lie on another computer. */
const noLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** Puts the file in its place unless one is there (EEXIST). */
async function placeNew(file: string, path: string): Promise<void> {
  await link(file, path).catch(async (error: NodeJS.ErrnoException) => {
    if (!noLinks.has(error.code ?? '')) throw error;
    await copyFile(file, path, constants.COPYFILE_EXCL);
  });
}

export interface Rotation {
  /** The key that seals everything from now on. */
  readonly keyId: string;
  readonly resealed: number;
  /** Sealed with keys that are not here: as they were. */
  readonly unreadable: number;
}

/**
 * Seals everything anew with the first key of the ring. A row at a time: broken off, it goes on where it was,
 * and whoever has both keys reads everything meanwhile.
 */
export async function resealAll(pool: Pool, keyring: Keyring, actor: string): Promise<Rotation> {
  const { sealing } = keyring;
  let resealed = 0;
  let unreadable = 0;
  for (const place of places) {
    for (const one of await listSealedByOthers(db(pool), place, [sealing.id])) {
      const secret = open(keyring, place.rowOf(one.id), one.sealed);
      if (!secret) {
        unreadable += 1;
        continue;
      }
      const next = seal(keyring, place.rowOf(one.id), secret);
      if (await withTx(pool, (tx) => replaceSealed(tx, place, one, next))) resealed += 1;
    }
  }
  await withTx(pool, async (tx) => {
    await lockKey(tx);
    if ((await findKeyId(tx)) === sealing.id) return;
    await setKeyId(tx, sealing.id);
    const detail = { resealed, unreadable };
    await recordEvent(tx, { actor, action: 'secrets.rotated', subject: sealing.id, detail });
  });
  return { keyId: sealing.id, resealed, unreadable };
}

/**
 * A new key for the embedded installation, from beginning to end: the file has both keys until everything
 * is sealed with the new one.
 */
export async function rotateKeyFile(pool: Pool, dataDir: string, actor: string): Promise<Rotation> {
  const before = await readKeyFile(dataDir);
  if (!before) throw refuseWhole('unprocessable', 'no_secrets_key');
  const old = [...before.keys.values()].map(writtenKey);
  // Two keys in the file: an earlier change was broken off, and is gone on with.
  if (old.length === 1) await writeKeyFile(dataDir, [createKey(), ...old], 'w');
  const keyring = (await readKeyFile(dataDir)) as Keyring;
  const rotation = await resealAll(pool, keyring, actor);
  if (rotation.unreadable === 0) {
    await writeKeyFile(dataDir, [writtenKey(keyring.sealing)], 'w');
  }
  return rotation;
}

export interface LostSecrets {
  /** Webhooks that wait for new secrets. */
  readonly webhooks: number;
  /** People who log in with a recovery code until they have set up their second factor anew. */
  readonly people: number;
}

/** Of what is sealed, what no key here opens. */
export interface MissingKeys extends LostSecrets {
  readonly keyIds: readonly string[];
}

/** What is lost unless the key comes back, and nobody has let go of yet. */
export const lostAmong = (sealed: readonly SealedSecrets[], keyring: Keyring | undefined) =>
  missingAmong(sealed, keyring, false);

/** What has been let go of, and waits for new secrets. */
export const forgottenAmong = (sealed: readonly SealedSecrets[], keyring: Keyring | undefined) =>
  missingAmong(sealed, keyring, true);

function missingAmong(
  sealed: readonly SealedSecrets[],
  keyring: Keyring | undefined,
  isForgotten: boolean,
): MissingKeys {
  const missing = sealed.filter(
    ({ key_id, is_forgotten }) => !keyring?.keys.has(key_id) && is_forgotten === isForgotten,
  );
  return {
    webhooks: missing.reduce((sum, { webhooks }) => sum + webhooks, 0),
    people: missing.reduce((sum, { people }) => sum + people, 0),
    keyIds: missing.map(({ key_id }) => key_id),
  };
}

const lostReason =
  'Hemligheten kan inte läsas utan den SECRETS_KEY som den krypterades med. Ge webhooken en ny hemlighet och slå på den.';

/**
 * For whoever has lost the key, as after a restore: what it sealed stays as it is, webhooks pause until they
 * get new secrets, and the key that is here (if any) is the installation's from now on. Answers all that waits
 * for new secrets, also when that was done before; undefined when nothing does.
 */
export async function letGoOfLostKey(
  pool: Pool,
  keyring: Keyring | undefined,
  actor: string,
): Promise<MissingKeys | undefined> {
  return withTx(pool, async (tx) => {
    await lockKey(tx);
    const known = await findKeyId(tx);
    const sealed = await listSealed(tx);
    const lost = lostAmong(sealed, keyring);
    const forgotten = forgottenAmong(sealed, keyring);
    // A restored database knows no key, or the one that it was started with since, and has what another sealed.
    const isRight = known === null || keyring?.keys.has(known);
    if (!isRight || lost.keyIds.length > 0) {
      await pauseUnreadable(tx, keyring ? [...keyring.keys.keys()] : [], lostReason);
      await setKeyId(tx, keyring?.sealing.id ?? null);
      const { keyIds: keys, ...counts } = lost;
      const subject = known ?? keys.join(' ');
      const detail = { ...counts, keys };
      await recordEvent(tx, { actor, action: 'secrets.key_lost', subject, detail });
    } else if (forgotten.keyIds.length === 0) return undefined;
    return {
      webhooks: lost.webhooks + forgotten.webhooks,
      people: lost.people + forgotten.people,
      keyIds: [...lost.keyIds, ...forgotten.keyIds],
    };
  });
}
