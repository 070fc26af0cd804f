/** Files as documents of a voucher: taken from a form, listed, and given to a browser. */
import { addAttachment, type readAttachment } from '../../../ledger/attachments/service.ts';
import type { Attachment } from '../../../ledger/attachments/store.ts';
import { AppError, refuse } from '../../../lib/errors.ts';
import { said } from '../../../lib/sentences/say.ts';
import { count } from '../../format.ts';
import { fileDisposition, foreignContent } from '../../headers.ts';
import type { Upload } from '../../uploads.ts';
import type { FileAnswer, Visit } from '../../visit.ts';

/** Adds files that came with a form; a refusal names the file and stands at the form's file field. */
export async function attachAll(
  tx: Visit['tx'],
  voucherId: string,
  files: readonly Upload[],
  actor: string,
): Promise<void> {
  for (const { fileName, use } of files) {
    try {
      await use((bytes) => addAttachment(tx, { voucherId, fileName, bytes }, actor));
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'unprocessable') throw error;
      const message = `${fileName}: ${said('page', error).message}`;
      throw refuse('unprocessable', [{ path: 'files', reason: 'not_kept', message }]);
    }
  }
}

/** Types that a browser shows without running or guessing anything; the rest is saved. */
const shownTypes = ['application/pdf', 'image/png', 'image/jpeg'];

export function fileAnswer(
  { file_name, media_type, bytes }: Awaited<ReturnType<typeof readAttachment>>,
  isDownload: boolean,
): FileAnswer {
  const isShown = !isDownload && shownTypes.includes(media_type);
  return {
    type: /^text\/|\/xml$/.test(media_type) ? `${media_type}; charset=utf-8` : media_type,
    content: bytes,
    headers: {
      ...foreignContent,
      'content-disposition': fileDisposition(isShown ? 'inline' : 'attachment', file_name),
    },
  };
}

/** The documents as the voucher's page lists them, and the one it shows. */
export function attachmentValues(
  attachments: readonly Attachment[],
  voucherId: string,
  chosen: string,
) {
  const files = attachments.map(({ id, file_name, media_type, size }) => ({
    id,
    name: file_name,
    address: `/verifikat/${voucherId}/bilagor/${id}`,
    size: sizeText(size),
    isImage: media_type.startsWith('image/'),
    isShown: shownTypes.includes(media_type),
  }));
  const isChosen = ({ id, isShown }: (typeof files)[number]) => isShown && id === chosen;
  const preview = files.find(isChosen) ?? files.find(({ isShown }) => isShown) ?? null;
  return {
    attachments: files.map((file) => ({ ...file, isPreviewed: file.id === preview?.id })),
    preview,
  };
}

/** `340 kB`, as people say sizes. */
const sizeText = (bytes: number): string =>
  bytes < 1000 ? `${bytes} byte` : `${count(Math.round(bytes / 1000))} kB`;
