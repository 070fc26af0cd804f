/**
 * Shopify → Huvudbok: paid orders become invoice drafts, refunds credit notes.
 *
 *   HUVUDBOK_URL=… HUVUDBOK_KEY=… SHOPIFY_SECRET=… PORT=8080 node examples/typescript/shopify.ts
 *
 * The key needs `intake:write` alone. In Shopify: Settings → Notifications → Webhooks, the events "Order payment" and "Refund
 * create" in JSON, to the address of this program; the secret stands below the list.
 */
import { Huvudbok } from '../../clients/typescript/huvudbok.ts';
import { isKept, oreOf, receiveSigned, rowOf } from './receiver.ts';

interface Taxed {
  readonly title: string;
  readonly price: string;
  readonly tax_lines: readonly { readonly rate: number; readonly price: string }[];
  readonly discount_allocations?: readonly { readonly amount: string }[];
  /** There on tips alone, and perhaps null. */
  readonly tip_payment_gateway?: string | null;
}

interface ShopifyOrder {
  readonly id: number;
  readonly created_at: string;
  readonly currency: string;
  readonly taxes_included: boolean;
  readonly total_price: string;
  readonly email?: string;
  readonly billing_address?: {
    readonly name?: string;
    readonly company?: string;
    readonly country_code?: string;
  };
  readonly line_items: readonly (Taxed & {
    readonly quantity: number;
    readonly sku?: string;
    /** Sold without VAT, which the goods bear that it buys. */
    readonly gift_card?: boolean;
  })[];
  /** Paid with the provider's test cards: nothing was bought. */
  readonly test?: boolean;
  readonly shipping_lines: readonly Taxed[];
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
    readonly quantity: number;
    readonly line_item: Taxed;
  }[];
}

/** A line's sum to pay: after discounts, and with VAT whether prices have it or not. */
function grossOf(line: Taxed, quantity: number, hasVat: boolean): number {
  const discounts = (line.discount_allocations ?? []).map(({ amount }) => oreOf(amount));
  const vat = hasVat ? [] : line.tax_lines.map(({ price }) => oreOf(price));
  const sum = (amounts: readonly number[]) => amounts.reduce((total, ore) => total + ore, 0);
  return oreOf(line.price) * quantity - sum(discounts) + sum(vat);
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
function tipOf({
  line_items: lines,
  total_price: paid,
  payment_gateway_names: names,
}: ShopifyOrder) {
  const tips = lines.filter(isTip).map((line) => grossOf(line, line.quantity, true));
  const ore = tips.reduce((sum, one) => sum + one, 0);
  const [means = 'shopify_payments', ...others] = names ?? [];
  if (ore === 0 || others.length > 0) return null;
  return { ore, payments: [{ method: methods[means] ?? 'card', amount: Number(paid) }] };
}

function orderOf(order: ShopifyOrder) {
  const { billing_address: buyer } = order;
  const tip = tipOf(order);
  const row = (line: Taxed, quantity: number) =>
    rowOf(
      line.title,
      quantity,
      grossOf(line, quantity, order.taxes_included),
      Math.round((line.tax_lines[0]?.rate ?? 0) * 100),
    );
  return {
    externalId: String(order.id),
    // The shop's own day: the time comes with the shop's time zone.
    orderDate: order.created_at.slice(0, 10),
    // One in another currency is kept with that as its reason, for a person.
    currency: order.currency as 'SEK',
    pricesIncludeVat: true,
    total: (oreOf(order.total_price) - (tip?.ore ?? 0)) / 100,
    ...(tip && { tip: tip.ore / 100, payments: tip.payments }),
    customer: {
      name: buyer?.company || buyer?.name || order.email || 'Kund i butiken',
      email: order.email ?? null,
      countryCode: buyer?.country_code ?? null,
    },
    rows: [
      ...order.line_items
        .filter((line) => !(tip && isTip(line)))
        .map((line) => ({
          ...row(line, line.quantity),
          articleNumber: line.sku || null,
          giftCard: line.gift_card === true,
        })),
      ...order.shipping_lines.map((line) => row(line, 1)),
    ],
  };
}

/** What was paid back, and by what; of it the tip, which the invoice does not have. */
function refundOf(refund: ShopifyRefund) {
  const paid = refund.transactions
    .filter(({ kind, status }) => kind === 'refund' && status === 'success')
    .map(({ amount, gateway = '' }) => ({
      ore: oreOf(amount),
      method: methods[gateway] ?? 'card',
    }));
  const paidOre = paid.reduce((sum, { ore }) => sum + ore, 0);
  const tipOre = (refund.refund_line_items ?? [])
    .filter(({ line_item: line }) => isTip(line))
    .reduce((sum, { line_item: line, quantity }) => sum + grossOf(line, quantity, true), 0);
  return {
    externalId: String(refund.order_id),
    refundId: String(refund.id),
    refundDate: refund.created_at.slice(0, 10),
    amount: Math.max(paidOre - tipOre, 0) / 100,
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
  // Shopify waits five seconds for an answer, and sends again for two days.
  retries: 1,
});

receiveSigned(
  { secret: process.env['SHOPIFY_SECRET'] ?? '', header: 'x-shopify-hmac-sha256' },
  async ({ headers, body }) => {
    if (headers['x-shopify-topic'] === 'orders/paid' && !body.test) {
      await books
        .post('/api/inbound/order', { body: orderOf(body) })
        .catch((error) => isKept(error) || Promise.reject(error));
    }
    if (headers['x-shopify-topic'] === 'refunds/create') {
      const refund = refundOf(body);
      // Goods that came back without money are no business of the books'.
      if (hasMoney(refund)) await books.post('/api/inbound/aterbetalning', { body: refund });
    }
  },
);
