/** One error body for the whole surface (contract section 7). */
import { maxHeaderSize } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Overloaded } from '../db/batching/overloaded.ts';
import { explainDatabaseError } from '../db/refusals.ts';
import { AppError, refuse } from '../lib/errors.ts';
import { said } from '../lib/sentences/say.ts';
import { uuid } from '../lib/uuid.ts';
import { cautiousHeaders } from './headers.ts';
import { isCutCallAnswered, onceAnswered } from './pipelining.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Answers with a page when a person is there to read it; undefined leaves it to the error body. */
    errorPage?: (
      refusal: AppError,
      request: FastifyRequest,
      reply: FastifyReply,
    ) => FastifyReply | undefined;
  }
}

export const noSuchAddress = (): AppError =>
  new AppError('not_found', 'Adressen finns inte i den här installationen; se /docs.');

export function registerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => sendError(error, request, reply));
  app.setNotFoundHandler((request, reply) => sendError(noSuchAddress(), request, reply));
}

/**
 * What the caller is told of an error. A fault of our own is logged with all that is known of it, and what the
 * installation merely waits for, such as being set up, as a line of its code.
 */
export function refusalOf(error: unknown, request: FastifyRequest): AppError {
  const refusal = explainTooLarge(error, request) ?? explainError(error);
  if (refusal instanceof Overloaded) noteShed(request, refusal);
  else if (refusal.status === 500 || (refusal.status > 500 && refusal.cause !== undefined)) {
    request.log.error({ err: error }, said('api', refusal).message);
  } else if (refusal.status > 500) {
    request.log.warn({ code: refusal.code }, said('api', refusal).message);
  }
  return refusal;
}

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const refusal = refusalOf(error, request);
  request.refusal = refusal;
  if (refusal.code === 'payload_too_large') lingerOn(request);
  else if (refusal instanceof Overloaded && isLongUnread(request)) {
    reply.header('connection', 'close');
    lingerOn(request);
  }
  reply.code(refusal.status).headers({ ...refusal.headers, 'x-request-id': request.id });
  const page = request.server.errorPage?.(refusal, request, reply);
  if (page) return page;
  return reply.type('application/json; charset=utf-8').send(errorBody(refusal, request.id));
}

/** A line for every call that is shed would be load of its own. */
const shedLineEveryMs = 1_000;
let shedLineDue = 0;

function noteShed({ server, log }: FastifyRequest, { limit, message }: Overloaded): void {
  server.load.noteShed(limit);
  if (performance.now() < shedLineDue) return;
  shedLineDue = performance.now() + shedLineEveryMs;
  log.warn({ limit, load: server.load.counts }, message);
}

/** Up to here the body of a call that is shed is read and thrown away, so that its connection can go on. */
const unreadMax = 1024 * 1024;

const isLongUnread = ({ raw }: FastifyRequest): boolean =>
  !raw.complete &&
  !(
    Number(raw.headers['content-length'] ?? 0) <= unreadMax &&
    raw.headers['transfer-encoding'] === undefined
  );

const lingerMs = 1_000;

/**
 * The connection closes after the answer, but a socket closed with unread bytes in it is reset, and the
 * reset may overtake the answer. So what the sender is still sending is read and thrown away for a
 * moment, as web servers do.
 */
function lingerOn({ raw }: FastifyRequest): void {
  const { socket } = raw;
  socket.destroySoon = () => {
    socket.end();
    raw.resume();
    setTimeout(() => socket.destroy(), lingerMs).unref();
  };
}

/** The body of every refusal, in the API's words. */
export function errorBody(refusal: AppError, requestId: string): string {
  const { code, message, detail } = said('api', refusal);
  return JSON.stringify({ error: code, message, detail, request_id: requestId });
}

/** Fastify's refusal of a body, with how large it may be where it was sent. */
function explainTooLarge(error: unknown, { routeOptions }: FastifyRequest): AppError | undefined {
  if ((error as Partial<FastifyError>).code !== 'FST_ERR_CTP_BODY_TOO_LARGE') return undefined;
  const kB = Math.floor(routeOptions.bodyLimit / 1024);
  const most = kB < 1024 ? `${kB} kB` : `${Math.floor(kB / 1024)} MB`;
  return new AppError('payload_too_large', `Kroppen är större än ${most}, som adressen tar emot.`);
}

/** What a caller is told of an error, whatever it is: one of ours as it is, all else as our own fault. */
export function explainError(error: unknown): AppError {
  const known = explainFrameworkError(error) ?? explainDatabaseError(error);
  return (
    known ??
    new AppError(
      'internal_error',
      'Något gick fel hos oss; felet är loggat. Försök igen, och ge annars anropets id (request_id) till den som sköter installationen.',
      { cause: error },
    )
  );
}

/**
 * Fastify's own refusals, which it makes before a handler sees the call. Their status tells them from what
 * happens to the database's connections, which may have the same code: `ECONNRESET`.
 */
function explainFrameworkError(error: unknown): AppError | undefined {
  const { code = '', statusCode } = error as Partial<FastifyError>;
  // Fastify gives a refusal of our own in its validation a status too.
  if (statusCode === undefined || error instanceof AppError) return undefined;
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    const message =
      'Content-Type går inte att läsa; ange en enda medietyp, till exempel application/json.';
    return refuse('invalid_request', [{ path: 'Content-Type', reason: 'not_supported', message }]);
  }
  if (code === 'FST_ERR_MAX_PARAM_LENGTH') {
    return new AppError(
      'invalid_request',
      'En del av adressen är längre än 200 tecken; kontrollera id:t.',
    );
  }
  if (code === 'FST_ERR_BAD_URL') {
    return new AppError('invalid_request', 'Adressen innehåller felaktig procentkodning.');
  }
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH' || code === 'ECONNRESET') {
    return new AppError(
      'invalid_request',
      'Kroppen kom inte fram hel (Content-Length stämmer inte).',
    );
  }
  return statusCode >= 400 && statusCode < 500
    ? new AppError('invalid_request', 'Anropet går inte att läsa.', { cause: error })
    : undefined;
}

const answered = new WeakSet<Socket>();

/** Connections on which something could not be read, while calls before it wait for their answers. */
const refused = new WeakSet<Socket>();

/**
 * What never became a request: unreadable HTTP, too large headers, a body that took too long. Calls that came whole before
 * it on the connection are answered first: a refusal in their place would say of what was done that it was not.
 */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable || answered.has(socket)) {
    socket.destroy();
    return;
  }
  if (refused.has(socket)) return;
  refused.add(socket);
  onceAnswered(socket, () => {
    answered.add(socket);
    if (isCutCallAnswered(socket)) socket.destroySoon();
    else if (socket.writable) answerRaw(socket, refusalOfUnread(error.code));
  });
}

function refusalOfUnread(code: string | undefined): AppError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new AppError('request_timeout', 'Anropet kom inte fram i tid; skicka det igen.');
  }
  return new AppError('invalid_request', unread[code ?? ''] ?? 'Anropet är inte läsbar HTTP.');
}

/** What Node's parser stops at and its sender can mend, by its codes. */
const unread: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: `Adressen och rubrikerna (headers) är tillsammans större än ${maxHeaderSize / 1024} kB; ta bort det som inte behövs, till exempel kakor.`,
  // curl sends an address as it is typed, å and blank too.
  HPE_INVALID_URL:
    'Adressen innehåller ett tecken som ska procentkodas: å skrivs %C3%A5 och blanksteg %20 (i curl med --data-urlencode och -G).',
};

/** CONNECT, which Node would otherwise hang up on without a word. */
export function refuseTunnel(_request: unknown, socket: Socket): void {
  const refusal = new AppError('invalid_request', 'CONNECT stöds inte; servern är ingen proxy.');
  onceAnswered(socket, () => answerRaw(socket, refusal));
}

/** An answer where there is no request to answer by. Whoever does not hang up then is hung up on. */
function answerRaw(socket: Socket, refusal: AppError): void {
  const id = uuid();
  const body = errorBody(refusal, id);
  const reason = refusal.code === 'request_timeout' ? 'Request Timeout' : 'Bad Request';
  const headers = cautiousHeaders(socket instanceof TLSSocket);
  socket.end(
    [
      `HTTP/1.1 ${refusal.status} ${reason}`,
      'content-type: application/json; charset=utf-8',
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      `x-request-id: ${id}`,
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
  setTimeout(() => socket.destroy(), lingerMs).unref();
}
