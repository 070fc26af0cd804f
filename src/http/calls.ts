/**
 * What every call leaves behind, noted once: its figures, one log line, and a place on its key's page. The
 * line has what finds a call again (request, key, route, what was refused) and never what was in it.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { db, type Pool } from '../db/pool.ts';
import { type AppError, Refusal } from '../lib/errors.ts';
import { callSeconds, calls, callsInFlight, refusals } from '../lib/metrics/metrics.ts';
import { onceOver } from './hanging-up.ts';
import { KeyCalls } from './key-calls.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** SHA-256 of the secret, as soon as it is known to be one of ours, whether the key may or not. */
    presentedKey: Buffer | null;
    /** What the call was refused with. */
    refusal: AppError | null;
  }
}

/** The route of addresses that are nowhere: any other word would be the caller's own. */
const nowhere = 'none';
/** As web servers log it: who called did not stay for the answer. */
const hungUp = 499;

/** An answered call, or one whose caller hung up (499). */
interface Call {
  readonly request: FastifyRequest;
  readonly route: string;
  readonly status: number;
  readonly ms: number;
}

export function noteCalls(app: FastifyInstance, pool: Pool): void {
  const keyCalls = new KeyCalls(db(pool), (error) =>
    app.log.warn({ err: error }, 'the latest calls of keys could not be written down'),
  );
  const note = (request: FastifyRequest, reply: FastifyReply, status: number): void => {
    const route = request.is404 ? nowhere : (request.routeOptions.url ?? nowhere);
    const call: Call = { request, route, status, ms: reply.elapsedTime };
    count(call);
    request.log.info(lineOf(call), 'call');
    const hash = request.presentedKey;
    if (hash) keyCalls.note({ hash, ...keyCallOf(call) });
  };
  app.decorateRequest('presentedKey', null);
  app.decorateRequest('refusal', null);
  app.addHook('onRequest', (request, reply, done) => {
    callsInFlight.inc();
    request.log.debug({ req: request }, 'call arrives');
    onceOver(request, reply, (isTaken) => {
      callsInFlight.dec();
      note(request, reply, isTaken ? reply.statusCode : hungUp);
    });
    done();
  });
  app.addHook('onClose', () => keyCalls.flush());
}

function count({ request: { method, refusal }, route, status, ms }: Call): void {
  calls.inc({ method, route, status });
  callSeconds.observe({ method, route }, ms / 1000);
  if (refusal) refusals.inc({ route, code: refusal.code });
}

function lineOf({ request, route, status, ms }: Call): Record<string, unknown> {
  const { caller, refusal } = request;
  return {
    req: request,
    route,
    status,
    ms: Math.round(ms),
    ...(caller && { key_id: caller.keyId }),
    ...(refusal && { error: refusal.code, ...fieldsOf(refusal) }),
  };
}

const loggedPath = /^[\w.[\]-]{1,100}$/;
const fieldsMax = 20;

/**
 * Which fields a refusal was about and why. Never its sentences, which repeat what somebody typed, nor a
 * field's name that no field of ours has.
 */
function fieldsOf(refusal: AppError): { readonly fields?: readonly string[] } {
  if (!(refusal instanceof Refusal) || refusal.faults.length === 0) return {};
  const fields = refusal.faults
    .slice(0, fieldsMax)
    .map(({ path, reason }) => `${loggedPath.test(path) ? path : '[dolt]'}: ${reason}`);
  return { fields };
}

const keyCallOf = ({ request, status, ms }: Call) => ({
  calledAt: new Date(Date.now() - ms),
  route: `${request.method} ${request.routeOptions.url ?? ''}`,
  status,
  code: request.refusal?.code ?? null,
  durationMs: Math.round(ms),
  requestId: request.id,
});
