import { expect, test } from 'vitest';
import { decideOrder } from '#src/domain/sales/order.ts';
import { parseOrder } from '#src/domain/sales/order-shape.ts';
import { fieldName } from '#src/lib/sentences/order-fields.ts';
import { sentenceFor } from '#src/lib/sentences/say.ts';
import { line, order, rejected, swede, without } from './order-examples.ts';

test.each([
  ['rows[2].vatRate', 'Momssatsen på rad 3'],
  ['rows[0]', 'Rad 1'],
  ['customer.countryCode', 'Köparens land'],
  ['', 'Hela ordern'],
  ['note', 'Note'],
])('%s is %s', (path, words) => {
  expect(fieldName(path)).toBe(words);
});

test('nothing an order is refused for is told in the words of programs', () => {
  const nobody = { ...without(3002), customer: null, collectiveCustomer: null };
  const foreign = { ...swede, countryCode: 'DE', vatNumber: 'FR12' };
  const decisions = [
    order({
      currency: 'EUR',
      orderDate: '2020-01-01',
      totalOre: -1n,
      rows: [line(100n, 0.25), line(100n, 0), line(100n, 12)],
    }),
    order({ customer: foreign, rows: [line(100n, 0), line(100n, 25, { articleNumber: 'USED' })] }),
    order({ totalOre: 1n, rows: [line(100n, 0, { articleNumber: 'BUILDING' })] }),
  ].map((one) => rejected(decideOrder(one, nobody)).problems);
  const shape = parseOrder({ customer: { countryCode: 'QQ' }, rows: [{ quantity: 0 }] });
  const unreadable = 'problems' in shape ? shape.problems : [];
  for (const fault of [...decisions.flat(), ...unreadable]) {
    expect(`${fieldName(fault.path)}: ${sentenceFor('page', fault)}`).not.toMatch(
      /\b[a-z]+[A-Z]\w*|\w+\.\w+[A-Z]|\[\d|\b(total|rows|customer|currency)\b/,
    );
  }
});
