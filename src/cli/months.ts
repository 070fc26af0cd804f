/** huvudbok month list · show · acknowledge · reopen */
import type { Command } from 'commander';
import { db } from '../db/pool.ts';
import { lastDayOfMonth } from '../domain/basics/dates.ts';
import { oreToNumber } from '../domain/basics/money.ts';
import { monthConditions } from '../domain/ledger/month-conditions.ts';
import type { Locks } from '../domain/ledger/postability.ts';
import { getLocks } from '../ledger/locks/store.ts';
import { listRemainders, type Remainder } from '../ledger/months/remainder-store.ts';
import { acknowledgeMonth, reopenMonth, requireMonth } from '../ledger/months/service.ts';
import { getMonthEnds, listFailing, type MonthEnds } from '../ledger/months/store.ts';
import { formatKronor } from '../lib/swedish.ts';
import { asOwner, print, thisDay, withPool } from './context.ts';
import { actor, type Json, jsonOption, month, text } from './options.ts';

export function registerMonths(program: Command): void {
  const command = program.command('month').description('månadsavslut');

  command
    .command('list')
    .description('visa vilken månad som står på tur och vad som återstår i den')
    .option(...jsonOption)
    .action(async ({ json }: Json) => {
      const ends = await withPool((pool) => getMonthEnds(db(pool), thisDay()));
      print(json, ends, inWords(ends));
    });

  command
    .command('show')
    .description('visa en månads villkor, och vad som är oförklarat på balanskontona')
    .argument('<månad>', 'ÅÅÅÅ-MM', month)
    .option(...jsonOption)
    .action(async (first: string, { json }: Json) => {
      const day = thisDay();
      const span = { first, last: lastDayOfMonth(first), timeZone: day.timeZone };
      const shown = await withPool(async (pool) => {
        await requireMonth(db(pool), first, day);
        return {
          failing: await listFailing(db(pool), span),
          remainders: await listRemainders(db(pool), span),
        };
      });
      const wire = {
        month: first.slice(0, 7),
        failing: shown.failing,
        accounts: shown.remainders.map(({ balance_ore, remainder_ore, ...one }) => ({
          ...one,
          balance: oreToNumber(balance_ore),
          remainder: remainder_ore === null ? null : oreToNumber(remainder_ore),
        })),
      };
      print(
        json,
        wire,
        [...conditionLines(shown.failing), ...unexplained(shown.remainders)].join('\n'),
      );
    });

  command
    .command('acknowledge')
    .description('kvittera månaden som står på tur')
    .argument('<månad>', 'ÅÅÅÅ-MM', month)
    .option('--despite <skäl>', 'fast villkor återstår; skälet sparas', text(500))
    .option('--lock', 'lås också perioden till och med månadens sista dag', false)
    .option(...jsonOption)
    .action(async (first: string, { despite, lock, json }: AcknowledgeOptions) => {
      const request = { month: first, reason: despite ?? null, locks: lock };
      const { ends, locks } = await asOwner(async (tx) => ({
        ends: await acknowledgeMonth(tx, request, thisDay(), actor),
        locks: await getLocks(tx),
      }));
      const done = `${first.slice(0, 7)} är kvitterad${lockedInWords(locks, lastDayOfMonth(first))}`;
      print(json, { ...ends, ...locks }, `${done} ${inWords(ends)}`);
    });

  command
    .command('reopen')
    .description('ta tillbaka den senaste kvitteringen')
    .argument('<månad>', 'ÅÅÅÅ-MM', month)
    .requiredOption('--reason <text>', 'varför, för behandlingshistoriken', text(500))
    .option(...jsonOption)
    .action(async (first: string, { json, reason }: Json & { reason: string }) => {
      const ends = await asOwner((tx) => reopenMonth(tx, first, thisDay(), actor, reason));
      print(json, ends, `${first.slice(0, 7)} är öppen igen. ${inWords(ends)}`);
    });
}

interface AcknowledgeOptions extends Json {
  despite?: string;
  lock: boolean;
}

const conditionLines = (failing: readonly string[]): string[] =>
  Object.entries(monthConditions).map(([name, met]) =>
    failing.includes(name) ? `återstår  ${name}: gäller inte än: ${met}` : `klart     ${name}`,
  );

const unexplained = (remainders: readonly Remainder[]): string[] =>
  remainders.flatMap(({ account, name, balance_ore, remainder_ore }) =>
    remainder_ore === null || remainder_ore === 0n
      ? []
      : `${account} ${name} står på ${formatKronor(balance_ore)}; oförklarat ${formatKronor(remainder_ore)}`,
  );

/** Whether the month is locked too, and how it becomes so. */
function lockedInWords({ period_locked_to: to }: Locks, lastDay: string): string {
  return to !== null && to >= lastDay
    ? ` och perioden låst till och med ${to}.`
    : `. Den går fortfarande att bokföra i; lås den med huvudbok lock period ${lastDay}.`;
}

function inWords({ open_month, open_month_failing, months_behind }: MonthEnds): string {
  if (open_month === null) return 'Alla månader som har tagit slut är kvitterade.';
  const state =
    open_month_failing.length === 0 ? 'är klar' : `väntar på: ${open_month_failing.join(', ')}`;
  const behind = months_behind > 1 ? ` ${months_behind} månader är inte kvitterade.` : '';
  return `${open_month.slice(0, 7)} står på tur och ${state}.${behind}`;
}
