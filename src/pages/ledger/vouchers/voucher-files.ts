/** Files as documents of a voucher: taken from a form, listed, and given to a browser. */
import { mediaTypes } from '../../../domain/ledger/attachment.ts';
import { addAttachment, type readAttachment } from '../../../ledger/attachments/service.ts';
import type { Attachment } from '../../../ledger/attachments/store.ts';
import { AppError, refuse } from '../../../lib/errors.ts';
import { said } from '../../../lib/sentences/say.ts';
import { count } from '../../format.ts';
import { fileDisposition, foreignContent, foreignPdf } from '../../headers.ts';
import type { Upload } from '../../uploads.ts';
import type { FileAnswer, FormInput, Visit } from '../../visit.ts';

/** Adds files that came with a form; a refusal names the file and stands at the form's file field. */
export const attachAll = (
  tx: Visit['tx'],
  voucherId: string,
  files: readonly Upload[],
  actor: string,
): Promise<void> => takeAll(files, (file) => addAttachment(tx, { voucherId, ...file }, actor));

/** Deals with the files of a form, one at a time; a refusal names the file. */
export async function takeAll(
  files: readonly Upload[],
  take: (file: { readonly fileName: string; readonly bytes: Buffer }) => Promise<unknown>,
): Promise<void> {
  for (const { fileName, use } of files) {
    try {
      await use((bytes) => take({ fileName, bytes }));
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'unprocessable') throw error;
      const message = `${fileName}: ${said('page', error).message}`;
      throw refuse('unprocessable', [{ path: 'files', reason: 'not_kept', message }]);
    }
  }
}

export function requireFiles(files: readonly Upload[]): void {
  if (files.length > 0) return;
  const message = 'Välj minst en fil.';
  throw refuse('invalid_request', [{ path: 'files', reason: 'required', message }]);
}

/** A form that takes documents, as the partial `upload-files` has it. */
export const uploadValues = (input: FormInput) => ({
  error: input.problems.find(({ path }) => path === 'files')?.message ?? null,
  accept: [...mediaTypes, '.heic'].join(','),
});

/** Types that a browser shows without running or guessing anything; the rest is saved. */
export const shownTypes = ['application/pdf', 'image/png', 'image/jpeg'];

export function fileAnswer(
  { file_name, media_type, bytes }: Awaited<ReturnType<typeof readAttachment>>,
  isDownload: boolean,
): FileAnswer {
  const isShown = !isDownload && shownTypes.includes(media_type);
  return {
    type: /^text\/|\/xml$/.test(media_type) ? `${media_type}; charset=utf-8` : media_type,
    content: bytes,
    headers: {
      ...(isShown && media_type === 'application/pdf' ? foreignPdf : foreignContent),
      'content-disposition': fileDisposition(isShown ? 'inline' : 'attachment', file_name),
    },
  };
}

/** A file as pages show it: `address` gives it, `address?hamta=1` to save. */
export const fileValues = (
  file: { readonly file_name: string; readonly media_type: string; readonly size: number },
  address: string,
) => ({
  name: file.file_name,
  address,
  size: sizeText(file.size),
  isImage: file.media_type.startsWith('image/'),
  isShown: shownTypes.includes(file.media_type),
  // Telephones take them, and few browsers show them.
  isHeic: file.media_type === 'image/heic',
});

/** The documents as the voucher's page lists them, and the one it shows. */
export function attachmentValues(
  attachments: readonly Attachment[],
  voucherId: string,
  chosen: string,
) {
  const files = attachments.map((file) => ({
    id: file.id,
    ...fileValues(file, `/verifikat/${voucherId}/bilagor/${file.id}`),
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
