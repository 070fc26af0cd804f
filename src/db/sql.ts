/**
 * SQL as tagged templates: sql`select … where id = ${id}` becomes { text, values }. A value is
 * always a parameter; another sql`…` is spliced in with its own parameters. There is no way to put
 * a string into the text, so a statement cannot be injected into.
 */
export interface Sql {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Statements with a name are prepared once per connection. */
  readonly name?: string;
}

const fragments = new WeakSet<object>();

const isFragment = (value: unknown): value is Sql =>
  typeof value === 'object' && value !== null && fragments.has(value);

export function sql(strings: TemplateStringsArray, ...parts: readonly unknown[]): Sql {
  let text = strings[0] ?? '';
  const values: unknown[] = [];
  parts.forEach((part, index) => {
    if (isFragment(part)) {
      const offset = values.length;
      text += part.text.replace(/\$(\d+)/g, (_, n) => `$${Number(n) + offset}`);
      values.push(...part.values);
    } else {
      values.push(part);
      text += `$${values.length}`;
    }
    text += strings[index + 1] ?? '';
  });
  const fragment = { text, values };
  fragments.add(fragment);
  return fragment;
}

/** Joins conditions or columns: `join([a, b], sql` and `)`. */
export function join(parts: readonly Sql[], separator: Sql): Sql {
  return parts.reduce((all, part) => sql`${all}${separator}${part}`);
}

/** What `lower(…) like` matches when the text stands anywhere in it; its own signs stand for themselves. */
export const anywhere = (text: string): string =>
  `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;

/** The same statement under a name, so that PostgreSQL parses and plans it once per connection. */
export function prepared(name: string, statement: Sql): Sql {
  return { ...statement, name };
}

/**
 * Numbers as an array parameter. They need no quotes, which the client would look for in each: half of what
 * sending a long voucher costs.
 */
export const numberArray = (numbers: readonly (number | bigint)[]): string =>
  `{${numbers.join(',')}}`;

const oids = { text: 25, bytea: 17 } as const;

/**
 * Texts or bytes as an array parameter, in PostgreSQL's binary form (array_recv): a count, then each with its length.
 * As text, quotes and backslashes would be looked for and doubled here, and taken out again there.
 */
export function packedArray(
  type: keyof typeof oids,
  values: readonly (string | Buffer | null)[],
): Buffer {
  const lengths = values.map((value) => (value === null ? 0 : Buffer.byteLength(value)));
  const bytes = lengths.reduce((all, length) => all + 4 + length, 20);
  const packed = Buffer.allocUnsafe(bytes);
  packed.writeInt32BE(values.length > 0 ? 1 : 0, 0);
  packed.writeInt32BE(values.includes(null) ? 1 : 0, 4);
  packed.writeInt32BE(oids[type], 8);
  packed.writeInt32BE(values.length, 12);
  packed.writeInt32BE(1, 16);
  let at = 20;
  for (const [index, value] of values.entries()) {
    at = packed.writeInt32BE(value === null ? -1 : (lengths[index] as number), at);
    if (typeof value === 'string') at += packed.write(value, at);
    else if (value !== null) at += value.copy(packed, at);
  }
  return values.length > 0 ? packed : packed.subarray(0, 12);
}

/** Texts as an array parameter, null when none says anything. */
export const textArrayIfAny = (texts: readonly (string | null)[]): Buffer | null =>
  saysAny(texts) ? packedArray('text', texts) : null;

/** Ids as an array parameter, null when there is none. */
export const wordArrayIfAny = (words: readonly (string | null)[]): string | null =>
  saysAny(words) ? wordArray(words) : null;

const saysAny = (list: readonly (string | null)[]): boolean => list.some((one) => one !== null);

/** What holds neither signs nor spaces as an array parameter: ids, days. */
export const wordArray = (words: readonly (string | null)[]): string =>
  `{${words.map((word) => word ?? 'NULL').join(',')}}`;
