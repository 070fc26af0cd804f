/** What becomes of a SIE file: what a company would lose, or move in with, if it were judged otherwise. */
import { describe, expect, test } from 'vitest';
import { SieCheck, type SieJudgement } from '#src/domain/ledger/sie/checking.ts';
import { keptOfRule, type SieRule, sieRules } from '#src/domain/ledger/sie/problems.ts';
import { moreText, problemText, ruleName } from '#src/ledger/sie/wordings.ts';
import {
  type FileParts,
  inChunks,
  lettersOf,
  sieBytes,
  sieText,
  transferParts,
  voucher,
  yearFacts,
  yearParts,
} from './sie-file.ts';

function check(text: string, extension = '.se', encode = sieBytes): SieJudgement {
  const bytes = encode(text);
  const file = new SieCheck({ letters: lettersOf(bytes), extension });
  for (const chunk of inChunks(bytes, 1000)) file.read(chunk);
  return file.end();
}
const year = (parts: FileParts = {}) => check(sieText({ ...yearParts, ...parts }));
const transfer = (parts: FileParts = {}) => check(sieText({ ...transferParts, ...parts }), '.si');
const found = ({ problems }: SieJudgement) => problems.map(({ rule, line }) => [rule, line]);
/** The rows of one voucher among others, with what the balances then are. */
const rows = (...given: string[]): FileParts => ({ vouchers: voucher('A 1 20260115', ...given) });

test('a year that adds up can be taken in, and nothing is said of it', () => {
  expect(year()).toMatchObject({
    ...yearFacts,
    debit: 10000n,
    problems: [],
    more: [],
  });
  expect([...year().sums]).toEqual([
    ['IB 0', 0n],
    ['UB 0', 10000n],
    ['RES 0', -10000n],
  ]);
});

describe('the type', () => {
  const sietyp = (type: string) =>
    yearParts.head.map((line) => line.replace('TYP 4', `TYP ${type}`));
  test.each(['1', '2', '3'])('%s is what the file says', (type) => {
    const { verdict, ...file } = year({ head: sietyp(type), vouchers: [] });
    expect([file.type, verdict]).toEqual([type, 'ok']);
  });
  test('4 is a transfer without balances, and an export with them whatever the file is called', () => {
    expect(transfer()).toMatchObject({ type: '4I', verdict: 'ok', problems: [] });
    expect(check(sieText(yearParts), '.si').type).toBe('4E');
  });
  test('is asked of the content when the file does not say', () => {
    const head = yearParts.head.filter((line) => !line.startsWith('#SIETYP'));
    expect(year({ head })).toMatchObject({ type: '4E', verdict: 'doubt' });
  });
  test('is none of what is no SIE file', () => {
    expect(check('%PDF-1.7')).toMatchObject({ verdict: 'refused', type: null });
  });
});

const refused: readonly (readonly [SieRule, number | null, SieJudgement])[] = [
  ['unbalanced_voucher', 17, year(rows('1930 {} 100.00', '3001 {} -99.99'))],
  ['date_outside_years', 17, year({ vouchers: voucher('A 1 20270101') })],
  ['date_unreadable', 17, year({ vouchers: voucher('A 1 20260230') })],
  ['amount_unreadable', 19, year(rows('1930 {} 1000kr', '3001 {} -100'))],
  ['amount_decimals', 19, year(rows('1930 {} 100.005', '3001 {} -100'))],
  ['row_outside_voucher', 17, year({ vouchers: ['#TRANS 1930 {} 1'] })],
  ['file_cut', 20, year({ vouchers: yearParts.vouchers.slice(0, -1) })],
  ['account_not_numeric', 19, year(rows('FEL {} 100', '3001 {} -100'))],
  ['account_outside', 19, year(rows('0351 {} 100', '3001 {} -100'))],
  ['account_outside', 19, year(rows('19300 {} 100', '3001 {} -100'))],
  ['amount_too_large', 17, year(rows('1930 {} 10000000000', '3001 {} -10000000000'))],
  ['year_missing', null, year({ years: [] })],
  ['year_span', 7, year({ years: ['#RAR 0 20260115 20261231'] })],
  ['year_span', 7, year({ years: ['#RAR 0 20250101 20261231'] })],
  ['currency', 9, year({ years: [...yearParts.years, '#VALUTA NOK'] })],
  ['checksum_missing', 22, year({ head: [...yearParts.head, '#KSUMMA'] })],
];
test.each(refused)('is refused for %s', (rule, line, file) => {
  expect(found(file)).toContainEqual([rule, line]);
  expect(file.verdict).toBe('refused');
});

const other = (name: string, ...balances: string[]) => ({
  balances: [...yearParts.balances.filter((line) => !line.startsWith(name)), ...balances],
});
const doubted: readonly (readonly [SieRule, number | null, SieJudgement])[] = [
  ['closing_differs', 16, year(other('#UB 0 1930', '#UB 0 1930 50101'))],
  ['closing_differs', 12, year(other('#UB 0 1930'))],
  ['result_differs', 16, year(other('#RES', '#RES 0 3001 -101'))],
  ['balances_apart', null, year(other('#RES', '#RES 0 3001 -101'))],
  ['opening_differs', 12, year(other('#XX', '#UB -1 1930 49999', '#UB -1 2081 -49999'))],
  [
    'opening_lacks_result',
    null,
    year(other('#IB 0 2081', '#IB 0 2081 -49000', '#RES -1 3001 -1000')),
  ],
  ['opening_unbalanced', null, year(other('#IB 0 2081', '#IB 0 2081 -49000'))],
  ['balance_repeated', 17, year(other('#XX', '#IB 0 1930 0'))],
  ['vouchers_missing', null, year({ vouchers: [] })],
  ['balances_missing', null, year({ balances: [] })],
  ['date_in_other_year', 17, year({ vouchers: voucher('A 1 20251231') })],
  ['years_apart', 8, year({ years: ['#RAR 0 20260101 20261231', '#RAR -1 20240101 20241231'] })],
  ['number_repeated', 22, year({ vouchers: [...yearParts.vouchers, ...voucher('A 1 20260116')] })],
  ['row_date_other_month', 19, year(rows('1930 {} 100 20260214', '3001 {} -100'))],
  ['account_unknown', 19, year(rows('1931 {} 100', '3001 {} -100'))],
  ['account_internal', 19, year(rows('9999 {} 100', '3001 {} -100'))],
  ['account_repeated', 10, year({ chart: [...yearParts.chart.slice(0, 1), '#KONTO 1930 X'] })],
  ['dimension_left_out', 19, year(rows('1930 {7 "A"} 100', '3001 {} -100'))],
  ['object_repeated', 19, year(rows('1930 {1 "A" 1 "B"} 100', '3001 {} -100'))],
  ['object_too_long', 19, year(rows(`1930 {1 "${'A'.repeat(21)}"} 100`, '3001 {} -100'))],
  ['text_too_long', 17, year({ vouchers: voucher(`A 1 20260115 "${'å'.repeat(501)}"`) })],
  ['amount_form', 19, year(rows('1930 {} 100,00', '3001 {} -100'))],
  ['objects_unreadable', 19, year(rows('1930 100', '3001 {} -100'))],
  ['added_row_alone', 19, year(rows('#RTRANS 1930 {} 5', '1930 {} 100', '3001 {} -100'))],
  ['already_imported', 1, transfer({ head: ['#FLAGGA 1', ...transferParts.head.slice(1)] })],
];
test.each(doubted)('waits for a person for %s', (rule, line, file) => {
  expect(found(file)).toContainEqual([rule, line]);
  expect(file.verdict).toBe('doubt');
});

const noted: readonly (readonly [SieRule, number | null, SieJudgement])[] = [
  ['voucher_empty', 22, year({ vouchers: [...yearParts.vouchers, ...voucher('A 2 20260116')] })],
  [
    'rows_changed',
    24,
    year({
      vouchers: [...yearParts.vouchers, ...voucher('A 2 20260116', '#BTRANS 1930 {} -5')],
    }),
  ],
  ['zero_row', 21, year(rows('1930 {} 100', '3001 {} -100', '1930 {} 0'))],
  [
    'numbers_left_out',
    17,
    year({ vouchers: yearParts.vouchers.map((one) => one.replace('A 1', 'A 2')) }),
  ],
  [
    'number_missing',
    17,
    year({ vouchers: yearParts.vouchers.map((one) => one.replace('A 1', '"" ""')) }),
  ],
  [
    'number_not_numeric',
    17,
    year({ vouchers: yearParts.vouchers.map((one) => one.replace('A 1', 'A x')) }),
  ],
  [
    'numbers_unordered',
    25,
    year({
      vouchers: [...yearParts.vouchers, ...voucher('A 3 20260116'), ...voucher('A 2 20260116')],
    }),
  ],
  ['object_unknown', 19, year(rows('1930 {1 "A"} 100', '3001 {} -100'))],
  ['quantities_left_out', 19, year(rows('1930 {} 100 "" "" 3', '3001 {} -100'))],
  ['posts_left_out', 17, year(other('#XX', '#PBUDGET 0 202601 3001 {} -10'))],
  ['account_left_out', 12, year({ chart: [...yearParts.chart, '#KONTO 0351 "Fordon"'] })],
  ['unknown_post', 17, year(other('#XX', '#EGET 1'))],
  ['already_read', 1, year({ head: ['#FLAGGA 1', ...yearParts.head.slice(1)] })],
  ['post_missing', null, year({ head: yearParts.head.filter((line) => !line.startsWith('#GEN')) })],
  [
    'date_outside_transfer',
    12,
    transfer({ years: yearParts.years, vouchers: voucher('A 1 20270101') }),
  ],
];
test.each(noted)('is taken in although %s is noted', (rule, line, file) => {
  expect(found(file)).toContainEqual([rule, line]);
  expect(file.verdict).toBe('ok');
});

test('a file in UTF-8 or Latin-1 is read as what it is, whatever it says', () => {
  const text = sieText(yearParts);
  for (const [name, encode] of [
    ['UTF-8', (given: string) => new TextEncoder().encode(given)],
    ['Latin-1', (given: string) => Uint8Array.from(Buffer.from(given, 'latin1'))],
  ] as const) {
    const { verdict, encoding, company, problems } = check(text, '.se', encode);
    expect([verdict, encoding, company]).toEqual(['ok', name, 'Åkeriet Öst AB']);
    expect(problems).toMatchObject([{ rule: 'other_encoding', line: 3 }]);
  }
});

test('letters that were lost before the file came are told of', () => {
  const text = sieText(yearParts).replace('Såld', 'S\ufffdld');
  const file = check(text, '.se', (given) => new TextEncoder().encode(given));
  expect([file.verdict, found(file)]).toMatchObject([
    'doubt',
    [
      ['other_encoding', 3],
      ['lost_characters', 17],
    ],
  ]);
});

test('what a transfer leaves to the receiver is no fault: numbers, accounts, years', () => {
  const file = transfer({
    chart: [],
    vouchers: voucher('"" "" 20260115', '1930 {} 1', '3001 {} -1'),
  });
  expect(file).toMatchObject({ verdict: 'ok', problems: [] });
});

test('balances that reach to a day are compared with the vouchers until that day', () => {
  const late = voucher('A 2 20260301', '1930 {} 7', '3001 {} -7');
  const vouchers = [...yearParts.vouchers, ...late];
  const years = [...yearParts.years, '#OMFATTN 20260131'];
  expect(year({ years, vouchers })).toMatchObject({ verdict: 'ok', problems: [] });
  // A day before the year says nothing of it.
  const senseless = year({ years: [...yearParts.years, '#OMFATTN 19700101'], vouchers });
  expect(found(senseless)).toEqual([
    ['closing_differs', 15],
    ['result_differs', 17],
  ]);
});

test('one fault is told of once: what follows from a row that cannot be read is not', () => {
  const file = year(rows('1930 {} hundra', '3001 {} -100'));
  expect(found(file)).toEqual([['amount_unreadable', 19]]);
});

test('numbers used again, left out and out of order are found whatever their order', () => {
  const vouchers = [5, 1, 2, 9, 3, 9, 4].flatMap((number) => voucher(`A ${number} 20260116`));
  const told = year({ vouchers }).problems.flatMap(({ rule, params }) =>
    rule === 'numbers_left_out' || rule === 'number_repeated' ? [{ rule, params }] : [],
  );
  expect(told).toEqual([
    { rule: 'numbers_left_out', params: { series: 'A', from: 6, to: 8 } },
    { rule: 'number_repeated', params: { voucher: 'A 9' } },
  ]);
});

describe('a hostile file', () => {
  test('of a million faults is told of in a few hundred sentences', () => {
    const file = year({
      vouchers: Array.from({ length: 5000 }, () => ['hello', '}', '#TRANS x']).flat(),
    });
    expect(file.problems.length).toBeLessThanOrEqual(Object.keys(sieRules).length * keptOfRule);
    expect(file.more).toContainEqual({ rule: 'not_a_post', count: 5000 - keptOfRule });
  });

  test('of ten thousand accounts and more is read, of a million refused', () => {
    const accounts = (count: number) =>
      Array.from({ length: count }, (_, nth) => `#KONTO ${1000 + nth} "x"`);
    expect(year({ chart: [...yearParts.chart, ...accounts(10_000)] })).toMatchObject({
      accounts: 10_003,
    });
    const file = year({ chart: accounts(60_000) });
    expect(file.verdict).toBe('refused');
    expect(found(file).filter(([rule]) => rule === 'too_many')).toHaveLength(1);
  });
});

test('a voucher of more text than a voucher has is refused, and not kept', () => {
  const long = `1930 {} 0 "" "${'x'.repeat(30_000)}"`;
  const file = transfer({ vouchers: voucher('A 1 20260115', ...Array<string>(700).fill(long)) });
  const params = { max: 16 * 1024 * 1024, name: 'bytes' };
  expect(file.verdict).toBe('refused');
  expect(file.problems).toContainEqual({ line: expect.any(Number), rule: 'too_many', params });
});

test('every rule has a sentence that a person can act on, and a name with its source', () => {
  const told = new Map(
    [...refused, ...doubted, ...noted].flatMap(([, , { problems }]) =>
      problems.map((problem) => [problem.rule, problemText(problem)] as const),
    ),
  );
  for (const [rule, sentence] of told) {
    expect(sentence, rule).toMatch(/^[A-ZÅÄÖ#0-9].*\.$/);
    expect(sentence, rule).not.toMatch(/undefined|null|\[object/);
    expect(sentence.length, rule).toBeLessThan(300);
  }
  expect(ruleName('amount_decimals')).toBe('SIE 5.9 amount_decimals');
  expect(ruleName('zero_row')).toBe('HB zero_row');
  expect(moreText({ rule: 'zero_row', count: 3 })).toContain('Ytterligare 3');
});
