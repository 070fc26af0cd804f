/**
 * Sheds load: a call that writes takes its place in the process's budget before its key is looked up, so that
 * one there is no room for costs neither quota nor database, and is refused before its body is read. It
 * gives the place back with its answer. Calls that read wait in queues of their own (readers.ts).
 */
import { type Readable, Transform } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { hashOfSecret } from '../access/keys/secrets.ts';
import { HungUp } from '../db/batching/hanging-up.ts';
import type { BudgetShare } from './budget.ts';
import { hangUpOf, onceOver } from './hanging-up.ts';
import { isReading } from './head.ts';
import { bearerOf, cookieAt, sessionCookie } from './headers.ts';
import { defaultBodyLimit, type Load, largestBody, nameOf } from './load.ts';
import { addressOf } from './transport.ts';

declare module 'fastify' {
  interface FastifyInstance {
    load: Load;
  }
  interface FastifyRequest {
    /** See `holderOf`. */
    holder: string | null;
    /** What it holds of the budget for writing. */
    place: BudgetShare | null;
  }
}

const sessionForm = /^[\w-]{43}$/;

/** From here on bodies are read one at a time. */
const largeBody = 32 * 1024;
/** An answer as small as this needs no place of its own. */
const smallAnswer = 64 * 1024;

export function shedLoad(app: FastifyInstance, load: Load): void {
  app.decorate('load', load);
  app.decorateRequest('holder', null);
  app.decorateRequest('place', null);
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isReading(request)) {
      request.place = load.writing.enter(holderOf(request), announcedBytes(request));
    }
    done();
  });
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const { place } = request;
    const isCounted = place && isOfUnknownLength(request);
    done(null, isCounted ? counted(payload, place, expansionOf(request)) : payload);
  });
  app.addHook('preValidation', (request, _reply, done) => {
    const isLarge = Buffer.isBuffer(request.body) && request.body.length > largeBody;
    const turn = isLarge ? load.takeTurn() : load.arriving;
    if (isReading(request) || !turn) done();
    else void turn.then(() => done(hangUpOf(request)() ? new HungUp() : undefined));
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    request.place?.leave();
    const bytes = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0;
    // What is done must be told, however much there is to do.
    if (bytes > smallAnswer && isReading(request)) {
      // Whoever is slow to take a large answer holds its bytes meanwhile.
      const { leave } = load.answering.enter(holderOf(request), bytes);
      onceOver(request, reply, leave);
    }
    done(null, payload);
  });
}

/** Whose share of the process a call is of. */
export function holderOf(request: FastifyRequest): string {
  request.holder ??= findHolder(request);
  return request.holder;
}

function findHolder(request: FastifyRequest): string {
  const secret = bearerOf(request) ?? sessionIn(request);
  const credential = secret === undefined ? undefined : hashOfSecret(secret);
  return request.server.load.holderOf(credential, addressOf(request));
}

function sessionIn(request: FastifyRequest): string | undefined {
  const { cookie } = request.headers;
  if (cookie === undefined) return undefined;
  const begins = `${cookieAt(request, sessionCookie)}=`;
  const pair = cookie.split(/; ?/).find((one) => one.startsWith(begins));
  const token = pair?.slice(begins.length) ?? '';
  return sessionForm.test(token) ? token : undefined;
}

/** Whose a call is that has been let in. */
export const holderOfCall = ({ keyHash }: { readonly keyHash: Buffer }): string => nameOf(keyHash);

/** Files are counted where they are read, and what is too long will not be read at all. */
function announcedBytes(request: FastifyRequest): number {
  const bytes = Number(request.headers['content-length'] ?? 0);
  return isMultipart(request) || bytes > largestBody ? 0 : bytes * expansionOf(request);
}

/**
 * What a byte of the body counts for. The routes that let larger ones in keep them as the bytes they are, or take
 * a part at a time (bulk.ts); elsewhere they become rows, texts and amounts, some twenty times the size before
 * they are with the database (measured: 64 MB of heap for four vouchers of 488 kB).
 */
const expansionOf = ({ routeOptions }: FastifyRequest): number =>
  (routeOptions.bodyLimit ?? 0) > defaultBodyLimit ? 1 : 4;

const isMultipart = ({ headers }: FastifyRequest): boolean =>
  /^multipart\//i.test(headers['content-type'] ?? '');

const isOfUnknownLength = (request: FastifyRequest): boolean =>
  request.headers['transfer-encoding'] !== undefined && !isMultipart(request);

/** The same bytes, each counted as it comes. */
function counted(body: Readable, place: BudgetShare, expansion: number): Readable {
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        place.grow(chunk.length * expansion);
        done(null, chunk);
      } catch (error) {
        done(error as Error);
      }
    },
  });
  body.once('error', (error) => counting.destroy(error));
  // Who hangs up before anybody reads has nobody to tell, and what nobody hears ends the process.
  counting.on('error', () => undefined);
  return body.pipe(counting);
}
