/** Templates that vouchers are begun from. */
import { z } from 'zod';
import { recordEvent } from '../../../audit/store.ts';
import { deleteTemplate, listTemplates } from '../../../ledger/vouchers/template-store.ts';
import { uuid } from '../../inputs.ts';
import type { Pages } from '../../page.ts';

const address = '/verifikat/mallar';

export function registerVoucherTemplates(pages: Pages): void {
  pages.show({
    url: address,
    right: 'read',
    show: async ({ tx }) => ({
      template: 'voucher-templates',
      title: 'Mallar',
      values: {
        templates: (await listTemplates(tx)).map(({ id, name, series, description, accounts }) => ({
          id,
          name,
          series,
          description,
          accounts: accounts.join(', '),
        })),
      },
    }),
  });

  pages.act({
    url: `${address}/:id/ta-bort`,
    right: 'keep_books',
    params: z.object({ id: uuid }),
    perform: async ({ tx, person: { actor }, params: { id } }) => {
      const name = await deleteTemplate(tx, id);
      if (name === undefined) return { to: address, notice: 'Mallen var redan borttagen.' };
      await recordEvent(tx, { actor, action: 'voucher_template.deleted', subject: name });
      return { to: address, notice: `Mallen ${name} är borttagen.` };
    },
  });
}
