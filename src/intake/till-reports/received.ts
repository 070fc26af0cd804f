/** A till's report on its way in: known by its till and number, and nothing judged. */
import { tillKeyOf } from '../../domain/sales/till-accounts.ts';
import { tillReportNames } from '../../domain/sales/till-report.ts';
import { sha256Of } from '../../lib/sha256.ts';
import { uuid } from '../../lib/uuid.ts';

export interface ReceivedTillReport {
  readonly id: string;
  /** By which it is booked once. */
  readonly identity: string;
  /** As it came, and alike however it is spelt; each null when it cannot be read. */
  readonly till: string | null;
  readonly tillKey: string | null;
  readonly zNumber: number | null;
  readonly day: string | null;
  readonly raw: Buffer;
  readonly sha256: Buffer;
}

/** What a report is known by, however its till is spelt. */
export const tillReportIdentity = (till: string, zNumber: number): string =>
  `z:${zNumber}:${tillKeyOf(till)}`;

/** `json` is what the bytes say, anything JSON.parse can return. One without readable names is known by its bytes. */
export function receivedTillReport(raw: Buffer, json: unknown): ReceivedTillReport {
  const { tillId: till, zNumber, date: day } = tillReportNames(json);
  const sha256 = sha256Of(raw);
  const tillKey = till === null ? null : tillKeyOf(till);
  const identity =
    till === null || zNumber === null
      ? `sha256:${sha256.toString('hex')}`
      : tillReportIdentity(till, zNumber);
  return { id: uuid(), identity, till, tillKey, zNumber, day, raw, sha256 };
}
