/** Whether the sender of a request is still there. */
import type { FastifyRequest } from 'fastify';
import type { HasHungUp } from '../db/batching/hanging-up.ts';

/** A sender that has said its last word counts as gone: Node answers no such connection. */
export const hangUpOf =
  ({ raw: { socket } }: FastifyRequest): HasHungUp =>
  () =>
    socket.destroyed || socket.writableEnded;
