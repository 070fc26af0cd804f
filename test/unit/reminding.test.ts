/** What an overdue invoice is due for in a run of reminders, and when the bank's news are too old for one. */
import { describe, expect, test } from 'vitest';
import { type Remindable, reminderFor, tooOldBank } from '#src/domain/sales/reminding.ts';

const today = '2026-05-01';
const plan = { days: [7, 21, 35], claimsFee: true };
const overdue: Remindable = {
  dueDate: '2026-04-01',
  reminders: 0,
  lastReminder: null,
  isFeeAgreed: true,
  isDisputed: false,
  pause: null,
  isOnlyFees: false,
  isBeingCredited: false,
  isSaidPaid: false,
  mailTo: 'a@exempel.se',
  hasPostalAddress: true,
};
const of = (facts: Partial<Remindable>, some = plan) =>
  reminderFor({ ...overdue, ...facts }, some, today);

describe('an overdue invoice', () => {
  test.each<[string, Partial<Remindable>, object]>([
    ['never reminded of', {}, { level: 1, feeOre: 6_000n, channel: 'mail' }],
    ['whose fee is not agreed', { isFeeAgreed: false }, { level: 1, feeOre: 0n }],
    ['without mail', { mailTo: null }, { channel: 'paper' }],
    ['without any address', { mailTo: null, hasPostalAddress: false }, { why: 'no_address' }],
    ['on the day of its level', { dueDate: '2026-04-24' }, { level: 1 }],
    ['a day before', { dueDate: '2026-04-25' }, { why: 'not_yet', from: '2026-05-02' }],
    ['reminded of', { reminders: 1, lastReminder: '2026-04-08' }, { level: 2 }],
    [
      'late for both, with ten days to pay by the first',
      { reminders: 1, lastReminder: '2026-04-21' },
      { why: 'reminded_lately', from: '2026-05-02' },
    ],
    [
      'before its next level',
      { dueDate: '2026-04-15', reminders: 1, lastReminder: '2026-04-16' },
      { why: 'not_yet', from: '2026-05-06' },
    ],
    ['with all', { reminders: 3, lastReminder: '2026-04-01' }, { why: 'all_sent', count: 3 }],
    ['disputed', { isDisputed: true }, { why: 'disputed' }],
    ['with nothing but fees left', { isOnlyFees: true }, { why: 'only_fees' }],
    ['being credited', { isBeingCredited: true }, { why: 'being_credited' }],
    ['said to be paid', { isSaidPaid: true }, { why: 'said_paid' }],
    [
      'promised until today',
      { pause: { kind: 'promise', lastDay: today } },
      { why: 'promised', lastDay: today },
    ],
    ['whose pause is over', { pause: { kind: 'pause', lastDay: '2026-04-30' } }, { level: 1 }],
  ])('%s', (_what, facts, expected) => expect(of(facts)).toMatchObject(expected));

  test('has no fee where runs claim none', () => {
    expect(of({}, { ...plan, claimsFee: false })).toMatchObject({ level: 1, feeOre: 0n });
  });
});

test.each<[string, (string | null)[], number | null, string | null]>([
  ['fresh', ['2026-04-28'], 3, null],
  ['a day too old', ['2026-04-28', '2026-04-27'], 3, '1'],
  ['never read', ['2026-05-01', null], 3, '1'],
  ['no account', [], 3, 'no_account'],
  ['nobody reads it', [null], null, null],
])('the bank: %s', (_what, days, bankDays, expected) => {
  const accounts = days.map((lastDay, index) => ({ name: String(index), lastDay }));
  const found = tooOldBank(accounts, bankDays, today);
  expect(typeof found === 'object' ? (found?.name ?? null) : found).toBe(expected);
});
