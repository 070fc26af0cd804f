import {
  type BegunForm,
  findBegunForm,
  forgetBegunForm,
  forgetRefusedForms,
  keepBegunForm,
  listBegunForms,
} from '../access/begun-forms/store.ts';
import type { Tx } from '../db/pool.ts';
import { say } from '../lib/language.ts';
import { uuid as newUuid } from '../lib/uuid.ts';
import { type Fields, readFields, textOf } from './form-fields.ts';
import { moment } from './format.ts';
import { uuid } from './inputs.ts';
import { keepForm, readPairs } from './kept-form.ts';
import type { FormInput, Goto, View, Visit } from './visit.ts';

/** What tells the begun ones apart, of the first of these fields that is filled. */
const tellingFields = [
  'description',
  'customer',
  'newDescription',
  'supplier',
  'sellerName',
] as const;
const wordsMax = 60;
export const addressMax = 500;

const idIn = (fields: Fields, name: string): string | undefined =>
  uuid.safeParse(textOf(fields, name)).data;
const fieldsOf = ({ pairs }: BegunForm): Fields => readFields(readPairs(pairs ?? '') ?? []);

/** The address with `?fortsatt=<id>`, which shows the form as it was typed. */
export function resumeAddress(address: string, id: string): string {
  const [path = '', query = ''] = address.split('?', 2);
  const pairs = new URLSearchParams(query);
  pairs.set('fortsatt', id);
  return `${path}?${pairs}`;
}

/** What a form begins with: what was typed of the one that the address names, or `otherwise`. */
export async function begunInput<Params>(
  { tx, query }: Visit<Params>,
  otherwise: FormInput,
): Promise<FormInput> {
  const id = idIn(query, 'fortsatt');
  if (id === undefined) return otherwise;
  const begun = await findBegunForm(tx, id);
  if (begun?.pairs) return { fields: fieldsOf(begun), problems: [], isSent: true };
  const message = say`Det du hade börjat skriva är redan skickat eller kastat. Här är en ny, tom sida.`;
  return { ...otherwise, problems: [{ path: '', reason: 'gone', message }] };
}

/** The view with what has been begun at `begunAt`, if it says where that is. */
export async function withBegun<Params>(
  { tx, query, deps }: Visit<Params>,
  view: View,
  fields?: Fields,
): Promise<View> {
  if (view.begunAt === undefined) return view;
  const at = ({ kept_at }: BegunForm) => moment(kept_at, deps.config.timeZone).slice(0, 16);
  const asked = fields ? idIn(fields, '_begun') : idIn(query, 'fortsatt');
  const found = fields || asked === undefined ? undefined : await findBegunForm(tx, asked);
  const isGone = found?.pairs === null;
  const id = asked === undefined || isGone ? newUuid() : asked;
  const [path = ''] = view.begunAt.split('?', 1);
  const others = (await listBegunForms(tx, path)).filter((one) => one.id !== id);
  const offers = others.map((one) => ({
    id: one.id,
    at: at(one),
    words: wordsOf(fieldsOf(one)),
    href: resumeAddress(one.address, one.id),
  }));
  const begun = { id, address: view.begunAt, at: found && !isGone ? at(found) : null, offers };
  return { ...view, begun };
}

function wordsOf(fields: Fields): string {
  const words = tellingFields.map((name) => textOf(fields, name).trim()).find(Boolean) ?? '';
  return [...words].slice(0, wordsMax).join('');
}

/** Keeps what was typed; where it goes on, or undefined when it is not to be kept (`keepForm`). */
export async function keepTyped(
  tx: Tx,
  fields: Fields,
  { id, address, isOffered }: { id: string; address: string; isOffered: boolean },
): Promise<string | undefined> {
  const kept = keepForm(address, fields);
  if (!kept) return undefined;
  await keepBegunForm(tx, { id, address, pairs: kept.pairs, isOffered });
  return resumeAddress(address, id);
}

/** A refused form: kept, so that Back and a reload lead to what was typed and not to a question of the browser's. */
export async function keepRefused<Params>(
  visit: Visit<Params>,
  view: View,
  { fields, address }: { readonly fields: Fields; readonly address: string | undefined },
): Promise<View> {
  const shown = await withBegun(visit, view, fields);
  // Another form of the same page is not the one that is begun there.
  const begun = idIn(fields, '_begun') === undefined ? undefined : shown.begun;
  const place = begun?.address ?? address;
  if (place === undefined || place.length > addressMax) return shown;
  const isOffered = begun !== undefined;
  const kept = { id: begun?.id ?? newUuid(), address: place, isOffered };
  if (!isOffered) await forgetRefusedForms(visit.tx, visit.path);
  const resume = await keepTyped(visit.tx, fields, kept);
  return resume === undefined ? shown : { ...shown, resume };
}

/** When a form has been done: what was begun of it is forgotten, or gone back to with what was made for it. */
export async function afterForm<Params>(
  { tx, query, path }: Visit<Params>,
  fields: Fields,
  goto: Goto,
): Promise<Goto> {
  const id = idIn(fields, '_begun');
  if (goto.asks) {
    const kept = { id: id ?? newUuid(), address: goto.asks.from, isOffered: true };
    const resume = await keepTyped(tx, fields, kept);
    const more = new URLSearchParams({ for: kept.id, falt: goto.asks.field });
    return resume ? { ...goto, to: `${goto.to}${goto.to.includes('?') ? '&' : '?'}${more}` } : goto;
  }
  if (goto.isBegun || goto.view?.begunAt !== undefined) return goto;
  if (id !== undefined) await forgetBegunForm(tx, id);
  await forgetRefusedForms(tx, path);
  const asking = idIn(query, 'for');
  const begun = asking && goto.made ? await findBegunForm(tx, asking) : undefined;
  if (!begun?.pairs || !goto.made) return goto;
  const name = textOf(query, 'falt');
  const { value, id: madeId } = goto.made;
  const answers = new Map([[name, value], ...(madeId ? [[`${name}Id`, madeId] as const] : [])]);
  const rest = (readPairs(begun.pairs) ?? []).filter(([field]) => !answers.has(field));
  const { address } = begun;
  const pairs = JSON.stringify([...rest, ...answers]);
  await keepBegunForm(tx, { id: begun.id, address, pairs, isOffered: true });
  return { ...goto, to: resumeAddress(address, begun.id) };
}
