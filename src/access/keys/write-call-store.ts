/** What the database says of a call's Idempotency-Key. */
import type { Db } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { CallOutcome, CallRefusal, WriteCall } from './write-calls.ts';

export type WriteRoute =
  | 'POST /api/v1/avrakning'
  | 'POST /api/v1/forslag'
  | 'POST /api/v1/kundfakturor'
  | 'POST /api/v1/underlag';

type Looked = CallOutcome & { outcome: CallRefusal | 'replayed' | null };

/** Of a call that a rule refuses: what it is refused for before that, or undefined. */
export async function lookAtCall(
  db: Db,
  route: WriteRoute,
  { keyHash, idempotencyKey, requestHash }: WriteCall,
): Promise<(CallOutcome & { outcome: CallRefusal }) | undefined> {
  if (idempotencyKey === null) return undefined;
  const [looked] = await db.query<Looked>(
    sql`select outcome, detail, first_request_id, first_seen_at, first_request
        from api.look_at_call(${route}, ${keyHash}, ${idempotencyKey}, ${requestHash})`,
  );
  if (!looked || looked.outcome === null || looked.outcome === 'replayed') return undefined;
  return { ...looked, outcome: looked.outcome };
}
