/** One signed attempt, by the Standard Webhooks scheme. Never follows a redirect, never waits long. */
import http from 'node:http';
import https from 'node:https';
import { Webhook } from 'standardwebhooks';
import type { Network } from '../../config/networks.ts';
import { appVersion } from '../../lib/version.ts';
import { guardedLookup, type Protocol, type Resolve, urlProblem } from './addresses.ts';
import { restAskedFor } from './rest.ts';

export interface Message {
  /** The event's id: the same in every attempt, so that the receiver can tell it has it. */
  readonly eventId: string;
  readonly url: string;
  /** Newest first; after a rotation both sign for a day. */
  readonly secrets: readonly string[];
  readonly body: string;
}

export interface AttemptResult {
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly status: number | null;
  readonly error: string | null;
  /** For how long the receiver asks to be left alone; 0 when it does not. */
  readonly restMs: number;
}

type Answer = Pick<AttemptResult, 'status' | 'error' | 'restMs'>;

export type Send = (message: Message) => Promise<AttemptResult>;

const timeoutMs = 15_000;
const maxSockets = 64;

/** Keeps connections to endpoints open between messages. */
export function createSender(
  allowed: readonly Network[],
  resolve?: Resolve,
): { send: Send; close(): void } {
  const options = (protocol: Protocol) => ({
    keepAlive: true,
    maxSockets: maxSockets,
    lookup: guardedLookup(protocol, allowed, resolve),
  });
  const agents = {
    'https:': new https.Agent(options('https:')),
    'http:': new http.Agent(options('http:')),
  };
  return {
    async send(message) {
      const startedAt = new Date();
      const started = performance.now();
      const result = await post(message, agents, allowed).catch(
        (error): Answer => ({ status: null, error: explain(error), restMs: 0 }),
      );
      return { startedAt, durationMs: Math.round(performance.now() - started), ...result };
    },
    close() {
      agents['https:'].destroy();
      agents['http:'].destroy();
    },
  };
}

/** In the log of deliveries, of an address that was fit when it was set. */
const notCalled =
  'Webhookens adress är en som inte får anropas: den ska vara https och publik, eller i ett nät som WEBHOOK_PRIVATE_NETWORKS tillåter.';

function post(
  message: Message,
  agents: Record<Protocol, http.Agent>,
  allowed: readonly Network[],
): Promise<Answer> {
  if (urlProblem(message.url, allowed)) return Promise.reject(new Error(notCalled));
  const url = new URL(message.url);
  const isHttps = url.protocol === 'https:';
  const agent = agents[isHttps ? 'https:' : 'http:'];
  const signal = AbortSignal.timeout(timeoutMs);
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const request = (isHttps ? https : http).request(
    url,
    { method: 'POST', agent, signal, headers: headersOf(message) },
    (response) => {
      response.resume();
      response.on('error', reject);
      response.on('end', () => resolve(answerOf(response)));
    },
  );
  request.on('error', reject);
  request.end(message.body);
  return promise;
}

function answerOf({ statusCode: status = 0, headers }: http.IncomingMessage): Answer {
  const { 'retry-after': retryAfter, date } = headers;
  return { status, error: null, restMs: restAskedFor({ status, retryAfter, date }, new Date()) };
}

function headersOf({ eventId, secrets, body }: Message): http.OutgoingHttpHeaders {
  const at = new Date();
  return {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'user-agent': `Huvudbok/${appVersion}`,
    'webhook-id': eventId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets
      .map((secret) => new Webhook(secret).sign(eventId, at, body))
      .join(' '),
  };
}

const reasons: Record<string, string> = {
  ABORT_ERR: 'Inget svar inom 15 sekunder.',
  ENOTFOUND: 'Adressens namn finns inte i DNS.',
  ECONNREFUSED: 'Ingen tar emot på adressen.',
  ECONNRESET: 'Anslutningen bröts.',
  EPIPE: 'Anslutningen bröts.',
  EAI_AGAIN: 'Adressens namn gick inte att slå upp just då.',
  EHOSTUNREACH: 'Nätet når inte adressen.',
  ENETUNREACH: 'Nätet når inte adressen.',
  ETIMEDOUT: 'Nätet når inte adressen.',
  EPROTO: 'Mottagaren talar inte TLS på adressen.',
  CERT_HAS_EXPIRED: 'Mottagarens certifikat har gått ut.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Mottagarens certifikat är för en annan adress.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'Mottagarens certifikat är inte utfärdat av någon betrodd.',
  SELF_SIGNED_CERT_IN_CHAIN: 'Mottagarens certifikat är inte utfärdat av någon betrodd.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'Mottagarens certifikat är inte utfärdat av någon betrodd.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'Mottagarens certifikat är inte utfärdat av någon betrodd.',
  HPE_HEADER_OVERFLOW: 'Svarets rubriker är för stora.',
};
/** Any other code of Node's reader of HTTP. */
const notHttp = 'Svaret är inte HTTP.';

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  if (error.name === 'TimeoutError') return reasons['ABORT_ERR'] ?? '';
  const known = reasons[code] ?? (code.startsWith('HPE_') ? notHttp : undefined);
  return known ?? error.message.slice(0, 500);
}
