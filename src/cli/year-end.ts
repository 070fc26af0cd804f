/** huvudbok year steps · book · result · move-result: a year's end step by step */
import type { Command } from 'commander';
import { db } from '../db/pool.ts';
import { type Ore, oreToNumber } from '../domain/basics/money.ts';
import { type Adjustment, adjustments, kinds, type Proposal } from '../domain/ledger/year-end.ts';
import { adjustmentNames, listClosingSteps } from '../ledger/fiscal-years/closing.ts';
import { bookResult, getYearOpening, moveResult } from '../ledger/fiscal-years/opening-balances.ts';
import { bookRevaluation, revaluationWords } from '../ledger/fiscal-years/revaluation.ts';
import { getYear } from '../ledger/fiscal-years/store.ts';
import { bookAdjustment, listProposals } from '../ledger/fiscal-years/year-end.ts';
import { refuse, refuseWhole } from '../lib/errors.ts';
import { amountText, formatKronor } from '../lib/swedish.ts';
import { asOwner, print, today, withPool } from './context.ts';
import { alignedLines } from './listing.ts';
import {
  actor,
  exchangeRate,
  integer,
  type Json,
  jsonOption,
  kronor,
  percent,
  text,
  word,
} from './options.ts';

const yearOption = ['<år>', 'året det slutar', integer(1900, 9999)] as const;
const seriesOption = ['--series <kod>', 'verifikationsserie', text(2), 'A'] as const;
type OfSeries = Json & { readonly series: string };

type CurrencyRates = readonly (readonly [currency: string, rateE6: bigint])[];

/** `EUR=11.2345`, several times. */
function currencyRate(value: string, before: CurrencyRates): CurrencyRates {
  const [currency = '', ...rate] = value.split('=');
  return [...before, [currency.toUpperCase(), exchangeRate(rate.join('='))]];
}

interface RevalueOptions extends OfSeries {
  readonly rate: CurrencyRates;
  readonly anyRate?: boolean;
}

export function registerYearEnd(year: Command): void {
  registerSteps(year);
  registerAdjustments(year);

  year
    .command('result')
    .description('bokför årets resultat mot eget kapital (8999 mot 2099, eller 2019)')
    .argument(...yearOption)
    .option(...seriesOption)
    .option(...jsonOption)
    .action(async (of: number, { series, json }: OfSeries) => {
      const given = { year: of, series, today: today() };
      const { booked, result } = await asOwner(async (tx) => ({
        booked: await bookResult(tx, given, actor),
        result: (await getYear(tx, of)).result_ore,
      }));
      const said = booked ? 'är bokfört mot eget kapital' : 'var redan bokfört';
      const wire = { year: of, booked, result: oreToNumber(result) };
      print(json, wire, `Resultatet ${of}, ${formatKronor(result)}, ${said}.`);
    });

  year
    .command('revalue')
    .description(
      'räkna om öppna fakturor i andra valutor till balansdagens kurs, och ta tillbaka det på nästa års första dag',
    )
    .argument(...yearOption)
    .option('--rate <valuta=kronor...>', 'balansdagens kurs, t.ex. EUR=11.2345', currencyRate, [])
    .option('--any-rate', 'ta en kurs som är långt från den som fakturorna bokfördes på')
    .option(...seriesOption)
    .option(...jsonOption)
    .action(async (of: number, { rate, anyRate, series, json }: RevalueOptions) => {
      const given = { year: of, series, rates: new Map(rate), seen: null };
      const { revalued, closing, opening } = await asOwner((tx) =>
        bookRevaluation(
          tx,
          { ...given, takesAnyRate: anyRate ?? false },
          { today: today(), actor },
        ),
      );
      const items = revalued.map(({ kind, id, number, currency, ...item }) => ({
        ...{ kind, id, number, currency, amount: oreToNumber(item.amount) },
        ...{ booked: oreToNumber(item.openOre), value: oreToNumber(item.valueOre) },
        gain: oreToNumber(item.gainOre),
      }));
      print(json, { year: of, items, closing, opening }, revaluationWords(closing, opening));
    });

  year
    .command('move-result')
    .description(
      'för om förra årets resultat när året börjar (2099 till 2098, eller 2011–2019 till 2010)',
    )
    .argument('<år>', 'året som börjar', integer(1900, 9999))
    .option(...seriesOption)
    .option(...jsonOption)
    .action(async (of: number, { series, json }: OfSeries) => {
      const { moved, into } = await asOwner(async (tx) => ({
        moved: await moveResult(tx, { year: of, series }, actor),
        into: (await getYearOpening(tx, of)).plan.into,
      }));
      const done = `Förra årets resultat är omfört till ${into}.`;
      const nothing = 'Det finns inget resultat att föra om.';
      print(json, { year: of, moved, into }, moved ? done : nothing);
    });
}

function registerSteps(year: Command): void {
  year
    .command('steps')
    .description(
      'visa vad som återstår av ett bokslut, och vilka skatter och avsättningar som föreslås',
    )
    .argument(...yearOption)
    .option(...jsonOption)
    .action(async (of: number, { json }: Json) => {
      const { found, steps, proposals } = await withPool(async (pool) => {
        const one = await getYear(db(pool), of);
        return {
          found: one,
          steps: await listClosingSteps(db(pool), one, today()),
          proposals: await listProposals(db(pool), of),
        };
      });
      const wire = {
        year: of,
        status: found.status,
        result: oreToNumber(found.result_ore),
        undisposed: oreToNumber(found.undisposed_ore),
        steps: steps.map(({ step, left }) => ({ step, left })),
        proposals: proposals.map(wireOf),
      };
      const lines = [
        ...steps.map(({ name, left }) => [left === null ? 'klart' : 'återstår', name, left ?? '']),
        ...proposals.map(lineOf),
      ];
      print(json, wire, alignedLines(lines));
    });
}

const wireOf = (proposal: Proposal) => ({
  adjustment: proposal.adjustment,
  percent: proposal.percentE2 === null ? null : Number(proposal.percentE2) / 100,
  source: proposal.source,
  base: oreToNumber(proposal.baseOre),
  booked: oreToNumber(proposal.bookedOre),
  proposed: oreToNumber(proposal.proposedOre),
  excess: oreToNumber(proposal.excessOre),
});

function lineOf(proposal: Proposal): string[] {
  const { adjustment, percentE2, source, baseOre, bookedOre, proposedOre, excessOre } = proposal;
  const rate = percentE2 === null ? 'ingen sats är känd för året' : `${amountText(percentE2)} %`;
  const more = excessOre === 0n ? '' : `, ${formatKronor(excessOre)} för mycket`;
  return [
    stateOf(proposal),
    adjustmentNames[adjustment],
    `${formatKronor(proposedOre)} (${rate} på ${formatKronor(baseOre)}, bokfört ${formatKronor(bookedOre)}${more})${percentE2 === null ? ': ange den med --rate när den bokförs' : `. Källa: ${source}.`}`,
  ];
}

const stateOf = ({ percentE2, excessOre, proposedOre }: Proposal): string =>
  percentE2 === null
    ? 'okänt'
    : excessOre > 0n
      ? 'se efter'
      : proposedOre > 0n
        ? 'föreslås'
        : 'klart';

interface BookOptions extends OfSeries {
  readonly amount?: Ore;
  readonly credit?: number;
  readonly rate?: bigint;
}

function registerAdjustments(year: Command): void {
  year
    .command('book')
    .description(
      'bokför en skatt eller avsättning på årets sista dag; det föreslagna beloppet om inget annat anges',
    )
    .argument(...yearOption)
    .argument(
      '<vad>',
      adjustments.map((one) => `${one} (${adjustmentNames[one].toLowerCase()})`).join(', '),
      word(adjustments),
    )
    .option('--amount <kronor>', 'ett annat belopp än det föreslagna', kronor)
    .option('--rate <procent>', 'årets sats, när den inte är känd här', percent)
    .option('--credit <konto>', 'skuldkontot; annars det vanliga', integer(1000, 8999))
    .option(...seriesOption)
    .option(...jsonOption)
    .action(async (of: number, adjustment: Adjustment, options: BookOptions) => {
      const {
        series,
        credit = kinds[adjustment].credit.from,
        rate: statedE2 = null,
        json,
      } = options;
      const { posted, amountOre } = await asOwner(async (tx) => {
        const proposals = await listProposals(tx, of, { [adjustment]: statedE2 });
        const proposal = proposals.find((one) => one.adjustment === adjustment);
        if (!proposal) throw refuseWhole('unprocessable', 'taxed_as_a_person');
        const ore = options.amount ?? proposal.proposedOre;
        if (proposal.percentE2 === null && options.amount === undefined) {
          const { start: yearStart } = await getYear(tx, of);
          throw refuse('unprocessable', [
            { path: 'rate', reason: 'year_end_rate_unknown', params: { yearStart } },
          ]);
        }
        if (options.amount === undefined && ore === 0n) {
          throw refuseWhole('unprocessable', 'nothing_proposed', { bookedOre: proposal.bookedOre });
        }
        const given = { year: of, adjustment, series, credit, amountOre: ore, statedE2 };
        const description = `${adjustmentNames[adjustment]} ${of}`;
        const seenOre = proposal.bookedOre;
        const doing = { today: today(), actor };
        return {
          posted: await bookAdjustment(tx, { ...given, seenOre, description }, doing),
          amountOre: ore,
        };
      });
      const label = `${posted.series}${posted.number}`;
      const wire = { year: of, adjustment, amount: oreToNumber(amountOre), voucher: posted };
      const done = `${adjustmentNames[adjustment]}, ${formatKronor(amountOre)}, är bokförd som ${label}.`;
      print(json, wire, `${done} Bifoga uträkningen som underlag.`);
    });
}
