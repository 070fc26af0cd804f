/** A file made of what was ticked: how much of each, to where, from which account and when. */
import { z } from 'zod';
import { sum } from '../../domain/basics/money.ts';
import { capProblems } from '../../domain/basics/problems.ts';
import type { Payable, Payee } from '../../domain/purchases/payables/payable.ts';
import { readPayee } from '../../domain/purchases/payables/payees.ts';
import { refuse } from '../../lib/errors.ts';
import { said } from '../../lib/sentences/say.ts';
import { findPayables } from '../../purchases/payment-files/register.ts';
import { listPayingAccounts } from '../../purchases/payment-files/register-store.ts';
import { createPaymentFile } from '../../purchases/payment-files/service.ts';
import { field, formOf, problemsAbove } from '../fields.ts';
import { type Fields, rowsOf, textOf, textsOf } from '../form-fields.ts';
import { amountText, kronor } from '../format.ts';
import { amount, day, optional, partReader, text, uuid } from '../inputs.ts';
import type { Pages } from '../page.ts';
import type { FormInput, View, Visit } from '../visit.ts';
import { obstacleText, typedPayee } from './payment-words.ts';
import { chosenMax, home } from './payments.ts';

const address = `${home}/ny`;
const sent = z.custom<Fields>((value) => typeof value === 'object' && value !== null);

export function registerPaymentFileForm(pages: Pages): void {
  pages.form({
    url: address,
    right: 'keep_books',
    fields: sent,
    show: showForm,
    perform: async ({ tx, person, today, deps }, fields) => {
      const { problems, read } = partReader();
      const head = read(typedHead, fields);
      const rows = rowsOf(fields, 'rows').map((row, place) =>
        read(typedRow, row, `rows[${place}].`),
      );
      if (problems.length > 0 || !head) throw refuse('invalid_request', capProblems(problems));
      const { id } = await createPaymentFile(
        tx,
        {
          ...head,
          today,
          now: deps.clock.now(),
          rows: rows.filter((row) => row !== undefined),
        },
        person.actor,
      );
      return {
        to: `${home}/${id}`,
        notice: 'Betalfilen är skapad. Hämta den, lämna den till banken och markera den som sänd.',
      };
    },
  });
}

const typedHead = z.object({
  accountId: uuid,
  executionOn: optional(day),
});
const typedPayeeField = optional(
  text(60).transform((value, context): Payee => {
    const found = readPayee(value);
    if (found !== null) return found;
    const fault = { path: '', reason: 'wrong_payee_account', params: { number: value } } as const;
    const { message } = said('page', refuse('unprocessable', [fault]));
    context.addIssue({ code: 'custom', message, params: { reason: 'wrong_format' } });
    return z.NEVER;
  }),
);
const typedRow = z
  .object({ key: z.string().max(50), amount, payee: typedPayeeField })
  .transform(({ key, amount: amountOre, payee }) => ({ key, amountOre, payee }));

async function showForm({ tx, today, query }: Visit, input: FormInput): Promise<View> {
  const keys = (
    input.isSent
      ? rowsOf(input.fields, 'rows').map((row) => textOf(row, 'key'))
      : textsOf(query, 'item')
  ).slice(0, chosenMax);
  const found = await findPayables(tx, keys, today);
  // The places of what was sent are what problems name.
  const shown = input.isSent ? keys : keys.filter((key) => found.has(key));
  const typed = input.isSent ? rowsOf(input.fields, 'rows') : [];
  const rows = shown.map((key, place) =>
    rowView(input, { key, place, payable: found.get(key), typed: typed[place] ?? {} }),
  );
  const accounts = await listPayingAccounts(tx);
  const form = formOf(input, {
    accountId: field(input, 'accountId', 'Betala från', {
      type: 'select',
      saysOptional: false,
      options: accounts.map(({ id, name, ledger_account }) => ({
        value: id,
        label: `${ledger_account} ${name}`,
      })),
    }),
    executionOn: field(input, 'executionOn', 'Betalningsdag', {
      type: 'date',
      help: 'Tomt: var och en när den förfaller. Det som har förfallit betalas nästa bankdag.',
    }),
  });
  const names = [
    ...Object.values(form.fields).map(({ name }) => name),
    ...rows.flatMap((row) => [row.amount.name, row.payee?.name ?? '']),
  ];
  return {
    template: 'payment-file-new',
    title: 'Ny betalfil',
    scripts: ['sum'],
    values: {
      address,
      home,
      hasAccount: accounts.length > 0,
      form: { ...form, above: problemsAbove(input, names) },
      rows,
      total: kronor(sum([...found.values()].map(({ openOre }) => openOre))),
    },
  };
}

function rowView(
  input: FormInput,
  {
    key,
    place,
    payable,
    typed,
  }: {
    readonly key: string;
    readonly place: number;
    readonly payable: Payable | undefined;
    readonly typed: Fields;
  },
) {
  const cell = (name: string, label: string, options: Parameters<typeof field>[3]) => {
    const path = `rows[${place}].${name}`;
    const problems = input.problems.filter((problem) => problem.path === path);
    const fields = { [path]: textOf(typed, name) };
    return field({ fields, problems, isSent: input.isSent }, path, label, options);
  };
  const [payee] = payable?.payees ?? [];
  const isPaid = (payable?.openOre ?? 0n) > 0n && payable?.kind !== 'tax';
  return {
    key,
    keyName: `rows[${place}].key`,
    name: payable?.party.name ?? '–',
    number: payable?.number ?? 'Inte längre öppen',
    due: payable?.dueOn ?? null,
    reference: payable?.reference ?? null,
    open: payable ? amountText(payable.openOre) : '',
    obstacle: payable ? obstacleText(payable) : null,
    amount: cell('amount', 'Betala nu, kr', {
      type: 'amount',
      isRequired: true,
      maxLength: 30,
      value: payable ? amountText(payable.openOre) : '',
    }),
    payee: isPaid
      ? cell('payee', 'Till', {
          maxLength: 60,
          saysOptional: false,
          value: payee ? typedPayee(payee) : '',
          placeholder: 'Bankgiro, plusgiro, IBAN eller clearing, konto',
        })
      : null,
  };
}
