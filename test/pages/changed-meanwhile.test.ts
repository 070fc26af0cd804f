/** Two tabs, or two people, that have the same form open: who saves last is told, and overwrites nothing unseen. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createInstallation, type Installation } from '../support/installation.ts';
import { errorAt, textOfPage } from '../support/pages.ts';
import { type LoggedIn, logIn, tokensOf } from '../support/person.ts';

let books: Installation;
let owner: LoggedIn;
let other: LoggedIn;
beforeAll(async () => {
  books = await createInstallation();
  owner = await logIn(books, 'agare');
  other = await logIn(books, 'agare');
});
afterAll(() => books.close());

const openedBy = async (person: LoggedIn, url: string) => {
  const { body } = await person.get(url);
  return tokensOf(body);
};
/** What stands in a field of a page. */
const standsIn = (html: string, name: string): string | undefined =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1];

/** What a form's page would send if nothing were touched, but for longer texts. */
function typedIn(html: string): Record<string, string> {
  const inputs = html.matchAll(
    /<input type="(?:text|email)" id="[^"]*" name="([^"]*)" value="([^"]*)"|<input type="(?:radio|checkbox)" id="[^"]*" name="([^"]*)" value="([^"]*)" checked/g,
  );
  const selects = html.matchAll(
    /<select id="[^"]*" name="([^"]*)"(?:(?!<\/select>)[\s\S])*?<option value="([^"]*)" selected/g,
  );
  return Object.fromEntries(
    [...inputs, ...selects].map(([, name, value, chosen, choice]) => [
      name ?? chosen ?? '',
      value ?? choice ?? '',
    ]),
  );
}

async function made(url: string, fields: Record<string, string>): Promise<string> {
  const answer = await owner.submit(url, fields);
  expect(answer.statusCode, textOfPage(answer.body)).toBe(303);
  return String(answer.headers.location);
}

describe('whoever saves last', () => {
  test.each([
    {
      what: 'a customer',
      make: () => made('/kunder/ny', { name: 'Nordljus AB', countryCode: 'SE', city: 'Luleå' }),
      form: (page: string) => `${page}/andra`,
      base: {
        name: 'Nordljus AB',
        countryCode: 'SE',
        city: 'Luleå',
        phone: '',
        email: '',
        isActive: 'on',
      },
      theirs: { phone: '090-12 34 56' },
      mine: { email: 'faktura@nordljus.se' },
    },
    {
      what: 'a supplier',
      make: () => made('/leverantorer/ny', { name: 'Elbolaget AB', countryCode: 'SE' }),
      form: (page: string) => `${page}/andra`,
      base: { name: 'Elbolaget AB', countryCode: 'SE', phone: '', email: '', isActive: 'on' },
      theirs: { phone: '090-12 34 56' },
      mine: { email: 'el@bolaget.se' },
    },
  ])('of $what hears what the other saved, and saves both', async (one) => {
    const url = one.form(await one.make());
    const tokens = await openedBy(owner, url);
    const theirs = await other.submit(url, { ...one.base, ...one.theirs });
    expect(theirs.statusCode, textOfPage(theirs.body)).toBe(303);

    const told = await owner.post(url, { ...tokens, ...one.base, ...one.mine });
    expect(told.statusCode).toBe(422);
    expect(textOfPage(told.body)).toContain('Inget av ditt är sparat än');
    expect(errorAt(told.body, 'phone')).toContain('här står nu det som är sparat');
    expect(standsIn(told.body, 'phone')).toBe(one.theirs.phone);
    expect(standsIn(told.body, 'email')).toBe(one.mine.email);

    const both = { ...one.base, ...one.mine, ...one.theirs };
    const saved = await owner.post(url, { ...tokensOf(told.body), ...both });
    expect(saved.statusCode, textOfPage(saved.body)).toBe(303);
    const { body } = await owner.get(url);
    expect([standsIn(body, 'phone'), standsIn(body, 'email')]).toEqual([
      one.theirs.phone,
      one.mine.email,
    ]);
  });

  test('hears nothing of the other forms of the page, which it does not send', async () => {
    const person = await logIn(books, 'lasare');
    const tokens = await openedBy(person, '/mitt-konto');
    await person.submit('/mitt-konto/sprak', { language: 'en' }, '/mitt-konto');
    const saved = await person.post('/mitt-konto', { ...tokens, name: 'Nytt namn' });
    expect([saved.statusCode, textOfPage(saved.body)]).toEqual([303, '']);
  });

  test('keeps what they typed where the other has written too, and reads what that was', async () => {
    const url = `${await made('/kunder/ny', { name: 'Ett AB', countryCode: 'SE' })}/andra`;
    const tokens = await openedBy(owner, url);
    const base = { countryCode: 'SE', isActive: 'on' };
    await other.submit(url, { ...base, name: 'Två AB' });
    const told = await owner.post(url, { ...tokens, ...base, name: 'Tre AB' });
    expect(errorAt(told.body, 'name')).toContain('Nu är sparat: Två AB');
    expect(standsIn(told.body, 'name')).toBe('Tre AB');
    const again = await owner.post(url, { ...tokensOf(told.body), ...base, name: 'Tre AB' });
    expect(again.statusCode).toBe(303);
    expect(standsIn((await owner.get(url)).body, 'name')).toBe('Tre AB');
  });

  test('is told of a third who saved while they looked at what the second had', async () => {
    const url = `${await made('/kunder/ny', { name: 'A AB', countryCode: 'SE' })}/andra`;
    const base = { countryCode: 'SE', isActive: 'on' };
    const tokens = await openedBy(owner, url);
    await other.submit(url, { ...base, name: 'B AB' });
    const told = await owner.post(url, { ...tokens, ...base, name: 'C AB' });
    await other.submit(url, { ...base, name: 'D AB' });
    const again = await owner.post(url, { ...tokensOf(told.body), ...base, name: 'C AB' });
    expect(errorAt(again.body, 'name')).toContain('Nu är sparat: D AB');
  });

  test('is not held up by a save of the very same, nor by what was saved in other fields of theirs', async () => {
    const url = `${await made('/kunder/ny', { name: 'Lika AB', countryCode: 'SE' })}/andra`;
    const same = { countryCode: 'SE', isActive: 'on', name: 'Samma AB' };
    const tokens = await openedBy(owner, url);
    await other.submit(url, same);
    expect((await owner.post(url, { ...tokens, ...same })).statusCode).toBe(303);
  });

  test('does not take back a setting that somebody else has just made', async () => {
    const url = '/installningar/foretag';
    const { body } = await owner.get(url);
    const typed = typedIn(body);
    const tokens = tokensOf(body);
    const theirs = await other.submit(url, { ...typed, company_phone: '08-123 45 67' });
    expect(theirs.statusCode, textOfPage(theirs.body)).toBe(303);
    const told = await owner.post(url, { ...tokens, ...typed, company_seat: 'Umeå' });
    expect(told.statusCode).toBe(422);
    expect(standsIn(told.body, 'company_phone')).toBe('08-123 45 67');
    expect(standsIn(told.body, 'company_seat')).toBe('Umeå');
  });

  test('of two at the same moment is told as well', async () => {
    const url = `${await made('/kunder/ny', { name: 'Samtidigt AB', countryCode: 'SE' })}/andra`;
    const base = { countryCode: 'SE', isActive: 'on' };
    const [mine, theirs] = [await openedBy(owner, url), await openedBy(other, url)];
    const answers = await Promise.all([
      owner.post(url, { ...mine, ...base, name: 'Först AB' }),
      other.post(url, { ...theirs, ...base, name: 'Sist AB' }),
    ]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([303, 422]);
  });
});
