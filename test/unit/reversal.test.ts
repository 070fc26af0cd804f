import { expect, test } from 'vitest';
import { reverseRows } from '#src/domain/ledger/reversal.ts';
import { fileDisposition } from '#src/http/headers.ts';

test('a reversal exchanges the sides and keeps everything else, in order', () => {
  const rows = [
    { account: 1930, debitOre: 12_500n, creditOre: 0n, note: 'kassa' },
    { account: 3001, debitOre: 0n, creditOre: 12_500n, note: null },
  ];
  expect(reverseRows(rows)).toEqual([
    { account: 1930, debitOre: 0n, creditOre: 12_500n, note: 'kassa' },
    { account: 3001, debitOre: 12_500n, creditOre: 0n, note: null },
  ]);
  expect(reverseRows(reverseRows(rows))).toEqual(rows);
});

test.each([
  ['kvitto.pdf', 'kvitto.pdf', 'kvitto.pdf'],
  ['kvitto å ä ö.pdf', 'kvitto a a o.pdf', 'kvitto%20%C3%A5%20%C3%A4%20%C3%B6.pdf'],
  ['a";\r\nset-cookie: x=1', 'a____set-cookie_ x_1', 'a%22%3B%0D%0Aset-cookie%3A%20x%3D1'],
  ["it's (1)*.pdf", 'it_s _1__.pdf', 'it%27s%20%281%29%2A.pdf'],
  ['\ud800.pdf', '_.pdf', '%EF%BF%BD.pdf'],
])('a file named %j stays inside its header', (name, plain, whole) => {
  expect(fileDisposition('inline', name)).toBe(
    `inline; filename="${plain}"; filename*=UTF-8''${whole}`,
  );
});
