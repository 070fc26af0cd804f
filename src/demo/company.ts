/** Who the example company is: fiction, with numbers of the right form that nobody has been given. */

import type { Role } from '../access/users/roles.ts';
import type { SettingName } from '../domain/basics/company-settings.ts';
import { luhnDigit } from '../domain/basics/luhn.ts';
import type { NewDimension } from '../ledger/dimensions/store.ts';

/** An organisation number nobody has: number 0 is the company's own. */
export function madeUpNumber(index: number): string {
  const digits = `559999${String(index).padStart(3, '0')}`;
  return `${digits}${luhnDigit(digits)}`;
}

export const company = {
  name: 'Exempelbolaget AB',
  organizationNumber: madeUpNumber(0),
  iban: 'SE4550000000058398257466',
} as const;

export const settings: readonly (readonly [SettingName, string])[] = [
  ['company-address', 'Storgatan 12'],
  ['company-postal-code', '903 26'],
  ['company-city', 'Umeå'],
  ['company-seat', 'Umeå'],
  ['company-email', 'ekonomi@exempelbolaget.example'],
  ['company-phone', '090-123 45 67'],
  ['company-bankgiro', '991-2346'],
  ['company-swish', '123 000 00 00'],
  ['company-tax-ocr', '1655603607938'],
  ['company-f-tax', 'on'],
  ['order-oss', 'on'],
  ['reminder-fees', 'on'],
  ['reminder-runs', 'on'],
  ['reminder-days', '7, 21, 35'],
  ['reminder-run-fees', 'on'],
  ['company-iban', company.iban],
  ['company-partner-account', '40211'],
  ['vat-period', 'quarter'],
];

export interface DemoPerson {
  readonly email: string;
  readonly name: string;
  readonly role: Role;
}

export const people = {
  owner: { email: 'agare@exempelbolaget.example', name: 'Åsa Ek', role: 'agare' },
  administrator: {
    email: 'administrator@exempelbolaget.example',
    name: 'Jörgen Häggström',
    role: 'administrator',
  },
  bookkeeper: {
    email: 'medarbetare@exempelbolaget.example',
    name: 'Märta Öberg',
    role: 'medarbetare',
  },
  reader: { email: 'lasare@exempelbolaget.example', name: 'Lars Sjöö', role: 'lasare' },
} as const satisfies Record<string, DemoPerson>;

export const dimensions: readonly NewDimension[] = [
  { kind: 'cost_center', code: '10', name: 'Butik' },
  { kind: 'cost_center', code: '20', name: 'Webb och lager' },
  { kind: 'cost_center', code: '30', name: 'Service och installation' },
  { kind: 'cost_center', code: '40', name: 'Kontor' },
  { kind: 'project', code: 'MASSA', name: 'Kaffemässan' },
  { kind: 'project', code: 'LAGER', name: 'Nya lagret' },
];

export interface Employee {
  readonly title: string;
  readonly costCenter: string;
  /** Kronor a month. */
  readonly salary: number;
  readonly tax: number;
}

export const employees: readonly Employee[] = [
  { title: 'Verkställande direktör', costCenter: '40', salary: 52_000, tax: 14_300 },
  { title: 'Butikschef', costCenter: '10', salary: 41_000, tax: 9_800 },
  { title: 'Servicetekniker', costCenter: '30', salary: 37_500, tax: 8_600 },
  { title: 'Webb och lager', costCenter: '20', salary: 33_200, tax: 7_200 },
];
