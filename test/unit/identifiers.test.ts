import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { countryOf, isEuCountry, vatPrefixOf } from '#src/domain/basics/countries.ts';
import {
  formatOrganizationNumber,
  normalizeOrganizationNumber,
  normalizeVatNumber,
} from '#src/domain/basics/identifiers.ts';
import { isLuhnValid, luhnDigit } from '#src/domain/basics/luhn.ts';

const digits = fc.stringMatching(/^\d{1,20}$/);

describe('Luhn', () => {
  it('finds its own digit right and every other wrong', () => {
    fc.assert(
      fc.property(digits, fc.integer({ min: 0, max: 9 }), (text, digit) => {
        expect(isLuhnValid(`${text}${digit}`)).toBe(digit === luhnDigit(text));
      }),
    );
  });

  it('catches any single mistyped digit', () => {
    fc.assert(
      fc.property(digits, fc.nat(), fc.integer({ min: 1, max: 9 }), (text, at, change) => {
        const reference = `${text}${luhnDigit(text)}`;
        const index = at % reference.length;
        const digit = (Number(reference[index]) + change) % 10;
        const mistyped = reference.slice(0, index) + digit + reference.slice(index + 1);
        expect(isLuhnValid(mistyped)).toBe(false);
      }),
    );
  });

  test.each(['58056201', '9912346', '3783511', '1609908'])('bankgiro %s is valid', (number) => {
    expect(isLuhnValid(number)).toBe(true);
  });

  test.each(['', '0', 'abc', '12 34'])('%j is no number at all', (text) => {
    expect(isLuhnValid(text)).toBe(false);
  });
});

describe('organisation numbers', () => {
  test.each([
    ['556702-6934', '5567026934'],
    ['5567026934', '5567026934'],
    ['16556702-6934', '5567026934'],
    ['165567026934', '5567026934'],
    [' 212000-0142 ', '2120000142'],
    ['556036–0793', '5560360793'],
    ['19811218-9876', '8112189876'],
    ['811218-9876', '8112189876'],
    ['811218+9876', '8112189876'],
    ['198112789874', null],
    ['556702-6935', null],
    ['195567026934', null],
    ['168112189876', null],
    ['0000000000', null],
    ['55670269', null],
    ['SE556702693401', null],
    ['', null],
  ])('%j is stored as %j', (text, expected) => {
    expect(normalizeOrganizationNumber(text)).toBe(expected);
  });

  it('accepts a co-ordination number, whose day has 60 added', () => {
    const number = `811278987${luhnDigit('811278987')}`;
    expect(normalizeOrganizationNumber(number)).toBe(number);
  });

  it('is printed the way Swedes write it', () => {
    expect(formatOrganizationNumber('5567026934')).toBe('556702-6934');
  });
});

describe('VAT numbers', () => {
  test.each([
    ['SE556702693401', 'SE556702693401'],
    ['se 556702-6934 01', 'SE556702693401'],
    ['SE556702693501', null],
    ['SE5567026934', null],
    ['de 123 456 789', 'DE123456789'],
    ['DE12345678', null],
    ['GR123456789', 'EL123456789'],
    ['el123456789', 'EL123456789'],
    ['NL123456789B01', 'NL123456789B01'],
    ['ATU12345678', 'ATU12345678'],
    ['FRAB123456789', 'FRAB123456789'],
    ['ESX1234567L', 'ESX1234567L'],
    ['ES12345678Z', 'ES12345678Z'],
    ['BE 0123.456.789', 'BE0123456789'],
    ['XI123456789', 'XI123456789'],
    ['GB123456789', null],
    ['NO123456789MVA', null],
    ['5567026934', null],
    ['', null],
  ])('%j is stored as %j', (text, expected) => {
    expect(normalizeVatNumber(text)).toBe(expected);
  });
});

describe('countries', () => {
  test.each([
    ['se', 'SE'],
    [' De ', 'DE'],
    ['EL', 'GR'],
    ['uk', 'GB'],
    ['XI', 'XI'],
    ['ZZ', null],
    ['Sverige', null],
    ['', null],
  ])('%j is %j', (code, expected) => expect(countryOf(code)).toBe(expected));

  it('counts the 27 member states and Monaco, not Åland, as the VAT area', () => {
    const states = `AT BE BG HR CY CZ DK EE FI FR DE GR EL HU IE IT LV LT LU MT NL PL PT RO SK SI
      ES SE MC`;
    for (const code of states.split(/\s+/)) expect(isEuCountry(code)).toBe(true);
    for (const code of ['AX', 'XI', 'GB', 'UK', 'NO', 'CH', 'US', 'RE', 'ZZ']) {
      expect(isEuCountry(code)).toBe(false);
    }
    expect(['GR', 'MC', 'XI', 'DE', 'US'].map(vatPrefixOf)).toEqual(['EL', 'FR', 'XI', 'DE', null]);
  });
});
