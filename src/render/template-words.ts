/**
 * The words of a template, found where they stand: what is between tags and blocks, and in the attributes that people
 * read or hear. A value in the middle of a sentence belongs to it, as `Senast {{backup.at}}.`; so a template in another
 * language is the same tags, blocks and values with other words between, and no value is ever looked at.
 */

const comment = String.raw`\{\{!--[\s\S]*?--\}\}|<!--[\s\S]*?-->`;
const mustache = String.raw`\{\{[\s\S]*?\}\}`;
const tag = String.raw`<(?:${mustache}|[^<>{]|\{(?!\{))*>`;
const parts = new RegExp(`${comment}|${mustache}|${tag}`, 'g');

/** A value, as against a block, a partial or a comment. */
const isValue = (part: string): boolean => /^\{\{(?!else\b)[\w@.]/.test(part);
const spokenAttributes = /\s(aria-label|title|alt|placeholder|data-confirm)="([^"]*)"/g;
/** What stands in these is typed to machines, the same in every language. */
const codeOpens = /^<(code|kbd)\b/;
const codeEnds = /^<\/(code|kbd)>/;

const hasLetters = (words: string): boolean =>
  /\p{L}/u.test(words.replaceAll(new RegExp(mustache, 'g'), '').replaceAll(/&\w+;/g, ''));

/** The template with each of its words made what `of` says; they come with single spaces between. */
export function mapWords(source: string, of: (words: string) => string): string {
  let made = '';
  let run = '';
  let isCode = false;
  const flush = () => {
    const words = run.trim();
    const spoken = isCode || !hasLetters(words) ? words : of(words.replaceAll(/\s+/g, ' '));
    const begins = run.length - run.trimStart().length;
    made += run.slice(0, begins) + spoken + run.slice(begins + words.length);
    run = '';
  };
  let end = 0;
  for (const { 0: part, index } of source.matchAll(parts)) {
    run += source.slice(end, index);
    end = index + part.length;
    if (isValue(part)) {
      run += part;
      continue;
    }
    flush();
    if (codeOpens.test(part)) isCode = true;
    if (codeEnds.test(part)) isCode = false;
    made += part.startsWith('<') ? withAttributes(part, of) : part;
  }
  run += source.slice(end);
  flush();
  return made;
}

const withAttributes = (part: string, of: (words: string) => string): string =>
  part.replaceAll(
    spokenAttributes,
    (_, name: string, value: string) => ` ${name}="${mapWords(value, of)}"`,
  );

/** The words in the order they stand. */
export function wordsIn(source: string): string[] {
  const found: string[] = [];
  mapWords(source, (words) => {
    found.push(words);
    return words;
  });
  return found;
}
