/** An audit event as a sentence, and where what it was about is shown. */
import { language, translated, worded } from '../lib/language.ts';
import { isUuid } from '../lib/uuid.ts';
import { type Detail, type Wording, wordings } from './wordings.ts';

/** The sentence, null for an action that this version does not know. */
export const sentenceOf = (action: string, subject: string, detail: Detail): string | null =>
  wordingOf(action)?.sentence(subject, detail) ?? null;

function wordingOf(action: string): Wording | undefined {
  return Object.hasOwn(wordings, action) ? wordings[action] : undefined;
}

/** Every action that has a name, in the order of the alphabet. */
export const actionNames = worded(
  (): readonly { readonly action: string; readonly name: string }[] =>
    Object.entries(wordings)
      .map(([action, { name }]) => ({ action, name: translated(name) }))
      .sort((one, other) => one.name.localeCompare(other.name, language())),
);

/** Where things of a kind are shown, for actions that have no page of their own: `invoice.booked`. */
const pagesByNoun = new Map(
  Object.entries({
    voucher: '/verifikat/:id',
    invoice: '/kundfakturor/:id',
    payment: '/kundfakturor/:id',
    reminder: '/kundfakturor/:id',
    order: '/order/:id',
    till_report: '/dagskassor/:id',
    purchase: '/leverantorsinkorg/:id',
    customer: '/kunder/:id',
    supplier: '/leverantorer/:id',
    dimension: '/dimensioner/:id',
  }),
);

/** The route of the page that shows what an event was about, and its address; undefined when none does. */
export function pageOf(
  action: string,
  subject: string,
): { readonly route: string; readonly address: string } | undefined {
  const known = wordingOf(action);
  const route = known ? known.page : pagesByNoun.get(action.split('.', 1)[0] ?? '');
  if (route === undefined || (route.includes(':id') && !isUuid(subject))) return undefined;
  return { route, address: route.replace(/:\w+$/, () => encodeURIComponent(subject)) };
}
