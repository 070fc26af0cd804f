/** The chart of accounts. */
import { z } from 'zod';
import { type AccountType, accountTypesOf } from '../../domain/ledger/account.ts';
import { readBasBaseChart } from '../../ledger/accounts/bas-base-chart.ts';
import {
  chartSentence,
  completeChart,
  listChartFaults,
} from '../../ledger/accounts/completeness.ts';
import {
  changeAccount,
  createAccount,
  isInBaseChart,
  removeAccount,
} from '../../ledger/accounts/service.ts';
import {
  type Account,
  type AccountFacts,
  type AccountWithBalance,
  getAccount,
  listAccounts,
  listVatCodes,
  type VatCode,
} from '../../ledger/accounts/store.ts';
import { vatText } from '../../ledger/accounts/vat-text.ts';
import { findYearOf } from '../../ledger/fiscal-years/store.ts';
import { refuse } from '../../lib/errors.ts';
import { field, formOf } from '../fields.ts';
import { textOf } from '../form-fields.ts';
import { amountOrEmpty } from '../format.ts';
import { accountNumber, choice, integer, optionalText, text, ticked } from '../inputs.ts';
import type { Pages } from '../page.ts';
import type { FormInput, View, Visit } from '../visit.ts';
import { registerAccountLedger } from './account-ledger.ts';
import { registerAccountOpenItems } from './account-open-items.ts';
import { asStored, optionsOf, searchOf } from './lists.ts';

const params = z.object({ number: accountNumber });
type Named = { number: number };

const typeNames: Readonly<Record<AccountType, string>> = {
  asset: 'Tillgång',
  equity: 'Eget kapital',
  liability: 'Skuld',
  revenue: 'Intäkt',
  cost: 'Kostnad',
};
const classNames = [
  '',
  'Tillgångar',
  'Eget kapital och skulder',
  'Intäkter',
  'Material och varor',
  'Lokaler, fordon och förbrukning',
  'Försäljning, administration och övrigt',
  'Personal och avskrivningar',
  'Finansiella poster, skatt och resultat',
  'Interna konton',
];
const shownAccounts = {
  aktiva: 'Aktiva',
  anvanda: 'Använda',
  inaktiva: 'Inaktiva',
  alla: 'Alla',
} as const;
const filters = { aktiva: 'active', anvanda: 'used', inaktiva: 'inactive', alla: 'all' } as const;

const facts = {
  name: text(200),
  type: choice(['asset', 'equity', 'liability', 'revenue', 'cost']),
  vat: z.string().max(60).default(''),
  sru: optionalText(10).refine((value) => value === null || /^\d{4}$/.test(value), {
    error: 'En SRU-kod är fyra siffror.',
  }),
};

export function registerAccountPages(pages: Pages): void {
  pages.show({ url: '/kontoplan', right: 'read', show: showAccounts });
  pages.form({
    url: '/kontoplan/nytt',
    right: 'keep_books',
    fields: z.object({
      ...facts,
      number: integer(1000, 8999),
      type: choice(['usual', 'asset', 'equity', 'liability', 'revenue', 'cost']),
    }),
    show: (visit, input) => accountView(visit, input, undefined),
    perform: async ({ tx, person }, { number, vat, type: chosen, ...values }) => {
      const [usual = 'cost'] = accountTypesOf(number);
      const type = chosen === 'usual' ? usual : chosen;
      await createAccount(tx, number, { ...values, type, vat: await vatOf(tx, vat) }, person.actor);
      const made = { value: String(number) };
      return { to: `/kontoplan/${number}`, notice: `Kontot ${number} är upplagt.`, made };
    },
  });
  pages.form({
    url: '/kontoplan/:number/andra',
    changesStored: true,
    right: 'keep_books',
    params,
    fields: z.object({ ...facts, isActive: ticked }),
    show: showForm,
    perform: async ({ tx, person, params: { number } }, { vat, ...values }) => {
      await changeAccount(tx, number, { ...values, vat: await vatOf(tx, vat) }, person.actor);
      return { to: `/kontoplan/${number}`, notice: `Kontot ${number} är sparat.` };
    },
  });
  pages.act({
    url: '/kontoplan/:number/ta-bort',
    right: 'keep_books',
    params,
    show: (visit, input) => showForm(visit, asStored(input)),
    perform: async ({ tx, person, params: { number } }) => {
      await removeAccount(tx, number, person.actor);
      return { to: '/kontoplan', notice: `Kontot ${number} är borttaget.` };
    },
  });
  pages.act({
    url: '/kontoplan/komplettera',
    right: 'keep_books',
    show: (visit) => showAccounts(visit),
    perform: async ({ tx, person }) => {
      const done = await completeChart(tx, person.actor);
      const listed = done.map(({ account }) => account).join(', ');
      return {
        to: '/kontoplan',
        notice: listed === '' ? 'Kontoplanen är hel.' : `Tillagda: ${listed}.`,
      };
    },
  });
  registerAccountLedger(pages);
  registerAccountOpenItems(pages);
}

async function showAccounts({ tx, query, today }: Visit): Promise<View> {
  const search = searchOf(query);
  const given = textOf(query, 'visa');
  const show = Object.hasOwn(filters, given) ? (given as keyof typeof filters) : 'aktiva';
  const year = await findYearOf(tx, today);
  const accounts = await listAccounts(
    tx,
    { search, show: filters[show] },
    year ?? { start: today, end: today },
  );
  const byClass = Map.groupBy(accounts, ({ number }) => Math.floor(number / 1000));
  return {
    template: 'accounts',
    title: 'Kontoplan',
    values: {
      search,
      fault: chartSentence(await listChartFaults(tx)) ?? null,
      shown: optionsOf(shownAccounts, show),
      year: year?.year ?? null,
      count: accounts.length,
      classes: [...byClass].map(([number, members]) => ({
        number,
        name: classNames[number] ?? '',
        accounts: members.map(shownAccount),
      })),
    },
  };
}

const shownAccount = (account: AccountWithBalance) => ({
  number: account.number,
  name: account.name,
  type: typeNames[account.type],
  vat: shownVat(account),
  sru: account.sru ?? '',
  balance: amountOrEmpty(account.balance_ore),
  isActive: account.is_active,
  isUsed: account.is_used,
});

const shownVat = ({ vat_code, vat_rate, vat_box }: Pick<Account, keyof VatCode>): string =>
  vat_code === null ? '' : vatText({ code: vat_code, rate: vat_rate, box: vat_box });

async function showForm(visit: Visit<Named>, input: FormInput): Promise<View> {
  return accountView(visit, input, await getAccount(visit.tx, visit.params.number));
}

async function accountView(
  { tx, query }: Pick<Visit, 'tx' | 'query'>,
  input: FormInput,
  account: Account | undefined,
): Promise<View> {
  const isFree = account && !account.is_used && !(await isInBaseChart(account.number));
  return {
    template: 'account-form',
    title: account ? `Ändra ${account.number} ${account.name}` : 'Nytt konto',
    values: {
      form: accountForm(
        input,
        account ?? (await begunWith(textOf(query, 'nummer'))),
        await listVatCodes(tx),
        account,
      ),
      number: account?.number ?? null,
      canBeRemoved: isFree === true,
    },
  };
}

/** A new account with the number that is asked for (`?nummer=3108`), as BAS has it where it does. */
async function begunWith(wanted: string): Promise<NewFacts | undefined> {
  if (!accountNumber.safeParse(wanted).success) return undefined;
  const number = Number(wanted);
  const found = (await readBasBaseChart()).find(({ account }) => account === number);
  return {
    number,
    name: found?.name ?? '',
    type: found?.type ?? 'cost',
    vat_code: found?.vatCode ?? null,
    vat_rate: found?.vatRate ?? null,
    vat_box: found?.vatBox ?? null,
    sru: null,
  };
}

type NewFacts = Pick<Account, 'number' | 'name' | 'type' | 'sru' | keyof VatCode>;

const vatKey = ({ vat_code, vat_rate, vat_box }: Pick<Account, keyof VatCode>): string =>
  vat_code === null ? '' : `${vat_code}|${vat_rate ?? ''}|${vat_box ?? ''}`;

/** The VAT code that a form chose, of those there are. */
async function vatOf(tx: Visit['tx'], key: string): Promise<AccountFacts['vat']> {
  if (key === '') return null;
  const code = (await listVatCodes(tx)).find((one) => vatKey(one) === key);
  if (code) return { code: code.vat_code, rate: code.vat_rate, box: code.vat_box };
  const message = 'Välj en av momskoderna.';
  throw refuse('unprocessable', [{ path: 'vat', reason: 'unknown_vat_code', message }]);
}

/** `begun` is what its fields begin with: the account as it is, or what a new one is likely to be. */
function accountForm(
  input: FormInput,
  begun: NewFacts | undefined,
  codes: readonly VatCode[],
  account: Account | undefined,
) {
  const isFixed = account?.is_used ?? false;
  return formOf(input, {
    number: field(input, 'number', 'Nummer', {
      isRequired: true,
      isFirst: !input.isSent && account === undefined,
      maxLength: 4,
      value: begun?.number.toString() ?? '',
      isReadOnly: account !== undefined,
      help: account
        ? 'Numret ändras inte.'
        : 'Fyra siffror. Den första avgör klassen: 1 tillgångar, 2 eget kapital och skulder, 3 intäkter, 4–7 kostnader, 8 finansiellt och resultat.',
    }),
    name: field(input, 'name', 'Namn', {
      isRequired: true,
      maxLength: 200,
      value: begun?.name ?? '',
    }),
    type: field(input, 'type', 'Slag', {
      type: 'select',
      isRequired: true,
      value: account?.type ?? 'usual',
      options: Object.entries(
        account ? typeNames : { usual: 'Det vanliga för numret', ...typeNames },
      )
        .filter(([value]) => !isFixed || value === account?.type)
        .map(([value, label]) => ({ value, label })),
      ...(isFixed ? { help: 'Slaget ändras inte, eftersom kontot har verifikat.' } : {}),
    }),
    vat: field(input, 'vat', 'Momskod', {
      type: 'select',
      saysOptional: false,
      value: begun ? vatKey(begun) : '',
      options: [
        { value: '', label: 'Ingen moms' },
        ...codes.map((code) => ({ value: vatKey(code), label: shownVat(code) })),
      ],
      help: 'Med momskod räknas kontot till en ruta i momsdeklarationen och stoppas av momslåset. En ändring gäller det som bokförs från nu; rader som är bokförda behåller sin momskod.',
    }),
    sru: field(input, 'sru', 'SRU-kod', {
      maxLength: 4,
      value: account?.sru ?? '',
      help: account
        ? 'Fältet i inkomstdeklarationen, fyra siffror.'
        : 'Fältet i inkomstdeklarationen, fyra siffror. Tomt: det som hör till kontonumret.',
    }),
    isActive: field(input, 'isActive', 'Får användas på nya verifikat', {
      type: account ? 'checkbox' : 'hidden',
      value: !account || account.is_active ? 'on' : null,
    }),
  });
}
