/** Tools that propose, and tell what became of it. None approves: that is for people. */
import { z } from 'zod';
import { db } from '../../db/pool.ts';
import { canonicalJson } from '../../domain/basics/json.ts';
import { withKey } from '../../http/access.ts';
import { idSchema } from '../../http/schemas.ts';
import { refuseWhole } from '../../lib/errors.ts';
import { sha256Of } from '../../lib/sha256.ts';
import { type ProposalKind, proposalKinds } from '../../proposals/proposed.ts';
import { propose, withdraw } from '../../proposals/service.ts';
import {
  listProposalsForKey,
  type ProposalForKey,
  proposalStatuses,
} from '../../proposals/store.ts';
import { payloads, proposalOfCall } from '../proposals/payloads.ts';
import { proseSchema } from '../proposals/schemas.ts';
import { untrusted, untrustedSchema } from './answers.ts';
import { isId, isoDate, listTool, type Tool, type ToolCall, tool } from './tool.ts';

const shape = {
  proposal_id: z.string(),
  kind: z.string(),
  status: z.string().describe('open, approved, rejected, withdrawn or expired'),
  moved: z
    .array(z.string())
    .describe('What it relies on and that has changed: it cannot be approved as it is'),
  created_at: isoDate,
  expires_at: isoDate,
  decided_at: isoDate.nullable(),
  result: z.object({ kind: z.string(), id: z.string() }).nullable().describe('What it became'),
  url: z.string().describe('Where a person decides'),
  untrusted_text: untrustedSchema,
};
const whole = z.object({
  ...shape,
  payload: z
    .looseObject({})
    .nullable()
    .describe('As it was sent; null when it is too long to tell here'),
});

const answerOf = (one: ProposalForKey, baseUrl: string) => ({
  proposal_id: one.id,
  kind: one.kind,
  status: one.status,
  moved: one.moved.slice(0, 20).map((name) => untrusted({ name }, 100)['name'] ?? ''),
  created_at: one.created_at.toISOString(),
  expires_at: one.expires_at.toISOString(),
  decided_at: one.decided_at?.toISOString() ?? null,
  result: one.result_kind && one.result_id ? { kind: one.result_kind, id: one.result_id } : null,
  url: `${baseUrl}/forslag/${one.id}`,
  untrusted_text: untrusted({ prose: one.prose, reject_reason: one.reason }),
});

/** Beside what stands around it. */
const payloadBytesMax = 6_000;

async function getOwn({ deps, caller }: ToolCall, id: string) {
  const [found] = await withKey(deps.quickReaders, caller, (tx) =>
    listProposalsForKey(tx, { id, limit: 1 }),
  );
  if (!found) throw refuseWhole('not_found', 'no_proposal');
  const payload = found.payload as Record<string, unknown>;
  const fits = Buffer.byteLength(JSON.stringify(payload)) <= payloadBytesMax;
  return { ...answerOf(found, deps.config.baseUrl), payload: fits ? payload : null };
}

const told: Readonly<
  Record<ProposalKind, { readonly title: string; readonly description: string }>
> = {
  voucher: { title: 'Propose a voucher', description: 'A voucher of balanced rows.' },
  correction: {
    title: 'Propose a correction',
    description: 'A posted voucher taken back row by row, and perhaps one in its place.',
  },
  match: {
    title: 'Propose what a row of the bank is',
    description:
      'One of: the voucher that books it already, the invoice or purchase it pays, or an account.',
  },
  invoice_draft: {
    title: 'Propose a customer invoice',
    description: 'A draft: a person books and sends it.',
  },
  purchase: {
    title: "Propose a supplier's invoice",
    description: 'A draft in the supplier inbox: a person books and pays it.',
  },
};

const proposing = (kind: ProposalKind): Tool =>
  tool({
    name: `propose_${kind}`,
    title: told[kind].title,
    description: `${told[kind].description} Nothing is booked: a person looks at it and decides. Refused (scope_conflict) to a key with ledger:write.`,
    scopes: ['proposals:write', 'data:read', ...(kind === 'match' ? (['bank:read'] as const) : [])],
    input: z.strictObject({
      idempotency_key: z
        .string()
        .min(8)
        .max(255)
        .describe('One of your own for this proposal; the same again gives the same proposal'),
      payload: payloads[kind] as z.ZodType<unknown>,
      untrusted_text: proseSchema,
    }),
    output: whole,
    writes: true,
    takesRaw: true,
    run: async (call, { idempotency_key: idempotencyKey, payload, untrusted_text: prose }) => {
      const { deps, caller, requestId } = call;
      const sent = {
        kind,
        payload: payload as object,
        ...(prose == null ? {} : { untrusted_text: prose }),
      };
      const request = canonicalJson(sent);
      const made = await propose(
        db(deps.pool),
        proposalOfCall(sent, {
          keyHash: caller.hash,
          idempotencyKey,
          requestHash: sha256Of(request),
          requestId,
        }),
        request,
      );
      return getOwn(call, made.id);
    },
  });

const listProposalsTool = listTool({
  name: 'list_proposals',
  title: 'What this key has proposed',
  description: 'The latest first, with what became of each.',
  scopes: ['proposals:write'],
  asked: { status: z.enum(proposalStatuses).optional() },
  items: 'proposals',
  item: shape,
  isPlace: isId,
  read: (tx, { status }, { after, limit }) =>
    listProposalsForKey(tx, { status: status && [status], before: after?.[0], limit: limit + 1 }),
  placeOf: ({ id }) => [id],
  answer: (one, { deps }) => answerOf(one, deps.config.baseUrl),
});

const getProposalTool = tool({
  name: 'get_proposal',
  title: 'One proposal',
  description: 'What was proposed, and what became of it.',
  scopes: ['proposals:write'],
  input: z.strictObject({ proposal_id: idSchema }),
  output: whole,
  run: (call, { proposal_id: id }) => getOwn(call, id),
});

const withdrawProposalTool = tool({
  name: 'withdraw_proposal',
  title: 'Take back a proposal',
  description: 'Takes back one that nobody has decided on.',
  scopes: ['proposals:write'],
  input: z.strictObject({ proposal_id: idSchema }),
  output: whole,
  writes: true,
  run: async (call, { proposal_id: id }) => {
    await withdraw(db(call.deps.pool), call.caller.hash, id);
    return getOwn(call, id);
  },
});

export const proposalTools = {
  proposing: proposalKinds.map(proposing),
  listProposalsTool,
  getProposalTool,
  withdrawProposalTool,
};
