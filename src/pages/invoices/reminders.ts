/** Påminnelser: who is due for which reminder, who is left out and why, and the runs that people have started. */
import { z } from 'zod';
import { getBankNews } from '../../bank/statements/told.ts';
import { type Ore, sum } from '../../domain/basics/money.ts';
import { refuseWhole } from '../../lib/errors.ts';
import { sentenceFor } from '../../lib/sentences/say.ts';
import { uuid as newId } from '../../lib/uuid.ts';
import { prepareRemindersPdf } from '../../sales/invoices/documents.ts';
import { senderOf } from '../../sales/mail/seller.ts';
import {
  invoiceOfMark,
  previewReminders,
  type ReminderPreview,
  runMax,
  runReminders,
} from '../../sales/reminders/runs.ts';
import { listRunReminders, listRuns } from '../../sales/reminders/store.ts';
import { whyLeftOut } from '../../sales/reminders/wordings.ts';
import { problemsAbove } from '../fields.ts';
import { amountText, count, kronor, moment } from '../format.ts';
import { uuid } from '../inputs.ts';
import type { Pages } from '../page.ts';
import { type FormInput, nothingTyped, type View, type Visit } from '../visit.ts';
import { getSeller } from './invoice-mail.ts';
import { mailChip, noMailReason } from './invoice-mail-view.ts';

const home = '/paminnelser';
const shownMax = 200;
const runsShown = 20;
const params = z.object({ id: uuid });
type RunVisit = Visit<{ id: string }>;

const marks = z
  .union([z.string().transform((one) => [one]), z.array(z.string())])
  .pipe(
    z
      .array(z.string().refine((one) => invoiceOfMark(one) !== null, 'Välj fakturor i listan.'))
      .max(runMax, `Högst ${runMax} påminnelser görs åt gången.`),
  );

export function registerReminderRuns(pages: Pages): void {
  pages.show({ url: home, right: 'read', show: (visit) => showReminders(visit, nothingTyped) });
  pages.act({
    url: home,
    right: 'keep_books',
    fields: z.object({ reminder: marks.default([]), run: uuid, confirmed: z.string().optional() }),
    show: showReminders,
    perform: async (visit, { reminder, run: id, confirmed }) => {
      if (confirmed === undefined) {
        return { to: home, isBegun: true, view: await showConfirmation(visit, reminder, id) };
      }
      const { tx, today, person, deps } = visit;
      const { accounts: bank } = await getBankNews(tx);
      const { timeZone } = deps.config;
      const run = { id, marks: reminder, today, bank, timeZone, mail: await mailOf(visit) };
      const done = await runReminders(tx, run, person.actor);
      const to = `${home}/${id}`;
      if (done.isRepeated) return { to, notice: 'Körningen var redan gjord.' };
      return { to, notice: noticeOf(done.sent.length, done.changed) };
    },
  });
  pages.show({ url: `${home}/:id`, right: 'read', params, show: showRun });
  registerPaper(pages);
}

function noticeOf(sent: number, changed: number): string {
  const done = `${count(sent)} ${sent === 1 ? 'påminnelse är gjord' : 'påminnelser är gjorda'}.`;
  if (changed === 0) return done;
  return `${done} ${count(changed)} av de valda lämnades, eftersom det har hänt något med dem sedan listan visades.`;
}

/** Null when no mail can be sent. */
async function mailOf({ tx, deps }: Pick<Visit, 'tx' | 'deps'>) {
  const seller = await getSeller(tx);
  const sender = senderOf(seller, deps.config.mailFrom);
  return sender && noMailReason(deps.config, seller) === null ? { seller, sender } : null;
}

async function previewOf(visit: Visit) {
  const { tx, today } = visit;
  const news = await getBankNews(tx);
  const canMail = (await mailOf(visit)) !== null;
  return {
    news,
    canMail,
    preview: await previewReminders(tx, { today, canMail, bank: news.accounts }),
  };
}

async function showReminders(visit: Visit, input: FormInput): Promise<View> {
  const { tx, person, deps } = visit;
  const { news, canMail, preview } = await previewOf(visit);
  const { plan, obstacle, due, leftOut } = preview;
  const runs = await listRuns(tx, runsShown);
  return {
    template: 'reminders',
    title: 'Påminnelser',
    scripts: ['inbox'],
    values: {
      isOff: !plan.isOn,
      obstacle: plan.isOn && obstacle !== null ? sentenceFor('page', obstacle) : null,
      mayChoose: obstacle === null && person.may('keep_books'),
      unmatched: news.unmatchedIn === 0 ? null : count(news.unmatchedIn),
      canMail,
      run: newId(),
      above: problemsAbove(input, []),
      due: due.slice(0, runMax).map((one) => dueRow(one)),
      more: due.length > runMax ? count(due.length - runMax) : null,
      leftOut: leftOut
        .slice(0, shownMax)
        .map(({ id, number, debtor, openOre, dueDate, leftOut: of }) => ({
          href: `/kundfakturor/${id}`,
          number,
          debtor,
          open: amountText(openOre),
          dueDate,
          why: whyLeftOut(of),
        })),
      leftOutMore: leftOut.length > shownMax || preview.isCut,
      runs: runs.map((run) => ({
        href: `${home}/${run.id}`,
        day: run.runOn,
        at: moment(run.createdAt, deps.config.timeZone),
        author: run.author ?? 'Kommandoraden',
        mailed: count(run.mailed),
        printed: count(run.printed),
        fees: amountText(run.feesOre),
      })),
    },
  };
}

const channels = { mail: 'E-post', paper: 'Papper' } as const;

const dueRow = ({
  id,
  number,
  debtor,
  openOre,
  dueDate,
  mailTo,
  reminder,
  mark,
}: ReminderPreview['due'][number]) => ({
  mark,
  href: `/kundfakturor/${id}`,
  number,
  debtor,
  open: amountText(openOre),
  dueDate,
  level: reminder.level,
  fee: reminder.feeOre === 0n ? '' : amountText(reminder.feeOre),
  channel: channels[reminder.channel],
  to: mailTo,
});

/** What the chosen come to, to be said yes to. */
async function showConfirmation(
  visit: Visit,
  chosen: readonly string[],
  run: string,
): Promise<View> {
  const { preview } = await previewOf(visit);
  if (preview.obstacle) {
    throw refuseWhole('unprocessable', preview.obstacle.reason, preview.obstacle.params);
  }
  const now = preview.due.filter(({ mark }) => chosen.includes(mark));
  if (chosen.length === 0) throw refuseWhole('unprocessable', 'none_chosen');
  if (now.length === 0) throw refuseWhole('unprocessable', 'reminders_changed');
  const feesOre: Ore = sum(now.map(({ reminder }) => reminder.feeOre));
  const mailed = now.filter(({ reminder }) => reminder.channel === 'mail').length;
  return {
    template: 'reminder-confirmation',
    title: `Gör ${count(now.length)} ${now.length === 1 ? 'påminnelse' : 'påminnelser'}`,
    values: {
      run,
      due: now.map((one) => dueRow(one)),
      mailed: count(mailed),
      printed: count(now.length - mailed),
      fees: kronor(feesOre),
      hasFees: feesOre > 0n,
      today: visit.today,
    },
  };
}

async function showRun({ tx, params: { id }, deps }: RunVisit): Promise<View> {
  const [run] = await listRuns(tx, 1, id);
  if (!run) throw refuseWhole('not_found', 'no_run');
  const reminders = await listRunReminders(tx, id);
  return {
    template: 'reminder-run',
    title: `Påminnelser ${run.runOn}`,
    values: {
      at: moment(run.createdAt, deps.config.timeZone),
      author: run.author ?? 'Kommandoraden',
      mailed: count(run.mailed),
      printed: count(run.printed),
      fees: kronor(run.feesOre),
      pdf: run.printed > 0 ? `${home}/${id}/pdf` : null,
      reminders: reminders.map((one) => ({
        href: `/kundfakturor/${one.invoiceId}`,
        number: one.number,
        debtor: one.debtor,
        level: one.reminderNo,
        fee: one.feeOre === 0n ? '' : amountText(one.feeOre),
        open: one.openOre > 0n ? amountText(one.openOre) : 'Betald',
        channel: channels[one.channel],
        mail: one.mail && {
          ...mailChip(one.mail),
          href: `/kundfakturor/${one.invoiceId}/utskick/${one.mail.id}`,
          to: one.mail.to.join(', '),
        },
        pdf: `/kundfakturor/${one.invoiceId}/paminnelser/${one.reminderNo}/pdf`,
      })),
    },
  };
}

/** All of a run that goes by post, as one file. */
function registerPaper(pages: Pages): void {
  const place = { url: `${home}/:id/pdf`, right: 'read', params } as const;
  pages.answer(place, async (request) => {
    const { html, fileName } = await pages.visit(
      request,
      place,
      async ({ tx, params: { id }, deps }) => {
        const paper = (await listRunReminders(tx, id)).filter(({ channel }) => channel === 'paper');
        if (paper.length === 0) throw refuseWhole('not_found', 'no_run');
        return prepareRemindersPdf(tx, paper, deps.config.timeZone);
      },
    );
    return {
      type: 'application/pdf',
      content: await pages.print(request, place, html),
      headers: { 'content-disposition': `inline; filename="${fileName}"` },
    };
  });
}
