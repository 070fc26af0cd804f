import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson, findJsonProblems } from '#src/domain/basics/json.ts';

/** As JSON.stringify would have it with the names in order. */
const ordered = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(ordered);
  const names = Object.keys(value).sort();
  return new Map(names.map((name) => [name, ordered((value as Record<string, unknown>)[name])]));
};
/** An object puts names that are numbers first, whatever the order they are given in. */
const textOf = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(textOf).join(',')}]`;
  if (!(value instanceof Map)) return JSON.stringify(value);
  return `{${[...value].map(([name, one]) => `${JSON.stringify(name)}:${textOf(one)}`).join(',')}}`;
};

describe('the one text of a JSON value', () => {
  test('is JSON with the names in order, whatever stands in texts and however many names there are', () => {
    const anything = fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' });
    const long = fc.dictionary(fc.string({ unit: 'binary', maxLength: 3 }), fc.integer(), {
      minKeys: 12,
      maxKeys: 24,
    });
    fc.assert(
      fc.property(fc.oneof(anything, long), (value) => {
        expect(canonicalJson(value)).toBe(textOf(ordered(value)));
      }),
    );
  });

  test.each(['"', '\\', '\n', '\0', '\u007f', '\u2028', 'å', '😀', '\ud83d', '\ude00'])(
    '%j in a text and as a name',
    (sign) => {
      const value = { [`a${sign}`]: `${sign}b` };
      expect(canonicalJson(value)).toBe(JSON.stringify(value));
    },
  );
});

test('what cannot be kept is named by its place, and names by that they are names', () => {
  const value = { rows: [{ note: 'hel' }, { note: 'a\0' }], text: '\ud800', 'x\0': [['\0']] };
  expect(
    findJsonProblems(JSON.stringify(value), value).map(({ path, reason }) => [path, reason]),
  ).toEqual([
    ['rows[1].note', 'nul_character'],
    ['text', 'lone_surrogate'],
    ['body', 'nul_character'],
    ['"x\\u0000"[0][0]', 'nul_character'],
  ]);
});
