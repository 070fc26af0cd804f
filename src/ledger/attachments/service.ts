/** Supporting documents (underlag) of vouchers: stored once by content, never changed, never removed. */
import { recordEvent, recordEvents } from '../../audit/store.ts';
import type { Db, Tx } from '../../db/pool.ts';
import {
  attachmentMaxBytes,
  isPictureSequence,
  mediaTypeOf,
  plainFileName,
} from '../../domain/ledger/attachment.ts';
import { faultOf, refuse, refuseWhole } from '../../lib/errors.ts';
import { sha256Of } from '../../lib/sha256.ts';
import { uuid } from '../../lib/uuid.ts';
import { isLockedPdf } from './locked-pdf.ts';
import {
  type AttachedFile,
  type Attachment,
  deleteWithheld,
  findAttachment,
  insertAttachments,
  insertContents,
  insertWithheld,
  listAttachments,
  listMissingVouchers,
  type StoredFile,
} from './store.ts';

export interface NewAttachment {
  readonly voucherId: string;
  readonly fileName: string;
  readonly bytes: Buffer;
}

/** Throws 422 when there is no such voucher. */
export const requireVoucher = (db: Db, voucherId: string): Promise<void> =>
  requireVouchers(db, [voucherId]);

async function requireVouchers(db: Db, voucherIds: readonly string[]): Promise<void> {
  const [missing] = await listMissingVouchers(db, voucherIds);
  if (!missing) return;
  throw refuse('unprocessable', [
    { path: 'voucherId', reason: 'unknown_voucher', params: { voucherId: missing.id } },
  ]);
}

/** The same file on the same voucher again is the same attachment. */
export async function addAttachment(
  tx: Tx,
  attachment: NewAttachment,
  actor: string,
): Promise<Attachment> {
  const { voucherId, bytes } = attachment;
  await addAttachments(tx, [attachment], actor);
  const sha256 = sha256Of(bytes).toString('hex');
  const attachments = await listAttachments(tx, voucherId);
  const found = attachments.find((one) => one.sha256 === sha256);
  if (!found) throw new Error('the attachment was not stored');
  return found;
}

/** All of them, or none when one is refused. */
export async function addAttachments(
  tx: Tx,
  attachments: readonly NewAttachment[],
  actor: string,
): Promise<void> {
  const contents = new Map<string, Buffer>();
  const files = attachments.map(({ voucherId, fileName: given, bytes }) => {
    const fileName = plainFileName(given);
    const mediaType = keptMediaType(bytes, fileName);
    const sha256 = sha256Of(bytes).toString('hex');
    contents.set(sha256, bytes);
    return { voucherId, sha256, fileName, mediaType };
  });
  await requireVouchers(
    tx,
    files.map(({ voucherId }) => voucherId),
  );
  await insertContents(
    tx,
    [...contents].map(([sha256, bytes]) => ({ sha256, bytes })),
  );
  await attachContents(tx, files, actor);
}

/** Contents that are kept already document vouchers; each of which has one once, however often it is laid there. */
export async function attachContents(
  tx: Tx,
  contents: readonly Omit<AttachedFile, 'id'>[],
  actor: string,
): Promise<void> {
  const files = contents.map((content) => ({ id: uuid(), ...content }));
  const added = new Set((await insertAttachments(tx, files, actor)).map(({ id }) => id));
  await recordEvents(
    tx,
    files
      .filter(({ id }) => added.has(id))
      .map(({ id, sha256, voucherId: subject }) => {
        const detail = { attachment_id: id, sha256 };
        return { actor, action: 'attachment.added', subject, detail };
      }),
  );
}

/** The media type of a file that is kept; throws 422 for one that is empty, too large, locked or of no kept kind. */
export function keptMediaType(bytes: Buffer, fileName: string): string {
  const refusal = (
    reason:
      | 'file_empty'
      | 'file_too_large'
      | 'file_is_sequence'
      | 'file_is_locked'
      | 'file_type_not_kept',
  ) =>
    refuse('unprocessable', [faultOf('file', reason, { mibMax: attachmentMaxBytes / 1024 ** 2 })]);
  if (bytes.length === 0) throw refusal('file_empty');
  if (bytes.length > attachmentMaxBytes) {
    throw refusal('file_too_large');
  }
  const mediaType = mediaTypeOf(bytes, fileName);
  if (mediaType === 'application/pdf' && isLockedPdf(bytes)) throw refusal('file_is_locked');
  if (mediaType) return mediaType;
  throw refusal(isPictureSequence(bytes) ? 'file_is_sequence' : 'file_type_not_kept');
}

/** The attachments of one voucher also document another, as when it stands in the other's place. */
export async function attachSame(
  tx: Tx,
  { from, to }: { readonly from: string; readonly to: string },
  actor: string,
): Promise<void> {
  const attachments = await listAttachments(tx, from);
  const contents = attachments.map(({ sha256, file_name: fileName, media_type: mediaType }) => ({
    voucherId: to,
    sha256,
    fileName,
    mediaType,
  }));
  await attachContents(tx, contents, actor);
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

/** No key reads the voucher's documents from now on, nor the same contents on any other voucher. */
export async function withholdDocuments(tx: Tx, voucherId: string, actor: string): Promise<void> {
  await requireVoucher(tx, voucherId);
  if (!(await insertWithheld(tx, voucherId, actor))) return;
  await recordEvent(tx, { actor, action: 'voucher.documents_withheld', subject: voucherId });
}

/** Keys with documents:read read them again, unless they are of staff. */
export async function releaseDocuments(tx: Tx, voucherId: string, actor: string): Promise<void> {
  await requireVoucher(tx, voucherId);
  if (!(await deleteWithheld(tx, voucherId))) return;
  await recordEvent(tx, { actor, action: 'voucher.documents_released', subject: voucherId });
}
