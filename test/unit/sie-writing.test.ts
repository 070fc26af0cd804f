import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodePc8, inPc8, isInPc8, substitutes } from '#src/domain/ledger/sie/code-page.ts';
import {
  fieldsOf,
  isRowLabel,
  postShapes,
  type SieLabel,
  type SiePost,
} from '#src/domain/ledger/sie/posts.ts';
import { SieProblems } from '#src/domain/ledger/sie/problems.ts';
import { SieReader } from '#src/domain/ledger/sie/reading.ts';
import { SieWriter } from '#src/domain/ledger/sie/writing.ts';
import { inChunks, lettersOf } from './sie-file.ts';

const flag: SiePost = { label: 'FLAGGA', flag: '0' };
function write(posts: readonly SiePost[], hasChecksum = false): Buffer {
  const writer = new SieWriter({ hasChecksum });
  return Buffer.concat([...posts.map((post) => writer.write(post)), writer.end()]);
}
function read(bytes: Uint8Array) {
  const problems = new SieProblems();
  const reader = new SieReader(lettersOf(bytes), problems);
  const entries = inChunks(bytes, 1000).flatMap((chunk) => reader.read(chunk));
  return { posts: [...entries, ...reader.end()].map(({ post }) => post), problems: problems.all };
}
const textOf = (post: SiePost): string => decodePc8(write([post]));

/** Beside these the code page has Greek and lines, whose bytes other encodings have letters for. */
const pc8 = [...'abcABC0189 åäöÅÄÖéèüÜñôê¢£¥ƒªº¿¬½¼¡«»·²'].filter((sign) => isInPc8(sign));
/** Texts as they are in books: quotation marks, braces and backslashes too, but for one last. */
const text = fc
  .string({ unit: fc.constantFrom(...pc8, '"', '\\', '{', '}', '#', ' '), maxLength: 40 })
  .filter((given) => !given.endsWith('\\'));
const code = fc.oneof(
  fc.stringMatching(/^[0-9]{4}$/),
  text.map((given) => given.trim()).filter((given) => given !== '' && !given.endsWith('\\')),
);
const date = fc
  .tuple(
    fc.integer({ min: 1900, max: 9999 }),
    fc.integer({ min: 1, max: 12 }),
    fc.integer({ min: 1, max: 28 }),
  )
  .map(
    ([year, month, day]) =>
      `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`,
  );
const values = {
  code,
  'code?': fc.oneof(code, fc.constant('')),
  text,
  date,
  'date?': fc.option(date),
  period: date.map((day) => day.slice(0, 7)),
  year: fc.integer({ min: 0, max: 99 }).map((year) => (year === 0 ? 0 : -year)),
  amount: fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
  'quantity?': fc.option(fc.stringMatching(/^-?[0-9]{1,6}(\.[0-9]{1,4})?$/)),
  objects: fc.array(fc.record({ dimension: code, code }), { maxLength: 4 }),
} as const;
const bare = (label: SieLabel) =>
  fc
    .record(Object.fromEntries(fieldsOf(label).map(([name, kind]) => [name, values[kind]])))
    .map((fields) => ({ label, ...fields }));
const rows = fc.array(
  fc.constantFrom('TRANS', 'RTRANS', 'BTRANS').chain((label) => bare(label as SieLabel)),
  { maxLength: 5 },
);
const labels = (Object.keys(postShapes) as SieLabel[]).filter((label) => !isRowLabel(label));
const post = fc
  .constantFrom(...labels)
  .chain((label) =>
    label === 'VER'
      ? fc.tuple(bare(label), rows).map(([head, inner]) => ({ ...head, rows: inner }))
      : bare(label),
  ) as unknown as fc.Arbitrary<SiePost>;

describe('what is written is read again', () => {
  test('post by post, whatever the books hold, with a checksum or without', () => {
    fc.assert(
      fc.property(fc.array(post, { maxLength: 20 }), fc.boolean(), (posts, hasChecksum) => {
        const bytes = write([flag, ...posts], hasChecksum);
        expect(read(bytes)).toEqual({ posts: [flag, ...posts], problems: [] });
        expect(write(read(bytes).posts, hasChecksum)).toEqual(bytes);
      }),
      { numRuns: 500 },
    );
  });

  test('and one sign changed on the way breaks its checksum', () => {
    const bytes = write([flag, { label: 'KONTO', account: '1930', name: 'Bank' }], true);
    bytes[bytes.indexOf('Bank')] = 0x62;
    expect(read(bytes).problems).toMatchObject([{ rule: 'checksum_wrong' }]);
  });
});

test('a voucher stands as SIE 4B shows it, lines ended by CR and LF', () => {
  const row = {
    label: 'TRANS',
    objects: [],
    date: null,
    text: '',
    quantity: null,
    signature: '',
  } as const;
  const written = textOf({
    label: 'VER',
    series: 'A',
    number: '567',
    date: '2008-12-16',
    text: 'Kontant "lön"',
    registered: null,
    signature: '',
    rows: [
      { ...row, account: '7010', objects: [{ dimension: '1', code: '456' }], amount: 1320005n },
      { ...row, account: '1910', amount: -1320005n, text: 'Kassa' },
      { ...row, account: '3740', amount: -5n, quantity: '2' },
    ],
  });
  expect(written).toBe(
    [
      '#VER A 567 20081216 "Kontant \\"lön\\""',
      '{',
      '#TRANS 7010 {1 "456"} 13200.05',
      '#TRANS 1910 {} -13200.05 "" "Kassa"',
      '#TRANS 3740 {} -0.05 "" "" 2',
      '}',
      '',
    ].join('\r\n'),
  );
});

describe('signs that code page 437 lacks', () => {
  test.each([
    ['5 – 7', '5 - 7'],
    ['10 €', '10 EUR'],
    ['Škoda Žižkov', 'Skoda Zizkov'],
    ['”Café”', '"Café"'],
    ['11 §', '11 par.'],
    ['Łódź', 'Lódz'],
    ['日本', '??'],
    ['🚚', '?'],
    ['rad\nbrytning', 'rad brytning'],
    // An å typed as a and a ring is the letter that the code page has.
    ['A\u030akeri', 'Åkeri'],
    ['C:\\Bolag\\', 'C:\\Bolag/'],
  ])('%s is written as %s', (given, expected) => {
    const bytes = write([flag, { label: 'PROSA', text: given }]);
    expect(read(bytes)).toEqual({
      posts: [flag, { label: 'PROSA', text: expected }],
      problems: [],
    });
  });

  test('are listed with what stands instead, how many and where first', () => {
    const writer = new SieWriter();
    for (const name of ['Bank', 'Öre – och €', 'Kvar – 日']) {
      writer.write({ label: 'KONTO', account: '1930', name });
    }
    expect(writer.replaced).toEqual([
      { sign: '–', by: '-', count: 2, line: 2 },
      { sign: '€', by: 'EUR', count: 1, line: 2 },
      { sign: '日', by: '?', count: 1, line: 3 },
    ]);
  });

  test('are all in the printed table', async () => {
    const table = await readFile('docs/sie.md', 'utf8');
    const rows = table.split('\n').filter((line) => line.startsWith('| '));
    const printed = (sign: string) =>
      /[\p{Zs}\p{Cf}]/u.test(sign)
        ? `U+${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
        : sign;
    for (const [sign, by] of Object.entries(substitutes)) {
      const cell = by === '' ? 'not at all' : by === ' ' ? 'a space' : `\`${by}\``;
      const row = rows.find((line) =>
        line.split(' | ')[0]?.slice(2).split(' ').includes(printed(sign)),
      );
      expect(row, sign).toContain(`| ${cell} |`);
    }
  });

  test('have substitutes that it has', () => {
    for (const by of Object.values(substitutes)) expect(isInPc8(by)).toBe(true);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (given) => {
        for (const sign of given)
          if (sign >= ' ' && sign !== '\u007f') expect(isInPc8(inPc8(sign))).toBe(true);
      }),
    );
  });
});
