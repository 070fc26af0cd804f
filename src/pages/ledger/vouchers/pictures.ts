/** Documents as a browser shows them: itself what it can, and a picture in HEIC as a JPEG that a worker makes. */
import { z } from 'zod';
import { AppError } from '../../../lib/errors.ts';
import { findPreview, type PreviewState, requestPreview } from '../../../render/preview-store.ts';
import { foreignContent } from '../../headers.ts';
import type { Pages } from '../../page.ts';
import type { PageDeps, Visit } from '../../visit.ts';

/** Types that a browser shows without running or guessing anything; the rest is saved. */
export const shownTypes = ['application/pdf', 'image/png', 'image/jpeg'];
/** What telephones take, and few browsers show. */
export const heic = 'image/heic';

const params = z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/) });

export function registerPictures(pages: Pages): void {
  pages.show({
    url: '/bilder/:sha256',
    right: 'read',
    params,
    show: async ({ tx, params: { sha256 } }) => {
      const content = await findPreview(tx, sha256);
      if (!content) throw notThere();
      return { type: 'image/jpeg', content, headers: foreignContent };
    },
  });

  pages.show({
    url: '/bilder/:sha256/lage',
    right: 'read',
    params,
    show: async ({ tx, deps, params: { sha256 } }) => {
      const state = deps.config.showsHeic ? await requestPreview(tx, sha256) : undefined;
      if (!state) throw notThere();
      return { template: 'picture-preview', title: 'Bilden', values: pictureView(sha256, state) };
    },
  });
}

const notThere = () => new AppError('not_found', 'Bilden finns inte. Hämta filen som den kom.');

const pictureView = (sha256: string, state: PreviewState) => ({
  address: `/bilder/${sha256}`,
  isMade: state === 'made',
  isWaiting: state === 'waiting',
  isLate: state === 'late',
});

export interface ShownFile {
  readonly file_name: string;
  readonly media_type: string;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** Whether a page can show it, as it is or as a JPEG. */
export const isShowable = (
  { media_type }: Pick<ShownFile, 'media_type'>,
  { config }: PageDeps,
): boolean => shownTypes.includes(media_type) || (media_type === heic && config.showsHeic);

/** What the partial `file-preview` shows of a file that is showable; a picture that has no JPEG is asked for. */
export async function previewOf(
  { tx, deps }: Pick<Visit, 'tx' | 'deps'>,
  file: ShownFile,
  address: string,
) {
  if (!isShowable(file, deps)) return null;
  const { file_name: name, media_type: type, sha256 } = file;
  const state = type === heic ? await requestPreview(tx, sha256) : undefined;
  return {
    name,
    address,
    isImage: type.startsWith('image/'),
    picture: state === undefined ? null : pictureView(sha256, state),
  };
}
