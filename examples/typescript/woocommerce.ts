/**
 * WooCommerce → Huvudbok: paid orders become invoice drafts, refunds credit notes.
 *
 *   HUVUDBOK_URL=… HUVUDBOK_KEY=… WOOCOMMERCE_SECRET=… PORT=8080 node examples/typescript/woocommerce.ts
 *
 * The key needs `intake:write` alone. In WooCommerce: Settings → Advanced → Webhooks → Add webhook, topic "Order updated", the
 * address of this program, and a secret.
 */
import { Huvudbok } from '../../clients/typescript/huvudbok.ts';
import { isKept, oreOf, receiveSigned, rowOf } from './receiver.ts';

interface Line {
  readonly name?: string;
  readonly method_title?: string;
  readonly quantity?: number;
  readonly sku?: string;
  /** After discount, without VAT. */
  readonly total: string;
  readonly total_tax: string;
}

interface WooOrder {
  readonly id: number;
  readonly status: string;
  readonly currency: string;
  readonly total: string;
  readonly date_created: string;
  readonly date_modified: string;
  readonly billing: Readonly<
    Record<'first_name' | 'last_name' | 'company' | 'email' | 'country', string>
  >;
  readonly line_items: readonly Line[];
  readonly shipping_lines: readonly Line[];
  readonly fee_lines: readonly Line[];
  readonly refunds: readonly { readonly id: number; readonly total: string }[];
}

/** WooCommerce says the VAT of a line in money, to the öre; the rate is the Swedish one that comes nearest. */
function rateOf({ total, total_tax }: Line): number {
  const percent = Number(total) === 0 ? 0 : (Number(total_tax) / Number(total)) * 100;
  return [25, 12, 6, 0].reduce((best, rate) =>
    Math.abs(rate - percent) < Math.abs(best - percent) ? rate : best,
  );
}

function orderOf(order: WooOrder) {
  const { first_name, last_name, company, email, country } = order.billing;
  const lines = [...order.line_items, ...order.shipping_lines, ...order.fee_lines];
  return {
    externalId: String(order.id),
    orderDate: order.date_created.slice(0, 10),
    // One in another currency is kept with that as its reason, for a person.
    currency: order.currency as 'SEK',
    pricesIncludeVat: true,
    total: Number(order.total),
    customer: {
      name: company || `${first_name} ${last_name}`,
      email,
      countryCode: country || null,
    },
    rows: lines.map((line) => ({
      ...rowOf(
        line.name ?? line.method_title ?? '',
        line.quantity ?? 1,
        oreOf(line.total) + oreOf(line.total_tax),
        rateOf(line),
      ),
      articleNumber: line.sku || null,
    })),
  };
}

const books = new Huvudbok({
  url: process.env['HUVUDBOK_URL'] ?? 'http://127.0.0.1:3000',
  key: process.env['HUVUDBOK_KEY'],
  // Five failed deliveries in a row, and WooCommerce switches the webhook off: better to answer soon.
  retries: 2,
});

receiveSigned(
  { secret: process.env['WOOCOMMERCE_SECRET'] ?? '', header: 'x-wc-webhook-signature' },
  async ({ body }) => {
    const order = body as WooOrder;
    if (!['processing', 'completed', 'refunded'].includes(order.status)) return;
    await books
      .post('/api/inbound/order', { body: orderOf(order) })
      .catch((error) => isKept(error) || Promise.reject(error));
    // Each time the order is updated it tells of all its refunds: the same number credits once.
    for (const { id, total } of order.refunds) {
      await books.post('/api/inbound/aterbetalning', {
        body: {
          externalId: String(order.id),
          refundId: String(id),
          refundDate: order.date_modified.slice(0, 10),
          amount: Math.abs(Number(total)),
        },
      });
    }
  },
);
