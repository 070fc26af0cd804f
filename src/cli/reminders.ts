/** huvudbok reminders preview · run: reminders of all that is due, at once */
import type { Command } from 'commander';
import { getBankNews } from '../bank/statements/told.ts';
import { loadProcessConfig } from '../config/config.ts';
import type { Tx } from '../db/pool.ts';
import { oreToNumber } from '../domain/basics/money.ts';
import { refuseWhole } from '../lib/errors.ts';
import { sentenceFor } from '../lib/sentences/say.ts';
import { uuid as newId } from '../lib/uuid.ts';
import { senderOf } from '../sales/mail/seller.ts';
import { findSeller } from '../sales/mail/store.ts';
import { previewReminders, runMax, runReminders } from '../sales/reminders/runs.ts';
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
      const { due, leftOut, obstacle } = await asOwner(look);
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
      const lines = [
        ...(answer.obstacle ? [answer.obstacle.message] : []),
        alignedLines(
          answer.due.map((one) => [
            one.invoice_number,
            `påminnelse ${one.level}`,
            `${one.open_amount} kr`,
            one.mail_to ?? 'papper',
            one.debtor,
          ]),
        ) || 'Ingen faktura är det dags att påminna om.',
        `${answer.left_out.length} förfallna påminns inte nu.`,
      ];
      print(json, answer, lines.join('\n'));
    });

  reminders
    .command('run')
    .description(`gör dem: högst ${runMax} åt gången, de äldsta först`)
    .option('--invoice <id>', 'bara den fakturan; kan upprepas', collect(uuid))
    .option(...jsonOption)
    .action(async ({ invoice, json }: Json & { readonly invoice?: string[] }) => {
      const done = await asOwner(async (tx) => {
        const { due, obstacle, ground } = await look(tx);
        if (obstacle) throw refuseWhole('unprocessable', obstacle.reason, obstacle.params);
        const wanted = due.filter(({ id }) => invoice?.includes(id) ?? true).slice(0, runMax);
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

async function look(tx: Tx) {
  const { timeZone, smtp, mailFrom } = loadProcessConfig();
  const seller = await findSeller(tx);
  const sender = seller && smtp ? senderOf(seller, mailFrom) : undefined;
  const mail = seller && sender ? { seller, sender } : null;
  const { accounts: bank } = await getBankNews(tx);
  const ground = { today: today(), bank, timeZone, mail };
  return { ...(await previewReminders(tx, { ...ground, canMail: mail !== null })), ground };
}
