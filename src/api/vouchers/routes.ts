/** GET and POST /api/v1/verifikat (contract 4.3, 4.4). */
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { callRefusal, type WriteCall } from '../../access/keys/write-calls.ts';
import { createBatcher } from '../../db/batching/batcher.ts';
import { db } from '../../db/pool.ts';
import { oreToNumber, sum } from '../../domain/basics/money.ts';
import { checkVoucher } from '../../domain/ledger/voucher.ts';
import { type Access, callerOf, withKey } from '../../http/access.ts';
import { idempotencyHeaders, parseJsonBody } from '../../http/body.ts';
import { errorResponses, keyErrors, writeErrors } from '../../http/error-schemas.ts';
import type { App, AppDeps } from '../../http/fastify.ts';
import { holderOfCall } from '../../http/shedding.ts';
import { requireIdempotencyKey, writeCallOf, writeQuery } from '../../http/write-calls.ts';
import { decodeCursor, encodeCursor } from '../../ledger/vouchers/cursor.ts';
import { ledgerRefusal } from '../../ledger/vouchers/refusals.ts';
import {
  listVouchers,
  type PostItem,
  type PostOutcome,
  postVouchers,
} from '../../ledger/vouchers/store.ts';
import { refuse } from '../../lib/errors.ts';
import { uuid } from '../../lib/uuid.ts';
import {
  checkedVoucher,
  postedVoucher,
  unpostedVoucher,
  type VoucherInput,
  voucherInput,
  voucherPage,
  voucherQuery,
} from './schemas.ts';

const url = '/api/v1/verifikat';
const jsonType = 'application/json; charset=utf-8';

export function registerVouchers(app: App, deps: AppDeps, access: Access): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();
  registerReading(routes, deps, access);
  registerPosting(routes, deps, access);
}

function registerReading(app: App, { readers, quickReaders }: AppDeps, access: Access): void {
  app.route({
    method: 'GET',
    url,
    config: { scopes: ['data:read'] },
    onRequest: access.hook(['data:read']),
    schema: {
      operationId: 'listVouchers',
      summary: 'Läs verifikat med rader, i datumordning',
      tags: ['Verifikat'],
      security: [{ apiKey: [] }],
      querystring: voucherQuery,
      response: { 200: voucherPage, ...errorResponses(...keyErrors, 'invalid_request') },
    },
    handler: async (request, reply) => {
      const { query } = request;
      if (query.from !== undefined && query.to !== undefined && query.from > query.to) {
        const message = `from (${query.from}) ligger efter to (${query.to}); byt plats på dem.`;
        throw refuse('invalid_request', [{ path: 'from', reason: 'after_to', message }]);
      }
      const place = decodeCursor(query);
      const those = query.id === undefined ? readers : quickReaders;
      const page = await withKey(those, callerOf(request), (tx) => listVouchers(tx, query, place));
      const last = page.at(-1);
      const hasMore = last?.has_more === true;
      const next = hasMore ? JSON.stringify(encodeCursor(query, last)) : 'null';
      const data = page.map((voucher) => voucher.json).join(',');
      reply.type(jsonType);
      return reply.send(`{"data":[${data}],"next_cursor":${next},"has_more":${hasMore}}` as never);
    },
  });
}

function registerPosting(app: App, { pool, config }: AppDeps, access: Access): void {
  const batch = (dryRun: boolean) =>
    createBatcher<PostItem, PostOutcome>({
      name: dryRun ? 'vouchers tried' : 'vouchers',
      maxItems: 200,
      maxInFlight: dryRun ? 1 : 2,
      maxWeight: 20_000,
      weigh: (item) => item.rows.length,
      holderOf: holderOfCall,
      run: (items) => postVouchers(db(pool), items, { baseUrl: config.baseUrl, dryRun }),
    });
  const post = batch(false);
  const check = batch(true);
  app.route({
    method: 'POST',
    url,
    config: { scopes: ['ledger:write', 'data:read'] },
    onRequest: access.hook(['ledger:write', 'data:read']),
    preValidation: [requireIdempotencyKey, parseJsonBody],
    schema: {
      operationId: 'postVoucher',
      summary: 'Bokför ett verifikat',
      description:
        'Kräver rubriken Idempotency-Key (8–255 tecken). Samma nyckel och samma kropp ger samma svar i 72 timmar, med Idempotent-Replayed: true. Med ?dryRun=true prövas allt och inget skrivs.',
      tags: ['Verifikat'],
      security: [{ apiKey: [] }],
      headers: idempotencyHeaders,
      querystring: writeQuery,
      body: voucherInput,
      response: {
        200: z.union([postedVoucher, checkedVoucher]),
        ...errorResponses(
          ...keyErrors,
          ...writeErrors,
          'idempotency_required',
          'idempotency_conflict',
          'idempotency_in_progress',
          'period_locked',
          unpostedVoucher,
        ),
      },
    },
    handler: async (request, reply) => {
      const item = readItem(request.body, writeCallOf(request));
      const { hasHungUp } = callerOf(request);
      if (request.query.dryRun) {
        refuseUnposted(await check(item, hasHungUp), item);
        return {
          dry_run: true as const,
          series: item.series,
          verification_date: item.date,
          total_amount: oreToNumber(sum(item.rows.map((row) => row.debitOre))),
        };
      }
      const outcome = await post(item, hasHungUp);
      if (outcome.outcome === 'replayed') reply.header('idempotent-replayed', 'true');
      reply.type(jsonType);
      return reply.send(refuseUnposted(outcome, item) as never);
    },
  });
}

function readItem(body: VoucherInput, call: WriteCall): PostItem {
  const rows = body.rows.map((row) => ({
    account: row.account,
    debitOre: row.debit,
    creditOre: row.credit,
    note: row.note ?? null,
    costCenter: row.cost_center ?? null,
    project: row.project ?? null,
    vatCode: row.vat_code ?? undefined,
  }));
  const problems = checkVoucher(rows);
  if (problems.length > 0) throw refuse('invalid_request', problems);
  return {
    ...call,
    id: uuid(),
    series: body.seriesCode,
    date: body.date,
    description: body.description,
    counterparty: body.counterparty ?? null,
    source: body.source ?? 'api',
    rows,
  };
}

/** The answer to send as it is, or the refusal thrown; null for a dry run that found nothing. */
function refuseUnposted(outcome: PostOutcome, { request }: PostItem): string | null {
  switch (outcome.outcome) {
    case 'posted':
    case 'replayed':
      return outcome.response;
    case 'unprocessable':
    case 'period_locked':
      throw ledgerRefusal(outcome.outcome, outcome.detail ?? {});
    default:
      throw callRefusal({ ...outcome, outcome: outcome.outcome }, request);
  }
}
