/** GET /api/v1/konton, kunder and the other registers: what the calls that write refer to. */
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Tx } from '../../db/pool.ts';
import { plainExternalId } from '../../domain/basics/identifiers.ts';
import { e4ToNumber } from '../../domain/basics/money.ts';
import { type Access, callerOf, withKey } from '../../http/access.ts';
import { errorResponses, keyErrors } from '../../http/error-schemas.ts';
import type { App, AppDeps } from '../../http/fastify.ts';
import { idSchema, pageSchema } from '../../http/schemas.ts';
import { answerUnchanged } from '../../http/unchanged.ts';
import { decodePlace, encodePlace } from '../../lib/cursor.ts';
import { isUuid } from '../../lib/uuid.ts';
import { cutPage, type Page } from '../paging.ts';
import * as schemas from './schemas.ts';
import * as store from './store.ts';

/** What differs between one register and the next. */
interface Register<Key extends string | number, Row, Item> {
  /** Under /api/v1. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly query: z.ZodType<schemas.Asked<Key>>;
  readonly page: z.ZodType<Page<Item>>;
  readonly keyOf: (row: Row) => Key;
  readonly isKey: (value: unknown) => value is Key;
  readonly list: (tx: Tx, query: store.RegisterQuery<Key>) => Promise<Row[]>;
  readonly answer: (row: Row, baseUrl: string) => Item;
}

const isAccount = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 1000 && Number(value) <= 9999;
const isArticle = (value: unknown): value is string =>
  typeof value === 'string' && !value.includes('\0');
const idOf = ({ id }: { readonly id: string }): string => id;
const keptOf = (row: { readonly is_active: boolean; readonly updated_at: Date }) => ({
  active: row.is_active,
  updated_at: row.updated_at.toISOString(),
});
const partyOf = (row: store.PartyRow) => ({
  id: row.id,
  external_id: row.external_id,
  name: row.name,
  email: row.email,
  org_number: row.organization_number,
  vat_number: row.vat_number,
  address: row.address,
  postal_code: row.postal_code,
  city: row.city,
  country_code: row.country_code,
  phone: row.phone,
  created_at: row.created_at.toISOString(),
  ...keptOf(row),
});

const described = <Key extends string | number, Row, Item>(one: Register<Key, Row, Item>) => one;

const accounts = described({
  path: 'konton',
  operationId: 'listAccounts',
  summary: 'Read the chart of accounts',
  query: schemas.registerQuery(schemas.accountKey),
  page: pageSchema(schemas.account, 'AccountPage', 'A page of accounts, by number'),
  keyOf: (row) => row.number,
  isKey: isAccount,
  list: store.listAccounts,
  answer: (row) => ({
    number: row.number,
    name: row.name,
    type: row.type,
    vat_code: row.vat_code,
    vat_rate: row.vat_rate,
    sru: row.sru,
    ...keptOf(row),
  }),
});

const dimensions = described({
  path: 'dimensioner',
  operationId: 'listDimensions',
  summary: 'Read cost centres and projects',
  query: schemas.namedQuery(idSchema),
  page: pageSchema(schemas.dimension, 'DimensionPage', 'A page of cost centres and projects'),
  keyOf: idOf,
  isKey: isUuid,
  list: store.listDimensions,
  answer: (row) => ({
    id: row.id,
    external_id: row.external_id,
    kind: row.kind,
    code: row.code,
    name: row.name,
    ...keptOf(row),
  }),
});

const articles = described({
  path: 'artiklar',
  operationId: 'listArticles',
  summary: 'Read the articles',
  query: schemas.namedQuery(schemas.articleKey),
  page: pageSchema(schemas.article, 'ArticlePage', 'A page of articles, by number'),
  keyOf: (row) => row.number,
  isKey: isArticle,
  list: store.listArticles,
  answer: (row) => ({
    number: row.number,
    external_id: row.external_id,
    description: row.description,
    supply: row.supply,
    account: row.account,
    unit_price: row.unit_price_e4 === null ? null : e4ToNumber(row.unit_price_e4),
    unit: row.unit,
    ...keptOf(row),
  }),
});

const customers = described({
  path: 'kunder',
  operationId: 'listCustomers',
  summary: 'Read the customers',
  query: schemas.namedQuery(idSchema),
  page: pageSchema(schemas.customer, 'CustomerPage', 'A page of customers'),
  keyOf: idOf,
  isKey: isUuid,
  list: store.listCustomers,
  answer: (row, baseUrl) => ({
    ...partyOf(row),
    payment_terms: row.payment_terms_days,
    url: `${baseUrl}/kunder/${row.id}`,
  }),
});

const suppliers = described({
  path: 'leverantorer',
  operationId: 'listSuppliers',
  summary: 'Read the suppliers',
  query: schemas.namedQuery(idSchema),
  page: pageSchema(schemas.supplier, 'SupplierPage', 'A page of suppliers'),
  keyOf: idOf,
  isKey: isUuid,
  list: store.listSuppliers,
  answer: (row, baseUrl) => ({
    ...partyOf(row),
    endpoint: row.endpoint,
    account: row.account,
    payment_days: row.payment_days,
    url: `${baseUrl}/leverantorer/${row.id}`,
  }),
});

const series = described({
  path: 'serier',
  operationId: 'listSeries',
  summary: 'Read the voucher series of the fiscal years',
  query: schemas.yearlyQuery,
  page: pageSchema(schemas.series, 'SeriesPage', 'A page of series'),
  keyOf: idOf,
  isKey: isUuid,
  list: store.listSeries,
  answer: ({ id, code, name, year, last_number }) => ({ id, code, name, year, last_number }),
});

const fiscalYears = described({
  path: 'rakenskapsar',
  operationId: 'listFiscalYears',
  summary: 'Read the fiscal years',
  query: schemas.yearlyQuery,
  page: pageSchema(schemas.fiscalYear, 'FiscalYearPage', 'A page of fiscal years'),
  keyOf: idOf,
  isKey: isUuid,
  list: store.listFiscalYears,
  answer: ({ id, year, start_date: start, end_date: end, status }) => ({
    ...{ id, year, start, end, status },
  }),
});

export function registerRegisters(app: App, deps: AppDeps, access: Access): void {
  register(app, deps, access, accounts);
  register(app, deps, access, dimensions);
  register(app, deps, access, articles);
  register(app, deps, access, customers);
  register(app, deps, access, suppliers);
  register(app, deps, access, series);
  register(app, deps, access, fiscalYears);
}

/** One in key order, which nothing that happens meanwhile changes: what is added comes on a later page, or next time. */
function register<Key extends string | number, Row, Item>(
  app: App,
  { readers, config }: AppDeps,
  access: Access,
  one: Register<Key, Row, Item>,
): void {
  const isPlace = (parts: readonly unknown[]): parts is readonly [Key] => one.isKey(parts[0]);
  app.withTypeProvider<ZodTypeProvider>().route({
    method: 'GET',
    url: `/api/v1/${one.path}`,
    config: { scopes: ['data:read'] },
    onRequest: access.hook(['data:read']),
    onSend: answerUnchanged,
    schema: {
      operationId: one.operationId,
      summary: one.summary,
      description:
        'What calls that write refer to. A copy is kept up to date by asking for what has changed since. What has been used stays when it is no longer used; of what was never used and is removed, the event record.removed tells.',
      tags: ['Registers'],
      security: [{ apiKey: [] }],
      headers: schemas.unchangedHeaders,
      querystring: one.query,
      response: {
        200: one.page,
        304: z.null().describe('The answer is the one that If-None-Match has'),
        ...errorResponses(...keyErrors, 'invalid_request'),
      },
    },
    handler: async (request) => {
      const { id: keys, externalId, updatedSince, active, limit, cursor } = request.query;
      const externalIds = externalId?.map(plainExternalId);
      const filters = [one.path, keys, updatedSince, active, ...(externalIds ? [externalIds] : [])];
      const [after] = cursor === undefined ? [] : decodePlace(filters, cursor, isPlace);
      const query = { keys, externalIds, updatedSince, active, limit, after };
      const found = await withKey(readers, callerOf(request), (tx) => one.list(tx, query));
      return cutPage(found, limit, {
        answer: (row) => one.answer(row, config.baseUrl),
        cursorOf: (last) => encodePlace(filters, [one.keyOf(last)]),
      });
    },
  });
}
