/** The audit log as a file for a spreadsheet. */
import { isoOf } from '../lib/clock.ts';
import { textCell, writeCsv } from '../lib/csv.ts';
import { nameOfActor } from './actors.ts';
import type { LoggedEvent } from './log-store.ts';
import { sentenceOf } from './wording.ts';

const head = ['tid', 'vem', 'vad', 'händelse', 'aktör', 'gäller', 'detalj', 'anrop'];

/** A page of events, with the head when it is the first; times with the offset of the time zone. */
export function eventsCsv(
  events: readonly LoggedEvent[],
  timeZone: string,
  isFirst: boolean,
): Promise<string> {
  const rows = events.map((event) => [
    isoOf(event.occurred_at, timeZone),
    nameOfActor(event.actor, event.actor_name),
    sentenceOf(event.action, event.subject, event.detail) ?? event.action,
    event.action,
    event.actor,
    event.subject,
    JSON.stringify(event.detail),
    event.request_id ?? '',
  ]);
  const texts = rows.map((row) => row.map(textCell));
  return writeCsv(isFirst ? [head, ...texts] : texts, isFirst);
}
