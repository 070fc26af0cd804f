import { expect, test } from 'vitest';
import { decideOrder } from '#src/domain/sales/order.ts';
import { fieldName, orderSentence } from '#src/domain/sales/order-fields.ts';
import { parseOrder } from '#src/domain/sales/order-shape.ts';
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

test('sentences speak of fields as people do', () => {
  expect(orderSentence('total är −1,00 kr. total ser ut att vara utan moms.')).toBe(
    'Beloppet som kunden betalade är −1,00 kr. Beloppet som kunden betalade ser ut att vara utan moms.',
  );
  expect(orderSentence('Totalt 3 rader. Ange customer.vatNumber, skriv rows[1].vatRate.')).toBe(
    'Totalt 3 rader. Ange köparens momsnummer, skriv momssatsen på rad 2.',
  );
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
  for (const { path, message } of [...decisions.flat(), ...unreadable]) {
    expect(`${fieldName(path)}: ${orderSentence(message)}`).not.toMatch(
      /\b[a-z]+[A-Z]\w*|\w+\.\w+[A-Z]|\[\d|\b(total|rows|customer|currency)\b/,
    );
  }
});
