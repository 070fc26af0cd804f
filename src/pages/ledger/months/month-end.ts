/** Månadsavslut: what a month asks, what is in the way, and a person's word that it is done. */
import { z } from 'zod';
import { listActorNames, nameOfActor } from '../../../audit/actors.ts';
import { listLatestEvents } from '../../../audit/store.ts';
import { addMonths, isDate, lastDayOfMonth } from '../../../domain/basics/dates.ts';
import { getLocks } from '../../../ledger/locks/store.ts';
import { listRemainders, type Remainder } from '../../../ledger/months/remainder-store.ts';
import { acknowledgeMonth, reopenMonth, requireMonth } from '../../../ledger/months/service.ts';
import {
  findAcknowledged,
  findFirstMonth,
  getMonthEnds,
  listFailing,
  listUncompared,
  type MonthEnds,
  type MonthSpan,
} from '../../../ledger/months/store.ts';
import { findVatPeriod } from '../../../ledger/vat-filings/service.ts';
import { listFilingsWithin } from '../../../ledger/vat-filings/store.ts';
import { AppError } from '../../../lib/errors.ts';
import { capitalized } from '../../../lib/sentences/words.ts';
import { field, problemsAbove } from '../../fields.ts';
import { textOf } from '../../form-fields.ts';
import { amountText, dayInWords, moment, monthInWords } from '../../format.ts';
import { optionalText, text, ticked } from '../../inputs.ts';
import type { Pages } from '../../page.ts';
import { type FormInput, nothingTyped, type View, type Visit } from '../../visit.ts';
import { conditions } from './month-words.ts';

const home = '/manadsavslut';
const eventsShown = 12;

/** `2026-03`, as the first day of the month. */
const month = z
  .string()
  .regex(/^\d{4}-\d{2}$/)
  .transform((value) => `${value}-01`)
  .refine(isDate);
const addressOf = (first: string): string => `${home}/${first.slice(0, 7)}`;

export function registerMonthEndPages(pages: Pages): void {
  pages.show({ url: home, right: 'read', show: (visit) => showMonth(visit, nothingTyped) });
  pages.show({
    url: `${home}/:month`,
    right: 'read',
    params: z.object({ month }),
    show: (visit) => showMonth(visit, nothingTyped, visit.params.month),
  });
  pages.act({
    url: home,
    right: 'keep_books',
    fields: z.object({ month, reason: optionalText(500), locks: ticked }),
    show: showTyped,
    perform: async ({ tx, person, today, deps }, acknowledged) => {
      if (acknowledged.locks && !person.may('administer')) {
        throw new AppError('forbidden', 'Perioden låses av en administratör.');
      }
      const day = { today, timeZone: deps.config.timeZone };
      await acknowledgeMonth(tx, acknowledged, day, person.actor);
      const locked = acknowledged.locks ? ' och perioden låst' : '';
      return { to: home, notice: `${capital(acknowledged.month)} är kvitterad${locked}.` };
    },
  });
  pages.act({
    url: `${home}/oppna`,
    right: 'own',
    fields: z.object({ month, reopenReason: text(500) }),
    show: showTyped,
    perform: async ({ tx, person, today, deps }, reopened) => {
      const day = { today, timeZone: deps.config.timeZone };
      await reopenMonth(tx, reopened.month, day, person.actor, reopened.reopenReason);
      const notice = `${capital(reopened.month)} är öppen igen. Låset står kvar tills en administratör flyttar det.`;
      return { to: addressOf(reopened.month), notice };
    },
  });
}

const capital = (first: string): string => capitalized(monthInWords(first));

function showTyped(visit: Visit, input: FormInput): Promise<View> {
  const typed = month.safeParse(textOf(input.fields, 'month'));
  return showMonth(visit, input, typed.success ? typed.data : undefined);
}

async function showMonth(visit: Visit, input: FormInput, asked?: string): Promise<View> {
  const { tx, today, deps } = visit;
  const { timeZone } = deps.config;
  const ends = await getMonthEnds(tx, { today, timeZone });
  const start = await findFirstMonth(tx);
  const running = `${today.slice(0, 7)}-01`;
  const first = asked ?? ends.open_month ?? ends.last_closed_month ?? running;
  if (asked !== undefined) await requireMonth(tx, asked, { today, timeZone });
  const span = { first, last: lastDayOfMonth(first), timeZone };
  const failing = await listFailing(tx, span);
  const acknowledged = await findAcknowledged(tx, first);
  const nameOf = await listActorNames(tx, acknowledged ? [acknowledged.acknowledged_by] : []);
  return {
    template: 'month-end',
    title: asked === undefined ? 'Månadsavslut' : `Månadsavslut, ${monthInWords(first)}`,
    values: {
      month: monthInWords(first),
      state: stateOf(first, ends, acknowledged !== undefined, running),
      behind: ends.months_behind > 1 ? ends.months_behind : null,
      acknowledged: acknowledged
        ? {
            at: moment(acknowledged.acknowledged_at, timeZone),
            who: nameOf(acknowledged.acknowledged_by),
          }
        : null,
      before: start !== undefined && first > start ? neighbour(first, -1) : null,
      after: first < running ? neighbour(first, 1) : null,
      conditions: await shownConditions(visit, span, failing),
      failing: failing.length,
      form: {
        above: aboveForms(input, first, acknowledged !== undefined),
        faults: input.problems.length,
      },
      vat: await vatOf(visit, span),
      acknowledge:
        first === ends.open_month ? await acknowledging(visit, input, span, failing) : null,
      reopen: first === ends.last_closed_month ? reopening(input, first) : null,
      remainders: (await listRemainders(tx, span)).map(shownRemainder),
      events: await history(visit),
    },
  };
}

const neighbour = (first: string, months: number) => {
  const other = addMonths(first, months);
  return { href: addressOf(other), text: monthInWords(other) };
};

function stateOf(first: string, ends: MonthEnds, isDone: boolean, running: string) {
  if (isDone) return { tone: 'good', text: 'Kvitterad' };
  if (first >= running) return { tone: '', text: 'Pågår' };
  if (first === ends.open_month) return { tone: 'info', text: 'Står på tur' };
  return { tone: 'warn', text: 'Väntar på tidigare månader' };
}

async function shownConditions({ tx }: Visit, span: MonthSpan, failing: readonly string[]) {
  const uncomparedNames = await listUncompared(tx, span);
  const shown = [];
  for (const [name, { label, met, uncompared, obstacles }] of Object.entries(conditions)) {
    const fails = failing.includes(name);
    shown.push({
      label,
      met: (uncomparedNames.has(name) && uncompared) || met,
      chip: fails ? { tone: 'warn', text: 'Återstår' } : { tone: 'good', text: 'Klart' },
      obstacles: fails ? await obstacles(tx, span) : [],
    });
  }
  // What remains is what a person came for.
  return shown.toSorted((one, other) => other.obstacles.length - one.obstacles.length);
}

const heldAgainst = {
  bank: 'Bankens saldo',
  invoices: 'Öppna fakturor då',
  nothing: 'Ska vara noll',
} as const;

const shownRemainder = ({ account, name, balance_ore, against, remainder_ore }: Remainder) => ({
  account,
  name,
  balance: amountText(balance_ore),
  against: against === null ? null : heldAgainst[against],
  remainder: remainder_ore === null ? '' : amountText(remainder_ore),
  isOff: remainder_ore !== null && remainder_ore !== 0n,
});

/** The VAT period that ends with the month. */
async function vatOf({ tx }: Visit, { last }: MonthSpan) {
  const period = await findVatPeriod(tx, last);
  if (!period) return null;
  const [filing] = await listFilingsWithin(tx, { start: last, end: last });
  return {
    href: `/moms/${last}`,
    span: `${dayInWords(period.start)} – ${dayInWords(period.end)}`,
    filedOn: filing ? dayInWords(filing.filed_on) : null,
  };
}

async function acknowledging(
  { tx, person }: Visit,
  input: FormInput,
  { first, last }: MonthSpan,
  failing: readonly string[],
) {
  const { period_locked_to: lockedTo } = await getLocks(tx);
  const isLocked = lockedTo !== null && lockedTo >= last;
  const names = failing.map((name) => conditions[name]?.name ?? name).join(', ');
  const reason =
    failing.length === 0
      ? null
      : field(input, 'reason', 'Varför månaden kvitteras ändå', {
          type: 'textarea',
          isRequired: true,
          maxLength: 500,
          help: `Återstår: ${names}. Skälet sparas i behandlingshistoriken.`,
        });
  const locks =
    isLocked || !person.may('administer')
      ? null
      : field(input, 'locks', `Lås perioden till och med ${dayInWords(last)}`, {
          type: 'checkbox',
          value: 'on',
          help: 'Därefter kan ingen bokföra i månaden, inte heller över API:et. En administratör kan flytta låset.',
        });
  return {
    month: first.slice(0, 7),
    reason,
    locks,
    lockedTo: isLocked && lockedTo ? dayInWords(lockedTo) : null,
  };
}

/** Of the page's two forms, which have each its field. */
const isReopening = ({ isSent, fields }: FormInput): boolean =>
  isSent && fields['reopenReason'] !== undefined;

/** Whoever comes back to acknowledge what has been acknowledged meanwhile has no form to send again. */
function aboveForms(input: FormInput, first: string, isDone: boolean): string[] {
  const isMoot = isDone && !isReopening(input);
  const problems = input.problems.map((problem) =>
    isMoot && problem.reason === 'not_sent_yet'
      ? { ...problem, message: `${capital(first)} är redan kvitterad.` }
      : problem,
  );
  return problemsAbove({ ...input, problems }, ['reason', 'reopenReason']);
}

function reopening(input: FormInput, first: string) {
  const reason = field(input, 'reopenReason', 'Varför', {
    isRequired: true,
    maxLength: 500,
    help: 'Sparas i behandlingshistoriken med ditt namn.',
  });
  return { month: first.slice(0, 7), reason, isOpen: isReopening(input) };
}

async function history({ tx, deps }: Visit) {
  const events = await listLatestEvents(tx, ['month.acknowledged', 'month.reopened'], eventsShown);
  return events.map(({ occurred_at, actor, actor_name, action, subject, detail }) => ({
    at: moment(occurred_at, deps.config.timeZone),
    href: addressOf(subject),
    month: monthInWords(subject),
    what: action === 'month.acknowledged' ? 'Kvitterad' : 'Öppnad igen',
    who: nameOfActor(actor, actor_name),
    reason: typeof detail['reason'] === 'string' ? detail['reason'] : '',
    failing: (Array.isArray(detail['failing']) ? detail['failing'] : [])
      .map((name) => conditions[String(name)]?.name ?? String(name))
      .join(', '),
  }));
}
