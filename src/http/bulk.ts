/**
 * Calls that bring many things at once: a JSON array, or one JSON value a line (NDJSON). Each is judged by itself and
 * answered in its place, as a call of its own would have been.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { findJsonProblems, parseJson } from '../domain/basics/json.ts';
import {
  isArray,
  type JsonItem,
  type JsonItems,
  splitArray,
  splitLines,
} from '../domain/basics/json-list.ts';
import { AppError, refuse } from '../lib/errors.ts';
import { said } from '../lib/sentences/say.ts';
import type { Access } from './access.ts';
import { bytesOf } from './body.ts';
import { problems } from './error-schemas.ts';
import { refusalOf } from './errors.ts';

export const bulkBodyLimit = 4 * 1024 * 1024;
export const bulkItemsMax = 1_000;
/** A bulk is one call, and one more for each so many things in it. */
const itemsPerCall = 100;
/** So many things are read before whatever else has come is looked at, what the database has answered among it. */
const itemsPerTurn = 25;
/** So many go on together: half of what goes to the database at once, so that it begins early. */
const itemsPerBundle = 100;
/** Of a bulk, so much is in work at once: read, it is some thirty times as large, and what waits long is shed. */
const bytesInWork = 128 * 1024;

const linesType = /^application\/(?:x-)?(?:ndjson|jsonl|json-lines)\b/i;
const arrayType = /^application\/json\b/i;

/**
 * What the body holds, each as its bytes; counted against the key's quota. Throws 400 of what is neither a whole
 * array nor lines, 413 of too many, and 429 when the hour has not so many calls left; nothing is then done.
 */
export async function takeBulk(
  request: FastifyRequest,
  reply: FastifyReply,
  access: Access,
): Promise<readonly JsonItem[]> {
  const { items, count } = itemsOf(request);
  if (count > bulkItemsMax) {
    throw new AppError(
      'payload_too_large',
      `Bunten har ${count} poster; högst ${bulkItemsMax} tas emot åt gången. Dela upp den.`,
      { detail: { items: count, items_max: bulkItemsMax } },
    );
  }
  await access.countFurther(request, reply, Math.floor(items.length / itemsPerCall));
  return items;
}

function itemsOf(request: FastifyRequest): JsonItems {
  const bytes = bytesOf(request);
  const type = request.headers['content-type'] ?? '';
  // Whoever says neither gets what the first byte tells: a line that holds an array is nobody's voucher.
  const isList = arrayType.test(type) || (!linesType.test(type) && isArray(bytes));
  if (isList && bytes.length > 0 && !isArray(bytes)) {
    const message =
      'Kroppen ska vara en JSON-lista: [{…}, {…}]. Ett objekt per rad skickas som application/x-ndjson.';
    throw refuse('invalid_request', [{ path: 'body', reason: 'wrong_type', message }]);
  }
  const found = (isList ? splitArray : splitLines)(bytes, bulkItemsMax);
  if ('reason' in found) throw refuse('invalid_request', [found]);
  if (found.count > 0) return found;
  const message = 'Bunten är tom; skicka minst en post.';
  throw refuse('invalid_request', [{ path: 'body', reason: 'too_few', message }]);
}

/** What is no JSON is told by where it stands: it has no fields to name. */
export const placeInBulk = ({ line }: JsonItem, index: number): string =>
  line === null ? `Post ${index + 1} i listan` : `Rad ${line}`;

/** One of them as strictly checked JSON. Throws 400, which names its line or its place. */
export function readItem(item: JsonItem, index: number): unknown {
  const { text, value } = parseJson(item.bytes, placeInBulk(item, index));
  const faults = findJsonProblems(text, value);
  if (faults.length > 0) throw refuse('invalid_request', faults);
  return value;
}

/** In the description of the API: one that was refused. */
export const refusedItemSchema = z
  .object({
    status: z
      .int()
      .describe('The HTTP status that a call of its own would have been answered with'),
    index: z.int().describe('Its place in the request, counted from 0'),
    line: z
      .int()
      .optional()
      .describe('Its line, counted from 1, when one object stands on each line'),
    error: z.string().describe('Machine code, as in any refusal'),
    message: z.string().describe('Swedish sentence for a person'),
    detail: z.looseObject({ problems: problems.optional() }).optional(),
    retry_after: z.int().optional().describe('Seconds to wait before it is sent again'),
    request_id: z.uuid().describe('That of the call, for support'),
  })
  .meta({
    id: 'RefusedItem',
    description: 'One of many that was refused; nothing of it was written',
  });

export type RefusedItem = z.output<typeof refusedItemSchema>;

/** What became of one: the answer of a call of its own, its status among the fields. */
export type BulkResult<Done extends object> = Done | RefusedItem;

export const isRefused = <Done extends object>(result: BulkResult<Done>): result is RefusedItem =>
  'error' in result;

/** The answer of one that failed. */
export function refusedItem(
  error: unknown,
  request: FastifyRequest,
  index: number,
  line: number | null,
): RefusedItem {
  const refusal = refusalOf(error, request);
  const { code, message, detail } = said('api', refusal);
  const retryAfter = refusal.headers?.['retry-after'];
  return {
    status: refusal.status,
    index,
    ...(line === null ? {} : { line }),
    error: code,
    message,
    ...(detail && { detail }),
    ...(retryAfter === undefined ? {} : { retry_after: Number(retryAfter) }),
    request_id: request.id,
  };
}

/**
 * Begins with each in their order, so many bytes of them at once, and answers in their order. Throws as
 * `refuseWholeCall`.
 */
export async function answerEach<Done extends object>(
  request: FastifyRequest,
  items: readonly JsonItem[],
  answer: (item: JsonItem, index: number) => Promise<BulkResult<Done>>,
  bytesMax = bytesInWork,
): Promise<BulkResult<Done>[]> {
  const failures: unknown[] = [];
  const results: Promise<BulkResult<Done>>[] = [];
  let held = 0;
  let goOn: (() => void) | undefined;
  for (const [index, item] of items.entries()) {
    const size = item.bytes.length;
    while (held > 0 && held + size > bytesMax) {
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
    }
    if (index > 0 && index % itemsPerTurn === 0) await nextTurn();
    held += size;
    results.push(
      answer(item, index)
        .catch((error: unknown) => {
          failures.push(error);
          return refusedItem(error, request, index, item.line);
        })
        .finally(() => {
          held -= size;
          goOn?.();
        }),
    );
  }
  const answers = await Promise.all(results);
  refuseWholeCall(answers, failures);
  return answers;
}

/** How those are answered that go on many at a time. */
export interface Together<Read, Said, Done extends object> {
  /** One of them, read and judged by itself. Throws its refusal. */
  readonly read: (item: JsonItem, index: number) => Read;
  /** Of two with the same name the later waits for what becomes of the earlier. */
  readonly nameOf: (read: Read) => string | null;
  /** What is said of each, in order; of one by itself also an error. */
  readonly ask: (bundle: readonly Read[]) => Promise<readonly (Said | Error)[]>;
  /** Its answer. Throws its refusal. */
  readonly answer: (read: Read, said: Said) => BulkResult<Done>;
}

interface InWork<Read> {
  readonly read: Read;
  readonly name: string | null;
  readonly index: number;
  readonly bytes: number;
}

/**
 * The same, with bundles of them going on together: one by one they would cost a tenth more, and all of a batch would
 * be told of it before the next is sent.
 */
export async function answerTogether<Read, Said, Done extends object>(
  request: FastifyRequest,
  items: readonly JsonItem[],
  { read, nameOf, ask, answer }: Together<Read, Said, Done>,
): Promise<BulkResult<Done>[]> {
  const results: BulkResult<Done>[] = [];
  const failures: unknown[] = [];
  const names = new Set<string | null>();
  const underWay = new Set<Promise<void>>();
  let bundle: InWork<Read>[] = [];
  let held = 0;

  const refuse = (index: number, error: unknown): void => {
    failures.push(error);
    results[index] = refusedItem(error, request, index, items[index]?.line ?? null);
  };
  const attempt = (index: number, work: () => void): void => {
    try {
      work();
    } catch (error) {
      refuse(index, error);
    }
  };

  async function answerAll(asked: readonly InWork<Read>[]): Promise<void> {
    try {
      const said = await ask(asked.map((one) => one.read));
      for (const [place, one] of asked.entries()) {
        attempt(one.index, () => {
          const about = said[place];
          if (about instanceof Error) throw about;
          results[one.index] = answer(one.read, about as Said);
        });
      }
    } catch (error) {
      for (const { index } of asked) refuse(index, error);
    }
    for (const { name, bytes } of asked) {
      names.delete(name);
      held -= bytes;
    }
  }

  function goOn(): void {
    if (bundle.length === 0) return;
    const answering = answerAll(bundle).then(() => void underWay.delete(answering));
    underWay.add(answering);
    bundle = [];
  }

  for (const [index, item] of items.entries()) {
    const bytes = item.bytes.length;
    if (index % itemsPerTurn === 0) await nextTurn();
    while (held > 0 && held + bytes > bytesInWork) {
      if (underWay.size === 0) goOn();
      await Promise.race(underWay);
    }
    let name: string | null = null;
    attempt(index, () => {
      const one = read(item, index);
      name = nameOf(one);
      bundle.push({ read: one, name, index, bytes });
      held += bytes;
    });
    if (name !== null && names.has(name)) {
      const repeated = bundle.pop() as InWork<Read>;
      goOn();
      await Promise.all(underWay);
      bundle.push(repeated);
    }
    if (name !== null) names.add(name);
    if (bundle.length === itemsPerBundle) goOn();
  }
  goOn();
  await Promise.all(underWay);
  refuseWholeCall(results, failures);
  return results;
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Throws the failure when all of them met the same, about which none of them can do anything: their key, or ours.
 */
export function refuseWholeCall<Done extends object>(
  results: readonly BulkResult<Done>[],
  failures: readonly unknown[],
): void {
  const refused = results.filter(isRefused);
  const [first] = refused;
  if (!first || refused.length < results.length) return;
  const isOfTheCall = [401, 403].includes(first.status) || first.status >= 500;
  if (isOfTheCall && refused.every(({ error }) => error === first.error)) throw failures[0];
}
