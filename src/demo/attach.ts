/** Gives the example company's vouchers their supporting documents, but for some that nobody has found. */

import { oreToNumber } from '../domain/basics/money.ts';
import { addAttachments } from '../ledger/attachments/service.ts';
import type { Books, PostedVoucher } from './books.ts';
import { monthBefore } from './calendar.ts';
import { bankList, documentOf } from './documents.ts';
import { listBankVouchers } from './store.ts';

/** Of the last two months' vouchers, one in so many still waits for its document. */
const missingEvery = 7;

/** A month's vouchers: those that are documented one by one, then those that the bank's list tells of. */
export async function attachDocuments(
  books: Books,
  month: string,
  posted: readonly PostedVoucher[],
): Promise<void> {
  const { tx, calendar, actors } = books;
  const isRecent = month >= monthBefore(calendar.today, 1);
  const documented = posted.flatMap((voucher, index) => {
    const file = documentOf(voucher);
    if (!file || (isRecent && index % missingEvery === 0)) return [];
    return { voucherId: voucher.id, ...file };
  });
  await addAttachments(tx, documented, actors.bookkeeper);
  // The list comes when the month is over.
  if (month === monthBefore(calendar.today, 0)) return;
  const listed = await listBankVouchers(
    books.tx,
    month,
    posted.filter(({ document, source }) => !document && source === 'app').map(({ id }) => id),
  );
  const file = bankList(
    month,
    listed.map(({ date, description, ore }) =>
      [date, description, String(oreToNumber(ore)).replace('.', ',')].join(';'),
    ),
  );
  const tellings = listed.map(({ id: voucherId }) => ({ voucherId, ...file }));
  await addAttachments(tx, tellings, actors.bookkeeper);
}
