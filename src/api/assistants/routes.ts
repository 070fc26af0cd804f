/**
 * POST /mcp: the assistants' door, the Model Context Protocol of 2026-07-28 over HTTP. Each call is let in by its key as those of
 * the API are, and answered whole; there is no session to hijack and no stream to hold open.
 */
import type { FastifyRequest } from 'fastify';
import { type Access, callerOf, refuseBookers } from '../../http/access.ts';
import { parseJsonBody } from '../../http/body.ts';
import type { App, AppDeps } from '../../http/fastify.ts';
import { AppError, refuse } from '../../lib/errors.ts';
import type { AssistantHandler } from './handler.ts';
import type { AssistantSession } from './server.ts';

const bodyMaxBytes = 512 * 1024;
const loopback = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);

export function registerAssistants(app: App, deps: AppDeps, access: Access): void {
  const { config } = deps;
  const own = new URL(config.baseUrl);
  // The protocol and its tools come with the first call: most installations have no assistant.
  let opened: Promise<AssistantHandler> | undefined;
  const open = () => {
    opened ??= import('./handler.ts').then((made) => made.createAssistantHandler(bodyMaxBytes));
    return opened;
  };
  app.addHook('onClose', async () => (await opened)?.close());
  app.route({
    method: 'POST',
    url: '/mcp',
    schema: { hide: true },
    bodyLimit: bodyMaxBytes,
    onRequest: [async (request: FastifyRequest) => requireOwnPlace(request, own), access.hook([])],
    preValidation: [parseJsonBody],
    handler: async (request, reply) => {
      const caller = callerOf(request);
      requireOneMessage(request.body);
      if (isProposal(request.body)) refuseBookers(caller);
      const session: AssistantSession = {
        begin: async () => ({ caller, deps, requestId: request.id }),
        onFault: (error) => request.log.error({ err: error }, 'a tool failed'),
      };
      const handler = await open();
      const answer = await handler.fetch(
        new Request(new URL('/mcp', own), {
          method: 'POST',
          headers: sentHeaders(request),
          body: request.canonicalBody,
        }),
        {
          parsedBody: request.body,
          authInfo: {
            token: '',
            clientId: caller.keyId,
            scopes: [...caller.scopes],
            extra: { session },
          },
        },
      );
      const text = await answer.text();
      reply.code(answer.status);
      if (text === '') return reply.send();
      return reply.type('application/json; charset=utf-8').send(asJson(text));
    },
  });
}

/** Clients of 2025 are answered as a stream of one message by the library; here it is that message. */
function asJson(text: string): string {
  const [data] = text.split('\n').flatMap((line) => /^data: ?(\{.*)$/.exec(line)?.[1] ?? []);
  return data ?? text;
}

/** What the protocol reads of a call; the key stays here. */
function sentHeaders({ headers }: FastifyRequest): Headers {
  const passed = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    const isOfProtocol = name === 'content-type' || name === 'accept' || name.startsWith('mcp-');
    if (isOfProtocol && typeof value === 'string') passed.set(name, value);
  }
  return passed;
}

/**
 * A page in somebody's browser must not reach an installation by a name of its own that points here (DNS rebinding), nor speak
 * from another origin. The installation's own address passes, and this machine's.
 */
export function requireOwnPlace({ headers }: Pick<FastifyRequest, 'headers'>, own: URL): void {
  const host = nameOf(`http://${headers.host ?? ''}`);
  if (host === null || (host !== own.hostname && !loopback.has(host))) throw elsewhere('Host');
  const { origin } = headers;
  if (origin === undefined) return;
  const name = nameOf(origin);
  const isOwn =
    origin === own.origin || (name !== null && loopback.has(name) && loopback.has(host));
  if (!isOwn) throw elsewhere('Origin');
}

function nameOf(address: string): string | null {
  try {
    return new URL(address).hostname || null;
  } catch {
    return null;
  }
}

const elsewhere = (header: string) =>
  new AppError(
    'forbidden',
    `${header} är inte den här installationens; anropa den på dess egen adress.`,
  );

/** Each call is counted against the quota, so each brings one message. */
function requireOneMessage(body: unknown): void {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return;
  const message = 'Kroppen ska vara ett JSON-RPC-meddelande, inte en lista.';
  throw refuse('invalid_request', [{ path: 'body', reason: 'not_an_object', message }]);
}

function isProposal(body: unknown): boolean {
  const { method, params } = body as { method?: unknown; params?: { name?: unknown } | null };
  const name = params?.name;
  return method === 'tools/call' && typeof name === 'string' && name.startsWith('propose_');
}
