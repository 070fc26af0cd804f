/**
 * Two people may have the same invoice before them and register the same money. What a form was made
 * from goes with it, and is held against how the invoice stands once it is locked.
 */
import type { Tx } from '../../db/pool.ts';
import { refuseWhole } from '../../lib/errors.ts';
import { lockInvoice } from './settlement-store.ts';

interface Standing {
  readonly status: string;
  readonly open_ore: bigint;
  readonly reminders: number;
}

/** How an invoice stands, as a hidden field. */
export const markOf = ({ status, open_ore, reminders }: Standing): string =>
  `${status}.${open_ore}.${reminders}`;

/** Throws 422 when something has happened to the invoice since the mark was made; else holds it. */
export async function requireUnchanged(tx: Tx, id: string, mark: string): Promise<void> {
  const invoice = await lockInvoice(tx, id);
  if (!invoice) throw refuseWhole('not_found', 'no_invoice', { id });
  if (markOf(invoice) === mark) return;
  throw refuseWhole('unprocessable', 'invoice_changed_meanwhile', { openOre: invoice.open_ore });
}
