/** Whoever sets up a webhook must not reach the machine itself or its neighbours, however they spell it. */
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Network, parseNetwork } from '#src/config/networks.ts';
import {
  guardedLookup,
  isAllowed,
  type Resolve,
  urlProblem,
} from '#src/events/webhooks/addresses.ts';
import { createSender } from '#src/events/webhooks/send.ts';

/** IANA's registry of special-purpose addresses (RFC 6890) and multicast: [network, bits]. */
const inside: readonly [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

const numberOf = (dotted: string): number =>
  dotted.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
const octets = (number: number): number[] =>
  [24, 16, 8, 0].map((shift) => (number >>> shift) & 255);
const dotted = (number: number): string => octets(number).join('.');
const hex16 = (number: number): string => number.toString(16);

/** Any address of any of those networks, as its 32 bits. */
const privateNumber = fc
  .tuple(fc.constantFrom(...inside), fc.nat({ max: 2 ** 32 - 1 }))
  .map(([[network, bits], random]) => numberOf(network) + (random % 2 ** (32 - bits)));

/** An IPv4 address within an IPv6 one, in every way there is a document for, and some there are not. */
const wrappings: readonly ((number: number) => string)[] = [
  (n) => `::${dotted(n)}`,
  (n) => `::${hex16(n >>> 16)}:${hex16(n & 0xffff)}`,
  (n) => `::ffff:${dotted(n)}`,
  (n) => `0:0:0:0:0:ffff:${hex16(n >>> 16)}:${hex16(n & 0xffff)}`,
  (n) => `::ffff:0:${dotted(n)}`,
  (n) => `64:ff9b::${dotted(n)}`,
  (n) => `64:ff9b:1::${dotted(n)}`,
  (n) => `64:ff9b:1:abcd::${dotted(n)}`,
  (n) => `2002:${hex16(n >>> 16)}:${hex16(n & 0xffff)}::1`,
  (n) => `2001:0:${hex16(n >>> 16)}:${hex16(n & 0xffff)}::1`,
  (n) => `2001:0:1234:5678:0:0:${hex16((~n >>> 16) & 0xffff)}:${hex16(~n & 0xffff)}`,
  (n) => `fe80::5efe:${dotted(n)}`,
  (n) => `fec0::${dotted(n)}`,
  (n) => `fc00::${dotted(n)}`,
  (n) => `fdff::${dotted(n)}`,
  (n) => `ff02::${dotted(n)}`,
  (n) => `4000::${dotted(n)}`,
];

/** How people and parsers spell an IPv4 address in a URL. */
const octal = (n: number) => `0${n.toString(8)}`;
const hex = (n: number) => `0x${n.toString(16)}`;
const spellings: readonly ((number: number) => string)[] = [
  dotted,
  (n) => `${dotted(n)}.`,
  (n) => String(n),
  hex,
  octal,
  (n) => `${hex(n)}.`,
  (n) => octets(n).map(octal).join('.'),
  (n) => octets(n).map(hex).join('.'),
  (n) => `${n >>> 24}.${n & 0xffffff}`,
  (n) => `${n >>> 24}.${(n >>> 16) & 255}.${n & 0xffff}`,
  (n) => dotted(n).replaceAll('.', '\u3002'),
  (n) => dotted(n).replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
  (n) => [...dotted(n)].map((sign) => `%${sign.charCodeAt(0).toString(16)}`).join(''),
];

describe('a private address', () => {
  test('is refused by itself and in every IPv6 wrapping', () => {
    fc.assert(
      fc.property(privateNumber, fc.constantFrom(...wrappings), (number, wrap) => {
        expect([dotted(number), isAllowed(dotted(number), [])]).toEqual([dotted(number), false]);
        expect([wrap(number), isAllowed(wrap(number), [])]).toEqual([wrap(number), false]);
        expect(urlProblem(`https://[${wrap(number)}]/`, [])).toBeDefined();
      }),
      { numRuns: 2_000 },
    );
  });

  test('is refused in every spelling a URL takes', () => {
    fc.assert(
      fc.property(privateNumber, fc.constantFrom(...spellings), (number, spell) => {
        const url = `https://${spell(number)}/krok`;
        expect([url, urlProblem(url, [])]).not.toEqual([url, undefined]);
      }),
      { numRuns: 2_000 },
    );
  });

  test('of IPv6 is anything outside 2000::/3', () => {
    const group = fc.nat({ max: 0xffff });
    fc.assert(
      fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
        const [first = 0] = groups;
        const text = groups.map(hex16).join(':');
        if (first >= 0x2000 && first < 0x4000) return;
        expect([text, isAllowed(text, [])]).toEqual([text, false]);
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    'https://[fe80::1%25eth0]/',
    'https://localhost/',
    'https://localhost./',
    'https://api.LOCALHOST/',
    'https://user@127.0.0.1/',
  ])('is refused as %s', (url) => expect(urlProblem(url, [])).toBeDefined());

  test('with a zone is none that may be called', () => {
    expect(isAllowed('2606:2800:220:1::1%eth0', [])).toBe(false);
  });
});

test('public addresses are as public as before', () => {
  for (const address of ['8.8.8.8', '192.0.1.1', '100.128.0.1', '2606:4700::1111', '2a00::1']) {
    expect([address, isAllowed(address, [])]).toEqual([address, true]);
  }
});

test.each([
  '010.0.0.0/8',
  '10/8',
  '10.1',
  '0x7f.0.0.1',
  'fe80::1%eth0',
  '10.0.0.0/8/8',
  '167772160',
])('the operator allows no network by %s, which two readers would read in two ways', (text) =>
  expect(parseNetwork(text)).toBeUndefined(),
);

const network = (text: string): Network => parseNetwork(text) as Network;
const answering =
  (addresses: readonly string[]): Resolve =>
  (_name, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );

function lookUp(resolve: Resolve, all: boolean): Promise<unknown> {
  return new Promise((settle, reject) => {
    guardedLookup('https:', [], resolve)('krok.example', { all }, (error, found) =>
      error ? reject(error) : settle(found),
    );
  });
}

describe('a name', () => {
  test('with several addresses is only ever connected to those that may be called', async () => {
    const mixed = answering(['127.0.0.1', '::1', '8.8.8.8', '64:ff9b::a00:1', '10.0.0.1']);
    expect(await lookUp(mixed, true)).toEqual([{ address: '8.8.8.8', family: 4 }]);
    expect(await lookUp(mixed, false)).toBe('8.8.8.8');
  });

  test.each([[['127.0.0.1']], [['::1', '::ffff:10.0.0.1', '::7f00:1']], [[]]])(
    'that leads only inside is refused: %j',
    async (addresses) => {
      await expect(lookUp(answering(addresses), true)).rejects.toThrow('inte får anropas');
    },
  );

  test('that changes its answer between the question and the call (rebinding) leads nowhere else', async () => {
    const seen: string[] = [];
    const server = createServer((request, response) => {
      seen.push(request.url ?? '');
      response.setHeader('connection', 'close').end();
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const message = {
      eventId: 'a',
      url: `http://krok.example:${port}/hook`,
      secrets: [`whsec_${Buffer.alloc(24).toString('base64')}`],
      body: '{}',
    };
    const questions: string[] = [];
    const rebinding: Resolve = (name, options, callback) => {
      questions.push(name);
      const address = questions.length === 1 ? '127.0.0.1' : '127.0.0.2';
      answering([address])(name, options, callback);
    };
    const sender = createSender([network('127.0.0.1')], rebinding);
    onTestFinished(() => sender.close());
    expect((await sender.send(message)).status).toBe(200);
    expect([seen, questions]).toEqual([['/hook'], ['krok.example']]);
    const again = await sender.send(message);
    expect(again).toMatchObject({
      status: null,
      error: expect.stringContaining('inte får anropas'),
    });
    expect(seen).toHaveLength(1);
  });

  test.each([
    ['what is not HTTP', 'hej\r\n\r\n', 'Svaret är inte HTTP.'],
    [
      'headers without an end',
      `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(100_000)}\r\n\r\n`,
      'Svarets rubriker är för stora.',
    ],
    ['nothing', '', 'Anslutningen bröts.'],
  ])('tells people in their own words of a receiver that answers %s', async (_, bytes, error) => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(bytes));
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const sender = createSender([network('127.0.0.1')]);
    onTestFinished(() => sender.close());
    const sent = await sender.send({
      eventId: 'a',
      url: `http://127.0.0.1:${port}/hook`,
      secrets: [`whsec_${Buffer.alloc(24).toString('base64')}`],
      body: '{}',
    });
    expect(sent).toMatchObject({ status: null, error });
  });
});
