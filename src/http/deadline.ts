/**
 * Every call is answered. PostgreSQL's limits end a statement, but no commit: one that waits for a standby that
 * is gone waits for as long as that takes, and a server that fell silent says nothing at all.
 */
import type { FastifyInstance } from 'fastify';
import { refuseWhole } from '../lib/errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Goes off when there has been no answer for too long. */
    deadline: NodeJS.Timeout | null;
  }
}

/**
 * Answers `database_unavailable` to what has no answer after `answerMsMax`. What was begun goes on and keeps its
 * connection, and the same call again, with its Idempotency-Key, hears what became of it.
 */
export function answerInTime(app: FastifyInstance, answerMsMax: number): void {
  app.decorateRequest('deadline', null);
  app.addHook('onRequest', (request, reply, done) => {
    request.deadline = setTimeout(() => {
      const headers = { 'retry-after': '5' };
      reply.send(refuseWhole('database_unavailable', 'database_silent', {}, { headers }));
    }, answerMsMax).unref();
    reply.raw.once('close', () => clearTimeout(request.deadline ?? undefined));
    done();
  });
  app.addHook('onSend', (request, _reply, payload, done) => {
    clearTimeout(request.deadline ?? undefined);
    done(null, payload);
  });
}
