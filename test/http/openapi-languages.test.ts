/** The API's description in English and Swedish: all of it said in both, and the one that is asked for. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { swedish } from '#src/api/swedish/index.ts';
import { preferredLanguage } from '#src/http/language.ts';
import type { Installation } from '../support/installation.ts';
import { openBooks } from './books.ts';

let books: Installation;
let english: object;
beforeAll(async () => {
  books = await openBooks();
  english = (await books.app.inject({ url: '/openapi.json' })).json();
});
afterAll(() => books.close());

interface Said {
  readonly at: string;
  readonly text: string;
}

/** Every sentence of the document: summaries, descriptions and tags, but no value that is an example. */
function sentencesOf(node: unknown, at = ''): Said[] {
  if (Array.isArray(node)) return node.flatMap((one, index) => sentencesOf(one, `${at}/${index}`));
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([name, value]): Said[] => {
    if (['example', 'examples', 'default', 'const', 'enum'].includes(name)) return [];
    const isSentence = ['summary', 'description'].includes(name) && typeof value === 'string';
    if (isSentence) return [{ at: `${at}/${name}`, text: value }];
    return sentencesOf(value, `${at}/${name}`);
  });
}

type Node = Readonly<Record<string, unknown>>;

/** Where nothing is said: of what has a name, and leads to nothing that is described. */
function undescribedIn(document: object): string[] {
  const { paths, webhooks, components } = document as Record<string, Record<string, Node>>;
  const operations = Object.entries({ ...paths, ...webhooks }).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Node>).map(([method, one]) => [path, method, one]),
  ) as [string, string, Node][];
  const ofOperations = operations.flatMap(([path, method, operation]) => {
    const { parameters = [], responses } = operation as {
      parameters?: Node[];
      responses: Record<string, Node>;
    };
    return [
      ...(operation['summary'] && operation['description'] ? [] : [`${method} ${path}`]),
      ...parameters.filter(isSilent).map(({ name }) => `${method} ${path} ?${name}`),
      ...Object.keys(responses).filter((status) => !responses[status]?.['description']),
    ];
  });
  const schemas = Object.entries(components?.['schemas'] ?? {}) as [string, Node][];
  const ofSchemas = schemas.filter(([, schema]) => isSilent(schema)).map(([name]) => name);
  return [...ofOperations, ...ofSchemas, ...schemas.flatMap(([name, one]) => fieldsOf(one, name))];
}

const isSilent = (one: Node): boolean =>
  !one['description'] && one['$ref'] === undefined && one['const'] === undefined;

function fieldsOf(node: unknown, at: string): string[] {
  if (Array.isArray(node)) return node.flatMap((one) => fieldsOf(one, at));
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([name, value]) => {
    if (['example', 'examples', 'default', 'const', 'enum'].includes(name)) return [];
    const fields = name === 'properties' ? Object.entries(value as Record<string, Node>) : [];
    const silent = fields.filter(([, field]) => isSilent(field));
    return [...silent.map(([field]) => `${at}.${field}`), ...fieldsOf(value, at)];
  });
}

/** A response's meaning is put together of those of its codes or kinds. */
const partsOf = (text: string): string[] =>
  /^`[a-z_]+`: /.test(text)
    ? text.split('\n\n').map((part) => part.replace(/^`[a-z_]+`: /, ''))
    : [text];

const inBody = async (query: string, headers: Record<string, string> = {}) =>
  books.app.inject({ url: `/openapi.json${query}`, headers });

describe('both languages', () => {
  test('every sentence has its Swedish one, and no entry is left over', async () => {
    const sentences = sentencesOf(english).flatMap(({ text }) => partsOf(text));
    // What a response of several kinds means is theirs together.
    const isTogether = (text: string) =>
      text.includes('. ') && text.split('. ').every((part) => swedish.has(part));
    const missing = sentences.filter((text) => !swedish.has(text) && !isTogether(text));
    expect([...new Set(missing)], 'sentences for src/api/swedish').toEqual([]);
    const { tags } = english as { tags: { name: string }[] };
    const used = new Set([...sentences, ...tags.map(({ name }) => name)]);
    const unused = [...swedish.keys()].filter((text) => !used.has(text));
    expect(unused, 'entries of src/api/swedish that nothing says').toEqual([]);
  });

  test('no operation, parameter, field, schema or answer is left without a description', () => {
    expect(undescribedIn(english)).toEqual([]);
  });

  test('the English one has no Swedish, but for what is quoted as it stands', () => {
    const swedishOnes = sentencesOf(english).filter(({ text }) =>
      /[åäö]/i.test(text.replace(/`[^`]*`/g, '')),
    );
    expect(swedishOnes).toEqual([]);
  });

  test('the Swedish one says the same of the same: only words differ', async () => {
    const translated = (await inBody('?lang=sv')).json();
    const without = (document: object) =>
      JSON.parse(
        JSON.stringify(document, (name, value) => {
          if (['summary', 'description'].includes(name) && typeof value === 'string') return '';
          return name === 'tags' ? [] : value;
        }),
      );
    expect(without(translated)).toEqual(without(english));
    const texts = sentencesOf(english).map(({ text }) => text);
    const alike = sentencesOf(translated).filter(
      ({ text }, index) => text === texts[index] && swedish.get(text) !== text,
    );
    expect(alike).toEqual([]);
    expect(translated.tags[1].name).toBe('Verifikat');
    expect(translated.paths['/api/v1/verifikat'].post.tags).toEqual(['Verifikat']);
  });
});

describe('which language', () => {
  test.each([
    ['', {}, 'en'],
    ['', { 'accept-language': 'sv-SE,sv;q=0.9,en;q=0.8' }, 'sv'],
    ['', { 'accept-language': 'de,*;q=0.1' }, 'en'],
    ['?lang=en', { 'accept-language': 'sv' }, 'en'],
    ['?lang=sv', {}, 'sv'],
  ])('%s with %o is answered in %s', async (query, headers, language) => {
    for (const path of ['/openapi.json', '/docs/json', '/docs']) {
      const answer = await books.app.inject({ url: `${path}${query}`, headers });
      expect(answer.headers).toMatchObject({
        'content-language': language,
        vary: 'Accept-Language',
      });
      if (path === '/docs') expect(answer.body).toContain(`<html lang="${language}">`);
    }
  });

  test('a language there is not is refused, and said', async () => {
    for (const path of ['/openapi.json', '/docs']) {
      const answer = await books.app.inject({ url: `${path}?lang=de` });
      expect(answer.statusCode).toBe(400);
      expect(answer.json().detail.problems[0]).toMatchObject({
        path: 'lang',
        reason: 'unknown_value',
        message: expect.stringContaining('en, sv'),
      });
    }
  });

  test('who has it already is told so, in the language that they have', async () => {
    const { headers } = await inBody('?lang=sv');
    const etag = String(headers['etag']);
    expect((await inBody('?lang=sv', { 'if-none-match': etag })).statusCode).toBe(304);
    expect((await inBody('?lang=en', { 'if-none-match': etag })).statusCode).toBe(200);
  });

  test.each([
    ['', 'en'],
    ['sv', 'sv'],
    ['en;q=0.5, sv;q=0.7', 'sv'],
    ['sv;q=0, en', 'en'],
    ['sv;q=0', 'en'],
    ['SV-FI', 'sv'],
    ['en, sv', 'en'],
    [';;;,,q=', 'en'],
    ['sv;q=x', 'sv'],
  ])('of %j comes %s', (header, language) => {
    expect(preferredLanguage(header)).toBe(language);
  });
});
