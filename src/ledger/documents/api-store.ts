/** Documents that programs leave with a key. */
import type { CallRefusal, WriteCall } from '../../access/keys/write-calls.ts';
import type { Db } from '../../db/pool.ts';
import { prepared, sql } from '../../db/sql.ts';
import type { DocumentDescription } from './store.ts';

export interface LeftDocument extends WriteCall, DocumentDescription {
  readonly id: string;
  readonly sha256: Buffer;
  readonly bytes: Buffer;
  readonly fileName: string;
  readonly mediaType: string;
}

export interface LeavingOutcome {
  outcome: 'kept' | 'replayed' | CallRefusal;
  id: string | null;
  told: {
    duplicate: boolean;
    status: 'waiting' | 'filed' | 'set_aside';
    received_at: string;
  } | null;
  detail: null;
  first_request_id: string | null;
  first_seen_at: Date | null;
  first_request: string | null;
}

/** One at a time: each may be ten mebibytes. */
export async function storeDocument(db: Db, document: LeftDocument): Promise<LeavingOutcome> {
  const [outcome] = await db.query<LeavingOutcome>(
    prepared(
      'store document',
      sql`select outcome, id, told, null as detail, first_request_id, first_seen_at, first_request
          from api.store_documents(array[${document.keyHash}]::bytea[],
            array[${document.idempotencyKey}]::text[], array[${document.requestHash}]::bytea[],
            array[${document.request}]::text[], array[${document.requestId}]::uuid[],
            array[${document.id}]::uuid[], array[${document.sha256}]::bytea[],
            array[${document.bytes}]::bytea[], array[${document.fileName}]::text[],
            array[${document.mediaType}]::text[], array[${document.date}]::date[],
            array[${document.amountOre}]::bigint[], array[${document.counterparty}]::text[])`,
    ),
  );
  if (!outcome) throw new Error('the document gave no answer');
  return outcome;
}
