/**
 * Shopify → Huvudbok: paid orders become invoice drafts, refunds credit notes.
 *
 *   HUVUDBOK_URL=… HUVUDBOK_KEY=… SHOPIFY_SECRET=… PORT=8080 node examples/typescript/shopify.ts <file.sqlite>
 *
 * The key needs `intake:write` alone. In Shopify: Settings → Notifications → Webhooks, the events "Order payment" and "Refund
 * create" in JSON, to the address of this program; the secret stands below the list.
 */
import { Huvudbok } from '../../clients/typescript/huvudbok.ts';
import { oreOf, receiveSigned, rowOf, tellOfChange, unlessKept } from './receiver.ts';

interface Taxed {
  readonly title: string;
  readonly price: string;
  readonly tax_lines?: readonly { readonly rate: number; readonly price: string }[];
  readonly discount_allocations?: readonly { readonly amount: string }[];
  /** There on tips alone, and perhaps null. */
  readonly tip_payment_gateway?: string | null;
}

interface ShopifyOrder {
  readonly id: number;
  readonly created_at: string;
  readonly currency: string;
  readonly taxes_included: boolean;
  /** As it was placed; what edits took off is among `refunds`, and off the current price. */
  readonly total_price: string;
  readonly current_total_price?: string;
  readonly email?: string;
  readonly billing_address?: {
    readonly name?: string;
    readonly company?: string;
    readonly country_code?: string;
  };
  readonly line_items: readonly (Taxed & {
    readonly id: number;
    readonly quantity: number;
    readonly sku?: string;
    /** Sold without VAT, which the goods bear that it buys. */
    readonly gift_card?: boolean;
  })[];
  /** Paid with the provider's test cards: nothing was bought. */
  readonly test?: boolean;
  readonly shipping_lines: readonly Taxed[];
  readonly refunds?: readonly ShopifyRefund[];
  readonly payment_gateway_names?: readonly string[];
}

interface ShopifyRefund {
  readonly id: number;
  readonly order_id: number;
  readonly created_at: string;
  readonly transactions: readonly {
    readonly amount: string;
    readonly kind: string;
    readonly status: string;
    readonly gateway?: string;
  }[];
  readonly refund_line_items?: readonly {
    readonly line_item_id: number;
    readonly quantity: number;
    /** After discounts; with VAT where the order's prices have it. */
    readonly subtotal: string;
    readonly total_tax: string;
    readonly line_item: Taxed;
  }[];
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, ore) => total + ore, 0);

/** A line's sum to pay: after discounts, and with VAT whether prices have it or not. */
function grossOf(line: Taxed, quantity: number, hasVat: boolean): number {
  const discounts = (line.discount_allocations ?? []).map(({ amount }) => oreOf(amount));
  const vat = hasVat ? [] : (line.tax_lines ?? []).map(({ price }) => oreOf(price));
  return oreOf(line.price) * quantity - sum(discounts) + sum(vat);
}

/** What was paid back, by what. */
const paidBackBy = ({ transactions }: ShopifyRefund) =>
  transactions
    .filter(({ kind, status }) => kind === 'refund' && status === 'success')
    .map(({ amount, gateway = '' }) => ({
      ore: oreOf(amount),
      method: methods[gateway] ?? 'card',
    }));

/** What the order comes to: without what was taken off it before it was paid. What was paid back is a refund of its own. */
function oreOfOrder({ total_price, current_total_price, refunds = [] }: ShopifyOrder): number {
  const paidBack = refunds.flatMap(paidBackBy).map(({ ore }) => ore);
  return oreOf(current_total_price ?? total_price) + sum(paidBack);
}

/** How many of a line were taken off the order before it was paid, and what they came to with VAT. */
function takenOff(id: number, { refunds = [], taxes_included: hasVat }: ShopifyOrder) {
  const taken = refunds
    .filter((refund) => paidBackBy(refund).length === 0)
    .flatMap(({ refund_line_items: items = [] }) => items)
    .filter(({ line_item_id }) => line_item_id === id);
  return {
    quantity: sum(taken.map(({ quantity }) => quantity)),
    ore: sum(taken.map((one) => oreOf(one.subtotal) + (hasVat ? 0 : oreOf(one.total_tax)))),
  };
}

const isTip = (line: Taxed): boolean => line.tip_payment_gateway !== undefined;

/** What the company calls what it is paid by (Inställningar › Företaget › Betalsätt), by Shopify's names. */
const methods: Readonly<Record<string, string>> = {
  shopify_payments: 'card',
  Klarna: 'klarna',
  paypal: 'paypal',
  cash: 'cash',
};

/**
 * A tip is owed to those who work there: no sale, and no row of an invoice, but a part of what was paid. Where that was paid
 * by several means Shopify does not say how much by each here: its row is kept, and the order waits for a person.
 */
function tipOf(order: ShopifyOrder) {
  const tips = order.line_items.filter(isTip);
  const ore = sum(tips.map((line) => grossOf(line, line.quantity, true)));
  const [means = 'shopify_payments', ...others] = order.payment_gateway_names ?? [];
  if (ore === 0 || others.length > 0) return null;
  const amount = oreOfOrder(order) / 100;
  return { ore, payments: [{ method: methods[means] ?? 'card', amount }] };
}

/** Of a fraction, hundredths kept: Finland's 0.255 is 25.5. */
const percentOf = (rate: number): number => Math.round(rate * 10_000) / 100;

function orderOf(order: ShopifyOrder) {
  const { billing_address: buyer } = order;
  const tip = tipOf(order);
  const row = (line: Taxed, quantity: number, grossOre: number) =>
    rowOf(line.title, quantity, grossOre, percentOf(line.tax_lines?.[0]?.rate ?? 0));
  return {
    externalId: String(order.id),
    // The shop's own day: the time comes with the shop's time zone.
    orderDate: order.created_at.slice(0, 10),
    // One in another currency is kept with that as its reason, for a person.
    currency: order.currency as 'SEK',
    pricesIncludeVat: true,
    total: (oreOfOrder(order) - (tip?.ore ?? 0)) / 100,
    ...(tip && { tip: tip.ore / 100, payments: tip.payments }),
    customer: {
      name: buyer?.company || buyer?.name || order.email || 'Kund i butiken',
      email: order.email ?? null,
      countryCode: buyer?.country_code ?? null,
    },
    rows: [
      ...order.line_items
        .filter((line) => !(tip && isTip(line)))
        .flatMap((line) => {
          const taken = takenOff(line.id, order);
          const quantity = line.quantity - taken.quantity;
          if (quantity === 0) return [];
          const grossOre = grossOf(line, line.quantity, order.taxes_included) - taken.ore;
          const articleNumber = line.sku || null;
          return [
            { ...row(line, quantity, grossOre), articleNumber, giftCard: line.gift_card === true },
          ];
        }),
      ...order.shipping_lines.map((line) => row(line, 1, grossOf(line, 1, order.taxes_included))),
    ],
  };
}

/** What was paid back, and by what; of it the tip, which the invoice does not have. */
function refundOf(refund: ShopifyRefund) {
  const paid = paidBackBy(refund);
  const tips = (refund.refund_line_items ?? []).filter(({ line_item: line }) => isTip(line));
  const tipOre = sum(tips.map(({ line_item: line, quantity }) => grossOf(line, quantity, true)));
  return {
    externalId: String(refund.order_id),
    refundId: String(refund.id),
    refundDate: refund.created_at.slice(0, 10),
    amount: Math.max(sum(paid.map(({ ore }) => ore)) - tipOre, 0) / 100,
    ...(tipOre > 0 && {
      tip: tipOre / 100,
      payments: paid.map(({ ore, method }) => ({ method, amount: ore / 100 })),
    }),
  };
}

const hasMoney = ({ amount, payments = [] }: ReturnType<typeof refundOf>): boolean =>
  amount > 0 || payments.length > 0;

const books = new Huvudbok({
  url: process.env['HUVUDBOK_URL'] ?? 'http://127.0.0.1:3000',
  key: process.env['HUVUDBOK_KEY'],
  // What fails is tried again by receiver.ts.
  retries: 0,
});

receiveSigned(
  {
    secret: process.env['SHOPIFY_SECRET'] ?? '',
    header: 'x-shopify-hmac-sha256',
    topic: 'x-shopify-topic',
  },
  async (topic, body) => {
    if (topic === 'orders/paid' && !body.test) {
      await books
        .post('/api/inbound/order', { body: orderOf(body) })
        .then(tellOfChange, unlessKept);
    }
    if (topic === 'refunds/create') {
      const refund = refundOf(body);
      // Goods that came back without money are no business of the books'.
      if (hasMoney(refund))
        await books.post('/api/inbound/aterbetalning', { body: refund }).catch(unlessKept);
    }
  },
);
