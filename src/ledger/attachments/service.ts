/** Supporting documents (underlag) of vouchers: stored once by content, never changed, never removed. */
import { recordEvent } from '../../audit/store.ts';
import type { Db, Tx } from '../../db/pool.ts';
import { attachmentMaxBytes, mediaTypeOf, plainFileName } from '../../domain/ledger/attachment.ts';
import { AppError, refuse } from '../../lib/errors.ts';
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
  await insertContent(tx, sha256, bytes);
  const file = { id, voucherId, sha256: sha256.toString('hex'), fileName: name, mediaType };
  if (await insertAttachment(tx, file, actor)) {
    const detail = { attachment_id: id, sha256: file.sha256 };
    await recordEvent(tx, { actor, action: 'attachment.added', subject: voucherId, detail });
  }
  const attachments = await listAttachments(tx, voucherId);
  const found = attachments.find((one) => one.sha256 === file.sha256);
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

/** The attachments of one voucher also document another, as when it stands in the other's place. */
export async function attachSame(
  tx: Tx,
  { from, to }: { readonly from: string; readonly to: string },
  actor: string,
): Promise<void> {
  for (const { sha256, file_name, media_type } of await listAttachments(tx, from)) {
    const id = uuid();
    const file = { id, voucherId: to, sha256, fileName: file_name, mediaType: media_type };
    await insertAttachment(tx, file, actor);
    const detail = { attachment_id: id, sha256 };
    await recordEvent(tx, { actor, action: 'attachment.added', subject: to, detail });
  }
}

/** The file itself, if it is this voucher's; throws 404 when it is not. */
export async function readAttachment(
  db: Db,
  { voucherId, attachmentId }: { readonly voucherId: string; readonly attachmentId: string },
): Promise<StoredFile> {
  const found = await findAttachment(db, { voucherId, attachmentId });
  if (!found) throw new AppError('not_found', 'Bilagan finns inte på det här verifikatet.');
  return found;
}
