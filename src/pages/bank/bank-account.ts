/** A bank account: what the bank has told of it, how books and bank differ on a day, and that somebody has signed it. */
import { z } from 'zod';
import { listActorNames } from '../../audit/actors.ts';
import { changeBankAccount, createBankAccount } from '../../bank/service.ts';
import {
  type Bridge,
  bridgeAt,
  listStandingSignOffs,
  signOff,
} from '../../bank/statements/bridge.ts';
import { type BridgePart, listGaps, listStatements } from '../../bank/statements/bridge-store.ts';
import { bankAccountKinds } from '../../bank/statements/statement-store.ts';
import { type BankAccount, getBankAccount } from '../../bank/store.ts';
import { listUsableAccounts } from '../../ledger/accounts/store.ts';
import { field, formOf } from '../fields.ts';
import { textOf } from '../form-fields.ts';
import { amountText, count, dayInWords, kronor, moment } from '../format.ts';
import { choice, day, integer, optional, optionalText, parseDay, text, ticked } from '../inputs.ts';
import type { Pages } from '../page.ts';
import { payeeAccount } from '../registers/supplier-form.ts';
import { type FormInput, nothingTyped, type View, type Visit } from '../visit.ts';
import {
  kindNames,
  type OfAccount,
  ofAccount,
  requirePast,
  shownAccount,
  shownFields,
} from './bank.ts';

const number = optional(
  text(50).transform((value, context): string => {
    const digits = value.replace(/[\s-]/g, '');
    if (/^\d{5,34}$/.test(digits)) return digits;
    const message = 'Skriv clearing och kontonummer med siffror, t.ex. 8327-9 123 456 789-0.';
    context.addIssue({ code: 'custom', message, params: { reason: 'wrong_format' } });
    return z.NEVER;
  }),
);
const identity = {
  name: text(100),
  iban: payeeAccount('iban', 'IBAN stämmer inte; kontrollera siffrorna.'),
  number,
  bankgiro: payeeAccount('bankgiro', 'Bankgirot stämmer inte; kontrollera siffrorna.'),
};

export function registerBankAccountPages(pages: Pages): void {
  pages.form({
    url: '/bank/konton/nytt',
    right: 'keep_books',
    fields: z.object({
      ...identity,
      kind: choice(bankAccountKinds),
      ledgerAccount: integer(1500, 1999),
    }),
    show: showNewAccount,
    perform: async ({ tx, person }, account) => {
      const { id } = await createBankAccount(tx, account, person.actor);
      return { to: `/bank/konton/${id}`, notice: `${account.name} är upplagt.` };
    },
  });
  const url = '/bank/konton/:id';
  const show = (visit: OfAccount) => showAccount(visit, nothingTyped);
  pages.show({ url, right: 'read', params: ofAccount, show });
  pages.act({
    url,
    right: 'keep_books',
    params: ofAccount,
    fields: z.object({ day, note: optionalText(500) }),
    show: showAccount,
    perform: async ({ tx, person, today, params }, { day: of, note }) => {
      requirePast(of, today, 'day');
      const { id: accountId } = await getBankAccount(tx, params.id);
      await signOff(tx, { accountId, day: of, note: note ?? '' }, person.actor);
      const to = `/bank/konton/${accountId}?dag=${of}`;
      return { to, notice: `Kontot är avstämt till och med ${of}.` };
    },
  });
  pages.form({
    url: '/bank/konton/:id/andra',
    changesStored: true,
    right: 'keep_books',
    params: ofAccount,
    fields: z.object({ ...identity, isActive: ticked }),
    show: showChange,
    perform: async ({ tx, person, params }, change) => {
      await changeBankAccount(tx, params.id, change, person.actor);
      return { to: `/bank/konton/${params.id}`, notice: `${change.name} är ändrat.` };
    },
  });
}

const identityFields = (input: FormInput, known?: BankAccount) => ({
  name: field(input, 'name', 'Namn', {
    isRequired: true,
    maxLength: 100,
    value: known?.name ?? '',
    help: 'T.ex. Företagskonto.',
  }),
  iban: field(input, 'iban', 'IBAN', { maxLength: 40, value: known?.iban ?? '' }),
  number: field(input, 'number', 'Clearing och kontonummer', {
    maxLength: 50,
    value: known?.number ?? '',
    help: 'Som bankens filer kallar kontot. För skattekontot organisationsnumret.',
  }),
  bankgiro: field(input, 'bankgiro', 'Bankgiro', { maxLength: 20, value: known?.bankgiro ?? '' }),
});

async function showNewAccount({ tx }: Visit, input: FormInput): Promise<View> {
  const accounts = (await listUsableAccounts(tx)).filter(
    ({ number: of }) => of >= 1500 && of <= 1999,
  );
  const { name, ...numbers } = identityFields(input);
  return {
    template: 'bank-form',
    title: 'Nytt bankkonto',
    values: {
      lead: 'Ett konto i banken, skattekontot, en kassa eller ett avräkningskonto, och det konto i bokföringen som visar det.',
      accounts,
      button: 'Lägg upp',
      fields: shownFields(input, {
        name,
        kind: field(input, 'kind', 'Slag', {
          type: 'select',
          isRequired: true,
          value: 'bank',
          options: bankAccountKinds.map((value) => ({ value, label: kindNames[value] })),
          help: 'Bara bankkonton väntar på verifikat i månadsavslutet.',
        }),
        ledgerAccount: field(input, 'ledgerAccount', 'Konto i bokföringen', {
          isRequired: true,
          list: 'accounts',
          size: 12,
          value: String(accounts.find((one) => one.number === 1930)?.number ?? ''),
          help: 'Bank och kassa 1900–1999, skattekontot 1630, avräkning t.ex. 1686.',
        }),
        ...numbers,
      }),
    },
  };
}

async function showChange({ tx, params }: OfAccount, input: FormInput): Promise<View> {
  const account = await getBankAccount(tx, params.id);
  return {
    template: 'bank-form',
    title: `Ändra ${account.name}`,
    values: {
      lead: 'Namnet, och de nummer som bankens filer kallar kontot.',
      accounts: [],
      button: 'Spara',
      fields: shownFields(input, {
        ...identityFields(input, account),
        isActive: field(input, 'isActive', 'I bruk', {
          type: 'checkbox',
          value: account.is_active ? 'on' : '',
        }),
      }),
    },
  };
}

const statementsShown = 50;
const partRowsShown = 100;

async function showAccount(visit: OfAccount, input: FormInput): Promise<View> {
  const { tx, params, query, deps, person, today } = visit;
  const account = await getBankAccount(tx, params.id);
  const asked = input.isSent ? textOf(input.fields, 'day') : textOf(query, 'dag');
  const of = parseDay(asked.trim()) ?? account.closing_date ?? today;
  const bridge = await bridgeAt(tx, account.id, of);
  const signed = await listStandingSignOffs(tx, account.id);
  const who = await listActorNames(
    tx,
    signed.map((one) => one.created_by),
  );
  const mayKeep = person.may('keep_books');
  return {
    template: 'bank-account',
    title: account.name,
    values: {
      account: { ...shownAccount(account, null), isActive: account.is_active },
      day: of,
      dayText: dayInWords(of),
      bridge: bridge && shownBridge(bridge),
      mayKeep,
      form:
        bridge && mayKeep
          ? formOf(input, {
              day: field(input, 'day', 'Till och med', {
                type: 'date',
                isRequired: true,
                value: of,
              }),
              note: field(input, 'note', 'Kommentar', {
                maxLength: 500,
                help: bridge.unexplained === 0n ? '' : 'Behövs, eftersom något är oförklarat.',
              }),
            })
          : null,
      signed: signed.map((one) => ({
        day: one.day,
        at: moment(one.created_at, deps.config.timeZone),
        who: who(one.created_by),
        note: one.note,
        stands: one.stands,
      })),
      gaps: (await listGaps(tx, account.id)).map((gap) => ({
        after: gap.after,
        before: gap.before,
        closing: kronor(gap.closing_ore),
        opening: kronor(gap.opening_ore),
      })),
      statements: (await listStatements(tx, account.id, statementsShown)).map((one) => ({
        importId: one.import_id,
        span: [one.first_day, one.last_day].filter((part) => part !== null).join('–'),
        format: one.is_notice ? `${one.format} (avisering)` : one.format,
        opening: one.opening_ore === null ? '' : amountText(one.opening_ore),
        closing: one.closing_ore === null ? '' : amountText(one.closing_ore),
        entries: count(one.entries),
        added: count(one.added),
      })),
    },
  };
}

function shownBridge(bridge: Bridge) {
  const part = (
    title: string,
    help: string,
    { rows, standing: all, ore }: BridgePart,
    isVoucher: boolean,
    sign: bigint,
  ) => ({
    title,
    help,
    count: count(all),
    total: kronor(ore * sign),
    hasMore: all > Math.min(rows.length, partRowsShown),
    rows: rows.slice(0, partRowsShown).map((row) => ({
      href: isVoucher ? `/verifikat/${row.id}` : `/bank/${row.id}`,
      date: row.date,
      text: row.text || 'Utan text',
      voucher: row.voucher ?? '',
      amount: amountText(row.ore * sign),
    })),
  });
  return {
    bank: kronor(bridge.bank),
    books: kronor(bridge.books),
    difference: kronor(bridge.books - bridge.bank),
    unexplained: bridge.unexplained === 0n ? null : kronor(bridge.unexplained),
    parts: [
      part('Utestående', 'Bokfört, men inte på banken.', bridge.outside, true, 1n),
      part('Saknas', 'På banken, men inte bokfört.', bridge.missing, false, -1n),
      part('Förklarat: kom senare till banken', 'Bokfört före dagen.', bridge.later, false, 1n),
      part(
        'Förklarat: bokfört en annan tid',
        'På banken till och med dagen.',
        bridge.early,
        false,
        -1n,
      ),
    ].filter(({ count: all }) => all !== '0'),
  };
}
