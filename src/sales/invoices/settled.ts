/** What everything that happens to a booked invoice shares. */
import type { Tx } from '../../db/pool.ts';
import type { Ore } from '../../domain/basics/money.ts';
import { refuse, refuseWhole } from '../../lib/errors.ts';
import { lockInvoice, type SettledInvoice } from './settlement-store.ts';

/** Where an invoice stands after what happened to it. */
export interface Standing {
  readonly invoiceId: string;
  readonly status: string;
  readonly openOre: Ore;
  readonly voucherId: string | null;
}

/** Holds a booked invoice until commit. Throws 404, and 422 for drafts and credit notes. */
export async function lockBooked(tx: Tx, id: string): Promise<SettledInvoice> {
  const invoice = await lockInvoice(tx, id);
  if (!invoice) throw refuseWhole('not_found', 'no_invoice', { id });
  const path = 'invoiceId';
  if (invoice.status === 'draft') {
    throw refuse('unprocessable', [{ path, reason: 'not_booked' }]);
  }
  if (invoice.kind === 'credit_note') {
    const params = { number: invoice.number };
    throw refuse('unprocessable', [{ path, reason: 'is_credit_note', params }]);
  }
  return invoice;
}

export async function standingOf(
  tx: Tx,
  invoiceId: string,
  voucherId: string | null,
): Promise<Standing> {
  const invoice = await lockInvoice(tx, invoiceId);
  if (!invoice) throw new Error('the invoice vanished');
  return { invoiceId, status: invoice.status, openOre: invoice.open_ore, voucherId };
}
