/**
 * What every call leaves behind: one log line and its figures. The line has what finds a call again (request,
 * key, route) and never what was in it.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callSeconds, calls, callsInFlight, refusals } from '../metrics/metrics.ts';

/** The route of addresses that are nowhere: any other word would be the caller's own. */
const nowhere = 'none';
/** As web servers log it: who called did not stay for the answer. */
const hung_up = 499;

export function registerCallFigures(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    callsInFlight.inc();
    request.log.debug({ req: request }, 'call arrives');
    reply.raw.once('close', () => {
      callsInFlight.dec();
      if (!reply.raw.writableFinished) note(request, reply, hung_up);
    });
  });
  app.addHook('onResponse', async (request, reply) => note(request, reply, reply.statusCode));
}

function note(request: FastifyRequest, { elapsedTime }: FastifyReply, status: number): void {
  const { method } = request;
  const route = request.is404 ? nowhere : (request.routeOptions.url ?? nowhere);
  calls.inc({ method, route, status });
  callSeconds.observe({ method, route }, elapsedTime / 1000);
  if (request.refusal !== null) refusals.inc({ route, code: request.refusal });
  const about = {
    req: request,
    route,
    status,
    ms: Math.round(elapsedTime),
    ...(request.caller && { key_id: request.caller.keyId }),
    ...(request.refusal !== null && { error: request.refusal }),
  };
  request.log.info(about, 'call');
}
