/** Cost centres and projects. */
import { z } from 'zod';
import {
  type Dimension,
  getDimension,
  insertDimension,
  listDimensions,
  updateDimension,
} from '../dimensions/store.ts';
import { field, formOf } from './fields.ts';
import { choice, text, ticked, uuid } from './inputs.ts';
import type { FormInput, Pages, View } from './page.ts';

const kinds = { cost_center: 'Kostnadsställe', project: 'Projekt' } as const;
const params = z.object({ id: uuid });
const fields = z.object({
  kind: choice(['cost_center', 'project']),
  code: text(20),
  name: text(200),
});

export function registerDimensionPages(pages: Pages): void {
  pages.show({
    url: '/dimensioner',
    right: 'read',
    show: async ({ tx }) => ({
      template: 'dimensions',
      title: 'Dimensioner',
      values: {
        dimensions: (await listDimensions(tx)).map(({ id, code, name, kind, is_active }) => ({
          id,
          code,
          name,
          kind: kinds[kind],
          isActive: is_active,
        })),
      },
    }),
  });

  pages.form({
    url: '/dimensioner/ny',
    right: 'keep_books',
    fields,
    show: async (_visit, input) => dimensionForm(input, undefined),
    perform: async ({ tx }, values) => {
      const { code, name } = await insertDimension(tx, values);
      return { to: '/dimensioner', notice: `${kinds[values.kind]} ${code} ${name} är upplagt.` };
    },
  });

  pages.form({
    url: '/dimensioner/:id',
    right: 'keep_books',
    params,
    fields: z.object({ name: text(200), isActive: ticked }),
    show: async ({ tx, params: { id } }, input) => dimensionForm(input, await getDimension(tx, id)),
    perform: async ({ tx, params: { id } }, values) => {
      await updateDimension(tx, id, values);
      return { to: '/dimensioner', notice: `${values.name} är sparat.` };
    },
  });
}

function dimensionForm(input: FormInput, dimension: Dimension | undefined): View {
  return {
    template: 'dimension',
    title: dimension ? `${dimension.code} ${dimension.name}` : 'Ny dimension',
    values: {
      form: formOf(input, {
        kind: field(input, 'kind', 'Slag', {
          type: dimension ? 'hidden' : 'radios',
          value: dimension?.kind ?? 'cost_center',
          options: [
            {
              value: 'cost_center',
              label: 'Kostnadsställe',
              help: 'En del av verksamheten, som består.',
            },
            { value: 'project', label: 'Projekt', help: 'Något som börjar och tar slut.' },
          ],
        }),
        code: field(input, 'code', 'Kod', {
          isRequired: true,
          maxLength: 20,
          value: dimension?.code ?? '',
          isReadOnly: dimension !== undefined,
          help: dimension
            ? 'Koden ändras inte, eftersom verifikat kan bära den.'
            : 'Kort, t.ex. 100 eller BUTIK.',
        }),
        name: field(input, 'name', 'Namn', {
          isRequired: true,
          maxLength: 200,
          value: dimension?.name ?? '',
        }),
        isActive: field(input, 'isActive', 'Får användas på nya verifikat', {
          type: dimension ? 'checkbox' : 'hidden',
          value: !dimension || dimension.is_active ? 'on' : null,
        }),
      }),
    },
  };
}
