/** GET and POST /api/v1/verifikat (contract 4.3, 4.4), POST /api/v1/verifikat/bunt, and the export. */
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { oreToNumber } from '../../domain/basics/money.ts';
import { type Access, callerOf, withKey } from '../../http/access.ts';
import { idempotencyHeaders, parseJsonBody } from '../../http/body.ts';
import {
  errorResponses,
  idempotencyErrors,
  keyErrors,
  writeErrors,
} from '../../http/error-schemas.ts';
import type { App, AppDeps } from '../../http/fastify.ts';
import { requireIdempotencyKey, writeCallOf, writeQuery } from '../../http/write-calls.ts';
import { decodeCursor, encodeCursor } from '../../ledger/vouchers/cursor.ts';
import { type ListedVoucher, listVouchers } from '../../ledger/vouchers/store.ts';
import { type Names, readNames } from '../included.ts';
import { requireOrder } from '../paging.ts';
import { registerVoucherBulk } from './bulk.ts';
import { registerVoucherExport } from './export.ts';
import {
  checkedAnswer,
  createPosters,
  itemOf,
  type Posters,
  placeOf,
  postedAnswer,
} from './posting.ts';
import {
  checkedVoucher,
  postedVoucher,
  unpostedVoucher,
  voucherInput,
  voucherPage,
  voucherQuery,
} from './schemas.ts';

const url = '/api/v1/verifikat';

export function registerVouchers(app: App, deps: AppDeps, access: Access): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const posters = createPosters(deps.pool);
  registerReading(routes, deps, access);
  registerVoucherExport(routes, deps, access);
  registerPosting(routes, deps, access, posters);
  registerVoucherBulk(routes, deps, access, posters);
}

function registerReading(app: App, { readers, quickReaders }: AppDeps, access: Access): void {
  app.route({
    method: 'GET',
    url,
    config: { scopes: ['data:read'] },
    onRequest: access.hook(['data:read']),
    schema: {
      operationId: 'listVouchers',
      summary: 'Read vouchers with rows, by date',
      description:
        'Vouchers never change. Read them all once, page by page, and GET /api/v1/handelser then tells of each new one.',
      tags: ['Vouchers'],
      security: [{ apiKey: [] }],
      querystring: voucherQuery,
      response: { 200: voucherPage, ...errorResponses(...keyErrors, 'invalid_request') },
    },
    handler: async (request) => {
      const { query } = request;
      requireOrder(query.from, query.to);
      const place = decodeCursor(query);
      const those = query.id === undefined ? readers : quickReaders;
      const withDimensions = query.include?.includes('dimensions') === true;
      const { page, names } = await withKey(those, callerOf(request), async (tx) => {
        const found = await listVouchers(tx, query, place, { withDimensions });
        const rows = found.flatMap((voucher) => voucher.rows);
        return { page: found, names: await readNames(tx, query.include, rows) };
      });
      const last = page.at(-1);
      const hasMore = last?.has_more === true;
      return {
        data: page.map((voucher) => voucherAnswer(voucher, names)),
        next_cursor: hasMore ? encodeCursor(query, last) : null,
        has_more: hasMore,
      };
    },
  });
}

function registerPosting(
  app: App,
  { config }: AppDeps,
  access: Access,
  { post, check }: Posters,
): void {
  app.route({
    method: 'POST',
    url,
    config: { scopes: ['ledger:write', 'data:read'] },
    onRequest: access.hook(['ledger:write', 'data:read']),
    preValidation: [requireIdempotencyKey, parseJsonBody],
    schema: {
      operationId: 'postVoucher',
      summary: 'Post a voucher',
      description:
        'Needs the header Idempotency-Key (8–255 characters). The same key and the same body get the same answer for 72 hours, with Idempotent-Replayed: true. With ?dryRun=true everything is checked and nothing is written.',
      tags: ['Vouchers'],
      security: [{ apiKey: [] }],
      headers: idempotencyHeaders,
      querystring: writeQuery,
      body: voucherInput,
      response: {
        200: z.union([postedVoucher, checkedVoucher]),
        ...errorResponses(
          ...keyErrors,
          ...writeErrors,
          ...idempotencyErrors,
          'period_locked',
          unpostedVoucher,
        ),
      },
    },
    handler: async (request, reply) => {
      const item = itemOf(request.body, writeCallOf(request));
      const { hasHungUp } = callerOf(request);
      if (request.query.dryRun) {
        placeOf(await check(item, hasHungUp), item);
        return checkedAnswer(item);
      }
      const outcome = await post(item, hasHungUp);
      if (outcome.outcome === 'replayed') reply.header('idempotent-replayed', 'true');
      return postedAnswer(item, placeOf(outcome, item), config.baseUrl);
    },
  });
}

/** A voucher in the contract's shape (2.1). */
const voucherAnswer = (voucher: ListedVoucher, names: Names) => ({
  id: voucher.id,
  number: voucher.number,
  series: voucher.series,
  verification_date: voucher.date,
  description: voucher.description,
  counterparty: voucher.counterparty,
  source: voucher.source,
  external_id: voucher.external_id,
  rows: voucher.rows.map((row) => ({
    row_no: row.row_no,
    account: row.account,
    ...names.ofAccount(row),
    debit: oreToNumber(row.debit_ore),
    credit: oreToNumber(row.credit_ore),
    note: row.note,
    vat_code: row.vat_code,
    // There when they were asked for.
    ...(row.cost_center !== undefined && { cost_center: row.cost_center }),
    ...(row.project !== undefined && { project: row.project }),
    ...names.ofDimensions(row),
  })),
});
