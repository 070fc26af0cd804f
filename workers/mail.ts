/**
 * Sends e-mail with invoices and reminders. A mail server cannot take part in a transaction, so a process
 * that dies just after the server has taken a message, and before that is written down, sends it once more:
 * with the same Message-ID, by which the receiver's server and reader know it again, and people are told that
 * it may have come twice. So is a message that a server got whole and never answered, three times at most. Nothing
 * else sends twice: a mail is sent under a lock, only while it waits, and never to whom it has reached.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { recordEvent } from '#src/audit/store.ts';
import type { SmtpServer } from '#src/config/smtp.ts';
import { deadLettersOf, mail as mailQueue } from '#src/db/jobs.ts';
import { db, type Pool, type Tx, withLock, withTx } from '#src/db/pool.ts';
import { mailAttempts } from '#src/lib/metrics/metrics.ts';
import { requestPdf } from '#src/render/store.ts';
import { type SendResult, sendMail } from '#src/sales/mail/send.ts';
import {
  beginAttempt,
  type Conclusion,
  concludeMail,
  findMail,
  getPage,
  type Mail,
} from '#src/sales/mail/store.ts';
import type { Task } from './run.ts';

type MailJob = { mailId: string };

/** Mail servers dislike many connections from one sender. */
const concurrency = 2;
const pdfWaitMs = 30_000;
const pdfPollMs = 250;
/** What the server has taken must be written down, even if the database is away for a moment. */
const concludeAttempts = 10;
const concludePauseMs = 1_000;
/** A server that gets whole messages and never answers may have sent them all on: more of them only a person asks for. */
const unansweredMax = 3;
const job = 'job:mail';

const notConfigured =
  'E-post är inte inställd där utskicken görs: den som sköter driften sätter SMTP_URL också för worker mail och startar om.';
/** Of a mail that no server was spoken to about. */
const unsent = { delivered: [], isAnswer: false } as const;
const noPdf = 'PDF:en har inte kunnat skrivas än; utskicket väntar på den.';

export function createMailer(server: SmtpServer | undefined): Task<MailJob> {
  return {
    queue: mailQueue,
    concurrency: concurrency,
    run: (pool, log, { mailId }) =>
      withLock(pool, `mail ${mailId}`, () => deliver(pool, log, server, mailId)),
  };
}

/** What has been tried for hours: people are told, on the invoice's page, and may send it again. */
export const givingUp: Task<MailJob> = {
  queue: deadLettersOf(mailQueue),
  run: async (pool, log, { mailId }) => {
    const mail = await findMail(db(pool), mailId);
    if (mail?.state !== 'queued') return;
    const error = mail.last_error ?? 'Utskicket avbröts gång på gång.';
    await conclude(pool, mail, { ...unsent, state: 'failed', error });
    log.warn({ mail: mailId, invoice: mail.invoice_id, error }, 'mail failed');
  },
};

/** Throws when it is worth trying again. */
async function deliver(
  pool: Pool,
  log: Logger,
  server: SmtpServer | undefined,
  mailId: string,
): Promise<void> {
  const mail = await findMail(db(pool), mailId);
  if (mail?.state !== 'queued') return;
  if (!server) {
    await conclude(pool, mail, { ...unsent, state: 'failed', error: notConfigured });
    log.error({ mail: mailId }, 'mail: SMTP_URL is not set');
    return;
  }
  const bytes = await waitForPdf(pool, mail);
  if (!bytes) {
    await conclude(pool, mail, { ...unsent, state: 'queued', error: noPdf });
    throw new Error('the PDF of a mail is not printed yet');
  }
  if (!(await withTx(pool, (tx) => beginAttempt(tx, mailId)))) return;
  const remaining = mail.recipients.filter((one) => !mail.delivered_to.includes(one));
  const result = await sendMail(server, {
    senderName: mail.sender_name,
    sender: mail.sender,
    replyTo: mail.reply_to,
    recipients: mail.recipients,
    remaining,
    subject: mail.subject,
    body: mail.body,
    messageId: mail.message_id,
    writtenAt: mail.created_at,
    pdf: { fileName: mail.file_name, bytes },
  });
  const conclusion = judge(remaining, result, mail.unanswered + 1);
  await conclude(pool, mail, conclusion);
  const { state, error } = conclusion;
  mailAttempts.inc({ state });
  log.info({ mail: mailId, invoice: mail.invoice_id, state, error }, 'mail attempted');
  if (state === 'queued') throw new Error(error ?? 'the mail did not reach everybody');
}

/** What an attempt means for the mail, of whose attempts so many, this one too, may have got through unseen. Pure. */
export function judge(
  remaining: readonly string[],
  result: SendResult,
  unanswered: number,
): Conclusion {
  const { accepted, isUnanswered } = result;
  const isAnswer = !isUnanswered;
  const mayHelpToWait = result.mayHelpToWait && (isAnswer || unanswered < unansweredMax);
  const error = result.error ?? 'E-postservern sa inget om någon av mottagarna.';
  if (accepted.length >= remaining.length) {
    return { state: 'sent', delivered: accepted, error: null, isAnswer };
  }
  return { state: mayHelpToWait ? 'queued' : 'failed', delivered: accepted, error, isAnswer };
}

async function waitForPdf(pool: Pool, { page_sha256: page }: Mail): Promise<Buffer | undefined> {
  const html = await getPage(db(pool), page);
  const deadline = performance.now() + pdfWaitMs;
  for (;;) {
    // Asks for it too, should its job have failed for good.
    const pdf = await requestPdf(db(pool), html);
    if (pdf || performance.now() > deadline) return pdf;
    await sleep(pdfPollMs);
  }
}

async function conclude(pool: Pool, mail: Mail, conclusion: Conclusion): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await withTx(pool, (tx) => writeDown(tx, mail, conclusion));
    } catch (error) {
      if (attempt === concludeAttempts) throw error;
      await sleep(concludePauseMs);
    }
  }
}

async function writeDown(tx: Tx, mail: Mail, conclusion: Conclusion): Promise<void> {
  const { state, error } = conclusion;
  if (!(await concludeMail(tx, mail.id, conclusion)) || state === 'queued') return;
  const { id, reminder_no: reminderNo, recipients, message_id: messageId } = mail;
  await recordEvent(tx, {
    actor: job,
    action: state === 'sent' ? 'invoice.mailed' : 'invoice.mail_failed',
    subject: mail.invoice_id,
    detail: { mail: id, reminderNo, recipients, messageId, requestedBy: mail.created_by, error },
  });
}
