/** Inställningar › Byrånycklar. */
import { z } from 'zod';
import { listAgencyKeys } from '../../access/agency/key-store.ts';
import { createAgencyKey, revokeAgencyKey } from '../../access/agency/keys.ts';
import { AppError } from '../../lib/errors.ts';
import { field, formOf } from '../fields.ts';
import { moment } from '../format.ts';
import { text, uuid } from '../inputs.ts';
import type { Pages } from '../page.ts';
import type { FormInput, View, Visit } from '../visit.ts';

const url = '/installningar/byranycklar';

export function registerAgencyKeyPages(pages: Pages): void {
  pages.form({
    url,
    right: 'administer',
    fields: z.object({ name: text(200) }),
    show: showKeys,
    perform: async ({ tx, person, deps }, { name }) => {
      const created = await createAgencyKey(tx, name, person.actor);
      const { baseUrl } = deps.config;
      return {
        to: url,
        view: {
          template: 'agency-key-secret',
          title: `Nyckeln för ${name}`,
          values: {
            name,
            secret: created.key,
            curl: `curl -X POST -H 'Authorization: Bearer ${created.key}' ${baseUrl}/api/byra/token`,
          },
        },
      };
    },
  });

  pages.act({
    url: `${url}/:id/aterkalla`,
    right: 'administer',
    params: z.object({ id: uuid }),
    perform: async ({ tx, person, params: { id } }) => {
      if (!(await revokeAgencyKey(tx, id, person.actor))) {
        throw new AppError('not_found', 'Byrånyckeln finns inte.');
      }
      return { to: url, notice: 'Byrånyckeln är återkallad. Byrån ser ingenting från och med nu.' };
    },
  });
}

async function showKeys({ tx, deps }: Visit, input: FormInput): Promise<View> {
  const { timeZone } = deps.config;
  const keys = await listAgencyKeys(tx);
  return {
    template: 'agency-keys',
    title: 'Byrånycklar',
    values: {
      hasOpen: keys.some(({ revoked_at }) => revoked_at === null),
      keys: keys.map((key) => ({
        id: key.id,
        name: key.name,
        hint: key.hint,
        createdAt: moment(key.created_at, timeZone),
        usedAt: key.last_exchanged_at && moment(key.last_exchanged_at, timeZone),
        revokedAt: key.revoked_at && moment(key.revoked_at, timeZone),
      })),
      form: formOf(input, {
        name: field(input, 'name', 'Byråns namn', { isRequired: true, maxLength: 200 }),
      }),
    },
  };
}
