/** The latest hundred calls of each key: written by the HTTP process, read by administrators. */
import type { Db } from '../../db/pool.ts';
import { prepared, sql } from '../../db/sql.ts';

/** One call by a known key, let in or refused. */
export interface KeyCall {
  readonly calledAt: Date;
  /** Method and path as the route has it: `GET /api/v1/verifikat`. */
  readonly route: string;
  readonly status: number;
  /** The error code; null when the call was answered as it wished. */
  readonly code: string | null;
  readonly durationMs: number;
  readonly requestId: string;
}

/** A call and the SHA-256 of the secret it was made with, which is what the database knows the key by. */
export interface MadeCall extends KeyCall {
  readonly hash: Buffer;
}

/** Calls in the order they were made; of each key the latest hundred in all are kept. */
export async function recordCalls(db: Db, calls: readonly MadeCall[]): Promise<void> {
  await db.query(
    prepared(
      'record calls',
      sql`select api.record_calls(${calls.map((call) => call.hash)}::bytea[],
        ${calls.map((call) => call.calledAt)}::timestamptz[],
        ${calls.map((call) => call.route)}::text[], ${calls.map((call) => call.status)}::integer[],
        ${calls.map((call) => call.code)}::text[],
        ${calls.map((call) => call.durationMs)}::integer[],
        ${calls.map((call) => call.requestId)}::uuid[])`,
    ),
  );
}

/** Newest first. */
export function listCalls(db: Db, keyId: string): Promise<KeyCall[]> {
  return db.query(sql`select called_at as "calledAt", route, status, code,
      duration_ms as "durationMs", request_id as "requestId"
    from restricted.key_calls where key_id = ${keyId}::uuid
    order by called_at desc, request_id desc`);
}
