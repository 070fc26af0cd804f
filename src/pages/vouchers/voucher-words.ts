/** Vouchers as people call them: where they come from and who made them. */
import type { Db } from '../../db/pool.ts';
import type { Place } from '../../vouchers/cursor.ts';
import { namesOf } from '../../vouchers/detail-store.ts';

/** `A12`, as it is written on the paper. */
export const labelOf = ({ series, number }: Pick<Place, 'series' | 'number'>): string =>
  `${series}${number}`;

export const sources: Readonly<Record<string, string>> = {
  app: 'Manuellt',
  api: 'API',
  invoice: 'Kundfaktura',
  payment: 'Inbetalning',
  reminder: 'Påminnelse',
  order: 'Order',
  supplier_invoice: 'Leverantörsfaktura',
  supplier_payment: 'Leverantörsbetalning',
  bank: 'Bank',
  vat: 'Moms',
  reversal: 'Rättelse',
  opening: 'Ingående balans',
  closing: 'Bokslut',
  import: 'Import',
};

/** Integrators name their own sources; those are shown as they call them. */
export const sourceName = (source: string): string => sources[source] ?? `API: ${source}`;

/** Who did something, in words: a user's or a key's name, a job, the command line. */
export async function actorWords(
  db: Db,
  actors: readonly string[],
): Promise<(actor: string) => string> {
  const names = await namesOf(db, actors);
  return (actor) => {
    const name = names.get(actor);
    const [kind, rest = ''] = actor.split(/:(.*)/s);
    if (kind === 'user') return name ?? 'En användare som inte finns kvar';
    if (kind === 'key') return `API-nyckeln ${name ?? rest}`;
    if (kind === 'job') return `Jobbet ${rest}`;
    if (kind === 'cli') return 'Kommandoraden';
    return actor;
  };
}
