/** The export of vouchers on the wire. */
import { z } from 'zod';
import { idSchema } from '../../http/schemas.ts';
import { includeNamesAndDimensions } from '../included.ts';
import { voucherFilters } from './schemas.ts';
import { snapshotLengthMax } from './snapshot.ts';

export const exportQuery = z
  .strictObject({
    ...voucherFilters,
    include: includeNamesAndDimensions,
    format: z
      .enum(['ndjson', 'csv'])
      .optional()
      .describe('ndjson or csv; when it is left out, csv if Accept has text/csv, else ndjson'),
    snapshot: z
      .string()
      .max(snapshotLengthMax)
      .optional()
      .describe(
        'The moment that an earlier export began with, to go on with it or to ask for more of the same moment',
      ),
    after: idSchema
      .optional()
      .describe('Only vouchers after this one, the last that came whole; together with snapshot'),
  })
  .superRefine(({ snapshot, after }, context) => {
    if (after === undefined || snapshot !== undefined) return;
    const message = 'skickas tillsammans med snapshot, som exporten började med';
    context.addIssue({ code: 'custom', path: ['after'], message, params: { reason: 'required' } });
  });

export const exportContent = {
  description:
    'The export. It is whole when the last line is there: {"end": …}, or one that begins with end.',
  content: {
    'application/x-ndjson': {
      schema: z
        .string()
        .describe(
          'One JSON object a line: first {"begin": {snapshot, taken_at, events_cursor, vouchers, rows}}, then each voucher as GET /api/v1/verifikat has it, last {"end": {vouchers, rows, debit, credit}}. A line {"status": …, "error": …} has the form of any refusal, and nothing comes after it',
        ),
    },
    'text/csv': {
      schema: z
        .string()
        .describe(
          'RFC 4180 in UTF-8: a line of column names, then one for each row, which begins with row; last one that begins with end, with the number of rows in row_count and the sums in debit and credit',
        ),
    },
  },
};
