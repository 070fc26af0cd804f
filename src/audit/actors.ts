/** Who did something, as a person reads it: the one place that knows how actors are written down. */
import type { Db } from '../db/pool.ts';
import { listNamesOf } from './store.ts';

const known: Readonly<Record<string, string>> = {
  cli: 'Kommandoraden',
  environment: 'Miljövariabler',
  setup: 'Det första besöket',
  demo: 'Exempelföretaget',
  'job:order-intake': 'Arbetaren för order',
  'job:till-report-intake': 'Arbetaren för dagskassor',
  'job:e-invoice-intake': 'Arbetaren för e-fakturor',
  'job:invoice-booking': 'Arbetaren för kundfakturor',
  'job:supplier-invoice-booking': 'Arbetaren för leverantörsfakturor',
  'job:bank-import': 'Bankens mapp',
  'job:bank-booking': 'Arbetaren för bankrader',
  'job:recurring-invoices': 'Arbetaren för återkommande fakturor',
  'job:accruals': 'Arbetaren för periodiseringar',
  'job:mail': 'Arbetaren för e-post',
  'job:verification': 'Nattens kontroll',
  'job:webhooks': 'Arbetaren för webhooks',
};

/** Those who are neither users nor keys. */
export const otherActors: readonly { readonly actor: string; readonly name: string }[] =
  Object.entries(known).map(([actor, name]) => ({ actor, name }));

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
      return name ?? 'En användare';
    case 'key':
      return name === null ? `API-nyckel ${rest.slice(0, 8)}` : `API-nyckeln ${name}`;
    case 'address':
      return `Någon på ${rest}`;
    default:
      return known[actor] ?? actor;
  }
}
