/**
 * Every queue: its name, what a job on it says, and how it is retried. Payloads are ids; a handler
 * reads the state anew and may run twice.
 */
import { z } from 'zod';
import type { Tx } from './pool.ts';
import { sql } from './sql.ts';

export interface Queue<Payload> {
  readonly name: string;
  readonly payload: z.ZodType<Payload>;
  /** Attempts after the first before the job goes to the dead letters, where people see it. */
  readonly retryLimit: number;
  /** What takes longer is given to another worker. */
  readonly timeLimitSeconds: number;
}

const queue = <Payload>(
  name: string,
  payload: z.ZodType<Payload>,
  retryLimit: number,
  timeLimitSeconds = 60,
): Queue<Payload> => ({ name, payload, retryLimit, timeLimitSeconds });

export const orderIntake = queue('order-intake', z.object({ attemptId: z.uuid() }), 8);
export const tillReportIntake = queue('till-report-intake', z.object({ reportId: z.uuid() }), 8);
export const invoiceBooking = queue('invoice-booking', z.object({ invoiceId: z.uuid() }), 8);
export const eInvoiceIntake = queue('e-invoice-intake', z.object({ documentId: z.uuid() }), 8);
/** What is only tried; whoever asked waits for seconds. */
export const intakeTrial = queue('intake-trial', z.object({ trialId: z.uuid() }), 1);
export const supplierInvoiceBooking = queue(
  'supplier-invoice-booking',
  z.object({ purchaseId: z.uuid() }),
  8,
);
export const rendering = queue(
  'rendering',
  z.object({ page: z.string().regex(/^[0-9a-f]{64}$/) }),
  4,
  120,
);
/** A picture as JPEG. One that a worker ends with is counted by `archive.take_preview` too. */
export const preview = queue(
  'preview',
  z.object({ content: z.string().regex(/^[0-9a-f]{64}$/) }),
  4,
  120,
);
/** Some hours: a mail server that asks us to come back later means minutes, and one that is down often hours. An answer is waited for ten minutes. */
export const mail = queue('mail', z.object({ mailId: z.uuid() }), 40, 900);
/** Tried again while another import is under way; what breaks every time ends within the hour. */
export const sieImport = queue('sie-import', z.object({ importId: z.uuid() }), 12, 3_600);
export const bankImport = queue('bank-import', z.object({ importId: z.uuid() }), 12, 3_600);
/** Of rows that have come; what it finds booked is left as it is. */
export const bankBooking = queue('bank-booking', z.object({}), 12, 3_600);
/** Of what is due; run again it makes none twice. */
export const recurringInvoices = queue('recurring-invoices', z.object({}), 4, 3_600);
/** Of what has fallen due; run again it posts nothing twice. */
export const accruals = queue('accruals', z.object({}), 4, 3_600);
export const purge = queue('purge', z.object({}), 2, 600);
export const verification = queue('verification', z.object({}), 2, 4 * 3_600);
export const backup = queue('backup', z.object({}), 2, 8 * 3_600);

export const queues: readonly Queue<unknown>[] = [
  orderIntake,
  tillReportIntake,
  invoiceBooking,
  eInvoiceIntake,
  intakeTrial,
  supplierInvoiceBooking,
  rendering,
  preview,
  mail,
  sieImport,
  bankImport,
  bankBooking,
  recurringInvoices,
  accruals,
  purge,
  verification,
  backup,
];

/** Jobs that failed for good land here; named after their queue. */
export const deadLetterName = (name: string): string => `${name}-dead`;

/** The dead letters of a queue as a queue, for a worker that tells people of them. */
export const deadLettersOf = <Payload>(dead: Queue<Payload>): Queue<Payload> => ({
  ...dead,
  name: deadLetterName(dead.name),
});

/** Puts jobs on a queue in the transaction that made their subject: both happen, or neither. */
export async function enqueue<Payload>(
  tx: Tx,
  { name }: Queue<Payload>,
  payloads: readonly Payload[],
): Promise<void> {
  const data = payloads.map((payload) => JSON.stringify(payload));
  await tx.query(sql`select intake.enqueue(${name}, ${data}::jsonb[])`);
}
