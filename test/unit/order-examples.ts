/** One installation, one buyer and one order; each test says only what differs. */
import type {
  OrderContext,
  OrderDecision,
  OrderDraft,
  RejectedOrder,
} from '#src/domain/sales/order.ts';
import type { Order, OrderCustomer, OrderRow } from '#src/domain/sales/order-shape.ts';

const codes: [number, number | null, string | null][] = [
  [2421, null, null],
  [3001, 25, '05'],
  [3002, 12, '05'],
  [3003, 6, '05'],
  [3004, 0, '42'],
  [3105, 0, '36'],
  [3108, 0, '35'],
  [3211, 25, '07'],
  [3231, 0, '41'],
  [3305, 0, '40'],
  [3308, 0, '39'],
  [3520, 25, '05'],
  [3740, null, null],
];
export const context: OrderContext = {
  customer: { id: 'known', paymentTermsDays: 10, register: null },
  collectiveCustomer: { id: 'collective', paymentTermsDays: null, register: null },
  orderPaymentTermsDays: 30,
  supplyDefault: 'goods',
  articles: new Map([
    ['EXEMPT', { supply: 'services', account: 3004 }],
    ['FREIGHT', { supply: 'services', account: 3520 }],
    ['HOUR', { supply: 'services', account: null }],
    ['BUILDING', { supply: 'services', account: 3231 }],
    ['USED', { supply: 'goods', account: 3211 }],
    ['ABROAD', { supply: 'goods', account: 3105 }],
    ['GIFT', { supply: 'goods', account: 2421 }],
  ]),
  accounts: new Map(
    codes.map(([account, vatRate, vatBox]) => [account, { isActive: true, vatRate, vatBox }]),
  ),
  fiscalYears: [{ start: '2026-01-01', end: '2026-12-31' }],
  paymentAccounts: new Map([
    ['card', 1686],
    ['gift_card', 2421],
    ['tip', 2890],
  ]),
  activeAccounts: new Set([1686, 2421, 2890]),
};
export const without = (account: number): OrderContext => {
  const accounts = new Map(context.accounts);
  accounts.delete(account);
  return { ...context, accounts };
};

export const line = (
  unitPriceOre: bigint,
  vatRate: number,
  change: Partial<OrderRow> = {},
): OrderRow => ({
  articleNumber: null,
  description: 'Vara',
  quantityE4: 10_000n,
  unit: null,
  unitPriceE4: unitPriceOre * 100n,
  discountE2: 0n,
  vatRate,
  ...change,
});
/** As the invoice has the buyer: what the shop calls it stands with the customer. */
export const debtor = {
  name: 'Kund',
  email: null,
  orgNumber: null,
  vatNumber: null,
  countryCode: null,
  address: null,
  postalCode: null,
  city: null,
  phone: null,
};
export const swede: OrderCustomer = { ...debtor, externalId: null };
export const order = (change: Partial<Order> = {}): Order => ({
  externalId: 'A-1',
  orderDate: '2026-11-20',
  deliveryDate: null,
  currency: 'SEK',
  pricesIncludeVat: true,
  totalOre: 19_900n,
  customer: swede,
  payments: null,
  rows: [line(19_900n, 25)],
  warnings: [],
  ...change,
});

export const draft = (decision: OrderDecision): OrderDraft => {
  if (decision.kind !== 'draft') throw new Error(decision.reason);
  return decision;
};
export const rejected = (decision: OrderDecision): RejectedOrder => {
  if (decision.kind !== 'rejected') throw new Error('became a draft');
  return decision;
};
