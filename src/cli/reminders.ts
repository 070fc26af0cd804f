/** huvudbok reminders preview · run: reminders of all that is due, at once */
import type { Command } from 'commander';
import { getBankNews } from '../bank/statements/told.ts';
import { loadProcessConfig } from '../config/config.ts';
import type { Tx } from '../db/pool.ts';
import { oreToNumber } from '../domain/basics/money.ts';
import { refuseWhole } from '../lib/errors.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { sentenceFor } from '../lib/sentences/say.ts';
import { amountText } from '../lib/swedish.ts';
import { uuid as newId } from '../lib/uuid.ts';
import { senderOf } from '../sales/mail/seller.ts';
import { findSeller } from '../sales/mail/store.ts';
import {
  previewReminders,
  type ReminderPreview,
  runMax,
  runReminders,
} from '../sales/reminders/runs.ts';
import { whyLeftOut } from '../sales/reminders/wordings.ts';
import { asOwner, print, today } from './context.ts';
import { alignedLines } from './listing.ts';
import { actor, collect, type Json, jsonOption, uuid } from './options.ts';

export function registerReminders(program: Command): void {
  const reminders = program.command('reminders').description('påminnelser om förfallna fakturor');
  reminders
    .command('preview')
    .description('visa vilka det är dags att påminna om, och vilka som lämnas och varför')
    .option(...jsonOption)
    .action(async ({ json }: Json) => {
      const { due, leftOut, obstacle } = await asOwner((tx) => look(tx));
      const answer = {
        obstacle: obstacle && {
          reason: obstacle.reason,
          message: sentenceFor('command', obstacle),
        },
        due: due.map(({ id, number, debtor, dueDate, openOre, mailTo, reminder }) => ({
          invoice_id: id,
          invoice_number: number,
          debtor,
          due_date: dueDate,
          open_amount: oreToNumber(openOre),
          level: reminder.level,
          fee: oreToNumber(reminder.feeOre),
          channel: reminder.channel,
          mail_to: mailTo,
        })),
        left_out: leftOut.map(({ id, number, debtor, dueDate, openOre, leftOut: of }) => ({
          invoice_id: id,
          invoice_number: number,
          debtor,
          due_date: dueDate,
          open_amount: oreToNumber(openOre),
          ...of,
        })),
      };
      const told = answer.obstacle ? [answer.obstacle.message] : [];
      print(json, answer, [...told, ...linesOf(due, leftOut)].join('\n'));
    });

  reminders
    .command('run')
    .description(`gör dem: högst ${runMax} åt gången, de äldsta först`)
    .option('--invoice <id>', 'bara den fakturan; kan upprepas', collect(uuid))
    .option(...jsonOption)
    .action(async ({ invoice, json }: Json & { readonly invoice?: string[] }) => {
      const done = await asOwner(async (tx) => {
        const { due, leftOut, obstacle, ground } = await look(tx, invoice);
        if (obstacle) throw refuseWhole('unprocessable', obstacle.reason, obstacle.params);
        requireDue(invoice ?? [], due, leftOut);
        const wanted = due.slice(0, runMax);
        if (wanted.length === 0) return null;
        const marks = wanted.map(({ mark }) => mark);
        return runReminders(tx, { id: newId(), marks, ...ground }, actor);
      });
      const sent = done?.sent ?? [];
      const answer = {
        run_id: done?.id ?? null,
        fees: oreToNumber(done?.feesOre ?? 0n),
        reminders: sent.map(({ invoiceId, reminderNo, channel }) => ({
          invoice_id: invoiceId,
          reminder_no: reminderNo,
          channel,
        })),
      };
      const mailed = sent.filter(({ channel }) => channel === 'mail').length;
      const words =
        sent.length === 0
          ? 'Ingen faktura är det dags att påminna om.'
          : `${sent.length} påminnelser är gjorda: ${mailed} med e-post, ${sent.length - mailed} på papper.`;
      print(json, answer, words);
    });
}

function linesOf(due: ReminderPreview['due'], leftOut: ReminderPreview['leftOut']): string[] {
  return [
    alignedLines(
      due.map((one) => [
        one.number,
        `påminnelse ${one.reminder.level}`,
        `${amountText(one.openOre)} kr`,
        one.mailTo ?? 'papper',
        one.debtor,
      ]),
    ) || 'Ingen faktura är det dags att påminna om.',
    ...(leftOut.length === 0 ? [] : ['Påminns inte nu:']),
    alignedLines(
      leftOut.map((one) => [
        one.number,
        `${amountText(one.openOre)} kr`,
        one.debtor,
        whyLeftOut(one.leftOut),
      ]),
    ),
  ].filter((line) => line !== '');
}

/** Nothing is done unless all who were named are due: whoever names one waits for its reminder. */
function requireDue(
  named: readonly string[],
  due: ReminderPreview['due'],
  leftOut: ReminderPreview['leftOut'],
): void {
  const faults = named
    .filter((id) => !due.some((one) => one.id === id))
    .map((id) => {
      const found = leftOut.find((one) => one.id === id);
      return found
        ? `Faktura ${found.number} påminns inte: ${whyLeftOut(found.leftOut)}`
        : `${id} är ingen förfallen faktura.`;
    });
  if (faults.length > 0) throw new OperatorError(`${faults.join(' ')} Inget är gjort.`);
}

/** All that is overdue, or the invoices named. */
async function look(tx: Tx, named: readonly string[] | null = null) {
  const { timeZone, smtp, mailFrom } = loadProcessConfig();
  const seller = await findSeller(tx);
  const sender = seller && smtp ? senderOf(seller, mailFrom) : undefined;
  const mail = seller && sender ? { seller, sender } : null;
  const { accounts: bank } = await getBankNews(tx);
  const ground = { today: today(), bank, timeZone, mail };
  return { ...(await previewReminders(tx, { ...ground, canMail: mail !== null }, named)), ground };
}
