import { describe, expect, it, test } from 'vitest';
import { type Debtor, fillDebtor, ownDebtor } from '#src/domain/sales/debtor.ts';

const nobody: Debtor = {
  name: 'Bageriet AB',
  email: null,
  orgNumber: null,
  vatNumber: null,
  countryCode: null,
  address: null,
  postalCode: null,
  city: null,
  phone: null,
};
const register: Debtor = {
  name: 'Bageriet i Åmål AB',
  email: 'faktura@bageriet.example',
  orgNumber: '5567026934',
  vatNumber: 'SE556702693401',
  countryCode: 'SE',
  address: 'Storgatan 1',
  postalCode: '662 30',
  city: 'Åmål',
  phone: null,
};

describe('the debtor of an order', () => {
  it("is the order's own, its gaps filled from the register, and each can be told from the other", () => {
    const own = { ...nobody, email: 'Faktura@bageriet.example', orgNumber: '5567026934' };
    const { debtor, filled } = fillDebtor(own, register);
    expect(debtor).toEqual({ ...register, ...{ name: own.name, email: own.email } });
    expect([...filled].sort()).toEqual([
      'address',
      'city',
      'countryCode',
      'postalCode',
      'vatNumber',
    ]);
    expect(ownDebtor({ debtor, filled })).toEqual(own);
  });

  it('has the address of one or of the other, never half of each', () => {
    expect(fillDebtor({ ...nobody, city: 'Säffle' }, register).debtor).toMatchObject({
      address: null,
      city: 'Säffle',
    });
    const abroad = { ...nobody, vatNumber: register.vatNumber, countryCode: 'NO' };
    expect(fillDebtor(abroad, register).debtor).toMatchObject({ address: null, countryCode: 'NO' });
  });

  test.each<[string, Partial<Debtor>]>([
    ['another organisation number', { orgNumber: '5560360793' }],
    ['another VAT number', { vatNumber: 'DE123456789' }],
    ['a number that is not the one in the VAT number', { vatNumber: 'SE556036079301' }],
    ['another country', { countryCode: 'NO' }],
    ['another e-mail address, and nothing but the name in common', { email: 'erik@example.se' }],
  ])('is left as it came by a register with %s', (_name, facts) => {
    const own = { ...nobody, ...facts };
    expect(fillDebtor(own, register)).toEqual({ debtor: own, filled: [] });
  });

  it('is filled too where an earlier version stored no address', () => {
    const { name, email, orgNumber, vatNumber, countryCode } = nobody;
    const stored = { name, email, orgNumber, vatNumber, countryCode } as Debtor;
    const { debtor } = fillDebtor(ownDebtor({ debtor: stored, filled: [] }), register);
    expect(debtor).toMatchObject({ address: 'Storgatan 1', city: 'Åmål', phone: null });
  });

  it('is left as it came when nobody was found', () => {
    expect(fillDebtor(nobody, null)).toEqual({ debtor: nobody, filled: [] });
  });
});
