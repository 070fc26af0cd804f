/** huvudbok month list · acknowledge · reopen, and vat filed */
import type { Command } from 'commander';
import { systemClock } from '../clock.ts';
import { loadProcessConfig } from '../config.ts';
import { db } from '../db/pool.ts';
import {
  acknowledgeMonth,
  type Day,
  getMonthEnds,
  type MonthEnds,
  reopenMonth,
} from '../months/service.ts';
import { fileVatReturn } from '../vat-filings/service.ts';
import { asOwner, print, withPool } from './context.ts';
import { ACTOR, date, type Json, jsonOption, month, text } from './options.ts';

export function registerMonths(program: Command): void {
  const command = program.command('month').description('månadsavslut');

  command
    .command('list')
    .description('visa vilken månad som står på tur och vad som återstår i den')
    .option(...jsonOption)
    .action(async ({ json }: Json) => {
      const ends = await withPool((pool) => getMonthEnds(db(pool), today()));
      print(json, ends, inWords(ends));
    });

  command
    .command('acknowledge')
    .description('kvittera månaden som står på tur')
    .argument('<månad>', 'ÅÅÅÅ-MM', month)
    .option('--despite <skäl>', 'fast villkor återstår; skälet sparas', text(500))
    .option(...jsonOption)
    .action(async (first: string, { despite, json }: Json & { despite?: string }) => {
      const request = { month: first, reason: despite ?? null };
      const ends = await asOwner((tx) => acknowledgeMonth(tx, request, today(), ACTOR));
      print(json, ends, `${first.slice(0, 7)} är kvitterad. ${inWords(ends)}`);
    });

  command
    .command('reopen')
    .description('ta tillbaka den senaste kvitteringen')
    .argument('<månad>', 'ÅÅÅÅ-MM', month)
    .option(...jsonOption)
    .action(async (first: string, { json }: Json) => {
      const ends = await asOwner((tx) => reopenMonth(tx, first, today(), ACTOR));
      print(json, ends, `${first.slice(0, 7)} är öppen igen. ${inWords(ends)}`);
    });

  program
    .command('vat')
    .description('moms')
    .command('filed')
    .description('anteckna att momsdeklarationen är lämnad')
    .argument('<datum>', 'periodens sista dag', date)
    .option(...jsonOption)
    .action(async (end: string, { json }: Json) => {
      const period = await asOwner((tx) => fileVatReturn(tx, end, ACTOR));
      print(
        json,
        period,
        `Momsen ${period.start}–${period.end} är lämnad. Lås den också: huvudbok lock vat ${period.end}`,
      );
    });
}

function today(): Day {
  const { timeZone } = loadProcessConfig();
  return { today: systemClock(timeZone).today(), timeZone };
}

function inWords({ open_month, open_month_failing, months_behind }: MonthEnds): string {
  if (open_month === null) return 'Alla månader som har tagit slut är kvitterade.';
  const state =
    open_month_failing.length === 0 ? 'är klar' : `väntar på: ${open_month_failing.join(', ')}`;
  const behind = months_behind > 1 ? ` ${months_behind} månader är inte kvitterade.` : '';
  return `${open_month.slice(0, 7)} står på tur och ${state}.${behind}`;
}
