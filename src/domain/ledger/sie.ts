/**
 * SIE files as their text says (SIE filformat, utgåva 4B): posts with a label and fields, and the chart of
 * accounts they describe. Lenient where real files are: any line end, unknown posts, trailing fields,
 * and bytes in another encoding than the PC8 that the file claims.
 */
import { isDate, join } from '../basics/dates.ts';
import { normalizeOrganizationNumber } from '../basics/identifiers.ts';

/** IBM code page 437, the upper half: what SIE calls PC8. */
const pc8 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';
/** å ä ö Å Ä Ö in PC8; in Latin-1 these bytes are control characters nobody writes. */
const swedishInPc8 = new Set([0x84, 0x86, 0x94, 0x8e, 0x8f, 0x99]);

export type SieEncoding = 'utf-8' | 'pc8' | 'latin-1';

export function decodeSie(bytes: Uint8Array): { text: string; encoding: SieEncoding } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { text, encoding: 'utf-8' };
  } catch {
    const isPc8 = bytes.some((byte) => swedishInPc8.has(byte));
    const encoding = isPc8 ? 'pc8' : 'latin-1';
    const chars: string[] = [];
    for (const byte of bytes) {
      chars.push(isPc8 && byte >= 0x80 ? (pc8[byte - 0x80] ?? '') : String.fromCharCode(byte));
    }
    return { text: chars.join(''), encoding };
  }
}

export interface SiePost {
  /** Without the hash, in capitals: `KONTO`. */
  readonly label: string;
  readonly fields: readonly string[];
  /** Counted from 1. */
  readonly line: number;
  /** Posts in braces below it: the rows of a voucher. */
  readonly inner: readonly SiePost[];
}

/** The posts of a file. Lines that are no posts are left out, as the format asks. */
export function readSiePosts(text: string): SiePost[] {
  const posts: SiePost[] = [];
  let inner: SiePost[] | undefined;
  text.split(/\r\n|\r|\n/).forEach((content, index) => {
    const trimmed = content.trim();
    const last = posts.at(-1);
    if (trimmed === '{' && last) {
      inner = [];
      posts[posts.length - 1] = { ...last, inner };
    } else if (trimmed === '}') inner = undefined;
    else if (trimmed.startsWith('#')) {
      const [label = '', ...fields] = fieldsOf(trimmed);
      const post = { label: label.slice(1).toUpperCase(), fields, line: index + 1, inner: [] };
      (inner ?? posts).push(post);
    }
  });
  return posts;
}

/** No post of the format has half as many; a line of megabytes is no post. */
const fieldsMax = 50;

/** Words between spaces or tabs; quotes hold a field together, `\"` is a quote, braces hold objects. */
function fieldsOf(line: string): string[] {
  const fields: string[] = [];
  const found = line.matchAll(/"((?:\\.|[^"\\])*)"?|\{([^}]*)\}?|([^\s"{}]+)/g);
  for (const [, quoted, braced, plain] of found) {
    fields.push(
      quoted === undefined ? (braced ?? plain ?? '') : quoted.replace(/\\(["\\])/g, '$1'),
    );
    if (fields.length === fieldsMax) break;
  }
  return fields;
}

/** SIE's own types: tillgång, skuld (equity too), kostnad, intäkt. */
export type SieKind = 'T' | 'S' | 'K' | 'I';

export interface SieAccount {
  readonly number: string;
  readonly name: string;
  /** Null when the file does not say. */
  readonly kind: SieKind | null;
  /** The first SRU code given, null without one. */
  readonly sru: string | null;
}

export interface SieChart {
  readonly encoding: SieEncoding;
  readonly company: string | null;
  /** Ten digits; null when missing or wrong. */
  readonly organizationNumber: string | null;
  /** The current fiscal year (`#RAR 0`). */
  readonly fiscalYear: { readonly start: string; readonly end: string } | null;
  readonly accounts: readonly SieAccount[];
}

/** The company and chart a file describes; undefined when it is no SIE file. */
export function readSieChart(bytes: Uint8Array): SieChart | undefined {
  const { text, encoding } = decodeSie(bytes);
  const posts = readSiePosts(text);
  if (posts[0]?.label !== 'FLAGGA') return undefined;
  const firstOf = (label: string) => posts.find((post) => post.label === label)?.fields;
  const [start = '', end = ''] =
    posts
      .find(({ label, fields }) => label === 'RAR' && fields[0] === '0')
      ?.fields.slice(1)
      .map(dateOf) ?? [];
  return {
    encoding,
    company: plain(firstOf('FNAMN')?.[0] ?? '') || null,
    organizationNumber: normalizeOrganizationNumber(firstOf('ORGNR')?.[0] ?? ''),
    fiscalYear: isDate(start) && isDate(end) ? { start, end } : null,
    accounts: accountsOf(posts),
  };
}

function accountsOf(posts: readonly SiePost[]): SieAccount[] {
  const accounts = new Map<string, SieAccount>();
  const change = (number: string | undefined, part: Partial<SieAccount>) => {
    const account = accounts.get(number ?? '');
    if (account) accounts.set(account.number, { ...account, ...part });
  };
  for (const { label, fields } of posts) {
    const [number = '', name = ''] = fields;
    if (label === 'KONTO' && !accounts.has(number)) {
      accounts.set(number, { number, name: plain(name), kind: null, sru: null });
    }
  }
  // KTYP and SRU should follow their KONTO; some programs write them elsewhere.
  for (const { label, fields } of posts) {
    const [number, value = ''] = fields;
    if (label === 'KTYP' && /^[TSKI]$/i.test(value)) {
      change(number, { kind: value.toUpperCase() as SieKind });
    }
    const isFirst = accounts.get(number ?? '')?.sru === null;
    if (label === 'SRU' && isFirst && value !== '') change(number, { sru: plain(value) });
  }
  return [...accounts.values()];
}

/** Text on one line: control characters are forbidden in SIE and would be refused by the database. */
const plain = (text: string): string => text.replace(/\p{Cc}+/gu, ' ').trim();

/** `20260131` as `2026-01-31`; empty when it is nothing of the kind. */
function dateOf(text: string): string {
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})$/.exec(text) ?? [];
  return year === undefined
    ? ''
    : join({ year: Number(year), month: Number(month), day: Number(day) });
}
