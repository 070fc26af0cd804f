/** Books that have nothing but imports are emptied, and the company begins anew. */
import { z } from 'zod';
import { listYears } from '../../../ledger/fiscal-years/store.ts';
import { beginAnew } from '../../../ledger/sie/anew.ts';
import { findAnewProblem, getCompanyName } from '../../../ledger/sie/anew-store.ts';
import { sentenceFor } from '../../../lib/sentences/say.ts';
import { field, formOf } from '../../fields.ts';
import { count } from '../../format.ts';
import { text } from '../../inputs.ts';
import type { Pages } from '../../page.ts';
import type { FormInput, View, Visit } from '../../visit.ts';

export function registerSieAnew(pages: Pages): void {
  pages.form({
    url: '/sie/borja-om',
    right: 'own',
    fields: z.object({ typed: text(200) }),
    show: showAnew,
    perform: async ({ tx, person }, { typed }) => {
      const { vouchers } = await beginAnew(tx, typed, person.actor);
      const notice = `Böckerna är tömda på ${count(vouchers)} verifikat. Nästa får nummer 1.`;
      return { to: '/sie', notice };
    },
  });
}

async function showAnew({ tx }: Visit, input: FormInput): Promise<View> {
  const problem = await findAnewProblem(tx);
  const company = await getCompanyName(tx);
  const vouchers = (await listYears(tx)).reduce((sum, year) => sum + year.vouchers, 0n);
  return {
    template: 'sie-anew',
    title: 'Töm böckerna och börja om',
    values: {
      company,
      vouchers: count(vouchers),
      isEmpty: vouchers === 0n,
      why: problem === undefined ? null : sentenceFor('page', problem),
      form: formOf(input, {
        typed: field(input, 'typed', 'Företagets namn', {
          isRequired: true,
          maxLength: 200,
          autocomplete: 'off',
          help: `Skriv ${company} för att visa att du menar det.`,
        }),
      }),
    },
  };
}
