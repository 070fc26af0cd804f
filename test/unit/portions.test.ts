import { expect, test } from 'vitest';
import { portionsOf } from '#src/lib/portions.ts';

const portions = (weights: readonly number[]) => [...portionsOf(weights, (weight) => weight, 10)];

test('what is handled together weighs no more than may be in memory, save one that is too heavy by itself', () => {
  expect(portions([])).toEqual([]);
  expect(portions([4, 6, 1, 50, 2, 8, 1])).toEqual([[4, 6], [1], [50], [2, 8], [1]]);
});
