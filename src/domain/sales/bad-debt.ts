/**
 * A confirmed loss on an invoice: what was written off, split into what was sold and its output VAT, which
 * comes back (Skatteverket on boxes 05 and 10). The base goes down in the box that the sale went up in, so its rows bear the VAT
 * code of the sale although a loss stands on an account of costs.
 */
import { allocate, divideRounded, least, type Ore, sum } from '../basics/money.ts';
import { settlementKindOf } from '../ledger/settlement-accounts.ts';
import { outputVatAccount, type VatRate } from '../ledger/vat.ts';
import { type PostingRow, signedRow } from '../ledger/voucher.ts';

/** What of an invoice was sold at a rate and code, less what credit notes have taken back. */
export interface TaxedShare {
  readonly rate: VatRate;
  readonly vatCode: string | null;
  readonly netOre: Ore;
  readonly vatOre: Ore;
}

/** What earlier losses on the invoice have posted: debit above zero. */
export interface LostRow {
  readonly account: number;
  readonly vatCode: string | null;
  readonly ore: Ore;
}

export interface Loss {
  /** Below zero when a loss is taken back, or the money came after all. */
  readonly lossOre: Ore;
  readonly account: number;
  /** All that the invoice claims, settled or not: what was sold with VAT, rounding and fees; less what was credited. */
  readonly claimOre: Ore;
  /** So much of the claim is reminder fees, which bear no VAT. */
  readonly feesOre: Ore;
  /** What has settled the claim beside losses, with what comes by the same voucher. */
  readonly paidOre: Ore;
  readonly shares: readonly TaxedShare[];
  readonly lost: readonly LostRow[];
}

/**
 * The rows of a loss, against receivables: all that is lost once it is, as what is unpaid is made up, less
 * what earlier losses have posted. So the VAT that has come back is that of the unpaid share, to the öre,
 * however many losses and payments there were. What was paid went to the invoice before its fees, as in a
 * collection case, and to all its rates alike; what bears no VAT (exempt sales, fees, rounding) is lost without.
 * One that is taken back goes the way it came.
 */
export function lossRows(loss: Loss): PostingRow[] {
  const { account, lossOre, lost } = loss;
  const changes = new Map<string, Change>();
  const add = (change: Change, way: 1n | -1n) => {
    const key = keyOf(change);
    const found = changes.get(key) ?? { ...change, ore: 0n };
    changes.set(key, { ...found, ore: found.ore + way * change.ore });
  };
  for (const part of partsOf(loss)) add(part, 1n);
  for (const row of lost) add(changeOf(row), -1n);
  return [...changes.values()].flatMap((change) => {
    const earlier =
      lossOre < 0n ? lost.filter((one) => keyOf(changeOf(one)) === keyOf(change)) : [];
    const { vatAccount, vatCode } = change;
    const ways =
      earlier.length > 0 ? earlier : [{ account: vatAccount ?? account, vatCode, ore: 1n }];
    const parts = allocate(
      change.ore,
      ways.map(({ ore }) => ore),
    );
    return ways
      .map((way, index) => ({ ...way, ore: parts[index] ?? 0n }))
      .filter(({ ore }) => ore !== 0n)
      .map((way) => ({ ...signedRow(way.account, way.ore), vatCode: way.vatCode ?? undefined }));
  });
}

/** A base is told apart by its code, VAT by its account. */
const keyOf = ({ vatAccount, vatCode }: Change): string => `${vatAccount ?? `loss ${vatCode}`}`;

/** What stands as lost on an account of losses, with VAT. */
export interface StandingLoss {
  readonly account: number;
  readonly ore: Ore;
}

/** What money beyond what is open of an invoice takes back of its losses. */
export function recovered(
  amountOre: Ore,
  openOre: Ore,
  losses: readonly StandingLoss[],
): StandingLoss[] {
  let left = amountOre - (openOre > 0n ? openOre : 0n);
  return losses.flatMap(({ account, ore: lostOre }) => {
    const ore = within(left, lostOre);
    left -= ore;
    return ore === 0n ? [] : [{ account, ore }];
  });
}

/** What is lost on an account of losses (`vatAccount` is null), or of VAT on its own. */
interface Change {
  readonly vatAccount: number | null;
  readonly vatCode: string | null;
  readonly ore: Ore;
}

const isLoss = ({ account }: LostRow): boolean => settlementKindOf(account) === 'loss';

const changeOf = (row: LostRow): Change => ({
  vatAccount: isLoss(row) ? null : row.account,
  vatCode: row.vatCode,
  ore: row.ore,
});

/** All that is lost when this is, by rate and code. */
function partsOf({ lossOre, claimOre, feesOre, paidOre, shares, lost }: Loss): Change[] {
  const lostOre = lossOre + sum(lost.map(({ ore }) => ore));
  const taxed = shares.filter(({ netOre, vatOre }) => netOre + vatOre !== 0n);
  const gross = taxed.map(({ netOre, vatOre }) => netOre + vatOre);
  const invoiceOre = claimOre - feesOre;
  const unpaidOre = within(invoiceOre - paidOre, invoiceOre);
  const [feesLost = 0n, invoiceLost = 0n] = allocate(lostOre, [
    within(claimOre - paidOre - unpaidOre, feesOre),
    unpaidOre,
  ]);
  const [untaxed = 0n, ...parts] = allocate(invoiceLost, [invoiceOre - sum(gross), ...gross]);
  const without = (ore: Ore): Change => ({ vatAccount: null, vatCode: null, ore });
  return [
    ...taxed.flatMap(({ rate, vatCode, netOre, vatOre }, index): Change[] => {
      const part = parts[index] ?? 0n;
      const vatAccount = outputVatAccount(rate);
      if (vatAccount === null) return [without(part)];
      const vat = divideRounded(part * vatOre, netOre + vatOre);
      return [
        { vatAccount: null, vatCode, ore: part - vat },
        { vatAccount, vatCode: null, ore: vat },
      ];
    }),
    without(untaxed + feesLost),
  ];
}

/** No less than nothing, and no more than there is. */
const within = (ore: Ore, most: Ore): Ore => {
  if (ore < 0n || most < 0n) return 0n;
  return least(ore, most);
};
