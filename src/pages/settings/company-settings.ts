/** Inställningar › Företaget: every setting of `src/installation/company/service.ts` as one form. */

import { z } from 'zod';
import type { Tx } from '../../db/pool.ts';
import type { SettingName } from '../../domain/basics/company-settings.ts';
import { shownSettings } from '../../domain/basics/company-settings.ts';
import { formatOrganizationNumber } from '../../domain/basics/identifiers.ts';
import { changeSetting, settingFaults, settings } from '../../installation/company/service.ts';
import {
  type CompanyFacts,
  findSettings,
  listCustomersNamed,
  type SettingValues,
} from '../../installation/company/store.ts';
import { withoutTrailing } from '../../lib/digits.ts';
import { AppError, type Fault, type Problem, refuse } from '../../lib/errors.ts';
import { type FieldView, field, formOf } from '../fields.ts';
import type { Pages } from '../page.ts';
import type { FormInput, View, Visit } from '../visit.ts';

const url = '/installningar/foretag';
const names = Object.keys(settings) as SettingName[];

/** Fields of forms have no dashes. */
const fieldName = (name: SettingName): string => name.replaceAll('-', '_');

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
      'company-swish',
      'company-tax-ocr',
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
    heading: 'Påminnelser',
    names: ['reminder-runs', 'reminder-days', 'reminder-run-fees', 'reminder-bank-days'],
  },
  {
    heading: 'Order',
    names: [
      'order-supply',
      'order-payment-terms',
      'order-collective-customer',
      'order-payment-accounts',
      'order-oss',
      'order-booking',
    ],
  },
  { heading: 'Kassor', names: ['till-accounts'] },
  { heading: 'E-fakturor', names: ['receiver-ids', 'purchase-account', 'e-invoice-booking'] },
  {
    heading: 'Moms',
    names: ['vat-period', 'vat-large-taxpayer', 'vat-yearly', 'vat-digital'],
  },
  { heading: 'Bank', names: ['bank-booking'] },
  { heading: 'Månadsavslut', names: ['months-from'] },
];

export function registerCompanyPages(pages: Pages): void {
  pages.form({
    url,
    changesStored: true,
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
  const problems: (Problem | Fault)[] = [];
  for (const name of changed) {
    const faults = await settingFaults(tx, name, values[name]);
    problems.push(...faults.map((fault) => faultOf(name, fault)));
  }
  if (problems.length > 0) throw refuse('unprocessable', problems);
  for (const name of changed) await changeSetting(tx, name, values[name], person.actor);
  return changed.length;
}

/** Beside its field, in the field's own words where it has them. */
function faultOf(name: SettingName, fault: Fault): Fault | Problem {
  const { fault: message } = shownSettings[name];
  const path = fieldName(name);
  if (fault.reason !== 'setting_wrong_form' || message === undefined) return { ...fault, path };
  return { path, reason: 'wrong_format', message };
}

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
      return [name, shownSettings[name].type === 'checkbox' ? (text === '' ? 'off' : 'on') : text];
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
  const { label, fault: _, ...options } = shownSettings[name];
  const value =
    name === 'order-collective-customer' ? (company.collective_customer_name ?? '') : company[name];
  return field(input, fieldName(name), label, { ...options, value });
}
