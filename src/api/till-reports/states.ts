/** What became of till reports, as keys hear it: the one that sent them, and those that read all. */
import type { Tx } from '../../db/pool.ts';
import { tillReportIdentity } from '../../intake/till-reports/received.ts';
import { reconcileTillReports, type TillReportStatus } from '../../intake/till-reports/store.ts';
import type { tillReportStates } from './reasons.ts';

type KnownState = Exclude<keyof typeof tillReportStates, 'unknown'>;

const states: Readonly<Record<TillReportStatus, KnownState>> = {
  received: 'received',
  posted: 'booked',
  empty: 'booked',
  stopped: 'rejected',
  dismissed: 'dismissed',
};

export const tillReportStateOf = (status: TillReportStatus): KnownState => states[status];

/** What the inbox has for a state. */
export const statusesOf = (state: KnownState): TillReportStatus[] =>
  (Object.keys(states) as TillReportStatus[]).filter((status) => states[status] === state);

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
            status: tillReportStateOf(report.status),
            reason: report.status === 'stopped' ? report.reason : null,
            receivedAt: report.received_at.toISOString(),
          }
        : { status: 'unknown' as const }),
    };
  });
}
