/** What a person decides about tills' reports that stopped: tried again, or never booked. */
import { recordEvents } from '../../audit/store.ts';
import { enqueue, tillReportIntake } from '../../db/jobs.ts';
import type { Tx } from '../../db/pool.ts';
import { lockTillReports, openAgain, setDismissed } from './inbox-store.ts';

/**
 * Has reports judged afresh by the worker, on the bytes that came. One that is under way or booked is left alone, so
 * that two people who try at once try once. Answers which are now to be judged.
 */
export async function retryTillReports(
  tx: Tx,
  ids: readonly string[],
  actor: string,
): Promise<string[]> {
  const stopped = (await lockTillReports(tx, ids)).filter(
    ({ status, is_stuck: isStuck }) => status === 'stopped' || status === 'dismissed' || isStuck,
  );
  const again = stopped.map(({ id }) => id);
  if (again.length === 0) return [];
  await openAgain(tx, again);
  await enqueue(
    tx,
    tillReportIntake,
    again.map((reportId) => ({ reportId })),
  );
  await recordEvents(
    tx,
    stopped.map(({ id, reason }) => ({
      actor,
      action: 'till_report.retried',
      subject: id,
      detail: { reason },
    })),
  );
  return again;
}

/** Closes reports that are not to be booked. Answers how many; those that are not stopped are left. */
export async function dismissTillReports(
  tx: Tx,
  ids: readonly string[],
  why: string,
  actor: string,
): Promise<number> {
  const stopped = (await lockTillReports(tx, ids)).filter(({ status }) => status === 'stopped');
  const closed = stopped.map(({ id }) => id);
  if (closed.length === 0) return 0;
  await setDismissed(tx, closed, why);
  await recordEvents(
    tx,
    closed.map((id) => ({
      actor,
      action: 'till_report.dismissed',
      subject: id,
      detail: { reason: why },
    })),
  );
  return closed.length;
}
