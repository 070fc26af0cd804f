/** Keeping what is being typed, and throwing it away: what the page's script and its buttons ask for. */
import { z } from 'zod';
import { findBegunForm, forgetBegunForm } from '../access/begun-forms/store.ts';
import { AppError } from '../lib/errors.ts';
import { addressMax, keepTyped } from './begun-form.ts';
import { type Fields, textOf } from './form-fields.ts';
import { uuid } from './inputs.ts';
import { ownPath } from './own-path.ts';
import type { Pages } from './page.ts';

const params = z.object({ id: uuid });

export function registerBegunForms(pages: Pages): void {
  pages.act({
    url: '/paborjat/:id',
    right: 'read',
    params,
    fields: z.custom<Fields>((value) => typeof value === 'object' && value !== null),
    perform: async ({ tx, params: { id } }, fields) => {
      const address = textOf(fields, '_address');
      if (ownPath(address) !== address || address.length > addressMax) {
        throw new AppError(
          'invalid_request',
          'Adressen som formuläret hör till går inte att läsa.',
        );
      }
      await keepTyped(tx, fields, { id, address, isOffered: true });
      return { to: address, isBegun: true };
    },
  });
  pages.act({
    url: '/paborjat/:id/kasta',
    right: 'read',
    params,
    perform: async ({ tx, params: { id } }) => {
      const begun = await findBegunForm(tx, id);
      await forgetBegunForm(tx, id);
      return { to: begun?.address || '/oversikt', notice: 'Det påbörjade är kastat.' };
    },
  });
}
