/**
 * HEAD: what GET would answer, without its body. A route of its own for each address would be half as many again, which
 * everybody waits for at a start; so the router is asked for GET's, and from there on the call is HEAD again.
 */
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest, RawRequestDefaultExpression } from 'fastify';

/** Whether a call only asks for something. */
export const isReading = ({ method }: FastifyRequest): boolean =>
  method === 'GET' || method === 'HEAD';

const heads = new WeakSet<RawRequestDefaultExpression>();

/** Called right before the router, which goes by the method. Answers the address as it is (`rewriteUrl`). */
export function routeAsGet(raw: RawRequestDefaultExpression): string {
  if (raw.method === 'HEAD') {
    heads.add(raw);
    raw.method = 'GET';
  }
  return raw.url ?? '/';
}

/** To be called before any other hook is added: all of them see HEAD. */
export function answerHead(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    if (heads.has(raw)) raw.method = 'HEAD';
    done();
  });
  // Node writes no text for it, but what is read for the answer is not to be read.
  app.addHook('onSend', ({ raw }, _reply, payload, done) => {
    if (!heads.has(raw) || !(payload instanceof Readable)) return done(null, payload);
    payload.destroy();
    done(null, null);
  });
}
