/**
 * The language in which words are said. Swedish is written where it is said, as say`Ordern är avvisad.`; whoever
 * reads English gets what the catalogue (`english/`) has for that very sentence, with the same values in it.
 *
 * Which language that is follows the call through everything it waits for, as a gettext library's active language
 * does: `speaking` begins it, where a person is let in to a page (`pages/person.ts`). Nobody else ever speaks anything but
 * Swedish: no key, no command, no worker.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';

export const languages = ['en', 'sv'] as const;
export type Language = (typeof languages)[number];

export const isLanguage = (text: string): text is Language =>
  (languages as readonly string[]).includes(text);

const spoken = new AsyncLocalStorage<Language>();

export const language = (): Language => spoken.getStore() ?? 'sv';

/** Runs `work`, and whatever it waits for, in that language. */
export const speaking = <T>(of: Language, work: () => T): T =>
  of === language() ? work() : spoken.run(of, work);

/** Loaded when somebody first reads English: a command or a worker, which never does, starts without its sentences. */
let catalogue: ReadonlyMap<string, string> | undefined;
const english = (): ReadonlyMap<string, string> => {
  catalogue ??= (require('./english/index.ts') as typeof import('./english/index.ts')).english;
  return catalogue;
};
const require = createRequire(import.meta.url);

type Said = string | number | bigint;

/** As the catalogue has it: `Kvoten är {0} anrop i timmen.` */
const keyOf = (texts: readonly string[]): string =>
  texts.reduce((key, text, place) => `${key}{${place - 1}}${text}`);

/** The English of each place in the code where something is said, found once. */
const found = new WeakMap<readonly string[], string>();

function englishOf(texts: TemplateStringsArray, context: string | undefined): string {
  const known = found.get(texts);
  if (known !== undefined) return known;
  const words = englishFor(keyOf(texts), context);
  found.set(texts, words);
  return words;
}

/** What the catalogue has for this very place, else for the words; the Swedish when it has neither. */
const englishFor = (swedish: string, context: string | undefined): string =>
  english().get(`${context}|${swedish}`) ?? english().get(swedish) ?? swedish;

type Say = (texts: TemplateStringsArray, ...values: readonly Said[]) => string;

/**
 * One Swedish word may be several English ones. What is said of `order` is looked up as `order|Avvisad`; it says where the
 * word stands, as gettext's context does.
 */
export const sayOf =
  (context: string | undefined): Say =>
  (texts, ...values) => {
    if (language() === 'sv') return String.raw({ raw: texts }, ...values);
    const words = englishOf(texts, context);
    return words.replace(/\{(\d+)\}/g, (_, place) => String(values[Number(place)]));
  };

/** A sentence, or a part of one that the catalogue has by itself. */
export const say: Say = sayOf(undefined);

/** What stands ready in Swedish, said as it is: of a template, or of a table that others than pages read too. */
export const translated = (swedish: string, context?: string): string =>
  language() === 'sv' ? swedish : englishFor(swedish, context);

/** A table of words: made once for each language, when it is first read in it. */
export function worded<Table>(make: () => Table): () => Table {
  const made = new Map<Language, Table>();
  return () => {
    const of = language();
    const known = made.get(of);
    if (known !== undefined) return known;
    const table = make();
    made.set(of, table);
    return table;
  };
}
