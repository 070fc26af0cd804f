/** In what a body is another than the one before it, as people are told. Pure. */

interface Difference {
  /** As in `rows[2].unitPrice`. */
  readonly path: string;
  /** Undefined where there was nothing. */
  readonly before: unknown;
  readonly after: unknown;
}

/** Deeper, what differs is told as it stands. */
const depthMax = 4;

const membersOf = (value: unknown): ReadonlyMap<string, unknown> | undefined => {
  if (Array.isArray(value)) return new Map(value.map((one, index) => [`[${index}]`, one]));
  if (typeof value !== 'object' || value === null) return undefined;
  return new Map(Object.entries(value).map(([name, one]) => [`.${name}`, one]));
};

/** Each place where they differ, in the order of the first; `most` at the most. */
export function differencesOf(before: unknown, after: unknown, most: number): Difference[] {
  const found: Difference[] = [];
  const walk = (path: string, one: unknown, other: unknown, depth: number): void => {
    if (found.length >= most) return;
    const [members, others] = [membersOf(one), membersOf(other)];
    const isSplit = members && others && Array.isArray(one) === Array.isArray(other);
    if (!isSplit || depth >= depthMax) {
      if (JSON.stringify(one) !== JSON.stringify(other)) {
        found.push({ path: path.replace(/^\./, ''), before: one, after: other });
      }
      return;
    }
    for (const name of new Set([...members.keys(), ...others.keys()])) {
      walk(path + name, members.get(name), others.get(name), depth + 1);
    }
  };
  walk('', before, after, 0);
  return found;
}
