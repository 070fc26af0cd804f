/** The second factor through the functions of schema `app`: no login reads the secrets. */
import type { Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { NewSession } from '../sessions/store.ts';
import type { Proof } from './second-factor.ts';

/** What a change of one's own second factor came to: done, or what was wrong. */
export type FactorChange = 'done' | 'password' | 'code' | 'on';

export interface FactorTry {
  /** Before the next try; 0 when this one may be made. */
  seconds_left: number;
  user_id: string;
  /** Null when it is not to be tried now, or was never sealed. */
  sealed: Buffer | null;
}

/** Counts a try of the presented session's user; undefined when there is no second factor to try. */
export async function trySecondFactor(tx: Tx): Promise<FactorTry | undefined> {
  const [row] = await tx.query<FactorTry>(
    sql`select seconds_left, user_id, sealed from app.try_second_factor()`,
  );
  return row;
}

/** False when the code proves nothing, or was spent before: the waiting session waits on. */
export async function completeSession(
  tx: Tx,
  proof: Proof | undefined,
  { hash, address, agent }: NewSession,
): Promise<boolean> {
  const { secret = null, step = null, recoveryHash = null } = proof ?? {};
  const [row] = await tx.query<{ is_done: boolean }>(
    sql`select app.complete_session(${hash}, ${secret}::bytea, ${step}::bigint,
      ${recoveryHash}::bytea, ${address}::inet, ${agent}) as is_done`,
  );
  return row?.is_done ?? false;
}

/** The try is of the person's own password; `on` when there is a second factor already. */
export async function turnOnSecondFactor(
  tx: Tx,
  passwordTry: string,
  factor: { readonly secret: Buffer; readonly sealed: Buffer; readonly step: bigint },
  recoveryHashes: readonly Buffer[],
): Promise<FactorChange> {
  const [row] = await tx.query<{ outcome: FactorChange }>(
    sql`select app.turn_on_second_factor(${passwordTry}::uuid, ${factor.secret}, ${factor.sealed},
      ${factor.step}::bigint, ${recoveryHashes}::bytea[]) as outcome`,
  );
  return row?.outcome ?? 'password';
}

export async function turnOffSecondFactor(
  tx: Tx,
  passwordTry: string,
  { secret, step, recoveryHash }: Proof,
): Promise<FactorChange> {
  const [row] = await tx.query<{ outcome: FactorChange }>(
    sql`select app.turn_off_second_factor(${passwordTry}::uuid, ${secret}::bytea,
      ${step}::bigint, ${recoveryHash}::bytea) as outcome`,
  );
  return row?.outcome ?? 'password';
}

export async function renewRecoveryCodes(
  tx: Tx,
  passwordTry: string,
  { secret, step, recoveryHash }: Proof,
  hashes: readonly Buffer[],
): Promise<FactorChange> {
  const [row] = await tx.query<{ outcome: FactorChange }>(
    sql`select app.renew_recovery_codes(${passwordTry}::uuid, ${secret}::bytea,
      ${step}::bigint, ${recoveryHash}::bytea, ${hashes}::bytea[]) as outcome`,
  );
  return row?.outcome ?? 'password';
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
