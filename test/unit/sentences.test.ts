/** That nobody reads "undefined": what makes a reason gives all that its sentence reads. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Fault, faultOf, refuse, refuseWhole } from '#src/lib/errors.ts';
import { type Reader, sentenceFor } from '#src/lib/sentences/say.ts';
import { sentences } from '#src/lib/sentences/tables.ts';
import { root } from '../support/house.ts';

describe('a reason', () => {
  it('that lacks what its sentence reads, or has it misspelt, does not compile', () => {
    const whole: Fault = {
      path: 'date',
      reason: 'in_the_future',
      params: { date: 'a', today: 'b' },
    };
    // @ts-expect-error: without params
    const none: Fault = { path: 'date', reason: 'in_the_future' };
    // @ts-expect-error: without today
    const half: Fault = { path: 'date', reason: 'in_the_future', params: { date: 'a' } };
    const params = { date: 'a', tody: 'b' };
    // @ts-expect-error: misspelt
    refuse('unprocessable', [{ path: 'date', reason: 'in_the_future', params }]);
    // @ts-expect-error: nothing may be null that stands in a sentence
    refuseWhole('not_found', 'no_invoice', { id: null });
    // @ts-expect-error: no such reason
    refuseWhole('not_found', 'no_invioce', { id: '1' });
    // @ts-expect-error: of several reasons, what all of them read
    faultOf('path', 'year_taken' as 'year_taken' | 'series_taken', { of: 2026 });
    expect(sentenceFor('page', whole)).not.toContain('undefined');
    expect([none, half].map((one) => sentenceFor('page', one))).toEqual([
      expect.stringContaining('undefined'),
      expect.stringContaining('undefined'),
    ]);
  });
});

/** The texts between the parentheses of each call in the SQL. */
function callsIn(text: string, name: string): string[] {
  return [...text.matchAll(new RegExp(`\\b${name}\\(`, 'g'))].map(({ index, 0: { length } }) => {
    let depth = 1;
    let end = index + length;
    while (depth > 0) depth += { '(': 1, ')': -1 }[text[end++] ?? ''] ?? 0;
    return text.slice(index + length, end - 1);
  });
}

/** The reasons that functions of the database tell, with the names of what they tell beside. */
async function toldByDatabase(): Promise<{ reason: string; names: Set<string> }[]> {
  const folder = join(root, 'migrations/functions');
  const files = (await readdir(folder, { recursive: true })).filter((path) =>
    path.endsWith('.sql'),
  );
  const texts = await Promise.all(files.map((path) => readFile(join(folder, path), 'utf8')));
  const doubts = texts.find((text) => text.includes('function sales.vat_doubt(')) ?? '';
  const objects = texts.flatMap((text) => callsIn(text, 'jsonb_build_object'));
  return objects
    .filter((object) => object.includes("'path', ") && object.includes("'reason', "))
    .flatMap((object) => {
      const names = new Set([...object.matchAll(/'(\w+)',/g)].map(([, name = '']) => name));
      const of = object.slice(object.indexOf("'reason', ") + "'reason', ".length);
      const reasons = of.startsWith('d.doubt')
        ? [...doubts.matchAll(/(?:then|else) '([a-z]\w+)'/g)]
        : of.startsWith('case')
          ? [...of.matchAll(/(?:then|else) '([a-z]\w+)'/g)]
          : [...of.matchAll(/^'(\w+)'/g)];
      return reasons.map(([, reason = '']) => ({ reason, names }));
    });
}

const readers: readonly Reader[] = ['api', 'page', 'command'];

/** What the sentences of a reason read. */
function readBy(reason: string): Set<string> {
  const read = new Set<string>();
  const get = (_: object, name: string | symbol) => {
    read.add(String(name));
    return '1';
  };
  const params = new Proxy({}, { get });
  for (const reader of readers) sentenceFor(reader, { path: 'x', reason, params } as Fault);
  return read;
}

describe('functions of the database', () => {
  it('tell reasons that have sentences, with all that these read', async () => {
    const told = await toldByDatabase();
    expect(told.map(({ reason }) => reason)).toEqual(
      expect.arrayContaining(['unknown_account', 'unknown_series', 'vat_rate_conflict']),
    );
    const without = told.filter(({ reason }) => !Object.hasOwn(sentences, reason));
    expect(without.map(({ reason }) => reason)).toEqual([]);
    // What the fault is about is known by who asked.
    const missing = told.flatMap(({ reason, names }) =>
      [...readBy(reason)]
        .filter((name) => name !== 'of' && !names.has(name))
        .map((name) => `${reason}: ${name}`),
    );
    expect(missing).toEqual([]);
  });
});
