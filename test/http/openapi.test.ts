import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { orderReasons } from '#src/api/orders/reasons.ts';
import { orderRejections } from '#src/domain/sales/order-rejections.ts';
import { refundRejectionMeanings } from '#src/domain/sales/refund-rejections.ts';
import { tillRejectionMeanings } from '#src/domain/sales/till-rejections.ts';
import { eventTypes } from '#src/events/types.ts';
import { exampleDate } from '#src/http/schemas.ts';
import { errorCodes } from '#src/lib/errors.ts';
import { type Installation, orderBody, TODAY, voucherBody } from '../support/installation.ts';
import { openBooks } from './books.ts';
import { type Contract, createContract, type Operation } from './contract.ts';

let books: Installation;
let contract: Contract;
beforeAll(async () => {
  books = await openBooks({ workers: true });
  const answer = await books.app.inject({ url: '/openapi.json' });
  expect(answer.statusCode).toBe(200);
  contract = createContract(answer.json());
});
afterAll(() => books.close());

/** What the contract says each route can answer (sections 4.2–4.11), and what it adds. */
const promised: Record<string, number[]> = {
  'GET /api/v1/meta': [200, 401, 429, 503],
  'GET /api/v1/verifikat': [200, 400, 401, 403, 429, 503],
  'POST /api/v1/verifikat': [200, 400, 401, 403, 409, 413, 422, 429, 503],
  'POST /api/v1/verifikat/bunt': [200, 400, 401, 403, 409, 413, 422, 429, 503],
  'GET /api/v1/export/verifikatrader': [200, 400, 401, 403, 409, 429, 503],
  'GET /api/v1/saldon': [200, 304, 400, 401, 403, 429, 503],
  'POST /api/v1/kundfakturor': [200, 400, 401, 403, 409, 413, 422, 429, 503],
  'GET /api/v1/underlag': [200, 400, 401, 403, 429, 503],
  'GET /api/v1/underlag/{id}': [200, 206, 304, 400, 401, 403, 404, 429, 503],
  'POST /api/v1/underlag': [200, 400, 401, 403, 409, 413, 422, 429, 503],
  'POST /api/v1/banktransaktioner': [200, 400, 401, 403, 409, 413, 422, 429, 503],
  'GET /api/v1/banktransaktioner': [200, 400, 401, 403, 429, 503],
  'POST /api/v1/avrakning': [200, 400, 401, 403, 409, 413, 422, 429, 503],
  'GET /api/v1/avrakning': [200, 400, 401, 403, 429, 503],
  'GET /api/v1/konton': [200, 304, 400, 401, 403, 429, 503],
  'GET /api/v1/dimensioner': [200, 304, 400, 401, 403, 429, 503],
  'GET /api/v1/artiklar': [200, 304, 400, 401, 403, 429, 503],
  'GET /api/v1/kunder': [200, 304, 400, 401, 403, 429, 503],
  'GET /api/v1/leverantorer': [200, 304, 400, 401, 403, 429, 503],
  'GET /api/v1/serier': [200, 304, 400, 401, 403, 429, 503],
  'GET /api/v1/rakenskapsar': [200, 304, 400, 401, 403, 429, 503],
  'GET /api/v1/kundfakturor': [200, 304, 400, 401, 403, 429, 503],
  'GET /api/v1/kundfakturor/{id}': [200, 304, 400, 401, 403, 404, 429, 503],
  'GET /api/v1/kundfakturor/{id}/e-faktura': [200, 400, 401, 403, 404, 422, 429, 503],
  'GET /api/v1/inkop': [200, 304, 400, 401, 403, 429, 503],
  'GET /api/v1/inkop/{id}': [200, 304, 400, 401, 403, 404, 429, 503],
  'GET /api/v1/dagskassor': [200, 304, 400, 401, 403, 429, 503],
  'GET /api/v1/dagskassor/{id}': [200, 304, 400, 401, 403, 404, 429, 503],
  'POST /api/v1/forslag': [200, 400, 401, 403, 409, 413, 422, 429, 503],
  'GET /api/v1/forslag': [200, 400, 401, 403, 429, 503],
  'GET /api/v1/forslag/{id}': [200, 400, 401, 403, 404, 429, 503],
  'POST /api/v1/forslag/{id}/aterta': [200, 400, 401, 403, 404, 413, 422, 429, 503],
  'POST /api/inbound/order': [200, 202, 400, 401, 403, 413, 422, 429, 503],
  'POST /api/inbound/aterbetalning': [200, 400, 401, 403, 413, 422, 429, 503],
  'POST /api/inbound/dagskassa': [200, 400, 401, 403, 413, 422, 429, 503],
  'POST /api/inbound/order/bunt': [200, 400, 401, 403, 413, 429, 503],
  'POST /api/inbound/avstamning': [200, 400, 401, 403, 413, 429, 503],
  'POST /api/inbound/peppol': [200, 400, 401, 403, 413, 429, 502, 503],
  'GET /api/stats/overview': [200, 401, 403, 429, 500, 503],
  'GET /api/stats/monthly': [200, 401, 403, 429, 500, 503],
  'GET /api/stats/daily': [200, 400, 401, 403, 429, 500, 503],
  'GET /api/v1/bokforbarhet': [200, 400, 401, 403, 429, 503],
  'GET /api/v1/oss': [200, 400, 401, 403, 429, 503],
  'GET /api/v1/handelser': [200, 400, 401, 403, 429, 503],
  'POST /api/byra/token': [200, 401, 429, 503],
  'GET /api/stats/byra': [200, 401, 403, 429, 500],
  'GET /fakturor/{fakturaId}/inkasso': [200, 400, 401, 403, 404, 422, 503],
};

const operations = (): [string, Operation][] =>
  Object.entries(contract.document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );

describe('/openapi.json', () => {
  test('is OpenAPI 3.1 and needs no key', () => {
    expect(contract.document.openapi).toMatch(/^3\.1\.\d+$/);
  });

  test('lists exactly the routes that meta lists, and those that no API key opens: the agency’s and the app’s one', async () => {
    const { endpoints } = (await books.call({ url: '/api/v1/meta' })).json();
    const listed = endpoints.map(
      ({ method, path }: { method: string; path: string }) => `${method} ${path}`,
    );
    expect(
      operations()
        .map(([name]) => name)
        .sort(),
    ).toEqual(
      [
        ...listed,
        'POST /api/byra/token',
        'GET /api/stats/byra',
        'GET /fakturor/{fakturaId}/inkasso',
      ].sort(),
    );
  });

  test('documents each status a route can answer, those of the contract at least', () => {
    expect(
      operations()
        .map(([name]) => name)
        .filter((name) => !Object.hasOwn(promised, name)),
      'routes of which nobody has said what they answer',
    ).toEqual([]);
    for (const [name, statuses] of Object.entries(promised)) {
      const operation = Object.fromEntries(operations())[name];
      const documented = Object.keys(operation?.responses ?? {}).map(Number);
      expect([name, documented]).toEqual([name, expect.arrayContaining(statuses)]);
      // Any call can come over plain http, and anything can go wrong on our side.
      expect(documented).toEqual(expect.arrayContaining([403, 500]));
    }
  });

  test('names for each refusal the codes that have its status, and lets others come', () => {
    for (const [name, { responses }] of operations()) {
      for (const [status, { content }] of Object.entries(responses)) {
        if (Number(status) < 400) continue;
        const { anyOf = [] } = schemaOf(content) as { anyOf?: Schema[] };
        const kinds = anyOf.map((one) => one.$ref?.split('/').at(-1) ?? '');
        expect([name, status, kinds.at(-1)]).toEqual([name, status, 'Error']);
        expect(kinds.length).toBeGreaterThan(1);
        for (const kind of kinds.slice(0, -1)) {
          const [base, told] = partsOf(kind);
          expect(base).toEqual({ $ref: '#/components/schemas/Error' });
          const code = told?.properties?.['error']?.const as keyof typeof errorCodes;
          expect([name, code, errorCodes[code]?.status]).toEqual([name, code, Number(status)]);
        }
      }
    }
  });

  test('lets new fields and values come in what it answers and tells, and in nothing that it takes to write', () => {
    const { schemas } = contract.document.components;
    for (const [name, schema] of Object.entries(schemas)) {
      const text = JSON.stringify(schema);
      if (name.startsWith('New') || name === 'ReconciliationRequestInput') {
        expect([name, schema['additionalProperties']]).toEqual([name, false]);
      } else {
        expect([name, text]).toEqual([
          name,
          expect.not.stringMatching(/"additionalProperties":false/),
        ]);
        if (!name.endsWith('Input'))
          expect([name, text]).toEqual([name, expect.not.stringMatching(/"enum"/)]);
      }
    }
    const further = {
      error: 'a_new_code',
      message: 'Ett nytt fel',
      detail: { a_new_field: 1 },
      request_id: randomUUID(),
      a_new_field: true,
    };
    for (const [name, { responses }] of operations()) {
      for (const status of Object.keys(responses).filter((one) => Number(one) >= 400)) {
        expect([name, status, contract.validateAnswer(name, status, further)]).toEqual([
          name,
          status,
          null,
        ]);
      }
    }
    const event = {
      id: randomUUID(),
      type: 'a.new',
      timestamp: '2026-03-31T10:00:00Z',
      data: { x: 1 },
    };
    const page = {
      ...{ data: [event], next_cursor: 'x', has_more: false, a_new_field: 1 },
      updated_since: '2026-04-01T10:00:00.000Z',
    };
    expect(contract.validate('EventPage', page)).toBeNull();
  });

  test('tells what each code’s detail is, and every reason of a stopped order with its meaning', () => {
    const body = { error: 'period_locked', message: 'Låst', request_id: randomUUID() };
    const lock = { lock: 'vat', locked_to: '2026-03-31', earliest_allowed_date: '2026-04-01' };
    expect(contract.validate('PeriodLockedError', { ...body, detail: lock })).toBeNull();
    expect(
      contract.validate('PeriodLockedError', { ...body, detail: { lock: 'vat' } }),
    ).not.toBeNull();
    expect(contract.validate('PeriodLockedError', body)).not.toBeNull();
    const text = JSON.stringify(contract.document.components.schemas['RejectedOrderError']);
    for (const [reason, meaning] of Object.entries(orderReasons)) {
      expect(text).toContain(
        JSON.stringify({ type: 'string', const: reason, description: meaning }),
      );
    }
  });

  test('tells of every code and reason whether the same call may be sent again', () => {
    const tables = JSON.parse(JSON.stringify(contract.document));
    expect(Object.keys(tables['x-order-reasons'])).toEqual(orderRejections);
    expect(Object.keys(tables['x-refund-reasons'])).toEqual(Object.keys(refundRejectionMeanings));
    expect(Object.keys(tables['x-till-reasons'])).toEqual(Object.keys(tillRejectionMeanings));
    for (const table of ['x-order-reasons', 'x-refund-reasons', 'x-till-reasons']) {
      for (const told of Object.values(tables[table]))
        expect(told).toMatchObject({ retryable: false });
    }
    for (const [code, { status, retryable }] of Object.entries(errorCodes)) {
      expect(tables['x-error-codes'][code]).toMatchObject({ status, retryable });
      // What is said to be worth waiting for is not the caller's fault, and the other way round.
      expect([code, retryable !== false]).toEqual([
        code,
        (status >= 500 && code !== 'server_misconfigured') ||
          ['request_timeout', 'idempotency_in_progress', 'rate_limited'].includes(code),
      ]);
    }
    for (const [name, schema] of Object.entries(contract.document.components.schemas)) {
      const told = (schema['allOf'] as Schema[] | undefined)?.[1]?.properties?.['error']?.const;
      if (told === undefined) continue;
      const { retryable } = errorCodes[told as keyof typeof errorCodes];
      expect([name, schema['x-retryable']]).toEqual([name, retryable]);
    }
  });

  test('tells of every type of event what its data is, and that webhooks send it', () => {
    const { webhooks } = contract.document;
    expect(Object.keys(webhooks).sort()).toEqual([...eventTypes].sort());
    for (const [type, { post }] of Object.entries(webhooks)) {
      const { $ref = '' } = schemaOf(post?.requestBody?.content);
      const [base, told] = partsOf($ref.split('/').at(-1) ?? '');
      expect(base).toEqual({ $ref: '#/components/schemas/Event' });
      expect(told?.properties?.['type']?.const).toBe(type);
      expect(JSON.stringify(told?.properties?.['data'])).toMatch(/"required":\[/);
    }
  });

  test('describes every response and its headers', () => {
    for (const [name, { responses }] of operations()) {
      for (const [status, { description, headers = {} }] of Object.entries(responses)) {
        expect([name, status, description]).toEqual([
          name,
          status,
          expect.stringMatching(/[a-z]{3}/),
        ]);
        expect([name, description]).not.toEqual([name, 'Default Response']);
        expect(Object.keys(headers)).toEqual(expect.arrayContaining(['X-Request-Id']));
        if (status === '429') expect(Object.keys(headers)).toContain('Retry-After');
      }
    }
  });

  test('every reference leads somewhere, and every named schema is used', () => {
    const text = JSON.stringify(contract.document);
    const used = new Set(
      [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name),
    );
    const { components } = JSON.parse(text);
    expect([...used].sort()).toEqual(Object.keys(components.schemas).sort());
  });

  test('describes the Idempotency-Key, which a dry run needs not have, and that unknown fields are refused', () => {
    const post = contract.operation('POST', '/api/v1/verifikat');
    expect(post?.parameters).toContainEqual(
      expect.objectContaining({ name: 'idempotency-key', in: 'header', required: false }),
    );
    const { components } = JSON.parse(JSON.stringify(contract.document));
    const voucher = components.schemas.NewVoucherInput;
    expect(voucher.additionalProperties).toBe(false);
    expect(voucher.required.sort()).toEqual(['date', 'description', 'rows', 'seriesCode']);
  });

  test('tells the parameters of a reading with their types and limits', () => {
    const { parameters = [] } = contract.operation('GET', '/api/v1/verifikat') ?? {};
    const schemas = Object.fromEntries(
      parameters.map((one) => [one.name, (one as unknown as { schema: object }).schema]),
    );
    expect(schemas).toMatchObject({
      from: { type: 'string', format: 'date' },
      to: { type: 'string', format: 'date' },
      serie: { type: 'string', maxLength: 2 },
      konto: { type: 'integer' },
      id: { anyOf: [{ type: 'string', format: 'uuid' }, { type: 'array' }] },
      limit: { type: 'integer', minimum: 1, maximum: 200 },
      cursor: { type: 'string' },
    });
  });

  test('describes bodies that the service takes: those of the other tests, to begin with', () => {
    const voucher = { type: 'request', body: voucherBody(), name: 'NewVoucherInput' };
    const order = { type: 'request', body: orderBody(), name: 'OrderInput' };
    for (const { body, name } of [voucher, order]) {
      expect(contract.validate(name, body)).toBeNull();
    }
    expect(contract.validate('NewVoucherInput', { ...voucherBody(), rows: [] })).not.toBeNull();
  });
});

describe('the document as others use it', () => {
  test('a standard linter has nothing to say', async () => {
    // What the other linter of many, Spectral's `oas`, asks for beside them.
    const rules = { 'info-contact': 'error' } as const;
    const config = await createConfig({ extends: ['recommended-strict'], rules });
    const source = JSON.stringify(contract.document);
    const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
    expect(
      problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
    ).toEqual([]);
  });

  test('docs/openapi.json is what the service publishes; npm run openapi writes it anew', () => {
    const file = new URL('../../docs/openapi.json', import.meta.url);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(books.app.swagger());
  });

  test('shows today in its examples, so that they can be sent as they stand', async () => {
    for (const url of ['/openapi.json', '/docs/json']) {
      const { body } = await books.app.inject({ url });
      expect(body).toContain(`"orderDate":"${TODAY}"`);
      expect(body).toContain(`<cbc:IssueDate>${TODAY}</cbc:IssueDate>`);
      expect(body).not.toContain(exampleDate);
    }
  });

  test('every example of a parameter is one that is answered', async () => {
    for (const [name, { parameters = [] }] of operations()) {
      const [method = '', path = ''] = name.split(' ');
      const examples = parameters.flatMap((parameter) => {
        const { examples: [example] = [] } = resolve(parameter.schema);
        return parameter.in === 'query' && example !== undefined ? [[parameter.name, example]] : [];
      });
      if (method !== 'GET' || examples.length === 0) continue;
      const query = new URLSearchParams(examples as [string, string][]);
      const answer = await books.call({ url: `${path}?${query}` });
      expect([name, answer.statusCode]).toEqual([name, 200]);
    }
  });
});

interface Schema {
  readonly $ref?: string;
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly examples?: readonly Record<string, unknown>[];
}

const schemaOf = (content: Record<string, { schema: object }> = {}): Schema =>
  content['application/json']?.schema ?? {};

/** What a named schema of one kind is made of: what is common to all, and its own. */
function partsOf(name: string): Schema[] {
  const { allOf = [] } = contract.document.components.schemas[name] ?? {};
  return allOf as Schema[];
}

/** The schema itself, behind a reference. */
function resolve(schema: unknown): Schema {
  const { $ref } = schema as { $ref?: string };
  const { components } = JSON.parse(JSON.stringify(contract.document));
  return $ref ? components.schemas[$ref.split('/').at(-1) ?? ''] : (schema as Schema);
}

describe('the check that the other tests rely on', () => {
  const meta = { statusCode: 200, body: '' };

  test('lets a true answer through', async () => {
    const answer = await books.call({ url: '/api/v1/meta' });
    expect(() => contract.check('GET', '/api/v1/meta?x=1', answer)).not.toThrow();
  });

  test('sees a field that is missing, of the wrong type or not promised', async () => {
    const body = (await books.call({ url: '/api/v1/meta' })).json();
    for (const wrong of [
      { ...body, schema_version: '1' },
      { ...body, vat_due_date: '2026-02-30' },
      { ...body, key: { ...body.key, secret: 'x' } },
      { ...body, fiscal_years: undefined },
    ]) {
      const answer = { ...meta, body: JSON.stringify(wrong) };
      expect(() => contract.check('GET', '/api/v1/meta', answer)).toThrow(/breaks its schema/);
    }
  });

  test('sees a header that is not documented', () => {
    const answer = { statusCode: 401, headers: { 'x-surprise': '1' }, body: '{}' };
    expect(() => contract.check('GET', '/api/v1/meta', answer)).toThrow(/does not document x-surp/);
  });

  test('sees a status that is not documented', () => {
    const answer = { statusCode: 418, body: '{}' };
    expect(() => contract.check('GET', '/api/v1/meta', answer)).toThrow(/not documented/);
  });

  test('sees an error code that the route does not promise', () => {
    const refusal = { error: 'not_found', message: 'x', request_id: crypto.randomUUID() };
    const answer = { statusCode: 400, body: JSON.stringify(refusal) };
    expect(() => contract.check('GET', '/api/v1/meta', answer)).toThrow(/breaks its schema/);
  });
});

test('/docs shows the document of this very installation, with nothing from elsewhere', async () => {
  const page = await books.app.inject({ url: '/docs' });
  expect(page.statusCode).toBe(200);
  expect(page.body).not.toMatch(/(src|href)="(https?:)?\/\//);
  const files = [...page.body.matchAll(/ (?:src|href)="(\/(?:docs|public|openapi)[^"]*)"/g)];
  expect(files.length).toBeGreaterThan(5);
  for (const [, url = ''] of files) {
    expect([url, (await books.app.inject({ url })).statusCode]).toEqual([url, 200]);
  }
  const json = await books.app.inject({ url: '/docs/json' });
  expect(json.json()).toEqual(contract.document);
  expect(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).toContain(
    json.json().info.version,
  );
});
