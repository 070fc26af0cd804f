/** Vouchers as accountants write them down: `1930 D 1250.00; 3001 C 1000.00 @MP1`. */
import type { LedgerRow, LedgerVoucher } from '#src/ledger/vouchers/posting-store.ts';
import { uuid } from '#src/lib/uuid.ts';

/** Kronor with two decimals, and perhaps a minus, as öre. */
export const öre = (kronor: string): bigint => BigInt(kronor.replace('.', ''));

export function bookedRows(text: string): LedgerRow[] {
  return text.split(';').map((row) => {
    const [account = '', side, kronor = '', tag = ''] = row.trim().split(' ');
    const [debitOre, creditOre] = side === 'D' ? [öre(kronor), 0n] : [0n, öre(kronor)];
    const own = tag.startsWith('@') ? { vatCode: tag.slice(1) } : {};
    return { account: Number(account), debitOre, creditOre, ...own };
  });
}

export const booked = (date: string, rows: string, source = 'api'): LedgerVoucher => ({
  id: uuid(),
  series: 'A',
  date,
  description: 'x',
  counterparty: null,
  source,
  actor: 'test',
  rows: bookedRows(rows),
});
