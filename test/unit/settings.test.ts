/** Pure rules behind the settings: numbers for payments, half-years, browsers, codes, scopes. */
import { describe, expect, it } from 'vitest';
import { withNeededScopes } from '#src/access/keys/scopes.ts';
import { createTemporaryPassword, passwordProblem } from '#src/access/users/passwords.ts';
import {
  codeAt,
  createRecoveryCodes,
  createTotpSecret,
  hashOfRecoveryCode,
  proofOf,
  qrCodeOf,
  readTotpSecret,
  stepOfCode,
} from '#src/access/users/second-factor.ts';
import { describeBrowser } from '#src/domain/basics/browser.ts';
import { writtenPaymentAccount, writtenSwishNumber } from '#src/domain/basics/payment-accounts.ts';
import {
  halfYearInWords,
  halfYearOf,
  isReferenceRate,
  missingHalfYears,
} from '#src/domain/sales/reference-rate.ts';
import { readQrCode } from '../support/qr.ts';

describe('numbers that the company is paid with', () => {
  it.each([
    ['1234567890', '123 456 78 90'],
    ['123-456 78 90', '123 456 78 90'],
    ['070-123 45 67', null],
    ['12345678901', null],
    ['123456789', null],
    ['', null],
  ])('Swish: %s is %s', (typed, written) => {
    expect(writtenSwishNumber(typed)).toBe(written);
  });

  it.each([
    ['5050-1055', '5050-1055'],
    ['50501055', '5050-1055'],
    [' 991-2346 ', '991-2346'],
    ['5050-1056', null],
    ['123', null],
    ['', null],
  ])('bankgiro %j is %j', (typed, stored) =>
    expect(writtenPaymentAccount('bankgiro', typed)).toBe(stored),
  );

  it.each([
    ['4 12 02-0', null],
    ['41202-4', null],
    ['18', '1-8'],
    ['1234566', '12 34 56-6'],
    ['28 65 43-4', '28 65 43-4'],
    ['2865434', '28 65 43-4'],
    ['2865435', null],
    ['123456789', null],
  ])('plusgiro %j is %j', (typed, stored) =>
    expect(writtenPaymentAccount('plusgiro', typed)).toBe(stored),
  );

  // Examples from the IBAN registry (ISO 13616).
  it.each([
    ['SE4550000000058398257466', 'SE45 5000 0000 0583 9825 7466'],
    ['de89 3704 0044 0532 0130 00', 'DE89 3704 0044 0532 0130 00'],
    ['SE4550000000058398257467', null],
    ['SE455000000005839825746', null],
    ['<script>', null],
  ])('IBAN %j is %j', (typed, stored) => expect(writtenPaymentAccount('iban', typed)).toBe(stored));
});

describe('reference rates by half-year (räntelagen 9 §)', () => {
  const first = { validFrom: '2026-01-01', validTo: '2026-06-30' };
  const second = { validFrom: '2026-07-01', validTo: '2026-12-31' };

  it('asks for the next half-year, and for the one that is when nobody added it', () => {
    expect(missingHalfYears([first, second], '2026-06-30')).toEqual({ current: null, next: null });
    const asked = missingHalfYears([first, second], '2026-07-01');
    expect(asked).toEqual({ current: null, next: { from: '2027-01-01', to: '2027-06-30' } });
    expect(missingHalfYears([first], '2026-12-31').current).toEqual(halfYearOf('2026-07-01'));
  });

  it('says which half-year in words', () => {
    expect(halfYearInWords(halfYearOf('2027-03-31'))).toBe('första halvåret 2027');
    expect(halfYearInWords(halfYearOf('2026-12-31'))).toBe('andra halvåret 2026');
  });

  it('is whole and half percentage points, also below zero', () => {
    expect([250n, 0n, -50n, 400n].every(isReferenceRate)).toBe(true);
    expect([225n, 1n, -25n, 10_000n].some(isReferenceRate)).toBe(false);
  });
});

describe('the second factor', () => {
  // RFC 6238, appendix B: the ASCII secret, cut to six digits.
  const secret = Buffer.from('12345678901234567890');
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_234_567_890, '005924'],
    [20_000_000_000, '353130'],
  ])('at %i seconds the code is %s', (seconds, code) => {
    const now = new Date(seconds * 1_000);
    expect(codeAt(secret, now)).toBe(code);
    expect(stepOfCode(secret, code, now)).toBe(BigInt(Math.floor(seconds / 30)));
  });

  it('takes the code of one step before and after, and of no other', () => {
    const now = new Date('2026-11-20T12:00:00Z');
    const at = (seconds: number) => stepOfCode(secret, codeAt(secret, later(now, seconds)), now);
    const step = BigInt(now.getTime() / 30_000);
    expect([at(-30), at(0), at(30)]).toEqual([step - 1n, step, step + 1n]);
    expect([at(-60), at(60)]).toEqual([undefined, undefined]);
  });

  it('reads codes with spaces, and nothing that is no code', () => {
    const now = new Date(59_000);
    expect(stepOfCode(secret, '287 082', now)).toBe(1n);
    for (const text of ['', '28708', '2870822', '٢٨٧٠٨٢', 'abcdef', '287082; --']) {
      expect(stepOfCode(secret, text, now)).toBeUndefined();
    }
  });

  it('has secrets of 160 bits that a person can type, and a picture of them', () => {
    const made = createTotpSecret();
    expect(made).toMatch(/^[A-Z2-7]{32}$/);
    const spaced = (made.match(/.{4}/g) ?? []).join(' ').toLowerCase();
    expect(readTotpSecret(spaced)).toEqual(readTotpSecret(made));
    expect(readTotpSecret(made)).toHaveLength(20);
    expect(readTotpSecret('JBSWY3DP')).toBeUndefined();
    const picture = qrCodeOf(made, { email: 'a"<b>@exempel.se', issuer: 'Å & Ö' });
    const address = new URL(readQrCode(picture));
    expect(`${address.protocol}//${address.host}`).toBe('otpauth://totp');
    expect(decodeURIComponent(address.pathname)).toBe('/Å & Ö:a"<b>@exempel.se');
    expect(address.searchParams.get('secret')).toBe(made);
  });

  it('has recovery codes that differ, and are read as people write them', () => {
    const codes = createRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) {
      expect(code).toMatch(/^[A-Z2-7]{4}(-[A-Z2-7]{4}){3}$/);
      const typed = ` ${code.toLowerCase().replaceAll('-', ' ')} `;
      expect(hashOfRecoveryCode(typed)).toEqual(hashOfRecoveryCode(code));
      expect(proofOf(secret, typed, new Date())).toMatchObject({
        recoveryHash: hashOfRecoveryCode(code),
      });
    }
    expect(proofOf(secret, '000000', new Date(59_000))).toBeUndefined();
  });
});

it('makes temporary passwords that are good enough to be set', () => {
  const made = Array.from({ length: 100 }, createTemporaryPassword);
  expect(new Set(made).size).toBe(100);
  const problems = made.map((one) => passwordProblem(one, ['anna@exempel.se']));
  expect(problems).toEqual(Array(100).fill(null));
});

it('refuses a password that is nothing but what anyone tries first', () => {
  const names = ['anna.andersson@exempel.se', 'Anna Andersson', 'Bolaget i Umeå AB'];
  for (const [password, reason] of [
    ['anna.andersson@exempel.se', 'password_is_name'],
    ['Anna.Andersson1!', 'password_is_name'],
    ['andersson2026', 'password_is_name'],
    ['BolagetUmeå26', 'password_is_name'],
    ['Lösenord123', 'password_is_name'],
    ['huvudbok-2026', 'password_is_name'],
    ['abcdeabcde', 'password_repeats'],
    ['hej!hej!hej!h', 'password_repeats'],
    ['1234567890', 'password_is_run'],
    ['POIUYTREWQ', 'password_is_run'],
    ['anna äter gröt', undefined],
    ['annorlunda sommar', undefined],
    ['correct horse battery', undefined],
    ['93817462055', undefined],
  ] as const) {
    expect([password, passwordProblem(password, names)?.reason]).toEqual([password, reason]);
  }
  // A name of two letters is part of too many words.
  expect(passwordProblem('bo lever 1974', ['bo@ek.se', 'Bo Ek'])).toBeNull();
});

it('gives a key that books the right to read, and no key more than that', () => {
  expect(withNeededScopes(['ledger:write'])).toEqual(['data:read', 'ledger:write']);
  expect(withNeededScopes(['intake:write'])).toEqual(['intake:write']);
  expect(withNeededScopes(['data:read'])).toEqual(['data:read']);
});

it.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
    'Firefox på Windows',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
    'Safari på iPhone',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
    'Edge på Windows',
  ],
  ['', 'Okänd webbläsare'],
  ['<script>alert(1)</script>', 'Okänd webbläsare'],
])('calls %j %j', (agent, name) => expect(describeBrowser(agent)).toBe(name));

function later(now: Date, seconds: number): Date {
  return new Date(now.getTime() + seconds * 1_000);
}
