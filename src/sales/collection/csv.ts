/** A collection case as a spreadsheet reads it: with decimal commas. */

import type { CollectionCase } from '../../domain/sales/collection-case.ts';
import { textCell, writeCsv } from '../../lib/csv.ts';

const columns = 9;

type Value = string | number | boolean | null;

function cell(value: Value): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value).replace('.', ',');
  return typeof value === 'string' ? textCell(value) : String(value);
}

/** One section in the first column, then name and value, or a row's own values in order. */
export async function caseCsv(subject: CollectionCase, digest: string): Promise<string> {
  const { creditor, debtor, invoice, payments, reminders, interest, claim } = subject;
  const { lines, ...head } = invoice;
  const named = (prefix: string, object: object): Value[][] =>
    Object.entries(object).map(([name, value]) => ['case', `${prefix}.${name}`, value as Value]);
  const rows: Value[][] = [
    ['case', 'digest', digest],
    ['case', 'schema', subject.schema],
    ['case', 'schemaVersion', subject.schemaVersion],
    ['case', 'preparedAt', subject.preparedAt],
    ['case', 'disputed', subject.disputed],
    ...named('creditor', creditor),
    ...named('debtor', debtor),
    ...named('invoice', head),
    ...named('interest', {
      amount: interest.amount,
      days: interest.days,
      fromDate: interest.fromDate,
      toDate: interest.toDate,
      rateSource: interest.rateSource,
      agreedRatePct: interest.agreedRatePct,
      basis: interest.basis,
      incomplete: interest.incomplete,
    }),
    ...lines.map((line): Value[] => ['line', ...Object.values(line)]),
    ...payments.map(({ date, amount }): Value[] => ['payment', date, amount]),
    ...reminders.map(({ reminderNo, sentDate, fee }): Value[] => [
      'reminder',
      reminderNo,
      sentDate,
      fee,
    ]),
    ...interest.segments.map((one): Value[] => [
      'segment',
      one.from,
      one.to,
      one.days,
      one.ratePct,
      one.balance,
      one.amount,
    ]),
    ...interest.missingPeriods.map(({ from, to }): Value[] => ['segment', from, to, 'okänd ränta']),
    ...Object.entries(claim).map(([name, { amount, currency }]): Value[] => [
      'claim',
      name,
      amount,
      currency,
    ]),
  ];
  const header = [
    'section',
    'name',
    ...Array.from({ length: columns - 2 }, (_, n) => `value${n + 1}`),
  ];
  const padded = rows.map((row) =>
    Array.from({ length: columns }, (_, index) => cell(row[index] ?? null)),
  );
  return writeCsv([header, ...padded]);
}
