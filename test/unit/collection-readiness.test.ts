/** The readiness card: what stops a case, what is worth a thought, and what is in order. */
import { describe, expect, test } from 'vitest';
import type { CollectionFacts } from '#src/domain/sales/collection-case.ts';
import {
  collectionReadiness,
  type ReadinessCheck,
  readinessOf,
} from '#src/domain/sales/collection-readiness.ts';
import { sentenceFor } from '#src/lib/sentences/say.ts';

const ready: CollectionFacts = {
  creditor: {
    name: 'Testbolaget AB',
    orgNumber: '5567026934',
    address: 'Storgatan 1',
    postalCode: '903 26',
    city: 'Umeå',
    email: 'ekonomi@test.example',
    phone: null,
    bankgiro: '5050-1055',
    plusgiro: null,
    iban: null,
    partnerAccount: null,
  },
  debtor: {
    name: 'Kaffekoppen AB',
    orgNumber: '5560360793',
    vatNumber: null,
    address: 'Ågatan 2',
    postalCode: '903 27',
    city: 'Umeå',
    country: 'SE',
    email: null,
    phone: null,
    yourReference: null,
  },
  invoice: {
    status: 'booked',
    kind: 'invoice',
    number: 1001,
    ocr: '100164',
    invoiceDate: '2026-03-01',
    dueDate: '2026-03-31',
    netOre: 100_000n,
    vatOre: 25_000n,
    roundingOre: 0n,
    totalOre: 125_000n,
    notes: null,
    pricesIncludeVat: false,
    lines: [],
  },
  payments: [],
  reminders: [{ reminderNo: 1, sentDate: '2026-04-15', feeOre: 6_000n, withdrawnDate: null }],
  interestTerms: { from: 'due_date', isStated: true, agreedRateE2: null },
  sentDate: null,
  referenceRates: [{ validFrom: '2026-01-01', validTo: '2026-06-30', percentE2: 200n }],
  isDisputed: false,
};
const DAY = '2026-06-30';
const check = (
  name: ReadinessCheck['name'],
  changes: Partial<CollectionFacts> = {},
  day = DAY,
): ReadinessCheck & { readonly text: string } => {
  const found = collectionReadiness({ ...ready, ...changes }, day).find((one) => one.name === name);
  if (!found) throw new Error(`no check ${name}`);
  return { ...found, text: sentenceFor('page', found.found) };
};
const debtor = (changes: Partial<CollectionFacts['debtor']>) => ({
  debtor: { ...ready.debtor, ...changes },
});

test('a claim with everything in place is ready, and every check says why', () => {
  const checks = collectionReadiness(ready, DAY);
  expect(checks.map(({ state }) => state)).toEqual(checks.map(() => 'ok'));
  expect(readinessOf(checks)).toBe('ok');
  expect(check('claim').text).toBe('Förföll 2026-03-31, 91 dagar sen.');
  // 1 250 kr × 10 % × 91 ÷ 365 = 31,16
  expect(check('interest').text).toBe(
    '31,16\u00a0kr för 91 dagar i en period, räntelagen, från förfallodagen.',
  );
});

describe('the claim', () => {
  const invoice = (changes: Partial<CollectionFacts['invoice']>) => ({
    invoice: { ...ready.invoice, ...changes },
  });
  test.each([
    ['a draft', invoice({ status: 'draft' }), DAY, 'inte bokförd'],
    ['a credit note', invoice({ kind: 'credit_note' as const }), DAY, 'kreditfaktura'],
    ['not late', {}, '2026-03-31', 'inte sen'],
    [
      'paid',
      { payments: [{ date: '2026-04-01', amountOre: 131_000n }], reminders: ready.reminders },
      DAY,
      'betald',
    ],
  ])('that is %s blocks', (_, changes, day, text) => {
    expect(check('claim', changes, day)).toMatchObject({
      state: 'blocking',
      text: expect.stringContaining(text),
    });
    expect(readinessOf(collectionReadiness({ ...ready, ...changes }, day))).toBe('blocking');
  });
});

describe('the parties', () => {
  test('a debtor without a name blocks; one without parts of the address is named part by part', () => {
    expect(check('debtor', debtor({ name: ' ' })).state).toBe('blocking');
    const found = check('debtor', debtor({ address: null, postalCode: '', city: null }));
    expect(found.state).toBe('warning');
    expect(found.text).toContain('saknas adress, postnummer och ort.');
  });
  test.each([
    ['missing', { orgNumber: null }, 'saknas'],
    ['wrong', { orgNumber: '5560360794' }, 'kontrollsiffra'],
    ['foreign', { country: 'NO', vatNumber: 'NO123', orgNumber: null }, 'utomlands (NO, NO123)'],
  ])('a number that is %s is a warning', (_, changes, text) => {
    expect(check('debtor_identity', debtor(changes))).toMatchObject({
      state: 'warning',
      text: expect.stringContaining(text),
    });
  });
  test('the creditor must be possible to reach and to pay', () => {
    const creditor = { ...ready.creditor, email: null, bankgiro: null };
    expect(check('creditor', { creditor }).text).toBe(
      'I företagets inställningar saknas e-post eller telefon och bankgiro, plusgiro eller IBAN.',
    );
    expect(check('creditor', { creditor: { ...creditor, phone: '1', iban: 'SE1' } }).state).toBe(
      'ok',
    );
  });
});

describe('what has happened', () => {
  test('no reminder, or one that was just sent, is a warning', () => {
    expect(check('reminders', { reminders: [] }).state).toBe('warning');
    expect(check('reminders', {}, '2026-04-22').state).toBe('warning');
    expect(check('reminders', {}, '2026-04-23').state).toBe('ok');
  });
  test('payments are summed with what is left', () => {
    const payments = [
      { date: '2026-04-01', amountOre: 20_000n },
      { date: '2026-05-01', amountOre: 5_000n },
    ];
    expect(check('payments', { payments }).text.replaceAll('\u00a0', ' ')).toBe(
      '2 betalningar eller kreditering på 250,00 kr; 1 000,00 kr återstår av fakturan.',
    );
    expect(check('interest', { payments }).text).toContain('3 perioder');
  });
  test('a stretch without a known rate is told by its days', () => {
    const found = check('rates', {}, '2026-08-31');
    expect(found.state).toBe('warning');
    expect(found.text).toContain('2026-07-01 – 2026-08-31');
    expect(check('interest', { referenceRates: [] }).state).toBe('warning');
    const interestTerms = { from: 'due_date', isStated: true, agreedRateE2: 2_400n } as const;
    expect(check('rates', { interestTerms }, '2026-08-31').state).toBe('ok');
  });
  test('a consumer that was told of no interest pays none', () => {
    const interestTerms = { from: 'demand', isStated: false, agreedRateE2: null } as const;
    const debtor = { ...ready.debtor, orgNumber: null, vatNumber: null };
    expect(check('interest', { interestTerms, debtor })).toMatchObject({
      state: 'warning',
      text: expect.stringContaining('Ingen ränta begärs'),
    });
    expect(check('interest', { interestTerms }).text).toContain('från 30 dagar efter');
  });
  test('a dispute is a warning and not a block', () => {
    expect(check('disputed', { isDisputed: true }).state).toBe('warning');
    expect(readinessOf(collectionReadiness({ ...ready, isDisputed: true }, DAY))).toBe('warning');
  });
});
