/** Mailing a link that lets somebody in. It is handed to the mail server at once and never stored: it opens the books. */
import type { Invitation } from '../../access/users/invitations.ts';
import type { Config } from '../../config/config.ts';
import { normalizeMailAddress, oneLine } from '../../domain/basics/mail-address.ts';
import { momentOf } from '../../lib/clock.ts';
import { uuid } from '../../lib/uuid.ts';
import { type LetterSeller, type Sender, senderOf } from '../../sales/mail/seller.ts';
import type { SendResult } from '../../sales/mail/send.ts';

/** Somebody waits for it. */
const patience = { untilSentMs: 20_000, untilAnsweredMs: 20_000 };

/** Whom mail of the installation's own is from; undefined when it can send none. */
export const invitingSender = (
  { smtp, mailFrom }: Pick<Config, 'smtp' | 'mailFrom'>,
  seller: LetterSeller | undefined,
): Sender | undefined => (smtp && seller ? senderOf(seller, mailFrom) : undefined);

export interface InvitationMail {
  readonly sender: Sender;
  /** The user's address and name, that empty when nobody has said it. */
  readonly to: { readonly email: string; readonly name: string };
  /** Who invites, for the reader to know. */
  readonly inviter: string | null;
  readonly invitation: Invitation;
}

/** Sends it; answers why it did not go, in a Swedish sentence, or null when it did. Never throws. */
export async function mailInvitation(
  { smtp, timeZone }: Pick<Config, 'smtp' | 'timeZone'>,
  { sender, to, inviter, invitation }: InvitationMail,
): Promise<string | null> {
  const recipient = normalizeMailAddress(to.email);
  if (!smtp || recipient === undefined) {
    return `Ingen e-post kan skickas till ${to.email}.`;
  }
  const company = oneLine(sender.name);
  // HTTP mails nothing else, and seldom this.
  const { sendMail } = await import('../../sales/mail/send.ts');
  const result: SendResult = await sendMail(
    smtp,
    {
      senderName: sender.name,
      sender: sender.address,
      replyTo: sender.replyTo,
      recipients: [recipient],
      remaining: [recipient],
      subject: `Inbjudan till bokföringen för ${company}`,
      body: letterOf(company, to.name, inviter, invitation, timeZone),
      messageId: `<${uuid()}@${sender.address.split('@')[1]}>`,
      writtenAt: new Date(),
      pdf: null,
    },
    patience,
  );
  if (result.accepted.length > 0) return null;
  return result.error ?? 'E-postservern sa inget om mottagaren.';
}

const letterOf = (
  company: string,
  name: string,
  inviter: string | null,
  { link, expiresAt }: Invitation,
  timeZone: string,
): string => `Hej${name === '' ? '' : ` ${oneLine(name)}`}!

${inviter === null ? 'Du är inbjuden' : `${oneLine(inviter)} bjuder in dig`} till bokföringen för ${company} i Huvudbok.
Öppna länken och välj ett eget lösenord:

${link}

Länken fungerar en gång, till och med ${momentOf(expiresAt, timeZone)}. Skicka den inte vidare: den som
öppnar den först får din inloggning. Väntade du dig ingen inbjudan kan du låta bli att öppna den.
`;
