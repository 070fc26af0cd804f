/** huvudbok secrets create-key · status · rotate · forget: the key that secrets in the database are sealed with. */
import type { Command } from 'commander';
import {
  forgottenAmong,
  letGoOfLostKey,
  lostAmong,
  type MissingKeys,
  openSecrets,
  type Rotation,
  readKeyFile,
  resealAll,
  rotateKeyFile,
} from '../access/secrets/service.ts';
import { findKeyId, listSealed, type SealedSecrets } from '../access/secrets/store.ts';
import { loadProcessConfig } from '../config/config.ts';
import { createKey, type Keyring } from '../config/keyring.ts';
import { findRunning } from '../db/embedded.ts';
import { db, type Pool } from '../db/pool.ts';
import { refuseWhole } from '../lib/errors.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { print, withPool, write } from './context.ts';
import { actor, type Json, jsonOption } from './options.ts';
import { counted } from './words.ts';

export function registerSecrets(program: Command): void {
  const secrets = program
    .command('secrets')
    .description('nyckeln som hemligheter i databasen är krypterade med (SECRETS_KEY)');

  secrets
    .command('create-key')
    .description('skriv ut en ny nyckel; den sparas ingenstans')
    .action(() => write(createKey()));

  secrets
    .command('status')
    .description('säg vilken nyckel databasen är krypterad med, och om den finns här')
    .option(...jsonOption)
    .action(async ({ json }: Json) => {
      const { known, sealed, keyring } = await withPool(async (pool) => ({
        known: await findKeyId(db(pool)),
        sealed: await listSealed(db(pool)),
        keyring: await keyringHere(),
      }));
      const isHere = known !== null && keyring?.keys.has(known) === true;
      const lost = lostAmong(sealed, keyring);
      const forgotten = forgottenAmong(sealed, keyring);
      const wire = {
        key_id: known,
        is_here: isHere,
        keys: [...(keyring?.keys.keys() ?? [])],
        missing: lost.keyIds,
        forgotten: forgotten.keyIds,
      };
      const state = known === null ? restingState(sealed) : knownState(known, isHere);
      print(json, wire, statusText(state, lost, forgotten));
      if ((known !== null && !isHere) || lost.keyIds.length > 0) process.exitCode = 1;
    });

  secrets
    .command('rotate')
    .description('kryptera allt med den första nyckeln i SECRETS_KEY; inbyggd databas får en ny')
    .option(...jsonOption)
    .action(async ({ json }: Json) => {
      const rotation = await rotate();
      print(json, wireOf(rotation), rotationText(rotation));
      if (rotation.unreadable > 0) process.exitCode = 1;
    });

  secrets
    .command('forget')
    .description('när nyckeln är förlorad: pausa webhookarna tills de fått nya hemligheter')
    .option(...jsonOption)
    .action(async ({ json }: Json) => {
      const lost = await withPool(async (pool) => letGoOfLostKey(pool, await keyringHere(), actor));
      if (!lost) {
        throw new OperatorError(
          'Ingen nyckel är förlorad: här öppnas allt som databasen har krypterat.',
        );
      }
      const { webhooks, people } = lost;
      print(json, { webhooks, people }, forgottenText(lost));
    });
}

const wireOf = ({ keyId, resealed, unreadable }: Rotation) => ({
  key_id: keyId,
  resealed,
  unreadable,
});

/** The keys of this process's settings, or of the embedded installation's file. */
export async function keyringHere(): Promise<Keyring | undefined> {
  const { keyring, databaseUrl, dataDir } = loadProcessConfig();
  return keyring ?? (databaseUrl === undefined ? readKeyFile(dataDir) : undefined);
}

/** The keys of a command that seals or opens. */
export const keyringFor = (pool: Pool): Promise<Keyring | undefined> =>
  openSecrets(pool, loadProcessConfig());

async function rotate(): Promise<Rotation> {
  const { keyring, databaseUrl, dataDir } = loadProcessConfig();
  if (keyring || databaseUrl !== undefined) {
    return withPool(async (pool) => {
      if (!(await keyringFor(pool)) || !keyring)
        throw refuseWhole('unprocessable', 'no_secrets_key');
      return resealAll(pool, keyring, actor);
    });
  }
  if (await findRunning(dataDir)) {
    throw new OperatorError(
      'Stoppa Huvudbok först: nyckeln i DATA_DIR byts medan ingen annan läser den.',
    );
  }
  return withPool(async (pool) => {
    await keyringFor(pool);
    return rotateKeyFile(pool, dataDir, actor);
  });
}

function rotationText({ keyId, resealed, unreadable }: Rotation): string {
  const what = counted(resealed, 'hemlighet', 'hemligheter');
  const done = `Nyckeln är ${keyId}; ${what} krypterades om.`;
  return unreadable === 0
    ? done
    : `${done} ${unreadable} kunde inte läsas med nycklarna som finns här och är som de var.`;
}

const knownState = (known: string, isHere: boolean): string =>
  `Databasen har nyckeln ${known}, ${isHere ? 'och den finns här' : 'men den finns inte här'}.`;

/** While the database knows no key, as one that has just been restored. */
const restingState = (sealed: readonly SealedSecrets[]): string =>
  sealed.length === 0
    ? 'Ingenting är krypterat ännu.'
    : 'Databasen får sin nyckel när Huvudbok startas.';

const statusText = (state: string, lost: MissingKeys, forgotten: MissingKeys): string =>
  [
    state,
    lost.keyIds.length > 0 && lostSentence(lost),
    forgotten.keyIds.length > 0 &&
      `${forgottenText(forgotten)} Hittas nyckeln, lägg den efter den nya i SECRETS_KEY.`,
  ]
    .filter(Boolean)
    .join(' ');

/** What is sealed with keys that are not here. */
export function lostSentence({ keyIds, webhooks, people }: MissingKeys): string {
  const what = [
    ...(webhooks > 0 ? [counted(webhooks, 'webhook', 'webhookar')] : []),
    ...(people > 0 ? [`tvåfaktor för ${counted(people, 'person', 'personer')}`] : []),
  ].join(' och ');
  return `Hemligheter (${what}) är krypterade med nyckeln ${keyIds.join(', ')}, som inte finns här och aldrig i en säkerhetskopia. Lägg tillbaka den i SECRETS_KEY, eller secrets.key i DATA_DIR, innan Huvudbok startas. Är den förlorad, kör huvudbok secrets forget, som säger vad som behöver nya hemligheter.`;
}

/** What is to be done about what a key that has been let go of sealed, if anything. */
function forgottenText({ keyIds, webhooks, people }: MissingKeys): string {
  const key = keyIds.length === 0 ? 'Nyckeln' : `Nyckeln ${keyIds.join(', ')}`;
  return [
    `${key} är glömd.`,
    webhooks > 0 &&
      `${counted(webhooks, 'webhook är pausad', 'webhookar är pausade')}: ny hemlighet med huvudbok webhook rotate, och sedan huvudbok webhook enable.`,
    people > 0 &&
      `${counted(people, 'person', 'personer')} loggar in med en återställningskod, eller utan det andra steget efter huvudbok user totp-off <adress>.`,
  ]
    .filter(Boolean)
    .join(' ');
}
