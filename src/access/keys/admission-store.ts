import type { Db, Tx } from '../../db/pool.ts';
import { prepared, sql } from '../../db/sql.ts';
import type { Scope } from './scopes.ts';

export interface Admission {
  outcome:
    | 'admitted'
    | 'unauthorized'
    | 'key_expired'
    | 'key_revoked'
    | 'insufficient_scope'
    | 'server_misconfigured'
    | 'rate_limited';
  /** Null when no key has the secret. */
  key_id: string;
  name: string;
  scopes: Scope[];
  quota: number;
  used: bigint;
  seconds_left: number;
}

/** Judges calls, in their order, and counts each against its key's quota. */
export function admit(
  db: Db,
  calls: readonly { readonly hash: Buffer; readonly scopes: readonly Scope[] }[],
): Promise<Admission[]> {
  return db.query<Admission>(
    prepared(
      'admit',
      sql`select outcome, key_id, name, scopes, quota, used, seconds_left
          from api.admit(${calls.map(({ hash }) => hash)}::bytea[],
            ${calls.map(({ scopes }) => scopes.join(' '))}::text[])
          order by item`,
    ),
  );
}

/** How a key's hour stands. */
export interface CallWindow {
  /** Whether the calls were counted: not when there were not so many left. */
  readonly is_within: boolean;
  readonly quota: number;
  readonly used: bigint;
  readonly seconds_left: number;
}

/** Counts so many calls more of a key that has been let in; undefined when it is gone. */
export async function countFurther(
  db: Db,
  hash: Buffer,
  calls: number,
): Promise<CallWindow | undefined> {
  const [window] = await db.query<CallWindow>(
    prepared(
      'count further calls',
      sql`select is_within, quota, used, seconds_left from api.count_further(${hash}::bytea, ${calls}::integer)`,
    ),
  );
  return window;
}

/** Calls of a key that are counted before they come: `used` of its hour holds them. */
export interface CountedAhead extends Omit<Admission, 'outcome'> {
  readonly calls: number;
  /** When the hour opened that they are counted in, as PostgreSQL writes it. */
  readonly opened_at: string;
}

/** Counts at most so many calls ahead; undefined when the key is not to be let in, or too little is left of its quota. */
export async function countAhead(
  db: Db,
  hash: Buffer,
  calls: number,
): Promise<CountedAhead | undefined> {
  const [counted] = await db.query<CountedAhead>(
    prepared(
      'count calls ahead',
      sql`select key_id, name, scopes, quota, calls, used, opened_at::text, seconds_left
          from api.count_ahead(${hash}::bytea, ${calls}::integer)`,
    ),
  );
  return counted;
}

/** Takes back those of them that did not come. */
export async function uncount(
  db: Db,
  hash: Buffer,
  { calls, opened_at }: Pick<CountedAhead, 'calls' | 'opened_at'>,
): Promise<void> {
  await db.query(
    prepared(
      'uncount calls',
      sql`select api.uncount(${hash}::bytea, ${calls}::integer, ${opened_at}::timestamptz)`,
    ),
  );
}

/**
 * The key with this hash reads, until the transaction ends; throws when it no longer may at all. The hash goes as a
 * parameter, because every login may read the text of its other connections' statements.
 */
export async function presentKey(tx: Tx, hash: Buffer): Promise<void> {
  await tx.query(
    prepared(
      'credential',
      sql`select case when set_config('huvudbok.credential', ${hash.toString('hex')}, true) <> ''
          then api.require_key() end`,
    ),
  );
}
