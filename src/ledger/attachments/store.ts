import type { Db, Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';

export interface Attachment {
  id: string;
  voucher_id: string;
  file_name: string;
  media_type: string;
  /** Bytes. */
  size: number;
  /** Hexadecimal. */
  sha256: string;
  created_at: Date;
  created_by: string;
}

/** Those of the ids that no voucher has. */
export async function listMissingVouchers(
  db: Db,
  ids: readonly string[],
): Promise<{ id: string }[]> {
  return db.query(sql`select id from unnest(${ids}::uuid[]) as wanted (id)
    where not exists (select from ledger.vouchers v where v.id = wanted.id)`);
}

/** Bytes that are kept already are kept once. */
export async function insertContents(tx: Tx, contents: readonly FileContent[]): Promise<void> {
  await tx.query(sql`insert into archive.contents (sha256, bytes)
    select decode(sha256, 'hex'), bytes
    from unnest(${contents.map(({ sha256 }) => sha256)}::text[],
      ${contents.map(({ bytes }) => bytes)}::bytea[]) as c (sha256, bytes)
    on conflict do nothing`);
}

export interface FileContent {
  /** Hexadecimal. */
  readonly sha256: string;
  readonly bytes: Buffer;
}

export interface AttachedFile {
  readonly id: string;
  readonly voucherId: string;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly fileName: string;
  readonly mediaType: string;
}

/** The ids of those that are new: a voucher that has the file already has it once. */
export async function insertAttachments(
  tx: Tx,
  files: readonly AttachedFile[],
  actor: string,
): Promise<{ id: string }[]> {
  return tx.query(
    sql`insert into ledger.attachments (id, voucher_id, sha256, file_name, media_type, created_by)
        select id, voucher_id, decode(sha256, 'hex'), file_name, media_type, ${actor}
        from unnest(${files.map(({ id }) => id)}::uuid[],
          ${files.map(({ voucherId }) => voucherId)}::uuid[],
          ${files.map(({ sha256 }) => sha256)}::text[],
          ${files.map(({ fileName }) => fileName)}::text[],
          ${files.map(({ mediaType }) => mediaType)}::text[])
          as f (id, voucher_id, sha256, file_name, media_type)
        on conflict (voucher_id, sha256) do nothing returning id`,
  );
}

export function listAttachments(db: Db, voucherId: string): Promise<Attachment[]> {
  return db.query(sql`select a.id, a.voucher_id, a.file_name, a.media_type,
      octet_length(c.bytes) as size, encode(a.sha256, 'hex') as sha256, a.created_at, a.created_by
    from ledger.attachments a join archive.contents c using (sha256)
    where a.voucher_id = ${voucherId}::uuid order by a.created_at, a.id`);
}

export interface StoredFile {
  file_name: string;
  media_type: string;
  bytes: Buffer;
}

/** Undefined when the voucher has no such attachment. */
export async function findAttachment(
  db: Db,
  { voucherId, attachmentId }: { readonly voucherId: string; readonly attachmentId: string },
): Promise<StoredFile | undefined> {
  const [found] = await db.query<StoredFile>(
    sql`select a.file_name, a.media_type, c.bytes
        from ledger.attachments a join archive.contents c using (sha256)
        where a.id = ${attachmentId}::uuid and a.voucher_id = ${voucherId}::uuid`,
  );
  return found;
}

/** Whether keys with documents:read reach a voucher's documents; `staff` and `withheld` are why they do not. */
export type KeysReach = 'open' | 'staff' | 'withheld';

export async function getKeysReach(db: Db, voucherId: string): Promise<KeysReach> {
  const [found] = await db.query<{ reach: KeysReach }>(sql`select case
      when exists (select from ledger.voucher_rows r
        where r.voucher_id = ${voucherId}::uuid and ledger.is_personnel_account(r.account)) then 'staff'
      when exists (select from ledger.withheld_vouchers w where w.voucher_id = ${voucherId}::uuid) then 'withheld'
      else 'open' end as reach`);
  return found?.reach ?? 'open';
}

/** False when they were withheld already. */
export async function insertWithheld(tx: Tx, voucherId: string, actor: string): Promise<boolean> {
  const added = await tx.query(sql`insert into ledger.withheld_vouchers (voucher_id, created_by)
    values (${voucherId}::uuid, ${actor}) on conflict do nothing returning voucher_id`);
  return added.length > 0;
}

/** False when they were not withheld. */
export async function deleteWithheld(tx: Tx, voucherId: string): Promise<boolean> {
  const gone = await tx.query(
    sql`delete from ledger.withheld_vouchers where voucher_id = ${voucherId}::uuid returning voucher_id`,
  );
  return gone.length > 0;
}
