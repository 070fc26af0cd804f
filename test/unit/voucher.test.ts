import { describe, expect, it, test } from 'vitest';
import { maxAmountOre } from '#src/domain/basics/money.ts';
import { checkVoucher, isReservedSource, reservedSources } from '#src/domain/ledger/voucher.ts';
import { apiWords } from '../support/words.ts';

const debit = (debitOre: bigint) => ({ debitOre, creditOre: 0n });
const credit = (creditOre: bigint) => ({ debitOre: 0n, creditOre });
const reasons = (rows: Parameters<typeof checkVoucher>[0]) =>
  checkVoucher(rows).map(({ path, reason }) => `${path} ${reason}`);

describe('checkVoucher', () => {
  it('lets a balanced voucher through, up to the largest amount', () => {
    expect(checkVoucher([debit(100n), credit(100n)])).toEqual([]);
    expect(checkVoucher([debit(maxAmountOre), credit(1n), credit(maxAmountOre - 1n)])).toEqual([]);
  });

  it('says by how much a voucher does not balance, and which side lacks it', () => {
    const [problem] = checkVoucher([debit(10_000n), credit(9900n)]);
    expect(problem).toMatchObject({ path: 'rows', reason: 'unbalanced' });
    expect(apiWords(problem)).toContain('Kredit saknar 1,00\u00a0kr');
    expect(apiWords(checkVoucher([debit(1n), credit(3n)])[0])).toContain(
      'Debet saknar 0,02\u00a0kr',
    );
  });

  test.each([
    [[], ['rows too_few_rows']],
    [[debit(1n)], ['rows too_few_rows', 'rows unbalanced']],
    [[debit(1n), { debitOre: 1n, creditOre: 2n }], ['rows[1] both_sides']],
    [[debit(0n), debit(1n), credit(1n)], ['rows[0] no_amount']],
    [
      [debit(-1n), credit(-1n)],
      ['rows[0].debit negative_amount', 'rows[1].credit negative_amount'],
    ],
    [
      [debit(maxAmountOre + 1n), credit(maxAmountOre + 1n)],
      ['rows[0].debit amount_too_large', 'rows[1].credit amount_too_large', 'rows total_too_large'],
    ],
    [[debit(maxAmountOre), debit(1n), credit(maxAmountOre), credit(1n)], ['rows total_too_large']],
  ])('tells every fault at once (%#)', (rows, expected) => {
    expect(reasons(rows)).toEqual(expected);
  });

  it('does not answer with thousands of problems', () => {
    const problems = checkVoucher(Array.from({ length: 5000 }, () => debit(0n)));
    expect(problems.length).toBe(101);
    expect(apiWords(problems.at(-1))).toContain('4900');
  });
});

describe('reserved sources', () => {
  it("stops an integration from posing as the application's own posting", () => {
    expect(reservedSources.every(isReservedSource)).toBe(true);
    expect(['api', 'shop', 'Invoice', ''].some(isReservedSource)).toBe(false);
  });
});
