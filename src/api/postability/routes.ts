/** GET /api/v1/bokforbarhet: when and in which series vouchers can be posted, and what stops the rest. */
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { type PostableRange, postableRanges } from '../../domain/ledger/postability.ts';
import { type Access, callerOf, withKey } from '../../http/access.ts';
import { errorResponses, keyErrors, locks } from '../../http/error-schemas.ts';
import type { App, AppDeps } from '../../http/fastify.ts';
import { dateSchema, openEnum } from '../../http/schemas.ts';
import { getLocks } from '../../ledger/locks/store.ts';
import { listBookYears } from '../../ledger/postability/store.ts';
import { requireOrder } from '../paging.ts';

const dateText = z.string().meta({ format: 'date' });

const states: Record<PostableRange['state'], string> = {
  open: 'Open',
  vat_locked: 'Stops only vouchers with a row that has a VAT code or is on a VAT account',
  locked: 'Locked for all vouchers',
  no_fiscal_year: 'No fiscal year',
};

const postability = z
  .object({
    from: dateText,
    to: dateText,
    ranges: z
      .array(
        z
          .object({
            from: dateText,
            to: dateText,
            fiscal_year: z.int().nullable(),
            series: z.array(z.string()).describe('Series that exist in that fiscal year'),
            state: openEnum(states),
            lock: openEnum(locks).nullable(),
            locked_to: dateText.nullable(),
            earliest_allowed_date: dateText
              .nullable()
              .describe('The next open day; in locked spans for vouchers without VAT'),
          })
          .meta({ id: 'PostableRange' }),
      )
      .describe('The whole span without gaps, by date'),
  })
  .meta({ id: 'Postability', description: 'What can be booked when' });

const postabilityQuery = z.strictObject({
  from: dateSchema.optional().describe('First day of the first fiscal year when nothing is said'),
  to: dateSchema.optional().describe('Last day of the last fiscal year when nothing is said'),
});

export function registerPostability(app: App, { quickReaders }: AppDeps, access: Access): void {
  app.withTypeProvider<ZodTypeProvider>().route({
    method: 'GET',
    url: '/api/v1/bokforbarhet',
    config: { scopes: ['data:read'] },
    onRequest: access.hook(['data:read']),
    schema: {
      operationId: 'getPostability',
      summary: 'Which dates and series can be booked on, and which lock stops the others',
      description:
        'Ask before posting on another day than today, or show people which days there are to choose from.',
      tags: ['Vouchers'],
      security: [{ apiKey: [] }],
      querystring: postabilityQuery,
      response: { 200: postability, ...errorResponses(...keyErrors, 'invalid_request') },
    },
    handler: async (request) => {
      const { years, locks } = await withKey(quickReaders, callerOf(request), async (tx) => ({
        years: await listBookYears(tx),
        locks: await getLocks(tx),
      }));
      const { from = years.at(0)?.start, to = years.at(-1)?.end } = request.query;
      if (from === undefined || to === undefined) throw new Error('there is no fiscal year');
      requireOrder(from, to);
      const ranges = postableRanges(from, to, years, locks);
      return { from, to, ranges: ranges.map((range) => ({ ...range, series: [...range.series] })) };
    },
  });
}
