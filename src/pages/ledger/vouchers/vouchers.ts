/** The list of vouchers, with its filters in the address. */
import { z } from 'zod';
import { isDate } from '../../../domain/basics/dates.ts';
import type { Ore } from '../../../domain/basics/money.ts';
import { labelOf } from '../../../domain/ledger/voucher.ts';
import { findByOrigin } from '../../../ledger/sie/undo-store.ts';
import type { VoucherPlace } from '../../../ledger/vouchers/cursor.ts';
import {
  type FoundVoucher,
  findByLabel,
  findVouchers,
  isWithin,
  lastGapCheck,
  listSeriesSpans,
  type SeriesSpan,
  type VoucherFilter,
} from '../../../ledger/vouchers/list-store.ts';
import { sourceName, sources } from '../../../ledger/vouchers/source-words.ts';
import { AppError } from '../../../lib/errors.ts';
import { field, type Option, problemsAbove } from '../../fields.ts';
import { type Fields, textOf } from '../../form-fields.ts';
import { amountText, count, dayInWords, moment } from '../../format.ts';
import {
  choice,
  day,
  formProblems,
  optional,
  optionalText,
  parseTyped,
  readTyped,
  text,
} from '../../inputs.ts';
import type { Pages } from '../../page.ts';
import type { FormInput, View, Visit } from '../../visit.ts';

const pageSize = 50;
/** Two amounts and what stands between them. */
const rangeMax = 100;

/** `1 250` is exactly that, `100–500` from and to; one end may be left open. */
const amountRange = z.string().transform((value, context): { min?: Ore; max?: Ore } => {
  const ends = value
    .slice(0, rangeMax)
    .split(/–|\.\.|-/)
    .map((end) => end.trim());
  const [min, max] = ends.map((end) => (end === '' ? undefined : parseTyped(end, 2)));
  const isRead = ends.every((end, index) => end === '' || [min, max][index] !== undefined);
  if (ends.length > 2 || !isRead || (min === undefined && max === undefined)) {
    const message = 'Skriv ett belopp, t.ex. 1 250, eller ett spann, t.ex. 100–500.';
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  }
  const exact = ends.length === 1 ? min : max;
  return {
    ...(min === undefined ? {} : { min }),
    ...(exact === undefined ? {} : { max: exact }),
  };
});

const accountNumber = z
  .string()
  .trim()
  .regex(/^\d{4}\b/, { error: 'Skriv ett konto med fyra siffror, t.ex. 1930.' })
  .transform((value) => Number.parseInt(value, 10));

const query = z.object({
  fran: optional(day),
  till: optional(day),
  serie: optional(text(2)),
  konto: optional(accountNumber),
  sok: optionalText(200),
  belopp: optional(amountRange),
  ursprung: optional(
    z.string().regex(/^[a-z][a-z0-9_]{0,39}$/, { error: 'Välj något av alternativen.' }),
  ),
  underlag: optional(choice(['saknas', 'inkop'])),
});
const filterNames = Object.keys(query.shape) as (keyof typeof query.shape)[];

export function registerVoucherPages(pages: Pages): void {
  pages.show({ url: '/verifikat', right: 'read', show: showVouchers });
}

async function showVouchers({ tx, query: asked, deps }: Visit): Promise<View> {
  const read = readTyped(query, asked);
  const problems = read.success ? [] : formProblems(read.error.issues);
  const input: FormInput = { fields: asked, problems, isSent: true };
  const filter: VoucherFilter = read.success ? filterOf(read.data) : {};
  const place = placeOf(textOf(asked, 'efter'), filter);
  const found = read.success
    ? await findVouchers(tx, filter, place, { limit: pageSize })
    : { vouchers: [], next: null, searchedTo: null };
  const spans = await listSeriesSpans(tx);
  const given = filterNames.filter((name) => textOf(asked, name).trim() !== '');
  const next = found.next && addressOf(asked, found.next);
  return {
    template: 'vouchers',
    title: 'Verifikat',
    values: {
      filter: filterFields(input, spans),
      above: problemsAbove(input, filterNames),
      isFiltered: given.length > 0,
      hasProblems: problems.length > 0,
      labelled: place ? [] : await labelled(tx, textOf(asked, 'sok')),
      vouchers: found.vouchers.map(listed),
      searchedTo: found.searchedTo === null ? null : dayInWords(found.searchedTo),
      searchOn: found.searchedTo === null ? null : next,
      pager: {
        next: found.searchedTo === null ? next : null,
        first: place ? addressOf(asked, null) : null,
      },
      numbers: await numbersOf(tx, spans, deps.config.timeZone),
    },
  };
}

function filterOf(read: z.output<typeof query>): VoucherFilter {
  return {
    from: read.fran ?? undefined,
    to: read.till ?? undefined,
    series: read.serie ?? undefined,
    account: read.konto ?? undefined,
    text: read.sok ?? undefined,
    minOre: read.belopp?.min,
    maxOre: read.belopp?.max,
    source: read.ursprung ?? undefined,
    lacksDocument: read.underlag !== null || undefined,
    isPurchase: read.underlag === 'inkop' || undefined,
  };
}

const listed = (voucher: FoundVoucher) => ({
  id: voucher.id,
  label: labelOf(voucher),
  date: voucher.date,
  description: voucher.description,
  counterparty: voucher.counterparty ?? '',
  amount: amountText(voucher.total_ore),
  source: sourceName(voucher.source),
  hasAttachment: voucher.has_attachment,
});

function filterFields(input: FormInput, spans: readonly SeriesSpan[]) {
  const codes = [...new Set(spans.map(({ code }) => code))].sort();
  const source = textOf(input.fields, 'ursprung');
  const known: Option[] = Object.entries(sources).map(([value, label]) => ({ value, label }));
  if (source !== '' && !(source in sources))
    known.push({ value: source, label: sourceName(source) });
  const anything = { value: '', label: 'Alla' };
  return {
    from: field(input, 'fran', 'Från', { type: 'date' }),
    to: field(input, 'till', 'Till', { type: 'date' }),
    series: field(input, 'serie', 'Serie', {
      type: 'select',
      options: [anything, ...codes.map((code) => ({ value: code, label: code }))],
    }),
    account: field(input, 'konto', 'Konto', { maxLength: 210 }),
    text: field(input, 'sok', 'Sök', { maxLength: 200 }),
    amount: field(input, 'belopp', 'Belopp', { maxLength: 60 }),
    source: field(input, 'ursprung', 'Ursprung', { type: 'select', options: [anything, ...known] }),
    document: field(input, 'underlag', 'Underlag', {
      type: 'select',
      options: [
        anything,
        { value: 'saknas', label: 'Saknas' },
        { value: 'inkop', label: 'Saknas på inköp' },
      ],
    }),
  };
}

/** A voucher's label typed into the search is a wish to go there; so is what it was called where it came from. */
async function labelled(tx: Visit['tx'], typed: string) {
  const imported = typed.trim() === '' ? [] : await findByOrigin(tx, typed.replace(/\s/g, ''));
  const origins = imported.map(({ id, label, origin, year }) => ({
    id,
    label: `${label} (${origin} i SIE-filen)`,
    year,
  }));
  const [, series, number] = /^\s*(\p{L}{1,2})\s?(\d{1,9})\s*$/u.exec(typed) ?? [];
  if (series === undefined || number === undefined) return origins;
  const label = `${series.toUpperCase()}${number}`;
  const found = await findByLabel(tx, { series, number: Number(number) });
  const own = found.map(({ id, year }) => ({ id, label, year }));
  return [...own, ...origins.filter(({ id }) => !own.some((one) => one.id === id))];
}

/** Gapless by law and by the ledger; what the last check of all of it said. */
async function numbersOf(tx: Visit['tx'], spans: readonly SeriesSpan[], timeZone: string) {
  const check = await lastGapCheck(tx);
  return {
    gaps: check?.gaps ?? [],
    checkedAt: check ? moment(check.checkedAt, timeZone) : null,
    series: spans
      .filter(({ last }) => last > 0)
      .map(({ year, code, name, first, last }) => ({
        year,
        code,
        name,
        first: first === null ? '' : count(first),
        last: count(last),
        lacksFirst: first !== 1,
      })),
  };
}

/** The place a page begins after, as it stands in the address: `2026-03-31~12~A`. */
function placeOf(text: string, filter: VoucherFilter): VoucherPlace | undefined {
  if (text === '') return undefined;
  const [, date = '', number = '', series = ''] =
    /^([\d-]{10})~(\d{1,9})~(.{1,2})$/u.exec(text) ?? [];
  const place = { date, series, number: Number(number) };
  if (isDate(date) && isWithin(filter, place)) return place;
  throw new AppError(
    'invalid_request',
    'Adressen pekar på en plats i en annan lista. Börja om från verifikaten.',
  );
}

/** This list at another place, with the filters as they were typed. */
function addressOf(asked: Fields, place: VoucherPlace | null): string {
  const pairs = filterNames
    .map((name): [string, string] => [name, textOf(asked, name).trim()])
    .filter(([, value]) => value !== '');
  if (place) pairs.push(['efter', `${place.date}~${place.number}~${place.series}`]);
  return pairs.length === 0 ? '/verifikat' : `/verifikat?${new URLSearchParams(pairs)}`;
}
