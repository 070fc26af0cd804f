/** What keeps the house tidy. `npm run house` prints its figures. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { circlesOf, readHouse, root } from '../support/house.ts';

const house = await readHouse();

/** Imports that a file has no business with, as `file → imported`. */
const importsOf = (
  from: (path: string) => boolean,
  isWrong: (imported: string) => boolean,
): string[] =>
  house.files
    .filter(({ path }) => from(path))
    .flatMap(({ path, imports }) =>
      imports.filter(isWrong).map((imported) => `${path} → ${imported}`),
    );

const isStore = (path: string): boolean => /(^|\/|-)store\.ts$/.test(path);

/** Words that stand more than once, with where. */
function doubled(words: readonly (readonly [word: string, where: string])[]): string[] {
  const places = Map.groupBy(words, ([word]) => word);
  return [...places]
    .filter(([, found]) => found.length > 1)
    .map(([word, found]) => `${word}: ${found.map(([, where]) => where).join(', ')}`);
}

describe('the rooms', () => {
  it('are few enough to be known by heart', () => {
    expect(house.rooms.length).toBeLessThanOrEqual(36);
  });

  it('lead nowhere in circles, and neither do their files', () => {
    expect(house.circles).toEqual({ rooms: [], files: [] });
  });

  it('would be seen in a circle, also a long one', () => {
    const targets = { a: ['b'], b: ['c'], c: ['d', 'a'], d: ['e'], e: [] };
    const map = new Map(Object.entries(targets).map(([from, to]) => [from, new Set<string>(to)]));
    expect(circlesOf(map)).toEqual([['a', 'b', 'c']]);
  });

  it('have rules that know of nothing but rules and how to refuse', () => {
    const isRule = (path: string) => path.startsWith('src/domain/');
    const isElse = (path: string) => !isRule(path) && !/^src\/lib\/(errors|digits)\.ts$/.test(path);
    expect(importsOf(isRule, isElse)).toEqual([]);
  });

  it('have settings that know of no feature, only what a name or an address is', () => {
    const wrong = importsOf(
      (path) => path.startsWith('src/config/'),
      (path) => !/^src\/(config|lib|domain\/basics)\//.test(path),
    );
    expect(wrong).toEqual([]);
  });

  it('have workers and stores that know nothing of the surfaces', () => {
    const wrong = importsOf(
      (path) => path.startsWith('workers/') || isStore(path),
      (path) => /^src\/(http|api|pages|cli)\//.test(path),
    );
    expect(wrong).toEqual([]);
  });
});

describe('SQL', () => {
  // What copies a database whole, and fills an empty one, speaks with it beneath tables and rows.
  const copies = /^src\/installation\/backups\/(take|load|restore|service)\.ts$/;
  const mayHold = (path: string): boolean =>
    isStore(path) || path.startsWith('src/db/') || copies.test(path);

  it('stands in stores, in what connects to the database, and nowhere else', () => {
    const wrong = importsOf(
      (path) => !mayHold(path),
      (path) => path === 'src/db/sql.ts',
    );
    const asking = house.files.filter(
      ({ path, text }) => !mayHold(path) && /\.query[(<]/.test(text),
    );
    expect([...wrong, ...asking.map(({ path }) => path)]).toEqual([]);
  });

  const functions = async () => {
    const folder = join(root, 'migrations/functions');
    const names = await readdir(folder, { recursive: true });
    return Promise.all(
      names
        .filter((name) => name.endsWith('.sql'))
        .map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const),
    );
  };

  it('joins nowhere what a statement changed with what was there before: the plan is the first statement’s, be it of one row', async () => {
    const texts = await functions();
    const joined = /\b(after|before)(?: as)?(?: \w+)? (?:left )?join (?:after|before)\b/;
    const wrong = texts.filter(([, text]) => joined.test(text)).map(([name]) => name);
    // A few rows each, whatever is done.
    expect(wrong).toEqual(['ledger/refuse_reopening_under_closed.sql']);
  });

  it('of functions is read alike with standard_conforming_strings off, which any login may choose: it has no backslash', async () => {
    const wrong = (await functions()).filter(([, text]) => text.includes('\\'));
    expect(wrong.map(([name]) => name)).toEqual([]);
  });

  it('is all that stores hold: they know of no service', () => {
    expect(importsOf(isStore, (path) => /(^|\/|-)service\.ts$/.test(path))).toEqual([]);
  });
});

describe('reasons and sentences', () => {
  /** Rooms that never refuse in words: all but the surfaces, and what runs the machine. */
  const isBelow = (path: string): boolean =>
    /^src\/(domain|db|access|ledger|sales|purchases|proposals|intake|bank|reports|events|render|installation|audit|peppol)\//.test(
      path,
    );
  /** What speaks to whoever runs the machine: start, database, keys, Chromium, copies, and the terminal. */
  const isOperators = (path: string): boolean =>
    /^src\/(cli|config|db|demo|process|installation\/backups)\//.test(path) ||
    /^src\/(http\/(tls|front-door)|access\/secrets\/service|render\/(unpacked-)?chromium(-path)?|lib\/(folders|metrics\/export))\.ts$/.test(
      path,
    );

  it('stand apart: below the surfaces nothing is refused in words', () => {
    const saying = /\bnew AppError\(|\breason: '\w+', message\b/;
    const wrong = house.files.filter(({ path, text }) => isBelow(path) && saying.test(text));
    expect(wrong.map(({ path }) => path)).toEqual([]);
    expect(importsOf(isBelow, (path) => path === 'src/lib/sentences/say.ts')).toEqual([]);
  });

  it('are for callers and people; what is for whoever runs the machine comes from where it is run', () => {
    const wrong = importsOf(
      (path) => !isOperators(path),
      (path) => path === 'src/lib/operator-error.ts',
    );
    expect(wrong).toEqual([]);
  });

  it('are held together by their types: what is not typed says so in few places', () => {
    const untyped = /\bas (?:readonly )?\(?(?:Fault|Reasoned|Reason|ParamsOf)\b/;
    const wrong = house.files.filter(({ text }) => untyped.test(text)).map(({ path }) => path);
    expect(wrong).toEqual([
      'src/ledger/vouchers/refusals.ts', // told by functions of the database
      'src/lib/errors.ts',
      'src/pages/order-problems.ts', // stored by a worker
    ]);
  });
});

describe('the words', () => {
  it('of code mean one thing each: no two exported types share a name', () => {
    const noun = /^export (?:abstract )?(?:class|interface|type|enum) (\w+)/gm;
    const nouns = house.files.flatMap(({ path, text }) =>
      [...text.matchAll(noun)].map(([, name = '']) => [name, path] as const),
    );
    expect(nouns.length).toBeGreaterThan(300);
    expect(doubled(nouns)).toEqual([]);
  });

  it('of the glossary stand in it once each', async () => {
    const text = await readFile(join(root, 'docs/glossary.md'), 'utf8');
    const rows = text.split('\n').filter((line) => /^\| (?!English|---)/.test(line));
    const words = rows.flatMap((row) =>
      (row.split('|')[1] ?? '').split(',').map((word) => [word.trim(), `"${row}"`] as const),
    );
    expect(words.length).toBeGreaterThan(140);
    expect(doubled(words)).toEqual([]);
  });
});
