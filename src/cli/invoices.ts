/** huvudbok invoice book · pay · credit · remind · dispute · collection (and invoice-documents.ts) */
import { type Command, InvalidArgumentError } from 'commander';
import { systemClock } from '../clock.ts';
import { type CaseFormat, caseFormats, exportCase, judgeDisputed } from '../collection/service.ts';
import { loadProcessConfig } from '../config.ts';
import { withTx } from '../db/pool.ts';
import type { CreditedRow } from '../domain/credit-note.ts';
import { formatKronor, type Ore, oreToNumber, parseDecimal } from '../domain/money.ts';
import { bookInvoices } from '../invoices/service.ts';
import {
  creditInvoice,
  registerPayment,
  registerReminder,
  type Standing,
} from '../invoices/settlement.ts';
import { OperatorError } from '../operator-error.ts';
import { asOwner, note, print, withPool } from './context.ts';
import { registerDocuments } from './invoice-documents.ts';
import {
  ACTOR,
  collect,
  date,
  integer,
  type Json,
  jsonOption,
  kronor,
  text,
  uuid,
} from './options.ts';
import { printed, writeOut } from './pdf.ts';

const id = ['<id>', 'fakturans id', uuid] as const;

export function registerInvoices(program: Command): void {
  const invoice = program.command('invoice').description('kundfakturor');
  registerBooking(invoice);
  registerPaying(invoice);
  registerCrediting(invoice);
  registerReminding(invoice);
  registerCollecting(invoice);
  registerDocuments(invoice);
}

function registerBooking(invoice: Command): void {
  invoice
    .command('book')
    .description('bokför ett utkast')
    .argument(...id)
    .option(...jsonOption)
    .action(async (invoiceId: string, options: Json) => {
      const [outcome] = await asOwner((tx) => bookInvoices(tx, [invoiceId], ACTOR));
      if (!outcome) throw new OperatorError(`Det finns ingen faktura ${invoiceId}.`);
      const { invoice: booked, refusal } = outcome;
      if (refusal) {
        // As the API answers: the draft stays, and the lock is told in the detail.
        const detail = { ...refusal.detail, invoice_id: invoiceId };
        const answer = { error: 'unprocessable', message: refusal.message, detail };
        print(options.json, answer, `Fakturan är fortfarande ett utkast. ${refusal.message}`);
        process.exitCode = 1;
        return;
      }
      print(options.json, booked, `Fakturan är bokförd med nummer ${booked.invoice_number}.`);
    });
}

function registerPaying(invoice: Command): void {
  invoice
    .command('pay')
    .description('registrera en inbetalning; ett minusbelopp betalar tillbaka')
    .argument(...id)
    .requiredOption('--date <datum>', 'betalningsdag', date)
    .requiredOption('--amount <kronor>', 'belopp, t.ex. 1250.50', kronor)
    .option('--account <konto>', 'kontot pengarna kom in på', integer(1000, 9999), 1930)
    .option('--reference <text>', 'betalarens meddelande eller OCR', text(200))
    .option(...jsonOption)
    .action(async (invoiceId: string, options: PaymentOptions) => {
      const { amount: amountOre, json, ...payment } = options;
      const standing = await asOwner((tx) =>
        registerPayment(tx, { invoiceId, amountOre, ...payment }, ACTOR),
      );
      printStanding(json, standing, 'Betalningen är bokförd.');
    });
}

interface PaymentOptions extends Json {
  readonly date: string;
  readonly amount: Ore;
  readonly account: number;
  readonly reference?: string;
}

function registerCrediting(invoice: Command): void {
  invoice
    .command('credit')
    .description('kreditera en bokförd faktura, hel eller till en del')
    .argument(...id)
    .requiredOption('--date <datum>', 'kreditfakturans datum', date)
    .option('--row <rad[=antal]>', 'bara den raden; kan upprepas', collect(creditedRow))
    .option('--notes <text>', 'text på kreditfakturan', text(5_000))
    .option(...jsonOption)
    .action(async (invoiceId: string, options: CreditOptions) => {
      const { date: creditDate, row: rows, notes = null, json } = options;
      const note = await asOwner((tx) =>
        creditInvoice(tx, { invoiceId, date: creditDate, notes, ...(rows ? { rows } : {}) }, ACTOR),
      );
      print(json, note, `Kreditfaktura ${note.invoice_number} är bokförd.`);
    });
}

interface CreditOptions extends Json {
  readonly date: string;
  readonly row?: CreditedRow[];
  readonly notes?: string;
}

function creditedRow(value: string): CreditedRow {
  const [, rowNo, quantity] = /^(\d{1,4})(?:=(-?\d{1,10}(?:\.\d+)?))?$/.exec(value) ?? [];
  const quantityE4 = quantity === undefined ? undefined : parseDecimal(Number(quantity), 4);
  if (rowNo === undefined || quantityE4 === null) {
    throw new InvalidArgumentError('Ange radens nummer, eller nummer och antal: 2 eller 2=1.5.');
  }
  return { rowNo: Number(rowNo), quantityE4 };
}

function registerReminding(invoice: Command): void {
  invoice
    .command('remind')
    .description('registrera en skickad betalningspåminnelse')
    .argument(...id)
    .requiredOption('--date <datum>', 'dagen den skickades', date)
    .option('--fee <kronor>', 'påminnelseavgift, högst 60', kronor, 0n)
    .option(...jsonOption)
    .action(async (invoiceId: string, options: Json & { date: string; fee: Ore }) => {
      const { date: sentDate, fee: feeOre, json } = options;
      const { reminderNo, ...standing } = await asOwner((tx) =>
        registerReminder(tx, { invoiceId, sentDate, feeOre }, ACTOR),
      );
      printStanding(json, standing, `Påminnelse ${reminderNo} är registrerad.`, { reminderNo });
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
      await asOwner((tx) => judgeDisputed(tx, invoiceId, reason ?? null, ACTOR));
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
    .option('--format <form>', 'json, csv, html eller pdf', caseFormat, 'json')
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
          exportCase(tx, invoiceId, options, ACTOR),
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

function caseFormat(value: string): CaseFormat {
  const found = caseFormats.find((known) => known === value);
  if (!found) throw new InvalidArgumentError(`Välj bland ${caseFormats.join(', ')}.`);
  return found;
}

function printStanding(
  json: boolean | undefined,
  { invoiceId, status, openOre, voucherId }: Standing,
  done: string,
  extra: { readonly reminderNo?: number } = {},
): void {
  const answer = {
    invoice_id: invoiceId,
    status,
    open_amount: oreToNumber(openOre),
    voucher_id: voucherId,
    ...(extra.reminderNo === undefined ? {} : { reminder_no: extra.reminderNo }),
  };
  print(json, answer, `${done} Att betala: ${formatKronor(openOre)}.`);
}
