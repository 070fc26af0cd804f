/** What the example company's suppliers send it, and what becomes of each document. */
import { addDays, split } from '../domain/basics/dates.ts';
import { type Calendar, dayIn, monthBefore, workday, workdayBefore } from './calendar.ts';
import { madeUpNumber } from './company.ts';
import { pdfOf } from './documents.ts';
import { eInvoiceXml, type SampleEInvoice } from './e-invoice.ts';
import { createRandom, type Random } from './random.ts';
import { type DemoSupplier, supplier, suppliers } from './suppliers.ts';

/** Booked and perhaps paid; or decided on by a person; or left waiting in the inbox. */
export type Fate =
  | { readonly kind: 'booked'; readonly paid: readonly PaidPart[] }
  | { readonly kind: 'rejected'; readonly reason: string }
  | { readonly kind: 'waiting' };

/** Percent of what is owed; the last part takes what remains. */
export interface PaidPart {
  readonly date: string;
  readonly percent: number;
}

export interface PlannedPurchase {
  readonly document: SampleEInvoice;
  readonly fate: Fate;
}

/** By date. */
export function ordinaryPurchases(month: string): PlannedPurchase[] {
  const { month: number } = split(`${month}-01`);
  return suppliers
    .filter(({ inMonths }) => inMonths?.includes(number) ?? true)
    .flatMap((seller) => seller.days.map((day) => ordinaryPurchase(seller, dayIn(month, day))))
    .sort((a, b) => a.document.issueDate.localeCompare(b.document.issueDate));
}

function ordinaryPurchase(seller: DemoSupplier, issueDate: string): PlannedPurchase {
  const document = invoiceOf(seller, issueDate);
  const date = workday(addDays(issueDate, seller.terms - 1));
  return { document, fate: { kind: 'booked', paid: [{ date, percent: 100 }] } };
}

export function invoiceOf(
  seller: DemoSupplier,
  issueDate: string,
  changes: Partial<SampleEInvoice> = {},
): SampleEInvoice {
  const random = createRandom(`${seller.key} ${issueDate}`);
  const first = random.integer(0, seller.offers.length - seller.lines);
  return {
    kind: 'Invoice',
    seller,
    number: numberOf(seller, issueDate, random),
    issueDate,
    terms: seller.terms,
    vat: seller.vat(issueDate),
    lines: seller.offers.slice(first, first + seller.lines).map(({ name, price, quantity }) => ({
      name,
      quantity: random.integer(...quantity),
      priceOre: BigInt(price) * 100n,
    })),
    ...changes,
  };
}

const numberOf = ({ key }: DemoSupplier, date: string, random: Random): string =>
  `${key.slice(0, 2).toUpperCase()}${date.slice(2).replaceAll('-', '')}${random.integer(10, 99)}`;

/** Those that somebody must look at, and those that somebody has. */
export function specialPurchases({ today, firstDay }: Calendar): PlannedPurchase[] {
  const ago = (days: number): string => workdayBefore(addDays(today, -days));
  const waiting = { kind: 'waiting' } as const;
  const lastMonth = monthBefore(today, 1);
  const rosteriet = supplier('rosteriet');
  const credited = workday(addDays(firstDay, 130));
  return [
    {
      document: creditNote(rosteriet, credited, 'Reklamation, fuktskadade bönor'),
      fate: { kind: 'booked', paid: [{ date: workday(addDays(credited, 20)), percent: 100 }] },
    },
    {
      document: invoiceOf(supplier('espressomaskiner'), ago(58), { number: 'ES-EXTRA-1' }),
      fate: { kind: 'booked', paid: [{ date: ago(30), percent: 50 }] },
    },
    {
      document: invoiceOf(supplier('frakt'), ago(39), { number: 'FR-TVIST-1' }),
      fate: { kind: 'booked', paid: [] },
    },
    {
      document: invoiceOf(supplier('stad'), ago(33), { number: 'ST-DUBBEL-1' }),
      fate: { kind: 'rejected', reason: 'Samma städning är redan fakturerad; avtalat med Rent.' },
    },
    { document: invoiceOf(rosteriet, `${lastMonth}-23`, { number: 'KR-2291' }), fate: waiting },
    { document: invoiceOf(supplier('natbolaget'), ago(2), specified), fate: waiting },
    { document: invoiceOf(signMaker, ago(6), { number: '1034' }), fate: waiting },
    { document: creditNote(supplier('frakt'), ago(5), 'Försenat gods'), fate: waiting },
    {
      document: invoiceOf({ ...supplier('energi'), payTo: '59999998' }, ago(4), { number: 'BE-7' }),
      fate: waiting,
    },
    {
      document: invoiceOf(supplier('macchine'), ago(9), { number: '2291/E', currency: 'EUR' }),
      fate: waiting,
    },
    {
      document: invoiceOf(supplier('siffran'), ago(3), {
        number: 'SI-FEL',
        overchargedOre: 12_500n,
      }),
      fate: waiting,
    },
  ];
}

/** With a file inside. */
const specified: Partial<SampleEInvoice> = {
  number: 'NB-88412',
  enclosure: {
    fileName: 'Samtalsspecifikation.pdf',
    bytes: pdfOf([
      'Nätbolaget AB',
      'Samtalsspecifikation',
      'Fyra abonnemang, inga samtal utomlands.',
    ]),
  },
};

/** Nobody the company knows. */
const signMaker: DemoSupplier = {
  ...supplier('stad'),
  key: 'skyltmakaren',
  name: 'Skyltmakaren i Luleå AB',
  organizationNumber: madeUpNumber(290),
  vatNumber: `SE${madeUpNumber(290)}01`,
  endpoint: `0007:${madeUpNumber(290)}`,
  city: 'Luleå',
  payTo: '59999907',
  offers: [{ name: 'Fasadskylt, aluminium', price: 7_400, quantity: [1, 1] }],
};

function creditNote(seller: DemoSupplier, issueDate: string, name: string): SampleEInvoice {
  return invoiceOf(seller, issueDate, {
    kind: 'CreditNote',
    number: `K${issueDate.replaceAll('-', '')}`,
    lines: [{ name, quantity: 1, priceOre: 186_000n }],
  });
}

/** What came and never reached the inbox: sent to another, and no invoice at all. */
export function refusedDocuments({ today }: Calendar): string[] {
  const date = workdayBefore(addDays(today, -8));
  const other = { number: 'BE-9', buyer: madeUpNumber(300) };
  return [
    eInvoiceXml(invoiceOf(supplier('energi'), date, other)),
    `<?xml version="1.0" encoding="UTF-8"?>\n<Order><ID>${date}</ID></Order>\n`,
  ];
}
