/**
 * Handlebars templates from `templates/`, compiled once. They hold placeholders, loops and ifs; every
 * value is escaped, and a name that the page did not give is an error instead of an empty spot. They are written in
 * Swedish; one in English is the same template with the words that the catalogue has for its own (`template-words.ts`).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import type Handlebars from 'handlebars';
import { type Language, speaking, translated } from '../lib/language.ts';
import { fontsVersion } from './fonts.ts';
import { mapWords } from './template-words.ts';

export type Render = (values: Readonly<Record<string, unknown>>) => string;

/** A page may be in another language than the frame around it, which is in that of whoever looks. */
export interface Languages {
  readonly page: Language;
  readonly frame: Language;
}

const require = createRequire(import.meta.url);
const root = join(import.meta.dirname, '../../templates');
const inSwedish: Languages = { page: 'sv', frame: 'sv' };
/** The partials that are the frame; all others stand within a page. */
const frameParts = new Set(['layout', 'keyboard-help']);

function read(path: string, language: Language): string {
  const source = readFileSync(join(root, path), 'utf8');
  if (language === 'sv') return source;
  const name = basename(path, '.hbs');
  return speaking(language, () => mapWords(source, (words) => translated(words, name)));
}

function environmentFor({ page, frame }: Languages): typeof Handlebars {
  // With the first page: a service that nobody looks at has its compiler not in memory, which is 4 MB.
  const handlebars = (require('handlebars') as typeof Handlebars).create();
  for (const file of readdirSync(join(root, 'partials'))) {
    const name = basename(file, '.hbs');
    handlebars.registerPartial(name, read(`partials/${file}`, frameParts.has(name) ? frame : page));
  }
  handlebars.registerPartial('document-fonts', `<meta name="fonts" content="${fontsVersion()}">`);
  return handlebars;
}

const environments = new Map<string, typeof Handlebars>();
const pages = new Map<string, Render>();

const keyOf = ({ page, frame }: Languages): string => `${page} in ${frame}`;

/** `name` as in `pages/welcome`. Values of several lines (`<pre>`, `<textarea>`) stand as they are. */
export function loadTemplate(name: string, languages = inSwedish): Render {
  const key = keyOf(languages);
  const handlebars = environments.get(key) ?? environmentFor(languages);
  environments.set(key, handlebars);
  const source = read(`${name}.hbs`, languages.page);
  // Indenting a partial would put spaces into every line of a text that somebody wrote.
  return handlebars.compile(source, { strict: true, preventIndent: true });
}

/** A text as it stands in a page. */
export const escaped = (text: string): string =>
  (require('handlebars') as typeof Handlebars).escapeExpression(text);

/** A page of the application by its template's name under `templates/pages`. */
export function renderPage(
  name: string,
  values: Readonly<Record<string, unknown>>,
  languages = inSwedish,
): string {
  const key = `${name} ${keyOf(languages)}`;
  const page = pages.get(key) ?? loadTemplate(`pages/${name}`, languages);
  pages.set(key, page);
  return page(values);
}
