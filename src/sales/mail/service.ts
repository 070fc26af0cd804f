/** Asking for an e-mail with an invoice, a credit note or a reminder; the mail worker sends it. */
import { recordEvent } from '../../audit/store.ts';
import { enqueue, mail as mailQueue } from '../../db/jobs.ts';
import type { Db, Tx } from '../../db/pool.ts';
import { refuseWhole } from '../../lib/errors.ts';
import { sha256Of } from '../../lib/sha256.ts';
import { uuid } from '../../lib/uuid.ts';
import { requestPdf } from '../../render/store.ts';
import { prepareInvoicePdf, prepareReminderPdf } from '../invoices/documents.ts';
import { getInvoice, type InvoiceFacts } from '../invoices/reading-store.ts';
import type { Sender } from './seller.ts';
import { findCustomerMail, findMail, insertMail, requeueMail } from './store.ts';

/** Where the buyer wants their mail: as the invoice says, else as the customer register does; empty when neither does. */
export async function usualAddress(db: Db, invoice: InvoiceFacts): Promise<string> {
  const frozen = invoice.debtor['email']?.trim();
  return frozen || ((await findCustomerMail(db, invoice.customer_id))?.trim() ?? '');
}

export interface MailRequest {
  readonly invoiceId: string;
  /** Which reminder; null for the invoice or credit note itself. */
  readonly reminderNo: number | null;
  readonly sender: Sender;
  /** One to five, normalized. */
  readonly recipients: readonly string[];
  readonly subject: string;
  readonly body: string;
  readonly timeZone: string;
}

/**
 * Stores the mail, the page that its PDF is printed from, and the job, all in the caller's transaction.
 * Throws 404 `not_found` for drafts and for reminders that do not exist.
 */
export async function requestMail(tx: Tx, request: MailRequest, actor: string): Promise<string> {
  const { invoiceId, reminderNo, sender } = request;
  const { status } = await getInvoice(tx, invoiceId);
  if (status === 'draft') throw refuseWhole('not_found', 'draft_not_mailed');
  const { html, fileName } =
    reminderNo === null
      ? await prepareInvoicePdf(tx, invoiceId)
      : await prepareReminderPdf(tx, invoiceId, reminderNo, request.timeZone);
  await requestPdf(tx, html);
  const id = uuid();
  await insertMail(tx, {
    id,
    invoiceId,
    reminderNo,
    senderName: sender.name,
    sender: sender.address,
    replyTo: sender.replyTo,
    recipients: request.recipients,
    subject: request.subject,
    body: request.body,
    page: sha256Of(html),
    fileName,
    messageId: `<${id}@${sender.address.split('@')[1]}>`,
    createdBy: actor,
  });
  await enqueue(tx, mailQueue, [{ mailId: id }]);
  await recordEvent(tx, {
    actor,
    action: 'invoice.mail_requested',
    subject: invoiceId,
    detail: { mail: id, reminderNo, recipients: request.recipients },
  });
  return id;
}

/**
 * A mail that failed, once more as it was: the same message, to those whom it has not reached. Throws 404
 * `not_found`, or 422 `unprocessable` when it has not failed.
 */
export async function sendAgain(tx: Tx, mailId: string, actor: string): Promise<void> {
  const mail = await findMail(tx, mailId);
  if (!mail) throw refuseWhole('not_found', 'no_mail');
  if (!(await requeueMail(tx, mailId))) {
    throw refuseWhole('unprocessable', 'mail_not_failed');
  }
  await enqueue(tx, mailQueue, [{ mailId }]);
  await recordEvent(tx, {
    actor,
    action: 'invoice.mail_requested',
    subject: mail.invoice_id,
    detail: {
      mail: mailId,
      reminderNo: mail.reminder_no,
      recipients: mail.recipients,
      again: true,
    },
  });
}
