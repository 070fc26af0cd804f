/** Files as documents of a voucher: listed, and given to a browser. */
import type { readAttachment } from '../../../ledger/attachments/service.ts';
import type { Attachment } from '../../../ledger/attachments/store.ts';
import { count } from '../../format.ts';
import { fileDisposition, foreignContent, foreignPdf } from '../../headers.ts';
import type { FileAnswer } from '../../visit.ts';

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
