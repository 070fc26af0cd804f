/** What everything that happens to a booked invoice shares. */
import type { Tx } from '../../db/pool.ts';
import type { Ore } from '../../domain/basics/money.ts';
import { AppError, refuse } from '../../lib/errors.ts';
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
  if (!invoice) throw new AppError('not_found', `Det finns ingen faktura ${id}.`);
  const path = 'invoiceId';
  if (invoice.status === 'draft') {
    const message = 'Fakturan är ett utkast; bokför den först.';
    throw refuse('unprocessable', [{ path, reason: 'not_booked', message }]);
  }
  if (invoice.kind === 'credit_note') {
    const message = `${invoice.number} är en kreditfaktura; ange fakturan den gäller.`;
    throw refuse('unprocessable', [{ path, reason: 'is_credit_note', message }]);
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
