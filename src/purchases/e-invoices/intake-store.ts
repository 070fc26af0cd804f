/** What the intake worker reads and writes of documents (role hb_worker). */
import type { Tx } from '../../db/pool.ts';
import { prepared, sql } from '../../db/sql.ts';
import type { EInvoiceAnswer } from './answer.ts';

export interface LockedDocument {
  id: string;
  /** Of the document as it came. */
  bytes: number;
}

/** Documents still to be judged, held until commit, so that a job handed out twice judges once. */
export function lockDocuments(tx: Tx, ids: readonly string[]): Promise<LockedDocument[]> {
  return tx.query<LockedDocument>(
    prepared(
      'lock documents',
      sql`select id, octet_length(raw) as bytes from intake.e_invoices
          where id = any (${ids}::uuid[]) and status = 'received' order by id for update`,
    ),
  );
}

export interface WaitingDocument {
  id: string;
  raw: Buffer;
  /** Hexadecimal. */
  sha256: string;
  received_at: Date;
}

export function listDocuments(tx: Tx, ids: readonly string[]): Promise<WaitingDocument[]> {
  return tx.query<WaitingDocument>(
    prepared(
      'list documents',
      sql`select id, raw, encode(sha256, 'hex') as sha256, received_at from intake.e_invoices
          where id = any (${ids}::uuid[]) order by id`,
    ),
  );
}

/** The bytes of a document; null of what was too large to be kept, undefined of none. */
export async function findBytes(tx: Tx, id: string): Promise<Buffer | null | undefined> {
  const [document] = await tx.query<{ raw: Buffer | null }>(
    sql`select raw from intake.e_invoices where id = ${id}::uuid`,
  );
  return document?.raw;
}

/** Until commit nobody else takes in, or puts up to be judged, a document of this content. */
export async function holdContent(tx: Tx, sha256: Buffer): Promise<void> {
  await tx.query(sql`select intake.hold_contents(array[${sha256}::bytea])`);
}

/** The document of a content that waits or is a draft; of a content there is one at most. */
export async function findOfContent(
  tx: Tx,
  sha256: Buffer,
): Promise<{ id: string; draft_id: string | null } | undefined> {
  const [document] = await tx.query<{ id: string; draft_id: string | null }>(
    sql`select id, draft_id from intake.e_invoices
        where sha256 = ${sha256} and status <> 'rejected'`,
  );
  return document;
}

/** Puts a refused document up to be judged again. */
export async function reopenDocument(tx: Tx, id: string, sha256: Buffer): Promise<void> {
  const [reopened] = await tx.query(
    sql`update intake.e_invoices set status = 'received', reason = null, detail = null,
          decided_at = null, queued_at = now(), sha256 = ${sha256}
        where id = ${id}::uuid and status = 'rejected' returning id`,
  );
  if (!reopened) throw new Error(`document ${id} is not refused`);
}

export type DocumentDecision =
  | { readonly status: 'draft'; readonly id: string; readonly answer: EInvoiceAnswer }
  | {
      readonly status: 'rejected';
      readonly id: string;
      readonly reason: 'document_unreadable' | 'wrong_receiver';
      readonly detail: { readonly message: string };
    };

/** Writes the decisions and tells the calls that wait, when this commits. */
export async function writeDecisions(
  tx: Tx,
  decisions: readonly DocumentDecision[],
  channel: string,
): Promise<void> {
  const drafts = decisions.map((decision) =>
    decision.status === 'draft' ? decision.answer : null,
  );
  const refusals = decisions.map((decision) => (decision.status === 'rejected' ? decision : null));
  await tx.query(
    prepared(
      'write decisions',
      sql`with decided as materialized (
            select * from unnest(${decisions.map(({ id }) => id)}::uuid[],
              ${decisions.map(({ status }) => status)}::text[],
              ${refusals.map((refusal) => refusal?.reason ?? null)}::text[],
              ${refusals.map((refusal) => refusal && JSON.stringify(refusal.detail))}::jsonb[],
              ${drafts.map((answer) => answer?.draftId ?? null)}::uuid[],
              ${drafts.map((answer) => answer && JSON.stringify(answer))}::jsonb[])
              as d (id, status, reason, detail, draft_id, answer)
          ), document as (
            update intake.e_invoices e set status = d.status, reason = d.reason, detail = d.detail,
              draft_id = d.draft_id, answer = d.answer, decided_at = now()
            from decided d where e.id = d.id
          )
          select pg_notify(${channel}, string_agg(id::text, ',')) from decided`,
    ),
  );
}
