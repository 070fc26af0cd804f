import type { KeyRefusal } from '../../access/keys/refusal.ts';
import type { Db } from '../../db/pool.ts';
import { packedArray, prepared, sql, wordArray } from '../../db/sql.ts';
import type { EInvoiceAnswer } from './answer.ts';

/** A document as it came, with the id it gets if it is new. */
export interface ReceivedDocument {
  readonly keyHash: Buffer;
  readonly id: string;
  readonly requestId: string;
  /** Null, as the bytes, for what was too large to be read. */
  readonly sha256: Buffer | null;
  readonly raw: Buffer | null;
  /** Bytes, as far as the sender said. */
  readonly size: number;
  /** Why the door refused it; null for what is left to the worker. */
  readonly refusal: { readonly reason: string; readonly message: string } | null;
}

export interface StoredDocument {
  outcome: 'stored' | KeyRefusal;
  /** Of the document with these bytes, which may have come before. */
  id: string;
  is_new: boolean;
}

export interface DocumentOutcome {
  refusal: KeyRefusal | null;
  id: string;
  status: 'received' | 'draft' | 'rejected';
  reason: string | null;
  detail: (Record<string, unknown> & { message?: string }) | null;
  /** What the first sender was answered, once it is a draft. */
  answer: EInvoiceAnswer | null;
}

/** Bytes, hash and job of many documents in one commit. */
export function storeDocuments(
  db: Db,
  documents: readonly ReceivedDocument[],
): Promise<StoredDocument[]> {
  const packed = (bytes: (document: ReceivedDocument) => Buffer | null) =>
    packedArray('bytea', documents.map(bytes));
  return db.query<StoredDocument>(
    prepared(
      'store e-invoices',
      sql`select outcome, id, is_new
          from api.store_e_invoices(
            ${packed(({ keyHash }) => keyHash)}::bytea[],
            ${wordArray(documents.map((document) => document.id))}::uuid[],
            ${packed(({ sha256 }) => sha256)}::bytea[],
            ${packed(({ raw }) => raw)}::bytea[],
            ${documents.map((document) => document.size)}::bigint[],
            ${documents.map((document) => document.requestId)}::uuid[],
            ${documents.map(({ refusal }) => refusal?.reason ?? null)}::text[],
            ${documents.map(({ refusal }) => refusal && JSON.stringify({ message: refusal.message }))}::jsonb[])
          order by item`,
    ),
  );
}

export function listDocumentOutcomes(
  db: Db,
  documents: readonly { readonly keyHash: Buffer; readonly id: string }[],
): Promise<DocumentOutcome[]> {
  return db.query<DocumentOutcome>(
    prepared(
      'e-invoice outcomes',
      sql`select refusal, id, status, reason, detail, answer
          from api.e_invoice_outcomes(${documents.map((document) => document.keyHash)}::bytea[],
            ${documents.map((document) => document.id)}::uuid[])
          order by item`,
    ),
  );
}
