/** Supporting documents (underlag) of vouchers: stored once by content, never changed, never removed. */
import { recordEvent } from '../../audit/store.ts';
import type { Db, Tx } from '../../db/pool.ts';
import { attachmentMaxBytes, mediaTypeOf, plainFileName } from '../../domain/ledger/attachment.ts';
import { faultOf, refuse, refuseWhole } from '../../lib/errors.ts';
import { sha256Of } from '../../lib/sha256.ts';
import { uuid } from '../../lib/uuid.ts';
import {
  type Attachment,
  findAttachment,
  insertAttachment,
  insertContent,
  isVoucher,
  listAttachments,
  type StoredFile,
} from './store.ts';

export interface NewAttachment {
  readonly voucherId: string;
  readonly fileName: string;
  readonly bytes: Buffer;
}

/** Throws 422 when there is no such voucher. */
export async function requireVoucher(db: Db, voucherId: string): Promise<void> {
  if (await isVoucher(db, voucherId)) return;
  throw refuse('unprocessable', [
    { path: 'voucherId', reason: 'unknown_voucher', params: { voucherId } },
  ]);
}

/** The same file on the same voucher again is the same attachment. */
export async function addAttachment(
  tx: Tx,
  { voucherId, fileName, bytes }: NewAttachment,
  actor: string,
): Promise<Attachment> {
  const name = plainFileName(fileName);
  const mediaType = keptMediaType(bytes, name);
  await requireVoucher(tx, voucherId);
  const sha256 = sha256Of(bytes);
  await insertContent(tx, sha256, bytes);
  const file = { voucherId, sha256: sha256.toString('hex'), fileName: name, mediaType };
  await attachContent(tx, file, actor);
  const attachments = await listAttachments(tx, voucherId);
  const found = attachments.find((one) => one.sha256 === file.sha256);
  if (!found) throw new Error('the attachment was not stored');
  return found;
}

/** A content that is kept already documents a voucher; which has it once, however often it is laid there. */
export async function attachContent(
  tx: Tx,
  file: Omit<Parameters<typeof insertAttachment>[1], 'id'>,
  actor: string,
): Promise<void> {
  const id = uuid();
  if (!(await insertAttachment(tx, { id, ...file }, actor))) return;
  const detail = { attachment_id: id, sha256: file.sha256 };
  await recordEvent(tx, { actor, action: 'attachment.added', subject: file.voucherId, detail });
}

/** The media type of a file that is kept; throws 422 for one that is empty, too large or of no kept kind. */
export function keptMediaType(bytes: Buffer, fileName: string): string {
  const refusal = (reason: 'file_empty' | 'file_too_large' | 'file_type_not_kept') =>
    refuse('unprocessable', [faultOf('file', reason, { mibMax: attachmentMaxBytes / 1024 ** 2 })]);
  if (bytes.length === 0) throw refusal('file_empty');
  if (bytes.length > attachmentMaxBytes) {
    throw refusal('file_too_large');
  }
  const mediaType = mediaTypeOf(bytes, fileName);
  if (mediaType) return mediaType;
  throw refusal('file_type_not_kept');
}

/** The attachments of one voucher also document another, as when it stands in the other's place. */
export async function attachSame(
  tx: Tx,
  { from, to }: { readonly from: string; readonly to: string },
  actor: string,
): Promise<void> {
  for (const { sha256, file_name, media_type } of await listAttachments(tx, from)) {
    const file = { voucherId: to, sha256, fileName: file_name, mediaType: media_type };
    await attachContent(tx, file, actor);
  }
}

/** The file itself, if it is this voucher's; throws 404 when it is not. */
export async function readAttachment(
  db: Db,
  { voucherId, attachmentId }: { readonly voucherId: string; readonly attachmentId: string },
): Promise<StoredFile> {
  const found = await findAttachment(db, { voucherId, attachmentId });
  if (!found) throw refuseWhole('not_found', 'no_attachment');
  return found;
}
