/** The labelled bank rows that matching is measured by are sound themselves, and matching is right about them. */
import { describe, expect, it } from 'vitest';
import { matchRows } from '#src/domain/ledger/bank-matching/matching.ts';
import { measureMatching } from '../../bench/matching-set/measure.ts';
import { stories, tellAll } from '../../bench/matching-set/stories.ts';
import { truth, truthOf } from '../../bench/matching-set/truth.ts';

const seed = 1;
const told = tellAll(seed);
const labelled = told.flatMap(({ world, places }) =>
  world.rows.map((row) => {
    const at = places.get(row.id);
    if (!at) throw new Error(`No story tells of ${row.id}.`);
    return { row, world, at, answer: truthOf(row, world, at) };
  }),
);

describe('the labelled bank rows', () => {
  it('are at least five hundred of fifty kinds, one in five of which meets nothing', () => {
    expect(labelled.length).toBeGreaterThanOrEqual(500);
    expect(Object.keys(truth).toSorted()).toEqual(Object.keys(stories).toSorted());
    expect(new Set(labelled.map(({ at }) => at.story)).size).toBe(Object.keys(stories).length);
    const empty = labelled.filter(({ answer }) => answer.right.every((one) => one === 'none'));
    expect(empty.length / labelled.length).toBeGreaterThanOrEqual(0.2);
  });

  it('stand in worlds of ten to sixty rows, the same every time', () => {
    for (const { world } of told) {
      expect(world.rows.length).toBeGreaterThanOrEqual(10);
      expect(world.rows.length).toBeLessThanOrEqual(60);
    }
    expect(tellAll(seed)).toEqual(told);
    expect(tellAll(seed + 1)).not.toEqual(told);
  });

  it('have ids of their own, as have documents, vouchers, earlier rows and rules', () => {
    const ids = told.flatMap(({ world }) =>
      [world.rows, world.documents, world.vouchers, world.earlier, world.rules].flatMap((all) =>
        all.map(({ id }) => id),
      ),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('have payments that add up', () => {
    for (const { row } of labelled) {
      if (row.payments.length === 0) continue;
      expect(
        row.payments.reduce((all, one) => all + (one.amount ?? 0n), 0n),
        row.id,
      ).toBe(row.amountOre);
    }
  });

  it('have a truth that names what their world has, and gives the whole sum of the row', () => {
    for (const { row, world, answer } of labelled) {
      for (const one of answer.right) {
        if (one === 'none' || one.kind === 'account') continue;
        if (one.kind === 'voucher')
          expect(world.vouchers.find(({ id }) => id === one.voucherId)?.roomOre, row.id).toBe(
            row.amountOre,
          );
        if (one.kind === 'return')
          expect(world.earlier.find(({ id }) => id === one.earlierId)?.amountOre, row.id).toBe(
            -row.amountOre,
          );
        if (one.kind === 'transfer')
          expect(world.rows.find(({ id }) => id === one.rowId)?.amountOre, row.id).toBe(
            -row.amountOre,
          );
        if (one.kind !== 'documents') continue;
        const parts = one.parts.reduce((all, { amountOre }) => all + amountOre, 0n);
        expect(parts + (one.difference?.amountOre ?? 0n), row.id).toBe(row.amountOre);
        expect(one.difference?.amountOre, row.id).not.toBe(0n);
        for (const { documentId, amountOre } of one.parts) {
          const open = world.documents.find(({ id }) => id === documentId)?.openOre ?? 0n;
          expect(
            open > 0n ? amountOre > 0n && amountOre <= open : amountOre < 0n && amountOre >= open,
            row.id,
          ).toBe(true);
        }
      }
    }
  });

  it('tell one who says nothing of any row only what truly is nothing', () => {
    const { rows, exact, restRight, misses } = measureMatching(() => new Map(), seed);
    expect({ rows, exact }).toEqual({ rows: labelled.length, exact: 0 });
    expect(restRight + misses.length).toBe(rows);
    expect(restRight).toBe(labelled.filter(({ answer }) => answer.right.includes('none')).length);
  });
});

describe('matching', () => {
  it('books none of them wrongly by itself, and is right about nine in ten of the others', () => {
    const { rows, exact, exactWrong, restRight, misses } = measureMatching(matchRows, seed);
    expect({ exactWrong, misses: misses.filter(({ isExact }) => isExact) }).toEqual({
      exactWrong: 0,
      misses: [],
    });
    // Not by daring nothing: two in three of those that may be are.
    expect(exact).toBeGreaterThan(
      (labelled.filter(({ answer }) => answer.mayBeExact).length * 2) / 3,
    );
    expect(restRight / (rows - exact), JSON.stringify(misses)).toBeGreaterThanOrEqual(0.9);
  });
});
