/**
 * So many connections at once. Whoever comes when they are all taken gets the place of the one that has been
 * idle longest, or slowest to say what it wants: no number of them keeps anybody out.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Load } from './load.ts';

export function limitConnections(server: Server, load: Load): void {
  const max = load.limits.connections;
  /** Those with no call in hand, the longest first. */
  const idle = new Set<Socket>();
  let open = 0;
  const begin = (socket: Socket): void => {
    open += 1;
    load.noteConnection();
    idle.add(socket);
    socket.once('close', () => {
      open -= 1;
      idle.delete(socket);
    });
    if (open <= max) return;
    for (const longest of idle) {
      longest.destroy();
      return;
    }
  };
  const call = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    idle.delete(socket);
    response.once('close', () => {
      if (!socket.destroyed) idle.add(socket);
    });
  };
  // Over TLS a call's socket is the one that is secure.
  server.on('cert' in server ? 'secureConnection' : 'connection', begin);
  server.prependListener('request', call);
  server.prependListener('checkContinue', call);
}
