/** The series of vouchers of each fiscal year. */
import { z } from 'zod';
import { findYearOf, listYearSpans } from '../../ledger/fiscal-years/store.ts';
import {
  createSeries,
  getSeries,
  listSeries,
  programSeries,
  removeSeries,
  renameSeries,
} from '../../ledger/series/store.ts';
import { field, formOf } from '../fields.ts';
import { textOf } from '../form-fields.ts';
import { count } from '../format.ts';
import { integer, text, uuid } from '../inputs.ts';
import type { Pages } from '../page.ts';
import type { FormInput, View, Visit } from '../visit.ts';
import { asStored } from './lists.ts';

const params = z.object({ id: uuid });
type Named = { id: string };
const code = text(2)
  .transform((value) => value.toUpperCase())
  .refine((value) => /^[A-ZÅÄÖ0-9]{1,2}$/.test(value), {
    error: 'En eller två bokstäver eller siffror.',
  });

export function registerSeriesPages(pages: Pages): void {
  pages.show({ url: '/serier', right: 'read', show: showAllSeries });
  pages.form({
    url: '/serier/ny',
    right: 'keep_books',
    fields: z.object({ year: integer(1900, 9999), code, name: text(100) }),
    show: showNewForm,
    perform: async ({ tx, person }, values) => {
      await createSeries(tx, values, person.actor);
      const notice = `Serien ${values.code} finns nu ${values.year}.`;
      return { to: `/serier?ar=${values.year}`, notice };
    },
  });
  pages.form({
    url: '/serier/:id',
    changesStored: true,
    right: 'keep_books',
    params,
    fields: z.object({ name: text(100) }),
    show: showForm,
    perform: async ({ tx, person, params: { id } }, { name }) => {
      const series = await renameSeries(tx, id, name, person.actor);
      return { to: `/serier?ar=${series.year}`, notice: `Serien ${series.code} heter nu ${name}.` };
    },
  });
  pages.act({
    url: '/serier/:id/ta-bort',
    right: 'keep_books',
    params,
    show: (visit, input) => showForm(visit, asStored(input)),
    perform: async ({ tx, person, params: { id } }) => {
      const series = await removeSeries(tx, id, person.actor);
      const notice = `Serien ${series.code} är borttagen ur ${series.year}.`;
      return { to: `/serier?ar=${series.year}`, notice };
    },
  });
}

async function chosenYear({ tx, query, today }: Pick<Visit, 'tx' | 'query' | 'today'>) {
  const years = await listYearSpans(tx);
  const year =
    years.find((one) => String(one.year) === textOf(query, 'ar')) ?? (await findYearOf(tx, today));
  return { years, year };
}

async function showAllSeries(visit: Visit): Promise<View> {
  const { years, year } = await chosenYear(visit);
  const series = year ? await listSeries(visit.tx, year.year) : [];
  return {
    template: 'series-list',
    title: 'Serier',
    values: {
      year: year?.year ?? null,
      years: [...years]
        .reverse()
        .map((one) => ({ value: one.year, isChosen: one.year === year?.year })),
      series: series.map((one) => ({
        id: one.id,
        code: one.code,
        name: one.name,
        last: one.last_number === 0 ? '–' : `${one.code}${one.last_number}`,
        vouchers: count(one.last_number),
        isProgram: programSeries.includes(one.code),
        link:
          one.last_number === 0 || !year
            ? null
            : `/verifikat?serie=${encodeURIComponent(one.code)}&fran=${year.start}&till=${year.end}`,
      })),
    },
  };
}

async function showNewForm(visit: Visit, input: FormInput): Promise<View> {
  const { years, year } = await chosenYear(visit);
  return {
    template: 'series',
    title: 'Ny serie',
    values: {
      form: formOf(input, {
        year: field(input, 'year', 'Räkenskapsår', {
          type: 'select',
          isRequired: true,
          value: String(year?.year ?? ''),
          options: [...years].reverse().map((one) => ({
            value: String(one.year),
            label: String(one.year),
          })),
          help: 'Nästa års serier tas efter det senaste årets.',
        }),
        code: field(input, 'code', 'Kod', {
          isRequired: true,
          maxLength: 2,
          help: 'En eller två bokstäver eller siffror. Verifikaten heter t.ex. K1, K2.',
        }),
        name: field(input, 'name', 'Namn', { isRequired: true, maxLength: 100 }),
      }),
      series: null,
    },
  };
}

async function showForm({ tx, params: { id } }: Visit<Named>, input: FormInput): Promise<View> {
  const series = await getSeries(tx, id);
  return {
    template: 'series',
    title: `Serie ${series.code}, ${series.year}`,
    values: {
      form: formOf(input, {
        year: field(input, 'year', 'Räkenskapsår', { type: 'hidden', value: String(series.year) }),
        code: field(input, 'code', 'Kod', {
          isRequired: true,
          isReadOnly: true,
          value: series.code,
          help: 'Koden ändras inte, eftersom verifikaten heter efter den.',
        }),
        name: field(input, 'name', 'Namn', {
          isRequired: true,
          maxLength: 100,
          value: series.name,
        }),
      }),
      series: {
        id,
        canBeRemoved:
          series.last_number === 0 && series.year_is_open && !programSeries.includes(series.code),
      },
    },
  };
}
