/** The second factor through the functions of schema `app`: no login reads the secrets (0028). */
import type { Tx } from '../db/pool.ts';
import { sql } from '../db/sql.ts';
import type { Proof } from './second-factor.ts';

export interface FactorTry {
  /** Before the next try; 0 when this one may be made. */
  seconds_left: number;
  secret: Buffer | null;
}

/** Counts a try of the presented session's user; undefined when there is no second factor to try. */
export async function trySecondFactor(tx: Tx): Promise<FactorTry | undefined> {
  const [row] = await tx.query<FactorTry>(
    sql`select seconds_left, secret from app.try_second_factor()`,
  );
  return row;
}

export interface CompletedSession {
  readonly hash: Buffer;
  readonly address: string;
  readonly agent: string;
}

/** False when the code was spent before: the waiting session waits on. */
export async function completeSession(
  tx: Tx,
  { step, recoveryHash }: Proof,
  { hash, address, agent }: CompletedSession,
): Promise<boolean> {
  const [row] = await tx.query<{ is_done: boolean }>(
    sql`select app.complete_session(${hash}, ${step}::bigint, ${recoveryHash}::bytea,
      ${address}::inet, ${agent}) as is_done`,
  );
  return row?.is_done ?? false;
}

/** False when one is on already. */
export async function turnOnSecondFactor(
  tx: Tx,
  secret: Buffer,
  step: bigint,
  recoveryHashes: readonly Buffer[],
): Promise<boolean> {
  const [row] = await tx.query<{ is_done: boolean }>(
    sql`select app.turn_on_second_factor(${secret}, ${step}::bigint, ${recoveryHashes}::bytea[])
      as is_done`,
  );
  return row?.is_done ?? false;
}

export async function turnOffSecondFactor(tx: Tx, { step, recoveryHash }: Proof): Promise<boolean> {
  const [row] = await tx.query<{ is_done: boolean }>(
    sql`select app.turn_off_second_factor(${step}::bigint, ${recoveryHash}::bytea) as is_done`,
  );
  return row?.is_done ?? false;
}

export async function renewRecoveryCodes(
  tx: Tx,
  { step, recoveryHash }: Proof,
  hashes: readonly Buffer[],
): Promise<boolean> {
  const [row] = await tx.query<{ is_done: boolean }>(
    sql`select app.renew_recovery_codes(${step}::bigint, ${recoveryHash}::bytea, ${hashes}::bytea[])
      as is_done`,
  );
  return row?.is_done ?? false;
}

/** How many of the person's own recovery codes are left. */
export async function countRecoveryCodes(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`select app.count_recovery_codes() as count`);
  return row?.count ?? 0;
}

/** Somebody else's, by an owner or operator. False when nothing was on. */
export async function removeSecondFactor(tx: Tx, userId: string): Promise<boolean> {
  const [row] = await tx.query<{ is_done: boolean }>(
    sql`select app.remove_second_factor(${userId}::uuid) as is_done`,
  );
  return row?.is_done ?? false;
}
