/**
 * A confirmed loss on an invoice: what was written off, split into what was sold and its output VAT, which
 * comes back (Skatteverket on boxes 05 and 10). The base goes down in the box that the sale went up in, so its rows bear the VAT
 * code of the sale although a loss stands on an account of costs.
 */
import { allocate, divideRounded, type Ore, sum } from '../basics/money.ts';
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
  /** Below zero when a loss is taken back. */
  readonly lossOre: Ore;
  readonly account: number;
  /** All that the invoice claims, settled or not: what was sold with VAT, rounding and fees. */
  readonly claimOre: Ore;
  readonly shares: readonly TaxedShare[];
  readonly lost: readonly LostRow[];
}

/**
 * The rows of a loss, against receivables. A part of the claim is lost in proportion; what bears no VAT
 * (exempt sales, fees, rounding) is lost without. One that is taken back goes the way it came.
 */
export function lossRows(loss: Loss): PostingRow[] {
  const parts = takesBack(loss) ? lostParts(loss) : claimedParts(loss);
  const sums = new Map<string, LostRow>();
  for (const part of parts) {
    const key = `${part.account} ${part.vatCode ?? ''}`;
    sums.set(key, { ...part, ore: (sums.get(key)?.ore ?? 0n) + part.ore });
  }
  return [...sums.values()]
    .filter(({ ore }) => ore !== 0n)
    .map(({ account, vatCode, ore }) => ({
      ...signedRow(account, ore),
      vatCode: vatCode ?? undefined,
    }));
}

const takesBack = ({ lossOre, lost }: Loss): boolean =>
  lossOre < 0n && -lossOre <= sum(lost.map(({ ore }) => ore));

function lostParts({ lossOre, lost }: Loss): LostRow[] {
  const parts = allocate(
    lossOre,
    lost.map(({ ore }) => ore),
  );
  return lost.map((row, index) => ({ ...row, ore: parts[index] ?? 0n }));
}

function claimedParts({ lossOre, account, claimOre, shares }: Loss): LostRow[] {
  const taxed = shares.filter(({ netOre, vatOre }) => netOre + vatOre !== 0n);
  const gross = taxed.map(({ netOre, vatOre }) => netOre + vatOre);
  const [untaxed = 0n, ...parts] = allocate(lossOre, [claimOre - sum(gross), ...gross]);
  return [
    ...taxed.flatMap(({ rate, vatCode, netOre, vatOre }, index): LostRow[] => {
      const part = parts[index] ?? 0n;
      const vatAccount = outputVatAccount(rate);
      if (vatAccount === null) return [{ account, vatCode: null, ore: part }];
      const vat = divideRounded(part * vatOre, netOre + vatOre);
      return [
        { account, vatCode, ore: part - vat },
        { account: vatAccount, vatCode: null, ore: vat },
      ];
    }),
    { account, vatCode: null, ore: untaxed },
  ];
}
