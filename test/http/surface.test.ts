import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request as httpsRequest } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import fc from 'fast-check';
import type { Response } from 'light-my-request';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createPool } from '#src/db/pool.ts';
import { createLogger } from '#src/process/logger.ts';
import { type Installation, orderBody, voucherBody } from '../support/installation.ts';
import { tries } from '../support/tries.ts';
import { expectOwnAnswer, openBooks, openSecondApp, type SecondApp } from './books.ts';
import { exchange, exchangeOne, head, listen, type RawResponse } from './raw.ts';

const meta = '/api/v1/meta';
const vouchers = '/api/v1/verifikat';
const orders = '/api/inbound/order';
const TIMEOUT_MS = 600;

let books: Installation;
let second: SecondApp;
let port: number;
const logged: string[] = [];
beforeAll(async () => {
  books = await openBooks({ env: { INTAKE_WAIT_MS: '1' } });
  const sink = new Writable({
    write(line, _, done) {
      logged.push(String(line));
      done();
    },
  });
  second = await openSecondApp(books, {
    env: { INTAKE_WAIT_MS: '1' },
    requestTimeoutMs: TIMEOUT_MS,
    logger: createLogger('trace', 'test', sink),
  });
  port = await listen(second.app);
});
afterAll(async () => {
  await second.close();
  await books.close();
});

const auth = () => `Authorization: Bearer ${books.key}`;
const idempotency = () => `Idempotency-Key: ${randomUUID()}`;
const own = (answer: RawResponse) => {
  expectOwnAnswer(answer as unknown as Response);
  return answer;
};

describe('every answer', () => {
  test.each([
    ['GET', '/nowhere', 404],
    ['POST', '/nowhere', 404],
    ['GET', '/api/v1/verifikat/17', 404],
    ['GET', '/api/v1/meta/', 404],
    ['GET', '/API/V1/META', 404],
    ['GET', '//api/v1/meta', 404],
    ['GET', '/../../etc/passwd', 404],
    ['GET', '/docs/static/../../../../etc/passwd', 404],
    ['GET', '/docs/static/%2e%2e/%2e%2e/package.json', 404],
    ['GET', '/docs/nowhere', 404],
    ['GET', '/%zz', 400],
    ['GET', '/%ff', 400],
    ['GET', '/api/v1/verifikat%', 400],
    ['DELETE', vouchers, 405],
    ['PUT', meta, 405],
    ['OPTIONS', meta, 405],
    ['GET', orders, 405],
    ['POST', '/openapi.json', 405],
    ['POST', '/healthz', 405],
    ['POST', '/docs', 405],
  ] as const)('%s %s is %d in our words, with our id', async (method, url, status) => {
    const answer = await second.app.inject({ method, url });
    expect(answer.statusCode).toBe(status);
    expectOwnAnswer(answer);
    const errors = { 400: 'invalid_request', 404: 'not_found', 405: 'method_not_allowed' };
    expect(answer.json().error).toBe(errors[status]);
  });

  test.each([
    ['/healthz', /json/],
    ['/readyz', /json/],
    ['/openapi.json', /json/],
    ['/docs', /html/],
    ['/docs/static/swagger-ui.css', /css/],
    ['/docs/static/swagger-ui-bundle.js', /javascript/],
  ])('%s is served, with an id', async (url, type) => {
    const answer = await second.app.inject({ url });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toMatch(type);
    expectOwnAnswer(answer);
  });

  test('a wrong method is told which are right', async () => {
    const allow = async (method: 'PATCH' | 'GET', url: string) =>
      (await second.app.inject({ method, url })).headers['allow'];
    expect(await allow('PATCH', vouchers)).toBe('GET, HEAD, POST');
    expect(await allow('PATCH', meta)).toBe('GET, HEAD');
    expect(await allow('GET', orders)).toBe('POST');
  });

  test('a method nobody has heard of is a wrong method too', async () => {
    for (const method of ['PROPFIND', 'REPORT', 'PURGE', 'QUERY', 'TRACE']) {
      const answer = own(await exchangeOne(port, [head(method, meta, ['content-length: 0'])]));
      expect([method, answer.statusCode]).toEqual([method, 405]);
      expect(answer.headers['allow']).toBe('GET, HEAD');
    }
  });

  test('HEAD answers as GET, without a body', async () => {
    const headers = { authorization: `Bearer ${books.key}` };
    const answer = await second.app.inject({ method: 'HEAD', url: meta, headers });
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toBe('');
    const refused = await second.app.inject({ method: 'HEAD', url: meta });
    expect(refused.statusCode).toBe(401);
    for (const url of [
      meta,
      '/logga-in',
      '/verifikat?serie=A',
      '/app.css',
      '/openapi.json',
      '/docs',
      '/nowhere',
    ]) {
      const told = ({ statusCode, headers: { date, 'x-request-id': _, ...same } }: Response) => {
        const left = Object.keys(same).filter((name) => !/^ratelimit|^set-cookie/.test(name));
        return { url, statusCode, ...Object.fromEntries(left.map((name) => [name, same[name]])) };
      };
      const get = await second.app.inject({ url, headers });
      const asked = await second.app.inject({ method: 'HEAD', url, headers });
      expect(told(asked)).toEqual(told(get));
      expect(asked.body).toBe('');
    }
  });

  test('has an id of ours even when the caller sends one of theirs', async () => {
    for (const theirs of ['abc-1', randomUUID(), 'x'.repeat(4000)]) {
      const answer = await second.app.inject({ url: meta, headers: { 'x-request-id': theirs } });
      expectOwnAnswer(answer);
      expect(answer.headers['x-request-id']).not.toBe(theirs);
      expect(answer.body).not.toContain(theirs);
    }
  });

  test('no two answers have the same id', async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => second.app.inject({ url: '/healthz' })),
    );
    expect(new Set(answers.map((answer) => answer.headers['x-request-id'])).size).toBe(200);
  });

  test('a database that is gone is told as such, with when to try again', async () => {
    const url = 'postgres://hb_api@127.0.0.1:1/nowhere';
    const pool = createPool({ url, max: 2, applicationName: 'test lost' });
    const lost = await openSecondApp(books, { pool });
    try {
      for (const path of [meta, '/readyz']) {
        const answer = await lost.app.inject({
          url: path,
          headers: { authorization: `Bearer ${books.key}` },
        });
        expect(answer.statusCode).toBe(503);
        expect(answer.json().error).toBe('database_unavailable');
        expect(answer.headers['retry-after']).toBe('5');
        expectOwnAnswer(answer);
      }
      expect((await lost.app.inject({ url: '/healthz' })).statusCode).toBe(200);
    } finally {
      await lost.close();
      await pool.end();
    }
  });
});

describe('HTTP by hand', () => {
  test.each([
    ['rubbish', 'hello\r\n\r\n'],
    ['a method that is none', 'FETCH / HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['TLS on the plain port', Buffer.from('16030100a5010000a1', 'hex')],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a header without a colon', 'GET / HTTP/1.1\r\nhost x\r\n\r\n'],
    ['a space before the colon', 'GET / HTTP/1.1\r\nhost : x\r\n\r\n'],
    ['a folded header', 'GET / HTTP/1.1\r\nhost: x\r\na: b\r\n c\r\n\r\n'],
    ['NUL in a header', 'GET / HTTP/1.1\r\nhost: x\r\na: b\0\r\n\r\n'],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab',
    ],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a negative length', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n'],
    ['a tunnel', 'CONNECT bok.example:443 HTTP/1.1\r\nhost: bok.example:443\r\n\r\n'],
  ])('%s gets 400 in our words and the line is closed', async (_, bytes) => {
    const answer = own(await exchangeOne(port, [bytes]));
    expect(answer.statusCode).toBe(400);
    expect(JSON.parse(answer.body).error).toBe('invalid_request');
    expect(answer.headers['connection']).toBe('close');
  });

  test.each([
    ['headers', `GET / HTTP/1.1\r\nhost: x\r\na: ${'b'.repeat(70_000)}\r\n\r\n`],
    ['an address', `GET /${'b'.repeat(70_000)} HTTP/1.1\r\nhost: x\r\n\r\n`],
  ])(
    '%s without end get 400 that says what is too large, and the line is closed',
    async (_, bytes) => {
      const answer = own(await exchangeOne(port, [bytes]));
      expect(answer.statusCode).toBe(400);
      expect(JSON.parse(answer.body)).toMatchObject({
        error: 'invalid_request',
        message: expect.stringContaining('rubrikerna (headers) är tillsammans större än 16 kB'),
      });
      expect(answer.headers['connection']).toBe('close');
    },
  );

  test('an address in the form that proxies use is understood', async () => {
    const answer = own(
      await exchangeOne(port, [head('GET', `http://bok.example${meta}`, [auth()])]),
    );
    expect(answer.statusCode).toBe(200);
  });

  test('a call without Host is answered in our words', async () => {
    const answer = own(await exchangeOne(port, [`GET ${meta} HTTP/1.1\r\n${auth()}\r\n\r\n`]));
    expect(answer.statusCode).toBe(200);
  });

  test.each([
    ['what is not HTTP', 'hej\r\n\r\n'],
    [
      'a body in pieces of no length',
      `${head('POST', vouchers, ['Transfer-Encoding: chunked'])}x\r\n`,
    ],
    ['a tunnel', 'CONNECT a.example:443 HTTP/1.1\r\nHost: a.example\r\n\r\n'],
  ])(
    'a voucher that is posted is told as posted, though %s comes right behind it',
    async (_, bytes) => {
      const body = JSON.stringify(voucherBody());
      const length = `Content-Length: ${Buffer.byteLength(body)}`;
      const call = `${head('POST', vouchers, [auth(), idempotency(), length])}${body}`;
      const [posted, read, refused, ...more] = await exchange(
        port,
        [call + head('GET', meta, [auth()]) + bytes, 'hej igen\r\n\r\n'],
        4,
      );
      expect(more).toEqual([]);
      expect([posted, read].map((answer) => answer?.statusCode)).toEqual([200, 200]);
      expect(JSON.parse(posted?.body ?? '')).toMatchObject({ series: 'A' });
      expect(refused?.statusCode).toBeGreaterThanOrEqual(400);
    },
  );

  test('an expectation nobody can meet is answered in our words', async () => {
    const lines = [auth(), 'Expect: the-spanish-inquisition'];
    const answer = own(await exchangeOne(port, [head('GET', meta, lines)]));
    expect(answer.statusCode).toBe(200);
  });

  test.each(['', ';;;', 'json'])('a Content-Type of %j is named', async (type) => {
    const lines = [auth(), idempotency(), `Content-Type: ${type}`, 'Content-Length: 2'];
    const answer = own(await exchangeOne(port, [head('POST', vouchers, lines), '{}']));
    expect([answer.statusCode, JSON.parse(answer.body).detail.problems[0].path]).toEqual([
      400,
      'Content-Type',
    ]);
  });

  test('a sender that asks first is told to go on once its key is known, and only then', async () => {
    const body = JSON.stringify(voucherBody());
    const asking = (key: string, extra: readonly string[]) => [
      head('POST', vouchers, [key, idempotency(), 'Expect: 100-continue', ...extra]),
    ];
    const length = `Content-Length: ${Buffer.byteLength(body)}`;
    const nowhere = [head('POST', '/api/nowhere', ['Expect: 100-continue', length])];
    for (const [refusal, pieces] of [
      [404, nowhere],
      [401, asking('Authorization: Bearer x', [length])],
      [413, asking(auth(), [`Content-Length: ${512 * 1024 + 1}`])],
      [400, asking(auth(), [length, 'Content-Encoding: gzip'])],
    ] as const) {
      const answer = own(await exchangeOne(port, pieces));
      expect([answer.statusCode, answer.headers['connection']]).toEqual([refusal, 'close']);
    }
    async function* patient(): AsyncGenerator<string> {
      yield* asking(auth(), [length]);
      await new Promise((resolve) => setTimeout(resolve, 50));
      yield body + head('GET', meta, [auth()]);
    }
    const [goOn, posted, next] = await exchange(port, patient(), 3);
    expect(goOn).toEqual({ statusCode: 100, headers: {}, body: '' });
    expect([posted?.statusCode, next?.statusCode]).toEqual([200, 200]);
    expect(posted?.headers['connection']).not.toBe('close');
  });

  test('an address with å as it is typed is told how to write it, and one with too long an id what is too long', async () => {
    for (const path of ['/api/v1/kunder?externalId=Åsa', '/api/v1/kunder?externalId=å ä']) {
      const line = Buffer.from(head('GET', '¤', [auth()]).replace('¤', path), 'utf8');
      const answer = own(await exchangeOne(port, [line]));
      expect([answer.statusCode, JSON.parse(answer.body).message]).toEqual([
        400,
        expect.stringContaining('%C3%A5'),
      ]);
    }
    const long = own(
      await exchangeOne(port, [head('GET', `/api/v1/kundfakturor/${'a'.repeat(300)}`, [auth()])]),
    );
    expect([long.statusCode, JSON.parse(long.body).message]).toEqual([
      400,
      expect.stringContaining('200 tecken'),
    ]);
  });

  test('a broken chunk gets 400, and nothing is booked', async () => {
    const lines = [auth(), idempotency(), 'Transfer-Encoding: chunked'];
    const answer = own(await exchangeOne(port, [head('POST', vouchers, lines), 'zz\r\n{}\r\n']));
    expect(answer.statusCode).toBe(400);
  });

  test('a body that is compressed on its way is refused, and not kept as the bytes that it is not', async () => {
    const order = JSON.stringify(orderBody());
    const lines = [auth(), 'Transfer-Encoding: gzip, chunked'];
    const chunk = `${Buffer.byteLength(order).toString(16)}\r\n${order}\r\n0\r\n\r\n`;
    const answer = own(await exchangeOne(port, [head('POST', '/api/inbound/order', lines), chunk]));
    expect(answer.statusCode).toBe(400);
    expect(JSON.parse(answer.body).detail.problems[0].path).toBe('Transfer-Encoding');
  });

  test('calls on one connection are each answered, also after a refusal', async () => {
    const body = JSON.stringify(voucherBody());
    const call = (extra: string[]) =>
      head('POST', vouchers, [...extra, `Content-Length: ${Buffer.byteLength(body)}`]) + body;
    const answers = await exchange(
      port,
      [
        call([auth(), idempotency()]),
        call([idempotency()]),
        call([auth()]),
        head('GET', '/nowhere', []),
        call([auth(), idempotency()]),
      ],
      5,
    );
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 401, 400, 404, 200]);
    for (const answer of answers) own(answer);
  });

  test('an Idempotency-Key sent twice is refused', async () => {
    const body = JSON.stringify(voucherBody());
    const lines = [
      auth(),
      idempotency(),
      idempotency(),
      `Content-Length: ${Buffer.byteLength(body)}`,
    ];
    const answer = own(await exchangeOne(port, [head('POST', vouchers, lines), body]));
    expect(answer.statusCode).toBe(400);
    expect(JSON.parse(answer.body).detail.problems[0].path).toBe('Idempotency-Key');
  });
});

describe('size while it streams', () => {
  async function* chunks(total: number, piece = 64 * 1024): AsyncGenerator<string> {
    for (let sent = 0; sent < total; sent += piece) {
      const size = Math.min(piece, total - sent);
      yield `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`;
      await new Promise(setImmediate);
    }
  }
  async function* endless(lines: readonly string[], path: string): AsyncGenerator<string> {
    yield head('POST', path, lines);
    yield* chunks(64 * 1024 * 1024);
    yield '0\r\n\r\n';
  }

  test.each([
    [vouchers, 512 * 1024],
    [orders, 1024 * 1024],
    ['/api/inbound/avstamning', 1024 * 1024],
  ])('%s cuts off a body without a length at %d bytes', async (path, limit) => {
    const lines = [auth(), idempotency(), 'Transfer-Encoding: chunked'];
    async function* exact(total: number): AsyncGenerator<string> {
      yield head('POST', path, lines);
      yield* chunks(total);
      yield '0\r\n\r\n';
    }
    expect(own(await exchangeOne(port, exact(limit))).statusCode).toBe(400);
    expect(own(await exchangeOne(port, exact(limit + 1))).statusCode).toBe(413);
    const answer = own(await exchangeOne(port, endless(lines, path)));
    expect(answer.statusCode).toBe(413);
    expect(JSON.parse(answer.body).error).toBe('payload_too_large');
    expect(answer.headers['connection']).toBe('close');
  });

  test('a length over the limit is refused before a byte of the body has come', async () => {
    for (const [path, limit] of [
      [vouchers, 512 * 1024],
      [orders, 1024 * 1024],
    ] as const) {
      const lines = [auth(), idempotency(), `Content-Length: ${limit + 1}`];
      const answer = own(await exchangeOne(port, [head('POST', path, lines)]));
      expect(answer.statusCode).toBe(413);
      const most = path === orders ? '1 MB' : '512 kB';
      expect(JSON.parse(answer.body).message).toContain(most);
    }
  });

  test('a stranger who streams without end is refused at once and hung up on', async () => {
    const answer = own(await exchangeOne(port, endless(['Transfer-Encoding: chunked'], vouchers)));
    expect(answer.statusCode).toBe(401);
  });
});

describe('time', () => {
  test('a body that never comes gets 408 in our words', async () => {
    const lines = [auth(), idempotency(), 'Content-Length: 100'];
    const answer = own(await exchangeOne(port, [head('POST', vouchers, lines), '{"serie']));
    expect(answer.statusCode).toBe(408);
    expect(JSON.parse(answer.body).error).toBe('request_timeout');
    expect(answer.headers['connection']).toBe('close');
  });

  test('headers that never end get 408 in our words', async () => {
    const answer = own(await exchangeOne(port, [`GET ${meta} HTTP/1.1\r\nhost: x\r\n`]));
    expect(answer.statusCode).toBe(408);
  });

  test('a caller who hangs up in the middle hurts nobody', async () => {
    const lines = [auth(), idempotency(), 'Content-Length: 100'];
    for (let call = 0; call < 20; call += 1) {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      socket.write(`${head('POST', vouchers, lines)}{"se`);
      socket.destroy();
      await once(socket, 'close');
    }
    const answer = await second.app.inject({
      url: meta,
      headers: { authorization: `Bearer ${books.key}` },
    });
    expect(answer.statusCode).toBe(200);
  });
});

describe('stopping', () => {
  test('does not wait for a caller who never finishes', async () => {
    const app = await openSecondApp(books, { requestTimeoutMs: TIMEOUT_MS });
    const socket = connect(await listen(app.app), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(`${head('POST', vouchers, [auth(), idempotency(), 'Content-Length: 100'])}{"se`);
    const closed = once(socket.resume(), 'close');
    await app.close();
    await closed;
  });

  test('finishes what it has begun', async () => {
    const app = await openSecondApp(books);
    const appPort = await listen(app.app);
    const body = JSON.stringify(voucherBody());
    const blocker = await books.owner.connect();
    await blocker.query('begin');
    await blocker.query('lock table ledger.series in exclusive mode');
    const lines = [auth(), idempotency(), `Content-Length: ${Buffer.byteLength(body)}`];
    const posting = exchangeOne(appPort, [head('POST', vouchers, lines) + body]);
    await vi.waitFor(async () => {
      const { rows } = await books.owner.query(
        `select from pg_stat_activity where application_name = 'test second http'
          and wait_event_type = 'Lock'`,
      );
      expect(rows).toHaveLength(1);
    });
    const closed = app.close();
    await blocker.query('commit');
    blocker.release();
    expect((await posting).statusCode).toBe(200);
    await closed;
  });
});

describe('only https', () => {
  const from = (app: SecondApp['app'], remoteAddress: string, headers: object = {}) =>
    app.inject({
      url: meta,
      remoteAddress,
      headers: { authorization: `Bearer ${books.key}`, ...headers },
    });

  test.each([
    '192.0.2.1',
    '10.0.0.7',
    '::ffff:192.0.2.1',
    '2001:db8::1',
    'fe80::1%eth0',
    '169.254.0.1',
  ])('plain http from %s is refused before the key is looked at', async (address) => {
    const answer = await from(second.app, address);
    expect(answer.statusCode).toBe(403);
    expect(answer.json().error).toBe('https_required');
    expectOwnAnswer(answer);
    const stranger = await second.app.inject({ url: meta, remoteAddress: address });
    expect(stranger.statusCode).toBe(403);
  });

  test.each(['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1'])(
    'the machine itself (%s) may use plain http',
    async (address) => {
      const answer = await from(second.app, address);
      expect(answer.statusCode).toBe(200);
      expect(answer.headers['strict-transport-security']).toBeUndefined();
    },
  );

  test('a stranger cannot claim https or to be the machine itself', async () => {
    for (const headers of [
      { 'x-forwarded-proto': 'https' },
      { 'x-forwarded-for': '127.0.0.1' },
      { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https' },
      { forwarded: 'for=127.0.0.1;proto=https' },
    ]) {
      expect((await from(second.app, '192.0.2.1', headers)).statusCode).toBe(403);
    }
  });

  test('behind a trusted proxy https counts, plain http does not, and strangers gain nothing', async () => {
    const proxied = await openSecondApp(books, { env: { TRUST_PROXY: '192.0.2.0/24, 127.0.0.1' } });
    try {
      const via = (remote: string, proto: string, forwardedFor = '198.51.100.7') =>
        from(proxied.app, remote, { 'x-forwarded-proto': proto, 'x-forwarded-for': forwardedFor });
      const good = await via('192.0.2.10', 'https');
      expect(good.statusCode).toBe(200);
      expect(good.headers['strict-transport-security']).toMatch(/max-age=\d{8}/);
      expect((await via('127.0.0.1', 'https')).statusCode).toBe(200);
      expect((await via('192.0.2.10', 'http')).statusCode).toBe(403);
      expect((await via('127.0.0.1', 'http')).statusCode).toBe(403);
      expect((await via('203.0.113.1', 'https')).statusCode).toBe(403);
      expect((await via('203.0.113.1', 'https', '127.0.0.1')).statusCode).toBe(403);
      // A caller may put anything in front of what the proxy appends.
      expect((await via('192.0.2.10', 'https, http')).statusCode).toBe(403);
      expect((await via('192.0.2.10', 'http', '127.0.0.1, 198.51.100.7')).statusCode).toBe(403);
      expect((await from(proxied.app, '192.0.2.10')).statusCode).toBe(403);
    } finally {
      await proxied.close();
    }
  });

  test('with its own certificate it answers over TLS, with HSTS', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'huvudbok-tls-'));
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    const subject = ['-subj', '/CN=localhost', '-days', '2'];
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    execFileSync('openssl', ['req', '-x509', ...curve, '-keyout', key, '-out', cert, ...subject], {
      stdio: 'ignore',
    });
    const env = { TLS_CERT_FILE: cert, TLS_KEY_FILE: key };
    const app = await openSecondApp(books, { env, requestTimeoutMs: TIMEOUT_MS });
    try {
      const tlsPort = await listen(app.app);
      const answer = await new Promise<{ status?: number; hsts?: string }>((resolve, reject) => {
        const headers = { authorization: `Bearer ${books.key}` };
        const options = { port: tlsPort, host: '127.0.0.1', path: meta, headers };
        httpsRequest({ ...options, rejectUnauthorized: false, agent: false }, (response) => {
          response.resume();
          const hsts = String(response.headers['strict-transport-security']);
          resolve({ status: response.statusCode ?? 0, hsts });
        })
          .on('error', reject)
          .end();
      });
      expect(answer).toEqual({ status: 200, hsts: 'max-age=31536000; includeSubDomains' });
    } finally {
      await app.close();
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the log', () => {
  test('tells of every call but never a secret, wherever it was put', async () => {
    const secret = books.key;
    const encoded = secret.replace('_', '%5F').replace('_', '%5f');
    const headers = { authorization: `Bearer ${secret}` };
    logged.length = 0;
    await second.app.inject({ url: meta, headers: { ...headers, 'x-request-id': 'their-id-17' } });
    await second.app.inject({ url: `${meta}?key=${secret}` });
    await second.app.inject({ url: `${meta}?key=${secret}`, headers });
    await second.app.inject({ url: `${meta}?${secret}=1`, headers });
    await second.app.inject({ url: `${meta}?key=${encoded}`, headers });
    await second.app.inject({ url: `/${secret}/x` });
    await second.app.inject({ url: `/${encoded}/%zz` });
    await second.app.inject({ url: meta, headers: { ...headers, 'x-request-id': secret } });
    await second.app.inject({ url: meta, headers: { authorization: `Bearer ${secret}x` } });
    const post = (payload: object | string) =>
      second.app.inject({
        method: 'POST',
        url: vouchers,
        payload,
        headers: { ...headers, 'idempotency-key': secret },
      });
    await post({ [secret]: 1 });
    await post({ source: secret });
    await post(secret);
    await post(voucherBody({ seriesCode: 'Z', description: secret }));
    await post(voucherBody({ counterparty: secret }));
    const lines = logged.join('');
    expect(lines).toContain('their-id-17');
    expect(lines).toContain('/api/v1/verifikat');
    expect(lines).not.toContain(secret.slice('svc_live_'.length, -1));
  });

  test('tells of a refused call in one line, with its code and the field, and nothing that was typed', async () => {
    logged.length = 0;
    await second.app.inject({
      method: 'POST',
      url: vouchers,
      payload: voucherBody({ seriesCode: 'Kalle Kund' }),
      headers: { authorization: `Bearer ${books.key}`, 'idempotency-key': randomUUID() },
    });
    const lines = logged
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ level }) => Number(level) >= 30);
    expect(lines).toEqual([
      expect.objectContaining({
        msg: 'call',
        route: vouchers,
        status: 400,
        error: 'invalid_request',
        fields: [expect.stringMatching(/^seriesCode: \w+$/)],
        key_id: expect.any(String),
      }),
    ]);
    expect(logged.join('')).not.toContain('Kalle');
  });

  test('a caller who hangs up in the middle of a body is no lost database', async () => {
    logged.length = 0;
    const socket = connect(port, '127.0.0.1');
    const fields = [`POST ${orders} HTTP/1.1`, 'Host: x', auth(), 'Content-Type: application/json'];
    socket.write(`${[...fields, 'Content-Length: 100'].join('\r\n')}\r\n\r\n{"externalId"`);
    await vi.waitFor(() => expect(logged.join('')).toContain('call arrives'));
    socket.destroy();
    await vi.waitFor(() => expect(logged.join('')).toContain('"status":499'));
    expect(logged.join('')).not.toContain('Databasen svarar inte');
    expect(logged.join('')).not.toContain('"level":50');
  });

  test('an own fault is logged with its cause and answered without it', async () => {
    await books.owner.query('alter function api.installation() rename to hidden');
    logged.length = 0;
    try {
      const answer = await second.app.inject({
        url: meta,
        headers: { authorization: `Bearer ${books.key}` },
      });
      expect(answer.statusCode).toBe(500);
      expect(answer.json()).toMatchObject({ error: 'internal_error' });
      expectOwnAnswer(answer);
      expect(answer.body).not.toMatch(/installation\(|function/);
      expect(logged.join('')).toContain('api.installation');
      expect(logged.join('')).toContain(String(answer.headers['x-request-id']));
    } finally {
      await books.owner.query('alter function api.hidden() rename to installation');
    }
  });
});

describe('whatever is sent', () => {
  const anyHeaders = fc.dictionary(
    fc.constantFrom(
      ...['authorization', 'idempotency-key', 'content-type', 'content-encoding', 'prefer'],
      ...['x-request-id', 'x-forwarded-for', 'accept', 'expect', 'if-none-match', 'cookie'],
    ),
    fc.string({ unit: 'grapheme-ascii' }),
  );
  const anyBody = fc.oneof(
    fc.json(),
    fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    fc.anything().map((value) => JSON.stringify(orderBody({ rows: value })) ?? ''),
    fc.anything().map((value) => JSON.stringify(voucherBody({ rows: value })) ?? ''),
  );

  test('no address ever answers 500 or with anything but our own body', async () => {
    const property = fc.asyncProperty(
      fc.constantFrom(vouchers, orders, '/api/inbound/avstamning', meta, '/docs', '/nowhere'),
      fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD' as const),
      fc.oneof(
        fc.constant(''),
        fc.webQueryParameters().map((query) => `?${query}`),
      ),
      anyHeaders,
      anyBody,
      fc.boolean(),
      async (path, method, query, headers, payload, hasKey) => {
        const answer = await second.app.inject({
          method: method as 'POST',
          url: path + query,
          payload,
          headers: {
            'idempotency-key': randomUUID(),
            ...headers,
            ...(hasKey ? { authorization: `Bearer ${books.key}` } : {}),
          },
        });
        if (answer.statusCode === 503) expect(answer.json().error).toBe('processing_delayed');
        else expect(answer.statusCode).toBeLessThan(500);
        if (method !== 'HEAD') expectOwnAnswer(answer);
      },
    );
    await fc.assert(property, { numRuns: tries(120) });
  });
});
