/** What makes up an account's balance on a day, and saying that rows of it settle each other. */
import { recordEvent } from '../../audit/store.ts';
import { type Db, databaseErrorOf, type Tx } from '../../db/pool.ts';
import { type Ore, sum } from '../../domain/basics/money.ts';
import { isBalanceAccount } from '../../domain/ledger/account.ts';
import { type OpenItem, openItems, pairOf } from '../../domain/ledger/open-items.ts';
import { refuse } from '../../lib/errors.ts';
import { uuid } from '../../lib/uuid.ts';
import {
  type AccountItem,
  balanceAt,
  deletePairing,
  hasMoreRows,
  type ItemQuery,
  insertPairing,
  listItemRows,
  listKnownGroups,
  listPairings,
} from './store.ts';

/** More rows that documents do not settle are too many to be held in mind, by a server or a person. */
const rowsMax = 100_000;
/** As many as the database settles in the time of a call: a hundred thousand in five seconds. */
const settledMax = 250_000;

export interface OpenItems {
  readonly items: readonly OpenItem<AccountItem>[];
  /** What they come to, and what the books say. */
  readonly openOre: Ore;
  readonly balanceOre: Ore;
}

/** Null where what documents leave open is more than `most`. Throws 422 of an account that has no balance. */
export async function findOpenItems(
  db: Db,
  { account, day, most = rowsMax }: { account: number; day: string; most?: number },
): Promise<OpenItems | null> {
  if (!isBalanceAccount(account)) {
    throw refuse('unprocessable', [
      { path: 'account', reason: 'account_without_items', params: { account } },
    ]);
  }
  const withoutSettled = await hasMoreRows(db, { account, day, limit: most });
  const wanted: ItemQuery = { account, day, limit: most, withoutSettled };
  if (withoutSettled) {
    // Nearly all of a large account is settled, and that the database tells without handing it over.
    if (await hasMoreRows(db, { account, day, limit: settledMax })) return null;
    if (await hasMoreRows(db, wanted)) return null;
  }
  const rows = await listItemRows(db, wanted);
  // Somebody may have posted since they were counted.
  if (rows.length > most) return null;
  const pairings = await listPairings(db, account);
  const items = openItems(rows, pairings, await listKnownGroups(db, wanted));
  return {
    items,
    openOre: sum(items.map(({ openOre }) => openOre)),
    balanceOre: await balanceAt(db, account, day),
  };
}

/** Throws 422 of an account that has no balance, or too many rows. */
export async function listOpenItems(db: Db, account: number, day: string): Promise<OpenItems> {
  const found = await findOpenItems(db, { account, day });
  if (found) return found;
  const params = { account, most: rowsMax };
  throw refuse('unprocessable', [{ path: 'account', reason: 'account_too_large', params }]);
}

/** An item as it was shown. */
export interface ChosenItem {
  readonly voucherId: string;
  readonly rowNo: number;
  readonly openOre: Ore;
}

/** The end of all days: what is paired is paired whatever day one looks at. */
const always = '9999-12-31';

/** Answers how much was settled. Throws 422 where an item has changed meanwhile, or all go the same way. */
export async function pairItems(
  tx: Tx,
  { account, chosen }: { readonly account: number; readonly chosen: readonly ChosenItem[] },
  actor: string,
): Promise<{ readonly ore: Ore; readonly isWhole: boolean }> {
  const { items } = await listOpenItems(tx, account, always);
  const byKey = new Map(items.map((one) => [`${one.voucherId}.${one.rowNo}`, one]));
  const found = new Map<string, OpenItem<AccountItem>>();
  for (const { voucherId, rowNo, openOre } of chosen) {
    const key = `${voucherId}.${rowNo}`;
    const item = byKey.get(key);
    if (!item || item.openOre !== openOre) {
      throw refuse('unprocessable', [{ path: 'item', reason: 'item_changed' }]);
    }
    found.set(key, item);
  }
  const rows = pairOf([...found.values()]);
  if (rows === null) throw refuse('unprocessable', [{ path: 'item', reason: 'items_of_one_side' }]);
  const id = uuid();
  await insertPairing(tx, { id, account, rows }, actor).catch((error) => {
    // Another has paired them since they were read.
    if (databaseErrorOf(error)?.constraint !== 'pairings_settle') throw error;
    throw refuse('unprocessable', [{ path: 'item', reason: 'item_changed' }], { cause: error });
  });
  const detail = { pairing_id: id, rows: rows.length };
  await recordEvent(tx, { actor, action: 'account.paired', subject: `${account}`, detail });
  const openOre = sum([...found.values()].map((one) => one.openOre));
  const ore = sum(rows.map(({ amountOre }) => (amountOre > 0n ? amountOre : 0n)));
  return { ore, isWhole: openOre === 0n };
}

/** Nothing is unposted by it. Throws 422 when it is gone. */
export async function unpairItems(
  tx: Tx,
  { account, id }: { readonly account: number; readonly id: string },
  actor: string,
): Promise<void> {
  if (!(await deletePairing(tx, account, id))) {
    throw refuse('unprocessable', [{ path: '', reason: 'no_pairing' }]);
  }
  const detail = { pairing_id: id };
  await recordEvent(tx, { actor, action: 'account.unpaired', subject: `${account}`, detail });
}
