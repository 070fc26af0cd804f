/** Huvudbok, grundbok and verifikationslista: every row of the days. */
import { z } from 'zod';
import { isDate } from '../../domain/basics/dates.ts';
import type { Ore } from '../../domain/basics/money.ts';
import { isResultAccount } from '../../domain/ledger/statements.ts';
import { momentOf } from '../../lib/clock.ts';
import { refuseWhole } from '../../lib/errors.ts';
import {
  countLedgerRows,
  countVoucherRows,
  listLedgerAccounts,
  listLedgerRows,
  listSeriesOf,
  listVouchersByDate,
  listVouchersRegistered,
  sumBefore,
  type WholeVoucher,
} from './listing-store.ts';
import { yearStartOf } from './statements.ts';
import { everSince } from './sum-store.ts';
import { type BookReport, type Column, placeParts, placeText, type ReportLine } from './table.ts';

const shared = (key: string, label: string, kind: 'text' | 'date' = 'text'): Column => ({
  key,
  label,
  kind,
  isShared: true,
});
const debitAndCredit: readonly Column[] = [
  { key: 'debit', label: 'Debet', kind: 'amount' },
  { key: 'credit', label: 'Kredit', kind: 'amount' },
];

const day = z.string().refine(isDate);
const count = z.int().min(0).max(2_147_483_647);
const seriesCode = z
  .string()
  .min(1)
  .max(2)
  .regex(/^\P{Cc}+$/u);

/** Undefined where the listing begins; throws 400 when it is no place of this listing. */
function read<Place>(place: string | undefined, schema: z.ZodType<Place>): Place | undefined {
  if (place === undefined) return undefined;
  const result = schema.safeParse(placeParts(place));
  if (result.success) return result.data;
  throw refuseWhole('invalid_request', 'no_such_report_page');
}

const none = (ore: Ore): Ore | null => (ore === 0n ? null : ore);

const ledgerPlace = z.tuple([
  z.int().min(1000).max(9999),
  z.tuple([day, seriesCode, count, count]).nullable(),
]);
const allAccounts = { first: 1000, last: 9999 };

export const generalLedgerReport: BookReport = {
  name: 'general-ledger',
  word: 'huvudbok',
  isListing: true,
  title: 'Huvudbok',
  description: 'Varje konto med ingående saldo, alla rader och saldot efter varje.',
  takes: ['dimension', 'accounts'],
  count: (db, options, max) =>
    countLedgerRows(db, options, options.accounts ?? allAccounts, options.dimension, max),
  columns: () => [
    shared('account', 'Konto'),
    { key: 'date', label: 'Datum', kind: 'date' },
    { key: 'voucher', label: 'Verifikat', kind: 'text' },
    { key: 'text', label: 'Text', kind: 'text' },
    ...debitAndCredit,
    { key: 'balance', label: 'Saldo', kind: 'amount' },
  ],
  read: async (db, options, { place: given, limit }) => {
    const place = read(given, ledgerPlace);
    const { dimension } = options;
    const range = options.accounts ?? allAccounts;
    const yearStart = await yearStartOf(db, options.from);
    const begun = { ...range, first: Math.max(range.first, place?.[0] ?? 0) };
    const lines: ReportLine[] = [];
    for (const { account, name } of await listLedgerAccounts(db, options, begun)) {
      if (lines.length >= limit) return { lines, next: placeText([account, null]) };
      const within = place?.[0] === account ? place[1] : null;
      const after = within
        ? { date: within[0], series: within[1], number: within[2], rowNo: within[3] }
        : undefined;
      const since = isResultAccount(account) ? yearStart : everSince;
      const room = Math.max(limit - lines.length, 1);
      const rows = await listLedgerRows(db, account, options, {
        place: after,
        limit: room,
        dimension,
      });
      const label = `${account} ${name}`;
      let balance = await sumBefore(db, account, {
        since,
        day: options.from,
        place: after,
        dimension,
      });
      if (rows.length === 0 && balance === 0n) continue;
      const standing = after ? 'Saldo från föregående sida' : 'Ingående saldo';
      lines.push({ kind: 'heading', cells: [label, null, null, standing, null, null, balance] });
      for (const row of rows.slice(0, room)) {
        balance += row.debit_ore - row.credit_ore;
        const text = row.note ? `${row.description} · ${row.note}` : row.description;
        lines.push({
          kind: 'row',
          behind: { kind: 'voucher', id: row.voucher_id },
          cells: [
            label,
            row.verification_date,
            `${row.series}${row.number}`,
            text,
            none(row.debit_ore),
            none(row.credit_ore),
            balance,
          ],
        });
      }
      const last = rows[room - 1];
      if (rows.length > room && last) {
        const { verification_date: date, series, number, row_no: rowNo } = last;
        return { lines, next: placeText([account, [date, series, number, rowNo]]) };
      }
      lines.push({
        kind: 'sum',
        cells: [label, null, null, 'Utgående saldo', null, null, balance],
      });
    }
    return { lines, next: null };
  },
};

const voucherColumns = (...more: Column[]): Column[] => [
  ...more,
  shared('voucher', 'Verifikat'),
  shared('date', 'Datum', 'date'),
  shared('text', 'Text'),
  { key: 'account', label: 'Konto', kind: 'text' },
  { key: 'note', label: 'Radtext', kind: 'text' },
  ...debitAndCredit,
];

const voucherLines = (voucher: WholeVoucher, ...more: string[]): ReportLine[] =>
  voucher.rows.map(({ account, name, note, debit, credit }) => ({
    kind: 'row',
    behind: { kind: 'voucher', id: voucher.id },
    cells: [
      ...more,
      `${voucher.series}${voucher.number}`,
      voucher.date,
      voucher.counterparty
        ? `${voucher.description} · ${voucher.counterparty}`
        : voucher.description,
      `${account} ${name}`,
      note,
      none(BigInt(debit)),
      none(BigInt(credit)),
    ],
  }));

/** A voucher has some rows; portions are of vouchers. */
const vouchersOf = (lines: number): number => Math.max(1, Math.floor(lines / 4));

const voucherPlace = z
  .tuple([day, seriesCode, count])
  .transform(([date, series, number]) => ({ date, series, number }));

export const voucherListReport: BookReport = {
  name: 'voucher-list',
  word: 'verifikationslista',
  isListing: true,
  title: 'Verifikationslista',
  description:
    'Verifikaten med sina rader, i datumordning; för en dimension de som har någon rad med den.',
  takes: ['dimension'],
  count: countVoucherRows,
  columns: () => voucherColumns(),
  read: async (db, options, { place, limit }) => {
    const vouchersMax = vouchersOf(limit);
    const found = await listVouchersByDate(db, options, read(place, voucherPlace), vouchersMax);
    const shown = found.slice(0, vouchersMax);
    const last = shown.at(-1);
    const next =
      found.length > vouchersMax && last ? placeText([last.date, last.series, last.number]) : null;
    return { lines: shown.flatMap((voucher) => voucherLines(voucher)), next };
  },
};

/** How far each series has been told. */
const seriesPlaces = z
  .array(z.tuple([z.uuid(), count]).transform(([id, number]) => ({ id, number })))
  .min(1)
  .max(500);

export const journalReport: BookReport = {
  name: 'journal',
  word: 'grundbok',
  isListing: true,
  title: 'Grundbok',
  description: 'Verifikaten i den ordning de bokfördes (BFL 5:1).',
  takes: [],
  count: countVoucherRows,
  columns: () => voucherColumns(shared('registered', 'Bokfört')),
  read: async (db, options, { place, limit }) => {
    const series = read(place, seriesPlaces) ?? (await listSeriesOf(db, options));
    const vouchersMax = vouchersOf(limit);
    const found = await listVouchersRegistered(db, options, series, vouchersMax);
    const shown = found.slice(0, vouchersMax);
    const reached = new Map(shown.map(({ series_id, number }) => [series_id, number]));
    const next = placeText(series.map(({ id, number }) => [id, reached.get(id) ?? number]));
    return {
      lines: shown.flatMap((voucher) =>
        voucherLines(voucher, momentOf(voucher.posted_at, options.timeZone)),
      ),
      next: found.length > vouchersMax ? next : null,
    };
  },
};
