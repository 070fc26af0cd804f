import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays } from '#src/domain/basics/dates.ts';
import {
  type InterestClaimed,
  interestStart,
  isConsumer,
} from '#src/domain/sales/interest-start.ts';

const claim: InterestClaimed = {
  terms: { from: 'demand', isStated: true, agreedRateE2: null },
  invoiceDate: '2026-03-01',
  dueDate: '2026-03-31',
  sentDate: null,
  isConsumer: false,
};
const agreed = { ...claim.terms, from: 'due_date' } as const;
const unstated = { ...claim.terms, isStated: false };

describe('interest runs after', () => {
  test.each<[string, Partial<InterestClaimed>, string | null, string | null]>([
    ['the due date when it was agreed (3 §)', { terms: agreed }, '2026-03-31', 'rantelagen_3'],
    [
      'the due date when it was agreed, stated or not, of a consumer too',
      { terms: { ...agreed, isStated: false }, isConsumer: true, sentDate: '2026-06-01' },
      '2026-03-31',
      'rantelagen_3',
    ],
    ['thirty days from the invoice date (4 §)', {}, '2026-03-31', 'rantelagen_4'],
    [
      'thirty days from when it was mailed',
      { sentDate: '2026-03-05' },
      '2026-04-04',
      'rantelagen_4',
    ],
    ['the due date when that is later', { dueDate: '2026-05-30' }, '2026-05-30', 'rantelagen_4'],
    ['thirty days though due at once', { dueDate: '2026-03-01' }, '2026-03-31', 'rantelagen_4'],
    [
      'the demand to a business that was told nothing',
      { terms: unstated },
      '2026-03-31',
      'rantelagen_4',
    ],
    ['the demand to a consumer that was told', { isConsumer: true }, '2026-03-31', 'rantelagen_4'],
    ['nothing, of a consumer that was not', { isConsumer: true, terms: unstated }, null, null],
    [
      'the demand to a consumer that agreed on a rate',
      { isConsumer: true, terms: { ...unstated, agreedRateE2: 1_200n } },
      '2026-03-31',
      'rantelagen_4',
    ],
  ])('%s', (_what, given, after, law) => {
    const start = interestStart({ ...claim, ...given });
    expect([start?.after ?? null, start?.law ?? null]).toEqual([after, law]);
  });

  test('never a day before the due date, nor before thirty days have gone', () => {
    const days = fc.integer({ min: 0, max: 400 });
    fc.assert(
      fc.property(days, fc.option(days), fc.boolean(), (terms, sent, consumer) => {
        const sentDate = sent === null ? null : addDays(claim.invoiceDate, sent);
        const dueDate = addDays(claim.invoiceDate, terms);
        const start = interestStart({ ...claim, dueDate, sentDate, isConsumer: consumer });
        const demanded = addDays(sentDate ?? claim.invoiceDate, 30);
        expect(start?.after).toBe([demanded, dueDate].sort().at(-1));
        const byAgreement = interestStart({ ...claim, terms: agreed, dueDate, sentDate });
        expect((start?.after ?? '') >= (byAgreement?.after ?? '')).toBe(true);
      }),
    );
  });
});

test.each([
  ['a company', '5560360793', null, false],
  ['a person', '198112189876', null, true],
  ['a sole trader with a VAT number', '8112189876', 'SE811218987601', false],
  ['somebody without a number', null, null, true],
  ['a company abroad', 'HRB 12345', null, false],
  ['a business abroad by its VAT number', null, 'DE123456789', false],
])('%s', (_who, orgNumber, vatNumber, expected) => {
  expect(isConsumer({ orgNumber, vatNumber })).toBe(expected);
});
