/** Judges received orders: parse, back-calculate VAT, match the customer, make the draft. */
import { orderIntake } from '#src/db/jobs.ts';
import { judgeAttempts } from '#src/intake/orders/service.ts';
import type { Worker } from './run.ts';

export const intake: Worker<{ attemptId: string }> = {
  queue: orderIntake,
  // All that wait at once: two beside each other made batches of half the size, and an order cost a fourth more.
  concurrency: 1,
  handle: (tx, payloads) =>
    judgeAttempts(
      tx,
      payloads.map(({ attemptId }) => attemptId),
    ),
};
