/**
 * Handlebars templates from `templates/`, compiled once. They hold placeholders, loops and ifs; every
 * value is escaped, and a name that the page did not give is an error instead of an empty spot.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import Handlebars from 'handlebars';

export type Render = (values: Readonly<Record<string, unknown>>) => string;

const root = join(import.meta.dirname, '../../templates');
const handlebars = Handlebars.create();

for (const file of readdirSync(join(root, 'partials'))) {
  const source = readFileSync(join(root, 'partials', file), 'utf8');
  handlebars.registerPartial(basename(file, '.hbs'), source);
}

/** `name` as in `pages/welcome`. */
export function loadTemplate(name: string): Render {
  const source = readFileSync(join(root, `${name}.hbs`), 'utf8');
  // Indenting partials would indent what stands in them too: the lines of a text that somebody typed.
  return handlebars.compile(source, { strict: true, preventIndent: true });
}

const pages = new Map<string, Render>();

/** A page of the application by its template's name under `templates/pages`. */
export function renderPage(name: string, values: Readonly<Record<string, unknown>>): string {
  const page = pages.get(name) ?? loadTemplate(`pages/${name}`);
  pages.set(name, page);
  return page(values);
}
