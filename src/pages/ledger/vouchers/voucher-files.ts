/** Files as documents of a voucher: listed, and given to a browser. */

import { fileDisposition } from '../../../http/headers.ts';
import type { readAttachment } from '../../../ledger/attachments/service.ts';
import type { Attachment } from '../../../ledger/attachments/store.ts';
import { count } from '../../format.ts';
import { foreignContent, foreignPdf } from '../../headers.ts';
import type { FileAnswer, PageDeps, Visit } from '../../visit.ts';
import { heic, isShowable, previewOf, shownTypes } from './pictures.ts';

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
  deps: PageDeps,
) => ({
  name: file.file_name,
  address,
  size: sizeText(file.size),
  isShown: shownTypes.includes(file.media_type),
  isShowable: isShowable(file, deps),
  isHeic: file.media_type === heic,
});

/** The documents as the voucher's page lists them, and the one it shows. */
export async function attachmentValues(
  visit: Pick<Visit, 'tx' | 'deps'>,
  attachments: readonly Attachment[],
  voucherId: string,
  chosen: string,
) {
  const addressOf = ({ id }: Attachment) => `/verifikat/${voucherId}/bilagor/${id}`;
  const showable = attachments.filter((file) => isShowable(file, visit.deps));
  const shown = showable.find(({ id }) => id === chosen) ?? showable[0];
  return {
    attachments: attachments.map((file) => ({
      id: file.id,
      ...fileValues(file, addressOf(file), visit.deps),
      isPreviewed: file === shown,
    })),
    preview: shown ? await previewOf(visit, shown, addressOf(shown)) : null,
  };
}

/** `340 kB`, as people say sizes. */
const sizeText = (bytes: number): string =>
  bytes < 1000 ? `${bytes} byte` : `${count(Math.round(bytes / 1000))} kB`;
