/** Each value of each body that the document shows, exchanged for what no client sends on purpose. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Installation } from '../support/installation.ts';
import { tries } from '../support/tries.ts';
import { openBooks } from './books.ts';
import type { OpenApi } from './contract.ts';

let books: Installation;
let calls: readonly Shown[];
/** Of a key that may propose, which is one that may not book. */
let proposer: string;
beforeAll(async () => {
  books = await openBooks({ workers: true });
  ({ key: proposer } = await books.makeKey(['data:read', 'proposals:write']));
  calls = [...shown(books.app.swagger() as unknown as OpenApi), assistantCall];
});
afterAll(() => books.close());

/** Names, and places in lists, on the way to a value. */
type Place = readonly string[];

interface Shown {
  readonly url: string;
  readonly body: unknown;
  readonly places: readonly Place[];
}

/** As they are written: some of them no value of ours could be written as. */
const oddValues = [
  ...['{"toString":0}', '{"valueOf":{}}', '{"toJSON":1}', '{"then":1}', '{"length":-1}'],
  ...['{"__proto__":null}', '{"constructor":{"prototype":0}}', '{"hasOwnProperty":1}', '{"":{}}'],
  ...['null', 'true', '""', '[]', '{}', '[[[[]]]]', '[null]', '[{"toString":0}]'],
  ...['1e400', '-1e400', '-0', '1e-400', '0.1e1', '123456789012345678901234567890'],
  ...['"\\u0000"', '"\\ud800"', '"__proto__"', '"1e400"', '"2026-02-30"', '"٣"', '" "'],
];

const placesIn = (value: unknown, place: Place = []): Place[] => [
  place,
  ...(typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => placesIn(inner, [...place, name]))
    : []),
];

/** The body as it is written, with `odd` at the place. */
function writtenWith(value: unknown, [name, ...rest]: Place, odd: string): string {
  if (name === undefined) return odd;
  const parts = Object.entries(value as object).map(([key, inner]) => {
    const text = key === name ? writtenWith(inner, rest, odd) : JSON.stringify(inner);
    return Array.isArray(value) ? text : `${JSON.stringify(key)}:${text}`;
  });
  return Array.isArray(value) ? `[${parts}]` : `{${parts}}`;
}

const proposals = '/api/v1/forslag';
const assistants = '/mcp';

const toolCall = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'propose_voucher', arguments: { untrusted_text: 'x' }, _meta: {} },
};
const assistantCall: Shown = { url: assistants, body: toolCall, places: placesIn(toolCall) };

/** Every call that takes JSON, with the example of its body. */
function shown({ paths, components }: OpenApi): Shown[] {
  return Object.entries(paths).flatMap(([url, { post }]) => {
    const schema = post?.requestBody?.content['application/json']?.schema;
    if (!schema) return [];
    const name = typeof schema['$ref'] === 'string' ? schema['$ref'].split('/').at(-1) : '';
    const { examples } = components.schemas[name ?? ''] ?? schema;
    const [body] = examples as readonly unknown[];
    return [{ url, body, places: placesIn(body) }];
  });
}

async function statusOf(url: string, payload: string): Promise<number> {
  const headers = {
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
    ...([proposals, assistants].includes(url) ? { authorization: `Bearer ${proposer}` } : {}),
  };
  const call = { method: 'POST', url, payload, headers } as const;
  if (url !== assistants) return (await books.call(call)).statusCode;
  // Answered as JSON-RPC has it, to whoever takes both of its forms.
  const accept = 'application/json, text/event-stream';
  const ofProtocol = { ...headers, accept, host: 'localhost' };
  return (await books.app.inject({ ...call, headers: ofProtocol })).statusCode;
}

/** No other code says anything of a body: 500 least of all. */
const ofBody = [200, 202, 400, 409, 422];

describe('a body with one odd value in it', () => {
  test('is taken or refused, never a fault of ours, by any call', async () => {
    expect(calls.length).toBeGreaterThan(12);
    const anyPlace = fc
      .constantFrom(...calls)
      .chain(({ url, body, places }) =>
        fc.constantFrom(...places).map((place) => ({ url, body, place })),
      );
    const property = fc.asyncProperty(
      anyPlace,
      fc.constantFrom(...oddValues),
      async ({ url, body, place }, odd) => {
        expect(ofBody).toContain(await statusOf(url, writtenWith(body, place, odd)));
      },
    );
    await fc.assert(property, { numRuns: tries(500) });
  });

  test('is refused at every place where it cannot be made a word of', async () => {
    for (const { url, body, places } of calls) {
      for (const place of places) {
        const sent = writtenWith(body, place, '{"toString":0}');
        expect.soft(ofBody, `${url} ${sent}`).toContain(await statusOf(url, sent));
      }
    }
  });
});
