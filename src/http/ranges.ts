/** One part of a file, as `Range` asks for it (RFC 9110, 14). */
import type { IncomingHttpHeaders } from 'node:http';

export interface ByteRange {
  /** The first byte; the file's own first is 0. */
  readonly from: number;
  /** Bytes. */
  readonly length: number;
}

/**
 * The part asked for. Undefined when the whole file is to be answered: nothing is asked for, several parts are, the part
 * is none that the file has, or `If-Range` means a file of other bytes.
 */
export function rangeOf(
  { range, 'if-range': ifRange }: IncomingHttpHeaders,
  { size, etag }: { readonly size: number; readonly etag: string },
): ByteRange | undefined {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(range?.trim() ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  if (ifRange !== undefined && ifRange !== etag) return undefined;
  // `-500` is the last 500.
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const to = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  return from > to ? undefined : { from, length: to - from + 1 };
}
