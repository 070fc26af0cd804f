/** POST /api/v1/verifikat/bunt: up to a thousand vouchers in one call, each by itself or all or none. */
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { createBatcher } from '../../db/batching/batcher.ts';
import { type Pool, type Tx, withTx } from '../../db/pool.ts';
import { canonicalJson } from '../../domain/basics/json.ts';
import type { JsonItem } from '../../domain/basics/json-list.ts';
import { type Access, callerOf } from '../../http/access.ts';
import {
  answerTogether,
  type BulkResult,
  bulkBodyLimit,
  bulkItemsMax,
  isRefused,
  readItem,
  refusedItem,
  refuseWholeCall,
  takeBulk,
} from '../../http/bulk.ts';
import { errorResponses, keyErrors, writeErrors } from '../../http/error-schemas.ts';
import type { App, AppDeps } from '../../http/fastify.ts';
import { defaultBodyLimit } from '../../http/load.ts';
import { checkAllBut, problemsOf } from '../../http/problems.ts';
import { holderOfCall } from '../../http/shedding.ts';
import { type PostItem, type PostOutcome, postVouchers } from '../../ledger/vouchers/store.ts';
import { AppError, refuse, refuseWhole } from '../../lib/errors.ts';
import { sha256Of } from '../../lib/sha256.ts';
import { checkedAnswer, itemOf, type Posters, placeOf, postedAnswer } from './posting.ts';
import {
  bulkExample,
  bulkQuery,
  bulkRefused,
  bulkVoucherInput,
  type CheckedBulkVoucher,
  checkedBulkVoucherInput,
  type PostedBulkVoucher,
  voucherBulkAnswer,
} from './schemas.ts';

/** A voucher of a bulk is as large as one by itself may be. */
const itemBytesMax = defaultBodyLimit;
/** All or none goes in one transaction, this much at a time: bytes of JSON become some thirty times as many. */
const chunkBytes = 512 * 1024;
const chunkItems = 250;
const refusedToldMax = 100;

export function registerVoucherBulk(
  app: App,
  { pool, config }: AppDeps,
  access: Access,
  { postInOrder, checkBundle }: Posters,
): void {
  const { baseUrl } = config;
  const postTogether = createTogetherPoster(pool, baseUrl);
  app.route({
    method: 'POST',
    url: '/api/v1/verifikat/bunt',
    bodyLimit: bulkBodyLimit,
    config: { scopes: ['ledger:write', 'data:read'] },
    onRequest: access.hook(['ledger:write', 'data:read']),
    schema: {
      operationId: 'postVouchers',
      summary: 'Post up to 1 000 vouchers in one call',
      description:
        'A JSON array, or one object a line (application/x-ndjson), each a voucher with its idempotencyKey. Every voucher is judged by itself and answered in its place, as POST /api/v1/verifikat would have answered it; the answer as a whole is 200. With ?atomic=true all are posted or none. Counts as one call, and one more for each 100 vouchers. An idempotencyKey is the same whichever of the two routes it is sent to, so whatever is sent again gives the voucher that it became.',
      tags: ['Vouchers'],
      security: [{ apiKey: [] }],
      querystring: bulkQuery,
      consumes: ['application/json', 'application/x-ndjson'],
      body: z.array(bulkVoucherInput).min(1).max(bulkItemsMax).meta({ example: bulkExample }),
      response: {
        200: voucherBulkAnswer,
        ...errorResponses(...keyErrors, ...writeErrors, 'idempotency_in_progress', bulkRefused),
      },
    },
    // What a voucher must be is asked of each by itself.
    validatorCompiler: checkAllBut('headers', 'body'),
    handler: async (request, reply) => {
      const { dryRun = false, atomic = false } = request.query;
      const items = await takeBulk(request, reply, access);
      const { hash: keyHash, hasHungUp } = callerOf(request);
      const read = (item: JsonItem, index: number) => voucherOf(item, index, request);
      // One that repeats another's key waits for it, as if they had been sent one after the other.
      const nameOf = ({ idempotencyKey }: PostItem) => idempotencyKey;
      const posting = {
        read,
        nameOf,
        ask: (vouchers: readonly PostItem[]) => postInOrder(vouchers, hasHungUp),
        answer: (voucher: PostItem, outcome: PostOutcome) =>
          postedResult(outcome, voucher, baseUrl),
      };
      const checking = {
        // Of what is only judged nothing is kept, so nothing repeats anything.
        read: (item: JsonItem, index: number) => ({ ...read(item, index), idempotencyKey: null }),
        nameOf,
        ask: (vouchers: readonly PostItem[]) => checkBundle(vouchers, hasHungUp),
        answer: (voucher: PostItem, outcome: PostOutcome) => {
          placeOf(outcome, voucher);
          return { status: 200 as const, ...checkedAnswer(voucher) };
        },
      };
      const results =
        atomic && !dryRun
          ? await postTogether({ keyHash, request, items }, hasHungUp)
          : await answerTogether<PostItem, PostOutcome, PostedBulkVoucher | CheckedBulkVoucher>(
              request,
              items,
              dryRun ? checking : posting,
            );
      if (atomic) requireAll(results);
      return { results };
    },
  });
}

/** One of them, read and judged by itself. Throws 400, and 413 of what is longer than a voucher may be. */
function voucherOf(item: JsonItem, index: number, request: FastifyRequest): PostItem {
  if (item.bytes.length > itemBytesMax) {
    throw new AppError('payload_too_large', 'Verifikatet är större än 512 kB; dela upp det.');
  }
  const given = readItem(item, index);
  const isDryRun = (request.query as z.output<typeof bulkQuery>).dryRun === true;
  const read = (isDryRun ? checkedBulkVoucherInput : bulkVoucherInput).safeParse(given);
  if (!read.success) throw refuse('invalid_request', problemsOf(read.error.issues, 'body'));
  const { idempotencyKey, ...voucher } = read.data;
  // What a retry must repeat is the voucher, whichever route it is sent to.
  const { idempotencyKey: _, ...sent } = given as Record<string, unknown>;
  const canonical = canonicalJson(sent);
  return itemOf(voucher, {
    keyHash: callerOf(request).hash,
    idempotencyKey: idempotencyKey ?? null,
    requestHash: sha256Of(canonical),
    request: canonical,
    requestId: request.id,
  });
}

/** Throws what stopped it. */
function postedResult(
  outcome: PostOutcome,
  voucher: PostItem,
  baseUrl: string,
): BulkResult<PostedBulkVoucher> {
  return {
    status: 200,
    ...postedAnswer(voucher, placeOf(outcome, voucher), baseUrl),
    ...(outcome.outcome === 'replayed' && { replayed: true as const }),
  };
}

interface TogetherCall {
  readonly keyHash: Buffer;
  readonly request: FastifyRequest;
  readonly items: readonly JsonItem[];
}

/**
 * Posts all of a call's vouchers in one transaction, or judges them all and leaves nothing. One call at a time: each
 * holds its series until it is done, and a lock for each voucher, of which the server has some thousands.
 */
const createTogetherPoster = (pool: Pool, baseUrl: string) =>
  createBatcher<TogetherCall, BulkResult<PostedBulkVoucher>[]>({
    name: 'vouchers all or none',
    maxItems: 1,
    maxInFlight: 1,
    holderOf: holderOfCall,
    run: (calls) => Promise.all(calls.map((call) => postAllOrNone(pool, call, baseUrl))),
  });

class NothingKept extends Error {}

async function postAllOrNone(
  pool: Pool,
  { request, items }: TogetherCall,
  baseUrl: string,
): Promise<BulkResult<PostedBulkVoucher>[]> {
  let results: BulkResult<PostedBulkVoucher>[] = [];
  const failures: unknown[] = [];
  const write = async (tx: Tx): Promise<void> => {
    results = [];
    failures.length = 0;
    const fail = (index: number, error: unknown): void => {
      failures.push(error);
      results[index] = refusedItem(error, request, index, items[index]?.line ?? null);
    };
    for (const chunk of chunksOf(items, request, fail)) {
      const vouchers = chunk.map(({ voucher }) => voucher);
      const outcomes = await postVouchers(tx, vouchers, failures.length > 0);
      for (const [place, { voucher, index }] of chunk.entries()) {
        try {
          results[index] = postedResult(outcomes[place] as PostOutcome, voucher, baseUrl);
        } catch (error) {
          fail(index, error);
        }
      }
    }
    if (failures.length > 0) throw new NothingKept();
  };
  try {
    await withTx(pool, write);
  } catch (error) {
    if (!(error instanceof NothingKept)) throw error;
  }
  refuseWholeCall(results, failures);
  return results;
}

interface Chunk {
  readonly voucher: PostItem;
  readonly index: number;
}

/** So many at a time that reading them fits in memory, and never two with one key: the later is then a repetition. */
function* chunksOf(
  items: readonly JsonItem[],
  request: FastifyRequest,
  fail: (index: number, error: unknown) => void,
): Generator<Chunk[]> {
  let chunk: Chunk[] = [];
  let bytes = 0;
  const keys = new Set<string | null>();
  for (const [index, item] of items.entries()) {
    let voucher: PostItem;
    try {
      voucher = voucherOf(item, index, request);
    } catch (error) {
      fail(index, error);
      continue;
    }
    const isFull = chunk.length === chunkItems || bytes + item.bytes.length > chunkBytes;
    if (chunk.length > 0 && (isFull || keys.has(voucher.idempotencyKey))) {
      yield chunk;
      chunk = [];
      bytes = 0;
      keys.clear();
    }
    chunk.push({ voucher, index });
    bytes += item.bytes.length;
    keys.add(voucher.idempotencyKey);
  }
  if (chunk.length > 0) yield chunk;
}

/** Throws what stood in the way, when something did: nothing is then written. */
function requireAll(results: readonly BulkResult<object>[]): void {
  const refused = results.filter(isRefused);
  const [first] = refused;
  if (!first) return;
  if (refused.every(({ error }) => error === 'idempotency_in_progress')) {
    const options = { headers: { 'retry-after': '1' } };
    throw refuseWhole('idempotency_in_progress', 'same_call_underway', {}, options);
  }
  throw new AppError(
    'bulk_refused',
    `${refused.length} av ${results.length} verifikat har hinder, och inget är bokfört. Det första, nummer ${first.index + 1}: ${first.message}`,
    { detail: { refused_count: refused.length, refused: refused.slice(0, refusedToldMax) } },
  );
}
