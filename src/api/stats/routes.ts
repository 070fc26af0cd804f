/** GET /api/stats/overview · monthly · daily (contract 2.5, 4.6, 4.7). */
import type { FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Tx } from '../../db/pool.ts';
import { reading } from '../../db/refusals.ts';
import { daysBetween } from '../../domain/basics/dates.ts';
import { monthRecords, totalResults, wholeKronor } from '../../domain/ledger/statistics.ts';
import { type Access, callerOf, withKey } from '../../http/access.ts';
import { errorResponses, keyErrors } from '../../http/error-schemas.ts';
import type { App, AppDeps } from '../../http/fastify.ts';
import { noQuery } from '../../http/schemas.ts';
import { refuse } from '../../lib/errors.ts';
import { overviewOf } from '../../reports/stats/overview.ts';
import { getMonthly, getOverview, listDays, monthResults } from '../../reports/stats/store.ts';
import { requireOrder } from '../paging.ts';
import { daily, dailyQuery, monthly, overview } from './schemas.ts';

const daysMax = 90;

export function registerStatistics(app: App, deps: AppDeps, access: Access): void {
  const { readers, clock } = deps;
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const read = <T>(request: FastifyRequest, work: (tx: Tx) => Promise<T>): Promise<T> =>
    reading(() => withKey(readers, callerOf(request), work));
  const common = {
    config: { scopes: ['data:read'] },
    onRequest: access.hook(['data:read'], { legacy: 'STATS_API_KEY' }),
  };
  const described = { tags: ['Figures'], security: [{ apiKey: [] }] };
  const errors = errorResponses(...keyErrors, 'invalid_request', 'db_error');

  routes.route({
    method: 'GET',
    url: '/api/stats/overview',
    ...common,
    schema: {
      operationId: 'getOverview',
      summary: 'The whole economic situation',
      description:
        'What a dashboard shows: result, margin, liquidity, receivables and payables, in whole kronor without VAT. Read as of now, in one snapshot.',
      ...described,
      querystring: noQuery,
      response: { 200: overview, ...errors },
    },
    handler: async (request) => {
      const today = clock.today();
      return overviewOf(await read(request, (tx) => getOverview(tx, today)), clock.now(), today);
    },
  });

  routes.route({
    method: 'GET',
    url: '/api/stats/monthly',
    ...common,
    schema: {
      operationId: 'getMonthly',
      summary: 'Income, costs and result month by month',
      description:
        'Every month from that of the first voucher through this one, those without vouchers too.',
      ...described,
      querystring: noQuery,
      response: { 200: monthly, ...errors },
    },
    handler: async (request) => {
      const { first_day, months } = await read(request, getMonthly);
      const records = monthRecords(first_day, clock.today(), monthResults(months));
      return {
        generated_at: clock.now().toISOString(),
        months: records,
        totals: totalResults(records),
      };
    },
  });

  routes.route({
    method: 'GET',
    url: '/api/stats/daily',
    ...common,
    schema: {
      operationId: 'getDaily',
      summary: 'Income and invoices day by day, at most 90 days on from from',
      description: 'Income of the days asked for, and the invoices that were booked on each.',
      ...described,
      querystring: dailyQuery,
      response: { 200: daily, ...errors },
    },
    handler: async (request) => {
      const { from, to } = request.query;
      refuseBadSpan(from, to);
      const days = await read(request, (tx) => listDays(tx, from, to));
      return days.map(({ day, revenue_ore, invoices, unpaid_ore }) => ({
        date: day,
        revenue_total: wholeKronor(revenue_ore),
        invoices_count: Number(invoices),
        unpaid_amount: wholeKronor(unpaid_ore),
      }));
    },
  });
}

function refuseBadSpan(from: string, to: string): void {
  requireOrder(from, to);
  if (daysBetween(from, to) > daysMax) {
    const message = `to (${to}) ligger mer än ${daysMax} dagar efter from (${from}); dela upp spannet.`;
    throw refuse('invalid_request', [{ path: 'to', reason: 'span_too_long', message }]);
  }
}
