/** Setting up the installation's one company: everything it needs before the first voucher. */

import type { PasswordHash } from '../../access/users/passwords.ts';
import { createUser } from '../../access/users/service.ts';
import { findUserId } from '../../access/users/store.ts';
import { recordEvent } from '../../audit/store.ts';
import type { Tx } from '../../db/pool.ts';
import type { SettingName } from '../../domain/basics/company-settings.ts';
import { isDate, latestDay } from '../../domain/basics/dates.ts';
import { isPersonalNumber } from '../../domain/basics/identifiers.ts';
import { isOcrNumber } from '../../domain/basics/luhn.ts';
import { writtenPaymentAccount, writtenSwishNumber } from '../../domain/basics/payment-accounts.ts';
import { refuseAny } from '../../domain/basics/problems.ts';
import { type NamedAccounts, namedAccountTexts } from '../../domain/sales/named-accounts.ts';
import { readPaymentAccounts } from '../../domain/sales/order-payments.ts';
import { readTillAccounts } from '../../domain/sales/till-accounts.ts';
import { type BasAccount, readBasBaseChart } from '../../ledger/accounts/bas-base-chart.ts';
import { completeChart } from '../../ledger/accounts/completeness.ts';
import { readSruCodes } from '../../ledger/accounts/sru-codes.ts';
import { insertMissingAccounts, listAccountStates } from '../../ledger/accounts/store.ts';
import { createYear, type YearSpan } from '../../ledger/fiscal-years/service.ts';
import { type Fault, refuseWhole } from '../../lib/errors.ts';
import { uuid } from '../../lib/uuid.ts';
import { insertCustomer } from '../../sales/customers/store.ts';
import { readReferenceRates } from '../../sales/interest/reference-rates.ts';
import { insertMissingRates } from '../../sales/interest/store.ts';
import {
  findCompany,
  insertCompany,
  lockCompany,
  type StoredSetting,
  updateSetting,
} from './store.ts';

export interface SetUp {
  readonly company: string;
  /** Ten digits, checked. */
  readonly organizationNumber: string;
  readonly fiscalYear: YearSpan;
  readonly owner: { readonly email: string; readonly passwordHash: PasswordHash } | null;
  /** The BAS base chart unless said. */
  readonly accounts?: readonly BasAccount[];
  /** The example company (src/demo), whose books may be emptied. */
  readonly isDemo?: boolean;
}

export interface SetUpResult {
  readonly company_id: string;
  /** Its name, which an earlier set-up may have said otherwise. */
  readonly company: string;
  /** False when the company was there already. */
  readonly created: boolean;
  readonly fiscal_year: number;
  readonly fiscal_year_created: boolean;
  readonly owner_id: string | null;
}

const collectiveCustomer = 'Webbkunder';

/**
 * Idempotent: run again, it adds what is missing (accounts that are posted on, rates, the year, the owner) and changes
 * nothing that is there. Another organisation number is refused: one installation, one company.
 */
export async function setUp(tx: Tx, input: SetUp, actor: string): Promise<SetUpResult> {
  const existing = await lockSameCompany(tx, input);
  const companyId = existing?.id ?? (await createCompany(tx, input, actor));
  // A chart that is there is the company's own, out of a SIE file perhaps: only what is posted on is added.
  if (existing !== undefined && input.accounts !== undefined) {
    throw refuseWhole('unprocessable', 'chart_exists');
  }
  if (existing !== undefined) await completeChart(tx, actor);
  else await insertChart(tx, input);
  await insertMissingRates(tx, await readReferenceRates());
  const year = await createYear(tx, input.fiscalYear, actor);
  return {
    company_id: companyId,
    company: existing?.name ?? input.company,
    created: existing === undefined,
    fiscal_year: year.year,
    fiscal_year_created: year.created,
    owner_id: input.owner && (await ensureOwner(tx, input.owner, actor)),
  };
}

async function insertChart(tx: Tx, { organizationNumber, accounts }: SetUp): Promise<void> {
  const sruOf = await readSruCodes(organizationNumber);
  const chart = accounts ?? (await readBasBaseChart());
  await insertMissingAccounts(
    tx,
    chart.map((account) => ({ ...account, sru: account.sru ?? sruOf(account.account) })),
  );
}

async function lockSameCompany(
  tx: Tx,
  { organizationNumber }: SetUp,
): Promise<{ id: string; name: string } | undefined> {
  const company = await lockCompany(tx);
  if (company && company.organization_number !== organizationNumber) {
    throw refuseWhole('unprocessable', 'other_company', { company: company.name });
  }
  return company;
}

async function createCompany(tx: Tx, input: SetUp, actor: string): Promise<string> {
  const id = uuid();
  const collective = await insertCustomer(tx, { name: collectiveCustomer });
  await insertCompany(tx, {
    id,
    name: input.company,
    organizationNumber: input.organizationNumber,
    vatNumber: `SE${input.organizationNumber}01`,
    collectiveCustomerId: collective.id,
    isDemo: input.isDemo ?? false,
    // Its yearly VAT return is due in May, a legal person's with the tax return in summer or later (SFL 26 kap. 33 §).
    vatYearly: isPersonalNumber(input.organizationNumber) ? 'sole_trader' : 'legal_person',
  });
  const detail = { name: input.company, organization_number: input.organizationNumber };
  await recordEvent(tx, { actor, action: 'company.created', subject: id, detail });
  return id;
}

async function ensureOwner(
  tx: Tx,
  { email, passwordHash }: { email: string; passwordHash: PasswordHash },
  actor: string,
): Promise<string> {
  const existing = await findUserId(tx, email);
  if (existing !== undefined) return existing;
  const owner = {
    email,
    name: '',
    role: 'agare',
    passwordHash,
    passwordIsTemporary: false,
  } as const;
  return (await createUser(tx, owner, actor)).id;
}

/** What a setting's value must look like. */
interface Form {
  test(value: string): boolean;
}

const onOff = /^(on|off)$/;
/** One to three numbers of days, each larger than the one before. */
function isRising(value: string): boolean {
  if (!/^\d{1,3}(\s*,\s*\d{1,3}){0,2}$/.test(value)) return false;
  const days = value.split(',').map(Number);
  return days.every((one, index) => one > (days[index - 1] ?? 0) && one <= 365);
}
const plainText = (max: number): RegExp => new RegExp(`^\\P{Cc}{0,${max}}$`, 'u');
const orEmpty = (normalize: (text: string) => string | null): Form => ({
  test: (value) => value === '' || normalize(value) !== null,
});

/** Its form, what to say of it, and what is stored when that is not the text itself. */
interface Setting {
  readonly form: Form;
  readonly hint: string;
  readonly stored?: (value: string) => StoredSetting;
  /** The accounts that a value of the right form names, which the chart must have. */
  readonly accounts?: (value: string) => readonly number[];
}

/** How the company is reached and paid: a text that may be taken away. */
const contact = (what: string, form: Form, normalize = (text: string) => text) => ({
  form,
  hint: `företagets ${what}; tomt tar bort det`,
  stored: (value: string) => (value === '' ? null : normalize(value)),
});

/** Stored in the one spelling, once the form has said that it is one. */
const numbered = (what: string, normalize: (text: string) => string | null) =>
  contact(what, orEmpty(normalize), (text) => normalize(text) ?? text);

/** Names with an account each; `max` is how long the text may be. */
const namedAccounts = (
  read: (text: string) => NamedAccounts | null,
  max: number,
  hint: string,
) => ({
  form: { test: (value: string) => value.length <= max && read(value) !== null },
  hint,
  stored: (value: string) => namedAccountTexts(read(value) ?? new Map()),
  accounts: (value: string) => [...(read(value)?.values() ?? [])],
});

/** The rules of the installation that a person may change, by the names they are changed with. */
export const settings = {
  'company-name': {
    form: /^(?=.*\S)\P{Cc}{1,200}$/u,
    hint: 'företagets namn, högst 200 tecken',
    stored: (value: string) => value.trim(),
  },
  'order-supply': {
    form: /^(goods|services)$/,
    hint: 'goods eller services',
  },
  'order-payment-terms': {
    form: /^([0-9]|[1-8][0-9]|90)$/,
    hint: 'dagar, 0–90',
    stored: (value: string) => Number(value),
  },
  'order-booking': {
    form: onOff,
    hint: 'on eller off',
    stored: (value: string) => value === 'on',
  },
  'order-payment-accounts': namedAccounts(
    readPaymentAccounts,
    1_000,
    'betalsätt i order med konto, t.ex. card 1686, swish 1930, gift_card 2421, tip 2890',
  ),
  'till-accounts': namedAccounts(
    readTillAccounts,
    2_000,
    'betalsätt och kassarörelser i Z-rapporter med konto, t.ex. card 1686, cash 1910, kassa-2/cash 1912, sales_0 3004',
  ),
  'order-oss': {
    form: onOff,
    hint: 'on när order med andra EU-länders moms (One Stop Shop) och i andra valutor tas emot, annars off',
    stored: (value: string) => value === 'on',
  },
  'order-collective-customer': {
    form: /^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})?$/i,
    hint: 'id för kunden som order från okända köpare hamnar på; tomt låter dem vänta på en människa',
    stored: (value: string) => value || null,
  },
  'vat-period': {
    form: /^(month|quarter|year)$/,
    hint: 'month, quarter eller year',
  },
  'vat-large-taxpayer': {
    form: onOff,
    hint: 'on när beskattningsunderlaget är över 40 miljoner kronor om året, annars off',
    stored: (value: string) => value === 'on',
  },
  'vat-yearly': {
    form: /^(no_income_tax_return_or_eu_trade|sole_trader|legal_person)$/,
    hint: 'no_income_tax_return_or_eu_trade, sole_trader eller legal_person',
  },
  'vat-digital': {
    form: onOff,
    hint: 'on när årsmomsen deklareras digitalt, annars off',
    stored: (value: string) => value === 'on',
  },
  'e-invoice-booking': {
    form: onOff,
    hint: 'on när e-fakturor som ingen behöver se på ska bokföras av sig själva, annars off',
    stored: (value: string) => value === 'on',
  },
  'bank-booking': {
    form: onOff,
    hint: 'on när säkra bankrader ska bokföras av sig själva, annars off',
    stored: (value: string) => value === 'on',
  },
  'receiver-ids': {
    form: /^([0-9]{4}:[^\s,]{1,50}(,|$))*$/,
    hint: 'fler nummer som e-fakturor får ställas till, t.ex. 0088:7300010000001; flera med komma',
    stored: (value: string) => value.split(',').filter((id) => id !== ''),
  },
  'purchase-account': {
    form: /^[4-8]\d{3}$/,
    hint: 'kontot för inköp när varken leverantör eller historik säger något, t.ex. 4000',
    stored: (value: string) => Number(value),
    accounts: (value: string) => [Number(value)],
  },
  'company-address': contact('gatuadress', plainText(200)),
  'company-postal-code': contact('postnummer', plainText(20)),
  'company-city': contact('ort', plainText(100)),
  'company-seat': contact('säte, orten i bolagsordningen', plainText(100)),
  'company-email': contact('e-postadress', {
    test: (value) => value === '' || (value.length <= 320 && /^[^\s@]+@[^\s@]+$/.test(value)),
  }),
  'company-phone': contact('telefonnummer', plainText(50)),
  'company-bankgiro': numbered('bankgiro', (text) => writtenPaymentAccount('bankgiro', text)),
  'company-plusgiro': numbered('plusgiro', (text) => writtenPaymentAccount('plusgiro', text)),
  'company-swish': numbered('nummer i Swish', writtenSwishNumber),
  'company-tax-ocr': numbered('OCR-nummer hos Skatteverket', (text) => {
    const digits = text.replace(/[\s-]/g, '');
    return isOcrNumber(digits) ? digits : null;
  }),
  'company-iban': numbered('IBAN', (text) => writtenPaymentAccount('iban', text)),
  'company-f-tax': {
    form: onOff,
    hint: 'on när företaget är godkänt för F-skatt, vilket då står på fakturorna, annars off',
    stored: (value: string) => value === 'on',
  },
  'reminder-runs': {
    form: onOff,
    hint: 'on när påminnelser ska göras i körningar, annars off',
    stored: (value: string) => value === 'on',
  },
  'reminder-days': {
    form: { test: isRising },
    hint: 'dagar efter förfallodagen för första, andra och tredje påminnelsen, t.ex. 7,21,35',
    stored: (value: string) => value.split(',').map((days) => days.trim()),
  },
  'reminder-run-fees': {
    form: onOff,
    hint: 'on när körningar ska ta ut påminnelseavgift där den är avtalad, annars off',
    stored: (value: string) => value === 'on',
  },
  'reminder-bank-days': {
    form: /^([0-9]|[1-5][0-9]|60)?$/,
    hint: 'hur många dagar gamla bankens uppgifter får vara när påminnelser görs, 0–60; tomt läser ingen dem',
    stored: (value: string) => (value === '' ? null : Number(value)),
  },
  'interest-from': {
    form: /^(due_date|demand)$/,
    hint: 'due_date när förfallodagen är avtalad i förväg (räntelagen 3 §), annars demand (4 §); gäller fakturor som bokförs sedan',
  },
  'interest-stated': {
    form: onOff,
    hint: 'on när fakturorna säger att dröjsmålsränta tas ut, annars off',
    stored: (value: string) => value === 'on',
  },
  'reminder-fees': {
    form: onOff,
    hint: 'on när påminnelseavgift står i avtal eller villkor innan skulden uppkommer, annars off; gäller fakturor som bokförs sedan',
    stored: (value: string) => value === 'on',
  },
  'company-partner-account': contact('kundnummer hos inkassoombudet', plainText(100)),
  'months-from': {
    form: /^20\d{2}-(0[1-9]|1[0-2])$/,
    hint: 'första månaden att avsluta, t.ex. 2026-01',
    stored: (value: string) => `${value}-01`,
  },
  'moved-on': contact('sista dag i det gamla programmet, t.ex. 2026-06-30', {
    test: (value) => value === '' || (isDate(value) && value <= latestDay),
  }),
} as const satisfies Record<SettingName, Setting>;

/** What keeps the setting from having the value: its form, or accounts that the chart does not have or no longer uses. */
export async function settingFaults(tx: Tx, name: SettingName, value: string): Promise<Fault[]> {
  const { form, hint, accounts }: Setting = settings[name];
  if (!form.test(value)) {
    return [{ path: name, reason: 'setting_wrong_form', params: { name, hint } }];
  }
  if (name === 'vat-yearly' && value === 'legal_person') {
    const company = await findCompany(tx);
    if (company && isPersonalNumber(company.organization_number)) {
      return [{ path: name, reason: 'no_legal_person' }];
    }
  }
  const named = [...new Set(accounts?.(value) ?? [])];
  if (named.length === 0) return [];
  const states = await listAccountStates(tx, named);
  const usable = new Set(states.flatMap(({ number, is_active }) => (is_active ? number : [])));
  const missing = named.filter((account) => !usable.has(account));
  if (missing.length === 0) return [];
  const params = { name, accounts: missing.join(', ') };
  return [{ path: name, reason: 'setting_accounts_missing', params }];
}

/** Changes one rule of the installation. Throws 422 of a value that it cannot have. */
export async function changeSetting(
  tx: Tx,
  name: SettingName,
  value: string,
  actor: string,
): Promise<void> {
  refuseAny(await settingFaults(tx, name, value));
  const { stored }: Setting = settings[name];
  if (!(await updateSetting(tx, name, stored ? stored(value) : value))) {
    throw refuseWhole('unprocessable', 'not_set_up');
  }
  await recordEvent(tx, { actor, action: 'setting.changed', subject: name, detail: { value } });
}
