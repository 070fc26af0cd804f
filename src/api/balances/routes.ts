/** GET /api/v1/saldon: balances of accounts by month. */
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { isDate } from '../../domain/basics/dates.ts';
import { oreToNumber } from '../../domain/basics/money.ts';
import { type Access, callerOf, withKey } from '../../http/access.ts';
import { errorResponses, keyErrors } from '../../http/error-schemas.ts';
import type { App, AppDeps } from '../../http/fastify.ts';
import { answerUnchanged } from '../../http/unchanged.ts';
import { decodePlace, encodePlace } from '../../lib/cursor.ts';
import { listMonthBalances } from '../../reports/books/month-balance-store.ts';
import { readNames } from '../included.ts';
import { cutPage, requireOrder } from '../paging.ts';
import { unchangedHeaders } from '../registers/schemas.ts';
import { balancePage, balanceQuery } from './schemas.ts';

type Place = readonly [account: number, month: string];

const isPlace = (parts: readonly unknown[]): parts is Place =>
  Number.isInteger(parts[0]) &&
  Math.abs(Number(parts[0])) <= 2_147_483_647 &&
  typeof parts[1] === 'string' &&
  isDate(parts[1]);

const firstDayOf = (month: string | undefined): string | undefined =>
  month === undefined ? undefined : `${month}-01`;

export function registerBalances(app: App, { readers }: AppDeps, access: Access): void {
  app.withTypeProvider<ZodTypeProvider>().route({
    method: 'GET',
    url: '/api/v1/saldon',
    config: { scopes: ['data:read'] },
    onRequest: access.hook(['data:read']),
    onSend: answerUnchanged,
    schema: {
      operationId: 'listBalances',
      summary: 'Read balances of accounts by month',
      description:
        'Of each account and month what stood as it began, what was posted and what stood as it ended. A month in which an account stood at nothing and nothing was posted on it is left out. Everything that is posted counts, each page as of when it is asked for.',
      tags: ['Figures'],
      security: [{ apiKey: [] }],
      headers: unchangedHeaders,
      querystring: balanceQuery,
      response: {
        200: balancePage,
        304: z.null().describe('The answer is the one that If-None-Match has'),
        ...errorResponses(...keyErrors, 'invalid_request'),
      },
    },
    handler: async (request) => {
      const { konto: accounts, fromMonth, toMonth, year, dimension, ...rest } = request.query;
      const { include, limit, cursor } = rest;
      requireOrder(fromMonth, toMonth, { from: 'fromMonth', to: 'toMonth' });
      const filters = ['saldon', accounts, fromMonth, toMonth, year, dimension];
      const place = cursor === undefined ? undefined : decodePlace(filters, cursor, isPlace);
      const after = place && { account: place[0], month: place[1] };
      const months = { from: firstDayOf(fromMonth), to: firstDayOf(toMonth) };
      const asked = { accounts, ...months, year, dimension, after, limit: limit + 1 };
      const { found, names } = await withKey(readers, callerOf(request), async (tx) => {
        const balances = await listMonthBalances(tx, asked);
        return { found: balances, names: await readNames(tx, include, balances) };
      });
      return cutPage(found, limit, {
        answer: (one) => ({
          account: one.account,
          ...names.ofAccount(one),
          year: one.year,
          month: one.month.slice(0, 7),
          opening: oreToNumber(one.opening_ore),
          debit: oreToNumber(one.debit_ore),
          credit: oreToNumber(one.credit_ore),
          closing: oreToNumber(one.closing_ore),
        }),
        cursorOf: ({ account, month }) => encodePlace(filters, [account, month]),
      });
    },
  });
}
