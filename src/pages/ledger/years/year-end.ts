/** A year's end step by step: what is left to do before it is closed, and vouchers that are reckoned. */
import { z } from 'zod';
import type { Ore } from '../../../domain/basics/money.ts';
import {
  type Adjustment,
  adjustments,
  kinds,
  type Proposal,
} from '../../../domain/ledger/year-end.ts';
import { adjustmentNames, listClosingSteps } from '../../../ledger/fiscal-years/closing.ts';
import type { FiscalYear } from '../../../ledger/fiscal-years/store.ts';
import { getYear } from '../../../ledger/fiscal-years/store.ts';
import { bookAdjustment, listProposals } from '../../../ledger/fiscal-years/year-end.ts';
import { AppError } from '../../../lib/errors.ts';
import { field, formOf } from '../../fields.ts';
import { textOf } from '../../form-fields.ts';
import { amountText, dayInWords, kronor } from '../../format.ts';
import { account, amount, optional, parseTyped, percentE2 } from '../../inputs.ts';
import type { Pages } from '../../page.ts';
import type { FormInput, View, Visit } from '../../visit.ts';
import { stepPage, yearParams } from './fiscal-years.ts';
import { seriesCode, seriesField } from './opening-balances.ts';

interface Words {
  readonly place: string;
  /** What it is reckoned on. */
  readonly base: string;
  readonly note: string;
}

const words: Readonly<Record<Adjustment, Words>> = {
  pension_tax: {
    place: 'loneskatt',
    base: 'pensionskostnaderna på 7410–7499',
    note: 'Avdrag för avtal och återbetalningar som inte står i bokföringen räknar du själv.',
  },
  tax_allocation: {
    place: 'periodiseringsfond',
    base: 'överskottet före avsättningen, på 3000–8899',
    note: 'Det föreslagna är det mesta; avsätt vad du vill. Fonden återförs till beskattning senast det sjätte året. Kostnader som inte får dras av och underskott från tidigare år ändrar vad som får avsättas.',
  },
  income_tax: {
    place: 'skatt',
    base: 'resultatet före skatt, på 3000–8899',
    note: 'Kostnader som inte får dras av, intäkter som inte beskattas, schablonintäkten på periodiseringsfonder (statslåneräntan vid utgången av november året före, lägst 0,5 %, på fonderna när året började) och underskott från tidigare år står inte i bokföringen: räkna om beloppet med dem.',
  },
};

const oneParams = yearParams.extend({
  adjustment: z
    .string()
    .transform((place) => adjustments.find((one) => words[one].place === place))
    .pipe(z.enum(adjustments)),
});
type OfYear = Visit<{ year: number }>;
type OfOne = Visit<z.output<typeof oneParams>>;

export function registerYearEnd(pages: Pages): void {
  pages.show({
    url: '/rakenskapsar/:year/bokslut',
    right: 'read',
    params: yearParams,
    show: showSteps,
  });
  pages.form({
    url: '/rakenskapsar/:year/bokslut/:adjustment',
    right: 'keep_books',
    params: oneParams,
    fields: z.object({
      series: seriesCode,
      amount,
      credit: account,
      seen: z.string().max(30),
      rate: optional(percentE2),
    }),
    show: showOne,
    perform: async ({ tx, person, today, params: { year, adjustment } }, typed) => {
      const name = adjustmentNames[adjustment];
      const { id, series, number } = await bookAdjustment(
        tx,
        {
          year,
          adjustment,
          series: typed.series,
          credit: typed.credit,
          amountOre: typed.amount,
          statedE2: typed.rate,
          seenOre: /^-?\d{1,15}$/.test(typed.seen) ? BigInt(typed.seen) : 0n,
          description: `${name} ${year}`,
        },
        { today, actor: person.actor },
      );
      const notice = `${name} är bokförd som ${series}${number}. Bifoga uträkningen som underlag.`;
      return { to: `/verifikat/${id}`, notice };
    },
  });
}

const percentText = (percentE2: bigint): string => `${amountText(percentE2)} %`;

function stateOf(
  { percentE2, bookedOre, proposedOre, excessOre }: Proposal,
  canBook: boolean,
): { tone: string; text: string } {
  if (percentE2 === null) return { tone: 'warn', text: 'Ingen känd sats' };
  if (excessOre > 0n) return { tone: 'warn', text: 'Se efter' };
  if (proposedOre > 0n) {
    return canBook
      ? { tone: 'info', text: 'Kan bokföras' }
      : { tone: '', text: bookedOre === 0n ? 'Inte bokfört' : 'Delvis bokfört' };
  }
  return bookedOre === 0n
    ? { tone: '', text: 'Inget att bokföra' }
    : { tone: 'good', text: 'Klart' };
}

const reckoned = ({
  adjustment,
  percentE2,
  source,
  baseOre,
  bookedOre,
  excessOre,
}: Proposal): string => {
  const rate =
    percentE2 === null
      ? 'Ingen sats är känd för året: ange den. Den räknas'
      : source === null
        ? `Angiven sats, ${percentText(percentE2)},`
        : percentText(percentE2);
  const more =
    excessOre === 0n
      ? ''
      : ` Det är ${kronor(excessOre)} mer än det som räknas fram: har underlaget ändrats rättas verifikatet.`;
  return `${rate} på ${words[adjustment].base}, ${kronor(baseOre)}. Bokfört: ${kronor(bookedOre)}.${more}`;
};

async function showSteps({ tx, today, params: { year } }: OfYear): Promise<View> {
  const found = await getYear(tx, year);
  const proposals = await listProposals(tx, year);
  return {
    template: 'year-end',
    title: `Bokslut ${year}`,
    values: {
      year,
      span: `${dayInWords(found.start)} – ${dayInWords(found.end)}`,
      goesOnUntil: found.end < today ? null : dayInWords(found.end),
      isOpen: found.status === 'open',
      isBookable: isBookable(found, today),
      steps: (await listClosingSteps(tx, found, today)).map((step) => ({
        ...step,
        ...stepPage(step, year),
        isBooking: step.step === 'result',
      })),
      adjustments: proposals.map((one) => ({
        name: adjustmentNames[one.adjustment],
        reckoned: reckoned(one),
        state: stateOf(one, isBookable(found, today)),
        source: one.source,
        link: one.percentE2 === null ? 'Ange satsen' : 'Bokför',
        href:
          one.proposedOre > 0n || one.percentE2 === null
            ? `/rakenskapsar/${year}/bokslut/${words[one.adjustment].place}`
            : null,
      })),
    },
  };
}

const isBookable = ({ status, end }: FiscalYear, today: string): boolean =>
  status === 'open' && end < today;

/** A rate as typed, in hundredths of a per cent; null when it is none. */
function rateOf(typed: string): bigint | null {
  const rate = parseTyped(typed, 2);
  return rate !== undefined && rate > 0n && rate <= 10_000n ? rate : null;
}

function statedField(typed: string) {
  const problems =
    typed === '' || rateOf(typed) !== null
      ? []
      : [
          {
            path: 'sats',
            reason: 'wrong_format',
            message: 'Skriv en procentsats över 0 och högst 100, t.ex. 20,6.',
          },
        ];
  const input = { fields: { sats: typed }, problems, isSent: true };
  return field(input, 'sats', 'Sats i procent', { isRequired: true });
}

async function showOne(visit: OfOne, input: FormInput): Promise<View> {
  const { tx, today, params } = visit;
  const { adjustment } = params;
  const year = await getYear(tx, params.year);
  // The address says the rate while it is reckoned with; the form, once it has been sent.
  const statedText = textOf(
    input.isSent ? input.fields : visit.query,
    input.isSent ? 'rate' : 'sats',
  );
  const statedE2 = rateOf(statedText);
  const proposals = await listProposals(tx, params.year, { [adjustment]: statedE2 });
  const proposal = proposals.find((one) => one.adjustment === adjustment);
  if (!proposal) {
    throw new AppError(
      'not_found',
      'En enskild näringsidkare eller ett handelsbolag bokför ingen sådan skatt i företaget.',
    );
  }
  const { debit, credit } = kinds[adjustment];
  return {
    template: 'year-end-adjustment',
    title: `${adjustmentNames[adjustment]} ${year.year}`,
    values: {
      year: year.year,
      end: year.end,
      isBookable: isBookable(year, today),
      goesOnUntil: year.end < today ? null : dayInWords(year.end),
      reckoned: reckoned(proposal),
      note: words[adjustment].note,
      source: proposal.source,
      isStated: proposal.source === null,
      stated: statedField(statedText),
      rate: proposal.source === null && statedE2 !== null ? amountText(statedE2) : '',
      debit,
      proposed: proposal.proposedOre === 0n ? null : kronor(proposal.proposedOre),
      seen: String(proposal.bookedOre satisfies Ore),
      form: formOf(input, {
        amount: field(input, 'amount', 'Belopp', {
          isRequired: true,
          value: proposal.proposedOre === 0n ? '' : amountText(proposal.proposedOre),
        }),
        credit: field(input, 'credit', 'Kreditkonto', {
          isRequired: true,
          value: String(credit.from),
          help:
            credit.from === credit.to
              ? 'Skulden enligt BAS.'
              : `Något av ${credit.from}–${credit.to}; lägg gärna upp ett konto för varje år.`,
        }),
        series: await seriesField(visit, input, year.year),
      }),
    },
  };
}
