/**
 * `Expect: 100-continue`: a sender that asks first gets its go-ahead when its key has been let in and its
 * body is about to be read, so that a call that is refused costs no upload.
 */
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';

export function continueWhenWelcome(app: FastifyInstance): void {
  const waiting = new WeakSet<IncomingMessage>();
  app.server.on('checkContinue', (request, response) => {
    waiting.add(request);
    // Refused without a go-ahead, nobody knows whether the body comes: the next call needs a new connection.
    response.setHeader('connection', 'close');
    app.routing(request, response);
  });
  // An expectation we cannot meet is passed over; Node would refuse with an empty answer of its own.
  app.server.on('checkExpectation', (request, response) => app.routing(request, response));
  app.addHook('preParsing', async (request, reply) => {
    if (!waiting.has(request.raw) || isTooLong(request)) return;
    reply.raw.removeHeader('connection');
    reply.raw.writeContinue();
  });
}

/** Whether Fastify will refuse the body for its length alone. */
const isTooLong = ({ headers, routeOptions }: FastifyRequest): boolean =>
  Number(headers['content-length']) > (routeOptions.bodyLimit ?? 0);
