/** Files sent with forms: by whom, how much at once, and what is left of them however it ends. */
import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Spool } from '#src/http/spool.ts';
import { openSecondApp, type SecondApp } from '../http/books.ts';
import { exchange, listen } from '../http/raw.ts';
import { Disk, mayMount } from '../support/disk.ts';
import { createInstallation, type Installation, voucherBody } from '../support/installation.ts';
import { multipartOf, type SentFile } from '../support/multipart.ts';
import { hiddenOf, textOfPage } from '../support/pages.ts';
import { type LoggedIn, logIn, tokensOf } from '../support/person.ts';

const mebibyte = 1024 * 1024;
let books: Installation;
let app: SecondApp['app'];
let second: SecondApp;
let port: number;
let owner: LoggedIn;
let reader: LoggedIn;
let page: string;
/** Room for little, so that a test need not fill a disk. */
const spool = new Spool({ calls: 6, bytes: 4 * mebibyte });

/** What the log warned of. */
const warnings: string[] = [];
const logger = pino({ level: 'warn' }, { write: (line) => warnings.push(JSON.parse(line).msg) });

beforeAll(async () => {
  books = await createInstallation();
  second = await openSecondApp(books, { spool, requestTimeoutMs: 3_000, logger });
  app = second.app;
  port = await listen(app);
  owner = await logIn(books, 'agare');
  reader = await logIn(books, 'lasare');
  const posted = await books.call({
    method: 'POST',
    url: '/api/v1/verifikat',
    payload: voucherBody(),
  });
  page = `/verifikat/${posted.json().id}`;
});
afterAll(async () => {
  await second.close();
  await books.close();
});

test.each([
  ['/underlag', '/underlag', 'files'],
  ['/sie', '/sie/import', 'file'],
])('whoever sends a file that is too large at %s is told so', async (shown, url, name) => {
  const tokens = tokensOf((await owner.get(shown)).body);
  const bytes = Buffer.alloc(10 * mebibyte + 1);
  const form = multipartOf(tokens, [{ name, fileName: 'stor.xml', bytes }]);
  const sent = await books.app.inject({
    ...{ method: 'POST', url, payload: form.payload },
    headers: { ...form.headers, cookie: cookieOf(owner), accept: 'text/html' },
  });
  expect(sent.statusCode).toBe(413);
  expect(textOfPage(sent.body)).toContain('stor.xml: en fil får vara högst 10 MiB');
});

test('a file with a quotation mark in its name is called by that name', async () => {
  const tokens = tokensOf((await owner.get('/underlag')).body);
  const files = [{ name: 'files', fileName: 'Skärm 24".pdf', bytes: '%PDF-1.4\n%%EOF\n' }];
  const form = multipartOf(tokens, files);
  await books.app.inject({
    ...{ method: 'POST', url: '/underlag', payload: form.payload },
    headers: { ...form.headers, cookie: cookieOf(owner), accept: 'text/html' },
  });
  const { rows } = await books.owner.query('select file_name from ledger.documents');
  expect(rows).toEqual([{ file_name: 'Skärm 24".pdf' }]);
});

const cookieOf = ({ cookies }: LoggedIn): string =>
  [...cookies].map((pair) => pair.join('=')).join('; ');
/** Of this process, on its way to a disk. */
const openFiles = (): string[] =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path.includes(`${tmpdir()}/huvudbok-`) && path.endsWith('(deleted)') ? [path] : [];
    } catch {
      return [];
    }
  });
/** Files with a name; those of other processes have one for a moment. */
const leftFiles = (): string[] =>
  readdirSync(tmpdir()).filter((name) => /^huvudbok-[0-9a-f]{8}-[0-9a-f-]{27}$/.test(name));

/** The head of a form of this size, of which nothing more has come. */
const headOf = (url: string, bytes: number, cookie = '', more: readonly string[] = []): string =>
  [
    `POST ${url} HTTP/1.1`,
    'Host: x',
    'Accept: text/html',
    'Content-Type: multipart/form-data; boundary=b',
    ...(bytes < 0 ? ['Transfer-Encoding: chunked'] : [`Content-Length: ${bytes}`]),
    ...(cookie === '' ? [] : [`Cookie: ${cookie}`]),
    ...more,
    '\r\n',
  ].join('\r\n');

async function send(
  person: LoggedIn,
  url: string,
  fields: Record<string, string>,
  files: readonly SentFile[],
) {
  const { payload, headers } = multipartOf(fields, files);
  const cookie = cookieOf(person);
  return app.inject({
    method: 'POST',
    url,
    payload,
    headers: { ...headers, cookie, accept: 'text/html' },
  });
}

const tokens = async (from = page) => tokensOf((await owner.get(from)).body);
const text = (bytes: number, sign = 'a') => sign.repeat(bytes);

describe('who may send is asked before the first byte', () => {
  const urls = () => ['/verifikat/ny', `${page}/bilagor`, '/kom-igang', '/logga-in', '/kunder/ny'];

  test('strangers are answered while their files are still with them', async () => {
    for (const url of urls()) {
      for (const cookie of ['', `__Host-huvudbok=${text(43)}`]) {
        const [answer] = await exchange(port, [headOf(url, 100 * mebibyte, cookie)]);
        expect([url, answer?.statusCode]).not.toEqual([url, 200]);
        expect([303, 401, 403]).toContain(answer?.statusCode);
      }
    }
    expect(spool.used).toEqual({ calls: 0, bytes: 0 });
  });

  test('a reader is told that their role does not do, and another site’s form is refused', async () => {
    const [refused] = await exchange(port, [
      headOf(`${page}/bilagor`, 50 * mebibyte, cookieOf(reader)),
    ]);
    expect(refused?.statusCode).toBe(403);
    expect(refused?.body).toContain('räcker inte');
    const crossSite = ['Sec-Fetch-Site: cross-site'];
    const head = headOf(`${page}/bilagor`, 50 * mebibyte, cookieOf(owner), crossSite);
    expect((await exchange(port, [head]))[0]?.statusCode).toBe(403);
  });

  test('a form that is longer than any is refused by its length', async () => {
    const head = headOf(`${page}/bilagor`, 500 * mebibyte, cookieOf(owner));
    const [answer] = await exchange(port, [head]);
    expect([answer?.statusCode, answer?.body.includes('10 MiB')]).toEqual([413, true]);
  });

  test('what somebody typed whose session has ended comes back, and their files are never kept', async () => {
    const ended = await logIn(books, 'agare');
    const form = (await ended.get('/verifikat/ny')).body;
    await ended.submit('/logga-ut', {}, '/oversikt').catch(() => undefined);
    const { payload, headers } = multipartOf({ ...tokensOf(form), description: 'Skriven innan' }, [
      { name: 'files', fileName: 'kvitto.txt', bytes: text(3 * mebibyte) },
    ]);
    const answer = await app.inject({
      method: 'POST',
      url: '/verifikat/ny',
      payload,
      headers: { ...headers, accept: 'text/html', 'sec-fetch-site': 'same-origin' },
    });
    expect(hiddenOf(answer.body, 'keptPairs')).toContain('Skriven innan');
    expect(spool.used).toEqual({ calls: 0, bytes: 0 });
  });
});

describe('files', () => {
  test('are on disk while they come, without a name, and gone when the form is answered', async () => {
    const { payload, headers } = multipartOf(await tokens(), [
      { name: 'files', fileName: 'ett.txt', bytes: text(mebibyte) },
    ]);
    const head = [
      `POST ${page}/bilagor HTTP/1.1`,
      'Host: x',
      `Content-Type: ${headers['content-type']}`,
      `Content-Length: ${payload.length}`,
      `Cookie: ${cookieOf(owner)}`,
      '\r\n',
    ].join('\r\n');
    const pieces = async function* () {
      yield head;
      yield payload.subarray(0, -100);
      await vi.waitFor(() => expect(spool.used.bytes).toBeGreaterThan(mebibyte / 2), 5_000);
      expect(openFiles()).toHaveLength(1);
      await vi.waitFor(() => expect(leftFiles()).toEqual([]));
      yield payload.subarray(-100);
    };
    const [answer] = await exchange(port, pieces());
    expect(answer?.statusCode).toBe(303);
    await vi.waitFor(() => expect(spool.used).toEqual({ calls: 0, bytes: 0 }));
    await vi.waitFor(() => expect(openFiles()).toEqual([]));
    expect((await owner.get(page)).body).toContain('ett.txt');
  });

  test('of a sender who hangs up, or never ends, leave nothing', async () => {
    const { payload, headers } = multipartOf(await tokens(), [
      { name: 'files', fileName: 'avbruten.txt', bytes: text(mebibyte) },
    ]);
    const begin = async (length: number) => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      socket.write(
        [
          `POST ${page}/bilagor HTTP/1.1`,
          'Host: x',
          `Content-Type: ${headers['content-type']}`,
          `Content-Length: ${length}`,
          `Cookie: ${cookieOf(owner)}`,
          '\r\n',
        ].join('\r\n'),
      );
      socket.write(payload.subarray(0, payload.length / 2));
      await vi.waitFor(() => expect(spool.used.bytes).toBeGreaterThan(100_000), 5_000);
      return socket;
    };
    (await begin(payload.length)).destroy();
    await vi.waitFor(() => expect(spool.used).toEqual({ calls: 0, bytes: 0 }), 5_000);
    // More is promised than ever comes: the request's own time ends it.
    const waiting = await begin(payload.length * 2);
    await vi.waitFor(() => expect(spool.used).toEqual({ calls: 0, bytes: 0 }), 10_000);
    waiting.destroy();
    await vi.waitFor(() => expect(openFiles()).toEqual([]));
    await vi.waitFor(() => expect(leftFiles()).toEqual([]));
    expect((await owner.get(page)).body).not.toContain('avbruten.txt');
  });

  test('too many are refused with what was typed', async () => {
    const typed = {
      ...(await tokens('/verifikat/ny')),
      description: 'Det jag skrev',
      wish: 'post',
    };
    const file = (bytes: number, n = 0) => ({
      name: 'files',
      fileName: `fil${n}.txt`,
      bytes: text(bytes),
    });
    const tooMany = Array.from({ length: 11 }, (_, n) => file(10, n));
    for (const [files, status, sentence] of [[tooMany, 413, 'Högst 10 filer']] as const) {
      const answer = await send(owner, '/verifikat/ny', typed, files);
      expect([answer.statusCode, answer.body.includes(sentence)]).toEqual([status, true]);
      expect(answer.body).toContain('value="Det jag skrev"');
    }
    expect(spool.used).toEqual({ calls: 0, bytes: 0 });
    await vi.waitFor(() => expect(openFiles()).toEqual([]));
  });

  test('of one sender fill at most half the room, and what was typed comes back', async () => {
    const { payload, headers } = multipartOf(
      { ...(await tokens('/verifikat/ny')), description: 'Det jag skrev', wish: 'post' },
      [1, 1.1].map((size) => ({
        name: 'files',
        fileName: `${size}.txt`,
        bytes: text(size * mebibyte),
      })),
    );
    const head = [
      'POST /verifikat/ny HTTP/1.1',
      'Host: x',
      'Accept: text/html',
      `Content-Type: ${headers['content-type']}`,
      `Content-Length: ${payload.length}`,
      `Cookie: ${cookieOf(owner)}`,
      '\r\n',
    ].join('\r\n');
    // Through a socket: files come in pieces, as they do from a browser.
    const [answer] = await exchange(port, [head, payload]);
    expect(answer?.statusCode).toBe(503);
    expect(answer?.headers['retry-after']).toBe('5');
    expect(answer?.body).toContain('filerna fick inte plats');
    expect(answer?.body).toContain('value="Det jag skrev"');
    await vi.waitFor(() => expect(spool.used).toEqual({ calls: 0, bytes: 0 }));
    await vi.waitFor(() => expect(openFiles()).toEqual([]));
  });

  test.skipIf(!mayMount)(
    'that a full disk has no room for are refused with what was typed, and whoever looks after it reads so in the log',
    async () => {
      const disk = new Disk(1);
      vi.stubEnv('TMPDIR', disk.folder);
      try {
        disk.fill();
        warnings.length = 0;
        const typed = {
          ...(await tokens('/verifikat/ny')),
          description: 'Det jag skrev',
          wish: 'post',
        };
        const file = { name: 'files', fileName: 'kvitto.txt', bytes: text(mebibyte) };
        const answer = await send(owner, '/verifikat/ny', typed, [file]);
        expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '60']);
        expect(answer.body).toContain('value="Det jag skrev"');
        expect(textOfPage(answer.body)).toContain('för dess disk är full');
        expect(warnings).toEqual([expect.stringContaining(`disken med TMPDIR (${disk.folder})`)]);
        expect(spool.used).toEqual({ calls: 0, bytes: 0 });
        disk.free();
        expect((await send(owner, '/verifikat/ny', { ...typed }, [file])).statusCode).not.toBe(503);
      } finally {
        vi.unstubAllEnvs();
        disk.remove();
      }
    },
  );

  test('of another sender have room beside them', async () => {
    const half = spool.enter('somebody');
    half.grow(2 * mebibyte);
    const more = await send(owner, `${page}/bilagor`, await tokens(), [
      { name: 'files', fileName: 'jämte.txt', bytes: text(mebibyte / 2, 'b') },
    ]);
    half.leave();
    expect(more.statusCode).toBe(303);
  });
});

describe('a form that no browser sends', () => {
  const post = async (body: string | Buffer, boundary = 'b') =>
    app.inject({
      method: 'POST',
      url: `${page}/bilagor`,
      payload: body,
      headers: {
        'content-type': `multipart/form-data; boundary=${boundary}`,
        cookie: cookieOf(owner),
        accept: 'text/html',
      },
    });
  const part = (name: string, value: string, more = '') =>
    `--b\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;

  test.each([
    [
      'without its last boundary',
      () => part('_csrf', 'x') + part('files', 'abc', '; filename="a"'),
    ],
    ['that breaks off in a file', () => part('files', 'abc', '; filename="a"').slice(0, -20)],
    ['that breaks off in a header', () => '--b\r\ncontent-disposition: form-da'],
    ['that is nothing', () => ''],
    ['that is one long line', () => text(2 * mebibyte)],
    ['with a giant header', () => `--b\r\nx: ${text(2 * mebibyte)}\r\n\r\nx\r\n--b--\r\n`],
    ['with a thousand headers', () => `--b\r\n${'x: y\r\n'.repeat(50_000)}\r\nx\r\n--b--\r\n`],
    ['with thousands of parts', () => `${part('a', '').repeat(12_000)}--b--\r\n`],
    [
      'with thousands of files',
      () => `${part('files', '', '; filename=""').repeat(12_000)}--b--\r\n`,
    ],
    ['with a field of a megabyte', () => `${part('a', text(2 * mebibyte))}--b--\r\n`],
    ['with a name from the prototype', () => `${part('__proto__', 'x')}--b--\r\n`],
    [
      'with a field that says it is JSON',
      () =>
        '--b\r\ncontent-disposition: form-data; name="a"\r\ncontent-type: application/json\r\n\r\n{\r\n--b--\r\n',
    ],
  ])('is refused: %s', async (_, body) => {
    const from = process.cpuUsage();
    const answer = await post(body());
    const { user, system } = process.cpuUsage(from);
    expect([400, 403, 413]).toContain(answer.statusCode);
    // Of the processor, whatever else the machine does.
    expect((user + system) / 1_000).toBeLessThan(3_000);
    await vi.waitFor(() => expect(spool.used).toEqual({ calls: 0, bytes: 0 }));
    await vi.waitFor(() => expect(openFiles()).toEqual([]));
  });

  test('without a boundary, or with an endless one', async () => {
    for (const boundary of ['', text(5_000), '"']) {
      expect([400, 403, 413]).toContain((await post('x', boundary)).statusCode);
    }
  });

  test('ends no process, whatever becomes of its sender', async () => {
    for (const bytes of [headOf(`${page}/bilagor`, 10, cookieOf(owner)), headOf(page, -1)]) {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(`${bytes}--b\r\ncontent-disp`);
      await sleep(100);
      socket.destroy();
    }
    expect((await owner.get(page)).statusCode).toBe(200);
  });
});
