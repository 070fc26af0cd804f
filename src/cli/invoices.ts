/** huvudbok invoice book · dispute · collection (and invoice-happenings.ts, invoice-documents.ts, invoice-recurring.ts) */
import type { Command } from 'commander';
import { loadProcessConfig } from '../config/config.ts';
import { withTx } from '../db/pool.ts';
import { systemClock } from '../lib/clock.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { said } from '../lib/sentences/say.ts';
import {
  type CaseFormat,
  caseFormats,
  exportCase,
  judgeDisputed,
} from '../sales/collection/service.ts';
import { bookInvoices } from '../sales/invoices/service.ts';
import { asOwner, note, print, withPool } from './context.ts';
import { registerDocuments } from './invoice-documents.ts';
import { registerHappenings } from './invoice-happenings.ts';
import { registerRecurring } from './invoice-recurring.ts';
import { actor, date, type Json, jsonOption, text, uuid, word } from './options.ts';
import { printed, writeOut } from './pdf.ts';

const id = ['<id>', 'fakturans id', uuid] as const;

export function registerInvoices(program: Command): void {
  const invoice = program.command('invoice').description('kundfakturor');
  registerBooking(invoice);
  registerHappenings(invoice);
  registerCollecting(invoice);
  registerDocuments(invoice);
  registerRecurring(invoice);
}

function registerBooking(invoice: Command): void {
  invoice
    .command('book')
    .description('bokför ett utkast')
    .argument(...id)
    .option(...jsonOption)
    .action(async (invoiceId: string, options: Json) => {
      const [outcome] = await asOwner((tx) => bookInvoices(tx, [invoiceId], actor));
      if (!outcome) throw new OperatorError(`Det finns ingen faktura ${invoiceId}.`);
      const { invoice: booked, refusal } = outcome;
      if (refusal) {
        // As the API answers: the draft stays, and the lock is told in the detail.
        const { message, detail } = said('command', refusal);
        const answer = {
          error: 'unprocessable',
          message,
          detail: { ...detail, invoice_id: invoiceId },
        };
        print(options.json, answer, `Fakturan är fortfarande ett utkast. ${message}`);
        process.exitCode = 1;
        return;
      }
      print(options.json, booked, `Fakturan är bokförd med nummer ${booked.invoice_number}.`);
    });
}

function registerCollecting(invoice: Command): void {
  invoice
    .command('dispute')
    .description('anteckna att kravet är tvistigt, eller inte längre är det')
    .argument(...id)
    .option('--reason <text>', 'varför', text(500))
    .option('--over', 'tvisten är över')
    .option(...jsonOption)
    .action(async (invoiceId: string, { reason, over, json }: DisputeOptions) => {
      if ((reason === undefined) === (over === undefined)) {
        throw new OperatorError('Ange antingen --reason "<varför>" eller --over.');
      }
      await asOwner((tx) => judgeDisputed(tx, invoiceId, reason ?? null, actor));
      const disputed = reason !== undefined;
      print(
        json,
        { id: invoiceId, disputed },
        `Kravet är ${disputed ? '' : 'inte längre '}tvistigt.`,
      );
    });

  invoice
    .command('collection')
    .description('skriv inkassoärendet för en förfallen faktura')
    .argument(...id)
    .option('--format <form>', 'json, csv, html eller pdf', word(caseFormats), 'json')
    .option('--date <datum>', 'sista dagen ränta räknas för; annars i dag', date)
    .option('--out <fil>', 'dit det skrivs; annars på standard ut', text(4_000))
    .action(async (invoiceId: string, { format, date: given, out }: CollectionOptions) => {
      const { timeZone } = loadProcessConfig();
      const clock = systemClock(timeZone);
      const options = {
        day: given ?? clock.today(),
        preparedAt: clock.now(),
        timeZone,
        format,
      };
      await withPool(async (pool, url) => {
        const { content, digest } = await withTx(pool, (tx) =>
          exportCase(tx, invoiceId, options, actor),
        );
        const file = format === 'pdf' ? await printed(pool, url, content) : content;
        await writeOut(out, file);
        note(`Ärendets SHA-256: ${digest}`);
      });
    });
}

interface DisputeOptions extends Json {
  readonly reason?: string;
  readonly over?: true;
}

interface CollectionOptions {
  readonly format: CaseFormat;
  readonly date?: string;
  readonly out?: string;
}
