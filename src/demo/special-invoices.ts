/** Invoices that something is up with, so that there is one of each. */
import { addDays } from '../domain/basics/dates.ts';
import type { DraftRow } from '../domain/sales/invoice.ts';
import { article, articles } from './articles.ts';
import { type Calendar, monthBefore, workday, workdayBefore } from './calendar.ts';
import { customers, type DemoCustomer } from './customers.ts';
import { type PlannedInvoice, saleOf } from './sales.ts';

function customer(key: string): DemoCustomer {
  const found = customers.find((one) => one.key === key);
  if (!found) throw new RangeError(`there is no customer ${key}`);
  return found;
}

type Sold = readonly [articleNumber: string, quantity: number];

function rowsOf(buyer: DemoCustomer, date: string, sold: readonly Sold[]): DraftRow[] {
  return sold.map(([number, quantity]) => saleOf(article(number), quantity, buyer, date));
}

/** Everything there is to tell of an invoice but its rows, which its buyer and date complete. */
type Sketch = Omit<PlannedInvoice, 'customer' | 'rows'>;

function invoice(key: string, sketch: Sketch, ...sold: readonly Sold[]): PlannedInvoice {
  const buyer = customer(key);
  return { ...sketch, customer: buyer, rows: rowsOf(buyer, sketch.date, sold) };
}

export function specialInvoices(calendar: Calendar): PlannedInvoice[] {
  return [...unpaid(calendar), ...changed(calendar), ...unusual(calendar), ...drafts(calendar)];
}

/** So many days before today, on a working day. */
const ago = ({ today }: Calendar, days: number): string => workdayBefore(addDays(today, -days));

function unpaid(calendar: Calendar): PlannedInvoice[] {
  const lastYear = calendar.year - 1;
  return [
    // Overdue since before the reference rate changed, paid in part on both sides of a half-year.
    invoice(
      'napoli',
      {
        date: workday(`${lastYear}-04-07`),
        notes: 'Betalningsplan avtalad per telefon i augusti.',
        events: [
          { kind: 'reminder', date: workday(`${lastYear}-05-20`), feeKronor: 60 },
          { kind: 'reminder', date: workday(`${lastYear}-06-10`), feeKronor: 60 },
          { kind: 'payment', date: workday(`${lastYear}-09-01`), part: 20 },
          { kind: 'payment', date: workday(`${lastYear + 1}-02-02`), part: 10 },
        ],
      },
      ['1001', 1],
      ['1101', 2],
      ['3001', 1],
    ),
    invoice(
      'solglantan',
      {
        date: ago(calendar, 47),
        promise: {
          lastDay: addDays(calendar.today, 6),
          reason: 'Betalar när deras egen kund har betalat.',
        },
        events: [{ kind: 'reminder', date: ago(calendar, 12), feeKronor: 0 }],
      },
      ['2001', 40],
      ['1202', 4],
      ['3101', 1],
    ),
    // Nobody has reminded them yet.
    invoice(
      'fjallrestauranger',
      { date: ago(calendar, 39), events: [] },
      ['1102', 2],
      ['2001', 24],
      ['3101', 1],
    ),
    invoice(
      'sjoboden',
      {
        date: ago(calendar, 107),
        events: [
          { kind: 'reminder', date: ago(calendar, 63), feeKronor: 60 },
          { kind: 'reminder', date: ago(calendar, 42), feeKronor: 60 },
          { kind: 'payment', date: ago(calendar, 34), part: 40 },
        ],
      },
      ['1002', 1],
      ['1102', 2],
      ['3101', 1],
    ),
    invoice('gym', { date: ago(calendar, 96), events: [] }, ['1003', 1], ['3001', 1]),
    invoice(
      'gym',
      {
        date: ago(calendar, 101),
        events: [
          { kind: 'reminder', date: ago(calendar, 60), feeKronor: 60 },
          { kind: 'payment', date: ago(calendar, 50), part: 25 },
          { kind: 'loss', date: ago(calendar, 5), reason: 'Ackord: kunden betalar en fjärdedel' },
        ],
      },
      ['1202', 6],
      ['2001', 12],
    ),
    invoice(
      'bygg',
      {
        date: ago(calendar, 84),
        events: [{ kind: 'reminder', date: ago(calendar, 43), feeKronor: 60 }],
        dispute:
          'Kunden menar att maskinen läckte vid leveransen; service var på plats två gånger.',
      },
      ['1003', 1],
      ['3001', 1],
      ['3101', 1],
    ),
  ];
}

function changed(calendar: Calendar): PlannedInvoice[] {
  return [
    invoice(
      'kaffekoppen',
      { date: ago(calendar, 49), events: [{ kind: 'credit', date: ago(calendar, 41) }] },
      ['1201', 5],
      ['3101', 1],
    ),
    invoice(
      'roda-stugan',
      {
        date: ago(calendar, 62),
        events: [
          { kind: 'credit', date: ago(calendar, 51), rows: [2] },
          { kind: 'payment', date: ago(calendar, 40), part: 'rest' },
        ],
      },
      ['2002', 30],
      ['1103', 4],
      ['3101', 1],
    ),
    invoice(
      'alvkanten',
      {
        date: ago(calendar, 19),
        events: [{ kind: 'payment', date: ago(calendar, 4), part: 50 }],
        notes: 'Halva beloppet vid leverans enligt offert.',
      },
      ['1001', 1],
      ['1101', 1],
      ['3001', 1],
      ['3101', 1],
    ),
    invoice(
      'tandlakarna',
      {
        date: ago(calendar, 66),
        events: [
          { kind: 'payment', date: ago(calendar, 45), part: 100 },
          { kind: 'payment_back', date: ago(calendar, 44), part: 100 },
          { kind: 'payment', date: ago(calendar, 37), part: 'rest' },
        ],
      },
      ['3002', 1],
      ['1103', 2],
    ),
  ];
}

const longListRows = 64;

function unusual(calendar: Calendar): PlannedInvoice[] {
  const buyer = customer('folkets-hus');
  const date = ago(calendar, 15);
  const wares = articles.filter(({ number }) => number > '1100' && number < '3000');
  const rows = Array.from({ length: longListRows }, (_, index) => {
    const sold = wares[index % wares.length] ?? article('1201');
    const row = saleOf(sold, 1 + (index % 3), buyer, date);
    return { ...row, description: `${row.description}, avrop ${index + 1}` };
  });
  return [
    { customer: buyer, date, rows, events: [], notes: 'Samlingsfaktura enligt ramavtal.' },
    invoice(
      'pohjola',
      { date: ago(calendar, 11), events: [], notes: 'Reverse charge, article 138 VAT Directive.' },
      ['1002', 2],
      ['1101', 2],
    ),
  ];
}

function drafts(calendar: Calendar): PlannedInvoice[] {
  const lastMonth = monthBefore(calendar.today, 1);
  const draft = { isDraft: true, events: [] } as const;
  return [
    invoice('advokat', { ...draft, date: workdayBefore(`${lastMonth}-27`) }, ['3003', 4]),
    invoice('strandvik', { ...draft, date: ago(calendar, 1) }, ['1102', 2], ['3101', 1]),
    invoice('bageri', { ...draft, date: ago(calendar, 0) }, ['2001', 50], ['2002', 25]),
  ];
}
