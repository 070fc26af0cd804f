/**
 * Kinds of bank rows and what they stand among. Nothing here says what is right: truth.ts does, by a story's name and a
 * row's place in it. Every name and number is invented.
 */

import type { MatchWorld } from '../../src/domain/ledger/bank-matching/match.ts';
import { customerStories } from './customer-stories.ts';
import { emptyStories } from './empty-stories.ts';
import { otherStories } from './other-stories.ts';
import { providerStories } from './provider-stories.ts';
import { supplierStories } from './supplier-stories.ts';
import { formats, lots, Teller, WorldDraft } from './world.ts';

export type Story = (teller: Teller) => void;

export const stories: Readonly<Record<string, Story>> = {
  ...customerStories,
  ...supplierStories,
  ...otherStories,
  ...providerStories,
  ...emptyStories,
};

export interface Told {
  readonly world: MatchWorld;
  /** By a row's id: the story, the row's place in it and what its documents' ids begin with. */
  readonly places: ReadonlyMap<string, { story: string; place: number; instance: string }>;
}

const tellings = 8;
const worlds_per_telling = 2;

/** What stories make of it stays small, whatever the seed. */
const variants_max = 40;

/** Each story eight times over, in sixteen worlds. The same seed gives the same rows. */
export function tellAll(seed: number): Told[] {
  const told: Told[] = [];
  for (let variant = 0; variant < tellings; variant++) {
    // Which stories meet differs from telling to telling.
    const lot = lots(seed * 613 + variant);
    const names = Object.keys(stories)
      .map((name) => ({ name, place: lot(1_000_000) }))
      .toSorted((a, b) => a.place - b.place)
      .map(({ name }) => name);
    for (let half = 0; half < worlds_per_telling; half++) {
      const format = formats[(variant + half + seed) % formats.length] ?? 'camt';
      const draft = new WorldDraft(seed * 1009 + variant * 31 + half, format);
      const places = new Map<string, { story: string; place: number; instance: string }>();
      for (const story of names.filter((_, i) => i % worlds_per_telling === half)) {
        const before = draft.rows.length;
        const instance = `${story}-${variant}`;
        stories[story]?.(new Teller(draft, instance, (variant + seed) % variants_max));
        draft.rows
          .slice(before)
          .forEach((row, place) => void places.set(row.id, { story, place, instance }));
      }
      told.push({ world: draft.world(), places });
    }
  }
  return told;
}
