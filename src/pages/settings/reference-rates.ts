/** Inställningar › Referensräntor. */
import { z } from 'zod';
import { isDate } from '../../domain/basics/dates.ts';
import {
  type HalfYear,
  halfYearAfter,
  halfYearInWords,
  halfYearOf,
  missingHalfYears,
} from '../../domain/sales/reference-rate.ts';
import type { ReferenceRate } from '../../sales/interest/reference-rates.ts';
import { addReferenceRate, changeReferenceRate } from '../../sales/interest/service.ts';
import { getReferenceRate, listReferenceRates } from '../../sales/interest/store.ts';
import { field, formOf } from '../fields.ts';
import { dayInWords, e4Text } from '../format.ts';
import { optionalText, percentE2 } from '../inputs.ts';
import type { Pages } from '../page.ts';
import type { FormInput, View, Visit } from '../visit.ts';

const url = '/installningar/referensrantor';
/** Räntelagen 6 §. */
const statutoryMarginE2 = 800n;
const rate = z.object({ percent: percentE2, sfs: optionalText(20) });
const halfYear = z
  .string({ error: 'Välj ett halvår.' })
  .refine((text) => isDate(text) && halfYearOf(text).from === text, { error: 'Välj ett halvår.' });

const percent = (valueE2: bigint): string => `${e4Text(valueE2 * 100n)} %`;

export function registerReferenceRatePages(pages: Pages): void {
  pages.show({ url, right: 'administer', show: showRates });

  pages.form({
    url: `${url}/ny`,
    right: 'administer',
    fields: rate.extend({ halfYear }),
    show: async (visit, input) => newForm(visit, input),
    perform: async ({ tx, person }, { halfYear: from, percent: percentE2, sfs }) => {
      const { to } = halfYearOf(from);
      await addReferenceRate(tx, { validFrom: from, validTo: to, percentE2, sfs }, person.actor);
      return { to: url, notice: `Referensräntan för ${halfYearInWords({ from, to })} är inlagd.` };
    },
  });

  pages.form({
    url: `${url}/:from`,
    changesStored: true,
    right: 'administer',
    params: z.object({ from: z.string().refine(isDate) }),
    fields: rate,
    show: async ({ tx, params: { from } }, input) =>
      rateForm(input, await getReferenceRate(tx, from)),
    perform: async ({ tx, person, params: { from } }, { percent: percentE2, sfs }) => {
      await changeReferenceRate(tx, { validFrom: from, percentE2, sfs }, person.actor);
      return { to: url, notice: `Referensräntan från ${dayInWords(from)} är rättad.` };
    },
  });
}

async function showRates({ tx, today }: Visit): Promise<View> {
  const rates = await listReferenceRates(tx);
  const { current, next } = missingHalfYears(rates, today);
  return {
    template: 'reference-rates',
    title: 'Referensräntor',
    values: {
      missing: current && { words: halfYearInWords(current), from: current.from },
      asked: next && {
        words: halfYearInWords(next),
        from: next.from,
        starts: dayInWords(next.from),
      },
      rates: rates.map(({ validFrom, validTo, percentE2: valueE2, sfs }) => ({
        from: validFrom,
        to: validTo,
        percent: percent(valueE2),
        interest: percent(valueE2 + statutoryMarginE2),
        sfs,
        isCurrent: validFrom <= today && today <= validTo,
      })),
    },
  };
}

/** The half-years that a rate can be added for: what is missing now, and the ones to come. */
async function newForm({ tx, today, query }: Visit, input: FormInput): Promise<View> {
  const rates = await listReferenceRates(tx);
  const choices: HalfYear[] = [halfYearOf(today)];
  while (choices.length < 3)
    choices.push(halfYearAfter(choices[choices.length - 1] ?? halfYearOf(today)));
  const free = choices.filter(({ from }) => !rates.some(({ validFrom }) => validFrom === from));
  const asked = typeof query['fran'] === 'string' ? query['fran'] : '';
  return {
    template: 'reference-rate',
    title: 'Ny referensränta',
    values: {
      form: formOf(input, {
        halfYear: field(input, 'halfYear', 'Halvår', {
          type: 'select',
          isRequired: true,
          value: free.find(({ from }) => from === asked)?.from ?? free[0]?.from ?? '',
          options: free.map((one) => ({ value: one.from, label: halfYearInWords(one) })),
        }),
        ...rateFields(input, undefined),
      }),
    },
  };
}

const rateForm = (input: FormInput, known: ReferenceRate): View => ({
  template: 'reference-rate',
  title: `Referensräntan ${halfYearInWords({ from: known.validFrom, to: known.validTo })}`,
  values: {
    form: formOf(input, {
      halfYear: field(input, 'halfYear', 'Halvår', { type: 'hidden', value: known.validFrom }),
      ...rateFields(input, known),
    }),
  },
});

const rateFields = (input: FormInput, known: ReferenceRate | undefined) => ({
  percent: field(input, 'percent', 'Referensränta, procent', {
    type: 'amount',
    isRequired: true,
    size: 8,
    value: known ? e4Text(known.percentE2 * 100n) : '',
    help: 'Som Riksbanken har tillkännagivit den, t.ex. 2,5. Dröjsmålsräntan blir 8 procentenheter mer.',
  }),
  sfs: field(input, 'sfs', 'Tillkännagivandet', {
    maxLength: 20,
    value: known?.sfs ?? '',
    help: 'Numret i Svensk författningssamling, t.ex. 2025:809.',
  }),
});
