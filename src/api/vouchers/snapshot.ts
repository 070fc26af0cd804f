/** A moment of the ledger as callers keep it: opaque, and good for as long as the books are the same. */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { z } from 'zod';
import type { SeriesMark } from '../../ledger/vouchers/export-store.ts';
import { refuse } from '../../lib/errors.ts';
import { sha256Of } from '../../lib/sha256.ts';

export interface LedgerMoment {
  /** When it was first asked for, as ISO 8601. */
  readonly takenAt: string;
  /** A place in the events before it: what is posted after the moment is told from there on. */
  readonly eventsCursor: string;
  /** Of the seals of `marks`, in their order: other books have others. */
  readonly seal: string;
  readonly marks: readonly Pick<SeriesMark, 'year' | 'code' | 'last_number'>[];
}

/** Series and years are few: even hundreds of each are far below it. */
export const snapshotLengthMax = 8_000;
const unpackedMax = 256 * 1024;

const code = z
  .string()
  .max(8)
  .refine((text) => !text.includes('\0'));
const form = z.tuple([
  z.iso.datetime(),
  z.string().max(200),
  z.string().max(50),
  z.array(
    z.tuple([
      z.int().min(1).max(9999),
      z.array(z.tuple([code, z.int().min(1).max(2_147_483_647)])),
    ]),
  ),
]);

export const sealOf = (marks: readonly SeriesMark[]): string =>
  sha256Of(Buffer.concat(marks.map(({ hash }) => hash))).toString('base64url', 0, 16);

export function encodeSnapshot({ takenAt, eventsCursor, seal, marks }: LedgerMoment): string {
  const years = new Map<number, [code: string, last: number][]>();
  for (const { year, code: series, last_number } of marks) {
    years.set(year, [...(years.get(year) ?? []), [series, last_number]]);
  }
  const text = JSON.stringify([takenAt, eventsCursor, seal, [...years]]);
  return deflateRawSync(text).toString('base64url');
}

/** Throws 400 of what is none. */
export function decodeSnapshot(token: string): LedgerMoment {
  const read = form.safeParse(unpacked(token));
  if (!read.success) {
    const message =
      'snapshot går inte att läsa; skicka det som exporten började med, eller utelämna det för att börja om.';
    throw refuse('invalid_request', [{ path: 'snapshot', reason: 'unreadable_snapshot', message }]);
  }
  const [takenAt, eventsCursor, seal, years] = read.data;
  const marks = years.flatMap(([year, series]) =>
    series.map(([one, last_number]) => ({ year, code: one, last_number })),
  );
  return { takenAt, eventsCursor, seal, marks };
}

function unpacked(token: string): unknown {
  try {
    const bytes = Buffer.from(token, 'base64url');
    return JSON.parse(inflateRawSync(bytes, { maxOutputLength: unpackedMax }).toString());
  } catch {
    return undefined;
  }
}
