/** Documents that wait in the example company's inbox: some that fit a voucher, one that is a tie, one of nothing. */
import type { Tx } from '../db/pool.ts';
import { addDays } from '../domain/basics/dates.ts';
import { keepDocument } from '../ledger/documents/service.ts';
import { formatKronor } from '../lib/swedish.ts';
import type { Books } from './books.ts';
import { pdfOf } from './documents.ts';
import { listUndocumented } from './store.ts';

const documentsMax = 3;

/** Receipts that somebody found at last, of vouchers that lack theirs; and one that nobody has booked. */
export async function leaveDocuments({ tx, calendar, actors }: Books): Promise<void> {
  const found = await listUndocumented(tx, documentsMax);
  for (const { date, description, ore } of found) {
    await keep(tx, { name: 'Kvitto', date, ore, text: description }, actors.bookkeeper);
  }
  const lunch = { name: 'Lunch', date: addDays(calendar.today, -1), ore: 34_800n };
  await keep(tx, { ...lunch, text: 'Lunch med kund' }, actors.bookkeeper);
  const lines = ['Skannat 0001', 'Exempel: detta är inget riktigt underlag.'];
  await keepDocument(tx, { fileName: 'Skannat 0001.pdf', bytes: pdfOf(lines) }, actors.bookkeeper);
}

interface Receipt {
  readonly name: string;
  readonly date: string;
  readonly ore: bigint;
  readonly text: string;
}

function keep(tx: Tx, { name, date, ore, text }: Receipt, actor: string) {
  const amount = formatKronor(ore).replaceAll('\u00a0', ' ');
  const lines = [text, `Datum ${date}`, amount, 'Exempel: detta är inget riktigt underlag.'];
  return keepDocument(
    tx,
    { fileName: `${date} ${name} ${amount}.pdf`, bytes: pdfOf(lines) },
    actor,
  );
}
