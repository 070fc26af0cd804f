/**
 * Whether a PDF opens only for who knows its password (ISO 32000-2, 7.6.4): a document must be readable for as
 * long as the books are kept (BFL 7:1), and nobody will know it then. One that only forbids things opens without.
 */
import { createCipheriv, createHash } from 'node:crypto';

type Value = string | number | boolean | null;

/** What pads a password, so all of an empty one (7.6.4.3.2). */
const padding = Buffer.from(
  '28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a',
  'hex',
);

/** False, too, of what cannot be read: it is kept as it came. */
export function isLockedPdf(bytes: Buffer): boolean {
  if (!bytes.includes('/Encrypt')) return false;
  const text = bytes.toString('latin1');
  const lock = findLock(text);
  if (!lock) return false;
  if (lock.get('Filter') !== 'Standard') return true;
  const revision = Number(lock.get('R'));
  const opens = revision >= 5 ? opensByHash : opensByCipher;
  const [owner, user] = [binary(lock.get('O')), binary(lock.get('U'))];
  if (owner.length < 32 || user.length < 32) return false;
  return !opens({ lock, revision, owner, user, id: binary(findId(text)) });
}

interface Lock {
  readonly lock: ReadonlyMap<string, Value>;
  readonly revision: number;
  readonly owner: Buffer;
  readonly user: Buffer;
  /** The file's own name in its trailer. */
  readonly id: Buffer;
}

const binary = (value: Value | undefined): Buffer =>
  Buffer.from(typeof value === 'string' ? value : '', 'latin1');

/** RC4 and AES with keys of at most 128 bits (7.6.4.4.3, 7.6.4.4.4). */
function opensByCipher({ lock, revision, owner, user, id }: Lock): boolean {
  const version = Number(lock.get('V'));
  const bits = Number(lock.get('Length') ?? (version === 4 ? 128 : 40));
  const length = revision === 2 ? 5 : Math.min(16, Math.max(5, Math.trunc(bits / 8)));
  const permissions = Buffer.alloc(4);
  permissions.writeInt32LE(Number(lock.get('P')) | 0);
  const isPartly = revision >= 4 && lock.get('EncryptMetadata') === false;
  let key = md5(
    padding,
    owner.subarray(0, 32),
    permissions,
    id,
    Buffer.alloc(isPartly ? 4 : 0, 255),
  );
  for (let times = 0; revision >= 3 && times < 50; times += 1) key = md5(key.subarray(0, length));
  key = key.subarray(0, length);
  if (revision === 2) return rc4(key, padding).equals(user.subarray(0, 32));
  let proof = md5(padding, id);
  for (let times = 0; times < 20; times += 1)
    proof = rc4(
      key.map((byte) => byte ^ times),
      proof,
    );
  return proof.equals(user.subarray(0, 16));
}

/** AES with keys of 256 bits (7.6.4.4.10). */
function opensByHash({ revision, user }: Lock): boolean {
  const salt = user.subarray(32, 40);
  const proof = revision === 5 ? sha(256, salt) : hardened(salt);
  return proof.equals(user.subarray(0, 32));
}

/** Algorithm 2.B, of an empty password. */
function hardened(salt: Buffer): Buffer {
  let key = sha(256, salt);
  for (let round = 0, last = 0; round < 64 || last > round - 32; round += 1) {
    const cipher = createCipheriv('aes-128-cbc', key.subarray(0, 16), key.subarray(16, 32));
    const mixed = cipher.setAutoPadding(false).update(Buffer.concat(Array(64).fill(key)));
    const sum = mixed.subarray(0, 16).reduce((all, byte) => all + byte, 0);
    key = sha(([256, 384, 512] as const)[sum % 3] ?? 256, mixed);
    last = mixed.at(-1) ?? 0;
  }
  return key.subarray(0, 32);
}

const md5 = (...parts: readonly Buffer[]): Buffer =>
  createHash('md5').update(Buffer.concat(parts)).digest();
const sha = (bits: 256 | 384 | 512, part: Buffer): Buffer =>
  createHash(`sha${bits}`).update(part).digest();

/** Not in OpenSSL any more, unless asked for. */
function rc4(key: Uint8Array, text: Buffer): Buffer {
  const box = Uint8Array.from({ length: 256 }, (_, at) => at);
  const at = (place: number): number => box[place & 255] ?? 0;
  const swap = (one: number, other: number): void => {
    [box[one & 255], box[other & 255]] = [at(other), at(one)];
  };
  for (let one = 0, other = 0; one < 256; one += 1) {
    other += at(one) + (key[one % key.length] ?? 0);
    swap(one, other);
  }
  let other = 0;
  return Buffer.from(
    text.map((byte, index) => {
      other += at(index + 1);
      swap(index + 1, other);
      return byte ^ at(at(index + 1) + at(other));
    }),
  );
}

/** The dictionary that the trailer calls `Encrypt`, the last of them. */
function findLock(text: string): Map<string, Value> | undefined {
  const [, object, generation] =
    [...text.matchAll(/\/Encrypt[ \r\n\t]+(\d{1,10})[ \r\n\t]+(\d{1,5})[ \r\n\t]+R/g)].at(-1) ?? [];
  if (object === undefined) return undefined;
  const head = `${object} ${generation} obj`;
  let begins = text.lastIndexOf(head);
  // Not 112 0 where 12 0 is meant.
  while (begins > 0 && /\d/.test(text[begins - 1] ?? ''))
    begins = text.lastIndexOf(head, begins - 1);
  const from = begins < 0 ? -1 : text.indexOf('<<', begins);
  return from < 0 ? undefined : dictionaryAt(text.slice(from + 2, from + 4_096));
}

function findId(text: string): string {
  const found = [...text.matchAll(/\/ID[ \r\n\t]*\[[ \r\n\t]*(?=[<(])/g)].at(-1);
  const [token] = found ? tokens(text.slice(found.index + found[0].length).slice(0, 4_096)) : [];
  return token?.kind === 'text' ? token.value : '';
}

/** What stands in it itself, not in the dictionaries within it. */
function dictionaryAt(text: string): Map<string, Value> {
  const found = new Map<string, Value>();
  let depth = 1;
  let name: string | undefined;
  for (const { kind, value } of tokens(text)) {
    if (value === '<<' || value === '>>') depth += value === '<<' ? 1 : -1;
    if (depth === 0) break;
    if (depth > 1 || value === '>>') name = undefined;
    else if (name === undefined) name = kind === 'name' ? value : undefined;
    else {
      found.set(name, kind === 'word' ? plain(value) : value);
      name = undefined;
    }
  }
  return found;
}

const plain = (word: string): Value =>
  word === 'true' || word === 'false' ? word === 'true' : word === 'null' ? null : Number(word);

interface Token {
  readonly kind: 'name' | 'text' | 'word';
  readonly value: string;
}

function* tokens(text: string): Generator<Token> {
  const next = /\/([^\s/<>()[\]]*)|<<|>>|<([\s\da-f]*)>|\(|[^\s/<>()[\]]+/gi;
  for (let match = next.exec(text); match; match = next.exec(text)) {
    const [all, name, hex] = match;
    if (name !== undefined) yield { kind: 'name', value: name };
    else if (hex !== undefined) {
      yield { kind: 'text', value: Buffer.from(hex.replace(/\s/g, ''), 'hex').toString('latin1') };
    } else if (all === '(') {
      const { value, end } = textAt(text, next.lastIndex);
      next.lastIndex = end;
      yield { kind: 'text', value };
    } else yield { kind: 'word', value: all };
  }
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** A text in parentheses, which may hold others (7.3.4.2). */
function textAt(text: string, from: number): { value: string; end: number } {
  let value = '';
  let at = from;
  for (let depth = 1; at < text.length; at += 1) {
    const sign = text[at] ?? '';
    if (sign === '\\') {
      const octal = /^[0-7]{1,3}/.exec(text.slice(at + 1, at + 4))?.[0];
      const escaped = text[at + 1] ?? '';
      if (octal !== undefined) value += String.fromCharCode(Number.parseInt(octal, 8) & 255);
      else if (escaped !== '\n' && escaped !== '\r') value += escapes[escaped] ?? escaped;
      at += octal?.length ?? 1;
      continue;
    }
    if (sign === '(') depth += 1;
    if (sign === ')') depth -= 1;
    if (depth === 0) break;
    value += sign;
  }
  return { value, end: at + 1 };
}
