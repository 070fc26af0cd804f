/** Chance that is the same every time: what a seed has once given it gives for ever. */

export interface Random {
  /** A whole number from `min` to `max`, both possible. */
  integer(min: number, max: number): number;
  pick<T>(choices: readonly T[]): T;
  /** True `percent` times of a hundred. */
  chance(percent: number): boolean;
}

/**
 * Each seed has a stream of its own, so what happens in one month never moves what happens in another.
 * FNV-1a makes a number of the seed, mulberry32 a stream of the number; neither guards any secret.
 */
export function createRandom(seed: string): Random {
  let state = 0x811c9dc5;
  for (const byte of Buffer.from(seed)) state = Math.imul(state ^ byte, 0x01000193);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    integer,
    pick<T>(choices: readonly T[]): T {
      const chosen = choices[integer(0, choices.length - 1)];
      if (chosen === undefined) throw new RangeError('there is nothing to pick from');
      return chosen;
    },
    chance: (percent) => integer(1, 100) <= percent,
  };
}
