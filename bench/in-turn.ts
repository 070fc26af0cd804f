/** Two loads in turn, several times, so that a noisy machine disturbs both alike. */
import type { Rate } from './figure.ts';
import { median } from './statistics.ts';

const rounds = 3;

export interface Comparison {
  readonly base: Rate;
  readonly rate: Rate;
  /** Of the rates, rate / base. */
  readonly ratio: { readonly median: number; readonly all: string };
}

export async function measureInTurn(
  runBase: () => Promise<Rate>,
  run: () => Promise<Rate>,
): Promise<Comparison> {
  const pairs: { base: Rate; rate: Rate }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    pairs.push({ base: await runBase(), rate: await run() });
  }
  const ratios = pairs.map(({ base, rate }) => rate.per_second / base.per_second);
  return {
    base: medianRound(pairs.map(({ base }) => base)),
    rate: medianRound(pairs.map(({ rate }) => rate)),
    ratio: { median: median(ratios), all: ratios.map((one) => one.toFixed(2)).join(', ') },
  };
}

/** The round whose rate is in the middle, whole, with all rounds beside it. */
function medianRound(all: readonly Rate[]): Rate {
  const sorted = all.toSorted((a, b) => a.per_second - b.per_second);
  const [round] = sorted.slice(Math.floor(sorted.length / 2));
  if (!round) throw new Error('there was no round');
  return { ...round, what: `${round.what}, median of ${all.length} rounds`, details: all };
}
