/** Whether the sender of a request is still there. */
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HasHungUp } from '../db/batching/hanging-up.ts';

/** A sender that has said its last word counts as gone: Node answers no such connection. */
export const hangUpOf =
  ({ raw: { socket } }: FastifyRequest): HasHungUp =>
  () =>
    socket.destroyed || socket.writableEnded;

/**
 * What is to be told of a connection that closes. Lists, not sets: each time that a set empties it is made anew, and those
 * before it lead to it, so that one that has grown old keeps all after it (V8's nepotism).
 */
const leaving = new WeakMap<Socket, (() => void)[]>();

/**
 * Calls back once when nothing more is to come of the answer: when it has been taken, or its sender has gone, before it
 * was made or while it waited behind another on the same connection. Of those two Node's response says nothing.
 */
export function onceOver(
  { raw: { socket } }: FastifyRequest,
  { raw }: FastifyReply,
  over: (isTaken: boolean) => void,
): void {
  const those = leaving.get(socket) ?? watch(socket);
  const end = (isTaken: boolean): void => {
    const at = those.indexOf(gone);
    if (at === -1) return;
    those.splice(at, 1);
    over(isTaken);
  };
  const gone = (): void => end(false);
  those.push(gone);
  raw.once('finish', () => end(true)).once('close', gone);
  if (socket.closed) gone();
}

function watch(socket: Socket): (() => void)[] {
  const those: (() => void)[] = [];
  leaving.set(socket, those);
  socket.once('close', () => {
    for (const gone of those.slice()) gone();
  });
  return those;
}
