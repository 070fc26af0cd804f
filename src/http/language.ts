/** Which of the two languages a reader of what is meant for programmers wants. */
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Language, languages } from '../lib/language.ts';

/** The language as an address says it; one there is not is a refusal. */
export const languageQuery = z.object({ lang: z.enum(languages).optional() });

/**
 * The language asked for: by the address, else by `Accept-Language` (RFC 9110, 12.5.4), where the one with
 * the greater weight wins and the earlier of two alike. English when neither is asked for.
 */
export function languageOf({ query, headers }: FastifyRequest): Language {
  const { lang } = query as z.infer<typeof languageQuery>;
  return lang ?? preferredLanguage(headers['accept-language']);
}

export function preferredLanguage(header = ''): Language {
  const wanted = header.split(',').flatMap((one) => {
    const [range = '', ...parameters] = one.split(';').map((part) => part.trim().toLowerCase());
    const language = languages.find((known) => known === range.split('-')[0]);
    const [, weight = '1'] = /^q=([\d.]+)$/.exec(parameters[0] ?? '') ?? [];
    return language && Number(weight) > 0 ? [{ language, weight: Number(weight) }] : [];
  });
  const [first] = wanted.sort((a, b) => b.weight - a.weight);
  return first?.language ?? 'en';
}
