/** huvudbok purchase list · refused · take-in · create · outlay · owed · show · match · code · book · reject · pay · pdf */
import { type Command, InvalidArgumentError } from 'commander';
import { db } from '../db/pool.ts';
import { type Ore, oreToNumber } from '../domain/basics/money.ts';
import { type PostingRow, signedRow } from '../domain/ledger/voucher.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { commandProblem, said } from '../lib/sentences/say.ts';
import { amountText, formatKronor } from '../lib/swedish.ts';
import { takeInDocument } from '../purchases/e-invoices/take-in.ts';
import { payPurchase } from '../purchases/inbox/payments.ts';
import {
  bookPurchases,
  createSupplierOf,
  matchToSupplier,
  rejectPurchase,
  setRows,
} from '../purchases/inbox/service.ts';
import {
  getPurchase,
  type ListedPurchase,
  listPurchases,
  listRefused,
} from '../purchases/inbox/store.ts';
import { asOwner, print, today, withPool } from './context.ts';
import {
  actor,
  amountInCurrency,
  collect,
  date,
  type Json,
  jsonOption,
  kronor,
  moneyAccountOption,
  roundingOption,
  text,
  uuid,
  word,
} from './options.ts';
import { printed, writeOut } from './pdf.ts';
import { registerPurchasesByHand } from './purchases-by-hand.ts';
import { when } from './words.ts';

const purchaseId = ['<id>', 'leverantörsfakturans id, se purchase list', uuid] as const;

export function registerPurchases(program: Command): void {
  const purchase = program.command('purchase').description('leverantörsinkorgen');
  registerInbox(purchase);
  registerPurchasesByHand(purchase);
  registerDeciding(purchase);
  registerBooking(purchase);
  registerPdf(purchase);
}

function registerInbox(purchase: Command): void {
  purchase
    .command('list')
    .description('visa leverantörsfakturorna; de som väntar på någon först')
    .option('--status <läge>', 'new, review, booked eller rejected', status)
    .option(...jsonOption)
    .action(async ({ status: only, json }: Json & { status?: string }) => {
      const purchases = await withPool((pool) =>
        listPurchases(db(pool), only === undefined ? {} : { status: only }),
      );
      print(
        json,
        purchases.map(forWire),
        purchases.map(purchaseLine).join('\n') || 'Leverantörsinkorgen är tom.',
      );
    });

  purchase
    .command('refused')
    .description('visa e-fakturor som kom men avvisades, med skäl')
    .option(...jsonOption)
    .action(async ({ json }: Json) => {
      const refused = await withPool((pool) => listRefused(db(pool)));
      const lines = refused.map(
        (one) =>
          `${one.id}  ${when(one.received_at)}  ${one.key_name}  ${one.size} byte  ${one.reason}  ${one.message ?? ''}`,
      );
      print(json, refused, lines.join('\n') || 'Ingen e-faktura har avvisats.');
    });

  purchase
    .command('take-in')
    .description('ta in en e-faktura som avvisades, oavsett vem den säger sig vara till')
    .argument('<id>', 'dokumentets id, se purchase refused', uuid)
    .option(...jsonOption)
    .action(async (id: string, { json }: Json) => {
      const { draftId, wasThere } = await asOwner((tx) => takeInDocument(tx, id, actor));
      const sentence = wasThere
        ? `Samma dokument fanns redan i inkorgen som ${draftId}.`
        : `Dokumentet är intaget som ${draftId}, för granskning.`;
      print(json, { id, draft_id: draftId, was_there: wasThere }, sentence);
    });

  purchase
    .command('show')
    .description('visa en leverantörsfaktura med varningar och konteringsrader')
    .argument(...purchaseId)
    .option(...jsonOption)
    .action(async (id: string, { json }: Json) => {
      const found = await withPool((pool) => getPurchase(db(pool), id));
      if (!found) throw new OperatorError(`Det finns ingen leverantörsfaktura ${id}.`);
      const { rows, booking_refusal: refusal, ...shown } = found;
      const problems = (refusal?.problems ?? []).map(commandProblem);
      const lines = [
        purchaseLine(shown),
        ...problems.map(({ message }) => `  Inte bokförd: ${message}`),
        ...shown.warnings.map(({ rule, message }) => `  ${rule}: ${message}`),
        ...rows.map(
          (row) => `  ${row.account}  debet ${row.debit}  kredit ${row.credit}  ${row.note ?? ''}`,
        ),
      ];
      print(
        json,
        { ...forWire(shown), booking_refusal: refusal && { ...refusal, problems }, rows },
        lines.join('\n'),
      );
    });
}

function registerPdf(purchase: Command): void {
  purchase
    .command('pdf')
    .description('skriv fakturan som PDF; görs av huvudbok worker render')
    .argument(...purchaseId)
    .requiredOption('--out <fil>', 'dit den skrivs', text(4_000))
    .option(...jsonOption)
    .action(async (id: string, { out, json }: Json & { out: string }) => {
      const { purchaseHtml } = await import('../purchases/e-invoices/html.ts');
      const pdf = await withPool(async (pool, url) => {
        const html = await purchaseHtml(db(pool), id);
        if (html === undefined)
          throw new OperatorError(`Det finns ingen leverantörsfaktura ${id}.`);
        return printed(pool, url, html);
      });
      await writeOut(out, pdf);
      print(json, { id, file: out, bytes: pdf.length }, `${out} är skriven.`);
    });
}

const status = word(['new', 'review', 'booked', 'rejected']);

const forWire = ({ payable_ore, open_ore, ...purchase }: ListedPurchase) => ({
  ...purchase,
  payable: oreToNumber(payable_ore),
  open_amount: oreToNumber(open_ore),
});

function purchaseLine(purchase: ListedPurchase): string {
  const { id, supplier, invoice_number, issue_date, due_date, currency, payable_ore } = purchase;
  const amount = `${amountText(payable_ore)} ${currency}`;
  const count = purchase.warnings.length;
  const warnings = count === 0 ? '' : `  ${count} ${count === 1 ? 'varning' : 'varningar'}`;
  return `${id}  ${purchase.status}  ${supplier}  ${invoice_number}  ${issue_date}  ${amount}  förfaller ${due_date ?? '–'}${warnings}`;
}

function registerDeciding(purchase: Command): void {
  purchase
    .command('match')
    .description('koppla fakturan till en leverantör, eller lägg upp avsändaren som en')
    .argument(...purchaseId)
    .option('--supplier <id>', 'leverantörens id, se supplier list', uuid)
    .option('--create', 'lägg upp avsändaren som leverantör')
    .option(...jsonOption)
    .action(async (id: string, { supplier, create, json }: MatchOptions) => {
      if ((supplier === undefined) === (create === undefined)) {
        throw new OperatorError('Ange antingen --supplier <id> eller --create.');
      }
      const supplierId = await asOwner(async (tx) => {
        if (supplier === undefined) return (await createSupplierOf(tx, id, actor)).id;
        await matchToSupplier(tx, { purchaseId: id, supplierId: supplier }, actor);
        return supplier;
      });
      print(json, { id, supplier_id: supplierId }, `Fakturan hör till leverantören ${supplierId}.`);
    });

  purchase
    .command('code')
    .description('ange konteringsraderna i kronor, i stället för de föreslagna')
    .argument(...purchaseId)
    .requiredOption('--row <konto=belopp>', 'debet, eller kredit med minus; upprepas', collect(row))
    .option(...jsonOption)
    .action(async (id: string, { row: rows, json }: Json & { row: PostingRow[] }) => {
      await asOwner((tx) => setRows(tx, id, rows, actor));
      print(json, { id, rows: rows.length }, 'Raderna är ändrade.');
    });

  purchase
    .command('reject')
    .description('avvisa fakturan; den bokförs aldrig')
    .argument(...purchaseId)
    .requiredOption('--reason <skäl>', 'varför', text(500))
    .option(...jsonOption)
    .action(async (id: string, { reason, json }: Json & { reason: string }) => {
      await asOwner((tx) => rejectPurchase(tx, id, reason, actor));
      print(json, { id, status: 'rejected' }, 'Fakturan är avvisad.');
    });
}

interface MatchOptions extends Json {
  readonly supplier?: string;
  readonly create?: true;
}

function row(value: string): PostingRow {
  const [, account, amount] = /^([1-8]\d{3})=(.+)$/.exec(value) ?? [];
  if (account === undefined || amount === undefined) {
    throw new InvalidArgumentError('Ange konto och belopp, t.ex. 5410=1000 eller 2440=-1250.');
  }
  const ore = kronor(amount);
  if (ore === 0n) throw new InvalidArgumentError('Beloppet får inte vara noll.');
  return signedRow(Number(account), ore);
}

function registerBooking(purchase: Command): void {
  purchase
    .command('book')
    .description('bokför en leverantörsfaktura')
    .argument(...purchaseId)
    .option('--date <datum>', 'bokföringsdatum; annars fakturadatum', date)
    .option(...jsonOption)
    .action(async (id: string, { date: on, json }: Json & { date?: string }) => {
      const [outcome] = await asOwner((tx) => bookPurchases(tx, [id], actor, on));
      if (!outcome) throw new OperatorError(`Det finns ingen leverantörsfaktura ${id}.`);
      if (outcome.refusal) {
        const { code: error, message, detail } = said('command', outcome.refusal);
        print(json, { error, message, detail }, `Fakturan är inte bokförd. ${message}`);
        process.exitCode = 1;
        return;
      }
      const { voucherId } = outcome;
      const sentence =
        voucherId === null
          ? 'Fakturan är på noll kronor och bokförd utan verifikat.'
          : `Fakturan är bokförd (verifikat ${voucherId}).`;
      print(json, { id, voucher_id: voucherId }, sentence);
    });

  purchase
    .command('pay')
    .description('bokför en betalning av en bokförd leverantörsfaktura')
    .argument(...purchaseId)
    .requiredOption('--date <datum>', 'betalningsdag', date)
    .requiredOption('--amount <kronor>', 'belopp; minus när leverantören betalar tillbaka', kronor)
    .option(...moneyAccountOption('lämnade'))
    .option(...roundingOption)
    .option('--bank-fee <kronor>', 'bankavgift som drogs utöver skulden (6570)', kronor)
    .option(
      '--whole',
      'av en faktura i annan valuta: beloppet är hela, så skillnaden mot det bokförda är kursdifferens (7960, 3960)',
    )
    .option(
      '--currency-part <belopp>',
      'av en faktura i annan valuta: beloppet betalar så mycket av den, i dess valuta; resten står kvar',
      amountInCurrency,
    )
    .option(...jsonOption)
    .action(async (id: string, options: PayOptions) => {
      const { json, amount: amountOre, rounding = 0n, bankFee = 0n, ...given } = options;
      const { whole: isWhole = false, ...rest } = given;
      const differences = { rounding, bank_fee: bankFee };
      const payment = { ...rest, purchaseId: id, today: today(), amountOre, differences, isWhole };
      const { voucherId, openOre } = await asOwner((tx) => payPurchase(tx, payment, actor));
      const answer = { id, voucher_id: voucherId, open_amount: oreToNumber(openOre) };
      print(json, answer, `Betalningen är bokförd. Återstår: ${formatKronor(openOre)}.`);
    });
}

interface PayOptions extends Json {
  readonly date: string;
  readonly amount: Ore;
  readonly account: number;
  readonly rounding?: Ore;
  readonly bankFee?: Ore;
  readonly whole?: true;
  readonly currencyPart?: bigint;
}
