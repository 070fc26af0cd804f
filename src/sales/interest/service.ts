/** Reference rates as data: added when Riksbanken has decided, corrected when somebody typed wrong. */
import { recordEvent } from '../../audit/store.ts';
import type { Tx } from '../../db/pool.ts';
import { isReferenceRate } from '../../domain/sales/reference-rate.ts';
import { refuse } from '../../lib/errors.ts';
import type { ReferenceRate } from './reference-rates.ts';
import { getReferenceRate, insertReferenceRate, updateReferenceRate } from './store.ts';

/** Refuses (422) a half-year that has a rate, and what is no half percentage point. */
export async function addReferenceRate(tx: Tx, rate: ReferenceRate, actor: string): Promise<void> {
  requireRate(rate.percentE2);
  await insertReferenceRate(tx, rate);
  await recordEvent(tx, {
    actor,
    action: 'reference_rate.added',
    subject: rate.validFrom,
    detail: { percent: percentText(rate.percentE2), sfs: rate.sfs },
  });
}

/** Cases that were exported keep what they were counted with. */
export async function changeReferenceRate(
  tx: Tx,
  change: Omit<ReferenceRate, 'validTo'>,
  actor: string,
): Promise<void> {
  requireRate(change.percentE2);
  const before = await getReferenceRate(tx, change.validFrom);
  await updateReferenceRate(tx, change);
  await recordEvent(tx, {
    actor,
    action: 'reference_rate.changed',
    subject: change.validFrom,
    detail: {
      percent: [percentText(before.percentE2), percentText(change.percentE2)],
      sfs: change.sfs,
    },
  });
}

function requireRate(percentE2: bigint): void {
  if (isReferenceRate(percentE2)) return;
  throw refuse('unprocessable', [{ path: 'percent', reason: 'not_half_percent' }]);
}

/** `2.50` from hundredths, exactly. */
function percentText(percentE2: bigint): string {
  const digits = (percentE2 < 0n ? -percentE2 : percentE2).toString().padStart(3, '0');
  return `${percentE2 < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
