/** Entries of camt.054, by which rows of statements are known better: who paid, and what for. */
import { createHash } from 'node:crypto';
import type { BankEntry } from '../../domain/ledger/bank-files/statement.ts';
import { describeEntry } from '../../domain/ledger/bank-statements/planning.ts';
import type { StatementInFile } from './reading.ts';
import type { Announcement } from './statement-store.ts';

/** Null when an entry has no day, and the notice none to give it. */
export function announcementsOf({ statement, entries }: StatementInFile): Announcement[] | null {
  const counts = new Map<string, number>();
  const announcements: Announcement[] = [];
  for (const entry of entries) {
    if (!entry.isBooked || entry.amount === 0n) continue;
    const day = entry.bookingDate ?? entry.valueDate ?? statement.saidTo ?? statement.to;
    if (day === null) return null;
    const fingerprint = createHash('sha256')
      .update(JSON.stringify(marksOf(entry, day), withoutBigints))
      .digest('hex');
    const ordinal = (counts.get(fingerprint) ?? 0) + 1;
    counts.set(fingerprint, ordinal);
    const { amount } = entry;
    announcements.push({ fingerprint, ordinal, day, amount, text: describeEntry(entry), entry });
  }
  return announcements;
}

/** What makes entries equal; where they stand does not. */
const marksOf = (entry: BankEntry, day: string): object => {
  const { amount, reference, servicerReference, code, text, details } = entry;
  return { day, amount, reference, servicerReference, code, text, details };
};

const withoutBigints = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value;
