/** The finished description in another language than English, in which it is written. */
import type { Language } from '../lib/language.ts';
import { swedish } from './swedish/index.ts';

/** Fields of values, which are nobody's words. */
const values = new Set(['example', 'examples', 'default', 'const', 'enum']);

/** The document with its summaries, descriptions and tags as that language has them. */
export function inLanguage<Document extends object>(
  document: Document,
  language: Language,
): Document {
  if (language === 'en') return document;
  const said = (text: string): string => swedish.get(text) ?? text;
  const wordOf = (name: string, value: unknown): unknown => {
    if (values.has(name)) return value;
    const isSaid = name === 'description' || name === 'summary';
    if (isSaid && typeof value === 'string') return said(value);
    if (name === 'tags' && Array.isArray(value)) {
      return value.map((tag) => (typeof tag === 'string' ? said(tag) : translated(withName(tag))));
    }
    return translated(value);
  };
  const withName = (tag: { readonly name: string }) => ({ ...tag, name: said(tag.name) });
  const translated = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(translated);
    if (typeof node !== 'object' || node === null) return node;
    return Object.fromEntries(
      Object.entries(node).map(([name, value]) => [name, wordOf(name, value)]),
    );
  };
  return translated(document) as Document;
}
