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

export async function isVoucher(db: Db, id: string): Promise<boolean> {
  const [voucher] = await db.query(sql`select from ledger.vouchers where id = ${id}::uuid`);
  return voucher !== undefined;
}

/** Bytes that are kept already are kept once. */
export async function insertContent(tx: Tx, sha256: Buffer, bytes: Buffer): Promise<void> {
  await tx.query(sql`insert into archive.contents (sha256, bytes) values (${sha256}, ${bytes})
    on conflict do nothing`);
}

/** False when the voucher has the file already. */
export async function insertAttachment(
  tx: Tx,
  file: {
    readonly id: string;
    readonly voucherId: string;
    /** Hexadecimal. */
    readonly sha256: string;
    readonly fileName: string;
    readonly mediaType: string;
  },
  actor: string,
): Promise<boolean> {
  const { id, voucherId, sha256, fileName, mediaType } = file;
  const [added] = await tx.query(
    sql`insert into ledger.attachments (id, voucher_id, sha256, file_name, media_type, created_by)
        values (${id}, ${voucherId}, decode(${sha256}, 'hex'), ${fileName}, ${mediaType}, ${actor})
        on conflict (voucher_id, sha256) do nothing returning id`,
  );
  return added !== undefined;
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
