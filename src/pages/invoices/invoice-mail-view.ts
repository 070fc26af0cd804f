/** Mails as people see them. Pure. */
import type { Config } from '../../config/config.ts';
import type { InvoiceKind } from '../../domain/sales/invoice.ts';
import { type LetterSeller, senderOf } from '../../sales/mail/seller.ts';
import type { ListedMail } from '../../sales/mail/store.ts';
import { moment } from '../format.ts';

/** Why nothing can be sent, and what an administrator does about it; null when it can. */
export function noMailReason(
  { smtp, mailFrom }: Pick<Config, 'smtp' | 'mailFrom'>,
  seller: LetterSeller,
): { readonly sentence: string; readonly isServer: boolean } | null {
  if (!smtp)
    return { sentence: 'E-post är inte inställd i den här installationen.', isServer: true };
  if (senderOf(seller, mailFrom)) return null;
  return { sentence: 'Företaget har ingen e-postadress att skicka från.', isServer: false };
}

/** `Faktura`, `Kreditfaktura`, `Påminnelse 1`; with the invoice's number where it is known. */
export function whatOf(
  { reminder_no: no }: { readonly reminder_no: number | null },
  invoice?: { readonly kind: InvoiceKind; readonly number: number | null },
): string {
  const number = invoice?.number ?? '';
  if (no !== null) return `Påminnelse ${no}${invoice ? ` om faktura ${number}` : ''}`;
  return `${invoice?.kind === 'credit_note' ? 'Kreditfaktura' : 'Faktura'} ${number}`.trim();
}

export interface MailStanding extends Pick<ListedMail, 'state' | 'unanswered'> {
  readonly delivered: readonly string[];
  readonly error: string | null;
}

/** The word for how it stands; where an attempt ended without an answer, nobody knows that it did not go. */
export function mailChip({ state, delivered, error, unanswered }: MailStanding) {
  if (state === 'sent') return { text: 'Skickat', tone: 'good' };
  if (state === 'queued') {
    return error === null
      ? { text: 'På väg', tone: 'info' }
      : { text: 'Försöker igen', tone: 'warn' };
  }
  if (delivered.length > 0) return { text: 'Inte till alla', tone: 'bad' };
  return { text: unanswered > 0 ? 'Kan ha kommit fram' : 'Gick inte iväg', tone: 'bad' };
}

/** What went wrong, and what happens next. */
function storyOf({ state, delivered_to, last_error, unanswered }: ListedMail): string {
  const doubt = state !== 'queued' && unanswered > 0 ? doubts[state] : '';
  if (last_error === null) return doubt;
  const reached = delivered_to.length > 0 ? ` Det har nått ${delivered_to.join(', ')}.` : '';
  const next = state === 'queued' ? ' Nästa försök görs av sig självt.' : '';
  return `${last_error}${reached}${next}${doubt && ` ${doubt}`}`;
}

/** Of attempts that were cut off, or that the server said nothing to. */
const doubts = {
  sent: 'Minst ett försök slutade utan svar från e-postservern, så det kan ha kommit fram mer än en gång.',
  failed:
    'Minst ett försök slutade utan svar från e-postservern, så det kan ändå ha kommit fram: fråga mottagaren innan det skickas igen.',
} as const;

export function mailView(mail: ListedMail, timeZone: string) {
  const at = (time: Date | null): string | null => time && moment(time, timeZone);
  const invoice = `/kundfakturor/${mail.invoice_id}`;
  const form = mail.reminder_no === null ? invoice : `${invoice}/paminnelser/${mail.reminder_no}`;
  const href = `${invoice}/utskick/${mail.id}`;
  return {
    href,
    pdf: `${href}/pdf`,
    again: `${href}/igen`,
    change: `${form}/e-post?som=${mail.id}`,
    what: whatOf(mail),
    fileName: mail.file_name,
    from: `${mail.sender_name} <${mail.sender}>`,
    replyTo: mail.reply_to,
    to: mail.recipients.join(', '),
    subject: mail.subject,
    body: mail.body,
    chip: mailChip({ ...mail, delivered: mail.delivered_to, error: mail.last_error }),
    story: storyOf(mail),
    requestedAt: at(mail.created_at) ?? '',
    author: mail.author,
    sentAt: at(mail.sent_at),
    attempts: mail.attempts,
    attemptedAt: at(mail.attempted_at),
    messageId: mail.message_id,
    isFailed: mail.state === 'failed',
  };
}

/** The list on the invoice's page; fetched anew (`poll`) while something is on its way. */
export function mailsView(invoiceId: string, mails: readonly ListedMail[], timeZone: string) {
  const isMoving = mails.some(({ state }) => state === 'queued');
  return {
    poll: isMoving ? `/kundfakturor/${invoiceId}/utskick` : null,
    rows: mails.map((mail) => mailView(mail, timeZone)),
  };
}
