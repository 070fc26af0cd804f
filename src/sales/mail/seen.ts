/** Two people may be about to send the same invoice: whoever comes second is asked whether they still want to. */
import type { Tx } from '../../db/pool.ts';
import { AppError } from '../../lib/errors.ts';
import { lockInvoice } from '../invoices/settlement-store.ts';
import { latestMailId, listMails } from './store.ts';

/** Holds the invoice. Throws 422 when a mail has been asked for since `seen`, the latest mail's id, was read. */
export async function requireSameMails(tx: Tx, invoiceId: string, seen: string): Promise<void> {
  await lockInvoice(tx, invoiceId);
  if ((await latestMailId(tx, invoiceId)) === seen) return;
  const [latest] = await listMails(tx, invoiceId);
  const who = latest?.author ?? 'Någon';
  throw new AppError(
    'unprocessable',
    `${who} har skickat till ${latest?.recipients.join(', ')} sedan du öppnade sidan. Inget mer är skickat; skicka igen om det ändå ska gå iväg.`,
  );
}
