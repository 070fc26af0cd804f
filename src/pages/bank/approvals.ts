/** What a form says yes to. */
import { z } from 'zod';
import type { Approval } from '../../bank/matching/service.ts';

/** Rows on a page. */
export const rowsOnPage = 100;

const approvalForm = /^([0-9a-f-]{36})~([0-9a-f]{16})$/;

/** Rows with what was suggested of each when the page was shown. */
export const approvals = z
  .union([z.string().transform((one) => [one]), z.array(z.string())])
  .pipe(z.array(z.string().regex(approvalForm, 'Välj rader i listan.')).max(rowsOnPage))
  .transform((some): Approval[] =>
    some.map((one) => {
      const [, rowId = '', digest = ''] = approvalForm.exec(one) ?? [];
      return { rowId, digest };
    }),
  );
