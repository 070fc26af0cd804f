/** A confirmed loss split into base and VAT, whatever was sold, credited, paid and taken back before. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { absolute, sum } from '#src/domain/basics/money.ts';
import { type LostRow, lossRows, type TaxedShare } from '#src/domain/sales/bad-debt.ts';

const at25: TaxedShare = { rate: 25, vatCode: 'MP1', netOre: 100_000n, vatOre: 25_000n };
const at12: TaxedShare = { rate: 12, vatCode: 'MP2', netOre: 10_000n, vatOre: 1_200n };
const posted = (loss: Partial<Parameters<typeof lossRows>[0]>) =>
  lossRows({
    ...{ lossOre: 0n, account: 6351, claimOre: 125_000n, feesOre: 0n, paidOre: 0n },
    ...{ shares: [at25], lost: [], ...loss },
  });
const shown = (rows: ReturnType<typeof lossRows>) =>
  rows.map(({ account, debitOre, creditOre, vatCode }) => [
    account,
    debitOre - creditOre,
    vatCode ?? null,
  ]);
const asLost = (rows: ReturnType<typeof lossRows>): LostRow[] =>
  rows.map(({ account, debitOre, creditOre, vatCode }) => ({
    account,
    vatCode: vatCode ?? null,
    ore: debitOre - creditOre,
  }));

describe('a loss', () => {
  test('of all is what the invoice posted, with the codes that it was sold by', () => {
    expect(shown(posted({ lossOre: 125_000n }))).toEqual([
      [6351, 100_000n, 'MP1'],
      [2611, 25_000n, null],
    ]);
  });

  test('of an invoice with two rates and a fee is of all three in proportion; the fee bears no VAT', () => {
    const claim = { shares: [at25, at12], claimOre: 125_000n + 11_200n + 6_000n };
    expect(shown(posted({ ...claim, lossOre: claim.claimOre }))).toEqual([
      [6351, 100_000n, 'MP1'],
      [2611, 25_000n, null],
      [6351, 10_000n, 'MP2'],
      [2621, 1_200n, null],
      [6351, 6_000n, null],
    ]);
    expect(shown(posted({ ...claim, lossOre: claim.claimOre / 2n }))).toEqual([
      [6351, 50_000n, 'MP1'],
      [2611, 12_500n, null],
      [6351, 5_000n, 'MP2'],
      [2621, 600n, null],
      [6351, 3_000n, null],
    ]);
  });

  test('of what was sold without VAT is a loss without VAT', () => {
    expect(shown(posted({ shares: [], lossOre: 125_000n }))).toEqual([[6351, 125_000n, null]]);
  });

  test('taken back goes the way it came, also when a credit note has taken the sale since', () => {
    const lost = asLost(posted({ lossOre: 125_000n }));
    const credited = { ...at25, netOre: 0n, vatOre: 0n };
    expect(shown(posted({ lossOre: -125_000n, lost, shares: [credited], claimOre: 0n }))).toEqual([
      [6351, -100_000n, 'MP1'],
      [2611, -25_000n, null],
    ]);
  });

  const ore = fc.bigInt({ min: 0n, max: 10_000_000n });
  const anyShare = fc
    .tuple(fc.constantFrom(25, 12, 6), fc.constantFrom('MP1', 'MP2', 'X', null), ore)
    .map(([rate, vatCode, netOre]): TaxedShare => {
      const vatOre = (netOre * BigInt(rate)) / 100n;
      return { rate: rate as 25 | 12 | 6, vatCode, netOre, vatOre };
    });

  test('whatever was sold comes to what was lost, and taking parts back leaves nothing', () => {
    fc.assert(
      fc.property(
        fc.array(anyShare, { maxLength: 5 }),
        fc.bigInt({ min: -99n, max: 100_000n }),
        fc.integer({ min: 1, max: 100 }),
        fc.integer({ min: 1, max: 100 }),
        (shares, rest, part, back) => {
          const gross = sum(shares.map(({ netOre, vatOre }) => netOre + vatOre));
          const claimOre = gross + rest;
          fc.pre(claimOre > 0n);
          const lossOre = (claimOre * BigInt(part)) / 100n;
          const rows = posted({ shares, claimOre, lossOre });
          const total = (some: typeof rows) =>
            sum(some.map(({ debitOre, creditOre }) => debitOre - creditOre));
          expect(total(rows)).toBe(lossOre);
          const vat = sum(
            rows
              .filter(({ account }) => account !== 6351)
              .map(({ debitOre, creditOre }) => debitOre - creditOre),
          );
          const sold = sum(shares.map(({ vatOre }) => vatOre));
          const due = (sold * lossOre) / claimOre;
          expect(absolute(vat - due)).toBeLessThanOrEqual(BigInt(shares.length + 1));

          const lost = asLost(rows);
          const first = (lossOre * BigInt(back)) / 100n;
          const one = posted({ shares, claimOre, lossOre: -first, lost });
          const left = [...lost, ...asLost(one)].reduce(
            (sums, { account, vatCode, ore: moved }) => {
              const key = `${account} ${vatCode}`;
              return sums.set(key, { account, vatCode, ore: (sums.get(key)?.ore ?? 0n) + moved });
            },
            new Map<string, LostRow>(),
          );
          const other = posted({
            shares,
            claimOre,
            lossOre: first - lossOre,
            lost: [...left.values()],
          });
          const after = [...left.values(), ...asLost(other)].reduce(
            (sums, { account, vatCode, ore: moved }) =>
              sums.set(`${account} ${vatCode}`, (sums.get(`${account} ${vatCode}`) ?? 0n) + moved),
            new Map<string, bigint>(),
          );
          expect([...after.values()].every((moved) => moved === 0n)).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('beside a fee is of the invoice only so far as payments left of it', () => {
    // 625 kr of 1 250 kr is paid: the fee is the last to be, so that half of the VAT comes back.
    const claim = { claimOre: 131_000n, feesOre: 6_000n, paidOre: 62_500n };
    expect(shown(posted({ ...claim, lossOre: 68_500n }))).toEqual([
      [6351, 50_000n, 'MP1'],
      [2611, 12_500n, null],
      [6351, 6_000n, null],
    ]);
  });

  test('that money comes for after all leaves the VAT of what is still unpaid', () => {
    const claim = { claimOre: 131_000n, feesOre: 6_000n };
    const lost = asLost(posted({ ...claim, lossOre: 131_000n }));
    expect(shown(posted({ ...claim, lost, lossOre: -125_000n, paidOre: 125_000n }))).toEqual([
      [6351, -100_000n, 'MP1'],
      [2611, -25_000n, null],
    ]);
  });

  test('however it came about, the VAT that has come back is that of the unpaid share', () => {
    const step = fc.record({
      isLoss: fc.boolean(),
      part: fc.integer({ min: 1, max: 100 }),
    });
    fc.assert(
      fc.property(
        fc.array(anyShare, { minLength: 1, maxLength: 4 }),
        fc.bigInt({ min: 0n, max: 6_000n }),
        fc.array(step, { minLength: 1, maxLength: 6 }),
        (shares, feesOre, steps) => {
          const invoiceOre = sum(shares.map(({ netOre, vatOre }) => netOre + vatOre));
          fc.pre(invoiceOre > 0n);
          const claimOre = invoiceOre + feesOre;
          const sums = new Map<string, LostRow>();
          let [paidOre, lostOre] = [0n, 0n];
          const lose = (lossOre: bigint) => {
            const lost = [...sums.values()];
            const rows = posted({ shares, claimOre, feesOre, paidOre, lossOre, lost });
            for (const row of asLost(rows)) {
              const key = `${row.account} ${row.vatCode}`;
              sums.set(key, { ...row, ore: (sums.get(key)?.ore ?? 0n) + row.ore });
            }
            lostOre += lossOre;
            expect(sum([...sums.values()].map(({ ore: one }) => one))).toBe(lostOre);
          };
          for (const { isLoss, part } of steps) {
            const some = ((claimOre - paidOre - lostOre) * BigInt(part)) / 100n;
            if (isLoss) lose(some);
            else paidOre += some;
          }
          lose(claimOre - paidOre - lostOre);
          // The first to be paid is the invoice, all its rates alike.
          const unpaid = invoiceOre > paidOre ? invoiceOre - paidOre : 0n;
          const back = sum(
            [...sums.values()].filter((row) => row.account !== 6351).map((row) => row.ore),
          );
          const sold = sum(shares.map(({ vatOre }) => vatOre));
          expect(absolute(back * invoiceOre - sold * unpaid)).toBeLessThanOrEqual(
            invoiceOre * BigInt(shares.length + 1),
          );
          if (paidOre === 0n) expect(back).toBe(sold);
          // And all of it again when the money comes after all.
          const rest = lostOre;
          paidOre += rest;
          lose(-rest);
          expect([...sums.values()].every(({ ore: one }) => one === 0n)).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });
});
