/** Periodisk sammanställning: buyer by buyer, held against the VAT return, and its file (SKV574008). */
import { describe, expect, test } from 'vitest';
import {
  contactFaults,
  type StatementAmount,
  statementOf,
  statementPeriod,
  statementPhone,
  statementText,
} from '#src/domain/ledger/recapitulative-statement.ts';
import { vatReturnOf } from '#src/domain/ledger/vat-return.ts';

const sold = (
  vatNumber: string | null,
  column: StatementAmount['column'],
  ore: bigint,
): StatementAmount => ({ vatNumber, column, ore });
const contact = { name: 'Åsa Öberg', phone: '08-1234567', email: '' };

test('each buyer has a line: empty where nothing was sold, 0 where credits took it all', () => {
  const amounts = [
    sold('FI01409351', 'goods', 1_640_099n),
    sold('ESA28480514', 'services', 2_890_000n),
    sold('FI01409351', 'services', 50_000n),
    sold('FI01409351', 'services', -50_000n),
    sold('DE123456789', 'goods', -75_050n),
  ];
  const boxes = vatReturnOf([
    { box: '35', ore: 1_565_049n },
    { box: '39', ore: 2_890_000n },
  ]);
  const statement = statementOf(amounts, boxes);
  const period = statementPeriod('2026-05');
  expect(period).toMatchObject({ start: '2026-05-01', end: '2026-05-31', dueOn: '2026-06-25' });
  const vatNumber = 'SE556702693401';
  expect(
    period && statementText({ vatNumber, period, contact, lines: statement.lines }).split('\r\n'),
  ).toEqual([
    'SKV574008;',
    '556702693401;2605;Åsa Öberg;08-1234567;',
    'DE123456789;-750;;',
    'ESA28480514;;;28900',
    'FI01409351;16400;;0',
    '',
  ]);
  expect(statement.comparison.map(({ box, agrees }) => [box, agrees])).toEqual([
    ['35', true],
    ['38', true],
    ['39', true],
  ]);
});

test('what differs from the boxes by more than öre is told, and sales to nobody known are in no line', () => {
  const boxes = vatReturnOf([{ box: '39', ore: 300_000n }]);
  const { comparison, unknownOre, lines } = statementOf(
    [sold('DE123456789', 'services', 100_000n), sold(null, 'services', 200_000n)],
    boxes,
  );
  expect(lines).toHaveLength(1);
  expect(unknownOre).toBe(200_000n);
  expect(comparison.at(2)).toMatchObject({ kronor: 1000n, inReturn: 3000n, agrees: false });
});

describe('periods', () => {
  test.each([
    ['2026-01', '2601', '2026-01-31', '2026-02-25'],
    ['2026-12', '2612', '2026-12-31', '2027-01-25'],
    ['2026-Q2', '26-2', '2026-06-30', '2026-07-27'],
    ['2026-Q4', '26-4', '2026-12-31', '2027-01-25'],
  ])('%s is %s', (name, code, end, dueOn) => {
    expect(statementPeriod(name)).toMatchObject({ code, end, dueOn });
  });
  test.each(['2026', '2026-13', '2026-Q5', '2026-5', 'x'])('%s is none', (name) => {
    expect(statementPeriod(name)).toBeUndefined();
  });
});

test('the contact is as the file can hold it', () => {
  expect(statementPhone('08-123 45 67')).toBe('08-1234567');
  expect(statementPhone('+46 (8) 123-45 67')).toBe('+4681234567');
  expect(statementPhone('0920-12-34-56')).toBe('0920-123456');
  expect(contactFaults(contact)).toEqual([]);
  expect(
    contactFaults({ name: 'A; B', phone: '081234567', email: 'x;y@z' }).map(({ path }) => path),
  ).toEqual(['name', 'phone', 'email']);
  expect(contactFaults({ ...contact, name: 'x'.repeat(36) }).map(({ path }) => path)).toEqual([
    'name',
  ]);
});
