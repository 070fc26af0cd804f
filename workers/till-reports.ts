/** Judges tills' reports: one voucher each, or a reason for a person. Running twice books once. */
import { tillReportIntake } from '#src/db/jobs.ts';
import { judgeTillReports } from '#src/intake/till-reports/service.ts';
import type { Worker } from './run.ts';

export const tillReports: Worker<{ reportId: string }> = {
  queue: tillReportIntake,
  // Number series are held until commit: a second batch would only wait for the first.
  concurrency: 1,
  handle: (tx, payloads) =>
    judgeTillReports(
      tx,
      payloads.map(({ reportId }) => reportId),
    ),
};
