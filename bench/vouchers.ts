/** The vouchers that are posted: three rows on one series, the same ones with and without HTTP. */
import { addDays } from '#src/domain/basics/dates.ts';
import { canonicalJson } from '#src/domain/basics/json.ts';
import type { LedgerRow } from '#src/ledger/vouchers/posting-store.ts';
import type { PostItem } from '#src/ledger/vouchers/store.ts';
import { sha256Of } from '#src/lib/sha256.ts';
import { uuid } from '#src/lib/uuid.ts';
import { httpRequest, unique_mark } from './load-job.ts';

const variants = 200;
const sales_accounts = [3001, 3002, 3003, 3004] as const;

interface Sale {
  readonly date: string;
  readonly description: string;
  readonly rows: readonly {
    readonly account: number;
    readonly debit: number;
    readonly credit: number;
  }[];
}

/** The n:th of a year's sales: other dates, accounts and amounts each time. */
function saleOf(n: number): Sale {
  const net = 100 + ((n * 37) % 9000);
  const vat = net / 4;
  return {
    date: addDays('2026-01-01', (n * 7) % 320),
    description: `Försäljning butik ${n}`,
    rows: [
      { account: 1930, debit: net + vat, credit: 0 },
      { account: sales_accounts[n % sales_accounts.length] ?? 3001, debit: 0, credit: net },
      { account: 2611, debit: 0, credit: vat },
    ],
  };
}

export const voucherBodies: readonly object[] = Array.from({ length: variants }, (_, n) => ({
  seriesCode: 'A',
  ...saleOf(n),
}));

export const voucherRequests = (key: string): string[] =>
  voucherBodies.map((body) =>
    httpRequest(
      'POST',
      '/api/v1/verifikat',
      { authorization: `Bearer ${key}`, 'idempotency-key': unique_mark },
      body,
    ),
  );

export interface DirectVoucher {
  readonly date: string;
  readonly description: string;
  readonly rows: readonly LedgerRow[];
}

export const directVouchers: readonly DirectVoucher[] = Array.from({ length: variants }, (_, n) => {
  const { date, description, rows } = saleOf(n);
  const ore = (kronor: number) => BigInt(Math.round(kronor * 100));
  return {
    date,
    description,
    rows: rows.map(({ account, debit, credit }) => ({
      account,
      debitOre: ore(debit),
      creditOre: ore(credit),
    })),
  };
});

/** The n:th call of a key as the HTTP process hands it to the database, each with a key of its own. */
export function postItems(key: string): (n: number) => PostItem {
  const keyHash = sha256Of(key);
  return (n) => {
    const voucher = directVouchers[n % directVouchers.length];
    if (!voucher) throw new Error('there are no vouchers to post');
    const request = canonicalJson(voucherBodies[n % voucherBodies.length]);
    return {
      ...voucher,
      id: uuid(),
      series: 'A',
      counterparty: null,
      source: 'api',
      keyHash,
      idempotencyKey: uuid(),
      request,
      requestHash: sha256Of(request),
      requestId: uuid(),
    };
  };
}
