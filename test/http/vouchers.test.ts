import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createInstallation, type Installation, voucherBody } from '../support/installation.ts';

let books: Installation;
beforeAll(async () => {
  books = await createInstallation();
});
afterAll(() => books.close());

const post = (payload: object, options: object = {}) =>
  books.call({ method: 'POST', url: '/api/v1/verifikat', payload, ...options });

describe('POST /api/v1/verifikat', () => {
  test('a posted voucher is answered with its number and link, and can be read back', async () => {
    const answer = await post(voucherBody());
    expect(answer.statusCode).toBe(200);
    const posted = answer.json();
    expect(posted).toMatchObject({
      series: 'A',
      label: `A${posted.number}`,
      verification_date: '2026-03-31',
      url: `https://bok.example/verifikat/${posted.id}`,
    });
    const read = await books.call({ method: 'GET', url: `/api/v1/verifikat?id=${posted.id}` });
    expect(read.json().data).toEqual([
      {
        id: posted.id,
        number: posted.number,
        series: 'A',
        verification_date: '2026-03-31',
        description: 'Kontantförsäljning',
        counterparty: null,
        source: 'api',
        external_id: null,
        rows: [
          { row_no: 1, account: 1930, debit: 125, credit: 0, note: null, vat_code: null },
          { row_no: 2, account: 3001, debit: 0, credit: 100, note: null, vat_code: 'MP1' },
          { row_no: 3, account: 2611, debit: 0, credit: 25, note: null, vat_code: 'U1' },
        ],
      },
    ]);
  });
});
