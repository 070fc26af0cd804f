/** GET /api/v1/kundfakturor and inkop: invoices with rows and payments, listed and one by one in one shape. */
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Tx } from '../../db/pool.ts';
import { e4ToNumber, oreToNumber, sum } from '../../domain/basics/money.ts';
import { type Access, callerOf, withKey } from '../../http/access.ts';
import { errorResponses, keyErrors } from '../../http/error-schemas.ts';
import type { App, AppDeps } from '../../http/fastify.ts';
import { pageSchema } from '../../http/schemas.ts';
import { answerUnchanged } from '../../http/unchanged.ts';
import { identityOf } from '../../intake/orders/identity.ts';
import { decodePlace, encodePlace } from '../../lib/cursor.ts';
import { AppError } from '../../lib/errors.ts';
import { isUuid } from '../../lib/uuid.ts';
import { type Included, type Names, readNames } from '../included.ts';
import type { Page } from '../paging.ts';
import * as schemas from './invoice-schemas.ts';
import * as store from './invoice-store.ts';
import { unchangedHeaders } from './schemas.ts';

interface Asked {
  readonly id?: string[] | undefined;
  readonly include?: Included[] | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

type Listing = Omit<Asked, 'cursor' | 'include'> & { readonly after?: string | undefined };

/** What differs between the one and the other. */
interface Invoices<Row extends store.Followed, Item extends object> {
  /** Under /api/v1. */
  readonly path: string;
  readonly tag: string;
  readonly operation: { readonly list: string; readonly one: string };
  readonly summary: { readonly list: string; readonly one: string };
  readonly query: z.ZodType<Asked>;
  /** What one by itself may be asked for. */
  readonly oneQuery: z.ZodType<Pick<Asked, 'include'>>;
  readonly item: z.ZodType<object>;
  readonly page: z.ZodType<Page<Item>>;
  readonly missing: string;
  /** Takes all that `query` reads; a method, as it knows more of it than is asked here. */
  list(tx: Tx, query: Listing): Promise<Row[]>;
  readonly answer: (row: Row, baseUrl: string, names: Names) => Item;
}

const described = <Row extends store.Followed, Item extends object>(one: Invoices<Row, Item>) =>
  one;

const amountsOf = (row: store.InvoiceForKey | store.PurchaseForKey) => ({
  net_amount: oreToNumber(row.net_ore),
  vat_amount: oreToNumber(row.vat_ore),
  rounding: oreToNumber(row.rounding_ore),
  paid_amount: oreToNumber(row.paid_ore),
  remaining_amount: oreToNumber(row.open_ore),
});
const timesOf = (row: store.InvoiceForKey | store.PurchaseForKey) => ({
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

const pageMeaning = 'A page in order of id; shorter when they have thousands of rows';

const customerInvoices = described({
  path: 'kundfakturor',
  tag: 'Customer invoices',
  operation: { list: 'listCustomerInvoices', one: 'getCustomerInvoice' },
  summary: {
    list: 'Read customer invoices with rows and payments',
    one: 'Read one customer invoice with rows and payments',
  },
  query: schemas.invoicesQuery,
  oneQuery: schemas.invoiceQuery,
  item: schemas.invoiceItem,
  page: pageSchema(schemas.invoiceItem, 'CustomerInvoicePage', pageMeaning),
  missing: 'Det finns ingen kundfaktura med det id:t; ett utkast kan ha tagits bort.',
  list: (tx: Tx, { externalId, ...query }: Listing & z.output<typeof schemas.invoicesQuery>) =>
    store.listInvoices(tx, { ...query, identities: externalId?.map(identityOf) }),
  answer: (row: store.InvoiceForKey, baseUrl, names) => ({
    id: row.id,
    kind: row.kind,
    status: row.status,
    source: row.source,
    invoice_number: row.number,
    ocr: row.ocr,
    external_id: row.external_id,
    credited_invoice_id: row.credited_invoice_id,
    customer_id: row.customer_id,
    debtor: debtorOf(row.debtor),
    invoice_date: row.invoice_date,
    delivery_date: row.delivery_date,
    due_date: row.due_date,
    payment_terms: row.payment_terms_days,
    your_reference: row.your_reference,
    notes: row.notes,
    ...amountsOf(row),
    total_amount: oreToNumber(row.total_ore),
    currency: row.currency,
    exchange_rate: row.exchange_rate_e6 === null ? null : Number(row.exchange_rate_e6) / 1_000_000,
    currency_total:
      row.exchange_rate_e6 === null
        ? null
        : oreToNumber(
            row.currency_rounding +
              sum(row.rows.map((one) => BigInt((one.currency_net ?? 0) + (one.currency_vat ?? 0)))),
          ),
    fees_amount: oreToNumber(row.fees_ore),
    credited_amount: oreToNumber(row.credited_ore),
    voucher_id: row.voucher_id,
    ...timesOf(row),
    url: `${baseUrl}/kundfakturor/${row.id}`,
    rows: row.rows.map(({ quantity_e4, unit_price_e4, discount_e2, net_ore, vat_ore, ...row }) => {
      const { oss_country, oss_rate_e2, currency_net, currency_vat, ...rest } = row;
      return {
        ...rest,
        ...names.ofAccount(rest),
        vat_rate: store.vatRateOf({ vat_rate: rest.vat_rate, oss_rate_e2 }),
        vat_country: oss_country,
        quantity: e4ToNumber(BigInt(quantity_e4)),
        unit_price: e4ToNumber(BigInt(unit_price_e4)),
        discount_pct: discount_e2 / 100,
        net_amount: oreToNumber(net_ore),
        vat_amount: oreToNumber(vat_ore),
        currency_net: currency_net === null ? null : oreToNumber(currency_net),
        currency_vat: currency_vat === null ? null : oreToNumber(currency_vat),
      };
    }),
    payments: row.payments.map(({ amount_ore, ...rest }) => ({
      ...rest,
      ...names.ofAccount(rest),
      amount: oreToNumber(amount_ore),
    })),
  }),
});

const debtorOf = (debtor: store.InvoiceForKey['debtor']) => ({
  name: debtor['name'] ?? null,
  email: debtor['email'] ?? null,
  org_number: debtor['orgNumber'] ?? null,
  vat_number: debtor['vatNumber'] ?? null,
  address: debtor['address'] ?? null,
  postal_code: debtor['postalCode'] ?? null,
  city: debtor['city'] ?? null,
  country_code: debtor['countryCode'] ?? null,
  phone: debtor['phone'] ?? null,
});

const purchases = described({
  path: 'inkop',
  tag: 'Purchases',
  operation: { list: 'listPurchases', one: 'getPurchase' },
  summary: {
    list: 'Read supplier invoices and outlays with rows and payments',
    one: 'Read one supplier invoice or outlay with rows and payments',
  },
  query: schemas.purchasesQuery,
  oneQuery: schemas.purchaseQuery,
  item: schemas.purchaseItem,
  page: pageSchema(schemas.purchaseItem, 'PurchasePage', pageMeaning),
  missing: 'Det finns inget inköp med det id:t.',
  list: (tx: Tx, query: Listing & z.output<typeof schemas.purchasesQuery>) =>
    store.listPurchases(tx, query),
  answer: (row: store.PurchaseForKey, baseUrl, names) => ({
    id: row.id,
    kind: row.kind,
    status: row.status,
    origin: originOf(row),
    supplier_id: row.supplier_id,
    seller: {
      name: row.seller_name,
      org_number: row.seller_org_number,
      vat_number: row.seller_vat_number,
    },
    invoice_number: row.invoice_number,
    invoice_date: row.issue_date,
    due_date: row.due_date,
    booking_date: row.booking_date,
    currency: row.currency,
    ...amountsOf(row),
    prepaid_amount: oreToNumber(row.prepaid_ore),
    payable_amount: oreToNumber(row.payable_ore),
    is_prepayment: row.is_prepayment,
    rejection: row.rejection,
    voucher_id: row.voucher_id,
    ...timesOf(row),
    url: `${baseUrl}/leverantorsinkorg/${row.id}`,
    rows: row.rows.map(({ debit_ore, credit_ore, ...rest }) => ({
      ...rest,
      ...names.ofAccount(rest),
      ...names.ofDimensions(rest),
      debit: oreToNumber(debit_ore),
      credit: oreToNumber(credit_ore),
    })),
    payments: row.payments.map(({ amount_ore, ...rest }) => ({
      ...rest,
      ...names.ofAccount(rest),
      amount: oreToNumber(amount_ore),
    })),
  }),
});

function originOf({ is_opening, is_outlay, is_by_hand }: store.PurchaseForKey): string {
  if (is_opening) return 'opening';
  if (is_outlay) return 'outlay';
  return is_by_hand ? 'by_hand' : 'e_invoice';
}

export function registerInvoiceReading(app: App, deps: AppDeps, access: Access): void {
  register(app, deps, access, customerInvoices);
  register(app, deps, access, purchases);
}

const unchanged = z.null().describe('The answer is the one that If-None-Match has');

/** Listed in the order of ids, which nothing that happens meanwhile changes. */
function register<Row extends store.Followed, Item extends object>(
  app: App,
  { readers, quickReaders, config }: AppDeps,
  access: Access,
  those: Invoices<Row, Item>,
): void {
  const { path, answer } = those;
  const isPlace = (parts: readonly unknown[]): parts is readonly [string] => isUuid(parts[0]);
  const common = {
    method: 'GET',
    config: { scopes: ['data:read'] },
    onRequest: access.hook(['data:read']),
    onSend: answerUnchanged,
  } as const;
  const told = { tags: [those.tag], security: [{ apiKey: [] }], headers: unchangedHeaders };
  const routes = app.withTypeProvider<ZodTypeProvider>();
  routes.route({
    ...common,
    url: `/api/v1/${path}`,
    schema: {
      operationId: those.operation.list,
      summary: those.summary.list,
      description:
        'Drafts and booked ones, with what remains to be paid. A draft can change and be removed, which the event record.removed tells; what is booked can only be paid or credited.',
      ...told,
      querystring: those.query,
      response: {
        200: those.page,
        304: unchanged,
        ...errorResponses(...keyErrors, 'invalid_request'),
      },
    },
    handler: async (request) => {
      const { cursor, limit, include, ...filter } = request.query;
      const filters = [path, ...Object.entries(filter).sort(([a], [b]) => (a < b ? -1 : 1))];
      const [after] = cursor === undefined ? [] : decodePlace(filters, cursor, isPlace);
      const query = { ...filter, limit, after };
      const { page, names } = await withKey(readers, callerOf(request), (tx) =>
        namedIn(tx, include, those.list(tx, query)),
      );
      const last = page.at(-1);
      const hasMore = last?.is_followed === true;
      return {
        data: page.map((row) => answer(row, config.baseUrl, names)),
        next_cursor: hasMore ? encodePlace(filters, [last.id]) : null,
        has_more: hasMore,
      };
    },
  });
  routes.route({
    ...common,
    url: `/api/v1/${path}/:id`,
    schema: {
      operationId: those.operation.one,
      summary: those.summary.one,
      description: 'In the same form as in the list.',
      ...told,
      params: schemas.idParams,
      querystring: those.oneQuery,
      response: {
        200: those.item,
        304: unchanged,
        ...errorResponses(...keyErrors, 'invalid_request', 'not_found'),
      },
    },
    handler: async (request) => {
      const query = { id: [request.params.id], limit: 1 };
      const { page, names } = await withKey(quickReaders, callerOf(request), (tx) =>
        namedIn(tx, request.query.include, those.list(tx, query)),
      );
      const [found] = page;
      if (!found) throw new AppError('not_found', those.missing);
      return answer(found, config.baseUrl, names);
    },
  });
}

/** What is listed, and the names in it that are asked for. */
async function namedIn<Row extends store.Followed>(
  tx: Tx,
  include: Included[] | undefined,
  listed: Promise<Row[]>,
): Promise<{ readonly page: Row[]; readonly names: Names }> {
  const page = await listed;
  const within = page.flatMap(({ rows, payments }) => [...rows, ...payments]);
  return { page, names: await readNames(tx, include, within) };
}
