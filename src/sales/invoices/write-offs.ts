/**
 * Writing off what is open of an invoice as a confirmed loss (series C): 6351, and the output VAT of the unpaid
 * share comes back (Skatteverket on confirmed losses: boxes 05 and 10 go down). The customer owes it all the
 * same. Money that comes after all takes the loss back by itself (`registerPayment`); one that was written off
 * too soon is taken back by `takeBackLoss`.
 */
import { recordEvent } from '../../audit/store.ts';
import type { Tx } from '../../db/pool.ts';
import { type Ore, oreToNumber, sum } from '../../domain/basics/money.ts';
import { refuse } from '../../lib/errors.ts';
import { listLosses } from './loss-store.ts';
import { lockBooked, type Standing, standingOf } from './settled.ts';
import { registerPayment } from './settlement.ts';

export interface WriteOff {
  readonly invoiceId: string;
  readonly date: string;
  readonly today: string;
  /** Why the money will not come: what the books show of it. */
  readonly reason: string;
}

/** Throws 422 when nothing is open, and what the ledger and its locks refuse. */
export async function writeOff(tx: Tx, act: WriteOff, actor: string): Promise<Standing> {
  const { invoiceId, reason } = act;
  const { number, open_ore: openOre } = await lockBooked(tx, invoiceId);
  if (openOre <= 0n) {
    throw refuse('unprocessable', [
      { path: 'invoiceId', reason: 'nothing_to_write_off', params: { number } },
    ]);
  }
  const words = worded(`Kundförlust kundfaktura ${number}`, reason);
  const loss = { ...act, amountOre: 0n, differences: { loss: openOre }, reference: reason, words };
  const standing = await registerPayment(tx, loss, actor);
  const detail = { reason, amount: oreToNumber(openOre) };
  await recordEvent(tx, { actor, action: 'invoice.written_off', subject: invoiceId, detail });
  return standing;
}

/** Takes back all that stands as lost, the way it was booked: the invoice is open again. */
export async function takeBackLoss(tx: Tx, act: WriteOff, actor: string): Promise<Standing> {
  const { invoiceId, reason } = act;
  const { number } = await lockBooked(tx, invoiceId);
  const losses = await listLosses(tx, invoiceId);
  const lostOre: Ore = sum(losses.map(({ ore }) => ore));
  if (lostOre <= 0n) {
    throw refuse('unprocessable', [
      { path: 'invoiceId', reason: 'nothing_written_off', params: { number } },
    ]);
  }
  const words = worded(`Återtagen kundförlust kundfaktura ${number}`, reason);
  for (const { account, ore } of losses) {
    await registerPayment(
      tx,
      { ...act, amountOre: -ore, account, reference: reason, words },
      actor,
    );
  }
  const detail = { reason, amount: oreToNumber(lostOre) };
  await recordEvent(tx, { actor, action: 'invoice.loss_taken_back', subject: invoiceId, detail });
  return standingOf(tx, invoiceId, null);
}

const worded = (what: string, reason: string): string => `${what}: ${reason}`.slice(0, 500);
