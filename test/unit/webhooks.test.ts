import { describe, expect, test } from 'vitest';
import { parseNetwork } from '#src/config/networks.ts';
import { delayAfter, totalMs } from '#src/domain/basics/retry-delays.ts';
import { isAllowed, urlProblem } from '#src/events/webhooks/addresses.ts';
import { restAskedFor } from '#src/events/webhooks/rest.ts';
import { pageWords } from '../support/words.ts';

const networks = (...texts: string[]) => texts.map((text) => parseNetwork(text) ?? fail(text));
const fail = (text: string): never => {
  throw new Error(`${text} is no network`);
};

describe('addresses a webhook may be sent to', () => {
  test.each(['93.184.216.34', '8.8.8.8', '2606:2800:220:1::1', '::ffff:8.8.8.8'])(
    '%s is public',
    (address) => expect(isAllowed(address, [])).toBe(true),
  );

  test.each([
    '127.0.0.1',
    '127.8.8.8',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fe80::1',
    'fc00::1',
    'fd12:3456::1',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:0:7f00:1::',
    '2001:db8::1',
    'localhost',
    '',
  ])('%s is not', (address) => expect(isAllowed(address, [])).toBe(false));

  test('what the operator allows, and nothing beside it', () => {
    const allowed = networks('10.0.0.0/8', 'fd00::/8', '127.0.0.1');
    for (const address of ['10.255.0.1', 'fd12::1', '127.0.0.1', '::ffff:10.0.0.1']) {
      expect(isAllowed(address, allowed)).toBe(true);
    }
    for (const address of ['127.0.0.2', '192.168.0.1', 'fc00::1', '::1']) {
      expect(isAllowed(address, allowed)).toBe(false);
    }
  });

  test.each(['', '10.0.0.0/33', '10.0.0.0/x', 'exempel.se', '300.1.1.1'])(
    '%j is no network',
    (text) => expect(parseNetwork(text)).toBeUndefined(),
  );
});

describe('an endpoint’s address', () => {
  test.each(['https://exempel.se/hook', 'https://exempel.se:8443/', 'https://8.8.8.8/x?y=z'])(
    '%s will do',
    (url) => expect(urlProblem(url, [])).toBeUndefined(),
  );

  test.each([
    ['exempel.se', 'fullständig'],
    [`https://exempel.se/${'x'.repeat(2_000)}`, 'fullständig'],
    ['http://exempel.se/', 'https://'],
    ['ftp://exempel.se/', 'https://'],
    ['file:///etc/passwd', 'https://'],
    ['https://anna:hemligt@exempel.se/', 'lösenord'],
    ['https://exempel.se/#x', '#'],
    ['https://127.0.0.1/', 'publik'],
    ['https://[::1]/', 'publik'],
    ['https://2130706433/', 'publik'],
    ['https://0x7f.1/', 'publik'],
    ['https://[::ffff:127.0.0.1]/', 'publik'],
    ['http://127.0.0.1/', 'https://'],
  ])('%s will not, and says why', (url, reason) => {
    expect(pageWords(urlProblem(url, []))).toContain(reason);
  });

  test('may be in the clear only within the networks allowed', () => {
    const allowed = networks('10.0.0.0/8');
    expect(urlProblem('http://10.0.0.5:8080/hook', allowed)).toBeUndefined();
    expect(urlProblem('http://shop:8080/hook', allowed)).toBeUndefined();
    expect(pageWords(urlProblem('http://8.8.8.8/hook', allowed))).toContain('https://');
    expect(pageWords(urlProblem('https://192.168.0.1/hook', allowed))).toContain('publik');
  });
});

describe('waits between attempts', () => {
  test('grow, and last three days', () => {
    const waits = Array.from({ length: 11 }, (_, index) => delayAfter(index + 1, 0));
    expect(waits.at(-1)).toBeNull();
    const known = waits.slice(0, -1) as number[];
    expect(known).toEqual(known.toSorted((a, b) => a - b));
    expect(known[0]).toBe(5_000);
    const days = totalMs / 86_400_000;
    expect(days).toBeGreaterThan(2.9);
    expect(days * 1.1).toBeLessThan(3.3);
  });

  test('differ a little, so that not all return together', () => {
    expect(delayAfter(3, 0)).toBe(300_000);
    expect(delayAfter(3, 0.999)).toBeLessThanOrEqual(330_000);
    expect(delayAfter(3, 0.999)).toBeGreaterThan(300_000);
  });
});

describe('a receiver that asks to be left alone', () => {
  const now = new Date('2026-03-31T09:00:00Z');
  const rest = (status: number, retryAfter?: string, date?: string) =>
    restAskedFor({ status, retryAfter, date }, now);
  const hour = 3_600_000;

  test('is left alone for the seconds it says, or until the time', () => {
    expect(rest(429, '120')).toBe(120_000);
    expect(rest(503, ' 7 ')).toBe(7_000);
    expect(rest(503, 'Tue, 31 Mar 2026 09:10:00 GMT')).toBe(600_000);
    expect(rest(503, 'Tuesday, 31-Mar-26 09:10:00 GMT')).toBe(600_000);
    expect(rest(503, 'Tue Mar 31 09:10:00 2026')).toBe(600_000);
  });

  test('by its own clock, whichever of the two is wrong', () => {
    const late = 'Thu, 30 Apr 2026 09:10:00 GMT';
    expect(rest(503, late, 'Thu, 30 Apr 2026 09:05:00 GMT')).toBe(300_000);
  });

  test('never for more than an hour', () => {
    expect(rest(429, '86400')).toBe(hour);
    expect(rest(429, '999999999999999')).toBe(hour);
    expect(rest(503, 'Fri, 31 Dec 9999 23:59:59 GMT')).toBe(hour);
  });

  test.each([
    undefined,
    '',
    '0',
    '-5',
    '1.5',
    'soon',
    '9999999999999999',
    '2026-03-31T10:00:00Z',
    'Tue, 99 Xyz 2026 09:10:00 GMT',
    'Tue, 31 Mar 2026 08:59:00 GMT',
    '120, 60',
  ])('by %j asks for nothing', (retryAfter) => expect(rest(429, retryAfter)).toBe(0));

  test.each([200, 301, 410, 500, 502, 504])('is not heard with %i', (status) =>
    expect(rest(status, '120')).toBe(0),
  );
});
