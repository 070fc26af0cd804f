/** Accounts by the names that a company gives what orders are paid by. */
import { expect, test } from 'vitest';
import { readPaymentAccounts } from '#src/domain/sales/order-payments.ts';

test('means of orders come through money, and a tip is owed on a debt that has no way of its own', () => {
  expect([...(readPaymentAccounts(' Card 1686,, tip 2890 ') ?? [])]).toEqual([
    ['card', 1686],
    ['tip', 2890],
  ]);
  expect([...(readPaymentAccounts('') ?? [1])]).toEqual([]);
  for (const wrong of [
    ...['card', 'card 1510', 'card  1686', 'card 1686, card 1930', 'kassa-1/card 1686'],
    ...['tip 1930', 'tip 2099', 'tip 2440', 'tip 2611', 'tip 3001'],
  ]) {
    expect(readPaymentAccounts(wrong), wrong).toBeNull();
  }
});
