/** What every answer tells a browser that has been led to it: whatever was asked, and however it was refused. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Installation } from '../support/installation.ts';
import { openBooks } from './books.ts';
import { exchange, listen } from './raw.ts';

let books: Installation;
let port: number;
beforeAll(async () => {
  books = await openBooks();
  port = await listen(books.app);
});
afterAll(() => books.close());

const cautious = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'content-security-policy': expect.stringMatching(
    /^default-src 'none'(?=.*frame-ancestors 'none')(?!.*unsafe-eval)(?!.*script-src[^;]*unsafe)/,
  ),
  'referrer-policy': expect.stringMatching(/^(no-referrer|same-origin)$/),
  'permissions-policy': expect.stringContaining('camera=()'),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};
const html = { accept: 'text/html' };

describe('every answer is cautious', () => {
  test.each([
    ['GET', '/api/v1/meta', 200],
    ['GET', '/api/v1/verifikat?from=x', 400],
    ['POST', '/api/v1/verifikat', 400],
    ['POST', '/api/inbound/peppol', 400],
    ['GET', '/healthz', 200],
    ['GET', '/readyz', 200],
    ['GET', '/openapi.json', 200],
    ['GET', '/nowhere', 404],
    ['GET', '/api/nowhere', 404],
    ['DELETE', '/api/v1/meta', 405],
    ['DELETE', '/oversikt', 405],
    ['GET', '/%zz', 400],
    ['GET', '/docs', 200],
    ['GET', '/docs/', 200],
    ['GET', '/docs/json', 200],
    ['GET', '/docs/static/swagger-ui-bundle.js', 200],
    ['GET', '/docs/static/nowhere', 404],
    ['GET', '/public/app.css', 200],
    ['GET', '/public/nowhere', 404],
    ['GET', '/favicon.ico', 301],
    ['GET', '/logga-in', 200],
    ['POST', '/logga-in', 403],
    ['GET', '/oversikt', 401],
  ] as const)('%s %s, %d', async (method, url, status) => {
    const sent = { authorization: `Bearer ${books.key}`, 'idempotency-key': 'nyckel-17' };
    const answer = await books.app.inject({ method, url, headers: sent });
    expect([url, answer.statusCode]).toEqual([url, status]);
    expect(answer.headers).toMatchObject(cautious);
    const isPublic = /^\/(public|docs\/static)\/(?!nowhere)|^\/favicon|json$/.test(url);
    if (!isPublic) expect(answer.headers['cache-control']).toContain('no-store');
    const page = await books.app.inject({ method, url, headers: html });
    expect(page.headers).toMatchObject(cautious);
  });

  test('a body that is too large', async () => {
    const answer = await books.app.inject({
      method: 'POST',
      url: '/api/v1/verifikat',
      payload: 'x'.repeat(600_000),
      headers: { authorization: `Bearer ${books.key}`, 'idempotency-key': 'nyckel-17' },
    });
    expect(answer.statusCode).toBe(413);
    expect(answer.headers).toMatchObject(cautious);
  });

  test('a call from outside in the clear', async () => {
    const answer = await books.app.inject({ url: '/api/v1/meta', remoteAddress: '8.8.8.8' });
    expect(answer.statusCode).toBe(403);
    expect(answer.headers).toMatchObject(cautious);
  });

  test.each([
    ['what is not HTTP', 'hej\r\n\r\n'],
    ['a tunnel', 'CONNECT a.example:443 HTTP/1.1\r\nHost: a.example\r\n\r\n'],
    ['headers without an end', `GET / HTTP/1.1\r\nHost: x\r\na: ${'b'.repeat(20_000)}\r\n\r\n`],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
  ])('%s, which never became a request', async (_, bytes) => {
    const [answer] = await exchange(port, [bytes]);
    expect(answer?.statusCode).toBe(400);
    expect(answer?.headers).toMatchObject(cautious);
  });
});

test('what does not work while the database is away is as cautious', async () => {
  await books.owner.query('alter function api.last_verification() rename to hidden');
  try {
    const answer = await books.app.inject({ url: '/readyz' });
    expect(answer.statusCode).toBeGreaterThanOrEqual(500);
    expect(answer.headers).toMatchObject(cautious);
  } finally {
    await books.owner.query('alter function api.hidden() rename to last_verification');
  }
});
