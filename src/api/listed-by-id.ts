/**
 * What is listed in the order of ids, which nothing that happens meanwhile changes, and read one by one in the same shape:
 * two routes of each such list, under `data:read`.
 */
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Tx } from '../db/pool.ts';
import { type Access, callerOf, withKey } from '../http/access.ts';
import { errorResponses, keyErrors } from '../http/error-schemas.ts';
import type { App, AppDeps } from '../http/fastify.ts';
import { idSchema } from '../http/schemas.ts';
import { answerUnchanged } from '../http/unchanged.ts';
import { decodePlace, encodePlace } from '../lib/cursor.ts';
import { AppError } from '../lib/errors.ts';
import { isUuid } from '../lib/uuid.ts';
import type { Included } from './included.ts';
import type { Page } from './paging.ts';
import { unchangedHeaders } from './registers/schemas.ts';

interface Asked {
  readonly id?: string[] | undefined;
  readonly include?: Included[] | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** What is asked for, from the last of the page before. */
export type ListQuery = Omit<Asked, 'cursor'> & { readonly after?: string | undefined };

/** Where one stands in a list: whether another follows it. */
interface Followed {
  readonly id: string;
  readonly is_followed: boolean;
}

/** One page as it was read, and how each is answered. */
export interface ReadPage<Row extends Followed, Item> {
  readonly page: readonly Row[];
  readonly answer: (row: Row, baseUrl: string) => Item;
}

/** What differs between one list and the next. `check` and `read` are methods, as they know more of `query` than is asked here. */
export interface ListedById<Row extends Followed, Item extends object> {
  /** Under /api/v1. */
  readonly path: string;
  readonly tag: string;
  readonly operation: { readonly list: string; readonly one: string };
  readonly summary: { readonly list: string; readonly one: string };
  /** Of the list. */
  readonly description: string;
  readonly query: z.ZodType<Asked>;
  /** What one by itself may be asked for. */
  readonly oneQuery: z.ZodType<Pick<Asked, 'include'>>;
  readonly item: z.ZodType<object>;
  readonly page: z.ZodType<Page<Item>>;
  readonly missing: string;
  /** Throws 400 of what goes ill together. */
  check?(query: Omit<Asked, 'cursor'>): void;
  read(tx: Tx, query: ListQuery): Promise<ReadPage<Row, Item>>;
}

const idParams = z.strictObject({
  id: idSchema.describe('The id, as a list or an event gives it'),
});
const unchanged = z.null().describe('The answer is the one that If-None-Match has');
const isPlace = (parts: readonly unknown[]): parts is readonly [string] => isUuid(parts[0]);

export function registerListedById<Row extends Followed, Item extends object>(
  app: App,
  { readers, quickReaders, config }: AppDeps,
  access: Access,
  those: ListedById<Row, Item>,
): void {
  const { path } = those;
  const common = {
    method: 'GET',
    config: { scopes: ['data:read'] },
    onRequest: access.hook(['data:read']),
    onSend: answerUnchanged,
  } as const;
  const told = { tags: [those.tag], security: [{ apiKey: [] }], headers: unchangedHeaders };
  const routes = app.withTypeProvider<ZodTypeProvider>();
  routes.route({
    ...common,
    url: `/api/v1/${path}`,
    schema: {
      operationId: those.operation.list,
      summary: those.summary.list,
      description: those.description,
      ...told,
      querystring: those.query,
      response: {
        200: those.page,
        304: unchanged,
        ...errorResponses(...keyErrors, 'invalid_request'),
      },
    },
    handler: async (request) => {
      const { cursor, ...asked } = request.query;
      those.check?.(asked);
      const { limit: _limit, include: _include, ...filter } = asked;
      const filters = [path, ...Object.entries(filter).sort(([a], [b]) => (a < b ? -1 : 1))];
      const [after] = cursor === undefined ? [] : decodePlace(filters, cursor, isPlace);
      const { page, answer } = await withKey(readers, callerOf(request), (tx) =>
        those.read(tx, { ...asked, after }),
      );
      const last = page.at(-1);
      const hasMore = last?.is_followed === true;
      return {
        data: page.map((row) => answer(row, config.baseUrl)),
        next_cursor: hasMore ? encodePlace(filters, [last.id]) : null,
        has_more: hasMore,
      };
    },
  });
  routes.route({
    ...common,
    url: `/api/v1/${path}/:id`,
    schema: {
      operationId: those.operation.one,
      summary: those.summary.one,
      description: 'In the same form as in the list.',
      ...told,
      params: idParams,
      querystring: those.oneQuery,
      response: {
        200: those.item,
        304: unchanged,
        ...errorResponses(...keyErrors, 'invalid_request', 'not_found'),
      },
    },
    handler: async (request) => {
      const asked = { ...request.query, id: [request.params.id], limit: 1 };
      const { page, answer } = await withKey(quickReaders, callerOf(request), (tx) =>
        those.read(tx, asked),
      );
      const [found] = page;
      if (!found) throw new AppError('not_found', those.missing);
      return answer(found, config.baseUrl);
    },
  });
}
