/** Proposals: a program makes one and may take it back; a person approves or rejects it. No program approves. */
import { callRefusal } from '../access/keys/write-calls.ts';
import { recordEvent } from '../audit/store.ts';
import { type Db, inSavepoint, inTrial, type Tx } from '../db/pool.ts';
import { visibleText } from '../domain/basics/visible-text.ts';
import { ledgerRefusal } from '../ledger/vouchers/refusals.ts';
import { type Fault, type Problem, Refusal, refuse, refuseWhole } from '../lib/errors.ts';
import { uuid } from '../lib/uuid.ts';
import { become, type Deciding } from './becoming.ts';
import type { ProposalKind, ProposalResult, Proposed } from './proposed.ts';
import {
  findProposal,
  insertProposal,
  lockProposals,
  type ProposalCall,
  type StoredProposal,
  setApproved,
  setRejected,
  withdrawForKey,
} from './store.ts';

export interface MadeProposal {
  readonly id: string;
  readonly isReplayed: boolean;
}

/**
 * Keeps what a key proposes. The same call again answers the same proposal, whatever has become of it. Throws 403 when
 * the key may book itself, and 422 with what would stop it today.
 */
export async function propose(db: Db, call: ProposalCall, request: string): Promise<MadeProposal> {
  // Nobody is to read what nobody sees.
  const prose = call.prose === null ? null : visibleText(call.prose).trim() || null;
  const outcome = await insertProposal(db, uuid(), { ...call, prose });
  const { id, detail } = outcome;
  switch (outcome.outcome) {
    case 'proposed':
    case 'replayed':
      if (id === null) throw new Error('a proposal was kept without an id');
      return { id, isReplayed: outcome.outcome === 'replayed' };
    case 'unprocessable':
    case 'period_locked':
      throw ledgerRefusal(outcome.outcome, detail ?? {});
    case 'scope_conflict':
      throw refuseWhole('scope_conflict', 'proposes_and_books');
    case 'too_many':
      throw refuseWhole('unprocessable', 'too_many_proposals');
    default:
      throw callRefusal(outcome as Parameters<typeof callRefusal>[0], request);
  }
}

/** The key takes back what it proposed. Throws 404, or 422 when somebody has decided. */
export async function withdraw(db: Db, keyHash: Buffer, id: string): Promise<void> {
  const outcome = await withdrawForKey(db, keyHash, id);
  switch (outcome) {
    case 'withdrawn':
      return;
    case 'not_found':
      throw refuseWhole('not_found', 'no_proposal');
    case 'approved':
    case 'rejected':
    case 'expired':
      throw refuseWhole('unprocessable', 'proposal_decided', { status: outcome });
    default:
      throw callRefusal(
        {
          outcome,
          detail: null,
          first_request_id: null,
          first_seen_at: null,
          first_request: null,
        } as Parameters<typeof callRefusal>[0],
        '{}',
      );
  }
}

export interface RefusedProposal {
  readonly id: string;
  readonly fault: Fault | Problem;
}

export interface DecidedProposals {
  readonly decided: readonly { readonly id: string; readonly result: ProposalResult | null }[];
  readonly refused: readonly RefusedProposal[];
}

/** Reads a payload as the API takes it; throws a refusal when it is none. */
export type ReadPayload = (kind: ProposalKind, payload: object) => Proposed;

/**
 * Each becomes exactly what it says, or stays open with the reason: what it relies on has moved, somebody else has
 * decided, or a service refuses it. One that is refused harms no other.
 */
export async function approveProposals(
  tx: Tx,
  ids: readonly string[],
  { read, ...deciding }: Deciding & { readonly read: ReadPayload },
): Promise<DecidedProposals> {
  return decideEach(tx, ids, async (proposal) => {
    const { id, kind, payload, moved, grounds, now_grounds: now } = proposal;
    if (moved.length > 0) {
      const changes = moved.map((name) => ({
        name,
        before: grounds[name] ?? null,
        now: now[name] ?? null,
      }));
      throw refuse('unprocessable', [{ path: '', reason: 'proposal_moved', params: { changes } }]);
    }
    const result = await become(tx, read(kind, payload), deciding);
    await setApproved(tx, id, result, deciding.actor);
    const detail = { kind, result_kind: result.kind, result_id: result.id };
    const { actor } = deciding;
    await recordEvent(tx, { actor, action: 'proposal.approved', subject: id, detail });
    return result;
  });
}

export function rejectProposals(
  tx: Tx,
  ids: readonly string[],
  { reason, actor }: { readonly reason: string; readonly actor: string },
): Promise<DecidedProposals> {
  return decideEach(tx, ids, async ({ id, kind }) => {
    await setRejected(tx, id, reason, actor);
    const detail = { kind, reason };
    await recordEvent(tx, { actor, action: 'proposal.rejected', subject: id, detail });
    return null;
  });
}

type Decide = (proposal: StoredProposal) => Promise<ProposalResult | null>;

/**
 * In the order they are given, each by itself: all are tried first, and those that nothing stops are done. They are held
 * in one order, so that two people never wait crosswise.
 */
async function decideEach(
  tx: Tx,
  ids: readonly string[],
  decide: Decide,
): Promise<DecidedProposals> {
  const chosen = [...new Set(ids)];
  await lockProposals(tx, chosen);
  const refused = await inTrial(tx, () => findRefused(tx, chosen, decide));
  const isRefused = new Set(refused.map(({ id }) => id));
  const decided: { id: string; result: ProposalResult | null }[] = [];
  for (const id of chosen.filter((one) => !isRefused.has(one))) {
    decided.push({ id, result: await decide(await requireOpen(tx, id)) });
  }
  return { decided, refused };
}

async function findRefused(
  tx: Tx,
  ids: readonly string[],
  decide: Decide,
): Promise<RefusedProposal[]> {
  const refused: RefusedProposal[] = [];
  for (const id of ids) {
    try {
      await inSavepoint(tx, async () => decide(await requireOpen(tx, id)));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { whole, faults } = error;
      const [fault] = whole ? [{ path: '', ...whole }] : faults;
      if (!fault) throw error;
      refused.push({ id, fault });
    }
  }
  return refused;
}

async function requireOpen(tx: Tx, id: string): Promise<StoredProposal> {
  const proposal = await findProposal(tx, id);
  if (!proposal) throw refuseWhole('not_found', 'no_proposal');
  const { status } = proposal;
  if (status !== 'open') throw refuseWhole('unprocessable', 'proposal_decided', { status });
  return proposal;
}
