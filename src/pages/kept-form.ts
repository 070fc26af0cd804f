/**
 * What somebody had typed when it turned out that they were no longer logged in. It goes with them through
 * the login, in the pages themselves, and comes back into its form; nothing of it is done until they
 * look at it and send it again.
 */

import type { FastifyRequest } from 'fastify';
import type { Problem } from '../lib/errors.ts';
import { say } from '../lib/language.ts';
import type { KeptForm } from './form-fields.ts';
import { type Fields, pairsOf, readFields, textOf } from './form-fields.ts';
import { ownPath } from './own-path.ts';
import type { View } from './visit.ts';

/** Written again as one field, it must fit in a form. */
const pairsMaxBytes = 250_000;
/** Of the form as it was made then; the one it comes back into has its own. */
const ownNames = new Set(['_csrf', '_once', '_address', 'fortsatt']);

/** Undefined when it is too much, or holds a password: that is typed anew. */
export function keepForm(url: string, fields: Fields): KeptForm | undefined {
  const given = pairsOf(fields).filter(([name]) => !ownNames.has(name));
  if (given.some(([name]) => /^(password|next|again|secret)/i.test(name))) return undefined;
  const pairs = JSON.stringify(given);
  return Buffer.byteLength(pairs) > pairsMaxBytes ? undefined : { url, pairs };
}

/** What the login's forms carry, as their templates show it. */
export const carried = (kept: KeptForm | undefined) => ({
  keptUrl: kept?.url ?? '',
  keptPairs: kept?.pairs ?? '',
  hasKept: kept !== undefined,
});

/** What a login's form carried. */
export function keptIn(fields: Fields): KeptForm | undefined {
  const [url, pairs] = [textOf(fields, 'keptUrl'), textOf(fields, 'keptPairs')];
  return url === '' || ownPath(url) !== url || readPairs(pairs) === undefined
    ? undefined
    : { url, pairs };
}

/** Undefined when they are no pairs of texts. */
export function readPairs(json: string): [string, string][] | undefined {
  try {
    const read: unknown = JSON.parse(json);
    const isPairs =
      Array.isArray(read) &&
      read.every((pair) => Array.isArray(pair) && pair.every((part) => typeof part === 'string'));
    return isPairs ? (read as [string, string][]) : undefined;
  } catch {
    return undefined;
  }
}

/** The page after the login: a button back into the form, which script presses by itself. */
export function wayBack({ url, pairs }: KeptForm): View {
  // Through the reader of forms: a name that no form has does not come back.
  const fields = pairsOf(readFields(readPairs(pairs) ?? []));
  return {
    template: 'kept-form',
    title: say`Du är inloggad igen`,
    values: { url, fields: fields.map(([name, value]) => ({ name, value })) },
  };
}

/** Whether the form is only to be shown with what was typed, as after a login. */
export const comesBack = (fields: Fields): boolean => textOf(fields, 'fortsatt') !== '';

/** Said above the form when it comes back. */
export const notSentYet = (fields: Fields): readonly Problem[] => [
  {
    path: '',
    reason: 'not_sent_yet',
    message:
      textOf(fields, 'fortsatt') === 'enter'
        ? say`Inget är sparat än: tryck på knappen när det du skrivit stämmer.`
        : say`Du har loggat in på nytt sedan formuläret öppnades. Det du skrev finns kvar, men inget är sparat än: se efter att det stämmer och skicka det igen.`,
  },
];

/** The page that a button stood on, to come back to after logging in; undefined when it is not known. */
export function pageBehind(request: FastifyRequest): string | undefined {
  const { referer = '', host = '' } = request.headers;
  if (!URL.canParse(referer)) return undefined;
  const from = new URL(referer);
  return from.host === host ? from.pathname + from.search : undefined;
}
