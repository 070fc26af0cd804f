/** What taking a row's booking back takes along, in words. */
import type { Undoing } from '../../bank/matching/undoing.ts';
import { count, dayInWords, kronor } from '../format.ts';

export function undoingWords({ voucher, date, rows, documents, paidBack }: Undoing) {
  const of = (kind: 'invoice' | 'purchase') =>
    documents
      .filter((one) => one.kind === kind)
      .map(({ number, ore }) => `${number} (${kronor(ore)})`);
  const [ours, theirs] = [of('invoice'), of('purchase')];
  return {
    voucher,
    date: dayInWords(date),
    invoices: ours.length > 0 ? ours.join(', ') : null,
    purchases: theirs.length > 0 ? theirs.join(', ') : null,
    otherRows: rows > 1 ? count(rows - 1) : null,
    paidBack: paidBack.length > 0 ? paidBack.join(', ') : null,
  };
}
