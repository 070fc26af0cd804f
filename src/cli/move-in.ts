/** huvudbok move-in: the way in from another program */
import type { Command } from 'commander';
import { db, type Tx } from '../db/pool.ts';
import { oreToNumber } from '../domain/basics/money.ts';
import { readReport } from '../installation/moving-in/report-csv.ts';
import {
  beginMove,
  compareBalances,
  finishMove,
  type LegalForm,
} from '../installation/moving-in/service.ts';
import { equityMovedText, lackedText, nothingTakenIn } from '../ledger/sie/wordings.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { amountText } from '../lib/swedish.ts';
import { getOpeningStanding } from '../sales/opening-items/service.ts';
import { asOwner, print, readWhole, today, withPool } from './context.ts';
import { alignedLines } from './listing.ts';
import { actor, date, type Json, jsonOption, word } from './options.ts';
import { counted } from './words.ts';

interface Begin extends Json {
  readonly day: string;
  readonly method: 'invoice' | 'cash';
  readonly legalForm: LegalForm;
}

interface Finish extends Json {
  readonly closeYears?: boolean;
  readonly acceptDifferences?: boolean;
}

/** The books are locked by the end: what does not agree with the old program yet is easily mended before, and not after. */
async function requireAgreement(tx: Tx): Promise<void> {
  const { report, differing, accounts } = await compareBalances(tx, null);
  const customers = await getOpeningStanding(tx, 'customers');
  const suppliers = await getOpeningStanding(tx, 'suppliers');
  const apart = [
    ...(accounts.length === 0 ? [nothingTakenIn] : []),
    ...(customers.differenceOre === 0n
      ? []
      : [`Kundfakturorna skiljer ${amountText(customers.differenceOre)} kr från kontot.`]),
    ...(suppliers.differenceOre === 0n
      ? []
      : [`Leverantörsfakturorna skiljer ${amountText(suppliers.differenceOre)} kr från kontot.`]),
    ...(report === null || differing === 0
      ? []
      : [
          `${counted(differing, 'konto skiljer', 'konton skiljer')} från ${report.fileName}; huvudbok move-in balances visar vilka.`,
        ]),
  ];
  if (apart.length === 0) return;
  throw new OperatorError(
    `${apart.join(' ')} Rätta det först, eller avsluta ändå med --accept-differences. Inget är låst.`,
  );
}

export function registerMoveIn(program: Command): void {
  const move = program
    .command('move-in')
    .description('flytta in från ett annat program: dagen, saldona och slutet');

  move
    .command('begin')
    .description('säg vilken som är sista dagen i det gamla programmet, och på vilken grund')
    .requiredOption('--day <datum>', 'sista dagen i det gamla programmet', date)
    .requiredOption('--method <metod>', 'invoice eller cash', word(['invoice', 'cash']))
    .requiredOption(
      '--legal-form <form>',
      'limited_company, sole_trader eller other',
      word(['limited_company', 'sole_trader', 'other']),
    )
    .option(...jsonOption)
    .action(async ({ day, method, legalForm, json }: Begin) => {
      await asOwner((tx) => beginMove(tx, { day, method, legalForm }, today(), actor));
      print(json, { moved_on: day }, `Sista dagen i det gamla programmet är ${day}.`);
    });

  move
    .command('balances')
    .description('jämför saldona vid flytten, konto för konto; kod 1 när något skiljer')
    .option('--report <fil>', 'det gamla programmets saldon som CSV; annars SIE-filens')
    .option(...jsonOption)
    .action(async ({ report, json }: Json & { report?: string }) => {
      const text = report === undefined ? null : (await readWhole(report)).toString('utf8');
      const reported = text === null ? null : await readReport(text);
      const found = await withPool((pool) => compareBalances(db(pool), reported));
      const accounts = found.accounts.map(({ account, name, ...ore }) => ({
        account,
        name,
        books: oreToNumber(ore.booksOre),
        report: ore.reportOre === null ? null : oreToNumber(ore.reportOre),
      }));
      const lines = found.accounts
        .filter(({ differenceOre }) => found.report !== null && differenceOre !== 0n)
        .map(({ account, name, booksOre, reportOre }) => [
          String(account),
          name,
          amountText(booksOre),
          amountText(reportOre ?? 0n),
        ]);
      const summary =
        found.report === null
          ? 'Ingen rapport att jämföra med: ge den med --report.'
          : `${counted(found.differing, 'konto skiljer', 'konton skiljer')} vid slutet av ${found.day}.${found.equity ? ` ${equityMovedText(found.equity)}` : ''}${found.explained.map((one) => ` ${lackedText(one)}`).join('')}`;
      const value = { day: found.day, differing: found.differing, accounts };
      print(json, value, lines.length === 0 ? summary : `${alignedLines(lines)}\n${summary}`);
      if (found.report === null || found.differing > 0) process.exitCode = 1;
    });

  move
    .command('finish')
    .description('avsluta flytten: lås till och med dagen, och begär månadsavslut efter den')
    .option('--close-years', 'stäng de år som är slut; bokslutet är klart i det gamla programmet')
    .option('--accept-differences', 'avsluta fast något skiljer från det gamla programmet')
    .option(...jsonOption)
    .action(async ({ closeYears = false, acceptDifferences = false, json }: Finish) => {
      const options = { closesYears: closeYears, today: today() };
      const { day, closed } = await asOwner(async (tx) => {
        if (!acceptDifferences) await requireAgreement(tx);
        return finishMove(tx, options, actor);
      });
      const shut = closed.length === 0 ? '' : ` Stängda år: ${closed.join(', ')}.`;
      const value = { locked_to: day, closed_years: closed };
      print(json, value, `Flytten är klar, och böckerna är låsta till och med ${day}.${shut}`);
    });
}
