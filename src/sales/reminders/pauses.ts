/** Invoices that runs of reminders leave out for a time: the customer has promised to pay, or we have other reasons. */
import { recordEvent } from '../../audit/store.ts';
import type { Tx } from '../../db/pool.ts';
import { addDays } from '../../domain/basics/dates.ts';
import { refuse } from '../../lib/errors.ts';
import { lockBooked } from '../invoices/settled.ts';
import { type Pause, setPause } from './store.ts';

/** A pause is for a time; what is given up is written off. */
const pauseDaysMax = 366;

export async function pauseReminders(
  tx: Tx,
  { invoiceId, today, ...pause }: Pause & { readonly invoiceId: string; readonly today: string },
  actor: string,
): Promise<void> {
  const { number, open_ore: openOre } = await lockBooked(tx, invoiceId);
  if (openOre <= 0n) {
    throw refuse('unprocessable', [
      { path: 'invoiceId', reason: 'nothing_to_remind', params: { number } },
    ]);
  }
  const latest = addDays(today, pauseDaysMax);
  if (pause.lastDay < today || pause.lastDay > latest) {
    throw refuse('unprocessable', [
      { path: 'lastDay', reason: 'pause_out_of_range', params: { today, latest } },
    ]);
  }
  await setPause(tx, invoiceId, pause, actor);
  const { kind, lastDay, reason } = pause;
  const detail = { kind, lastDay, reason };
  const action = 'invoice.reminders_paused';
  await recordEvent(tx, { actor, action, subject: invoiceId, detail });
}

export async function endPause(tx: Tx, invoiceId: string, actor: string): Promise<void> {
  await lockBooked(tx, invoiceId);
  if (!(await setPause(tx, invoiceId, null, actor))) return;
  await recordEvent(tx, {
    actor,
    action: 'invoice.reminders_unpaused',
    subject: invoiceId,
    detail: {},
  });
}
