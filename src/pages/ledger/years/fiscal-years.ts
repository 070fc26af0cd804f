/** Fiscal years: made, closed and, by owners, opened again. */
import { z } from 'zod';
import { nameOfActor } from '../../../audit/actors.ts';
import { listLatestEvents } from '../../../audit/store.ts';
import { addDays } from '../../../domain/basics/dates.ts';
import { nextYearAfter } from '../../../domain/ledger/fiscal-year.ts';
import {
  type ClosingStep,
  listClosingSteps,
  markOfLeft,
  requireSeenLeft,
} from '../../../ledger/fiscal-years/closing.ts';
import { addYear, closeYear, reopenYear } from '../../../ledger/fiscal-years/service.ts';
import {
  type FiscalYear,
  getYear,
  listYearSpans,
  listYears,
} from '../../../ledger/fiscal-years/store.ts';
import { getLocks } from '../../../ledger/locks/store.ts';
import { refuse } from '../../../lib/errors.ts';
import { field, formOf } from '../../fields.ts';
import { amountText, count, dayInWords, kronor, moment } from '../../format.ts';
import { day, text } from '../../inputs.ts';
import type { Pages } from '../../page.ts';
import type { FormInput, View, Visit } from '../../visit.ts';

export const yearParams = z.object({
  year: z
    .string()
    .regex(/^[1-9]\d{3}$/)
    .transform(Number),
});
type OfYear = Visit<{ year: number }>;

export function registerFiscalYearPages(pages: Pages): void {
  pages.show({ url: '/rakenskapsar', right: 'read', show: showYears });
  pages.form({
    url: '/rakenskapsar/nytt',
    right: 'administer',
    fields: z.object({ start: day, end: day }),
    show: showNewForm,
    perform: async ({ tx, person }, { start, end }) => {
      const ofEnd = Number(end.slice(0, 4));
      const year = await addYear(tx, { year: ofEnd, start, end }, person.actor);
      const notice = `Räkenskapsåret ${start}–${end} är upplagt, med serierna från det senaste året.`;
      return { to: `/rakenskapsar/${year}`, notice };
    },
  });
  pages.show({ url: '/rakenskapsar/:year', right: 'read', params: yearParams, show: showYear });
  pages.form({
    url: '/rakenskapsar/:year/stang',
    right: 'administer',
    params: yearParams,
    fields: z.object({ typed: text(10), seen: z.string().max(20).optional() }),
    show: showClosing,
    perform: async ({ tx, person, today, params: { year } }, { typed, seen }) => {
      if (typed !== String(year)) {
        const message = `Skriv ${year} för att stänga året.`;
        throw refuse('invalid_request', [{ path: 'typed', reason: 'not_confirmed', message }]);
      }
      if (seen !== undefined) await requireSeenLeft(tx, { year, today, seen });
      await closeYear(tx, { year, today }, person.actor);
      return { to: `/rakenskapsar/${year}`, notice: `Räkenskapsåret ${year} är stängt.` };
    },
  });
  pages.form({
    url: '/rakenskapsar/:year/oppna',
    right: 'own',
    params: yearParams,
    fields: z.object({ reason: text(500) }),
    show: showReopening,
    perform: async ({ tx, person, params: { year } }, { reason }) => {
      await reopenYear(tx, year, reason, person.actor);
      return { to: `/rakenskapsar/${year}`, notice: `Räkenskapsåret ${year} är öppet igen.` };
    },
  });
}

async function showYears({ tx }: Visit): Promise<View> {
  const locks = await getLocks(tx);
  return {
    template: 'fiscal-years',
    title: 'Räkenskapsår',
    values: {
      years: (await listYears(tx)).map(shownYear),
      periodLock: locks.period_locked_to && dayInWords(locks.period_locked_to),
      vatLock: locks.vat_locked_to && dayInWords(locks.vat_locked_to),
    },
  };
}

const shownYear = (year: FiscalYear) => ({
  year: year.year,
  start: year.start,
  end: year.end,
  isOpen: year.status === 'open',
  vouchers: count(year.vouchers),
  result: amountText(year.result_ore),
});

async function showNewForm({ tx, today }: Visit, input: FormInput): Promise<View> {
  const last = (await listYearSpans(tx)).at(-1);
  const suggested = last
    ? nextYearAfter(last)
    : { start: `${today.slice(0, 4)}-01-01`, end: `${today.slice(0, 4)}-12-31` };
  return {
    template: 'fiscal-year-new',
    title: 'Nytt räkenskapsår',
    values: {
      form: formOf(input, {
        start: field(input, 'start', 'Första dagen', {
          type: 'date',
          isRequired: true,
          value: suggested.start,
          help: last ? `Det senaste året slutar ${last.end}.` : 'Den första i en månad.',
        }),
        end: field(input, 'end', 'Sista dagen', {
          type: 'date',
          isRequired: true,
          value: suggested.end,
          help: 'Den sista i en månad. Året heter efter kalenderåret det slutar i, eller nästa år om ett annat slutar i samma.',
        }),
      }),
    },
  };
}

async function showYear({ tx, deps, today, params: { year } }: OfYear): Promise<View> {
  const found = await getYear(tx, year);
  const years = await listYearSpans(tx);
  const events = await listLatestEvents(
    tx,
    [
      'fiscal_year.created',
      'fiscal_year.closed',
      'fiscal_year.reopened',
      'fiscal_year.opening_booked',
      'fiscal_year.closing_booked',
      'fiscal_year.adjustment_booked',
    ],
    20,
    String(year),
  );
  return {
    template: 'fiscal-year',
    title: `Räkenskapsåret ${year}`,
    values: {
      year: { ...shownYear(found), result: kronor(found.result_ore) },
      span: `${dayInWords(found.start)} – ${dayInWords(found.end)}`,
      hasNext: years.some(({ start }) => start > found.end),
      hasEnded: found.end < today,
      undisposed: found.undisposed_ore === 0n ? null : kronor(found.undisposed_ore),
      events: events.map((event) => ({
        at: moment(event.occurred_at, deps.config.timeZone),
        who: nameOfActor(event.actor, event.actor_name),
        what: eventNames[event.action] ?? event.action,
        reason: typeof event.detail['reason'] === 'string' ? event.detail['reason'] : '',
      })),
    },
  };
}

const eventNames: Readonly<Record<string, string>> = {
  'fiscal_year.created': 'Upplagt',
  'fiscal_year.closed': 'Stängt',
  'fiscal_year.reopened': 'Öppnat igen',
  'fiscal_year.opening_booked': 'Ingående balans bokförd',
  'fiscal_year.closing_booked': 'Årets resultat bokfört',
  'fiscal_year.revalued': 'Annan valuta omräknad',
  'fiscal_year.adjustment_booked': 'Skatt eller avsättning bokförd',
};

/** Where a step is dealt with. */
export function stepPage({ step }: ClosingStep, year: number): { href: string; link: string } {
  switch (step) {
    case 'invoices':
      return { href: '/kundfakturor', link: 'Kundfakturor' };
    case 'purchases':
      return { href: '/leverantorsinkorg', link: 'Leverantörsinkorg' };
    case 'bank':
      return { href: '/bank', link: 'Bank' };
    case 'months':
      return { href: '/manadsavslut', link: 'Månadsavslut' };
    case 'vat':
      return { href: `/moms?ar=${year}`, link: 'Moms' };
    case 'accruals':
    case 'depreciation':
      return { href: '/periodiseringar', link: 'Periodiseringar och avskrivningar' };
    case 'personal_tax':
      return { href: '/kontoplan', link: 'Kontoplan' };
    case 'currency':
      return { href: `/rakenskapsar/${year}/omrakning`, link: 'Räkna om' };
    case 'result':
      return { href: `/rakenskapsar/${year}/resultat`, link: 'Bokför resultatet' };
  }
}

async function showClosing(
  { tx, today, params: { year } }: OfYear,
  input: FormInput,
): Promise<View> {
  const found = await getYear(tx, year);
  const steps = await listClosingSteps(tx, found, today);
  const left = steps
    .filter((step) => step.left !== null)
    .map((step) => ({ text: step.left, ...stepPage(step, year) }));
  return {
    template: 'fiscal-year-close',
    title: `Stäng räkenskapsåret ${year}`,
    values: {
      year,
      span: `${dayInWords(found.start)} – ${dayInWords(found.end)}`,
      firstOpen: dayInWords(addDays(found.end, 1)),
      isOpen: found.status === 'open',
      goesOnUntil: found.end < today ? null : dayInWords(found.end),
      left,
      seen: markOfLeft(steps),
      form: formOf(input, {
        typed: field(input, 'typed', `Skriv ${year} för att stänga`, {
          isRequired: true,
          maxLength: 4,
        }),
      }),
    },
  };
}

async function showReopening({ tx, params: { year } }: OfYear, input: FormInput): Promise<View> {
  const found = await getYear(tx, year);
  return {
    template: 'fiscal-year-reopen',
    title: `Öppna räkenskapsåret ${year} igen`,
    values: {
      year,
      isOpen: found.status === 'open',
      form: formOf(input, {
        reason: field(input, 'reason', 'Varför', {
          isRequired: true,
          type: 'textarea',
          maxLength: 500,
          help: 'Sparas i behandlingshistoriken med ditt namn.',
        }),
      }),
    },
  };
}
