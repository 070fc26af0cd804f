/** GET and POST /api/v1/verifikat (contract 4.3, 4.4). */
import { createHash } from 'node:crypto';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { db } from '../db/pool.ts';
import { checkVoucher } from '../domain/voucher.ts';
import { AppError, refuse } from '../errors.ts';
import { type Access, callerOf, withKey } from '../http/access.ts';
import { createBatcher } from '../http/batcher.ts';
import {
  idempotencyHeaders,
  idempotencyKeyOf,
  parseJsonBody,
  requireIdempotencyKey,
} from '../http/body.ts';
import type { App, AppDeps } from '../http/fastify.ts';
import { errorResponses, keyErrors, noQuery, writeErrors } from '../http/schemas.ts';
import { keyRefusal } from '../keys/refusal.ts';
import { uuid } from '../uuid.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { ledgerRefusal } from './refusals.ts';
import { postedVoucher, voucherInput, voucherPage, voucherQuery } from './schemas.ts';
import { listVouchers, type PostItem, type PostOutcome, postVouchers } from './store.ts';

const url = '/api/v1/verifikat';
const JSON_TYPE = 'application/json; charset=utf-8';

export function registerVouchers(app: App, deps: AppDeps, access: Access): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();
  registerReading(routes, deps, access);
  registerPosting(routes, deps, access);
}

function registerReading(app: App, { pool }: AppDeps, access: Access): void {
  app.route({
    method: 'GET',
    url,
    config: { scopes: ['data:read'] },
    onRequest: access.hook(['data:read']),
    schema: {
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
      const found = await withKey(pool, callerOf(request), (tx) => listVouchers(tx, query, place));
      const page = found.slice(0, query.limit);
      const last = page.at(-1);
      const hasMore = found.length > query.limit;
      const next = hasMore && last ? JSON.stringify(encodeCursor(query, last)) : 'null';
      const data = page.map((voucher) => voucher.json).join(',');
      reply.type(JSON_TYPE);
      return reply.send(`{"data":[${data}],"next_cursor":${next},"has_more":${hasMore}}` as never);
    },
  });
}

function registerPosting(app: App, { pool, config }: AppDeps, access: Access): void {
  const post = createBatcher<PostItem, PostOutcome>({
    maxItems: 200,
    maxInFlight: 2,
    maxWeight: 20_000,
    weigh: (item) => item.rows.length,
    run: (items) => postVouchers(db(pool), items, config.baseUrl),
  });
  app.route({
    method: 'POST',
    url,
    config: { scopes: ['ledger:write', 'data:read'] },
    onRequest: access.hook(['ledger:write', 'data:read']),
    preValidation: [requireIdempotencyKey, parseJsonBody],
    schema: {
      summary: 'Bokför ett verifikat',
      description:
        'Kräver rubriken Idempotency-Key (8–255 tecken). Samma nyckel och samma kropp ger samma svar i 72 timmar, med Idempotent-Replayed: true.',
      tags: ['Verifikat'],
      security: [{ apiKey: [] }],
      headers: idempotencyHeaders,
      querystring: noQuery,
      body: voucherInput,
      response: {
        200: postedVoucher,
        ...errorResponses(
          ...keyErrors,
          ...writeErrors,
          'idempotency_required',
          'idempotency_conflict',
          'idempotency_in_progress',
          'period_locked',
          'unprocessable',
        ),
      },
    },
    handler: async (request, reply) => {
      const { body, canonicalBody } = request;
      const rows = body.rows.map((row) => ({
        account: row.account,
        debitOre: row.debit,
        creditOre: row.credit,
        note: row.note ?? null,
        costCenter: row.cost_center ?? null,
        project: row.project ?? null,
      }));
      const problems = checkVoucher(rows);
      if (problems.length > 0) throw refuse('invalid_request', problems);
      const outcome = await post({
        keyHash: callerOf(request).hash,
        idempotencyKey: idempotencyKeyOf(request),
        requestHash: createHash('sha256').update(canonicalBody).digest(),
        request: canonicalBody,
        requestId: request.id,
        id: uuid(),
        series: body.seriesCode,
        date: body.date,
        description: body.description,
        counterparty: body.counterparty ?? null,
        source: body.source,
        rows,
      });
      if (outcome.outcome === 'replayed') reply.header('idempotent-replayed', 'true');
      reply.type(JSON_TYPE);
      return reply.send(answerOf(outcome, canonicalBody) as never);
    },
  });
}

/** The stored answer, or the refusal to throw. */
function answerOf(outcome: PostOutcome, sent: string): string {
  switch (outcome.outcome) {
    case 'posted':
    case 'replayed':
      if (outcome.response === null) throw new Error('a posted voucher has no answer');
      return outcome.response;
    case 'unprocessable':
    case 'period_locked':
      throw ledgerRefusal(outcome.outcome, outcome.detail ?? {});
    case 'idempotency_conflict':
      throw new AppError(
        'idempotency_conflict',
        'Samma Idempotency-Key har redan använts med en annan kropp; sätt en ny nyckel för ett nytt anrop.',
        {
          detail: {
            first_request_id: outcome.first_request_id,
            first_seen_at: outcome.first_seen_at?.toISOString(),
            differing_fields: differingFields(outcome.first_request ?? '{}', sent),
          },
        },
      );
    case 'idempotency_in_progress':
      throw new AppError(
        'idempotency_in_progress',
        'Ett anrop med samma Idempotency-Key behandlas just nu; skicka samma anrop igen strax.',
        { headers: { 'retry-after': '1' } },
      );
    case 'unauthorized':
    case 'key_revoked':
    case 'insufficient_scope':
      throw keyRefusal(outcome.outcome);
    default:
      return outcome.outcome satisfies never;
  }
}

/** The top-level fields in which two bodies differ. */
function differingFields(first: string, second: string): string[] {
  const [a, b] = [first, second].map((text) => JSON.parse(text) as Record<string, unknown>);
  const fields = new Set([...Object.keys(a ?? {}), ...Object.keys(b ?? {})]);
  return [...fields]
    .filter((field) => JSON.stringify(a?.[field]) !== JSON.stringify(b?.[field]))
    .sort();
}
