/** Who did something, as a person reads it: the one place that knows how actors are written down. */

import type { Db } from '../db/pool.ts';
import { say, worded } from '../lib/language.ts';
import { listNamesOf } from './store.ts';

const known = worded(
  (): Readonly<Record<string, string>> => ({
    cli: say`Kommandoraden`,
    environment: say`Miljövariabler`,
    setup: say`Det första besöket`,
    demo: say`Exempelföretaget`,
    'job:order-intake': say`Arbetaren för order`,
    'job:till-report-intake': say`Arbetaren för dagskassor`,
    'job:e-invoice-intake': say`Arbetaren för e-fakturor`,
    'job:invoice-booking': say`Arbetaren för kundfakturor`,
    'job:supplier-invoice-booking': say`Arbetaren för leverantörsfakturor`,
    'job:bank-import': say`Bankens mapp`,
    'job:bank-booking': say`Arbetaren för bankrader`,
    'job:recurring-invoices': say`Arbetaren för återkommande fakturor`,
    'job:accruals': say`Arbetaren för periodiseringar`,
    'job:mail': say`Arbetaren för e-post`,
    'job:verification': say`Nattens kontroll`,
    'job:webhooks': say`Arbetaren för webhooks`,
  }),
);

/** Those who are neither users nor keys. */
export const otherActors = worded(
  (): readonly { readonly actor: string; readonly name: string }[] =>
    Object.entries(known()).map(([actor, name]) => ({ actor, name })),
);

/** What to call each of those who have done something, by how they are written down. */
export async function listActorNames(
  db: Db,
  actors: Iterable<string>,
): Promise<(actor: string) => string> {
  const found = await listNamesOf(db, [...new Set(actors)]);
  const names = new Map(found.map(({ actor, name }) => [actor, name]));
  return (actor) => nameOfActor(actor, names.get(actor) ?? null);
}

/** `name` is the user's or the key's, when it may be seen. */
export function nameOfActor(actor: string, name: string | null): string {
  const [kind = '', rest = ''] = [actor.split(':', 1)[0], actor.slice(actor.indexOf(':') + 1)];
  switch (kind) {
    case 'user':
      return name ?? say`En användare`;
    case 'key':
      return name === null ? say`API-nyckel ${rest.slice(0, 8)}` : say`API-nyckeln ${name}`;
    case 'address':
      return say`Någon på ${rest}`;
    default:
      return known()[actor] ?? actor;
  }
}
