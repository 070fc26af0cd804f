/** The record of backups: those taken here, and those that a script says it has taken. */
import type { Db, Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import { uuid } from '../../lib/uuid.ts';

export interface BackupRecord {
  /** The moment that the backup shows the books at. */
  taken_at: Date;
  /** Taken by Huvudbok; otherwise noted by a script. */
  is_own: boolean;
  file: string | null;
  size_bytes: number | null;
  vouchers: number | null;
  /** When it was restored for trial, and how many problems those books had. */
  verified_at: Date | null;
  problems: number | null;
  failure: string | null;
}

export async function insertBackup(tx: Tx, record: BackupRecord): Promise<void> {
  const { taken_at, is_own, file, size_bytes, vouchers, verified_at, problems, failure } = record;
  await tx.query(sql`insert into restricted.backups (id, taken_at, is_own, file, size_bytes, vouchers,
      verified_at, problems, failure)
    values (${uuid()}, ${taken_at}, ${is_own}, ${file}, ${size_bytes}, ${vouchers}, ${verified_at},
      ${problems}, ${failure})`);
}

const columns = sql`taken_at, is_own, file, size_bytes::float8 as size_bytes, vouchers::float8 as vouchers,
  verified_at, problems, failure`;

/** One taken while the clock was ahead is not the last for years: none would be taken, and nobody be told. */
const hasBeen = sql`taken_at < now() + interval '1 hour'`;

/** The latest backup there is, which one that could not be restored is not; undefined when none is known of. */
export async function findLastBackup(db: Db): Promise<BackupRecord | undefined> {
  const [record] = await db.query<BackupRecord>(sql`select ${columns} from restricted.backups
    where failure is null and ${hasBeen} order by taken_at desc limit 1`);
  return record;
}

/** Why the last attempt failed; undefined when it did not. */
export async function findLastFailure(
  db: Db,
): Promise<{ finished_at: Date; failure: string } | undefined> {
  const [last] = await db.query<{ finished_at: Date; failure: string | null }>(
    sql`select finished_at, failure from restricted.backups
      where finished_at < now() + interval '1 hour' order by finished_at desc limit 1`,
  );
  return last?.failure ? { ...last, failure: last.failure } : undefined;
}

/** When the latest one taken here was begun. */
export async function findLastOwn(db: Db): Promise<Date | undefined> {
  const [record] = await db.query<{ taken_at: Date }>(sql`select taken_at from restricted.backups
    where is_own and failure is null and ${hasBeen} order by taken_at desc limit 1`);
  return record?.taken_at;
}

export interface BackupState {
  taken_at: Date | null;
  finished_at: Date | null;
  size_bytes: number | null;
  verified_at: Date | null;
  problems: number | null;
  has_failed: boolean;
}

/** For whoever watches over the process, who may see nothing else. */
export async function findBackupState(db: Db): Promise<BackupState | undefined> {
  const [state] = await db.query<BackupState>(sql`select taken_at, finished_at,
    size_bytes::float8 as size_bytes, verified_at, problems, has_failed from api.last_backup()`);
  return state;
}

/** Tables where nobody may see a row: what a restore by other means leaves when the roles were not there. */
export async function countUnreadable(db: Db): Promise<number> {
  const [row] = await db.query<{ tables: number }>(sql`select api.unreadable_tables() as tables`);
  return row?.tables ?? 0;
}
