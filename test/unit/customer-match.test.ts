import { describe, expect, it, test } from 'vitest';
import { matchCustomer, type NamedCustomer } from '#src/domain/sales/customer-match.ts';

const nobody: NamedCustomer = {
  externalId: null,
  name: 'Ingen',
  email: null,
  orgNumber: null,
  vatNumber: null,
};
const register = [
  { ...nobody, id: 'named', name: 'Epsilon AB', externalId: 'Å-17' },
  { ...nobody, id: 'vat', name: 'Alfa AB', vatNumber: 'SE556702693401' },
  { ...nobody, id: 'org', name: 'Beta AB', orgNumber: '5560360793' },
  { ...nobody, id: 'mail', name: 'Gamma AB', email: 'Order@Gamma.se' },
  { ...nobody, id: 'twin1', name: 'Tvilling', email: 'delad@example.se' },
  { ...nobody, id: 'twin2', name: 'Tvilling AB', email: 'delad@example.se' },
  { ...nobody, id: 'same1', name: 'Delta' },
  { ...nobody, id: 'same2', name: 'delta' },
];
const match = (buyer: Partial<NamedCustomer>): string | null =>
  matchCustomer({ ...nobody, ...buyer }, register)?.id ?? null;

describe('matchCustomer', () => {
  test.each([
    [{ vatNumber: 'se 556702-6934 01' }, 'vat'],
    [{ orgNumber: '16556036-0793' }, 'org'],
    [{ email: ' ORDER@gamma.SE ' }, 'mail'],
    [{ externalId: ' A\u030a-17 ', vatNumber: 'SE556702693401' }, 'named'],
    [{ externalId: 'å-17', vatNumber: 'SE556702693401' }, 'vat'],
    [{ externalId: ' ', name: 'Epsilon AB' }, 'named'],
    [{ name: '  beta ab ' }, 'org'],
    [{ name: 'Beta' }, null],
    [{ vatNumber: 'SE556702693401', orgNumber: '556036-0793', email: 'order@gamma.se' }, 'vat'],
    [{ vatNumber: 'DE999999999', orgNumber: '556036-0793' }, 'org'],
    [{}, null],
  ])('bills the right customer (%#)', (buyer, expected) => {
    expect(match(buyer)).toBe(expected);
  });

  it('never guesses between two customers that share a sign', () => {
    expect(match({ email: 'delad@example.se' })).toBeNull();
    expect(match({ email: 'delad@example.se', name: 'Tvilling AB' })).toBe('twin2');
    expect(match({ name: 'Delta' })).toBeNull();
  });

  it('does not take two blanks for the same customer', () => {
    const blank = { ...nobody, id: 'blank', name: '', email: '', orgNumber: ' ', vatNumber: '' };
    expect(matchCustomer({ ...nobody, name: ' ', email: ' ' }, [blank])).toBeNull();
  });
});
