/** Calls that are sent behind each other on one connection before the first is answered: answers go out in that order. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Before whoever answers it: also those that ask first, or expect what nobody can meet, which Node tells apart. */
export function onEachCall(
  server: Server,
  call: (request: IncomingMessage, response: ServerResponse) => void,
): void {
  for (const event of ['request', 'checkContinue', 'checkExpectation'])
    server.prependListener(event, call);
}

interface Calls {
  /** Answers that are not out yet. A list, for the reason that `leaving` is one (hanging-up.ts). */
  readonly unanswered: ServerResponse[];
  latest: ServerResponse;
}

const callsOf = new WeakMap<Socket, Calls>();

export function followAnswers(server: Server): void {
  onEachCall(server, ({ socket }, response) => {
    const calls = callsOf.get(socket) ?? { unanswered: [], latest: response };
    callsOf.set(socket, calls);
    const { unanswered } = calls;
    calls.latest = response;
    unanswered.push(response);
    response.once('close', () => unanswered.splice(unanswered.indexOf(response), 1));
  });
}

/** Calls back when every call that came whole on the connection has its answer: at once when none waits for one. */
export function onceAnswered(socket: Socket, over: () => void): void {
  const last = callsOf.get(socket)?.unanswered.findLast(({ req }) => req.complete);
  if (last) last.once('close', over);
  else over();
}

/** Whether the call that has not come whole has been answered all the same: for its key, or its length. */
export function isCutCallAnswered(socket: Socket): boolean {
  const latest = callsOf.get(socket)?.latest;
  return latest !== undefined && !latest.req.complete && latest.writableEnded;
}
