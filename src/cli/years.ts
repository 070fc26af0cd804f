/** huvudbok year list · create · close · reopen (and year-end.ts), series list, and lock list · period · vat */
import type { Command } from 'commander';
import { type Db, db } from '../db/pool.ts';
import { type Ore, oreToNumber } from '../domain/basics/money.ts';
import type { Locks } from '../domain/ledger/postability.ts';
import {
  closeYear,
  createYear,
  reopenYear,
  type YearSpan,
} from '../ledger/fiscal-years/service.ts';
import { getYear, listYearSpans, listYears } from '../ledger/fiscal-years/store.ts';
import { moveLock } from '../ledger/locks/service.ts';
import { getLocks } from '../ledger/locks/store.ts';
import { listSeries, type Series } from '../ledger/series/store.ts';
import { formatKronor } from '../lib/swedish.ts';
import { asOwner, print, thisDay, withPool } from './context.ts';
import { addList } from './listing.ts';
import { actor, dateOrNone, integer, type Json, jsonOption, text, yearSpan } from './options.ts';
import { counted } from './words.ts';
import { registerYearEnd } from './year-end.ts';

export function registerLocks(program: Command): void {
  const lock = program.command('lock').description('lås som gäller alla');
  lock
    .command('list')
    .description('visa hur långt perioden och momsen är låsta')
    .option(...jsonOption)
    .action(async ({ json }: Json) => {
      const locks = await withPool((pool) => getLocks(db(pool)));
      print(json, locks, inWords(locks));
    });
  for (const [kind, name] of [
    ['period', 'perioden'],
    ['vat', 'momsen'],
  ] as const) {
    lock
      .command(kind)
      .description(`lås ${name} till och med ett datum`)
      .argument('<datum>', 'sista låsta dag, eller none för att häva låset', dateOrNone)
      .option(
        '--reason <text>',
        'varför, för behandlingshistoriken; krävs när låsta dagar öppnas',
        text(500),
      )
      .option(...jsonOption)
      .action(async (to: string | null, options: Json & { reason?: string }) => {
        const { reason = null } = options;
        const locks = await asOwner((tx) => moveLock(tx, kind, { date: to, reason }, actor));
        print(options.json, locks, inWords(locks));
      });
  }
}

const inWords = ({ period_locked_to: period, vat_locked_to: vat }: Locks): string =>
  `Perioden är ${period === null ? 'inte låst' : `låst till och med ${period}`}, momsen ${vat === null ? 'inte låst' : `låst till och med ${vat}`}.`;

const series = {
  description: 'visa serierna och deras senaste nummer',
  empty: 'Det finns inga serier.',
  read: async (tx: Db, { year }: { readonly year?: number }) => {
    const [latest] = await listYearSpans(tx).then((spans) => spans.toReversed());
    const wanted = year ?? latest?.year;
    return wanted === undefined ? [] : listSeries(tx, wanted);
  },
  cells: ({ year, code, name, last_number }: Series) => [
    year,
    code,
    name,
    counted(last_number, 'verifikat', 'verifikat'),
  ],
};

/** The balances of the year would be carried on without its result. */
const undisposed = (year: number, ore: Ore): string =>
  ` Årets resultat, ${formatKronor(ore)}, är inte bokfört mot eget kapital (8999 och 2099). Öppna året med huvudbok year reopen ${year}, bokför resultatet med huvudbok year result ${year} och stäng det igen.`;

export function registerYears(program: Command): void {
  const year = program.command('year').description('räkenskapsår');
  addList(year, {
    description: 'visa räkenskapsåren, det senaste först',
    empty: 'Det finns inga räkenskapsår.',
    read: listYears,
    cells: ({ year: number, start, end, status, vouchers, result_ore: result }) => [
      number,
      `${start}–${end}`,
      status === 'open' ? 'öppet' : 'stängt',
      `${vouchers} verifikat`,
      `resultat ${formatKronor(result)}`,
    ],
    wire: ({ vouchers, result_ore, undisposed_ore, ...one }) => ({
      ...one,
      vouchers: Number(vouchers),
      result: oreToNumber(result_ore),
      undisposed: oreToNumber(undisposed_ore),
    }),
  });
  addList(program.command('series').description('verifikationsserier'), series).option(
    '--year <år>',
    'räkenskapsåret; annars det senaste',
    integer(1900, 9999),
  );
  year
    .command('create')
    .description('lägg upp ett år; serierna följer med från det senaste')
    .argument('<år>', '2027 eller 2026-07-01..2027-06-30', yearSpan)
    .option(...jsonOption)
    .action(async (span: YearSpan, options: Json) => {
      const { year, created } = await asOwner((tx) => createYear(tx, span, actor));
      const named = year === span.year ? '' : ` och heter ${year}`;
      const state = `${created ? 'är upplagt' : 'fanns redan'}${named}`;
      print(
        options.json,
        { ...span, year, created },
        `Räkenskapsåret ${span.start}–${span.end} ${state}.`,
      );
    });
  registerYearEnd(year);
  year
    .command('close')
    .description('stäng ett räkenskapsår för all bokföring')
    .argument('<år>', 'året det slutar', integer(1900, 9999))
    .option(...jsonOption)
    .action(async (closed: number, options: Json) => {
      const { today } = thisDay();
      const { undisposed_ore: left } = await asOwner(async (tx) => {
        await closeYear(tx, { year: closed, today }, actor);
        return getYear(tx, closed);
      });
      print(
        options.json,
        { year: closed, status: 'closed', undisposed: oreToNumber(left) },
        `Räkenskapsåret ${closed} är stängt.${left === 0n ? '' : undisposed(closed, left)}`,
      );
    });
  year
    .command('reopen')
    .description('öppna det senast stängda räkenskapsåret igen')
    .argument('<år>', 'året det slutar', integer(1900, 9999))
    .requiredOption('--reason <text>', 'varför, för behandlingshistoriken', text(500))
    .option(...jsonOption)
    .action(async (opened: number, { json, reason }: Json & { reason: string }) => {
      await asOwner((tx) => reopenYear(tx, opened, reason, actor));
      print(json, { year: opened, status: 'open' }, `Räkenskapsåret ${opened} är öppet igen.`);
    });
}
