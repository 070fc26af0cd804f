/** Two people may be about to send the same invoice: whoever comes second is asked whether they still want to. */
import type { Tx } from '../../db/pool.ts';
import { refuseWhole } from '../../lib/errors.ts';
import { lockInvoice } from '../invoices/settlement-store.ts';
import { latestMailId, listMails } from './store.ts';

/** Holds the invoice. Throws 422 when a mail has been asked for since `seen`, the latest mail's id, was read. */
export async function requireSameMails(tx: Tx, invoiceId: string, seen: string): Promise<void> {
  await lockInvoice(tx, invoiceId);
  if ((await latestMailId(tx, invoiceId)) === seen) return;
  const [latest] = await listMails(tx, invoiceId);
  const who = latest?.author ?? null;
  throw refuseWhole('unprocessable', 'mailed_meanwhile', { who, to: latest?.recipients ?? [] });
}
