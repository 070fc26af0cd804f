import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeSie, readSieChart, readSiePosts } from '#src/domain/ledger/sie.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const chart = (...lines: string[]) => readSieChart(bytes(['#FLAGGA 0', ...lines].join('\n')));

describe('letters', () => {
  test('PC8: å ä ö Å Ä Ö é ü', () => {
    const given = Uint8Array.of(0x86, 0x84, 0x94, 0x8f, 0x8e, 0x99, 0x82, 0x81);
    expect(decodeSie(given)).toEqual({ text: 'åäöÅÄÖéü', encoding: 'pc8' });
  });
  test('Latin-1, which files write although they say PC8', () => {
    const given = Uint8Array.of(0xe5, 0xe4, 0xf6, 0xc5, 0xc4, 0xd6);
    expect(decodeSie(given)).toEqual({ text: 'åäöÅÄÖ', encoding: 'latin-1' });
  });
  test('UTF-8, with a byte order mark or without', () => {
    expect(decodeSie(bytes('åäö')).text).toBe('åäö');
    expect(decodeSie(bytes('\ufeff#FLAGGA 0')).text).toBe('#FLAGGA 0');
  });
});

describe('posts', () => {
  test.each([
    ['#FNAMN "Å AB"', ['Å AB']],
    ['#FNAMN Bolaget', ['Bolaget']],
    ['#FNAMN "Kalle \\"Kula\\" AB"', ['Kalle "Kula" AB']],
    ['#FNAMN ""', ['']],
    ['#KONTO\t1930\t"Bank  konto"', ['1930', 'Bank  konto']],
    ['#TRANS 1930 {1 "100"} 12.50', ['1930', '1 "100"', '12.50']],
    ['#TRANS 1930 {} -1', ['1930', '', '-1']],
    ['#FNAMN "aldrig slut', ['aldrig slut']],
  ])('%s', (line, fields) => {
    expect(readSiePosts(line)[0]?.fields).toEqual(fields);
  });

  test('rows in braces belong to their voucher, and line ends are of any kind', () => {
    const posts = readSiePosts(
      '#VER A 1 20260101 "x"\r\n{\r#TRANS 1930 {} 1\n#TRANS 3001 {} -1\n}\n#RAR 0',
    );
    expect(posts.map(({ label, inner, line }) => [label, inner.length, line])).toEqual([
      ['VER', 2, 1],
      ['RAR', 0, 6],
    ]);
  });

  test('no bytes make it fail', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (junk) => {
        readSieChart(Uint8Array.from([...bytes('#FLAGGA 0\n#KONTO 1'), ...junk]));
      }),
    );
  });
});

describe('a chart', () => {
  test('is none without #FLAGGA first', () => {
    expect(readSieChart(bytes('#KONTO 1930 "Bank"'))).toBeUndefined();
    expect(readSieChart(bytes('%PDF-1.7'))).toBeUndefined();
    expect(readSieChart(bytes(''))).toBeUndefined();
    expect(readSieChart(bytes('\n\n#flagga 0\n'))).toBeDefined();
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
    const read = chart(
      '#KTYP 2099 S',
      '#SRU 2099 7222',
      '#SRU 2099 9999',
      '#KONTO 2099 "Årets resultat"',
      '#KONTO 2099 "Igen"',
      '#KTYP 2099 X',
      '#KTYP 1111 T',
    );
    expect(read?.accounts).toEqual([
      { number: '2099', name: 'Årets resultat', kind: 'S', sru: '7222' },
    ]);
  });
});
