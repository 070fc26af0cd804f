/** Kept pictures as JPEG, for browsers that do not show what they are; known by the picture's hash, hexadecimal. */
import type { Db, Tx } from '../db/pool.ts';
import { sql } from '../db/sql.ts';

/** `late` has waited for minutes: perhaps nobody makes it. */
export type PreviewState = 'made' | 'failed' | 'waiting' | 'late';

/** How far it has come; asked for when nobody had. Undefined of what is not kept. */
export async function requestPreview(tx: Tx, source: string): Promise<PreviewState | undefined> {
  const [found] = await tx.query<{ state: PreviewState | null }>(
    sql`select archive.request_preview(decode(${source}, 'hex')) as state`,
  );
  return found?.state ?? undefined;
}

/** Undefined when it has not been made. */
export async function findPreview(db: Db, source: string): Promise<Buffer | undefined> {
  const [found] = await db.query<{ bytes: Buffer }>(
    sql`select c.bytes from archive.previews p join archive.contents c on c.sha256 = p.sha256
        where p.source_sha256 = decode(${source}, 'hex')`,
  );
  return found?.bytes;
}

/** The picture, for a worker that begins with it; undefined when there is nothing to do. */
export async function takeUnseen(db: Db, source: string): Promise<Buffer | undefined> {
  const [found] = await db.query<{ bytes: Buffer | null }>(
    sql`select archive.take_preview(decode(${source}, 'hex')) as bytes`,
  );
  return found?.bytes ?? undefined;
}

/** Undefined of a picture that cannot be shown. */
export async function keepPreview(tx: Tx, source: string, jpeg: Buffer | undefined): Promise<void> {
  await tx.query(
    sql`select archive.keep_preview(decode(${source}, 'hex'), ${jpeg ?? null}::bytea)`,
  );
}

/** How many have served their time. */
export async function purgePreviews(tx: Tx): Promise<bigint> {
  const [done] = await tx.query<{ previews: bigint }>(
    sql`select archive.purge_previews() as previews`,
  );
  return done?.previews ?? 0n;
}
