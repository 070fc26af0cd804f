import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Installation, voucherBody } from '../support/installation.ts';
import { openBooks } from './books.ts';

const url = '/api/v1/bokforbarhet';
let books: Installation;
beforeAll(async () => {
  books = await openBooks();
});
afterAll(() => books.close());

describe('bokforbarhet', () => {
  test('tells the ranges of the fiscal years when no dates are given', async () => {
    const response = await books.call({ url });
    expect(response.json()).toMatchObject({
      from: '2026-01-01',
      to: '2026-12-31',
      ranges: [
        {
          from: '2026-01-01',
          to: '2026-12-31',
          fiscal_year: 2026,
          series: expect.arrayContaining(['A', 'B', 'C']),
          state: 'open',
          lock: null,
        },
      ],
    });
  });

  test('says just what posting a voucher on each day then meets', async () => {
    await books.owner.query(
      `update ledger.locks set period_locked_to = '2026-02-28', vat_locked_to = '2026-03-31'`,
    );
    const { ranges } = (await books.call({ url: `${url}?from=2025-12-01&to=2027-01-31` })).json();
    expect(ranges).toHaveLength(5);
    const withoutVat = {
      rows: [
        { account: 1930, debit: 1, credit: 0 },
        { account: 1510, debit: 0, credit: 1 },
      ],
    };
    for (const range of ranges) {
      for (const date of [range.from, range.to]) {
        for (const rows of [{}, withoutVat]) {
          const answer = await books.call({
            method: 'POST',
            url: '/api/v1/verifikat?dryRun=true',
            payload: voucherBody({ date, ...rows }),
          });
          const isStopped =
            range.state === 'locked' || (range.state === 'vat_locked' && rows !== withoutVat);
          if (range.state === 'no_fiscal_year') {
            expect(answer.json().error).toBe('unprocessable');
          } else if (isStopped) {
            const { lock, locked_to, earliest_allowed_date } = range;
            const touchesVatToo = range.state === 'locked' && rows !== withoutVat;
            expect(answer.json().detail).toEqual({
              lock,
              locked_to,
              earliest_allowed_date: touchesVatToo ? '2026-04-01' : earliest_allowed_date,
            });
          } else expect(answer.statusCode).toBe(200);
        }
      }
    }
  });

  test.each([
    ['from=2026-13-01', 'from', 'not_a_date'],
    ['from=2026-02-01&to=2026-01-01', 'from', 'after_to'],
    ['till=2026-01-01', 'till', 'unknown_field'],
  ])('%s is 400', async (query, path, reason) => {
    const response = await books.call({ url: `${url}?${query}` });
    expect(response.statusCode).toBe(400);
    expect(response.json().detail.problems).toMatchObject([{ path, reason }]);
  });

  test('a key without data:read learns nothing', async () => {
    const { key } = await books.makeKey(['ledger:write']);
    expect((await books.call({ url, key })).statusCode).toBe(403);
  });
});
