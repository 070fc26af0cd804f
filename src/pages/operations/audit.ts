/** Händelser: who did what, when and through which call; searchable, and as a file. */

import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { nameOfActor, otherActors } from '../../audit/actors.ts';
import { eventsCsv } from '../../audit/csv.ts';
import {
  type AuditPlace,
  type EventFilter,
  type LoggedEvent,
  listActors,
  listEvents,
} from '../../audit/log-store.ts';
import { listSubjectNames } from '../../audit/subject-store.ts';
import { actionNames, pageOf, sentenceOf } from '../../audit/wording.ts';
import { refuse } from '../../lib/errors.ts';
import { say } from '../../lib/language.ts';
import { field } from '../fields.ts';
import { type Fields, textOf } from '../form-fields.ts';
import { moment } from '../format.ts';
import { isMoment, parseDay, uuid } from '../inputs.ts';
import type { Pages } from '../page.ts';
import type { FileAnswer, View, Visit } from '../visit.ts';

const eventsShown = 50;
const eventsAtOnce = 2_000;
const filterNames = ['fran', 'till', 'vem', 'vad', 'sok'] as const;

export function registerAuditPages(pages: Pages): void {
  pages.show({ url: '/handelser', right: 'read', show: (visit) => showEvents(visit, pages) });
  const file = { url: '/handelser.csv', right: 'read' } as const;
  pages.answer(file, (request) => exportEvents(request, pages, file));
}

async function showEvents({ tx, query, deps, person }: Visit, pages: Pages): Promise<View> {
  const { timeZone } = deps.config;
  const { filter, problems } = readFilter(query, timeZone);
  const after = readPlace(textOf(query, 'efter'));
  const events = problems.length > 0 ? [] : await listEvents(tx, filter, after, eventsShown + 1);
  const shown = events.slice(0, eventsShown);
  const names = await listSubjectNames(
    tx,
    shown.map(({ subject }) => subject),
  );
  const actors = [...(await listActors(tx)), ...otherActors()];
  const input = { fields: query, problems, isSent: problems.length > 0 };
  const address = (more: Readonly<Record<string, string>>) => addressOf('/handelser', query, more);
  const last = shown.at(-1);
  const select = (name: string, label: string, all: string, options: Option[]) => {
    const value = textOf(query, name);
    const isListed = value === '' || options.some((option) => option.value === value);
    return field(input, name, label, {
      type: 'select',
      saysOptional: false,
      value,
      options: [
        { value: '', label: all },
        ...options,
        ...(isListed ? [] : [{ value, label: value }]),
      ],
    });
  };
  return {
    template: 'audit-events',
    title: say`Händelser`,
    values: {
      filter: {
        from: field(input, 'fran', say`Från`, {
          type: 'date',
          saysOptional: false,
          value: textOf(query, 'fran'),
        }),
        to: field(input, 'till', say`Till`, {
          type: 'date',
          saysOptional: false,
          value: textOf(query, 'till'),
        }),
        actor: select(
          'vem',
          say`Vem`,
          say`Alla`,
          actors.map(({ actor, name }) => ({
            value: actor,
            label: actor.startsWith('key:') ? say`API-nyckeln ${name}` : name,
          })),
        ),
        action: select(
          'vad',
          say`Vad`,
          say`Allt`,
          actionNames().map(({ action, name }) => ({ value: action, label: name })),
        ),
        search: textOf(query, 'sok'),
      },
      isFiltered: filterNames.some((name) => textOf(query, name) !== ''),
      events: shown.map((event) =>
        eventView(event, names.get(event.subject) ?? null, timeZone, (route) =>
          pages.mayOpen(route, person),
        ),
      ),
      csv: addressOf('/handelser.csv', query, {}),
      pager: {
        first: after ? address({}) : null,
        next: last && events.length > eventsShown ? address({ efter: placeText(last) }) : null,
      },
    },
    status: problems.length > 0 ? 400 : 200,
  };
}

interface Option {
  readonly value: string;
  readonly label: string;
}

/** `name` is what the event was about, for those whose sentence does not say it. */
function eventView(
  event: LoggedEvent,
  name: string | null,
  timeZone: string,
  mayOpen: (route: string) => boolean,
) {
  const { action, subject, detail } = event;
  const page = pageOf(action, subject);
  const sentence = sentenceOf(action, subject, detail);
  const at = moment(event.occurred_at, timeZone);
  return {
    at,
    day: at.slice(0, 10),
    time: at.slice(11),
    actor: nameOfActor(event.actor, event.actor_name),
    sentence,
    name: name !== null && needsName(name, sentence, event) ? name : null,
    action,
    subject,
    href: page && mayOpen(page.route) ? page.address : null,
    actorCode: event.actor,
    detail: Object.keys(detail).length === 0 ? null : JSON.stringify(detail, null, 2),
    requestId: event.request_id,
  };
}

/** What people do with themselves, or what the sentence says already, needs no name more. */
const needsName = (
  name: string,
  sentence: string | null,
  { actor, subject }: LoggedEvent,
): boolean => actor !== `user:${subject}` && !sentence?.includes(name);

/** A filter that cannot be understood is told at its field, never read as none. */
function readFilter(query: Fields, timeZone: string) {
  const problems = (['fran', 'till'] as const).flatMap((path) => {
    const value = textOf(query, path).trim();
    const message = say`Skriv ett datum som finns, ÅÅÅÅ-MM-DD.`;
    return value === '' || parseDay(value) ? [] : [{ path, reason: 'wrong_format', message }];
  });
  const value = (name: string) =>
    textOf(query, name).trim().replaceAll('\0', '').slice(0, 400) || null;
  const dayOf = (name: string) => parseDay(textOf(query, name).trim()) ?? null;
  const filter: EventFilter = {
    from: dayOf('fran'),
    to: dayOf('till'),
    timeZone,
    actor: value('vem'),
    action: value('vad'),
    search: value('sok'),
  };
  return { filter, problems };
}

/** The same filters at another address. */
function addressOf(path: string, query: Fields, more: Readonly<Record<string, string>>): string {
  const pairs = new URLSearchParams();
  for (const name of filterNames) {
    if (textOf(query, name) !== '') pairs.set(name, textOf(query, name));
  }
  for (const [name, value] of Object.entries(more)) pairs.set(name, value);
  const text = pairs.toString();
  return text === '' ? path : `${path}?${text}`;
}

const placeText = ({ place, id }: LoggedEvent): string =>
  Buffer.from(`${place}|${id}`).toString('base64url');

function readPlace(text: string): AuditPlace | null {
  if (text === '') return null;
  const [occurredAt = '', id = ''] = Buffer.from(text, 'base64url').toString('utf8').split('|');
  if (isMoment(occurredAt) && uuid.safeParse(id).success) return { occurredAt, id };
  const message = say`Adressen till nästa sida går inte att läsa; börja från början.`;
  throw refuse('invalid_request', [{ path: 'efter', reason: 'unreadable', message }]);
}

/** Page after page, each in a transaction of its own, so that a long file holds neither memory nor rows. */
async function exportEvents(
  request: FastifyRequest,
  pages: Pages,
  place: { readonly url: string; readonly right: 'read' },
): Promise<FileAnswer> {
  const readPage = (after: AuditPlace | null) =>
    pages.visit(request, place, async ({ tx, query, deps }) => {
      const { filter, problems } = readFilter(query, deps.config.timeZone);
      if (problems.length > 0) throw refuse('invalid_request', problems);
      return listEvents(tx, filter, after, eventsAtOnce);
    });
  const { timeZone } = pages.deps.config;
  const first = await readPage(null);
  async function* content() {
    let events = first;
    yield await eventsCsv(events, timeZone, true);
    for (let last = events.at(-1); last && events.length === eventsAtOnce; last = events.at(-1)) {
      events = await readPage({ occurredAt: last.place, id: last.id });
      if (events.length > 0) yield await eventsCsv(events, timeZone, false);
    }
  }
  return {
    type: 'text/csv; charset=utf-8',
    content: Readable.from(content()),
    headers: { 'content-disposition': 'attachment; filename="handelser.csv"' },
  };
}
