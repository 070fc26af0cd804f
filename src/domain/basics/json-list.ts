/**
 * Bodies that hold many JSON values: a JSON array, or one value a line (NDJSON). Each is given as the bytes that it
 * came in, so that one that cannot be read harms none of its neighbours, and none is in memory before its turn.
 */
import type { Fault } from '../../lib/errors.ts';

export interface JsonItem {
  readonly bytes: Buffer;
  /** The line that it stands on, counted from one; null in an array. */
  readonly line: number | null;
}

/** The first `itemsMax` of them, and how many there are: millions of nothing would each be an object in memory. */
export interface JsonItems {
  readonly items: readonly JsonItem[];
  readonly count: number;
}

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
const newline = 0x0a;
const arrayStart = 0x5b;
const arrayEnd = 0x5d;
const objectStart = 0x7b;
const objectEnd = 0x7d;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x09 || byte === newline || byte === 0x0d;

/** The bytes without white space around them. */
function trimmed(bytes: Buffer, from = 0, to = bytes.length): Buffer {
  let start = from;
  let end = to;
  while (start < end && isSpace(bytes[start])) start += 1;
  while (end > start && isSpace(bytes[end - 1])) end -= 1;
  return bytes.subarray(start, end);
}

function isEmpty(bytes: Buffer, from: number, to: number): boolean {
  let at = from;
  while (at < to && isSpace(bytes[at])) at += 1;
  return at === to;
}

const withoutMark = (bytes: Buffer): Buffer =>
  bytes.subarray(0, 3).equals(byteOrderMark) ? bytes.subarray(3) : bytes;

/** Whether the body begins as a JSON array does. */
export const isArray = (bytes: Buffer): boolean => trimmed(withoutMark(bytes))[0] === arrayStart;

/** The lines that hold something, whatever they hold. */
export function splitLines(given: Buffer, itemsMax: number): JsonItems {
  const bytes = withoutMark(given);
  const items: JsonItem[] = [];
  let count = 0;
  let line = 1;
  for (let at = 0; at < bytes.length; ) {
    if (isSpace(bytes[at])) {
      if (bytes[at] === newline) line += 1;
      at += 1;
      continue;
    }
    const found = bytes.indexOf(newline, at);
    const to = found === -1 ? bytes.length : found;
    count += 1;
    if (count <= itemsMax) items.push({ bytes: trimmed(bytes, at, to), line });
    at = to;
  }
  return { items, count };
}

/**
 * The values of a JSON array; whether each of them is JSON is not asked. A fault when the array does not end where
 * the body does: then something of it is missing, and nobody knows what. By bytes, since all that gives JSON its
 * structure is ASCII, and no byte of a longer character in UTF-8 is.
 */
export function splitArray(given: Buffer, itemsMax: number): JsonItems | Fault {
  const bytes = trimmed(withoutMark(given));
  const items: JsonItem[] = [];
  let count = 0;
  const stopped = (at: number | null): Fault => ({
    path: 'body',
    reason: 'not_json',
    params: { fault: 'syntax', stoppedAt: at === null ? null : String(at) },
  });
  let depth = 0;
  let from = 1;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) {
      at = endOfString(bytes, at);
    } else if (byte === arrayStart || byte === objectStart) {
      depth += 1;
    } else if (byte === arrayEnd || byte === objectEnd || (byte === comma && depth === 1)) {
      if (byte !== comma) depth -= 1;
      if (depth > 1 || (depth === 1 && byte !== comma)) continue;
      const isLast = byte !== comma;
      if (!isEmpty(bytes, from, at)) {
        count += 1;
        if (count <= itemsMax) items.push({ bytes: trimmed(bytes, from, at), line: null });
      } else if (!isLast || count > 0) {
        return stopped(at);
      }
      if (isLast) {
        return byte === arrayEnd && at === bytes.length - 1 ? { items, count } : stopped(at);
      }
      from = at + 1;
    }
  }
  return stopped(null);
}

/** Where the closing quotation mark of a string is; the end when there is none. */
function endOfString(bytes: Buffer, from: number): number {
  let at = from + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}
