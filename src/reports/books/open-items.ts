/** Kundreskontra and leverantörsreskontra at the end of a day, by age. */
import { z } from 'zod';
import type { Db } from '../../db/pool.ts';
import { type Ore, sum } from '../../domain/basics/money.ts';
import { agedAmounts, ageLabels } from '../../domain/ledger/ageing.ts';
import { faultOf, refuse, refuseWhole } from '../../lib/errors.ts';
import {
  balanceAt,
  countOwedItems,
  findMoveDay,
  listOpenItems,
  type OpenItemsOf,
  type OwedItem,
  sumOwedItems,
} from './open-items-store.ts';
import { type BookReport, type Column, placeParts, placeText, type ReportLine } from './table.ts';

const ageKeys = ['not_due', 'days_1_30', 'days_31_60', 'days_61_90', 'days_over_90'] as const;

const columns = (party: string): Column[] => [
  { key: 'party', label: party, kind: 'text', isShared: true },
  { key: 'number', label: 'Faktura', kind: 'text' },
  { key: 'date', label: 'Fakturadatum', kind: 'date' },
  { key: 'due_date', label: 'Förfallodag', kind: 'date' },
  { key: 'total', label: 'Belopp', kind: 'amount' },
  { key: 'open', label: 'Öppet', kind: 'amount' },
  ...ageLabels.map(
    (label, place): Column => ({ key: ageKeys[place] ?? '', label, kind: 'amount' }),
  ),
];

const itemPlace = z
  .tuple([
    z
      .string()
      .max(500)
      .regex(/^\P{Cc}*$/u),
    z.uuid(),
    z.uuid(),
  ])
  .transform(([party, partyId, id]) => ({ party, partyId, id }));

const accountsOf = { receivables: 1510, payables: 2440 } as const;

async function lastLines(db: Db, of: OpenItemsOf, day: string): Promise<ReportLine[]> {
  const owed = await sumOwedItems(db, of, day);
  const account = accountsOf[of];
  const balance = await balanceAt(db, account, day);
  const balanceOre = of === 'receivables' ? balance : -balance;
  const openOre = sum(owed.map(({ open_ore }) => open_ore));
  const aged = owed.map(({ open_ore, due_date }) => agedAmounts(open_ore, due_date, day));
  const line = (label: string, ore: Ore, ages: readonly (Ore | null)[]): ReportLine => ({
    kind: 'sum',
    cells: [label, null, null, null, null, ore, ...ages],
  });
  const blank = ageLabels.map(() => null);
  return [
    line(
      'Summa',
      openOre,
      ageLabels.map((_, age) => sum(aged.map((ages) => ages[age] ?? 0n))),
    ),
    {
      ...line(`Saldo på ${account} i huvudboken`, balanceOre, blank),
      behind: { kind: 'accounts', accounts: { first: account, last: account } },
    },
    line('Skillnad', openOre - balanceOre, blank),
  ];
}

function openItemsReport(
  of: OpenItemsOf,
  facts: Pick<BookReport, 'name' | 'word' | 'title' | 'description'> & { readonly party: string },
): BookReport {
  const { party, ...named } = facts;
  const lineOf = (item: OwedItem, day: string): ReportLine => ({
    kind: 'row',
    behind: { kind: of === 'receivables' ? 'invoice' : 'purchase', id: item.id },
    cells: [
      item.party,
      item.number,
      item.date,
      item.due_date,
      item.total_ore,
      item.open_ore,
      ...agedAmounts(item.open_ore, item.due_date, day).map((ore) => (ore === 0n ? null : ore)),
    ],
  });
  return {
    ...named,
    isOfDay: true,
    isListing: true,
    takes: [],
    count: (db, { to }, max) => countOwedItems(db, of, to, max),
    columns: () => columns(party),
    read: async (db, { to }, { place: given, limit }) => {
      const read = given === undefined ? undefined : itemPlace.safeParse(placeParts(given));
      if (read?.success === false) throw refuseWhole('invalid_request', 'no_such_report_page');
      const movedOn = await findMoveDay(db);
      if (movedOn !== null && to < movedOn) {
        throw refuse('invalid_request', [faultOf('to', 'report_before_moving', { movedOn })]);
      }
      const found = await listOpenItems(db, of, to, { place: read?.data, limit });
      const shown = found.slice(0, limit);
      const last = shown.at(-1);
      const lines = shown.map((item) => lineOf(item, to));
      if (found.length > limit && last) {
        return { lines, next: placeText([last.party, last.party_id, last.id]) };
      }
      return { lines: [...lines, ...(await lastLines(db, of, to))], next: null };
    },
  };
}

export const receivablesReport = openItemsReport('receivables', {
  name: 'receivables',
  word: 'kundreskontra',
  title: 'Kundreskontra',
  description: 'Vad kunderna var skyldiga en dag, efter ålder.',
  party: 'Kund',
});

export const payablesReport = openItemsReport('payables', {
  name: 'payables',
  word: 'leverantorsreskontra',
  title: 'Leverantörsreskontra',
  description: 'Vad företaget var skyldigt sina leverantörer en dag, efter ålder.',
  party: 'Leverantör',
});
