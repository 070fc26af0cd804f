/** /api/v1/forslag: what programs propose and people decide. There is no way to approve one here. */
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { ruleOnCall } from '../../access/keys/order-of-refusals.ts';
import { db, withTrial, withTx } from '../../db/pool.ts';
import { type Access, callerOf, requireScopes, withKey } from '../../http/access.ts';
import { idempotencyHeaders, parseJsonBody } from '../../http/body.ts';
import {
  errorResponses,
  idempotencyErrors,
  keyErrors,
  writeErrors,
} from '../../http/error-schemas.ts';
import type { App, AppDeps } from '../../http/fastify.ts';
import { noQuery } from '../../http/schemas.ts';
import { requireIdempotencyKey, runnableCallOf, writeQuery } from '../../http/write-calls.ts';
import { decodePlace, encodePlace } from '../../lib/cursor.ts';
import { refuseWhole } from '../../lib/errors.ts';
import { isUuid } from '../../lib/uuid.ts';
import { propose, withdraw } from '../../proposals/service.ts';
import { listProposalsForKey } from '../../proposals/store.ts';
import { cutPage } from '../paging.ts';
import { proposalOfCall, type SentProposal } from './payloads.ts';
import {
  checkedProposal,
  proposalAnswer,
  proposalInput,
  proposalItem,
  proposalPage,
  proposalParams,
  proposalQuery,
} from './schemas.ts';

const url = '/api/v1/forslag';
const security = [{ apiKey: [] }];
const tags = ['Proposals'];

export function registerProposals(app: App, deps: AppDeps, access: Access): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();
  registerReading(routes, deps, access);
  registerProposing(routes, deps, access);
}

type ReadDeps = Pick<AppDeps, 'quickReaders' | 'config'>;

/** The key's own proposal; throws 404 of anybody else's. */
async function getOwn(
  { quickReaders, config }: ReadDeps,
  caller: ReturnType<typeof callerOf>,
  id: string,
) {
  const [found] = await withKey(quickReaders, caller, (tx) =>
    listProposalsForKey(tx, { id, limit: 1 }),
  );
  if (!found) throw refuseWhole('not_found', 'no_proposal');
  return proposalAnswer(found, config.baseUrl);
}

const isPlace = (parts: readonly unknown[]): parts is readonly [string] => isUuid(parts[0]);

function registerReading(app: App, deps: AppDeps, access: Access): void {
  const common = {
    method: 'GET',
    config: { scopes: ['proposals:write'] },
    onRequest: access.hook(['proposals:write']),
  } as const;
  const routes = app.withTypeProvider<ZodTypeProvider>();
  routes.route({
    ...common,
    url,
    schema: {
      operationId: 'listProposals',
      summary: 'List what the key has proposed, the latest first',
      description:
        'Its own alone: what other keys and people have proposed is not told. Ask by status for those that wait.',
      tags,
      security,
      querystring: proposalQuery,
      response: { 200: proposalPage, ...errorResponses(...keyErrors, 'invalid_request') },
    },
    handler: async (request) => {
      const { status, limit, cursor } = request.query;
      const filters = ['forslag', status ?? null];
      const [before] = cursor === undefined ? [] : decodePlace(filters, cursor, isPlace);
      const asked = { status: status && [status], before, limit: limit + 1 };
      const found = await withKey(deps.readers, callerOf(request), (tx) =>
        listProposalsForKey(tx, asked),
      );
      return cutPage(found, limit, {
        answer: (one) => proposalAnswer(one, deps.config.baseUrl),
        cursorOf: ({ id }) => encodePlace(filters, [id]),
      });
    },
  });
  routes.route({
    ...common,
    url: `${url}/:id`,
    schema: {
      operationId: 'getProposal',
      summary: 'Read a proposal of the key and what became of it',
      description:
        'What waits can be decided at any time by a person, so ask again; nothing here can approve it.',
      tags,
      security,
      params: proposalParams,
      querystring: noQuery,
      response: {
        200: proposalItem,
        ...errorResponses(...keyErrors, 'invalid_request', 'not_found'),
      },
    },
    handler: (request) => getOwn(deps, callerOf(request), request.params.id),
  });
}

function registerProposing(app: App, deps: AppDeps, access: Access): void {
  const { pool } = deps;
  const routes = app.withTypeProvider<ZodTypeProvider>();
  routes.route({
    method: 'POST',
    url,
    config: { scopes: ['proposals:write', 'data:read'] },
    onRequest: access.hook(['proposals:write', 'data:read'], { isProposing: true }),
    preValidation: [requireIdempotencyKey, parseJsonBody],
    schema: {
      operationId: 'createProposal',
      summary: 'Propose something for a person to approve',
      description:
        'Needs the header Idempotency-Key. Nothing is posted: a person looks at it on the page `Förslag`, and approving it posts exactly the payload. A key that also has ledger:write gets 403 scope_conflict; a match needs bank:read too. The same key and body answer the same proposal, with Idempotent-Replayed: true. With ?dryRun=true everything is checked and nothing is written.',
      tags,
      security,
      headers: idempotencyHeaders,
      querystring: writeQuery,
      body: proposalInput,
      response: {
        200: z.union([proposalItem, checkedProposal]),
        ...errorResponses(
          ...keyErrors,
          ...writeErrors,
          ...idempotencyErrors,
          'scope_conflict',
          'period_locked',
          'unprocessable',
        ),
      },
    },
    handler: async (request, reply) => {
      const { run, ...call } = runnableCallOf(request);
      const judged = { route: 'POST /api/v1/forslag', call } as const;
      if (request.body.kind === 'match') requireScopes(callerOf(request), ['bank:read']);
      const sent = JSON.parse(call.request) as SentProposal;
      const proposed = await ruleOnCall(db(pool), judged, () => proposalOfCall(sent, call));
      const made = await run(pool, (tx) => propose(tx, proposed, call.request));
      if (request.query.dryRun) return { dry_run: true as const, kind: request.body.kind };
      if (made.isReplayed) reply.header('idempotent-replayed', 'true');
      return getOwn(deps, callerOf(request), made.id);
    },
  });
  routes.route({
    method: 'POST',
    url: `${url}/:id/aterta`,
    config: { scopes: ['proposals:write'] },
    onRequest: access.hook(['proposals:write']),
    schema: {
      operationId: 'withdrawProposal',
      summary: 'Take back a proposal that nobody has decided on',
      description: 'Takes no body. Taken back again, it stays taken back.',
      tags,
      security,
      params: proposalParams,
      querystring: writeQuery,
      response: {
        200: z.union([proposalItem, checkedProposal]),
        ...errorResponses(
          ...keyErrors,
          'invalid_request',
          'not_found',
          'unprocessable',
          'payload_too_large',
        ),
      },
    },
    handler: async (request) => {
      const caller = callerOf(request);
      const { id } = request.params;
      const { dryRun } = request.query;
      await (dryRun ? withTrial : withTx)(pool, (tx) => withdraw(tx, caller.hash, id));
      const own = await getOwn(deps, caller, id);
      return dryRun ? { dry_run: true as const, kind: own.kind } : own;
    },
  });
}
