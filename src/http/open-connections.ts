/**
 * So many connections at once. Whoever comes when they are all taken gets the place of the one that has been
 * idle longest, or slowest to say what it wants: no number of them keeps anybody out.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Load } from './load.ts';
import { onEachCall } from './pipelining.ts';

const never = Infinity;

export function limitConnections(server: Server, load: Load): void {
  const max = load.limits.connections;
  /** Since when each has had no call in hand; of one that has, never. */
  const idleSince = new Map<Socket, number>();
  const begin = (socket: Socket): void => {
    load.noteConnection();
    idleSince.set(socket, performance.now());
    socket.once('close', () => idleSince.delete(socket));
    if (idleSince.size > max) longestIdle(idleSince)?.destroy();
  };
  const call = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    idleSince.set(socket, never);
    response.once('close', () => {
      if (!socket.destroyed) idleSince.set(socket, performance.now());
    });
  };
  // Over TLS a call's socket is the one that is secure.
  server.on('cert' in server ? 'secureConnection' : 'connection', begin);
  onEachCall(server, call);
}

function longestIdle(idleSince: ReadonlyMap<Socket, number>): Socket | undefined {
  let longest: Socket | undefined;
  let since = never;
  for (const [socket, its] of idleSince) if (its < since) [longest, since] = [socket, its];
  return longest;
}
