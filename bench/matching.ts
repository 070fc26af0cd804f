/** How right the matching of bank rows is, on rows whose truth is known. */
import { matchRows } from '#src/domain/ledger/bank-matching/matching.ts';
import type { Figure } from './figure.ts';
import { measureMatching } from './matching-set/measure.ts';

const rest_right_min = 0.9;

export function measureMatchingSet(seed: number, note: (line: string) => void): Figure[] {
  const { stories, misses, rows, exact, exactWrong, restRight } = measureMatching(matchRows, seed);
  for (const [story, tally] of stories) {
    const rest = `${tally.restRight} of ${tally.rows - tally.exact} others right`;
    note(`${story}: ${tally.exact} of ${tally.rows} exact, ${tally.exactWrong} wrong; ${rest}`);
  }
  for (const miss of misses) {
    note(
      `${miss.isExact ? 'WRONG' : 'miss'} ${miss.row}\n  got ${miss.got}\n  right ${miss.right}: ${miss.why}`,
    );
  }
  const rest = rows - exact;
  const share = rest === 0 ? 1 : restRight / rest;
  return [
    {
      measurement: 'matching',
      what: `rows booked without a person, seed ${seed}`,
      value: `${exact} of ${rows}, ${exactWrong} wrongly`,
      wanted: '0 wrongly',
      is_met: exactWrong === 0,
      details: { seed, stories: Object.fromEntries(stories) },
    },
    {
      measurement: 'matching',
      what: `other rows suggested right or left alone, seed ${seed}`,
      value: `${restRight} of ${rest} (${(share * 100).toFixed(1)} %)`,
      wanted: `≥ ${rest_right_min * 100} %`,
      is_met: share >= rest_right_min,
    },
  ];
}
