/**
 * A connection on which nothing moves for a minute is closed, since nobody takes the answer. An answer that is made
 * while it is sent may be still because its next part is not made yet: a month of an archive that a busy machine prints.
 */
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';

/** Closes only connections on which something waits to be taken. Each maker has an end of its own to its patience. */
export function waitForMakers(app: FastifyInstance): void {
  app.addHook('onSend', (_request, { raw }, payload, done) => {
    if (payload instanceof Readable) {
      raw.on('timeout', (socket: Socket) => {
        if (raw.writableLength > 0) socket.destroy();
      });
    }
    done(null, payload);
  });
}
