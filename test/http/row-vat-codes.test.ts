/**
 * Where the VAT return's base is not the account's to tell: confirmed losses, customers' prepayments and
 * equipment sold. An integrator posts them with the base row's own VAT code, reads them back, and sums boxes.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { db } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { readBasBaseChart } from '#src/ledger/accounts/bas-base-chart.ts';
import type { Installation } from '../support/installation.ts';
import { openBooks } from './books.ts';

const url = '/api/v1/verifikat';
let books: Installation;
/** The boxes that the chart knows: of accounts of VAT, and of VAT codes. */
const boxes = { ofAccount: new Map<number, string>(), ofCode: new Map<string, string>() };
beforeAll(async () => {
  books = await openBooks();
  for (const { account, vatCode, vatBox } of await readBasBaseChart()) {
    if (vatBox !== null) boxes.ofAccount.set(account, vatBox);
    if (vatBox !== null && vatCode !== null) boxes.ofCode.set(vatCode, vatBox);
  }
  await db(books.owner).query(sql`insert into ledger.accounts (number, name, type)
    values (1210, 'Maskiner', 'asset'), (1219, 'Ackumulerade avskrivningar', 'asset'),
      (2420, 'Förskott från kunder', 'liability'), (3973, 'Vinst vid avyttring', 'revenue')
    on conflict do nothing`);
});
afterAll(() => books.close());

interface Row {
  readonly account: number;
  readonly debit: number;
  readonly credit: number;
  readonly vat_code?: string | null;
}

/** `6351 D 1000 @MP1` is a row with a VAT code of its own. */
function readRow(text: string): Row {
  const [, account = '', side, kronor = '', code] =
    /^(\d{4}) ([DC]) ([\d.]+)(?: @(\w+))?$/.exec(text) ?? [];
  const [debit, credit] = side === 'D' ? [Number(kronor), 0] : [0, Number(kronor)];
  return { account: Number(account), debit, credit, ...(code ? { vat_code: code } : {}) };
}

const isVat = (account: number): boolean => account >= 2610 && account <= 2649;

/** Credit less debit, in kronor, by box; what has none is left out. */
function sumBoxes(rows: readonly Row[], boxOf: (row: Row) => string | undefined): object {
  const sums = new Map<string, number>();
  for (const row of rows) {
    const box = boxOf(row);
    if (box !== undefined) sums.set(box, (sums.get(box) ?? 0) + row.credit - row.debit);
  }
  return Object.fromEntries([...sums].filter(([, kronor]) => kronor !== 0));
}
const byRow = ({ account, vat_code: code }: Row): string | undefined =>
  isVat(account) ? boxes.ofAccount.get(account) : boxes.ofCode.get(code ?? '');
const byAccount = ({ account }: Row): string | undefined => boxes.ofAccount.get(account);

test.each([
  [
    'V42, a confirmed loss',
    [['2026-06-10', '6351 D 1000 @MP1', '2611 D 250', '1510 C 1250']],
    { '05': -1000, '10': -250 },
  ],
  [
    'V43, a prepayment',
    [['2026-05-25', '1930 D 1250', '2420 C 1000 @MP1', '2611 C 250']],
    { '05': 1000, '10': 250 },
  ],
  [
    'V43b, the final invoice after it',
    [['2026-06-25', '1510 D 3750', '2420 D 1000 @MP1', '2611 D 250', '3001 C 4000', '2611 C 1000']],
    { '05': 3000, '10': 750 },
  ],
  [
    'V44, a machine sold',
    [
      ['2026-06-11', '1930 D 12500', '1219 D 45000', '1210 C 50000', '3973 C 5000', '2611 C 2500'],
      ['2026-06-11', '3973 C 10000 @MP1', '3973 D 10000'],
    ],
    { '05': 10_000, '10': 2_500 },
  ],
])(
  '%s counts in the boxes by its rows, and not by its accounts',
  async (_what, given, expected) => {
    const rows: Row[] = [];
    for (const [date, ...texts] of given) {
      const payload = { seriesCode: 'A', date, description: 'Vektor', rows: texts.map(readRow) };
      const posted = await books.call({ method: 'POST', url, payload });
      expect(posted.statusCode).toBe(200);
      const read = await books.call({ url: `${url}?id=${posted.json().id}` });
      rows.push(...read.json().data[0].rows);
    }
    expect(sumBoxes(rows, byRow)).toEqual(expected);
    expect(sumBoxes(rows, byAccount)).not.toEqual(expected);
  },
);
