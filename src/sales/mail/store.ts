/** E-mails with invoices and reminders: what was asked for, and what became of it. */
import type { Db, Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { LetterSeller } from './seller.ts';

export type MailState = 'queued' | 'sent' | 'failed';

export interface NewMail {
  readonly id: string;
  readonly invoiceId: string;
  /** Which reminder; null for the invoice itself. */
  readonly reminderNo: number | null;
  readonly senderName: string;
  readonly sender: string;
  readonly replyTo: string | null;
  readonly recipients: readonly string[];
  readonly subject: string;
  readonly body: string;
  /** SHA-256 of the page whose PDF is attached. */
  readonly page: Buffer;
  readonly fileName: string;
  readonly messageId: string;
  readonly createdBy: string;
}

export interface Mail {
  id: string;
  invoice_id: string;
  reminder_no: number | null;
  sender_name: string;
  sender: string;
  reply_to: string | null;
  recipients: string[];
  subject: string;
  body: string;
  page_sha256: Buffer;
  file_name: string;
  message_id: string;
  state: MailState;
  attempts: number;
  /** Of them, those without an answer that is written down: the one in hand, those that were cut off, and those that the server had whole. */
  unanswered: number;
  delivered_to: string[];
  last_error: string | null;
  attempted_at: Date | null;
  sent_at: Date | null;
  created_at: Date;
  created_by: string;
}

const columns = sql`m.id, m.invoice_id, m.reminder_no, m.sender_name, m.sender, m.reply_to, m.recipients,
  m.subject, m.body, m.page_sha256, m.file_name, m.message_id, m.state, m.attempts, m.unanswered,
  m.delivered_to, m.last_error, m.attempted_at, m.sent_at, m.created_at, m.created_by`;

export async function insertMail(tx: Tx, mail: NewMail): Promise<void> {
  const kind = mail.reminderNo === null ? 'invoice' : 'reminder';
  await tx.query(sql`insert into sales.mails (id, invoice_id, kind, reminder_no, sender_name, sender,
      reply_to, recipients, subject, body, page_sha256, file_name, message_id, created_by)
    values (${mail.id}::uuid, ${mail.invoiceId}::uuid, ${kind}, ${mail.reminderNo}, ${mail.senderName},
      ${mail.sender}, ${mail.replyTo}, ${mail.recipients}::text[], ${mail.subject}, ${mail.body},
      ${mail.page}, ${mail.fileName}, ${mail.messageId}, ${mail.createdBy})`);
}

export async function findMail(db: Db, id: string): Promise<Mail | undefined> {
  const [mail] = await db.query<Mail>(
    sql`select ${columns} from sales.mails m where m.id = ${id}::uuid`,
  );
  return mail;
}

/** Who asked for it, as people know them. */
export type ListedMail = Mail & { readonly author: string | null };

/** Everything that was sent about an invoice, newest first. */
export function listMails(db: Db, invoiceId: string): Promise<ListedMail[]> {
  return db.query(sql`select ${columns}, coalesce(u.name, u.email) as author
    from sales.mails m left join restricted.users u on 'user:' || u.id = m.created_by
    where m.invoice_id = ${invoiceId}::uuid order by m.created_at desc, m.id desc`);
}

/** Changes with every mail about the invoice: two people sending the same see each other by it. */
export async function latestMailId(db: Db, invoiceId: string): Promise<string> {
  const [latest] = await db.query<{ id: string }>(sql`select id from sales.mails
    where invoice_id = ${invoiceId}::uuid order by created_at desc, id desc limit 1`);
  return latest?.id ?? '';
}

/** Back in the queue, from failed. False when it was not failed. */
export async function requeueMail(tx: Tx, id: string): Promise<boolean> {
  const rows = await tx.query(sql`update sales.mails set state = 'queued'
    where id = ${id}::uuid and state = 'failed' returning id`);
  return rows.length > 0;
}

/** Marks that a server is spoken to now, before it is. False when the mail is not waiting any more. */
export async function beginAttempt(tx: Tx, id: string): Promise<boolean> {
  const rows = await tx.query(sql`update sales.mails
    set attempts = attempts + 1, unanswered = unanswered + 1, attempted_at = now()
    where id = ${id}::uuid and state = 'queued' returning id`);
  return rows.length > 0;
}

export interface Conclusion {
  readonly state: MailState;
  /** Recipients that were reached this time. */
  readonly delivered: readonly string[];
  readonly error: string | null;
  /** Whether a server was spoken to, and this is what came of it. */
  readonly isAnswer: boolean;
}

/** What became of a mail; only of one that waits. False when it did not. */
export async function concludeMail(
  tx: Tx,
  id: string,
  { state, delivered, error, isAnswer }: Conclusion,
): Promise<boolean> {
  const rows =
    await tx.query(sql`update sales.mails set state = ${state}, unanswered = unanswered - ${isAnswer ? 1 : 0}::integer,
      delivered_to = delivered_to || ${delivered}::text[], last_error = ${error},
      sent_at = case when ${state} = 'sent' then now() end
    where id = ${id}::uuid and state = 'queued' returning id`);
  return rows.length > 0;
}

/** The page that a mail's PDF is printed from. */
export async function getPage(db: Db, page: Buffer): Promise<string> {
  const [found] = await db.query<{ html: string }>(
    sql`select html from archive.pages where sha256 = ${page}`,
  );
  if (!found) throw new Error('the page of a mail is gone');
  return found.html;
}

/** The company as a letter names it. */
export async function findSeller(db: Db): Promise<LetterSeller | undefined> {
  const [seller] = await db.query<LetterSeller>(
    sql`select name, organization_number, seat, email, phone, bankgiro, plusgiro, iban
        from restricted.company`,
  );
  return seller;
}

/**
 * The address in the customer register, for invoices that say none; null when there is none, or when the
 * invoice stands on the collective customer, who is somebody else than the buyer.
 */
export async function findCustomerMail(db: Db, customerId: string): Promise<string | null> {
  const [customer] = await db.query<{ email: string | null }>(sql`select k.email
    from sales.customers k where k.id = ${customerId}::uuid
      and k.id is distinct from (select c.collective_customer_id from restricted.company c)`);
  return customer?.email ?? null;
}
