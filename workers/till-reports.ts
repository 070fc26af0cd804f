/** Judges tills' reports: one voucher each, or a reason for a person. Running twice books once. */
import type { Config } from '#src/config/config.ts';
import { tillReportIntake } from '#src/db/jobs.ts';
import { judgeTillReports } from '#src/intake/till-reports/service.ts';
import { systemClock } from '#src/lib/clock.ts';
import type { Worker } from './run.ts';

export const createTillReports = ({
  timeZone,
}: Pick<Config, 'timeZone'>): Worker<{ reportId: string }> => ({
  queue: tillReportIntake,
  // Number series are held until commit: a second batch would only wait for the first.
  concurrency: 1,
  handle: (tx, payloads) =>
    judgeTillReports(
      tx,
      payloads.map(({ reportId }) => reportId),
      { today: systemClock(timeZone).today(), actor: 'job:till-report-intake' },
    ),
});
