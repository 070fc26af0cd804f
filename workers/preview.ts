/** Makes pictures that browsers do not show into JPEG, one at a time beside the pages that are printed. */

import { preview } from '#src/db/jobs.ts';
import { db, withTx } from '#src/db/pool.ts';
import { jpegOfHeic } from '#src/render/heic.ts';
import { keepPreview, takeUnseen } from '#src/render/preview-store.ts';
import type { Task } from './run.ts';

export const previewing: Task<{ content: string }> = {
  queue: preview,
  run: async (pool, log, { content }) => {
    const bytes = await takeUnseen(db(pool), content);
    if (bytes === undefined) return;
    const jpeg = await jpegOfHeic(bytes);
    if (jpeg === undefined) log.info({ content }, 'no picture that can be shown');
    await withTx(pool, (tx) => keepPreview(tx, content, jpeg));
  },
};
