/** What taking a row's booking back takes along, in words. */
import type { Undoing } from '../../bank/matching/undoing.ts';
import { absolute } from '../../domain/basics/money.ts';
import { count, dayInWords, kronor } from '../format.ts';

export function undoingWords({ voucher, date, rows, documents, paidBack }: Undoing) {
  return {
    voucher,
    date: dayInWords(date),
    documents: [...Map.groupBy(documents, (one) => `${one.kind} ${one.isReturn}`).values()].map(
      documentsWords,
    ),
    otherRows: rows > 1 ? count(rows - 1) : null,
    paidBack: paidBack.length > 0 ? paidBack.join(', ') : null,
  };
}

/** Of one kind, and open again all of them, or paid again. */
function documentsWords(some: Undoing['documents']): string {
  const [first] = some;
  const isOne = some.length === 1;
  const word = `${first?.kind === 'invoice' ? 'Kundfaktur' : 'Leverantörsfaktur'}${isOne ? 'a' : 'or'}`;
  const list = some.map(({ number, ore }) => `${number} (${kronor(absolute(ore))})`).join(', ');
  const state = first?.isReturn ? (isOne ? 'betald' : 'betalda') : isOne ? 'öppen' : 'öppna';
  return `${word} ${list} blir ${state} igen.`;
}
