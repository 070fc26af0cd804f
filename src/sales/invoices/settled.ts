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

/** Booked, and so with its number. */
export type NumberedInvoice = SettledInvoice & { readonly number: number };

/** Holds a booked invoice until commit. Throws 404, and 422 for drafts and credit notes. */
export async function lockBooked(tx: Tx, id: string): Promise<NumberedInvoice> {
  const invoice = await lockInvoice(tx, id);
  if (!invoice) throw refuseWhole('not_found', 'no_invoice', { id });
  const path = 'invoiceId';
  const { number } = invoice;
  if (invoice.status === 'draft' || number === null) {
    throw refuse('unprocessable', [{ path, reason: 'not_booked' }]);
  }
  if (invoice.kind === 'credit_note') {
    throw refuse('unprocessable', [{ path, reason: 'is_credit_note', params: { number } }]);
  }
  return { ...invoice, number };
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
