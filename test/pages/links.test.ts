/** No link and no form leads to an address that does not exist: what templates and code write, against the routes. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript-5';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createInstallation, type Installation } from '../support/installation.ts';

/** What addresses begin with, and no address itself. */
const prefixes = new Set(['/api/', '/mitt-konto/andra-steget']);

const root = join(import.meta.dirname, '../..');

interface Link {
  readonly where: string;
  readonly method: 'GET' | 'POST' | 'any';
  /** The path; what is filled in is `{}`. */
  readonly path: string;
  /** It says where a page is (`url: '…'`), and leads nobody there. */
  readonly isPlace?: boolean;
}

let installation: Installation;
let patterns: readonly string[][];
beforeAll(async () => {
  installation = await createInstallation();
  patterns = patternsOf(installation.app.printRoutes({ commonPrefix: false }));
});
afterAll(() => installation.close());

/** Every route's path in its segments, out of Fastify's drawing of its tree. */
function patternsOf(tree: string): string[][] {
  const above: string[] = [];
  const paths: string[] = [];
  for (const line of tree.split('\n')) {
    const [, indent = '', own = '', methods] =
      /^((?:[│ ] {3})*)[├└]── (\S*)(?: \((.*)\))?$/.exec(line) ?? [];
    const depth = indent.length / 4;
    above.splice(depth, above.length, own);
    if (methods !== undefined) paths.push(above.join(''));
  }
  return paths.map(segmentsOf);
}

const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '');

const isRoute = (path: string): boolean => {
  const segments = segmentsOf(path);
  return patterns.some(
    (pattern) =>
      pattern.length === segments.length &&
      pattern.every(
        (part, index) =>
          part.startsWith(':') || segments[index] === '{}' || part === segments[index],
      ),
  );
};

/** Without query, fragment, and what a value appends to a word, as in `/kontoplan{{#if number}}…`. */
const plain = (written: string): string =>
  written.replace(/[?#].*$/s, '').replace(/([^/])\{\}.*$/s, '$1');

async function filesIn(folder: string, ending: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { recursive: true });
  return entries.filter((name) => name.endsWith(ending)).map((name) => `${folder}/${name}`);
}

async function linksOfTemplates(): Promise<Link[]> {
  const files = await filesIn('templates', '.hbs');
  const links = files.map(async (where): Promise<Link[]> => {
    const text = await readFile(join(root, where), 'utf8');
    const found = text.matchAll(/<[^>]*?\b(href|action|formaction)="(\/[^"]*)"[^>]*>/g);
    return [...found].map(([tag, attribute, written = '']) => ({
      where,
      method: attribute === 'formaction' || tag.includes('method="post"') ? 'POST' : 'GET',
      path: plain(written.replace(/\{\{[^}]*\}\}/g, '{}')),
    }));
  });
  return (await Promise.all(links)).flat();
}

/** Every literal that begins as an address does. */
async function linksOfCode(): Promise<Link[]> {
  const files = await filesIn('src/pages', '.ts');
  const links = files.map(async (where): Promise<Link[]> => {
    const text = await readFile(join(root, where), 'utf8');
    const source = ts.createSourceFile(where, text, ts.ScriptTarget.Latest, true);
    const found: string[] = [];
    const places = new Set<number>();
    const visit = (node: ts.Node): void => {
      if (ts.isStringLiteralLike(node)) {
        const { parent } = node;
        const isPlace = ts.isPropertyAssignment(parent) && parent.name.getText() === 'url';
        if (isPlace) places.add(found.length);
        found.push(node.text);
      }
      if (ts.isTemplateExpression(node)) {
        const rest = node.templateSpans.map(({ literal }) => `{}${literal.text}`);
        found.push([node.head.text, ...rest].join(''));
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
    return found
      .map((written, nth) => ({ written, isPlace: places.has(nth) }))
      .filter(({ written }) => /^\/[a-z]/.test(written) && !prefixes.has(written))
      .map(({ written, isPlace }) => {
        const path = plain(written.replace(/:\w+/g, '{}'));
        return { where, method: 'any', path, isPlace };
      });
  });
  return (await Promise.all(links)).flat();
}

describe('every address', () => {
  test('that a template links or sends to has a page', async () => {
    const links = (await linksOfTemplates()).filter(({ path }) => !path.startsWith('/public/'));
    expect(links.length).toBeGreaterThan(150);
    expect(links.filter(({ path }) => !isRoute(path))).toEqual([]);
    const id = '01980a3c-5b1e-7c3a-9d0f-2f6a4b8c1d2e';
    const refused: Link[] = [];
    for (const link of links) {
      const method = link.method === 'POST' ? 'POST' : 'GET';
      const url = link.path.replaceAll('{}', id);
      const { statusCode } = await installation.call({ method, url, key: null });
      if (statusCode === 405) refused.push(link);
    }
    expect(refused).toEqual([]);
  });

  test('that pages write has a page', async () => {
    const links = await linksOfCode();
    expect(links.length).toBeGreaterThan(150);
    expect(links.filter(({ path }) => !isRoute(path))).toEqual([]);
  });

  test('that a page has is led to from somewhere', async () => {
    const written = await linksOfCode();
    const links = [...(await linksOfTemplates()), ...written.filter(({ isPlace }) => !isPlace)];
    const led = new Set(links.map(({ path }) => path));
    const places = written.filter(({ isPlace, path }) => isPlace && !path.includes('{}'));
    expect(places.length).toBeGreaterThan(30);
    // What a script asks for while one types is no page.
    const pages = places.map(({ path }) => path).filter((path) => !path.includes('/forslag/'));
    const alone = pages.filter((path) => !led.has(path));
    expect(alone).toEqual([]);
  });

  test('that is none would be found', () => {
    expect(isRoute('/oversikt')).toBe(true);
    expect(isRoute('/verifikat/{}/ratta')).toBe(true);
    expect(isRoute('/finns-inte')).toBe(false);
    expect(isRoute('/verifikat/{}/finns-inte')).toBe(false);
  });
});
