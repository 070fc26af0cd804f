/** Proposals: made and withdrawn by keys through functions, decided by people. */
import type { CallOutcome } from '../access/keys/write-calls.ts';
import type { Db, Tx } from '../db/pool.ts';
import { sql } from '../db/sql.ts';
import type { ProposalKind, ProposalResult } from './proposed.ts';

export interface ProposalCall {
  readonly keyHash: Buffer;
  readonly idempotencyKey: string;
  readonly requestHash: Buffer;
  readonly requestId: string;
  readonly kind: ProposalKind;
  /** As it was sent. */
  readonly payload: object;
  /** What is said of it. */
  readonly prose: string | null;
}

export interface ProposalOutcome extends CallOutcome {
  id: string | null;
}

export async function insertProposal(
  db: Db,
  id: string,
  call: ProposalCall,
): Promise<ProposalOutcome> {
  const [outcome] = await db.query<ProposalOutcome>(
    sql`select outcome, id, detail, first_request_id, first_seen_at, first_request
        from api.propose(${call.keyHash}, ${call.idempotencyKey}, ${call.requestHash}, ${call.requestId}::uuid,
          ${id}::uuid, ${call.kind}, ${JSON.stringify(call.payload)}::jsonb, ${call.prose})`,
  );
  if (!outcome) throw new Error('the proposing gave no answer');
  return outcome;
}

export const proposalStatuses = ['open', 'approved', 'rejected', 'withdrawn', 'expired'] as const;
export type ProposalStatus = (typeof proposalStatuses)[number];

/** As the key that made it reads it. */
export interface ProposalForKey {
  id: string;
  kind: ProposalKind;
  status: ProposalStatus;
  payload: object;
  prose: string | null;
  created_at: Date;
  expires_at: Date;
  decided_at: Date | null;
  reason: string | null;
  result_kind: ProposalResult['kind'] | null;
  result_id: string | null;
  /** Names of what it relies on and that has changed (`proposals.grounds_of`); of one that is decided, none. */
  moved: string[];
}

export interface ProposalsAsked {
  readonly id?: string | undefined;
  readonly status?: readonly string[] | undefined;
  /** The last of the page before. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** The key's own, the latest first. */
export const listProposalsForKey = (
  db: Db,
  { id, status, before, limit }: ProposalsAsked,
): Promise<ProposalForKey[]> =>
  db.query(sql`select * from api.list_proposals(${id ?? null}::uuid, ${status ?? null}::text[],
    ${before ?? null}::uuid, ${limit}::integer)`);

/** `withdrawn`, or why not: another status, `not_found`, or what became of the key. */
export async function withdrawForKey(db: Db, keyHash: Buffer, id: string): Promise<string> {
  const [row] = await db.query<{ outcome: string }>(
    sql`select api.withdraw_proposal(${keyHash}, ${id}::uuid) as outcome`,
  );
  return row?.outcome ?? 'not_found';
}

/** Facts by name, as `proposals.grounds_of` has them. */
export type Grounds = Readonly<Record<string, Readonly<Record<string, unknown>> | null>>;

/** As people read it. */
export interface StoredProposal extends ProposalForKey {
  actor: string;
  grounds: Grounds;
  /** The same as they are now; of one that is decided, as they were. */
  now_grounds: Grounds;
  decided_by: string | null;
  /** What it became, as it is called: `A17`, an invoice's number. */
  result_label: string | null;
}

const statusNow = sql`case when p.status = 'open' and p.expires_at <= now() then 'expired' else p.status end`;

const columns = sql`p.id, p.kind, ${statusNow} as status, p.payload, p.prose, p.created_at, p.expires_at, p.decided_at,
  p.reason, p.result_kind, p.result_id, 'key:' || p.key_id as actor, p.grounds, p.decided_by,
  case when ${statusNow} = 'open' then proposals.moved_of(p) else '{}' end as moved,
  case when ${statusNow} = 'open' then proposals.grounds_of(p.kind, p.payload) else p.grounds end as now_grounds,
  case p.result_kind
    when 'voucher' then (select v.series || v.number from ledger.vouchers v where v.id = p.result_id)
    when 'invoice' then (select coalesce('faktura ' || i.number, 'fakturautkastet') from sales.invoices i where i.id = p.result_id)
    when 'purchase' then (select i.invoice_number from purchases.invoices i where i.id = p.result_id) end as result_label`;

export interface ProposalListing {
  /** Those that wait, the oldest first; or those that are decided or too old, the latest first. */
  readonly isOpen: boolean;
  readonly after: { readonly at: string; readonly id: string } | null;
  readonly limit: number;
}

/** With the place of each in the list. */
export function listStoredProposals(
  db: Db,
  { isOpen, after, limit }: ProposalListing,
): Promise<(StoredProposal & { place: string })[]> {
  const at = after?.at ?? null;
  const id = after?.id ?? null;
  return isOpen
    ? db.query(sql`select ${columns}, p.created_at::text as place from proposals.proposals p
        where p.status = 'open' and p.expires_at > now()
          and (${at}::text is null or (p.created_at, p.id) > (${at}::timestamptz, ${id}::uuid))
        order by p.created_at, p.id limit ${limit}`)
    : db.query(sql`select ${columns}, coalesce(p.decided_at, p.expires_at)::text as place from proposals.proposals p
        where (p.status <> 'open' or p.expires_at <= now())
          and (${at}::text is null or (coalesce(p.decided_at, p.expires_at), p.id) < (${at}::timestamptz, ${id}::uuid))
        order by coalesce(p.decided_at, p.expires_at) desc, p.id desc limit ${limit}`);
}

export async function findProposal(db: Db, id: string): Promise<StoredProposal | undefined> {
  const [found] = await db.query<StoredProposal>(
    sql`select ${columns} from proposals.proposals p where p.id = ${id}::uuid`,
  );
  return found;
}

/** Until commit nobody else decides on them; those that are not there are left out. */
export async function lockProposals(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.query(
    sql`select from proposals.proposals p where p.id = any (${ids}::uuid[]) order by p.id for update`,
  );
}

export async function setApproved(
  tx: Tx,
  id: string,
  { kind, id: resultId }: ProposalResult,
  actor: string,
): Promise<void> {
  await tx.query(sql`update proposals.proposals set status = 'approved', decided_at = clock_timestamp(),
    decided_by = ${actor}, result_kind = ${kind}, result_id = ${resultId}::uuid where id = ${id}::uuid`);
}

export async function setRejected(
  tx: Tx,
  id: string,
  reason: string,
  actor: string,
): Promise<void> {
  await tx.query(sql`update proposals.proposals set status = 'rejected', decided_at = clock_timestamp(),
    decided_by = ${actor}, reason = ${reason} where id = ${id}::uuid`);
}
