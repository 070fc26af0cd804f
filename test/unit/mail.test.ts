/** Who mail is sent to and from, what it says, and where the server is: read as people type it. */
import fc from 'fast-check';
import { createTransport } from 'nodemailer';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '#src/config/config.ts';
import { parseSmtpUrl } from '#src/config/smtp.ts';
import { normalizeMailAddress, oneLine, parseRecipients } from '#src/domain/basics/mail-address.ts';
import { type LetterFacts, letterOf } from '#src/sales/mail/letter.ts';
import { senderOf } from '#src/sales/mail/seller.ts';
import { judge } from '#workers/mail.ts';

describe('an address', () => {
  test.each([
    ['anna@exempel.se', 'anna@exempel.se'],
    ['Anna.Berg+bok@Exempel.SE', 'Anna.Berg+bok@exempel.se'],
    ['info@smörgås.se', 'info@xn--smrgs-pra0j.se'],
    ["o'brien@exempel.co.uk", "o'brien@exempel.co.uk"],
  ])('%s can be sent to', (typed, address) => {
    expect(normalizeMailAddress(typed)).toBe(address);
  });

  test.each([
    '',
    'anna',
    'anna@',
    '@exempel.se',
    'anna@exempel',
    'anna@exempel.se.',
    'anna@-exempel.se',
    'anna@127.0.0.1',
    'anna@[127.0.0.1]',
    'anna@exempel.se\r\nBcc: x@y.se',
    'anna@exempel.se>\nBcc:x@y.se',
    'a b@exempel.se',
    '"a b"@exempel.se',
    'Anna <anna@exempel.se>',
    'a@b@exempel.se',
    'a;b@exempel.se',
    'å@exempel.se',
    'a..b@exempel.se',
    '.a@exempel.se',
    'a@exempel.se/x',
    'a@exempel.se:25',
    'a@exem%70el.se',
    'a\u202e@exempel.se',
    `${'a'.repeat(65)}@exempel.se`,
    `a@${'b'.repeat(64)}.se`,
    `a@${'bbbbbbb.'.repeat(32)}se`,
  ])('%j cannot', (typed) => {
    expect(normalizeMailAddress(typed)).toBeUndefined();
  });

  test('that is let through reaches the server letter for letter, alone', async () => {
    const transport = createTransport({ jsonTransport: true });
    const local = fc.stringMatching(/^[!-~]{1,12}$/);
    const typed = fc.oneof(
      fc.tuple(local, fc.domain()).map(([name, host]) => `${name}@${host}`),
      fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => `${text}@exempel.se`),
    );
    await fc.assert(
      fc.asyncProperty(typed, async (text) => {
        const address = normalizeMailAddress(text);
        fc.pre(address !== undefined);
        const { envelope, message } = await transport.sendMail({
          from: 'x@exempel.se',
          to: [{ name: '', address: address ?? '' }],
        });
        expect(envelope.to).toEqual([address]);
        expect(JSON.parse(String(message)).to).toEqual([{ address, name: '' }]);
      }),
      { numRuns: 500 },
    );
  });
});

describe('recipients', () => {
  test('are one or several, each once', () => {
    expect(parseRecipients(' a@exempel.se , B@exempel.se,a@EXEMPEL.se, ')).toEqual({
      addresses: ['a@exempel.se', 'B@exempel.se'],
    });
  });

  test('are five at most', () => {
    const six = [1, 2, 3, 4, 5, 6].map((n) => `a${n}@exempel.se`).join(',');
    expect(parseRecipients(six)).toMatchObject({ fault: { reason: 'too_many_recipients' } });
  });

  test('are named when one is wrong', () => {
    const parsed = parseRecipients('a@exempel.se, bengt');
    expect(parsed).toMatchObject({ fault: { params: { typed: 'bengt' } } });
  });
});

test('a name becomes one line, without marks that turn the text', () => {
  expect(oneLine('A\r\nBcc: x@y.se\u2028 \u202eB\u0000')).toBe('A Bcc: x@y.se B');
});

describe('the sender', () => {
  const seller = { name: 'Åkes\r\nBolag', email: 'info@exempel.se' };

  test('is the company, or MAIL_FROM with answers to the company', () => {
    const own = { name: 'Åkes Bolag', address: 'info@exempel.se', replyTo: null };
    expect(senderOf(seller, undefined)).toEqual(own);
    expect(senderOf(seller, 'bok@exempel.se')).toEqual({
      ...own,
      address: 'bok@exempel.se',
      replyTo: 'info@exempel.se',
    });
  });

  test('is nobody when there is no address', () => {
    expect(senderOf({ name: 'X', email: 'ingen' }, undefined)).toBeUndefined();
    expect(senderOf({ name: 'X', email: null }, undefined)).toBeUndefined();
  });
});

describe('SMTP_URL', () => {
  test('is a server, with or without a login', () => {
    expect(parseSmtpUrl('smtps://bok%40exempel.se:hem%2Flig@smtp.exempel.se')).toEqual({
      host: 'smtp.exempel.se',
      port: 465,
      isSecure: true,
      isLocal: false,
      requiresTls: false,
      login: { user: 'bok@exempel.se', password: 'hem/lig' },
    });
    // A password goes over no network in the clear.
    expect(parseSmtpUrl('smtp://a:b@smtp.exempel.se')).toMatchObject({
      port: 587,
      requiresTls: true,
    });
    expect(parseSmtpUrl('smtp://localhost:25')).toMatchObject({
      port: 25,
      requiresTls: false,
      isLocal: true,
      login: undefined,
    });
    expect(parseSmtpUrl('smtp://[::1]:25')).toMatchObject({ host: '::1', isLocal: true });
  });

  test.each([
    'smtp.exempel.se',
    'http://smtp.exempel.se',
    'smtp://',
    'smtp://user@host',
    'smtp://a:b@host/path',
    'smtp://a:b@host?tls.rejectUnauthorized=false',
    'smtp://a:%zz@host',
  ])('%s is refused at start', (text) => {
    expect(() => loadConfig({ SMTP_URL: text })).toThrow(/SMTP_URL: anges som/);
  });

  test('that is wrong is not repeated: it may hold a password', () => {
    expect(() => loadConfig({ SMTP_URL: 'smtp://a:hemligt@h/x' })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('hemligt') }),
    );
  });

  test('is not needed, and MAIL_FROM is an address', () => {
    expect(loadConfig({})).toMatchObject({ smtp: undefined, mailFrom: undefined });
    expect(() => loadConfig({ MAIL_FROM: 'Bolaget <a@b.se>' })).toThrow(/MAIL_FROM: anges som/);
  });
});

describe('the letter', () => {
  const facts: LetterFacts = {
    seller: {
      name: 'Testbolaget AB',
      organization_number: '5567026934',
      seat: 'Umeå',
      email: 'info@exempel.se',
      phone: '08-123 45',
      bankgiro: '50501055',
      plusgiro: null,
      iban: 'SE3550000000054910000003',
    },
    kind: 'invoice',
    number: 1001,
    creditedNumber: null,
    totalOre: 125_000n,
    openOre: 100_000n,
    dueDate: '2026-03-31',
    ocr: '100164',
    reminderNo: null,
  };

  test('with an invoice says how to pay', () => {
    expect(letterOf(facts)).toEqual({
      subject: 'Faktura 1001 från Testbolaget AB',
      body: `Hej!

Här kommer faktura 1001 på 1 250,00 kr. Den är bifogad som PDF.

Att betala: 1 000,00 kr
Förfallodag: 31 mars 2026
Bankgiro: 5050-1055
OCR-nummer: 100164

Vänliga hälsningar
Testbolaget AB
Org.nr 556702-6934, säte Umeå
info@exempel.se
08-123 45`,
    });
  });

  test('asks for nothing that is paid, and nothing of whom a credit note is for', () => {
    expect(letterOf({ ...facts, openOre: 0n }).body).not.toContain('Att betala');
    const note = letterOf({ ...facts, kind: 'credit_note', number: 1002, creditedNumber: 1001 });
    expect(note.subject).toBe('Kreditfaktura 1002 från Testbolaget AB');
    expect(note.body).toContain('kreditfaktura 1002 på 1 250,00 kr, som krediterar faktura 1001');
    expect(note.body).not.toContain('OCR');
  });

  test('with a reminder says what it is about, and not a due date that has passed', () => {
    const { subject, body } = letterOf({ ...facts, reminderNo: 1 });
    expect(subject).toBe('Påminnelse om faktura 1001 från Testbolaget AB');
    expect(body).toContain('som förföll 31 mars 2026');
    expect(body).not.toContain('Förfallodag');
    expect(body).toContain('Att betala: 1 000,00 kr');
  });

  test('has a subject of one line, however the company is called', () => {
    const { subject } = letterOf({
      ...facts,
      seller: { ...facts.seller, name: `A\r\nBcc: x@y.se ${'å'.repeat(300)}` },
    });
    expect(subject).not.toMatch(/[\r\n]/);
    expect([...subject]).toHaveLength(200);
  });
});

describe('what an attempt means', () => {
  const result = {
    ...{ accepted: ['a@x.se'], error: null, mayHelpToWait: false, isUnanswered: false },
  };

  test.each([
    ['all reached', ['a@x.se'], result, 'sent'],
    ['some for ever unreachable', ['a@x.se', 'b@x.se'], { ...result, error: 'Nej.' }, 'failed'],
    [
      'some not reachable yet',
      ['a@x.se', 'b@x.se'],
      { ...result, error: 'Sen.', mayHelpToWait: true },
      'queued',
    ],
  ])('%s', (_what, remaining, outcome, state) => {
    expect(judge(remaining, outcome, 1)).toMatchObject({ state, delivered: ['a@x.se'] });
  });

  test('a message that the server got whole and did not answer is tried three times, and is no answer', () => {
    const silence = {
      ...{ accepted: [], error: 'Tyst.', mayHelpToWait: true, isUnanswered: true },
    };
    const states = [1, 2, 3, 4].map((unanswered) => judge(['a@x.se'], silence, unanswered));
    expect(states.map(({ state }) => state)).toEqual(['queued', 'queued', 'failed', 'failed']);
    expect(states.every(({ isAnswer }) => isAnswer)).toBe(false);
    // Of a server that is down nothing is in doubt.
    expect(judge(['a@x.se'], { ...silence, isUnanswered: false }, 5).state).toBe('queued');
  });
});
