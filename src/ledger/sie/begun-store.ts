/** Imports that people have asked for, until they are in the books. */
import type { Db, Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { Reasoned } from '../../lib/errors.ts';

export interface BegunImport {
  id: string;
  sha256: string;
  file_name: string;
  size: bigint;
  difference_account: number | null;
  is_accepted: boolean;
  /** Of the file's bytes, by the present attempt. */
  posted_bytes: bigint;
  failed_at: Date | null;
  /** Why it came to nothing, when something is known to be in the way. */
  refusal: Reasoned | null;
  created_at: Date;
  created_by: string;
}

const selected = sql`select b.id, encode(b.sha256, 'hex') as sha256, f.file_name, f.size,
    b.difference_account, b.is_accepted, b.posted_bytes, b.failed_at, b.refusal, b.created_at, b.created_by
  from ledger.begun_imports b join ledger.sie_files f on f.sha256 = b.sha256`;

export async function findBegunImport(db: Db, id: string): Promise<BegunImport | undefined> {
  const [found] = await db.query<BegunImport>(sql`${selected} where b.id = ${id}::uuid`);
  return found;
}

/** The one of this file that waits for a worker or is being taken in. */
export async function findImportUnderWay(db: Db, sha256: string): Promise<BegunImport | undefined> {
  const [found] = await db.query<BegunImport>(sql`${selected}
    where b.sha256 = decode(${sha256}, 'hex') and b.failed_at is null order by b.created_at desc limit 1`);
  return found;
}

/** The latest first. */
export function listBegunImports(db: Db): Promise<BegunImport[]> {
  return db.query(sql`${selected} order by b.created_at desc limit 50`);
}

export async function insertBegunImport(
  tx: Tx,
  one: Pick<BegunImport, 'id' | 'sha256' | 'difference_account' | 'is_accepted'>,
  actor: string,
): Promise<void> {
  await tx.query(sql`insert into ledger.begun_imports (id, sha256, difference_account, is_accepted, created_by)
    values (${one.id}, decode(${one.sha256}, 'hex'), ${one.difference_account}, ${one.is_accepted}, ${actor})`);
}

export async function setProgress(db: Db, id: string, bytes: number): Promise<void> {
  await db.query(sql`update ledger.begun_imports set posted_bytes = ${bytes}, failed_at = null, refusal = null
    where id = ${id}::uuid`);
}

/** `refusal` is a `Reasoned`, as JSON. */
export async function setFailed(db: Db, id: string, refusal: string): Promise<void> {
  await db.query(sql`update ledger.begun_imports set failed_at = now(), refusal = ${refusal}::jsonb
    where id = ${id}::uuid`);
}

export async function deleteBegunImport(tx: Tx, id: string): Promise<void> {
  await tx.query(sql`delete from ledger.begun_imports where id = ${id}::uuid`);
}

/** How many files were of no use to anybody. */
export async function purgeSieFiles(tx: Tx): Promise<bigint> {
  const [done] = await tx.query<{ files: bigint }>(sql`select ledger.purge_sie_files() as files`);
  return done?.files ?? 0n;
}
