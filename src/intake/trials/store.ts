/** What senders want to have tried: kept while a worker judges it, and gone once that is told. */
import type { KeyRefusal } from '../../access/keys/refusal.ts';
import type { Db, Tx } from '../../db/pool.ts';
import { prepared, sql } from '../../db/sql.ts';

export type TrialKind = 'order' | 'e_invoice';

export interface Trial {
  readonly keyHash: Buffer;
  readonly id: string;
  readonly kind: TrialKind;
  readonly raw: Buffer;
}

export interface StoredTrial {
  outcome: 'stored' | KeyRefusal;
}

/** Bytes and job of many in one commit. */
export function storeTrials(db: Db, trials: readonly Trial[]): Promise<StoredTrial[]> {
  return db.query<StoredTrial>(
    prepared(
      'store trials',
      sql`select outcome from api.store_trials(${trials.map(({ keyHash }) => keyHash)}::bytea[],
          ${trials.map(({ id }) => id)}::uuid[], ${trials.map(({ kind }) => kind)}::text[],
          ${trials.map(({ raw }) => raw)}::bytea[]) order by item`,
    ),
  );
}

export interface TrialOutcome {
  /** Why the key may not know. */
  refusal: KeyRefusal | null;
  /** What the worker says, null until it has; told once. */
  trial: unknown;
}

export function takeTrialOutcomes(
  db: Db,
  trials: readonly Pick<Trial, 'keyHash' | 'id'>[],
): Promise<TrialOutcome[]> {
  return db.query<TrialOutcome>(
    prepared(
      'trial outcomes',
      sql`select refusal, trial from api.trial_outcomes(
          ${trials.map(({ keyHash }) => keyHash)}::bytea[], ${trials.map(({ id }) => id)}::uuid[])
          order by item`,
    ),
  );
}

/** Those that nobody has judged yet, held until commit, with what they weigh. */
export function lockTrials(
  tx: Tx,
  ids: readonly string[],
): Promise<{ id: string; bytes: number }[]> {
  return tx.query(
    prepared(
      'lock trials',
      sql`select id, octet_length(raw) as bytes from intake.trials
          where id = any (${ids}::uuid[]) and outcome is null order by id for update`,
    ),
  );
}

export function listTrials(
  tx: Tx,
  ids: readonly string[],
): Promise<{ id: string; kind: TrialKind; raw: Buffer }[]> {
  return tx.query(
    prepared(
      'list trials',
      sql`select id, kind, raw from intake.trials where id = any (${ids}::uuid[]) order by id`,
    ),
  );
}

export async function writeOutcome(
  tx: Tx,
  {
    id,
    outcome,
    channel,
  }: { readonly id: string; readonly outcome: string; readonly channel: string },
): Promise<void> {
  await tx.query(
    prepared(
      'write trial outcome',
      sql`with told as (
            update intake.trials set outcome = ${outcome}::jsonb where id = ${id}::uuid returning id
          )
          select pg_notify(${channel}, id::text) from told`,
    ),
  );
}
