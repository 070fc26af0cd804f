/** Every page that can be reached by links from the overview, one of each kind. */
import type { Page, Response } from 'playwright-core';

const pages_max = 200;

/**
 * The kind of page an address shows: ids are all alike, and so are the series of vouchers and what follows a
 * list's first page, whichever part of the list is shown; in which order it is asked makes no difference.
 */
export const kindOf = (address: string): string =>
  inOrder(address)
    .replace(/\?(.*&)?(efter|fore)=.*/, '?$2=…')
    .replace(/serie=[^&]*/g, 'serie=…')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, ':id')
    .replace(/\d+/g, ':n')
    .replace(/=([^&]*)/g, (_, value: string) => (value.length > 20 ? '=…' : `=${value}`));

/** The same, whatever is asked of the page. */
export const pathKindOf = (address: string): string => kindOf(address.replace(/\?.*/, ''));

const inOrder = (address: string): string => {
  const [path = '', query] = address.split('?');
  return query === undefined ? path : `${path}?${query.split('&').sort().join('&')}`;
};

/** Files are not pages. */
export const isFile = (address: string): boolean =>
  /format=|\.(pdf|csv|xlsx|json|xml)\b|\/(pdf|dokument|zip)($|\?)|\/(bilaga|bilagor|original|svar)(\/|$)|^\/(public|docs|openapi)/.test(
    address,
  );

/** Goes to a page of each kind and calls `look` there; tells which addresses that were. */
export async function walk(
  page: Page,
  look: (address: string, answer: Response | null) => Promise<void>,
  kind: (address: string) => string = kindOf,
): Promise<string[]> {
  const waiting = ['/oversikt'];
  const known = new Set(waiting.map(kind));
  for (const address of waiting) {
    const answer = await page.goto(address);
    await look(address, answer);
    const links = await page.$$eval('a[href^="/"]', (found) =>
      found.map((link) => link.getAttribute('href') ?? ''),
    );
    for (const link of links.map((href) => href.replace(/#.*/, ''))) {
      if (known.has(kind(link)) || isFile(link) || known.size >= pages_max) continue;
      known.add(kind(link));
      waiting.push(link);
    }
  }
  return waiting;
}
