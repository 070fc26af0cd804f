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
import {
  errorResponses,
  idempotencyErrors,
  keyErrors,
  writeErrors,
} from '../../http/error-schemas.ts';
import type { App, AppDeps } from '../../http/fastify.ts';
import { holderOfCall } from '../../http/shedding.ts';
import { requireIdempotencyKey, writeCallOf, writeQuery } from '../../http/write-calls.ts';
import { decodeCursor, encodeCursor } from '../../ledger/vouchers/cursor.ts';
import { ledgerRefusal } from '../../ledger/vouchers/refusals.ts';
import {
  type ListedVoucher,
  listVouchers,
  type PostedPlace,
  type PostItem,
  type PostOutcome,
  postVouchers,
} from '../../ledger/vouchers/store.ts';
import { refuse } from '../../lib/errors.ts';
import { uuid } from '../../lib/uuid.ts';
import { requireOrder } from '../paging.ts';
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
      const page = await withKey(those, callerOf(request), (tx) => listVouchers(tx, query, place));
      const last = page.at(-1);
      const hasMore = last?.has_more === true;
      return {
        data: page.map(voucherAnswer),
        next_cursor: hasMore ? encodeCursor(query, last) : null,
        has_more: hasMore,
      };
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
      run: (items) => postVouchers(db(pool), items, dryRun),
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
      const item = readItem(request.body, writeCallOf(request));
      const { hasHungUp } = callerOf(request);
      if (request.query.dryRun) {
        placeOf(await check(item, hasHungUp), item);
        return {
          dry_run: true as const,
          series: item.series,
          verification_date: item.date,
          total_amount: oreToNumber(sum(item.rows.map((row) => row.debitOre))),
        };
      }
      const outcome = await post(item, hasHungUp);
      if (outcome.outcome === 'replayed') reply.header('idempotent-replayed', 'true');
      return postedAnswer(item, placeOf(outcome, item), config.baseUrl);
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

/** Where the voucher was posted, or the refusal thrown. */
function placeOf(outcome: PostOutcome, { request }: PostItem): PostedPlace {
  switch (outcome.outcome) {
    case 'posted':
    case 'replayed':
      return outcome;
    case 'unprocessable':
    case 'period_locked':
      throw ledgerRefusal(outcome.outcome, outcome.detail ?? {});
    default:
      throw callRefusal({ ...outcome, outcome: outcome.outcome }, request);
  }
}

/**
 * The same to whoever repeats the call: series and date are those of the same body, and nothing about a posted
 * voucher changes. Only its link follows the installation, should that have moved to another address meanwhile.
 */
function postedAnswer({ series, date }: PostItem, { id, number }: PostedPlace, baseUrl: string) {
  return {
    id,
    series,
    number,
    label: `${series}${number}`,
    verification_date: date,
    url: `${baseUrl}/verifikat/${id}`,
  };
}

/** A voucher in the contract's shape (2.1). */
const voucherAnswer = (voucher: ListedVoucher) => ({
  id: voucher.id,
  number: voucher.number,
  series: voucher.series,
  verification_date: voucher.date,
  description: voucher.description,
  counterparty: voucher.counterparty,
  source: voucher.source,
  rows: voucher.rows.map((row) => ({
    row_no: row.row_no,
    account: row.account,
    debit: oreToNumber(row.debit_ore),
    credit: oreToNumber(row.credit_ore),
    note: row.note,
    vat_code: row.vat_code,
  })),
});
