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
import { AppError } from '../../lib/errors.ts';
import { isUuid } from '../../lib/uuid.ts';
import { cutPage, type Page } from '../paging.ts';
import * as schemas from './schemas.ts';
import * as store from './store.ts';

/** What differs between one register and the next. */
interface Register<Key extends string | number, Row, Item> {
  /** Under /api/v1. */
  readonly path: string;
  readonly operation: { readonly list: string; readonly one: string };
  readonly summary: { readonly list: string; readonly one: string };
  readonly query: z.ZodType<schemas.Asked<Key>>;
  /** Of one by itself. */
  readonly key: z.ZodType<Key>;
  readonly item: z.ZodType<object>;
  readonly page: z.ZodType<Page<Item>>;
  readonly missing: string;
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
  operation: { list: 'listAccounts', one: 'getAccount' },
  summary: {
    list: 'Read the chart of accounts',
    one: 'Read one account',
  },
  query: schemas.registerQuery(schemas.accountKey),
  key: schemas.accountKey,
  item: schemas.account,
  page: pageSchema(schemas.account, 'AccountPage', 'A page of accounts, by number'),
  missing: 'Kontot finns inte i kontoplanen.',
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
  operation: { list: 'listDimensions', one: 'getDimension' },
  summary: {
    list: 'Read cost centres and projects',
    one: 'Read one cost centre or project',
  },
  query: schemas.namedQuery(idSchema),
  key: idSchema,
  item: schemas.dimension,
  page: pageSchema(schemas.dimension, 'DimensionPage', 'A page of cost centres and projects'),
  missing: 'Det finns inget kostnadsställe eller projekt med det id:t.',
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
  operation: { list: 'listArticles', one: 'getArticle' },
  summary: {
    list: 'Read the articles',
    one: 'Read one article',
  },
  query: schemas.namedQuery(schemas.articleKey),
  key: schemas.articleKey,
  item: schemas.article,
  page: pageSchema(schemas.article, 'ArticlePage', 'A page of articles, by number'),
  missing: 'Det finns ingen artikel med det numret.',
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
  operation: { list: 'listCustomers', one: 'getCustomer' },
  summary: {
    list: 'Read the customers',
    one: 'Read one customer',
  },
  query: schemas.namedQuery(idSchema),
  key: idSchema,
  item: schemas.customer,
  page: pageSchema(schemas.customer, 'CustomerPage', 'A page of customers'),
  missing: 'Det finns ingen kund med det id:t.',
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
  operation: { list: 'listSuppliers', one: 'getSupplier' },
  summary: {
    list: 'Read the suppliers',
    one: 'Read one supplier',
  },
  query: schemas.namedQuery(idSchema),
  key: idSchema,
  item: schemas.supplier,
  page: pageSchema(schemas.supplier, 'SupplierPage', 'A page of suppliers'),
  missing: 'Det finns ingen leverantör med det id:t.',
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
  operation: { list: 'listSeries', one: 'getSeries' },
  summary: {
    list: 'Read the voucher series of the fiscal years',
    one: 'Read one voucher series of a fiscal year',
  },
  query: schemas.yearlyQuery,
  key: idSchema,
  item: schemas.series,
  page: pageSchema(schemas.series, 'SeriesPage', 'A page of series'),
  missing: 'Det finns ingen serie med det id:t.',
  keyOf: idOf,
  isKey: isUuid,
  list: store.listSeries,
  answer: ({ id, code, name, year, last_number }) => ({ id, code, name, year, last_number }),
});

const fiscalYears = described({
  path: 'rakenskapsar',
  operation: { list: 'listFiscalYears', one: 'getFiscalYear' },
  summary: {
    list: 'Read the fiscal years',
    one: 'Read one fiscal year',
  },
  query: schemas.yearlyQuery,
  key: idSchema,
  item: schemas.fiscalYear,
  page: pageSchema(schemas.fiscalYear, 'FiscalYearPage', 'A page of fiscal years'),
  missing: 'Det finns inget räkenskapsår med det id:t.',
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
function register<Key extends string | number, Row, Item extends object>(
  app: App,
  { readers, quickReaders, config }: AppDeps,
  access: Access,
  one: Register<Key, Row, Item>,
): void {
  const isPlace = (parts: readonly unknown[]): parts is readonly [Key] => one.isKey(parts[0]);
  const common = {
    method: 'GET',
    config: { scopes: ['data:read'] },
    onRequest: access.hook(['data:read']),
    onSend: answerUnchanged,
  } as const;
  const told = {
    tags: ['Registers'],
    security: [{ apiKey: [] }],
    headers: schemas.unchangedHeaders,
  };
  const routes = app.withTypeProvider<ZodTypeProvider>();
  routes.route({
    ...common,
    url: `/api/v1/${one.path}`,
    schema: {
      operationId: one.operation.list,
      summary: one.summary.list,
      description:
        'What calls that write refer to. A copy is kept up to date by asking for what has changed since. What has been used stays when it is no longer used; of what was never used and is removed, the event record.removed tells.',
      ...told,
      querystring: one.query,
      response: {
        200: one.page,
        304: schemas.unchanged,
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
  routes.route({
    ...common,
    url: `/api/v1/${one.path}/:id`,
    schema: {
      operationId: one.operation.one,
      summary: one.summary.one,
      description: 'In the same form as in the list.',
      ...told,
      params: schemas.paramsOf(one.key),
      querystring: z.strictObject({}),
      response: {
        200: one.item,
        304: schemas.unchanged,
        ...errorResponses(...keyErrors, 'invalid_request', 'not_found'),
      },
    },
    handler: async (request) => {
      const query = { keys: [request.params.id], limit: 1, ...everyOne };
      const [found] = await withKey(quickReaders, callerOf(request), (tx) => one.list(tx, query));
      if (!found) throw new AppError('not_found', one.missing);
      return one.answer(found, config.baseUrl);
    },
  });
}

const everyOne = { updatedSince: undefined, active: undefined, after: undefined };
