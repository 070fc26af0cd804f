/** Rules for rows of the bank: those there are, a new one, and taking one away. */
import { z } from 'zod';
import { listRules } from '../../bank/matching/rule-store.ts';
import { addRule, removeRule } from '../../bank/matching/rules.ts';
import { listUsableAccounts } from '../../ledger/accounts/store.ts';
import { field, formOf } from '../fields.ts';
import { textOf } from '../form-fields.ts';
import { account, choice, text, uuid } from '../inputs.ts';
import type { Pages } from '../page.ts';
import type { FormInput, View, Visit } from '../visit.ts';

const home = '/bank/regler';

const directions = [
  { value: 'out', label: 'När pengar går ut' },
  { value: 'in', label: 'När pengar kommer in' },
  { value: 'either', label: 'Både och' },
] as const;

const shortest = 3;
const ruleText = text(100).refine((value) => value.length >= shortest, {
  error: 'Skriv minst tre tecken av texten.',
});

export function registerBankRulePages(pages: Pages): void {
  pages.form({
    url: home,
    right: 'keep_books',
    fields: z.object({ text: ruleText, direction: choice(['out', 'in', 'either']), account }),
    show: showRules,
    perform: async ({ tx, person }, { direction, ...rule }) => {
      const said = { ...rule, direction: direction === 'either' ? null : direction };
      await addRule(tx, said, person.actor);
      return { to: home, notice: 'Regeln gäller från nu för rader utan verifikat.' };
    },
  });
  pages.act({
    url: `${home}/:id/ta-bort`,
    right: 'keep_books',
    params: z.object({ id: uuid }),
    perform: async ({ tx, person, params: { id } }) => {
      await removeRule(tx, id, person.actor);
      return { to: home, notice: 'Regeln är borttagen.' };
    },
  });
}

async function showRules({ tx, query }: Visit, input: FormInput): Promise<View> {
  const rules = await listRules(tx);
  const form = formOf(input, {
    text: field(input, 'text', 'Texten börjar med', {
      isRequired: true,
      maxLength: 100,
      value: textOf(query, 'text'),
      help: 'Som banken skriver den; stora och små bokstäver räknas lika.',
    }),
    direction: field(input, 'direction', 'Gäller', {
      type: 'select',
      isRequired: true,
      value: textOf(query, 'riktning') === 'in' ? 'in' : 'out',
      options: directions,
    }),
    account: field(input, 'account', 'Konto', {
      isRequired: true,
      maxLength: 10,
      size: 10,
      list: 'accounts',
      value: textOf(query, 'konto'),
    }),
  });
  return {
    template: 'bank-rules',
    title: 'Regler för bankrader',
    values: {
      rules: rules.map((rule) => ({
        ...rule,
        direction: directions.find(({ value }) => value === (rule.direction ?? 'either'))?.label,
      })),
      form,
      accounts: await listUsableAccounts(tx),
    },
  };
}
