import { describe, expect, test } from 'vitest';
import { factsOfName, soleMatch } from '#src/domain/ledger/document-match.ts';

describe('where a document belongs', () => {
  const on = (date: string) => ({ date });
  const march14 = { date: '2026-03-14', rivals: [] };

  test.each([
    ['nothing there is', march14, [], null],
    ['the only one there is', march14, [on('2026-03-17')], 0],
    [
      'the one of its own day before one beside it',
      march14,
      [on('2026-03-13'), on('2026-03-14')],
      1,
    ],
    ['nobody knows, of two beside it', march14, [on('2026-03-13'), on('2026-03-15')], null],
    ['nobody knows, of two of its own day', march14, [on('2026-03-14'), on('2026-03-14')], null],
    [
      'nobody knows, when another document could be meant as well',
      { date: '2026-03-14', rivals: ['2026-03-20'] },
      [on('2026-03-17')],
      null,
    ],
    [
      'the one of its own day, though another document is of another day',
      { date: '2026-03-14', rivals: ['2026-03-20'] },
      [on('2026-03-14'), on('2026-03-20')],
      0,
    ],
    [
      'nobody knows, when two documents are of that day',
      { date: '2026-03-14', rivals: ['2026-03-14'] },
      [on('2026-03-14')],
      null,
    ],
  ])('%s', (_, document, places, index) => {
    expect(soleMatch(document, places)).toBe(index === null ? null : places[index]);
  });
});

test.each([
  ['2026-03-14 Kvitto 1 249,50 kr.pdf', '2026-03-14', 124_950n],
  ['20260314_1249.50.pdf', '2026-03-14', 124_950n],
  ['Scan_2026.03.14.jpg', '2026-03-14', null],
  ['IMG_20260314_101530.HEIC', '2026-03-14', null],
  ['faktura 99,00.pdf', null, 9_900n],
  ['2026-03-14 till 2026-03-20.pdf', null, null],
  ['10,00 och 20,00.pdf', null, null],
  ['2026-02-31.pdf', null, null],
  ['kvitto.pdf', null, null],
  ['0,00.pdf', null, null],
])('the name %s tells %s and %s', (name, date, amountOre) => {
  expect(factsOfName(name)).toEqual({ date, amountOre });
});
