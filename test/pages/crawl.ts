/** Every kind of page that links lead a person to, and the forms that stand there. */
import type { LoggedIn } from '../support/person.ts';

export interface SeenForm {
  readonly action: string;
  readonly page: string;
  readonly isGet: boolean;
  /** What stands in the fields, else something that fits. */
  readonly values: ReadonlyMap<string, string>;
}

export interface Crawled {
  readonly addresses: ReadonlySet<string>;
  /** What the pages among them say, of those that answered well. */
  readonly pages: ReadonlyMap<string, string>;
  readonly forms: readonly SeenForm[];
}

/** Which form it is, whatever thing it is about. */
export const formKind = ({ isGet, action, page }: SeenForm): string =>
  `${isGet ? 'GET' : 'POST'} ${kindOf(action)} ${kindOf(page)}`;

const kindOf = (address: string): string =>
  address
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{64}/g, ':id')
    .replace(/\d+/g, ':n')
    .replace(/=[^&]*/g, '=…');
const plain = (text: string): string =>
  text.replaceAll('&amp;', '&').replaceAll('&#x3D;', '=').replaceAll('&quot;', '"');

/** From the overview on; so many pages of each kind, unless said three. */
export async function crawl(person: LoggedIn, ofEachKind = 3): Promise<Crawled> {
  const addresses = new Set<string>();
  const pages = new Map<string, string>();
  const forms = new Map<string, SeenForm>();
  const waiting = ['/oversikt', '/kom-igang', '/logga-in', '/logga-in/kod'];
  const known = new Set(waiting);
  const alike = new Map(waiting.map((address) => [kindOf(address), 1]));
  for (const address of waiting) {
    addresses.add(address);
    // What is printed is waited for, and nobody prints here.
    if (/\/(pdf|zip)$|\.pdf\b|format=pdf/.test(address)) continue;
    const { body, headers, statusCode } = await person.get(address);
    if (!String(headers['content-type']).startsWith('text/html')) continue;
    if (statusCode === 200) pages.set(address, body);
    for (const form of formsIn(address, body)) {
      const kind = formKind(form);
      // Logging out ends the test's own session.
      if (!forms.has(kind) && form.action !== '/logga-ut') forms.set(kind, form);
    }
    for (const [, href = ''] of body.matchAll(/\s(?!\w*action)[\w-]+="(\/[^"]*)/g)) {
      const link = plain(href).replace(/#.*/, '');
      if (known.has(link)) continue;
      const kind = kindOf(link);
      const seen = alike.get(kind) ?? 0;
      const isLeftOut = /^\/(public|docs|openapi)|\/(pdf|zip)$|\.pdf\b|format=pdf/.test(link);
      if (isLeftOut || seen >= ofEachKind) continue;
      alike.set(kind, seen + 1);
      known.add(link);
      waiting.push(link);
    }
  }
  return { addresses, pages, forms: [...forms.values()] };
}

function formsIn(page: string, html: string): SeenForm[] {
  return [...html.matchAll(/<form([^>]*)>(.*?)<\/form>/gs)].map(
    ([, attributes = '', inside = '']) => ({
      action: plain(/action="([^"]*)"/.exec(attributes)?.[1] ?? page),
      page,
      isGet: !/method="post"/i.test(attributes),
      values: filledIn(inside),
    }),
  );
}

/** What a person would leave in the fields: what stands there, else something that fits. */
function filledIn(html: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [tag, name = ''] of html.matchAll(
    /<(?:input|select|textarea|button)[^>]*\sname="([^"]+)"[^>]*>/g,
  )) {
    const standing = plain(/\svalue="([^"]*)"/.exec(tag)?.[1] ?? '');
    if (!values.has(name) || tag.includes(' checked'))
      values.set(plain(name), standing || fitting(name));
  }
  return values;
}

const fittings: readonly [RegExp, string][] = [
  [/date|start|expires/i, '2026-10-15'],
  [/^end$/, '2027-12-31'],
  [/0\]\.(debit|unitPrice)|1\]\.credit|amount|percent/i, '125,50'],
  [/[01]\]\.account/, '1930'],
  [/0\]\.quantity/, '2'],
  [/0\]\.vatRate/, '25'],
  [/email/i, 'nagon@exempel.se'],
  [/organizationNumber/, '5560360793'],
  [/url/, 'https://exempel.se/krok'],
  [/number|quota|year|terms/i, '30'],
  [/role/, 'lasare'],
  [/supply/, 'goods'],
  [/series/i, 'A'],
  [/debit|credit|note|cost_center|project|vat|Rate/, ''],
];
const fitting = (name: string): string =>
  fittings.find(([form]) => form.test(name))?.[1] ?? 'Något';
