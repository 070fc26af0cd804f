/** Supporting documents (underlag) of vouchers: stored once by content, never changed, never removed. */
import { recordEvent } from '../../audit/store.ts';
import type { Db, Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import { attachmentMaxBytes, mediaTypeOf, plainFileName } from '../../domain/ledger/attachment.ts';
import { AppError, refuse } from '../../lib/errors.ts';
import { sha256Of } from '../../lib/sha256.ts';
import { uuid } from '../../lib/uuid.ts';

export interface NewAttachment {
  readonly voucherId: string;
  readonly fileName: string;
  readonly bytes: Buffer;
}

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

/** Throws 422 when there is no such voucher. */
export async function requireVoucher(db: Db, voucherId: string): Promise<void> {
  const [voucher] = await db.query(sql`select from ledger.vouchers where id = ${voucherId}::uuid`);
  if (voucher) return;
  const message = `Det finns inget verifikat ${voucherId}.`;
  throw refuse('unprocessable', [{ path: 'voucherId', reason: 'unknown_voucher', message }]);
}

/** The same file on the same voucher again is the same attachment. */
export async function addAttachment(
  tx: Tx,
  { voucherId, fileName, bytes }: NewAttachment,
  actor: string,
): Promise<Attachment> {
  const name = plainFileName(fileName);
  const mediaType = refuseUnlessKept(bytes, name);
  await requireVoucher(tx, voucherId);
  const sha256 = sha256Of(bytes);
  const id = uuid();
  await tx.query(sql`insert into archive.contents (sha256, bytes) values (${sha256}, ${bytes})
    on conflict do nothing`);
  const [added] = await tx.query(
    sql`insert into ledger.attachments (id, voucher_id, sha256, file_name, media_type, created_by)
        values (${id}, ${voucherId}, ${sha256}, ${name}, ${mediaType}, ${actor})
        on conflict (voucher_id, sha256) do nothing returning id`,
  );
  if (added) {
    const detail = { attachment_id: id, sha256: sha256.toString('hex') };
    await recordEvent(tx, { actor, action: 'attachment.added', subject: voucherId, detail });
  }
  const attachments = await listAttachments(tx, voucherId);
  const found = attachments.find((one) => one.sha256 === sha256.toString('hex'));
  if (!found) throw new Error('the attachment was not stored');
  return found;
}

function refuseUnlessKept(bytes: Buffer, fileName: string): string {
  const refusal = (reason: string, message: string) =>
    refuse('unprocessable', [{ path: 'file', reason, message }]);
  if (bytes.length === 0) throw refusal('empty', 'Filen är tom.');
  if (bytes.length > attachmentMaxBytes) {
    throw refusal('too_large', 'Filen är större än 10 MiB; dela upp eller komprimera den.');
  }
  const mediaType = mediaTypeOf(bytes, fileName);
  if (mediaType) return mediaType;
  throw refusal(
    'unsupported_type',
    'Filen är inte PDF, PNG, JPEG, XML, CSV eller text i UTF-8; spara den som PDF.',
  );
}

export function listAttachments(db: Db, voucherId: string): Promise<Attachment[]> {
  return db.query(sql`select a.id, a.voucher_id, a.file_name, a.media_type,
      octet_length(c.bytes) as size, encode(a.sha256, 'hex') as sha256, a.created_at, a.created_by
    from ledger.attachments a join archive.contents c using (sha256)
    where a.voucher_id = ${voucherId}::uuid order by a.created_at, a.id`);
}

/** The attachments of one voucher also document another, as when it stands in the other's place. */
export async function attachSame(
  tx: Tx,
  { from, to }: { readonly from: string; readonly to: string },
  actor: string,
): Promise<void> {
  for (const { sha256, file_name, media_type } of await listAttachments(tx, from)) {
    const id = uuid();
    await tx.query(sql`insert into ledger.attachments (id, voucher_id, sha256, file_name, media_type,
        created_by)
      values (${id}, ${to}, decode(${sha256}, 'hex'), ${file_name}, ${media_type}, ${actor})
      on conflict (voucher_id, sha256) do nothing`);
    const detail = { attachment_id: id, sha256 };
    await recordEvent(tx, { actor, action: 'attachment.added', subject: to, detail });
  }
}

/** The file itself, if it is this voucher's; throws 404 when it is not. */
export async function readAttachment(
  db: Db,
  { voucherId, attachmentId }: { readonly voucherId: string; readonly attachmentId: string },
): Promise<{ file_name: string; media_type: string; bytes: Buffer }> {
  const [found] = await db.query<{ file_name: string; media_type: string; bytes: Buffer }>(
    sql`select a.file_name, a.media_type, c.bytes
        from ledger.attachments a join archive.contents c using (sha256)
        where a.id = ${attachmentId}::uuid and a.voucher_id = ${voucherId}::uuid`,
  );
  if (!found) throw new AppError('not_found', 'Bilagan finns inte på det här verifikatet.');
  return found;
}
