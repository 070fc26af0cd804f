/** The audit log as a spreadsheet reads it in Sweden: semicolons, UTF-8 with a mark, nothing that computes. */
import { writeToString } from 'fast-csv';
import { nameOfActor } from './actors.ts';
import type { LoggedEvent } from './log.ts';
import { sentenceOf } from './wording.ts';

/** What spreadsheets would take for a formula is made text. */
const formula = /^[=+\-@\t\r]/;
const cell = (text: string): string => (formula.test(text) ? `'${text}` : text);

const head = ['tid', 'vem', 'vad', 'händelse', 'aktör', 'gäller', 'detalj', 'anrop'];

/** A page of events, with the head when it is the first. */
export function eventsCsv(events: readonly LoggedEvent[], isFirst: boolean): Promise<string> {
  const rows = events.map((event) => [
    event.occurred_at.toISOString(),
    nameOfActor(event.actor, event.actor_name),
    sentenceOf(event.action, event.subject, event.detail) ?? event.action,
    event.action,
    event.actor,
    event.subject,
    JSON.stringify(event.detail),
    event.request_id ?? '',
  ]);
  return writeToString(isFirst ? [head, ...rows.map(cells)] : rows.map(cells), {
    delimiter: ';',
    rowDelimiter: '\r\n',
    includeEndRowDelimiter: true,
    writeBOM: isFirst,
  });
}

const cells = (row: readonly string[]): string[] => row.map(cell);
