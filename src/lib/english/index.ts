/**
 * The English of the pages that there are in English (`src/pages/language.ts`), by their Swedish: sentences of the code with
 * their values numbered, `{0} av {1}`; words of templates with their values as they stand there, `Senast {{backup.at}}.`
 * A key that begins with a context, `order|Avvisad`, is what the word is in that place: in the template of that name, or
 * where the code says so (`sayOf`). What is not here is shown in Swedish; test/unit/english.test.ts tells what is missing, and
 * what nobody says any more.
 */
import { auditEvents } from './audit-events.ts';
import { frame } from './frame.ts';
import { keysAndWebhooks } from './keys-and-webhooks.ts';
import { operations } from './operations.ts';
import { orders } from './orders.ts';
import { proposals } from './proposals.ts';
import { purchases } from './purchases.ts';
import { refusals } from './refusals.ts';
import { tillReports } from './till-reports.ts';

export const english: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...auditEvents,
    ...frame,
    ...keysAndWebhooks,
    ...operations,
    ...orders,
    ...proposals,
    ...purchases,
    ...refusals,
    ...tillReports,
  }),
);
