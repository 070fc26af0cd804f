/** GET /api/v1/export/verifikatrader: all vouchers of one moment with their rows, as lines that are written while they are read. */
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Tx } from '../../db/pool.ts';
import { encodePlace } from '../../domain/basics/event-cursor.ts';
import { oreToNumber } from '../../domain/basics/money.ts';
import { latestPlace } from '../../events/store.ts';
import { type Access, callerOf, withKey } from '../../http/access.ts';
import { errorResponses, keyErrors } from '../../http/error-schemas.ts';
import { errorBody, refusalOf } from '../../http/errors.ts';
import type { App, AppDeps } from '../../http/fastify.ts';
import { onceOver } from '../../http/hanging-up.ts';
import { holderOf } from '../../http/shedding.ts';
import type { VoucherPlace } from '../../ledger/vouchers/cursor.ts';
import {
  countExport,
  csvColumns,
  type ExportAsked,
  findPlace,
  findSeriesMarks,
  listSeriesMarks,
  readExportPage,
} from '../../ledger/vouchers/export-store.ts';
import { AppError, refuse } from '../../lib/errors.ts';
import { requireOrder } from '../paging.ts';
import { exportContent, exportQuery } from './export-schemas.ts';
import { decodeSnapshot, encodeSnapshot, type LedgerMoment, sealOf } from './snapshot.ts';

/** An export is one call, and one more for each so many rows. */
const rowsPerCall = 50_000;
/** As many as a call can count as. */
const callsMax = 1_000;
/** What an export is counted to hold: a page that is taken and one that is read, of longer rows than most have. */
const bytesHeld = 8 * 1024 * 1024;

type Query = z.output<typeof exportQuery>;

interface Begun {
  readonly token: string;
  readonly snapshot: LedgerMoment;
  readonly asked: ExportAsked;
  readonly after: VoucherPlace | undefined;
  /** What is to come. */
  readonly vouchers: number;
  readonly rows: number;
}

export function registerVoucherExport(app: App, deps: AppDeps, access: Access): void {
  app.route({
    method: 'GET',
    url: '/api/v1/export/verifikatrader',
    config: { scopes: ['data:read'] },
    onRequest: access.hook(['data:read']),
    schema: {
      operationId: 'exportVouchers',
      summary: 'Export all vouchers with rows, out of one moment',
      description:
        'Vouchers as they stood at one moment, by date, written while they are read: NDJSON, a voucher a line, or CSV, a row a line. The export is whole when its last line says end, and only then. One that broke off goes on with snapshot, and with after, the id of the last voucher that came whole. Counts as one call, and one more for each 50 000 rows.',
      tags: ['Vouchers'],
      security: [{ apiKey: [] }],
      querystring: exportQuery,
      response: {
        200: exportContent,
        ...errorResponses(...keyErrors, 'invalid_request', 'snapshot_gone'),
      },
    },
    handler: async (request, reply) => {
      const { query } = request;
      requireOrder(query.from, query.to);
      holdMemory(request, reply);
      const begun = await withKey(deps.readers, callerOf(request), (tx) =>
        begin(tx, query, formatOf(query, request), deps.clock.now()),
      );
      const isAsked = request.method !== 'HEAD';
      const calls = isAsked ? Math.min(callsMax, Math.floor(begun.rows / rowsPerCall)) : 0;
      await access.countFurther(request, reply, calls);
      reply.headers({
        'content-type': contentTypes[begun.asked.format],
        'content-disposition': `attachment; filename="verifikat.${begun.asked.format}"`,
        'export-snapshot': begun.token,
      });
      const content = linesOf(begun, (place) =>
        withKey(deps.readers, callerOf(request), (tx) => readExportPage(tx, begun.asked, place)),
      );
      // Described as the text that it is.
      const answer = reply as FastifyReply;
      return answer.send(Readable.from(untilBroken(content, begun, request, reply.raw)));
    },
  });
}

const contentTypes = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson; charset=utf-8',
} as const;

const formatOf = ({ format }: Query, { headers }: FastifyRequest): ExportAsked['format'] =>
  format ?? (/\btext\/csv\b/i.test(headers.accept ?? '') ? 'csv' : 'ndjson');

/** Whoever is slow to take it holds its part of what answers may hold; throws `overloaded` when there is none. */
function holdMemory(request: FastifyRequest, reply: FastifyReply): void {
  const { leave } = request.server.load.answering.enter(holderOf(request), bytesHeld);
  onceOver(request, reply, leave);
}

/** The moment, and what of it is to come. Throws 400 and 409. */
async function begin(
  tx: Tx,
  { snapshot: token, after: afterId, include = [], format: _, ...filter }: Query,
  format: ExportAsked['format'],
  now: Date,
): Promise<Begun> {
  // First, so that nothing that is posted in between is told by neither.
  const events = token === undefined ? encodePlace(await latestPlace(tx)) : '';
  const given = token === undefined ? undefined : decodeSnapshot(token);
  const marks = given ? await findSeriesMarks(tx, given.marks) : await listSeriesMarks(tx);
  const seal = sealOf(marks);
  if (given && (given.seal !== seal || marks.length < given.marks.length)) throw snapshotGone();
  const snapshot = given ?? { takenAt: now.toISOString(), eventsCursor: events, seal, marks };
  const after = afterId === undefined ? undefined : await findPlace(tx, marks, afterId);
  if (afterId !== undefined && !after) {
    const message =
      'after är inget verifikat i exporten; skicka id:t på det sista som kom helt, tillsammans med samma snapshot.';
    throw refuse('invalid_request', [{ path: 'after', reason: 'unknown_voucher', message }]);
  }
  const asked = {
    ...{ filter, marks, format },
    withNames: include.includes('account_names'),
    withDimensions: include.includes('dimensions'),
  };
  const counted = await countExport(tx, asked, after);
  return { token: token ?? encodeSnapshot(snapshot), snapshot, asked, after, ...counted };
}

const snapshotGone = (): AppError =>
  new AppError(
    'snapshot_gone',
    'Bokföringen är inte längre den som exporten började med; den är återställd eller börjad om. Börja om exporten, utan snapshot.',
  );

/**
 * The lines, a page at a time: one is read while the one before is taken, each in a transaction of its own, so that a
 * reader that is slow or gone holds none. Throws when not all that was counted has come.
 */
async function* linesOf(
  { token, snapshot, asked, after, vouchers, rows }: Begun,
  read: (place: VoucherPlace | undefined) => ReturnType<typeof readExportPage>,
): AsyncGenerator<string> {
  const { takenAt, eventsCursor } = snapshot;
  const isJson = asked.format === 'ndjson';
  const first = isJson
    ? { begin: { snapshot: token, taken_at: takenAt, events_cursor: eventsCursor, vouchers, rows } }
    : csvColumns(asked);
  yield lineOf(first);
  const told = { vouchers: 0, rows: 0, ore: 0n };
  let next = vouchers > 0 ? read(after) : undefined;
  while (next !== undefined) {
    const page = await next;
    told.vouchers += page.vouchers;
    told.rows += page.rows;
    told.ore += page.totalOre;
    next = page.next && told.vouchers < vouchers ? read(page.next) : undefined;
    // Its failure is met when it is waited for; whoever hangs up before that meets it never.
    next?.catch(() => undefined);
    yield* page.texts;
  }
  if (told.vouchers !== vouchers || told.rows !== rows) throw snapshotGone();
  const amount = oreToNumber(told.ore);
  yield lineOf(
    isJson
      ? { end: { vouchers, rows, debit: amount, credit: amount } }
      : csvColumns(asked).map((column) => endOf({ rows, amount })[column] ?? ''),
  );
}

/** What the last line of CSV has in its columns. */
const endOf = (told: {
  readonly rows: number;
  readonly amount: number;
}): Record<string, string> => ({
  line: 'end',
  row_count: String(told.rows),
  debit: String(told.amount),
  credit: String(told.amount),
});

const lineOf = (line: object | readonly string[]): string =>
  Array.isArray(line) ? `${line.join(',')}\r\n` : `${JSON.stringify(line)}\n`;

/**
 * The same. What fails on the way is told on a line of its own, as any refusal with its status, where lines may be of several
 * kinds; and the connection then breaks off, so that no client takes what it got for the whole.
 */
async function* untilBroken(
  content: AsyncGenerator<string>,
  { asked }: Begun,
  request: FastifyRequest,
  raw: ServerResponse,
): AsyncGenerator<string> {
  try {
    yield* content;
  } catch (error) {
    const refusal = refusalOf(error, request);
    request.refusal = refusal;
    if (asked.format === 'ndjson') {
      const told = errorBody(refusal, request.id);
      yield `{"status":${refusal.status},${told.slice(1)}\n`;
      await untilSent(raw);
    }
    throw error;
  }
}

const lookEveryMs = 10;

/** Until the connection has taken all there is, or is gone: one on which nothing moves is closed. */
async function untilSent(raw: ServerResponse): Promise<void> {
  while (raw.writableLength > 0 && !raw.destroyed) {
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}
