/**
 * Strict JSON: what JSON.parse lets through but no careful reader should. Every finding names its
 * place as in `rows[2].note`.
 */

import { type Fault, type ParamsOf, type Refusal, refuse } from '../../lib/errors.ts';
import { capProblems } from './problems.ts';

const maxDepth = 32;
const utf8 = new TextDecoder('utf-8', { fatal: true });

const notJson = (params: ParamsOf<'not_json'>, cause?: unknown): Refusal =>
  refuse('invalid_request', [{ path: 'body', reason: 'not_json', params }], { cause });

/** Decodes and parses; throws `invalid_request` for what is not JSON in UTF-8, and says so of `of`, else of the body. */
export function parseJson(bytes: Uint8Array, of?: string): { text: string; value: unknown } {
  const named = of === undefined ? {} : { of };
  if (bytes.length === 0) throw notJson({ fault: 'empty', ...named });
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch (cause) {
    throw notJson({ fault: 'not_utf8', ...named }, cause);
  }
  try {
    return { text, value: JSON.parse(text) };
  } catch (cause) {
    const where = cause instanceof Error ? /position (\d+)/.exec(cause.message)?.[1] : undefined;
    throw notJson({ fault: 'syntax', stoppedAt: where ?? null, ...named }, cause);
  }
}

const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** A name as it may stand in an answer or be stored: what cannot be is escaped, as JSON does. */
const nameText = (name: string): string => (isStorable(name) ? name : JSON.stringify(name));

/** Where in a body something stands, as names and indexes from the outermost. */
const pathOf = (place: readonly (string | number)[]): string =>
  place.reduce<string>((path, key) => {
    if (typeof key === 'number') return `${path}[${key}]`;
    return path === '' ? nameText(key) : `${path}.${nameText(key)}`;
  }, '');

const tooDeep: Fault = { path: 'body', reason: 'too_deep', params: { maxDepth } };

/**
 * Strings that cannot be stored as they are (NUL, lone surrogates), nesting beyond any real body,
 * and names given twice, of which only the last would count.
 */
export function findJsonProblems(text: string, value: unknown): Fault[] {
  const problems: Fault[] = [];
  let names = 0;
  let isTooDeep = false;

  /** Of what is being looked at; said in words only when there is something to say of it. */
  const place: (string | number)[] = [];

  function checkString(string: string, path: () => string): void {
    if (isStorable(string)) return;
    const reason = string.includes('\0') ? 'nul_character' : 'lone_surrogate';
    problems.push({ path: path(), reason });
  }
  const pathOfPlace = (): string => pathOf(place) || 'body';
  const pathOfName = (): string => 'body';

  function walkInto(key: string | number, node: unknown): void {
    place.push(key);
    walk(node);
    place.pop();
  }

  function walk(node: unknown): void {
    if (typeof node === 'string') {
      checkString(node, pathOfPlace);
    } else if (typeof node === 'object' && node !== null) {
      if (place.length > maxDepth) {
        isTooDeep = true;
      } else if (Array.isArray(node)) {
        for (let index = 0; index < node.length; index += 1) walkInto(index, node[index]);
      } else {
        for (const name of Object.keys(node)) {
          names += 1;
          checkString(name, pathOfName);
          walkInto(name, (node as Readonly<Record<string, unknown>>)[name]);
        }
      }
    }
  }

  walk(value);
  if (isTooDeep) return [tooDeep];
  if (countNames(text) !== names) {
    problems.push({ path: findRepeatedName(text), reason: 'duplicate_name' });
  }
  return capProblems(problems);
}

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const space = 0x20;

/**
 * Visits each name in valid JSON (a string followed by a colon is a name; nothing else is) and each
 * brace. By character codes, because a regular expression backtracks through megabyte strings.
 */
function scan(
  text: string,
  onName: (from: number, to: number) => void,
  onBrace?: (brace: string) => void,
): void {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      const from = at;
      at += 1;
      while (text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1;
      let next = at + 1;
      while (text.charCodeAt(next) <= space) next += 1;
      if (text.charCodeAt(next) === colon) onName(from, at + 1);
    } else if (onBrace && (text[at] === '{' || text[at] === '}')) {
      onBrace(text[at] as string);
    }
  }
}

function countNames(text: string): number {
  let count = 0;
  scan(text, () => {
    count += 1;
  });
  return count;
}

/** Walks the text once more, now that a repeated name is known to be there, to say which. */
function findRepeatedName(text: string): string {
  const open: Set<string>[] = [];
  let repeated: string | undefined;
  scan(
    text,
    (from, to) => {
      const name = String(JSON.parse(text.slice(from, to)));
      if (open.at(-1)?.has(name)) repeated ??= name;
      open.at(-1)?.add(name);
    },
    (brace) => {
      if (brace === '{') open.push(new Set());
      else open.pop();
    },
  );
  return repeated === undefined ? 'body' : nameText(repeated);
}

/** JSON text on lines of its own, every name and value exactly as it came. The text must be JSON. */
export function indentJson(text: string): string {
  const parts: string[] = [];
  let depth = 0;
  const newLine = () => parts.push('\n', '  '.repeat(depth));
  for (const [token] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g)) {
    if (token === '}' || token === ']') {
      depth -= 1;
      // What was opened and closed at once stays on its line.
      if (/^[[{]$/.test(parts.at(-3) ?? '')) parts.splice(-2);
      else newLine();
      parts.push(token);
    } else if (token === '{' || token === '[') {
      depth += 1;
      parts.push(token);
      newLine();
    } else if (token === ',') {
      parts.push(token);
      newLine();
    } else {
      parts.push(token === ':' ? ': ' : token);
    }
  }
  return parts.join('');
}

/**
 * The one text of a JSON value, whatever the order of names or form of numbers it came with. Written here
 * rather than by JSON.stringify of objects made in order, which takes ten times as long.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (typeof value === 'string' && plainText.test(value)) return `"${value}"`;
  if (typeof value !== 'object' || value === null || hasOwnText(value))
    return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const fields = value as Readonly<Record<string, unknown>>;
  let text = '{';
  for (const name of sortedNames(fields)) {
    const field = fields[name];
    if (field === undefined) continue;
    if (text !== '{') text += ',';
    text += `${canonicalJson(name)}:${canonicalJson(field)}`;
  }
  return `${text}}`;
}

/** The top-level fields in which two bodies differ, whatever their spacing, order and form of numbers. */
export function differingFields(first: unknown, second: unknown): string[] {
  const [one, other] = [first, second].map((body) =>
    typeof body === 'object' && body !== null ? (body as Readonly<Record<string, unknown>>) : {},
  ) as [Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>];
  return [...new Set([...Object.keys(one), ...Object.keys(other)])]
    .filter((field) => canonicalJson(one[field]) !== canonicalJson(other[field]))
    .sort();
}

/** Few are put in order where they stand: sorting as for many takes up nine hundred bytes each time. */
function sortedNames(fields: object): string[] {
  const names = Object.keys(fields);
  if (names.length > fewNames) return names.sort();
  for (let at = 1; at < names.length; at += 1) {
    const name = names[at] as string;
    let to = at;
    for (; to > 0 && (names[to - 1] as string) > name; to -= 1) {
      names[to] = names[to - 1] as string;
    }
    names[to] = name;
  }
  return names;
}
const fewNames = 16;

/** What stands in JSON as it is: no quotation mark, backslash, control character or half of a pair. */
const plainText = /^[ !#-[\]-\ud7ff]*$/;

/** A moment says itself what it is as JSON; what was read from JSON never does. */
const hasOwnText = (value: object): boolean =>
  'toJSON' in value && typeof value.toJSON === 'function';
