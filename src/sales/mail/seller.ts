/** Whose name and address stand on mail. Pure. */
import { normalizeMailAddress, oneLine } from '../../domain/basics/mail-address.ts';

type Text = string | null;

export interface LetterSeller {
  readonly name: string;
  readonly organization_number: string;
  /** Where a limited company's board has its seat. */
  readonly seat: Text;
  readonly email: Text;
  readonly phone: Text;
  readonly bankgiro: Text;
  readonly plusgiro: Text;
  readonly iban: Text;
}

export interface Sender {
  readonly name: string;
  readonly address: string;
  /** Where answers go when that is not the sender. */
  readonly replyTo: string | null;
}

/** `mailFrom` is MAIL_FROM. Undefined when there is no address to send from. */
export function senderOf(
  seller: Pick<LetterSeller, 'name' | 'email'>,
  mailFrom: string | undefined,
): Sender | undefined {
  const own = normalizeMailAddress(seller.email?.trim() ?? '');
  const address = mailFrom ?? own;
  if (address === undefined) return undefined;
  const replyTo = own === undefined || own === address ? null : own;
  return { name: oneLine(seller.name), address, replyTo };
}
