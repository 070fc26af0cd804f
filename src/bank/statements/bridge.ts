/**
 * The bridge between bank and books at the end of a day, and that a person has signed it. A sign-off stands for as long
 * as the bridge comes to what it came to: a voucher, a row or a match under it that changes opens it again by itself.
 */
import { recordEvent } from '../../audit/store.ts';
import type { Db, Tx } from '../../db/pool.ts';
import { canonicalJson } from '../../domain/basics/json.ts';
import type { Ore } from '../../domain/basics/money.ts';
import { faultOf, refuse } from '../../lib/errors.ts';
import { uuid } from '../../lib/uuid.ts';
import {
  type BridgePart,
  getDayBalances,
  insertSignOff,
  listEarly,
  listLater,
  listMissing,
  listOutside,
  listSignOffs,
  type SignOff,
} from './bridge-store.ts';

/** books − bank = outside + later − missing − early + unexplained, always. */
export interface Bridge {
  readonly day: string;
  readonly bank: Ore;
  readonly books: Ore;
  /** Booked, and not at the bank. */
  readonly outside: BridgePart;
  /** At the bank, and not booked. */
  readonly missing: BridgePart;
  /** In both, on either side of the day: at the bank later, and booked later. */
  readonly later: BridgePart;
  readonly early: BridgePart;
  /** What no row tells, such as a balance that was wrong before the bank's first row. */
  readonly unexplained: Ore;
}

/** Null when the bank has said nothing by then. */
export async function bridgeAt(db: Db, accountId: string, day: string): Promise<Bridge | null> {
  const balances = await getDayBalances(db, accountId, day);
  if (!balances || balances.bank_ore === null) return null;
  const { bank_ore: bank, ledger_ore: books, first_day: first } = balances;
  // Nothing is outside before the bank has begun to tell.
  const span = [first ?? '9999-12-31', day] as const;
  const outside = await listOutside(db, accountId, span);
  const missing = await listMissing(db, accountId, day);
  const later = await listLater(db, accountId, span);
  const early = await listEarly(db, accountId, span);
  const told = outside.ore + later.ore - missing.ore - early.ore;
  return { day, bank, books, outside, missing, later, early, unexplained: books - bank - told };
}

/** What a sign-off rests on; öre and counts as text, and which rows they are of. */
const summaryOf = (bridge: Bridge): Record<string, string> => ({
  bank: String(bridge.bank),
  books: String(bridge.books),
  unexplained: String(bridge.unexplained),
  ...Object.fromEntries(
    (['outside', 'missing', 'later', 'early'] as const).map((name) => {
      const { count, ore, digest } = bridge[name];
      return [name, `${count} ${ore} ${digest}`.trimEnd()];
    }),
  ),
});

/** Throws 422 when the bank has said nothing by the day, or what nothing explains is signed without a word. */
export async function signOff(
  tx: Tx,
  {
    accountId,
    day,
    note,
  }: { readonly accountId: string; readonly day: string; readonly note: string },
  actor: string,
): Promise<void> {
  const bridge = await bridgeAt(tx, accountId, day);
  if (!bridge) throw refuse('unprocessable', [faultOf('day', 'no_bank_balance')]);
  if (bridge.unexplained !== 0n && note === '') {
    const params = { openOre: bridge.unexplained };
    throw refuse('unprocessable', [faultOf('note', 'bridge_unexplained', params)]);
  }
  const id = uuid();
  await insertSignOff(tx, { id, accountId, day, summary: summaryOf(bridge), note }, actor);
  await recordEvent(tx, { actor, action: 'bank.signed_off', subject: accountId, detail: { day } });
}

export interface StandingSignOff extends SignOff {
  /** False once something under it has changed. */
  readonly stands: boolean;
}

const signOffsShown = 6;

export async function listStandingSignOffs(db: Db, accountId: string): Promise<StandingSignOff[]> {
  const signed: StandingSignOff[] = [];
  for (const one of await listSignOffs(db, accountId, signOffsShown)) {
    const bridge = await bridgeAt(db, accountId, one.day);
    const stands =
      bridge !== null && canonicalJson(summaryOf(bridge)) === canonicalJson(one.summary);
    signed.push({ ...one, stands });
  }
  return signed;
}
