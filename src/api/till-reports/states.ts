/** What became of till reports, for the key that sent them. */
import type { Tx } from '../../db/pool.ts';
import { tillReportIdentity } from '../../intake/till-reports/received.ts';
import { reconcileTillReports, type TillReportStatus } from '../../intake/till-reports/store.ts';
import type { tillReportStates } from './reasons.ts';

const states: Readonly<Record<TillReportStatus, keyof typeof tillReportStates>> = {
  received: 'received',
  posted: 'booked',
  empty: 'booked',
  stopped: 'rejected',
  dismissed: 'dismissed',
};

/** One for each that is asked for, in their order. */
export async function tillReportStatesOf(
  tx: Tx,
  asked: readonly { readonly tillId: string; readonly zNumber: number }[],
) {
  if (asked.length === 0) return [];
  const identityOf = ({ tillId, zNumber }: (typeof asked)[number]): string =>
    tillReportIdentity(tillId, zNumber);
  const found = await reconcileTillReports(tx, asked.map(identityOf));
  const byIdentity = new Map(found.map((report) => [report.identity, report]));
  return asked.map((one) => {
    const report = byIdentity.get(identityOf(one));
    return {
      tillId: one.tillId,
      zNumber: one.zNumber,
      ...(report
        ? {
            status: states[report.status],
            reason: report.status === 'stopped' ? report.reason : null,
            receivedAt: report.received_at.toISOString(),
          }
        : { status: 'unknown' as const }),
    };
  });
}
