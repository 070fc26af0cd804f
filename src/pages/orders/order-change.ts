/** What was sent of an order once it was an invoice: what differs from that, and what a person can do about it. */
import type { Tx } from '../../db/pool.ts';
import { indentJson } from '../../domain/basics/json.ts';
import { findChangedOrder } from '../../intake/orders/change-store.ts';
import { differencesOf } from '../../intake/orders/differences.ts';
import type { ShownOrder } from '../../intake/orders/inbox-store.ts';
import { bodyOf } from '../../intake/orders/readable.ts';
import { say } from '../../lib/language.ts';
import { fieldName, rowMemberList } from '../../lib/sentences/order-fields.ts';
import { capitalized } from '../../lib/sentences/words.ts';
import { moment } from '../format.ts';
import { receivedWords } from './order-words.ts';

const shownMax = 20;
const valueMax = 120;
const jsonMax = 100_000;

/** A value as it came, cut: nothing of it is reckoned with. */
function shown(value: unknown): string {
  if (value === undefined || value === null || value === '') return '–';
  const text = typeof value === 'string' ? value : wholeText(value);
  const characters = [...text];
  return characters.length > valueMax ? `${characters.slice(0, valueMax).join('')}…` : text;
}

/** A row that came or went whole: `Benämning: Filter, Antal: 1`. */
function wholeText(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return JSON.stringify(value);
  }
  const heads = new Map<string, string>(rowMemberList().map(({ name, head }) => [name, head]));
  return Object.entries(value)
    .map(([name, one]) => `${heads.get(name) ?? name}: ${shown(one)}`)
    .join(', ');
}

/** Null when nothing was, or somebody has seen to it. */
export async function changeView(tx: Tx, order: ShownOrder, timeZone: string) {
  const change = order.invoice_id === null ? undefined : await findChangedOrder(tx, order.id);
  if (!change || change.seen_at !== null) return null;
  const { the, booked } = receivedWords()[order.kind];
  const found = differencesOf(bodyOf(change.first), bodyOf(change.raw), shownMax + 1);
  const isDraft = order.invoice_status === 'draft';
  const invoice = `/kundfakturor/${order.invoice_id}`;
  const body = change.raw.toString('utf8');
  return {
    receivedAt: change.received_at.toISOString(),
    sentence: say`${capitalized(the)} skickades igen ${moment(change.received_at, timeZone)} med nyckeln ${change.sender ?? '–'} och annat innehåll, när den redan var en ${booked}. Den är kvar som den var.`,
    rows: found.slice(0, shownMax).map(({ path, before, after }) => ({
      name: fieldName(path),
      before: shown(before),
      after: shown(after),
    })),
    hasMore: found.length > shownMax,
    step: isDraft
      ? { label: say`Öppna utkastet och ändra det`, href: invoice }
      : order.kind === 'order' && order.invoice_status !== 'credited'
        ? { label: say`Kreditera fakturan, och skriv en ny`, href: `${invoice}/kreditera` }
        : { label: say`Öppna den`, href: invoice },
    json: body.length > jsonMax ? null : indentJson(body),
  };
}
