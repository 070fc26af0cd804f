/** English for whoever has chosen it: where it is, and that Swedish is nowhere else than it says. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { db } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { createInstallation, type Installation } from '../support/installation.ts';
import { type LoggedIn, logIn } from '../support/person.ts';
import { tries } from '../support/tries.ts';
import { crawl } from './crawl.ts';

let installation: Installation;
let reader: LoggedIn;
let swede: LoggedIn;
beforeAll(async () => {
  installation = await createInstallation({ content: 'demo' });
  swede = await logIn(installation, 'agare');
  reader = await logIn(installation, 'agare');
  await reader.submit('/mitt-konto/sprak', { language: 'en' }, '/mitt-konto');
});
afterAll(() => installation.close());

const languageOf = (html: string): string => /<html lang="(\w+)">/.exec(html)?.[1] ?? '';
const mainOf = (html: string): string => /<main[\s\S]*<\/main>/.exec(html)?.[0] ?? '';
const navOf = (html: string): string => /<nav id="meny"[\s\S]*?<\/nav>/.exec(html)?.[0] ?? '';

/** What is read or heard of it, without what people and shops have written and what is marked as Swedish. */
function wordsOf(html: string): string[] {
  const marked = /<(\w+)[^>]* lang="sv"[^>]*>[\s\S]*?<\/\1>/g;
  const written = /<(bdi|code|pre|textarea|option|title)\b[\s\S]*?<\/\1>/g;
  const bare = html.replaceAll(marked, '').replaceAll(written, ' … ');
  const heard = [
    ...bare.matchAll(/\s(?:aria-label|title|alt|placeholder|data-confirm)="([^"]*)"/g),
  ];
  const read = bare.replaceAll(/<[^>]*>/g, '\n').split('\n');
  return (
    [...heard.map(([, words = '']) => words), ...read]
      .map((words) => words.trim())
      .filter((words) => /\p{L}{2}/u.test(words))
      // What people and programs have called things, where no element can be put around it.
      .filter(
        (words) => !/^Select (Voucher|Invoice draft|Supplier invoice|Order)|: en$/.test(words),
      )
  );
}

/** Words that no English sentence has, and hardly any name. */
const swedish =
  /(?<![\p{L}-])(och|är|inte|med|för|av|den|det|som|har|en|ett|från|eller|kan|ska|på|om|vid|inga|ingen|inget|alla|efter|utan|rad|visa|sök|spara|avvisa|bokför\w*|fakturor?|moms|belopp|läge)(?![\p{L}\p{N}-])/iu;

describe('whoever has chosen English', () => {
  test('reads those pages in it, wholly, and all others in Swedish that says so', async () => {
    const { pages } = await crawl(reader, Math.min(tries(1), 3));
    const leaks: string[] = [];
    const seen = { en: 0, sv: 0 };
    for (const [address, body] of pages) {
      if (!body.includes('id="meny"')) continue;
      const language = languageOf(body);
      seen[language as 'en' | 'sv'] += 1;
      if (language === 'sv') {
        expect([address, body.includes('<div class="side" lang="en">')]).toEqual([address, true]);
        continue;
      }
      const words = [...wordsOf(mainOf(body)), ...wordsOf(navOf(body))];
      leaks.push(...words.filter((one) => swedish.test(one)).map((one) => `${address}: ${one}`));
      expect([address, body.includes('<div class="side">')]).toEqual([address, true]);
    }
    expect(leaks).toEqual([]);
    expect(seen.en).toBeGreaterThan(20);
    expect(seen.sv).toBeGreaterThan(40);
  }, 300_000);

  test('finds the menu in English everywhere, and is told which of its pages are Swedish', async () => {
    for (const address of ['/order', '/verifikat']) {
      const nav = navOf((await reader.get(address)).body);
      expect(nav).toContain('<a href="/verifikat" hreflang="sv"');
      expect(nav).toContain('>Vouchers</a>');
      expect(nav).toMatch(/<a href="\/order"(?: aria-current="page")?>Orders<\/a>/);
      expect(nav).toContain('>Log out</button>');
      expect(nav).toContain('<p class="quiet">Owner</p>');
    }
  });

  test('is told in English what was done and what was refused there', async () => {
    const name = `Shop ${Math.random()}`;
    const empty = await reader.submit('/installningar/api-nycklar/ny', { name: '', quota: 'x' });
    expect(empty.statusCode).toBe(400);
    for (const words of [
      'Fill in the field.',
      'Write a whole number, 1–1000000000.',
      'Choose at least one scope.',
      'Put right what is marked and try again.',
    ]) {
      expect(empty.body).toContain(words);
    }
    const made = await reader.submit('/installningar/api-nycklar/ny', {
      name,
      scopes: 'intake:write',
      quota: '600',
    });
    expect(made.body).toContain('The key is shown only now');
    expect(made.body).toContain('Scopes: Hands in');
    const [, href = ''] =
      /href="(\/installningar\/api-nycklar\/[0-9a-f-]{36})"/.exec(made.body) ?? [];
    const quota = await reader.submit(href, { quota: '1200' });
    expect(quota.statusCode).toBe(303);
    const { body } = await reader.get(href);
    expect(body).toContain('<p class="notice" role="status">The quota is 1,200 calls an hour.</p>');
    const gone = await reader.get('/order/00000000-0000-4000-8000-000000000000');
    expect([gone.statusCode, languageOf(gone.body)]).toEqual([404, 'en']);
    expect(gone.body).toContain('The page does not exist');
    expect(gone.body).toContain('The order does not exist.');
  });

  test('may lack a right, and is told so in English', async () => {
    const lasare = await logIn(installation, 'lasare');
    await lasare.submit('/mitt-konto/sprak', { language: 'en' }, '/mitt-konto');
    const { statusCode, body } = await lasare.get('/drift');
    expect([statusCode, languageOf(body)]).toEqual([403, 'en']);
    expect(body).toContain('Your role (Reader) does not suffice for this; ask an administrator.');
  });

  test('is told in its own language what an English page says on a Swedish one', async () => {
    const answer = await reader.submit('/mitt-konto/sprak', { language: 'en' }, '/mitt-konto');
    expect(answer.headers.location).toBe('/mitt-konto');
    const { body } = await reader.get('/mitt-konto');
    expect(languageOf(body)).toBe('sv');
    expect(body).toContain('<p class="notice" role="status" lang="en">The menu, and the pages');
  });

  test('writes nothing in English that others read: the log is the same, and told to each in their own', async () => {
    const { body: theirs } = await swede.get('/handelser?vad=user.language_chosen');
    expect(theirs).toContain('valde språk: en');
    const { body: ours } = await reader.get('/handelser?vad=user.language_chosen');
    expect(ours).toContain('chose the language: en');
    const csv = await reader.get('/handelser.csv?vad=user.language_chosen');
    expect(csv.body).toContain('valde språk: en');
  });
});

describe('everybody else', () => {
  test('has nothing but Swedish, and no word of another language in the frame but the way to it', async () => {
    for (const address of ['/order', '/verifikat', '/installningar/webhooks']) {
      const { body } = await swede.get(address);
      expect([address, languageOf(body)]).toEqual([address, 'sv']);
      expect(body).not.toContain('hreflang');
      expect(body.match(/lang="\w+"/g)).toEqual(['lang="sv"', 'lang="en"']);
    }
  });

  test('meets Swedish before the log-in, also a browser in which English was read', async () => {
    const person = await logIn(installation, 'lasare');
    await person.submit('/mitt-konto/sprak', { language: 'en' }, '/mitt-konto');
    expect(languageOf((await person.get('/order')).body)).toBe('en');
    await person.submit('/logga-ut', {}, '/mitt-konto');
    const { headers } = await person.get('/order');
    expect(String(headers.location)).toContain('/logga-in');
    const { body } = await person.get('/logga-in');
    expect(languageOf(body)).toBe('sv');
    expect(body).toContain('Lösenord');
  });
});

describe('the choice', () => {
  test('is written down once, by whoever made it, and comes back by itself at the next log-in', async () => {
    const person = await logIn(installation, 'lasare');
    const chosen = () =>
      db(installation.owner).query(
        sql`select detail from audit.events where action = 'user.language_chosen' and subject = ${person.id}
            order by occurred_at, id`,
      );
    for (const language of ['en', 'en', 'sv']) {
      await person.submit('/mitt-konto/sprak', { language }, '/mitt-konto');
    }
    expect(await chosen()).toEqual([
      { detail: { language: 'en' } },
      { detail: { language: 'sv' } },
    ]);
    expect(languageOf((await person.get('/order')).body)).toBe('sv');
  });

  test('is one of those there are', async () => {
    const person = await logIn(installation, 'lasare');
    const answer = await person.submit('/mitt-konto/sprak', { language: 'xx' }, '/mitt-konto');
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain('Välj något av alternativen.');
    expect(languageOf((await person.get('/order')).body)).toBe('sv');
  });
});

test('two who read at once are each answered in their own language', async () => {
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) => (index % 2 ? reader : swede).get('/order')),
  );
  const found = answers.map(({ body }) => [languageOf(body), /<h1>(\w+)</.exec(body)?.[1]]);
  expect(found).toEqual(
    Array.from({ length: 40 }, (_, index) => (index % 2 ? ['en', 'Orders'] : ['sv', 'Order'])),
  );
});
