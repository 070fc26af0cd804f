/** What the example company sells. */

import type { VatRate } from '../domain/ledger/vat.ts';
import type { Supply } from '../domain/sales/buyer.ts';

export interface DemoArticle {
  readonly number: string;
  readonly description: string;
  readonly supply: Supply;
  readonly account: number | null;
  readonly isActive?: boolean;
  /** Kronor without VAT. */
  readonly price: number;
  /** Food bears the rate of its day. */
  readonly isFood?: true;
  /** How many a customer takes at a time. */
  readonly takes: readonly [from: number, to: number];
}

const goods = { supply: 'goods', account: null } as const;
const services = { supply: 'services', account: null } as const;

export const articles = [
  {
    number: '1001',
    description: 'Espressomaskin Barista Duo, 2 grupper',
    price: 48_900,
    takes: [1, 1],
    ...goods,
  },
  {
    number: '1002',
    description: 'Espressomaskin Piccolo, 1 grupp',
    price: 21_500,
    takes: [1, 2],
    ...goods,
  },
  {
    number: '1003',
    description: 'Kaffemaskin KontorsKaffe 200, helautomatisk',
    price: 32_400,
    takes: [1, 1],
    ...goods,
  },
  { number: '1101', description: 'Kaffekvarn Precisa 65', price: 7_950, takes: [1, 2], ...goods },
  { number: '1102', description: 'Bryggare 2 × 2 liter', price: 5_480, takes: [1, 3], ...goods },
  { number: '1103', description: 'Vattenfilter, 6-pack', price: 890, takes: [1, 6], ...goods },
  {
    number: '1201',
    description: 'Kaffekoppar 18 cl, 36-pack',
    price: 1_295,
    takes: [1, 5],
    ...goods,
  },
  {
    number: '1202',
    description: 'Takeaway-muggar 25 cl, 1 000-pack',
    price: 1_150,
    takes: [1, 6],
    ...goods,
  },
  {
    number: '2001',
    description: 'Kaffebönor Norrsken mellanrost, 1 kg',
    price: 189,
    takes: [10, 60],
    isFood: true,
    ...goods,
  },
  {
    number: '2002',
    description: 'Kaffebönor Midvinter mörkrost, 1 kg',
    price: 199,
    takes: [8, 48],
    isFood: true,
    ...goods,
  },
  {
    number: '2003',
    description: 'Ekologiskt te, 100 påsar',
    price: 145,
    takes: [4, 20],
    isFood: true,
    ...goods,
  },
  {
    number: '3001',
    description: 'Installation på plats',
    price: 4_500,
    takes: [1, 1],
    ...services,
  },
  {
    number: '3002',
    description: 'Serviceavtal, per maskin och månad',
    price: 1_490,
    takes: [1, 4],
    ...services,
  },
  {
    number: '3003',
    description: 'Servicetimme, tekniker',
    price: 1_150,
    takes: [1, 6],
    ...services,
  },
  {
    number: '3004',
    description: 'Baristautbildning, halvdag per deltagare',
    price: 1_950,
    takes: [2, 6],
    ...services,
  },
  { number: '3101', description: 'Frakt', price: 295, takes: [1, 1], ...goods },
  {
    number: '9001',
    description: 'Perkolator 40 koppar (utgått)',
    price: 2_190,
    takes: [1, 1],
    isActive: false,
    ...goods,
  },
] as const satisfies readonly DemoArticle[];

const byNumber = new Map<string, DemoArticle>(articles.map((article) => [article.number, article]));

export function article(number: string): DemoArticle {
  const found = byNumber.get(number);
  if (!found) throw new RangeError(`there is no article ${number}`);
  return found;
}

/** Food: 12 %, but 6 % from 1 April 2026 through 2027 (prop. 2025/26:55). */
export const foodRateOn = (date: string): 6 | 12 =>
  date >= '2026-04-01' && date < '2028-01-01' ? 6 : 12;

export const rateOf = ({ isFood }: DemoArticle, date: string): VatRate =>
  isFood ? foodRateOn(date) : 25;

/** Where a sale in Sweden is booked. */
export const revenueAccounts = { 25: 3001, 12: 3002, 6: 3003, 0: 3004 } as const;
