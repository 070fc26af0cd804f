/**
 * The HTTP port while there is nothing behind it yet: a taken port is told before anything is made, and
 * while the database is waited for, `/healthz` says that the process lives and everything else is asked to
 * come back.
 */
import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import { AppError } from '../lib/errors.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { startCommand } from '../lib/program-name.ts';
import { uuid } from '../lib/uuid.ts';
import { errorBody } from './errors.ts';
import { readTls } from './tls.ts';

export interface FrontDoor {
  /** From now on, what those who come are told. */
  explain(sentence: string): void;
  /** Lets go of the port, for whoever is to answer in earnest. May be called twice. */
  close(): Promise<void>;
}

/** One that was just killed may need a moment to let go of the port. */
const takenMsMax = 5_000;

/** Throws an OperatorError when the port, the host or the certificate cannot be used. */
export async function openFrontDoor(config: Config): Promise<FrontDoor> {
  let sentence = 'Huvudbok startar; försök igen strax.';
  const answer: RequestListener = (request, response) => {
    const [path] = (request.url ?? '').split('?');
    const isHealth = path === '/healthz';
    const refusal = new AppError('database_unavailable', sentence);
    const id = uuid();
    response.writeHead(isHealth ? 200 : refusal.status, {
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': id,
      // Whoever stays connected would meet a closed door when it moves.
      connection: 'close',
      ...(isHealth ? {} : { 'retry-after': '5' }),
    });
    response.end(isHealth ? '{"ok":true}' : errorBody(refusal, id));
  };
  const tls = readTls(config);
  const server = tls ? createHttpsServer(tls, answer) : createHttpServer(answer);
  await listen(server, config);
  return {
    explain: (because) => {
      sentence = because;
    },
    async close() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function listen(server: Server, { port, host }: Config): Promise<void> {
  for (const began = performance.now(); ; ) {
    try {
      server.listen({ port, host });
      await once(server, 'listening');
      return;
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
      if (!isTaken || performance.now() - began > takenMsMax)
        throw explainListen(error, port, host);
    }
    await sleep(100);
  }
}

/** Why a server may not listen, for whoever chose where. */
export function explainListen(error: unknown, port: number, host: string): unknown {
  const { code = '' } = error as NodeJS.ErrnoException;
  const sentences: Record<string, string> = {
    EADDRINUSE: `Port ${port} är upptagen av ett annat program, kanske en Huvudbok som redan kör. Stoppa det, eller sätt PORT till en ledig port, t.ex. PORT=${port + 1} ${startCommand}.`,
    EACCES: `Port ${port} får inte öppnas av den här användaren. Sätt PORT till 1024 eller högre.`,
  };
  const nowhere = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL', 'EAFNOSUPPORT'];
  const sentence = nowhere.includes(code)
    ? `Adressen ${host} finns inte på den här datorn. Rätta HOST, t.ex. HOST=127.0.0.1, eller 0.0.0.0 för alla.`
    : sentences[code];
  return sentence === undefined ? error : new OperatorError(sentence, { cause: error });
}
