/** How often matching is right about rows whose truth is known. */
import type {
  Match,
  MatchTarget,
  MatchWorld,
} from '../../src/domain/ledger/bank-matching/match.ts';
import { tellAll } from './stories.ts';
import { type Right, truthOf } from './truth.ts';

export interface Tally {
  rows: number;
  exact: number;
  exactWrong: number;
  /** Of the rows not given as exact: those suggested right, or rightly held for nothing. */
  restRight: number;
}
export interface Miss {
  readonly row: string;
  readonly isExact: boolean;
  readonly got: string;
  readonly right: string;
  readonly why: string;
}
export interface Accuracy extends Tally {
  readonly stories: ReadonlyMap<string, Tally>;
  readonly misses: readonly Miss[];
}

const empty = (): Tally => ({ rows: 0, exact: 0, exactWrong: 0, restRight: 0 });

export function measureMatching(
  match: (world: MatchWorld) => ReadonlyMap<string, Match>,
  seed: number,
): Accuracy {
  const whole = empty();
  const stories = new Map<string, Tally>();
  const misses: Miss[] = [];
  for (const { world, places } of tellAll(seed)) {
    const matches = match(world);
    for (const row of world.rows) {
      const at = places.get(row.id);
      if (!at) throw new Error(`No story tells of ${row.id}.`);
      const answer = truthOf(row, world, at);
      const given = matches.get(row.id);
      const isExact = given?.certainty === 'exact';
      const target = given && given.certainty !== 'none' ? given.target : 'none';
      const isRight = answer.right.some((one) => isSame(one, target));
      const isWrong = !isRight || (isExact && !answer.mayBeExact);
      const story = stories.get(at.story) ?? empty();
      stories.set(at.story, story);
      for (const tally of [whole, story]) {
        tally.rows++;
        if (isExact) tally.exact++;
        if (isExact && isWrong) tally.exactWrong++;
        if (!isExact && isRight) tally.restRight++;
      }
      if (isWrong) {
        const right = answer.right.map(readable).join(' or ');
        const limit = isRight ? ' (but a person must look)' : '';
        const text = `${row.id} ${row.day} ${row.amountOre} "${row.text}"`;
        misses.push({
          row: text,
          isExact,
          got: `${given?.certainty ?? 'none'}: ${readable(target)}`,
          right: right + limit,
          why: answer.why,
        });
      }
    }
  }
  return { ...whole, stories, misses };
}

/** A rule counts only where the truth names one. */
function isSame(right: Right, given: Right): boolean {
  if (right === 'none' || given === 'none') return right === given;
  if (right.kind === 'account' && given.kind === 'account' && right.ruleId === null) {
    return right.account === given.account;
  }
  return readable(right) === readable(given);
}

function readable(target: Right): string {
  return target === 'none' ? 'none' : words(target);
}

function words(target: MatchTarget): string {
  switch (target.kind) {
    case 'voucher':
      return `voucher ${target.voucherId}`;
    case 'settlement':
      return `settlement ${target.settlementId}`;
    case 'transfer':
      return `transfer with ${target.rowId}`;
    case 'return':
      return `return of ${target.earlierId}`;
    case 'account':
      return `account ${target.account}${target.ruleId ? ` by rule ${target.ruleId}` : ''}`;
    case 'documents': {
      const parts = target.parts.map((one) => `${one.kind} ${one.documentId} ${one.amountOre}`);
      const { difference } = target;
      if (difference?.kind === 'credit') {
        parts.push(...difference.owedTo.map((one) => `credit ${one.amountOre} of ${one.name}`));
      } else if (difference) parts.push(`${difference.kind} ${difference.amountOre}`);
      return parts.toSorted().join(' + ');
    }
  }
}
