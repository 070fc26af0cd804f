/** Mails as the application stores them, and how they stand. */
import { db, type Pool, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { insertPdf } from '#src/render/store.ts';
import { requestMail } from '#src/sales/mail/service.ts';
import { findMail, getPage, type Mail } from '#src/sales/mail/store.ts';
import { makeInvoice } from './invoices.ts';

export const PDF = Buffer.from('%PDF-1.7 a stand-in, where what it says does not matter');

/** A mail with a new invoice that waits to be sent; printed already unless told otherwise. */
export async function makeMail(
  owner: Pool,
  {
    recipients = ['kund@exempel.se'],
    isPrinted = true,
    senderName = 'Åkes "Kaffe" & Smörgås AB',
  } = {},
): Promise<string> {
  const invoiceId = await makeInvoice(owner, [{ quantityE4: 10_000n, unitPriceE4: 1_000_000n }]);
  return withTx(owner, async (tx) => {
    const id = await requestMail(
      tx,
      {
        invoiceId,
        reminderNo: null,
        sender: { name: senderName, address: 'faktura@exempel.se', replyTo: 'info@exempel.se' },
        recipients,
        subject: 'Faktura från Åkes kafferosteri: à la carte',
        timeZone: 'Europe/Stockholm',
        body: 'Hej!\n\nHär kommer fakturan.\n.\nÅke',
      },
      'test',
    );
    const mail = await findMail(tx, id);
    if (isPrinted && mail) await insertPdf(tx, await getPage(tx, mail.page_sha256), PDF);
    return id;
  });
}

export async function getMail(owner: Pool, id: string): Promise<Mail> {
  const mail = await findMail(db(owner), id);
  if (!mail) throw new Error('no such mail');
  return mail;
}

/** Attempts after the first, with hardly a pause between. */
export async function hurryRetries(owner: Pool, limit: number): Promise<void> {
  await db(owner).query(sql`update pgboss.queue
    set retry_limit = ${limit}, retry_delay = 0, retry_backoff = false where name = 'mail'`);
}
