import { expect, test } from 'vitest';
import { toJson } from '#src/cli/context.ts';

test('what a command prints as JSON is JSON, with the names of a map in its order', () => {
  const plain = {
    ...{ text: 'Å "ä"\n\0\\u0000', number: 1.5, none: null, unsaid: undefined, yes: true },
    ...{ list: [1, undefined, { deep: [] }], at: new Date(0), '10': 1, '05': 2, '': {} },
  };
  expect(toJson(plain)).toBe(JSON.stringify(plain));
  const boxes = new Map<string, unknown>([
    ['10', 1],
    ['05', new Map([['b', plain]])],
    ['gone', undefined],
  ]);
  expect(toJson({ boxes })).toBe(`{"boxes":{"10":1,"05":{"b":${JSON.stringify(plain)}}}}`);
});
