/** The voucher that settles a VAT period: what is owed or comes back moves to one account. */
import { type Ore, sum } from '../basics/money.ts';
import { inWholeKronor } from './vat-return.ts';
import type { PostingRow } from './voucher.ts';

/** What of a period's VAT is left on an account: debit less credit, öre. */
export interface VatOnAccount {
  readonly account: number;
  /** The box of the VAT return; null when the account has none. */
  readonly box: string | null;
  readonly ore: Ore;
}

/** What a period's VAT comes to on an account, debit less credit, öre; on 2650 only what is settled. */
export interface VatOfAccount extends Omit<VatOnAccount, 'ore'> {
  readonly broughtOre: Ore;
  /** What the period's settlements have posted so far. */
  readonly settledOre: Ore;
}

/** BAS: Redovisningskonto för moms, and Öres- och kronutjämning. */
export const vatSettlementAccount = 2650;
const roundingAccount = 3740;

/** Whether a row of a settlement may stand on the account: 2610–2650, and where its öre go. The database holds to it. */
export const isSettlementRow = (account: number): boolean =>
  (account >= 2610 && account <= vatSettlementAccount) || account === roundingAccount;

/** What no settlement has moved to 2650. */
export const unsettledVat = (vat: readonly VatOfAccount[]): VatOnAccount[] =>
  vat
    .filter(({ account }) => account !== vatSettlementAccount)
    .map(({ account, box, broughtOre, settledOre }) => ({
      account,
      box,
      ore: broughtOre + settledOre,
    }))
    .filter(({ ore }) => ore !== 0n);

/**
 * Empties the accounts into 2650. A return is filed in whole kronor (SFL 26 kap.), öre dropped box by box,
 * and box 49 is reckoned from the boxes as written: 2650 comes to that of the whole period, whatever was
 * settled before, and what the öre come to goes to 3740. No rows when there is nothing to settle.
 */
export function vatSettlementRows(vat: readonly VatOfAccount[]): PostingRow[] {
  const left = unsettledVat(vat);
  if (left.length === 0) return [];
  const boxes = new Map<string, Ore>();
  for (const { account, box, broughtOre } of vat) {
    const key = box ?? String(account);
    boxes.set(key, (boxes.get(key) ?? 0n) + broughtOre);
  }
  const written = sum([...boxes.values()].map((ore) => inWholeKronor(ore) * 100n));
  const moved = vat.find(({ account }) => account === vatSettlementAccount)?.settledOre ?? 0n;
  const exact = sum(left.map(({ ore }) => ore));
  return [
    ...left
      .toSorted((one, other) => one.account - other.account)
      .map(({ account, ore }) => debit(account, -ore)),
    debit(vatSettlementAccount, written - moved),
    debit(roundingAccount, exact - (written - moved)),
  ].filter(({ debitOre, creditOre }) => debitOre !== creditOre);
}

/** What is to be paid by the settlement's rows, öre; below zero when it comes back. */
export const vatToPay = (rows: readonly PostingRow[]): Ore =>
  sum(
    rows
      .filter(({ account }) => account === vatSettlementAccount)
      .map(({ debitOre, creditOre }) => creditOre - debitOre),
  );

const debit = (account: number, ore: Ore): PostingRow =>
  ore < 0n ? { account, debitOre: 0n, creditOre: -ore } : { account, debitOre: ore, creditOre: 0n };
