/** Which pages there are in English, for whoever has chosen it: those by which other programs are connected. */
import type { FastifyRequest } from 'fastify';
import type { Language } from '../lib/language.ts';

/** The page at each of these, and all below it. */
const inEnglish = [
  '/dagskassor',
  '/drift',
  '/forslag',
  '/handelser',
  '/installningar/api-nycklar',
  '/installningar/webhooks',
  '/leverantorsinkorg',
  '/order',
];
/** Below them, forms of other sections, and the e-invoice as it is printed. */
const notInEnglish = new Set([
  '/leverantorsinkorg/:id/andra',
  '/leverantorsinkorg/:id/dokument',
  '/leverantorsinkorg/ny',
  '/leverantorsinkorg/utlagg',
  '/order/:id/faktura',
]);

/** By a page's route. */
export const isInEnglish = (route: string): boolean =>
  !notInEnglish.has(route) &&
  inEnglish.some((place) => route === place || route.startsWith(`${place}/`));

/** That of the page that is asked for. */
export function pageLanguage({ person, routeOptions }: FastifyRequest): Language {
  const wanted = person?.language ?? 'sv';
  return isInEnglish(routeOptions.url ?? '') ? wanted : 'sv';
}
