/** Whom the example company buys from, what, and how often. */

import { luhnDigit } from '../domain/basics/luhn.ts';
import type { VatRate } from '../domain/ledger/vat.ts';
import type { Supply } from '../domain/sales/buyer.ts';
import { articles, foodRateOn } from './articles.ts';
import { madeUpNumber } from './company.ts';

/** What a supplier charges for, in kronor without VAT. */
export interface Offer {
  readonly name: string;
  readonly price: number;
  readonly quantity: readonly [from: number, to: number];
}

export interface DemoSupplier {
  readonly key: string;
  readonly name: string;
  /** Null for a foreign one. */
  readonly organizationNumber: string | null;
  readonly vatNumber: string;
  /** `scheme:number`. */
  readonly endpoint: string;
  readonly countryCode: string;
  readonly street: string;
  readonly postalCode: string;
  readonly city: string;
  /** Bankgiro, or IBAN of a foreign one. */
  readonly payTo: string;
  /** Where what it sells is booked. */
  readonly account: number;
  /** Said of a foreign one: where we owe the VAT it decides the boxes. */
  readonly supply?: Supply;
  /** Days of the month on which it invoices. */
  readonly days: readonly number[];
  /** Months in which it does; all when not given. */
  readonly inMonths?: readonly number[];
  readonly terms: number;
  readonly offers: readonly Offer[];
  /** The VAT it charges; `K` when the buyer owes it. */
  readonly vat: (date: string) => VatRate | 'K' | 'E';
  /** How many of its lines an invoice has. */
  readonly lines: number;
}

const standard = (): 25 => 25;

/** Bankgiro numbers as made up as the suppliers. */
function madeUpGiro(index: number): string {
  const digits = `5999${String(index).padStart(3, '0')}`;
  return `${digits}${luhnDigit(digits)}`;
}

type Rest = Pick<DemoSupplier, 'account' | 'days' | 'terms' | 'offers' | 'lines'> &
  Partial<Pick<DemoSupplier, 'vat' | 'inMonths'>>;

function swedish(index: number, key: string, name: string, city: string, rest: Rest): DemoSupplier {
  const organizationNumber = madeUpNumber(200 + index);
  return {
    key,
    name,
    organizationNumber,
    vatNumber: `SE${organizationNumber}01`,
    endpoint: `0007:${organizationNumber}`,
    countryCode: 'SE',
    street: `Industrigatan ${4 + 3 * index}`,
    postalCode: `9${10 + index} ${30 + index}`,
    city,
    payTo: madeUpGiro(index),
    vat: standard,
    ...rest,
  };
}

const offer = (name: string, price: number, from = 1, to = from): Offer => ({
  name,
  price,
  quantity: [from, to],
});

/** The company's own articles at what they cost it. */
const wares = (numbers: readonly string[], percent: number, from: number, to: number): Offer[] =>
  articles
    .filter(({ number }) => numbers.includes(number))
    .map(({ description, price }) =>
      offer(description, Math.round((price * percent) / 100), from, to),
    );

const [january, april, july, october] = [1, 4, 7, 10];

export const suppliers: readonly DemoSupplier[] = [
  swedish(1, 'rosteriet', 'Kafferosteriet Norrsken AB', 'Skellefteå', {
    account: 4000,
    days: [4, 18],
    terms: 20,
    offers: wares(['2001', '2002', '2003'], 58, 60, 150),
    vat: foodRateOn,
    lines: 3,
  }),
  swedish(2, 'espressomaskiner', 'Espressomaskiner i Göteborg AB', 'Göteborg', {
    account: 4000,
    days: [8, 21],
    terms: 30,
    offers: wares(['1001', '1003', '1101', '1102', '1103'], 61, 1, 4),
    lines: 4,
  }),
  swedish(3, 'horn', 'Fastighets AB Hörnet', 'Umeå', {
    account: 5010,
    days: [1],
    terms: 30,
    offers: [offer('Hyra butik och lager', 32_500)],
    lines: 1,
  }),
  swedish(4, 'energi', 'Bothnia Energi AB', 'Umeå', {
    account: 5020,
    days: [6],
    terms: 30,
    offers: [offer('El, kWh', 2, 1_400, 3_100), offer('Nätavgift', 640)],
    lines: 2,
  }),
  swedish(5, 'natbolaget', 'Nätbolaget AB', 'Stockholm', {
    account: 6230,
    days: [11],
    terms: 30,
    offers: [offer('Fiber 500/500', 849), offer('Mobilabonnemang', 249, 4)],
    lines: 2,
  }),
  swedish(6, 'siffran', 'Redovisningsbyrån Siffran AB', 'Umeå', {
    account: 6530,
    days: [27],
    terms: 20,
    offers: [offer('Redovisning, timmar', 985, 4, 8)],
    lines: 1,
  }),
  swedish(7, 'frakt', 'Norrfrakt Logistik AB', 'Sundsvall', {
    account: 5710,
    days: [15, 28],
    terms: 20,
    offers: [offer('Styckegods, kollin', 215, 12, 38), offer('Bränsletillägg', 390)],
    lines: 2,
  }),
  swedish(8, 'stad', 'Städfirman Blank & Rent HB', 'Umeå', {
    account: 5060,
    days: [26],
    terms: 20,
    offers: [offer('Städning butik, tillfällen', 690, 4, 5)],
    lines: 1,
  }),
  swedish(9, 'forsakring', 'Försäkringsbolaget Trygg i Norr AB', 'Luleå', {
    account: 1730,
    days: [3],
    inMonths: [january],
    terms: 30,
    offers: [offer('Företagsförsäkring, helår', 21_600)],
    vat: () => 'E',
    lines: 1,
  }),
  {
    key: 'macchine',
    name: 'Macchine del Caffè S.r.l.',
    organizationNumber: null,
    vatNumber: 'IT01234567897',
    endpoint: '0211:IT01234567897',
    countryCode: 'IT',
    street: 'Via Nizza 230',
    postalCode: '10126',
    city: 'Torino',
    payTo: 'IT60X0542811101000000123456',
    account: 4515,
    supply: 'goods',
    days: [14],
    inMonths: [january, april, july, october],
    terms: 45,
    offers: wares(['1001', '1002'], 55, 2, 4),
    vat: () => 'K',
    lines: 2,
  },
];

export function supplier(key: string): DemoSupplier {
  const found = suppliers.find((one) => one.key === key);
  if (!found) throw new RangeError(`there is no supplier ${key}`);
  return found;
}
