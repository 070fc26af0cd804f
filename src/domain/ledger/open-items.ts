/**
 * What makes up the balance of an account at the end of a day (avprickning): rows that nothing has settled yet, or not all
 * of. Two things settle rows: what documents know of each other (an invoice and its payment, a voucher and what takes it
 * back, a provider's settlement and its payout), and what people have paired. Whatever settles comes to nothing, so that
 * what is open always comes to the balance.
 */
import { absolute, least, type Ore, sum } from '../basics/money.ts';

/** A row of the account; debit above zero. */
export interface ItemRow {
  readonly voucherId: string;
  readonly rowNo: number;
  readonly amountOre: Ore;
}

/** So much of a row. */
export type PairedRow = ItemRow;

/** What people have paired. */
export interface ItemPairing {
  readonly id: string;
  readonly rows: readonly PairedRow[];
}

/** What of a voucher settles, or is settled by, others of its group. */
export interface KnownPart {
  readonly voucherId: string;
  /** Null where the voucher is meant, whichever of its rows. */
  readonly rowNo: number | null;
  /** Null for all that the voucher has on the account. */
  readonly ore: Ore | null;
}

/** Of one document: an invoice with its payments and credits, say; the oldest first. */
export type KnownGroup = readonly KnownPart[];

export type OpenItem<Row extends ItemRow> = Row & { readonly openOre: Ore };

const keyOf = ({ voucherId, rowNo }: Pick<ItemRow, 'voucherId' | 'rowNo'>): string =>
  `${voucherId}.${rowNo}`;

/** Rows to the end of a day, in their order, with what is left of each; settled ones are left out. */
export function openItems<Row extends ItemRow>(
  rows: readonly Row[],
  pairings: readonly ItemPairing[],
  groups: readonly KnownGroup[],
): OpenItem<Row>[] {
  const left = new Map(rows.map((row) => [keyOf(row), row.amountOre]));
  for (const { rows: paired } of pairings) {
    // What a later row settles was open then.
    if (!paired.every((one) => left.has(keyOf(one)))) continue;
    for (const one of paired) left.set(keyOf(one), (left.get(keyOf(one)) ?? 0n) - one.amountOre);
  }
  const byVoucher = Map.groupBy(rows, ({ voucherId }) => voucherId);
  for (const group of groups) settleGroup(group, byVoucher, left);
  return rows
    .map((row) => ({ ...row, openOre: left.get(keyOf(row)) ?? 0n }))
    .filter(({ openOre }) => openOre !== 0n);
}

interface Share {
  readonly key: string;
  ore: Ore;
}

/** The group's debits against its credits, in their order, as far as both go. */
function settleGroup(
  group: KnownGroup,
  byVoucher: ReadonlyMap<string, readonly ItemRow[]>,
  left: Map<string, Ore>,
): void {
  const claimed = new Map<string, Ore>();
  const shares = group.flatMap((part) => sharesOf(part, byVoucher, left, claimed));
  const credits = shares.filter(({ ore }) => ore < 0n);
  for (const debit of shares.filter(({ ore }) => ore > 0n)) {
    for (const credit of credits) {
      const ore = least(debit.ore, -credit.ore);
      if (ore === 0n) continue;
      debit.ore -= ore;
      credit.ore += ore;
      left.set(debit.key, (left.get(debit.key) ?? 0n) - ore);
      left.set(credit.key, (left.get(credit.key) ?? 0n) + ore);
    }
  }
}

/** Which rows a part is of, and how much of each is left for it; first one of just its amount. */
function sharesOf(
  { voucherId, rowNo, ore }: KnownPart,
  byVoucher: ReadonlyMap<string, readonly ItemRow[]>,
  left: ReadonlyMap<string, Ore>,
  claimed: Map<string, Ore>,
): Share[] {
  const rows = (byVoucher.get(voucherId) ?? [])
    .filter((row) => rowNo === null || row.rowNo === rowNo)
    .map((row) => {
      const key = keyOf(row);
      return { key, ore: (left.get(key) ?? 0n) - (claimed.get(key) ?? 0n) };
    })
    .filter((row) => row.ore !== 0n && (ore === null || row.ore > 0n === ore > 0n));
  const inOrder =
    ore === null ? rows : rows.toSorted((a, b) => Number(b.ore === ore) - Number(a.ore === ore));
  let rest = ore === null ? null : absolute(ore);
  return inOrder.flatMap(({ key, ore: room }) => {
    const size = rest === null ? absolute(room) : least(absolute(room), rest);
    if (size === 0n) return [];
    if (rest !== null) rest -= size;
    const share = room > 0n ? size : -size;
    claimed.set(key, (claimed.get(key) ?? 0n) + share);
    return [{ key, ore: share }];
  });
}

/**
 * How items that a person has chosen settle each other: all of the smaller side, and so much of the larger, the first
 * ones first. Null when all go the same way.
 */
export function pairOf(items: readonly OpenItem<ItemRow>[]): readonly PairedRow[] | null {
  const total = (isDebit: boolean): Ore =>
    absolute(sum(items.filter((one) => one.openOre > 0n === isDebit).map((one) => one.openOre)));
  const ore = least(total(true), total(false));
  if (ore === 0n) return null;
  const rest = { debit: ore, credit: ore };
  return items.flatMap(({ voucherId, rowNo, openOre }) => {
    const side = openOre > 0n ? 'debit' : 'credit';
    const size = least(absolute(openOre), rest[side]);
    rest[side] -= size;
    return size === 0n ? [] : [{ voucherId, rowNo, amountOre: openOre > 0n ? size : -size }];
  });
}
