/** The left navigation: every page that stands in it, and the right it needs. */

import type { Right } from '../access/users/roles.ts';
import { type Inboxes, inboxCountMax } from '../reports/overview/store.ts';
import type { Person } from './person.ts';

interface Item {
  readonly href: string;
  readonly label: string;
  readonly right?: Right;
  /** The inbox whose number of things that wait stands beside it. */
  readonly inbox?: keyof Inboxes;
}

const groups: readonly { readonly heading: string; readonly items: readonly Item[] }[] = [
  {
    heading: 'Bokföring',
    items: [
      { href: '/oversikt', label: 'Översikt' },
      { href: '/verifikat', label: 'Verifikat' },
      { href: '/kundfakturor', label: 'Kundfakturor' },
      { href: '/order', label: 'Order', inbox: 'orders' },
      { href: '/leverantorsinkorg', label: 'Leverantörsinkorg', inbox: 'purchases' },
      { href: '/betalningar', label: 'Betalningar' },
      { href: '/underlag', label: 'Underlag', inbox: 'documents' },
      { href: '/bank', label: 'Bank', inbox: 'bank' },
      { href: '/forslag', label: 'Förslag', inbox: 'proposals' },
      { href: '/manadsavslut', label: 'Månadsavslut' },
      { href: '/moms', label: 'Moms' },
      { href: '/periodiseringar', label: 'Periodiseringar' },
      { href: '/rapporter', label: 'Rapporter' },
    ],
  },
  {
    heading: 'Register',
    items: [
      { href: '/kunder', label: 'Kunder' },
      { href: '/leverantorer', label: 'Leverantörer' },
      { href: '/artiklar', label: 'Artiklar' },
      { href: '/kontoplan', label: 'Kontoplan' },
      { href: '/dimensioner', label: 'Dimensioner' },
      { href: '/serier', label: 'Serier' },
    ],
  },
  {
    heading: 'Företaget',
    items: [
      { href: '/rakenskapsar', label: 'Räkenskapsår och lås' },
      { href: '/sie', label: 'SIE-filer' },
      { href: '/arkiv', label: 'Arkiv', right: 'administer' },
      { href: '/installningar', label: 'Inställningar', right: 'administer' },
      { href: '/drift', label: 'Drift', right: 'administer' },
      { href: '/handelser', label: 'Händelser' },
    ],
  },
];

/** What the person may open, with the page they are on marked. */
export function navigationFor(person: Person, path: string, inboxes: Inboxes | null) {
  const waiting = (inbox: keyof Inboxes | undefined): string | null => {
    const count = inbox && inboxes ? inboxes[inbox] : 0;
    if (count === 0) return null;
    return count < inboxCountMax ? String(count) : `${inboxCountMax - 1}+`;
  };
  return groups.map(({ heading, items }) => ({
    heading,
    items: items
      .filter(({ right }) => right === undefined || person.may(right))
      .map(({ href, label, inbox }) => ({
        href,
        label,
        waiting: waiting(inbox),
        isCurrent: path === href || path.startsWith(`${href}/`),
      })),
  }));
}
