/**
 * Takes a backup over an ordinary connection as the owner, without superuser and without pg_dump: one
 * snapshot of everything, read while the books go on being kept. A read-only transaction holds no number
 * back, so not even readers of events wait for it.
 */

import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { BackupKey } from '../../config/backup-key.ts';
import { connect } from '../../db/pool.ts';
import { makeFolder, refuseFolder } from '../../lib/folders.ts';
import { OperatorError } from '../../lib/operator-error.ts';
import { appVersion } from '../../lib/version.ts';
import { type Entry, writeContainer } from './container.ts';
import {
  firstEntry,
  lastEntry,
  layoutVersion,
  type Manifest,
  type Opening,
  pieceBytes,
  pieceName,
  vouchersIn,
} from './contents.ts';
import { listHeads, listSequences, listTables, type TableToCopy } from './store.ts';

export interface BackupOptions {
  /** The owner's login. */
  readonly url: string;
  /** Made when it is not there. */
  readonly folder: string;
  readonly key: BackupKey | undefined;
  /** After its name, until it has been proved. */
  readonly suffix?: string;
  /** Aborted, it stops and leaves nothing. */
  readonly signal?: AbortSignal | undefined;
}

export interface TakenBackup {
  readonly path: string;
  readonly taken_at: Date;
  readonly size_bytes: number;
  readonly vouchers: number;
  readonly rows: number;
}

export async function takeBackup({
  url,
  folder,
  key,
  suffix = '',
  signal,
}: BackupOptions): Promise<TakenBackup> {
  const client = await connect(url, 'huvudbok backup');
  client.on('error', () => undefined); // The statement that runs says so too.
  const stop = () => void client.end().catch(() => undefined);
  signal?.addEventListener('abort', stop);
  try {
    signal?.throwIfAborted();
    await beginReading(client);
    const opening = await readOpening(client);
    await makeBackupFolder(folder);
    const path = join(folder, backupName(opening.taken_at, key !== undefined) + suffix);
    let manifest: Manifest | undefined;
    const entries = async function* (): AsyncIterable<Entry> {
      yield json(firstEntry, {
        ...opening,
        tables: opening.tables.map(({ name, columns }) => ({ name, columns })),
      });
      const tables: Manifest['tables'][number][] = [];
      for (const table of opening.tables) tables.push(yield* copyOut(client, table));
      manifest = {
        tables,
        sequences: await listSequences(client),
        heads: await listHeads(client),
      };
      yield json(lastEntry, manifest);
    };
    const size_bytes = await writeContainer(path, entries(), key);
    if (!manifest) throw new Error('a backup without a manifest');
    return {
      path,
      taken_at: opening.taken_at,
      size_bytes,
      vouchers: vouchersIn(manifest),
      rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
    };
  } finally {
    signal?.removeEventListener('abort', stop);
    await client.end().catch(() => undefined);
  }
}

/** `huvudbok-20261122T021700Z.tar.zst`, and `.age` after it when it is encrypted. */
const backupName = (at: Date, isEncrypted: boolean): string =>
  `huvudbok-${at.toISOString().replace(/[-:]|\.\d+/g, '')}.tar.zst${isEncrypted ? '.age' : ''}`;

const json = (name: string, value: object): Entry => ({
  name,
  body: Buffer.from(`${JSON.stringify(value, null, 1)}\n`),
});

/** Makes the folder where backups go, unless it is there; says what is wrong when nothing can be written in it. */
export async function makeBackupFolder(folder: string): Promise<void> {
  try {
    await makeFolder(folder, 0o700);
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    const wayOut = 'rätta det, eller ange en annan mapp med BACKUP_DIR eller --to.';
    refuseFolder(error, folder, `Mappen ${folder} för säkerhetskopior`, wayOut);
    throw error;
  }
}

/** How values are written is the reader's to know, whatever the server or the role has set. */
const settings = [
  'set client_encoding to utf8',
  `set datestyle to 'ISO, YMD'`,
  'set intervalstyle to postgres',
  'set bytea_output to hex',
  'set extra_float_digits to 3',
  `set timezone to 'UTC'`,
  'set statement_timeout to 0',
  'set idle_in_transaction_session_timeout to 0',
  `set lock_timeout to '60s'`,
  // A row that a policy would hide is an error, never a row left out.
  'set row_security to off',
];

async function beginReading(client: pg.Client): Promise<void> {
  for (const setting of settings) await client.query(setting);
  await client.query('begin isolation level repeatable read, read only');
}

async function readOpening(
  client: pg.Client,
): Promise<Opening & { readonly tables: TableToCopy[] }> {
  const { rows } = await client.query(
    `select now() as taken_at, current_setting('server_version') as postgresql,
       to_regclass('migration.hashes') is not null as is_migrated`,
  );
  const [facts] = rows;
  if (!facts.is_migrated) throw new OperatorError('I databasen finns ingen bokföring att kopiera.');
  const tables = await listTables(client);
  // Nobody changes a table while it is read; posting and reading go on.
  await client.query(
    `lock table ${tables.map(({ name }) => name).join(', ')} in access share mode`,
  );
  const migrations = await client.query('select name, sha256 from migration.hashes order by name');
  return {
    format: 'huvudbok backup',
    version: layoutVersion,
    program: appVersion,
    taken_at: facts.taken_at,
    postgresql: facts.postgresql,
    migrations: migrations.rows,
    tables,
  };
}

/** The rows of a table in pieces, and at the end what they were in all. */
async function* copyOut(
  client: pg.Client,
  { name, columns, condition }: TableToCopy,
): AsyncGenerator<Entry, Manifest['tables'][number]> {
  const list = columns.join(', ');
  const source = condition
    ? `(select ${list} from ${name} where ${condition})`
    : `${name} (${list})`;
  const stream = client.query(copyTo(`copy ${source} to stdout`));
  const sum = createHash('sha256');
  let bytes = 0;
  let number = 0;
  let waiting: Uint8Array[] = [];
  let waiting_bytes = 0;
  const piece = (): Entry => {
    const body = Buffer.concat(waiting);
    waiting = [];
    waiting_bytes = 0;
    number += 1;
    return { name: pieceName(name, number), body };
  };
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    sum.update(chunk);
    bytes += chunk.length;
    waiting.push(chunk);
    waiting_bytes += chunk.length;
    if (waiting_bytes >= pieceBytes) yield piece();
  }
  if (waiting_bytes > 0) yield piece();
  return { name, rows: stream.rowCount, bytes, sha256: sum.digest('hex') };
}
