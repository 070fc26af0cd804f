/** What is in a backup, beside the rows themselves: `backup.json` first and `manifest.json` last. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { BackupKey } from '../../config/backup-key.ts';
import { OperatorError } from '../../lib/operator-error.ts';
import { damaged, type EntryRead, readContainer } from './container.ts';

export const firstEntry = 'backup.json';
export const lastEntry = 'manifest.json';

const table = z.object({
  /** `ledger.vouchers`, quoted where SQL needs it. */
  name: z.string(),
  columns: z.array(z.string()),
});

const opening = z.object({
  format: z.literal('huvudbok backup'),
  version: z.int(),
  program: z.string(),
  /** The moment that the backup shows the books at. */
  taken_at: z.coerce.date(),
  postgresql: z.string(),
  migrations: z.array(z.object({ name: z.string(), sha256: z.string() })),
  tables: z.array(table),
});
export type Opening = z.infer<typeof opening>;

const manifest = z.object({
  tables: z.array(
    z.object({ name: z.string(), rows: z.int(), bytes: z.int(), sha256: z.string() }),
  ),
  sequences: z.array(
    z.object({ name: z.string(), last_value: z.string(), is_called: z.boolean() }),
  ),
  /** Where each chain of vouchers stands. */
  heads: z.array(
    z.object({
      series: z.string(),
      year: z.int(),
      last_number: z.int(),
      last_hash: z.string(),
    }),
  ),
});
export type Manifest = z.infer<typeof manifest>;

export interface Contents {
  readonly opening: Opening;
  readonly manifest: Manifest;
}

/** The layout of the file; a newer one is a newer program's. */
export const layoutVersion = 1;

/** The jobs not yet done, among the tables. */
export const jobsTable = 'pgboss.job';

/** `tables/ledger.vouchers/000001`: what COPY wrote, in pieces of at most `pieceBytes`. */
export const pieceBytes = 4 * 1024 * 1024;
export const pieceName = (name: string, number: number): string =>
  `tables/${name}/${String(number).padStart(6, '0')}`;
export const tableOf = (entry: string): string | undefined =>
  /^tables\/(.+)\/\d+$/.exec(entry)?.[1];

export const vouchersIn = ({ heads }: Manifest): number =>
  heads.reduce((sum, { last_number }) => sum + last_number, 0);

/** Reads the whole file and proves every checksum; refuses one that is foreign, newer, damaged or cut. */
export async function checkFile(
  path: string,
  key: BackupKey | undefined,
  signal?: AbortSignal,
): Promise<Contents> {
  let first: Opening | undefined;
  let last: Manifest | undefined;
  const sums = new Map<string, ReturnType<typeof createHash>>();
  const visit = async ({ name, body }: EntryRead): Promise<void> => {
    if (last) throw damaged(path);
    if (!first) {
      if (name !== firstEntry) {
        throw new OperatorError(`${path} är ingen säkerhetskopia från huvudbok backup.`);
      }
      first = readOpening(path, await textOf(body));
    } else if (name === lastEntry) {
      last = manifest.parse(JSON.parse(await textOf(body)));
    } else {
      const sum = createHash('sha256');
      const table = tableOf(name) ?? name;
      const soFar = sums.get(table) ?? sum;
      sums.set(table, soFar);
      for await (const chunk of body) soFar.update(chunk);
    }
  };
  await readContainer(path, key, visit, signal);
  if (!first || !last) throw damaged(path);
  for (const { name, sha256 } of last.tables) {
    const empty = createHash('sha256');
    if ((sums.get(name) ?? empty).digest('hex') !== sha256) throw damaged(path);
  }
  return { opening: first, manifest: last };
}

function readOpening(path: string, text: string): Opening {
  const { version } = z.object({ version: z.int() }).parse(JSON.parse(text));
  if (version > layoutVersion) {
    throw new OperatorError(
      `Säkerhetskopian ${path} är gjord av en nyare Huvudbok. Återställ den med den.`,
    );
  }
  return opening.parse(JSON.parse(text));
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
