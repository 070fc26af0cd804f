/** The period lock and the VAT lock: until when, who set them, why, and how they are moved. */
import { z } from 'zod';
import { nameOfActor } from '../../../audit/actors.ts';
import { type ListedEvent, listLatestEvents } from '../../../audit/store.ts';
import { addDays } from '../../../domain/basics/dates.ts';
import { lockMark, moveLock } from '../../../ledger/locks/service.ts';
import { getLocks, type LockKind } from '../../../ledger/locks/store.ts';
import { field, formOf } from '../../fields.ts';
import { dayInWords, moment } from '../../format.ts';
import { choice, day, optional, optionalText } from '../../inputs.ts';
import type { Pages } from '../../page.ts';
import type { FormInput, View, Visit } from '../../visit.ts';

const kinds = { period: 'period', moms: 'vat' } as const satisfies Record<string, LockKind>;
type KindWord = keyof typeof kinds;
const params = z.object({ kind: z.enum(['period', 'moms']) });

const words = {
  period: {
    title: 'Periodlås',
    word: 'periodlås',
    stops: 'Ett verifikat kan inte dateras den låsta dagen eller tidigare, oavsett vad det rör.',
    use: 'Lås när en månad är avstämd och redovisad, så att det som har lämnats ut inte ändras.',
  },
  moms: {
    title: 'Momslås',
    word: 'momslås',
    stops:
      'Verifikat den låsta dagen eller tidigare stoppas när en rad har en momskod eller står på ett momskonto (2610–2649). Annat går att bokföra.',
    use: 'Lås när momsdeklarationen är lämnad, så att dess rutor inte ändras.',
  },
} as const;

const fields = z
  .object({
    what: choice(['set', 'lift']),
    date: optional(day),
    reason: optionalText(500),
    seen: z.string().max(10).optional(),
  })
  .superRefine(({ what, date, reason }, context) => {
    const fault = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message, params: { reason: 'required' } });
    if (what === 'set' && date === null) fault('date', 'Välj den sista dagen som ska vara låst.');
    if (what === 'lift' && reason === null) fault('reason', 'Skriv varför låset hävs.');
  });

export function registerLockPages(pages: Pages): void {
  pages.show({ url: '/rakenskapsar/las', right: 'read', show: showLocks });
  pages.form({
    url: '/rakenskapsar/las/:kind',
    right: 'administer',
    params,
    fields,
    show: showForm,
    perform: async ({ tx, person, params: { kind } }, { what, date, reason, seen }) => {
      const to = what === 'lift' ? null : date;
      await moveLock(tx, kinds[kind], { date: to, reason, seen }, person.actor);
      const notice =
        to === null
          ? `${words[kind].title}et är hävt.`
          : `${words[kind].title}et gäller till och med ${dayInWords(to)}.`;
      return { to: '/rakenskapsar/las', notice };
    },
  });
}

async function showLocks({ tx, deps }: Visit): Promise<View> {
  const locks = await getLocks(tx);
  const events = await listLatestEvents(tx, ['lock.period', 'lock.vat'], 30);
  const shown = events.map((event) => shownEvent(event, deps.config.timeZone));
  const lockOf = (kind: KindWord, date: string | null) => ({
    kind,
    ...words[kind],
    until: date === null ? null : dayInWords(date),
    firstOpen: date === null ? null : dayInWords(addDays(date, 1)),
    latest: shown.find((event) => event.kind === kind) ?? null,
  });
  return {
    template: 'locks',
    title: 'Lås',
    values: {
      locks: [lockOf('period', locks.period_locked_to), lockOf('moms', locks.vat_locked_to)],
      events: shown,
    },
  };
}

function shownEvent(event: ListedEvent, timeZone: string) {
  const { before, reason } = event.detail;
  const wasSet = typeof before === 'string' ? before : null;
  return {
    kind: event.action === 'lock.period' ? ('period' as const) : ('moms' as const),
    lock: event.action === 'lock.period' ? 'Periodlås' : 'Momslås',
    at: moment(event.occurred_at, timeZone),
    who: nameOfActor(event.actor, event.actor_name),
    from: wasSet ?? '–',
    to: event.subject === 'none' ? 'hävt' : event.subject,
    reason: typeof reason === 'string' ? reason : '',
  };
}

async function showForm(
  { tx, today, params: { kind } }: Visit<{ kind: KindWord }>,
  input: FormInput,
): Promise<View> {
  const locks = await getLocks(tx);
  const now = kind === 'period' ? locks.period_locked_to : locks.vat_locked_to;
  const lastMonthEnd = addDays(`${today.slice(0, 7)}-01`, -1);
  return {
    template: 'lock',
    title: words[kind].title,
    values: {
      ...words[kind],
      until: now === null ? null : dayInWords(now),
      seen: lockMark(now),
      form: formOf(input, {
        what: field(input, 'what', 'Vad ska ske?', {
          type: now === null ? 'hidden' : 'radios',
          value: 'set',
          options: [
            { value: 'set', label: 'Lås till och med en annan dag' },
            {
              value: 'lift',
              label: 'Häv låset',
              help: 'Alla dagar i öppna räkenskapsår går att bokföra igen.',
            },
          ],
        }),
        date: field(input, 'date', 'Låst till och med', {
          type: 'date',
          value: now !== null && now > lastMonthEnd ? now : lastMonthEnd,
          isRequired: true,
          help: 'Den sista låsta dagen.',
        }),
        reason: field(input, 'reason', 'Varför', {
          maxLength: 500,
          help: 'Sparas i behandlingshistoriken. Krävs när låsta dagar öppnas.',
        }),
      }),
    },
  };
}
