/**
 * The HTTP port while there is nothing behind it yet: a taken port is told before anything is made, and
 * while the database is waited for, `/healthz` says that the process lives and everything else is asked to
 * come back.
 */
import { once } from 'node:events';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import { AppError } from '../lib/errors.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { startCommand } from '../lib/program-name.ts';
import { uuid } from '../lib/uuid.ts';
import { cautiousHeaders } from './headers.ts';
import { readTls } from './tls.ts';

export interface FrontDoor {
  /** Lets go of the port, for whoever is to answer in earnest. May be called twice. */
  close(): Promise<void>;
}

/** One that was just asked to stop has ten seconds for that, and one that was killed needs a moment. */
const takenMsMax = 11_000;
/** Whoever waits longer is told why. */
const silentMsMax = 1_000;

/**
 * Throws an OperatorError when the port, the host or the certificate cannot be used. A port that is taken is waited for
 * a while, which `say` tells of.
 */
export async function openFrontDoor(
  config: Config,
  say: (line: string) => void = () => undefined,
): Promise<FrontDoor> {
  const answer: RequestListener = (request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    const isHealth = path === '/healthz';
    const isPage = !isHealth && wantsPage(path, request);
    const refusal = new AppError('database_unavailable', waiting);
    const id = uuid();
    const tell = async () => {
      response.writeHead(isHealth ? 200 : refusal.status, {
        ...cautiousHeaders(tls !== undefined),
        ...(isPage ? pageHeaders : { 'content-type': 'application/json; charset=utf-8' }),
        'x-request-id': id,
        // Whoever stays connected would meet a closed door when it moves.
        connection: 'close',
        ...(isHealth ? {} : { 'retry-after': `${againSeconds}` }),
      });
      if (isHealth) response.end('{"ok":true}');
      else if (isPage) response.end(waitingPage(request.method === 'POST'));
      // With every sentence of the API, for which a start need not wait.
      else response.end((await import('./errors.ts')).errorBody(refusal, id));
    };
    // A connection that is closed on what is still being sent loses the answer too.
    request.once('end', () => void tell()).resume();
  };
  const tls = readTls(config);
  const server = tls ? createHttpsServer(tls, answer) : createHttpServer(answer);
  await listen(server, config, say);
  return {
    async close() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

const againSeconds = 5;

/** For programs, and for strangers: the reason may name servers and folders, and stands in the log. */
const waiting =
  'Huvudbok startar, eller väntar på sin databas; varför står i loggen. Försök igen strax.';

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
} as const;

/** As people at a browser do; programs ask for anything, or with a key. */
const wantsPage = (path: string, { headers }: IncomingMessage): boolean =>
  (headers.accept ?? '').includes('text/html') &&
  !path.startsWith('/api/') &&
  headers.authorization === undefined;

/**
 * For people, whom the reason would not help. It holds all it needs, for nothing else can be fetched yet. A page is
 * fetched again by itself; a form only by whoever sent it, and is done once however often that is.
 */
const waitingPage = (isForm: boolean): string => `<!doctype html>
<html lang="sv">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${isForm ? '' : `<meta http-equiv="refresh" content="${againSeconds}">\n`}<title>Försök igen strax – Huvudbok</title>
<style>body { font: 1rem/1.5 sans-serif; max-width: 34rem; margin: 4rem auto; padding: 0 1rem }</style>
</head>
<body>
<main>
<h1>Huvudbok är inte redo än</h1>
<p>${
  isForm
    ? 'Det du skickade har inte tagits emot. Vänta en stund och ladda om sidan: då skickar webbläsaren samma formulär igen, och det görs bara en gång.'
    : 'Huvudbok startar, eller väntar på sin databas. Sidan läses in igen av sig själv tills det är klart.'
}</p>
<p>Dröjer det mer än några minuter? Be den som sköter installationen läsa loggen; där står vad som saknas.</p>
</main>
</body>
</html>
`;

async function listen(
  server: Server,
  { port, host }: Config,
  say: (line: string) => void,
): Promise<void> {
  let hasSaid = false;
  for (const began = performance.now(); ; ) {
    try {
      server.listen({ port, host });
      await once(server, 'listening');
      return;
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
      if (!isTaken || performance.now() - began > takenMsMax)
        throw explainListen(error, port, host);
      if (!hasSaid && performance.now() - began > silentMsMax) {
        hasSaid = true;
        say(`Port ${port} är inte ledig än; väntar några sekunder på den som kanske just slutar.`);
      }
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
