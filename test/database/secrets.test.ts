/** The key that secrets are sealed with: agreed on, wrong, changed, and lost. */
import files, { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  letGoOfLostKey,
  openSecrets,
  resealAll,
  rotateKeyFile,
  type SecretsConfig,
} from '#src/access/secrets/service.ts';
import { type Keyring, keyFileIn } from '#src/config/keyring.ts';
import { createPool, type Pool, withTx } from '#src/db/pool.ts';
import { createEndpoint, openSecretsOf, queueTest } from '#src/events/webhooks/service.ts';
import { take } from '#src/events/webhooks/store.ts';
import { cloneDatabase } from '../support/database.ts';
import { Disk, mayMount } from '../support/disk.ts';
import { keyringOf, OTHER_KEY, TEST_KEY, testKeyring } from '../support/secrets.ts';

const otherKeyring = keyringOf(OTHER_KEY);
const bothKeys = keyringOf(OTHER_KEY, TEST_KEY);

async function openDatabase(): Promise<Pool> {
  const database = await cloneDatabase();
  const pool = createPool({ url: database.url, max: 3, applicationName: 'test' });
  onTestFinished(async () => {
    await pool.end();
    await database.drop();
  });
  return pool;
}

async function openFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'huvudbok-secrets-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** A process beside a PostgreSQL of the operator's own. */
const outside = (keyring?: Keyring): SecretsConfig => ({
  keyring,
  databaseUrl: 'postgres://x',
  dataDir: '/nowhere',
});
/** One with the database in its own folder. */
const embedded = (dataDir: string): SecretsConfig => ({
  keyring: undefined,
  databaseUrl: undefined,
  dataDir,
});

const addWebhook = (pool: Pool, keyring: Keyring) =>
  withTx(pool, (tx) =>
    createEndpoint(
      tx,
      { url: 'https://exempel.se/krok', types: [], description: '' },
      { webhookNetworks: [], keyring },
      'test',
    ),
  );

/** What a worker with these keys would sign a delivery of the endpoint with. */
const signsWith = (pool: Pool, id: string, keyring: Keyring | undefined): Promise<string[]> =>
  withTx(pool, async (tx) => {
    const { deliveryId } = await queueTest(tx, id);
    const [delivery] = await take(tx, [deliveryId]);
    return delivery ? openSecretsOf(keyring, delivery) : [];
  });

test('the first key is the installation’s, and no other opens it', async () => {
  const pool = await openDatabase();
  expect(await openSecrets(pool, outside())).toBeUndefined();
  expect(await openSecrets(pool, outside(testKeyring))).toBe(testKeyring);
  expect(await openSecrets(pool, outside(bothKeys))).toBe(bothKeys);
  await expect(openSecrets(pool, outside(otherKeyring))).rejects.toThrow(
    /^SECRETS_KEY är fel nyckel: databasens hemligheter är krypterade med [0-9a-f]{16}, inte med [0-9a-f]{16}\. Sätt den rätta; .*huvudbok secrets forget/,
  );
  await expect(openSecrets(pool, outside())).rejects.toThrow(
    /^SECRETS_KEY saknas: .*secrets forget/,
  );
});

test('processes that start at once with two keys agree on one', async () => {
  const pool = await openDatabase();
  const both = await Promise.allSettled([
    openSecrets(pool, outside(testKeyring)),
    openSecrets(pool, outside(otherKeyring)),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('the embedded installation makes its key beside the database, for its owner alone', async () => {
  const [pool, folder] = [await openDatabase(), await openFolder()];
  const made = await Promise.all([1, 2, 3].map(() => openSecrets(pool, embedded(folder))));
  expect(new Set(made.map((keyring) => keyring?.sealing.id)).size).toBe(1);
  expect((await stat(keyFileIn(folder))).mode & 0o777).toBe(0o600);
  await rm(keyFileIn(folder));
  await expect(openSecrets(pool, embedded(folder))).rejects.toThrow(
    /^Nyckelfilen \S+secrets\.key saknas: .*secrets forget/,
  );
  // A key made in its place would look like the right one.
  await expect(stat(keyFileIn(folder))).rejects.toThrow(/ENOENT/);
  await writeFile(keyFileIn(folder), 'hemligt');
  await expect(openSecrets(pool, embedded(folder))).rejects.toThrow(/har ingen nyckel/);
  await rm(keyFileIn(folder));
  await openSecrets(await openDatabase(), embedded(folder));
  await expect(openSecrets(pool, embedded(folder))).rejects.toThrow(
    /^Nyckelfilen \S+secrets\.key är en annan: .*secrets forget/,
  );
});

test.skipIf(!mayMount)(
  'on a full disk the embedded installation makes no half key, and one when there is room',
  async () => {
    const pool = await openDatabase();
    const disk = new Disk(1);
    onTestFinished(() => disk.remove());
    disk.fill();
    await expect(openSecrets(pool, embedded(disk.folder))).rejects.toThrow(
      /^Disken där .* är full/,
    );
    expect(await readdir(disk.folder)).toEqual(['ballast']);
    disk.free();
    expect((await openSecrets(pool, embedded(disk.folder)))?.keys.size).toBe(1);
    expect(await readdir(disk.folder)).toEqual(['secrets.key']);
  },
);

test('in a folder without hard links several starts at once make one key too', async () => {
  const [pool, folder] = [await openDatabase(), await openFolder()];
  const { link } = files;
  const answer = (fault: () => Promise<void>) => {
    files.link = fault;
    syncBuiltinESMExports();
  };
  onTestFinished(() => answer(link as () => Promise<void>));
  answer(() => Promise.reject(Object.assign(new Error('link'), { code: 'EPERM' })));
  const made = await Promise.all([1, 2, 3].map(() => openSecrets(pool, embedded(folder))));
  expect(new Set(made.map((keyring) => keyring?.sealing.id)).size).toBe(1);
  expect((await stat(keyFileIn(folder))).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(['secrets.key']);
});

test('a secret that was sealed for one webhook signs for no other', async () => {
  const pool = await openDatabase();
  const [one, two] = [await addWebhook(pool, testKeyring), await addWebhook(pool, testKeyring)];
  expect(await signsWith(pool, one.id, testKeyring)).toEqual([one.secret]);
  await pool.query(
    `update events.endpoints set sealed_secret =
       (select sealed_secret from events.endpoints where id = $1) where id = $2`,
    [one.id, two.id],
  );
  expect(await signsWith(pool, two.id, testKeyring)).toEqual([]);
  const { rows } = await pool.query(
    `select string_agg(e::text, ' ') as text from events.endpoints e`,
  );
  expect(rows[0].text).not.toContain(one.secret);
  expect(rows[0].text).not.toContain(Buffer.from(one.secret).toString('hex'));
});

test('the key is changed while everything goes on, and gone on with where it was broken off', async () => {
  const pool = await openDatabase();
  await openSecrets(pool, outside(testKeyring));
  const old = await addWebhook(pool, testKeyring);
  const second = await addWebhook(pool, testKeyring);
  const fresh = await addWebhook(pool, bothKeys);
  // As if it had been broken off after the first.
  const twice = await Promise.all([
    resealAll(pool, bothKeys, 'test'),
    resealAll(pool, bothKeys, 'test'),
  ]);
  expect(twice.reduce((sum, { resealed }) => sum + resealed, 0)).toBe(2);
  expect(await resealAll(pool, bothKeys, 'test')).toMatchObject({ resealed: 0, unreadable: 0 });
  for (const { id, secret } of [old, second, fresh]) {
    expect(await signsWith(pool, id, otherKeyring)).toEqual([secret]);
    expect(await signsWith(pool, id, bothKeys)).toEqual([secret]);
    expect(await signsWith(pool, id, testKeyring)).toEqual([]);
  }
  expect(await openSecrets(pool, outside(otherKeyring))).toBe(otherKeyring);
  await expect(openSecrets(pool, outside(testKeyring))).rejects.toThrow(/fel nyckel/);
});

test('the embedded installation gets a new key in one go, also after being broken off', async () => {
  const [pool, folder] = [await openDatabase(), await openFolder()];
  const first = (await openSecrets(pool, embedded(folder))) as Keyring;
  const { id, secret } = await addWebhook(pool, first);
  const read = () => readFile(keyFileIn(folder), 'utf8');
  const before = await read();
  expect(await rotateKeyFile(pool, folder, 'test')).toMatchObject({ resealed: 1, unreadable: 0 });
  const second = (await openSecrets(pool, embedded(folder))) as Keyring;
  expect([second.keys.size, second.sealing.id === first.sealing.id]).toEqual([1, false]);
  expect(await signsWith(pool, id, second)).toEqual([secret]);
  // Broken off when the file had both keys.
  await writeFile(keyFileIn(folder), `${before}${await read()}`);
  expect(await rotateKeyFile(pool, folder, 'test')).toMatchObject({
    keyId: first.sealing.id,
    resealed: 1,
  });
  expect(await read()).toBe(before);
  expect((await stat(keyFileIn(folder))).mode & 0o777).toBe(0o600);
});

test('without the key, webhooks pause until they get new secrets, and nothing sealed is thrown away', async () => {
  const pool = await openDatabase();
  await openSecrets(pool, outside(testKeyring));
  const { id, secret } = await addWebhook(pool, testKeyring);
  expect(await letGoOfLostKey(pool, testKeyring, 'test')).toBeUndefined();
  expect(await letGoOfLostKey(pool, otherKeyring, 'test')).toMatchObject({
    webhooks: 1,
    people: 0,
  });
  expect(await openSecrets(pool, outside(otherKeyring))).toBe(otherKeyring);
  const { rows } = await pool.query('select disabled_reason from events.endpoints');
  expect(rows[0].disabled_reason).toMatch(/^Hemligheten kan inte läsas utan den SECRETS_KEY/);
  // Found again, it opens what it opened.
  expect(await signsWith(pool, id, bothKeys)).toEqual([secret]);
  // Without any key it waits on, as in a restored database, which knows of none.
  for (const _ of ['known', 'forgotten']) {
    expect(await letGoOfLostKey(pool, undefined, 'test')).toMatchObject({ webhooks: 1, people: 0 });
  }
  expect(await letGoOfLostKey(pool, bothKeys, 'test')).toBeUndefined();
  expect(await openSecrets(pool, outside())).toBeUndefined();
  // Started after a restore with a key of its own, it has the right one and yet what that does not open.
  expect(await openSecrets(pool, outside(otherKeyring))).toBe(otherKeyring);
  expect(
    await letGoOfLostKey(pool, otherKeyring, 'test'),
    'whoever lost the key must be let go of it, also after the first start',
  ).toMatchObject({ webhooks: 1, people: 0 });
});
