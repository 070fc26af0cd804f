/** What people of the example company write themselves: the invoice of a leased car, and what the owner laid out. */
import { wholeDeduction } from '../domain/purchases/written-purchase.ts';
import { keepDocument } from '../ledger/documents/service.ts';
import { writeInvoice, writeOutlay } from '../purchases/by-hand/service.ts';
import type { HandLine } from '../purchases/by-hand/written.ts';
import { bookPurchases } from '../purchases/inbox/service.ts';
import { createSupplier } from '../purchases/suppliers/service.ts';
import { type Books, kronor } from './books.ts';
import { workdayIn } from './calendar.ts';
import { madeUpNumber } from './company.ts';
import { pdfOf } from './documents.ts';

const line = (account: number, deduction = wholeDeduction): HandLine => ({
  account,
  ore: null,
  vatCode: 'I25',
  deduction,
  note: null,
  costCenter: null,
  project: null,
});

/** Both are booked; neither is paid yet. Answers the voucher of the leased car's invoice. */
export async function writeByHand(
  { tx, actors }: Books,
  month: string,
): Promise<{ readonly voucherId: string; readonly date: string }> {
  const actor = actors.bookkeeper;
  const documentOf = async (fileName: string, lines: readonly string[]): Promise<string[]> => {
    const { id } = await keepDocument(tx, { fileName, bytes: pdfOf(lines) }, actor);
    return [id];
  };
  const common = { kind: 'invoice', vatOre: null, isVatIncluded: false } as const;

  const lessor = {
    name: 'Norrbil Leasing AB',
    organizationNumber: madeUpNumber(291),
    vatNumber: `SE${madeUpNumber(291)}01`,
    endpoint: null,
    countryCode: 'SE',
    account: 5615,
    accounts: [{ kind: 'bankgiro', number: '9912338' }] as const,
  };
  const { id: supplierId, name } = await createSupplier(tx, lessor, actor);
  const leasedOn = workdayIn(month, 14);
  const leasing = await writeInvoice(
    tx,
    null,
    {
      ...common,
      supplierId,
      invoiceNumber: '70114',
      issueDate: leasedOn,
      dueDate: null,
      reference: null,
      payTo: null,
      totalOre: kronor(5_000),
      lines: [line(5615, { kind: 'share', percent: 50 })],
      documentIds: await documentOf('leasing.pdf', [name, 'Faktura 70114', leasedOn, '5 000,00']),
    },
    actor,
  );

  const boughtOn = workdayIn(month, 18);
  const outlay = await writeOutlay(
    tx,
    null,
    {
      ...common,
      laidOutBy: 'Olof Ägare',
      debtAccount: 2893,
      sellerName: 'Järnhandeln',
      invoiceNumber: null,
      issueDate: boughtOn,
      totalOre: kronor(625),
      lines: [line(5460)],
      documentIds: await documentOf('kvitto-jarnhandeln.pdf', ['Järnhandeln', boughtOn, '625,00']),
    },
    actor,
  );
  const outcomes = await bookPurchases(tx, [leasing, outlay], actor);
  for (const { refusal } of outcomes) if (refusal) throw refusal;
  const voucherId = outcomes.find(({ id }) => id === leasing)?.voucherId;
  if (!voucherId) throw new Error('the lease was not booked');
  return { voucherId, date: leasedOn };
}
