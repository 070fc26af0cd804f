import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readSieChart } from '#src/domain/ledger/sie/chart.ts';
import { decodePc8, encodePc8 } from '#src/domain/ledger/sie/code-page.ts';
import { decodeLine, SieEncodingScan } from '#src/domain/ledger/sie/encoding.ts';
import { lineBytesMax, SieLines } from '#src/domain/ledger/sie/lines.ts';
import { SieProblems } from '#src/domain/ledger/sie/problems.ts';
import { type SieEntry, SieReader } from '#src/domain/ledger/sie/reading.ts';
import { readSyntax } from '#src/domain/ledger/sie/syntax.ts';
import { inChunks, lettersOf, sieBytes } from './sie-file.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const latin1 = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'));
const chart = (...lines: string[]) => readSieChart(utf8(['#FLAGGA 0', ...lines].join('\n')));

function read(bytes: Uint8Array, chunk = bytes.length) {
  const problems = new SieProblems();
  const reader = new SieReader(lettersOf(bytes), problems);
  const entries: SieEntry[] = inChunks(bytes, Math.max(chunk, 1)).flatMap((one) =>
    reader.read(one),
  );
  return { entries: [...entries, ...reader.end()], problems: problems.all };
}
const posts = (text: string) => read(sieBytes(`#FLAGGA 0\n${text}`)).entries.slice(1);
const rules = (text: string) =>
  read(sieBytes(`#FLAGGA 0\n${text}`)).problems.map(({ rule, line }) => [line, rule]);

describe('letters', () => {
  const text = 'åäöÅÄÖéü';
  test.each([
    ['CP437', encodePc8(text)],
    ['Latin-1', latin1(text)],
    ['UTF-8', utf8(text)],
    ['UTF-8', utf8(`\ufeff${text}`)],
    ['Windows-1252', Uint8Array.of(...latin1(text), 0x96)],
    // One typographic quotation mark, which is ö in code page 437, does not make the rest Greek.
    ['Windows-1252', Uint8Array.of(0x94, ...latin1('åäö'))],
    ['CP437', utf8('no letters beyond ASCII')],
    ['CP437', encodePc8('▒')],
    ['UTF-16', Uint8Array.of(0xff, 0xfe, 0x23, 0)],
  ] as const)('%s is told from its bytes, however they are cut', (encoding, bytes) => {
    for (const length of [1, 2, 3, 5, bytes.length]) {
      const scan = new SieEncodingScan();
      for (const chunk of inChunks(bytes, length)) scan.read(chunk);
      expect(scan.end().encoding).toBe(encoding);
    }
  });

  test('are the same in each encoding', () => {
    for (const bytes of [encodePc8(text), latin1(text), utf8(text)]) {
      expect(decodeLine(bytes, lettersOf(bytes)).text).toBe(text);
    }
  });

  test('of lines in another encoding than the file are read too, and told of', () => {
    const lines = [
      sieBytes('#FLAGGA 0\n#FNAMN "Åre Öl AB"\n'),
      utf8('#KONTO 1930 "Företagskonto"\n'),
    ];
    const { entries, problems } = read(Buffer.concat(lines));
    expect(entries.map(({ post }) => post)).toMatchObject([
      {},
      { name: 'Åre Öl AB' },
      { name: 'Företagskonto' },
    ]);
    expect(problems).toMatchObject([
      { line: 3, rule: 'mixed_encodings', params: { encoding: 'CP437', line: 'UTF-8' } },
    ]);
  });

  test('of code page 437 are all there, both ways', () => {
    const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    expect(new Set(decodePc8(all)).size).toBe(256);
    expect(encodePc8(decodePc8(all))).toEqual(all);
  });
});

describe('lines', () => {
  const linesOf = (text: string, length: number) => {
    const lines = new SieLines();
    const found = inChunks(utf8(text), length).flatMap((chunk) => lines.read(chunk));
    return [...found, ...lines.end()].map(({ bytes }) => Buffer.from(bytes).toString());
  };
  test('end in LF, CRLF and CR, wherever a chunk ends', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.stringMatching(/^[ab]{0,4}$/), fc.constantFrom('\n', '\r\n', '\r'))),
        fc.integer({ min: 1, max: 7 }),
        (given, length) => {
          // What a CR and an empty line ended by LF are together is one line end.
          const text = given.map(([line, end]) => line + end).join('');
          const expected = text.split(/\r\n|\r|\n/);
          if (expected.at(-1) === '') expected.pop();
          expect(linesOf(text, length)).toEqual(expected);
        },
      ),
    );
  });

  test('of any length are cut to what memory is kept for', () => {
    const lines = new SieLines();
    const chunk = new Uint8Array(1 << 20).fill(0x61);
    for (let nth = 0; nth < 64; nth += 1) expect(lines.read(chunk)).toEqual([]);
    const [long, next] = lines.read(utf8('\nb\n'));
    expect(long).toMatchObject({ number: 1, isCut: true });
    expect(long?.bytes.length).toBe(lineBytesMax);
    expect(next).toMatchObject({ number: 2, isCut: false, bytes: utf8('b') });
  });
});

describe('fields', () => {
  test.each([
    ['#FNAMN "Å AB"', ['Å AB']],
    ['#FNAMN Bolaget', ['Bolaget']],
    ['#FNAMN "Kalle \\"Kula\\" AB"', ['Kalle "Kula" AB']],
    ['#FNAMN "\\""', ['"']],
    ['#FNAMN ""', ['']],
    // Only a quotation mark is escaped: paths have backslashes of their own.
    ['#FNR "C:\\Bolag\\Vårt"', ['C:\\Bolag\\Vårt']],
    ['#FNR "C:\\Bolag\\"', ['C:\\Bolag\\']],
    ['#KONTO\t1930\t"Bank  konto"', ['1930', 'Bank  konto']],
    ['#KONTO 1930 a{b}', ['1930', 'a{b}']],
    ['#TRANS 1930 {1 "100"} 12.50', ['1930', ['1', '100'], '12.50']],
    ['#TRANS 1930 {"1" "a } b" 6 P} 1', ['1930', ['1', 'a } b', '6', 'P'], '1']],
    ['#TRANS 1930 { } -1', ['1930', [], '-1']],
    ['#TRANS 1930{} -1', ['1930', [], '-1']],
    ['#FNAMN "aldrig slut', ['aldrig slut']],
    ['#TRANS 1930 {1 2', ['1930', ['1', '2']]],
  ])('%s', (line, fields) => {
    expect(readSyntax(line).fields).toEqual(fields);
  });
});

describe('posts', () => {
  test('have their fields by name', () => {
    expect(posts('#RAR 0 20260101 20261231\n#IB -1 1930 -12.5 3').map(({ post }) => post)).toEqual([
      { label: 'RAR', year: 0, start: '2026-01-01', end: '2026-12-31' },
      { label: 'IB', year: -1, account: '1930', amount: -1250n, quantity: '3' },
    ]);
  });

  test('of vouchers hold their rows, with the line of each', () => {
    const text =
      '#VER A 12 20260131 "Hyra" 20260201 AN\r\n{\r#TRANS 5010 {1 "10"} 100 20260130 "Lokal" 2 BO\n\n#BTRANS 1930 {} -1\n}\n#PROSA x';
    expect(posts(text)).toEqual([
      {
        line: 2,
        post: {
          label: 'VER',
          series: 'A',
          number: '12',
          date: '2026-01-31',
          text: 'Hyra',
          registered: '2026-02-01',
          signature: 'AN',
          rows: [
            {
              label: 'TRANS',
              account: '5010',
              objects: [{ dimension: '1', code: '10' }],
              amount: 10000n,
              date: '2026-01-30',
              text: 'Lokal',
              quantity: '2',
              signature: 'BO',
            },
            {
              label: 'BTRANS',
              account: '1930',
              objects: [],
              amount: -100n,
              date: null,
              text: '',
              quantity: null,
              signature: '',
            },
          ],
        },
        rowLines: [4, 6],
      },
      { line: 8, post: { label: 'PROSA', text: 'x' } },
    ]);
  });

  test('without their braces and lists, as some programs write them, are understood', () => {
    const [open] = posts('#VER A 1 20260101 {\n#TRANS 1930 5\n}');
    expect(open?.post).toMatchObject({ number: '1', rows: [{ account: '1930', amount: 500n }] });
    // Where the day of registration stands in the voucher before, it is no day that cannot be read.
    expect(rules('#VER A 1 20260101 "Hyra" {\n#TRANS 1930 {} 5\n}')).toEqual([]);
    const [name] = posts('#FNAMN Kalles Bygg AB');
    expect(name?.post).toMatchObject({ name: 'Kalles Bygg AB' });
  });

  test.each([
    ['1', 100n],
    ['-0.5', -50n],
    ['1234.50', 123450n],
    ['12345678901234567890.00', 1234567890123456789000n],
  ])('an amount of %s', (text, ore) => {
    expect(posts(`#IB 0 1930 ${text}`)[0]?.post).toMatchObject({ amount: ore });
    expect(rules(`#IB 0 1930 ${text}`)).toEqual([]);
  });

  test.each([
    ['1,5', 150n, 'amount_form'],
    ['+1', 100n, 'amount_form'],
    ['.5', 50n, 'amount_form'],
    ['1.500', 150n, 'amount_form'],
    ['1.005', 100n, 'amount_decimals'],
    ['1,000', 100n, 'amount_unreadable'],
    ['1e3', 0n, 'amount_unreadable'],
    ['', 0n, 'amount_unreadable'],
    ['9'.repeat(41), 0n, 'amount_unreadable'],
  ])('an amount of "%s" is told of', (text, ore, rule) => {
    expect(posts(`#IB 0 1930 "${text}"`)[0]?.post).toMatchObject({ amount: ore });
    expect(rules(`#IB 0 1930 "${text}"`)).toEqual([[2, rule]]);
  });

  test.each([
    ['PNG', 'not_sie', 1],
    ['', 'not_sie', null],
    ['<?xml version="1.0"?>\n#FLAGGA 0', 'not_sie', 1],
    ['#PROGRAM x\n#FLAGGA 0', 'flag_late', 1],
    ['#FLAGGA 0\nhello', 'not_a_post', 2],
    ['#FLAGGA 0\n{', 'brace', 2],
    ['#FLAGGA 0\n#EGEN x', 'unknown_post', 2],
    ['#FLAGGA 0\n#PROSA "x', 'unclosed', 2],
    ['#FLAGGA 0\n#PROSA "x\u0007"', 'control_characters', 2],
    ['#FLAGGA 0\n#TRANS 1930 {} 1', 'row_outside_voucher', 2],
    ['#FLAGGA 0\n#VER A 1 20260101\n{\n#TRANS 1 {} 0\n#PROSA x', 'voucher_open', 5],
    ['#FLAGGA 0\n#VER A 1 20260101\n{\n#TRANS 1 {} 0', 'file_cut', 4],
    ['#FLAGGA 0\n#VER A 1 20260101', 'file_cut', 2],
    ['#FLAGGA 0\n#VER A 1 20260231\n{\n}', 'date_unreadable', 2],
    ['#FLAGGA 0\n#IB 1 1930 1', 'year_unreadable', 2],
    ['#FLAGGA 0\n#IB 0 "" 1', 'account_missing', 2],
    ['#FLAGGA 0\n#VER A 1 20260101\n{\n#TRANS 1 {1} 0\n}', 'objects_unreadable', 4],
    ['#FLAGGA 0\n#GEN igår', 'detail_unreadable', 2],
    [`#FLAGGA 0\n#PROSA ${'x'.repeat(lineBytesMax)}`, 'line_too_long', 2],
  ])('%j is told of as %s', (text, rule, line) => {
    const { problems } = read(sieBytes(text), 10_000);
    expect(problems.map((one) => [one.rule, one.line])).toContainEqual([rule, line]);
  });

  test('are the same however the bytes are cut', () => {
    const bytes = utf8(
      '#FLAGGA 0\r\n#FNAMN "Åsa Öberg"\r\n#VER "" "" 20260101\r\n{\r\n#TRANS 1930 {} 1\r\n}',
    );
    const whole = read(bytes);
    for (const length of [1, 2, 3, 7]) expect(read(bytes, length)).toEqual(whole);
  });
});

describe('the checksum', () => {
  // The worked example of SIE 4B 10.15 says which signs count; zlib's CRC-32 of those is the answer.
  const file = (sum: string) => `#FLAGGA 0\n#KSUMMA\n#KONTO 1915 "Kassa \\"special\\""\n${sum}`;
  const right = '#KSUMMA 1921122205';
  test('is right over labels and fields alone', () => {
    expect(read(sieBytes(file(right))).problems).toEqual([]);
    expect(read(sieBytes(file(right).replace('1915 ', '1915\t  '))).problems).toEqual([]);
  });
  test.each([
    ['#KSUMMA 1', 'checksum_wrong', 4],
    ['', 'checksum_missing', 3],
  ])('that ends in "%s" is told of as %s', (end, rule, line) => {
    expect(read(sieBytes(file(end))).problems).toMatchObject([{ rule, line }]);
  });
});

test('no bytes make it fail', () => {
  const sign = fc.constantFrom(
    '#VER A 1 20260101',
    '{',
    '}',
    '"',
    '\\',
    ' ',
    '\n',
    '\r',
    '#TRANS 1930 {',
    '#KSUMMA',
    'å',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(sign, fc.string()), { maxLength: 60 }), (parts) => {
      read(utf8(`#FLAGGA 0\n${parts.join('')}`), 13);
    }),
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (junk) => {
      readSieChart(Uint8Array.from([...utf8('#FLAGGA 0\n#KONTO 1'), ...junk]));
    }),
  );
});

describe('a chart', () => {
  test('is none without #FLAGGA first', () => {
    expect(readSieChart(utf8('#KONTO 1930 "Bank"'))).toBeUndefined();
    expect(readSieChart(utf8('%PDF-1.7'))).toBeUndefined();
    expect(readSieChart(utf8(''))).toBeUndefined();
    expect(readSieChart(utf8('\n\n#flagga 0\n'))).toBeDefined();
  });

  test('has number, year and name, none when they are wrong', () => {
    expect(
      chart('#ORGNR 5567026934', '#RAR -1 20250101 20251231', '#RAR 0 20260101 20261231'),
    ).toMatchObject({
      company: null,
      organizationNumber: '5567026934',
      fiscalYear: { start: '2026-01-01', end: '2026-12-31' },
    });
    expect(chart('#ORGNR 556702-6935', '#RAR 0 20260231 20261231')).toMatchObject({
      organizationNumber: null,
      fiscalYear: null,
    });
  });

  test('takes kinds and SRU codes wherever they stand, the first SRU, and each account once', () => {
    const found = chart(
      '#KTYP 2099 S',
      '#SRU 2099 7222',
      '#SRU 2099 9999',
      '#KONTO 2099 "Årets resultat"',
      '#KONTO 2099 "Igen"',
      '#KTYP 2099 X',
      '#KTYP 1111 T',
    );
    expect(found?.accounts).toEqual([
      { number: '2099', name: 'Årets resultat', kind: 'S', sru: '7222' },
    ]);
  });
});
