/**
 * WooCommerce → Huvudbok: paid orders become invoice drafts, refunds credit notes.
 *
 *   HUVUDBOK_URL=… HUVUDBOK_KEY=… WOOCOMMERCE_SECRET=… PORT=8080 node examples/typescript/woocommerce.ts <file.sqlite>
 *
 * The key needs `intake:write` alone. In WooCommerce: Settings → Advanced → Webhooks → Add webhook, topic "Order updated", the
 * address of this program, and a secret.
 */
import { Huvudbok } from '../../clients/typescript/huvudbok.ts';
import { oreOf, receiveSigned, rowOf, tellOfChange, unlessKept } from './receiver.ts';

interface Line {
  readonly name?: string;
  readonly method_title?: string;
  readonly quantity?: number;
  readonly sku?: string;
  /** After discount, without VAT. */
  readonly total: string;
  readonly total_tax: string;
  /** Which of the order's `tax_lines` it bears. */
  readonly taxes?: readonly { readonly id: number; readonly total: string }[];
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
  readonly tax_lines?: readonly { readonly rate_id: number; readonly rate_percent?: number }[];
  readonly refunds: readonly { readonly id: number; readonly total: string }[];
}

/** As the shop has set it; a shop that does not say it tells the VAT in money, and the Swedish rate that comes nearest is meant. */
function rateOf({ total, total_tax, taxes = [] }: Line, { tax_lines = [] }: WooOrder): number {
  const tax = taxes.find((one) => one.total !== '');
  const rate = tax && tax_lines.find(({ rate_id }) => rate_id === tax.id)?.rate_percent;
  if (rate !== undefined) return Number(rate);
  const percent = Number(total) === 0 ? 0 : (Number(total_tax) / Number(total)) * 100;
  return [25, 12, 6, 0].reduce((best, one) =>
    Math.abs(one - percent) < Math.abs(best - percent) ? one : best,
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
      name: company || `${first_name} ${last_name}`.trim() || email || 'Kund i butiken',
      email,
      countryCode: country || null,
    },
    rows: lines.map((line) => ({
      ...rowOf(
        line.name ?? line.method_title ?? '',
        line.quantity ?? 1,
        oreOf(line.total) + oreOf(line.total_tax),
        rateOf(line, order),
      ),
      articleNumber: line.sku || null,
    })),
  };
}

const books = new Huvudbok({
  url: process.env['HUVUDBOK_URL'] ?? 'http://127.0.0.1:3000',
  key: process.env['HUVUDBOK_KEY'],
  // What fails is tried again by receiver.ts.
  retries: 0,
});

/** Whether the order has come to Huvudbok; one that was cancelled before it was paid has not. */
async function isKnown({ id }: WooOrder): Promise<boolean> {
  const body = { externalIds: [String(id)] };
  const { orders = [] } = await books.post('/api/inbound/avstamning', { body });
  return orders.some(({ status }) => status !== 'unknown');
}

/**
 * Each time an order is updated it tells of all its refunds, and of no day but its own: the first time that one is told of is
 * the day that it was made. One without money gave back goods alone, which are no business of the books'. What is
 * cancelled is credited with all that remains, and then nothing more of it.
 */
async function sendRefunds(order: WooOrder): Promise<void> {
  const cancellation = `${order.id}-cancelled`;
  const made: { readonly refundId: string; readonly amount?: number }[] = order.refunds
    .filter(({ total }) => oreOf(total) !== 0)
    .map(({ id, total }) => ({ refundId: String(id), amount: Math.abs(Number(total)) }));
  const backOre = made.reduce((sum, { amount = 0 }) => sum + oreOf(amount), 0);
  if (order.status === 'cancelled' && backOre < oreOf(order.total)) {
    made.push({ refundId: cancellation });
  }
  if (made.length === 0) return;
  const asked = { refundIds: [cancellation, ...made.map(({ refundId }) => refundId)] };
  const { refunds = [] } = await books.post('/api/inbound/avstamning', { body: asked });
  const known = refunds.filter(({ status }) => status !== 'unknown').map((one) => one.refundId);
  if (known.includes(cancellation)) return;
  for (const refund of made.filter(({ refundId }) => !known.includes(refundId))) {
    const body = {
      externalId: String(order.id),
      refundDate: order.date_modified.slice(0, 10),
      ...refund,
    };
    await books.post('/api/inbound/aterbetalning', { body }).catch(unlessKept);
  }
}

const paid = ['processing', 'completed', 'refunded'];

receiveSigned(
  {
    secret: process.env['WOOCOMMERCE_SECRET'] ?? '',
    header: 'x-wc-webhook-signature',
    topic: 'x-wc-webhook-topic',
    // Sent when the webhook is saved, which an answer of 401 stops.
    ping: /^webhook_id=\d+$/,
  },
  async (_, order: WooOrder) => {
    if (paid.includes(order.status)) {
      await books
        .post('/api/inbound/order', { body: orderOf(order) })
        .then(tellOfChange, unlessKept);
    } else if (order.status !== 'cancelled' || !(await isKnown(order))) return;
    await sendRefunds(order);
  },
);
