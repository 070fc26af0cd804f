/** One installation, one buyer and one order; each test says only what differs. */
import type { OrderContext, OrderDecision, OrderDraft, RejectedOrder } from '#src/domain/order.ts';
import type { Order, OrderCustomer, OrderRow } from '#src/domain/order-shape.ts';

const rates: [number, number | null][] = [
  [3001, 25],
  [3002, 12],
  [3003, 6],
  [3004, 0],
  [3105, 0],
  [3108, 0],
  [3305, 0],
  [3308, 0],
  [3520, 25],
  [3740, null],
];
export const context: OrderContext = {
  customer: { id: 'known', paymentTermsDays: 10 },
  collectiveCustomer: { id: 'collective', paymentTermsDays: null },
  orderPaymentTermsDays: 30,
  supplyDefault: 'goods',
  articles: new Map([
    ['EXEMPT', { supply: 'services', account: 3004 }],
    ['FREIGHT', { supply: 'services', account: 3520 }],
    ['HOUR', { supply: 'services', account: null }],
    ['ABROAD', { supply: 'goods', account: 3105 }],
  ]),
  accounts: new Map(rates.map(([account, vatRate]) => [account, { isActive: true, vatRate }])),
  fiscalYears: [{ start: '2026-01-01', end: '2026-12-31' }],
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
  unitPriceE4: unitPriceOre * 100n,
  vatRate,
  ...change,
});
export const swede: OrderCustomer = {
  name: 'Kund',
  email: null,
  orgNumber: null,
  vatNumber: null,
  countryCode: null,
};
export const order = (change: Partial<Order> = {}): Order => ({
  externalId: 'A-1',
  orderDate: '2026-11-20',
  currency: 'SEK',
  pricesIncludeVat: true,
  totalOre: 19_900n,
  customer: swede,
  rows: [line(19_900n, 25)],
  ...change,
});

export const draft = (decision: OrderDecision): OrderDraft => {
  if (decision.kind !== 'draft') throw new Error(decision.message);
  return decision;
};
export const rejected = (decision: OrderDecision): RejectedOrder => {
  if (decision.kind !== 'rejected') throw new Error('became a draft');
  return decision;
};
