/** Gives the example company's vouchers their supporting documents, but for some that nobody has found. */

import { sql } from '../db/sql.ts';
import { lastDayOfMonth } from '../domain/basics/dates.ts';
import { oreToNumber } from '../domain/basics/money.ts';
import { addAttachment } from '../ledger/attachments/service.ts';
import type { Books, PostedVoucher } from './books.ts';
import { monthBefore } from './calendar.ts';
import { bankList, documentOf } from './documents.ts';

/** Of the last two months' vouchers, one in so many still waits for its document. */
const missing_every = 7;

/** A month's vouchers: those that are documented one by one, then those that the bank's list tells of. */
export async function attachDocuments(
  books: Books,
  month: string,
  posted: readonly PostedVoucher[],
): Promise<void> {
  const { tx, calendar, actors } = books;
  const isRecent = month >= monthBefore(calendar.today, 1);
  for (const [index, voucher] of posted.entries()) {
    const file = documentOf(voucher);
    if (!file || (isRecent && index % missing_every === 0)) continue;
    await addAttachment(tx, { voucherId: voucher.id, ...file }, actors.bookkeeper);
  }
  // The list comes when the month is over.
  if (month === monthBefore(calendar.today, 0)) return;
  const listed = await listBankVouchers(
    books,
    month,
    posted.filter(({ document, source }) => !document && source === 'app').map(({ id }) => id),
  );
  const file = bankList(
    month,
    listed.map(({ date, description, ore }) =>
      [date, description, String(oreToNumber(ore)).replace('.', ',')].join(';'),
    ),
  );
  for (const { id: voucherId } of listed) {
    await addAttachment(tx, { voucherId, ...file }, actors.bookkeeper);
  }
}

interface BankVoucher {
  id: string;
  date: string;
  description: string;
  ore: bigint;
}

function listBankVouchers(
  { tx }: Books,
  month: string,
  others: readonly string[],
): Promise<BankVoucher[]> {
  const first = `${month}-01`;
  return tx.query(sql`select v.id, v.verification_date as date, v.description,
      (select coalesce(sum(r.debit_ore - r.credit_ore), 0)::bigint from ledger.voucher_rows r
        where r.voucher_id = v.id and r.account = 1930) as ore
    from ledger.vouchers v
    where v.verification_date between ${first}::date and ${lastDayOfMonth(month)}::date
      and (v.source in ('payment', 'supplier_payment') or v.id = any (${others}::uuid[]))
    order by v.verification_date, v.series, v.number`);
}
