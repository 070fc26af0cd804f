/** Inställningar › Företaget: every setting of `src/company/service.ts` as one form. */

import { z } from 'zod';
import { changeSetting, type SettingName, settings } from '../../company/service.ts';
import {
  type CompanyFacts,
  findSettings,
  listCustomersNamed,
  type SettingValues,
} from '../../company/store.ts';
import type { Tx } from '../../db/pool.ts';
import { withoutTrailing } from '../../domain/digits.ts';
import { formatOrganizationNumber } from '../../domain/identifiers.ts';
import { AppError, type Problem, refuse } from '../../errors.ts';
import { type FieldView, field, formOf, type Option } from '../fields.ts';
import type { FormInput, Pages, View, Visit } from '../page.ts';

const url = '/installningar/foretag';
const names = Object.keys(settings) as SettingName[];

/** Fields of forms have no dashes. */
const fieldName = (name: SettingName): string => name.replaceAll('-', '_');

interface Shown {
  readonly label: string;
  readonly type?: 'text' | 'email' | 'select' | 'radios' | 'checkbox' | 'month';
  readonly options?: readonly Option[];
  readonly help?: string;
  readonly isRequired?: boolean;
  /** Said when the value has not the setting's form. */
  readonly fault?: string;
}

const shown: Readonly<Record<SettingName, Shown>> = {
  'company-name': {
    label: 'Företagets namn',
    fault: 'Skriv företagets namn, högst 200 tecken.',
    isRequired: true,
  },
  'company-address': { label: 'Gatuadress' },
  'company-postal-code': { label: 'Postnummer' },
  'company-city': { label: 'Ort' },
  'company-seat': {
    label: 'Säte',
    help: 'Orten i bolagsordningen. Ett aktiebolag ska ha den på brev och fakturor (ABL 28 kap. 5 §).',
  },
  'company-email': {
    label: 'E-postadress',
    fault: 'Skriv en e-postadress, t.ex. namn@exempel.se.',
    type: 'email',
  },
  'company-phone': { label: 'Telefon' },
  'company-bankgiro': {
    label: 'Bankgiro',
    fault: 'Numret stämmer inte: sju eller åtta siffror, och den sista är en kontrollsiffra.',
    help: 'T.ex. 5050-1055.',
  },
  'company-plusgiro': {
    label: 'Plusgiro',
    fault: 'Numret stämmer inte: två till åtta siffror, och den sista är en kontrollsiffra.',
    help: 'T.ex. 12 34 56-6.',
  },
  'company-iban': {
    label: 'IBAN',
    fault: 'Numret stämmer inte; kontrollera att alla tecken kom med.',
    help: 'För betalningar från utlandet, t.ex. SE45 5000 0000 0583 9825 7466.',
  },
  'company-f-tax': {
    label: 'Godkänd för F-skatt',
    type: 'checkbox',
    help: 'Står då på fakturorna, så att köparen inte behöver dra av skatt.',
  },
  'company-partner-account': {
    label: 'Kundnummer hos inkassoombudet',
    help: 'Följer med inkassounderlag.',
  },
  'interest-from': {
    label: 'Dröjsmålsränta räknas',
    type: 'select',
    isRequired: true,
    options: [
      { value: 'due_date', label: 'Från förfallodagen, avtalad i förväg' },
      { value: 'demand', label: 'Från 30 dagar efter att fakturan sändes' },
    ],
    help: 'Räntelagen 3 § om förfallodagen är avtalad i förväg, t.ex. i villkoren, annars 4 §. Gäller fakturor som bokförs från nu.',
  },
  'interest-stated': {
    label: 'Fakturorna säger att dröjsmålsränta tas ut',
    type: 'checkbox',
    help: 'Krävs mot konsumenter när förfallodagen inte är avtalad i förväg (räntelagen 4 §).',
  },
  'reminder-fees': {
    label: 'Påminnelseavgift är avtalad',
    type: 'checkbox',
    help: 'Den står i avtal eller villkor innan skulden uppkommer (lag 1981:739, 2 §). Gäller fakturor som bokförs från nu.',
  },
  'vat-period': {
    label: 'Moms redovisas',
    type: 'select',
    isRequired: true,
    options: [
      { value: 'month', label: 'Varje månad' },
      { value: 'quarter', label: 'Varje kvartal' },
      { value: 'year', label: 'En gång om året' },
    ],
    help: 'Som Skatteverket har beslutat; styr periodernas sista dagar.',
  },
  'vat-large-taxpayer': {
    label: 'Beskattningsunderlaget är över 40 miljoner kronor om året',
    type: 'checkbox',
    help: 'Deklarationen ska då in den 26:e i månaden efter.',
  },
  'vat-yearly': {
    label: 'Den som redovisar en gång om året är',
    type: 'select',
    isRequired: true,
    options: [
      { value: 'legal_person', label: 'Juridisk person, t.ex. aktiebolag' },
      { value: 'sole_trader', label: 'Enskild näringsidkare' },
      {
        value: 'no_income_tax_return_or_eu_trade',
        label: 'Utan inkomstdeklaration, eller med handel inom EU',
      },
    ],
  },
  'vat-digital': { label: 'Årsmomsen deklareras digitalt', type: 'checkbox' },
  'order-supply': {
    label: 'Order gäller oftast',
    type: 'radios',
    options: [
      { value: 'goods', label: 'Varor' },
      { value: 'services', label: 'Tjänster' },
    ],
    help: 'Avgör kontot vid försäljning utomlands. Artikelregistret går före.',
  },
  'order-payment-terms': {
    label: 'Betalningsvillkor, dagar',
    fault: 'Skriv ett antal dagar, 0–90.',
    isRequired: true,
    help: 'När varken order eller kund säger något, 0–90.',
  },
  'order-booking': {
    label: 'Bokför fakturor från order av sig själva',
    type: 'checkbox',
    help: 'Annars väntar de som utkast på en människa.',
  },
  'order-collective-customer': {
    label: 'Samlingskund',
    help: 'Namnet på den kund som order från okända köpare hamnar på. Tomt: de väntar i orderinkorgen.',
  },
  'e-invoice-booking': {
    label: 'Bokför e-fakturor av sig själva',
    type: 'checkbox',
    help: 'Bara de som ingen behöver se på: känd leverantör, inga anmärkningar, konton ur historiken.',
  },
  'receiver-ids': {
    label: 'Fler mottagarnummer',
    fault: 'Skriv numren som typ:nummer, t.ex. 0088:7300010000001, med komma emellan.',
    help: 'Utöver organisations- och momsnumret, t.ex. 0088:7300010000001. Flera med komma.',
  },
  'purchase-account': {
    label: 'Inköpskonto',
    fault: 'Skriv ett konto, 4000–8999.',
    isRequired: true,
    help: 'När varken leverantör eller historik säger något, 4000–8999.',
  },
  'months-from': {
    label: 'Första månaden att avsluta',
    fault: 'Skriv en månad, ÅÅÅÅ-MM.',
    type: 'month',
    help: 'Tidigare månader avslutades i ett annat program.',
  },
};

const groups: readonly { readonly heading: string; readonly names: readonly SettingName[] }[] = [
  {
    heading: 'Namn och adress',
    names: [
      'company-name',
      'company-address',
      'company-postal-code',
      'company-city',
      'company-seat',
      'company-email',
      'company-phone',
    ],
  },
  {
    heading: 'Betalning',
    names: [
      'company-bankgiro',
      'company-plusgiro',
      'company-iban',
      'company-f-tax',
      'company-partner-account',
    ],
  },
  {
    heading: 'Ränta och avgifter',
    names: ['interest-from', 'interest-stated', 'reminder-fees'],
  },
  {
    heading: 'Order',
    names: ['order-supply', 'order-payment-terms', 'order-collective-customer', 'order-booking'],
  },
  { heading: 'E-fakturor', names: ['receiver-ids', 'purchase-account', 'e-invoice-booking'] },
  {
    heading: 'Moms',
    names: ['vat-period', 'vat-large-taxpayer', 'vat-yearly', 'vat-digital'],
  },
  { heading: 'Månadsavslut', names: ['months-from'] },
];

export function registerCompanyPages(pages: Pages): void {
  pages.form({
    url,
    right: 'administer',
    fields: z.record(z.string(), z.unknown()),
    show: showCompany,
    perform: async (visit, typed) => {
      const changed = await saveSettings(visit, typed, names);
      return { to: url, notice: changed === 0 ? 'Inget var ändrat.' : 'Ändringarna är sparade.' };
    },
  });
}

/** Saves those of the settings that a form holds; answers how many were changed. */
export async function saveSettings(
  { tx, person }: Pick<Visit, 'tx' | 'person'>,
  typed: Record<string, unknown>,
  held: readonly SettingName[],
): Promise<number> {
  const before = await getSettings(tx);
  const values = await readValues(tx, typed, before);
  const changed = held.filter((name) => values[name] !== before[name]);
  const problems = changed.filter((name) => !settings[name].form.test(values[name])).map(problemOf);
  if (problems.length > 0) throw refuse('unprocessable', problems);
  for (const name of changed) await changeSetting(tx, name, values[name], person.actor);
  return changed.length;
}

const problemOf = (name: SettingName): Problem => ({
  path: fieldName(name),
  reason: 'wrong_format',
  message: shown[name].fault ?? 'Kontrollera värdet: det har inte den form som det ska.',
});

async function getSettings(tx: Tx): Promise<CompanyFacts & SettingValues> {
  const values = await findSettings(tx);
  if (!values) throw new AppError('not_found', 'Företaget är inte uppsatt än.');
  return values;
}

/** What was typed, in the form settings have; the collective customer goes by name. */
async function readValues(
  tx: Tx,
  typed: Record<string, unknown>,
  before: CompanyFacts & SettingValues,
): Promise<SettingValues> {
  const values = Object.fromEntries(
    names.map((name) => {
      const value = typed[fieldName(name)];
      const text = typeof value === 'string' ? value.trim() : '';
      return [name, shown[name].type === 'checkbox' ? (text === '' ? 'off' : 'on') : text];
    }),
  ) as Record<SettingName, string>;
  values['receiver-ids'] = withoutTrailing(values['receiver-ids'].replace(/\s/g, ''), ',');
  const collective = 'order-collective-customer';
  // Several may have the name; the one that is there stays.
  const isSame = values[collective] === (before.collective_customer_name ?? '');
  values[collective] = isSame ? before[collective] : await readCustomer(tx, values[collective]);
  return values;
}

async function readCustomer(tx: Tx, typed: string): Promise<string> {
  if (typed === '' || settings['order-collective-customer'].form.test(typed)) {
    return typed.toLowerCase();
  }
  const [customer, other] = await listCustomersNamed(tx, typed);
  if (customer && !other) return customer.id;
  const message = other
    ? 'Flera kunder heter så. Skriv kundens id i stället; det står i adressen till kundens sida.'
    : 'Ingen aktiv kund heter så.';
  const path = fieldName('order-collective-customer');
  throw refuse('unprocessable', [{ path, reason: 'unknown_customer', message }]);
}

/** The fields of these settings, with the values they have. */
export async function settingFields<Name extends SettingName>(
  tx: Tx,
  input: FormInput,
  held: readonly Name[],
): Promise<Record<Name, FieldView>> {
  const company = await getSettings(tx);
  return Object.fromEntries(
    held.map((name) => [name, settingField(input, name, company)]),
  ) as Record<Name, FieldView>;
}

async function showCompany({ tx }: Visit, input: FormInput): Promise<View> {
  const company = await getSettings(tx);
  const fields = await settingFields(tx, input, names);
  return {
    template: 'company',
    title: 'Företaget',
    values: {
      organizationNumber: formatOrganizationNumber(company.organization_number),
      vatNumber: company.vat_number,
      groups: groups.map(({ heading, names: inGroup }) => ({
        heading,
        fields: inGroup.map((name) => fields[name]),
      })),
      form: formOf(input, fields),
    },
  };
}

function settingField(
  input: FormInput,
  name: SettingName,
  company: CompanyFacts & SettingValues,
): FieldView {
  const { label, fault: _, ...options } = shown[name];
  const value =
    name === 'order-collective-customer' ? (company.collective_customer_name ?? '') : company[name];
  return field(input, fieldName(name), label, { ...options, value });
}
