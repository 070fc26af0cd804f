/**
 * E-mail addresses that invoices are sent to. Narrower than RFC 5321 allows: what is left out (quoted local
 * parts, address literals, letters outside ASCII before the @) is hardly used, and is how headers are forged.
 */
import type { Reasoned } from '../../lib/errors.ts';

export const recipientsMax = 5;

const local = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
/** After the domain has been made ASCII. */
const domain =
  /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])$/;
const typedDomain = /^[\p{L}\p{M}\p{N}.-]+$/u;

const localMax = 64;
const domainMax = 253;
const addressMax = 254;

/** As a mail server takes it (the domain in ASCII, lower case); undefined when it is no such address. */
export function normalizeMailAddress(text: string): string | undefined {
  const at = text.lastIndexOf('@');
  const name = text.slice(0, at);
  const host = text.slice(at + 1);
  if (at < 1 || name.length > localMax || host.length > domainMax) return undefined;
  if (!local.test(name) || !typedDomain.test(host)) return undefined;
  const ascii = URL.parse(`http://${host}`)?.hostname ?? '';
  const address = `${name}@${ascii}`;
  return domain.test(ascii) && address.length <= addressMax ? address : undefined;
}

export type Recipients = { readonly addresses: readonly string[] } | { readonly fault: Reasoned };

/** One address, or several with commas between; each once. */
export function parseRecipients(text: string): Recipients {
  const typed = text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  if (typed.length === 0) return { fault: { reason: 'no_recipient' } };
  if (typed.length > recipientsMax) {
    return { fault: { reason: 'too_many_recipients', params: { recipientsMax } } };
  }
  const addresses = new Map<string, string>();
  for (const one of typed) {
    const address = normalizeMailAddress(one);
    if (address === undefined) {
      const [short] = one.match(/^.{0,60}/su) ?? [''];
      return { fault: { reason: 'no_mail_address', params: { typed: short } } };
    }
    if (!addresses.has(address.toLowerCase())) addresses.set(address.toLowerCase(), address);
  }
  return { addresses: [...addresses.values()] };
}

/** Text for a header: one line, no control characters, and no marks that turn what follows. */
export const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
