/** The left navigation: every page that stands in it, and the right it needs. Said in the language of whoever looks. */

import type { Right } from '../access/users/roles.ts';
import { language, say, sayOf, worded } from '../lib/language.ts';
import { type Inboxes, inboxCountMax } from '../reports/overview/store.ts';
import { isInEnglish } from './language.ts';
import type { Person } from './person.ts';

interface Item {
  readonly href: string;
  readonly label: string;
  readonly right?: Right;
  /** The inbox whose number of things that wait stands beside it. */
  readonly inbox?: keyof Inboxes;
}

const groups = worded(
  (): readonly { readonly heading: string; readonly items: readonly Item[] }[] => [
    {
      heading: say`Bokföring`,
      items: [
        { href: '/oversikt', label: say`Översikt` },
        { href: '/verifikat', label: sayOf('menu')`Verifikat` },
        { href: '/kundfakturor', label: say`Kundfakturor` },
        { href: '/order', label: sayOf('menu')`Order`, inbox: 'orders' },
        { href: '/leverantorsinkorg', label: say`Leverantörsinkorg`, inbox: 'purchases' },
        { href: '/betalningar', label: say`Betalningar` },
        { href: '/underlag', label: sayOf('menu')`Underlag`, inbox: 'documents' },
        { href: '/bank', label: say`Bank`, inbox: 'bank' },
        { href: '/forslag', label: say`Förslag`, inbox: 'proposals' },
        { href: '/manadsavslut', label: say`Månadsavslut` },
        { href: '/moms', label: say`Moms` },
        { href: '/periodiseringar', label: say`Periodiseringar` },
        { href: '/rapporter', label: say`Rapporter` },
      ],
    },
    {
      heading: say`Register`,
      items: [
        { href: '/kunder', label: say`Kunder` },
        { href: '/leverantorer', label: say`Leverantörer` },
        { href: '/artiklar', label: say`Artiklar` },
        { href: '/kontoplan', label: say`Kontoplan` },
        { href: '/dimensioner', label: say`Dimensioner` },
        { href: '/serier', label: say`Serier` },
      ],
    },
    {
      heading: say`Företaget`,
      items: [
        { href: '/rakenskapsar', label: say`Räkenskapsår och lås` },
        { href: '/sie', label: say`SIE-filer` },
        { href: '/arkiv', label: say`Arkiv`, right: 'administer' },
        { href: '/installningar', label: say`Inställningar`, right: 'administer' },
        { href: '/drift', label: say`Drift`, right: 'administer' },
        { href: '/handelser', label: say`Händelser` },
      ],
    },
  ],
);

/** What the person may open, with the page they are on marked. */
export function navigationFor(person: Person, path: string, inboxes: Inboxes | null) {
  const waiting = (inbox: keyof Inboxes | undefined): string | null => {
    const count = inbox && inboxes ? inboxes[inbox] : 0;
    if (count === 0) return null;
    return count < inboxCountMax ? String(count) : `${inboxCountMax - 1}+`;
  };
  return groups().map(({ heading, items }) => ({
    heading,
    items: items
      .filter(({ right }) => right === undefined || person.may(right))
      .map(({ href, label, inbox }) => ({
        href,
        label,
        /** Said where the page is in another language than the menu. */
        language: language() === 'en' && !isInEnglish(href) ? 'sv' : null,
        waiting: waiting(inbox),
        isCurrent: path === href || path.startsWith(`${href}/`),
      })),
  }));
}
