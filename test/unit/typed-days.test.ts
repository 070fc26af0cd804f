/** Days as people in Sweden type them: understood, or refused, and read alike by page and server. */
import { expect, it, test } from 'vitest';
import { parseDay } from '#src/pages/inputs.ts';
import { dayOf } from '../../public/days.js';

const inPage = (typed: string) => dayOf(typed, '2026-03-15');

test.each([
  '261128',
  '20261128',
  '2026-11-28',
  '2026/11/28',
  '2026.11.28',
  '26-11-28',
  '28/11 2026',
  '28/11/2026',
  '28.11.2026',
  '28-11-2026',
  '28/11-26',
])('%s is 28 November 2026', (typed) => {
  expect([inPage(typed), parseDay(typed)]).toEqual(['2026-11-28', '2026-11-28']);
});

test.each([
  '2026-02-30',
  '260230',
  '31/2 2026',
  '1128',
  '2611',
  '202611',
  '1128-02-06',
  'igår',
  '',
])('«%s» is no day', (typed) =>
  expect([inPage(typed), parseDay(typed)]).toEqual([null, undefined]),
);

it('takes this year where none is typed, and only in the page, where it is seen before it is sent', () => {
  expect([inPage('28/11'), inPage('1/1'), inPage('28.11.'), inPage('29/2')]).toEqual([
    '2026-11-28',
    '2026-01-01',
    '2026-11-28',
    null,
  ]);
  expect([parseDay('28/11'), parseDay('28.11.')]).toEqual([undefined, undefined]);
});
