/** huvudbok purchase create · outlay · owed · repay: what a person writes from paper or PDF */
import { basename } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { db, type Tx } from '../db/pool.ts';
import { homeCurrency } from '../domain/basics/exchange-rate.ts';
import { type Ore, oreToNumber } from '../domain/basics/money.ts';
import { normalizePaymentAccount } from '../domain/basics/payment-accounts.ts';
import type { PayeeAccount } from '../domain/purchases/received-invoice.ts';
import { purchaseVatCodes, usualVatCode } from '../domain/purchases/vat-codes.ts';
import { type Deduction, wholeDeduction } from '../domain/purchases/written-purchase.ts';
import { keepDocument } from '../ledger/documents/service.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { formatKronor } from '../lib/swedish.ts';
import { writeInvoice, writeOutlay } from '../purchases/by-hand/service.ts';
import { listOwedOutlays, listOwedPeople } from '../purchases/by-hand/store.ts';
import type { HandLine } from '../purchases/by-hand/written.ts';
import { repayOutlays } from '../purchases/inbox/payments.ts';
import { bookPurchases } from '../purchases/inbox/service.ts';
import { asOwner, print, readWhole, today, withPool } from './context.ts';
import {
  actor,
  collect,
  date,
  exchangeRate,
  integer,
  type Json,
  jsonOption,
  kronor,
  moneyAccountOption,
  text,
  uuid,
} from './options.ts';

const rowHelp =
  'konto=belopp:momskod:avdrag, t.ex. 5615=4000:I25:50 (procent) eller 6072=1500:I12:3p (personer); utan belopp tar raden resten; upprepas';

export function registerPurchasesByHand(purchase: Command): void {
  withWritten(
    purchase
      .command('create')
      .description('skriv en leverantörsfaktura från papper eller PDF')
      .requiredOption('--supplier <id>', 'leverantörens id, se supplier list', uuid)
      .requiredOption('--number <nummer>', 'fakturanummer', text(100))
      .option('--due <datum>', 'förfallodag; annars leverantörens villkor', date)
      .option('--reference <text>', 'OCR-nummer eller meddelande', text(100))
      .option(
        '--pay-to <konto>',
        'bankgiro:…, plusgiro:… eller iban:…; annars leverantörens',
        payTo,
      ),
  ).action(async (options: CreateOptions) => {
    const {
      supplier: supplierId,
      number,
      due = null,
      reference = null,
      payTo: to = null,
    } = options;
    await written(options, async (tx, common) => {
      const invoice = { ...common, supplierId, invoiceNumber: number, dueDate: due, reference };
      return writeInvoice(tx, null, { ...invoice, payTo: to }, actor);
    });
  });

  withWritten(
    purchase
      .command('outlay')
      .description('skriv ett utlägg som en ägare eller anställd har gjort')
      .requiredOption('--by <namn>', 'vem som lade ut pengarna', text(200))
      .requiredOption('--seller <namn>', 'var det köptes', text(200))
      .requiredOption(
        '--account <konto>',
        'skulden: 2893 (ägare av bolag), 2820 (anställd) eller 2018 (enskild firma)',
        integer(1000, 8999),
      )
      .option('--number <nummer>', 'kvittots nummer', text(100)),
  ).action(async (options: OutlayOptions) => {
    const { by: laidOutBy, seller: sellerName, account: debtAccount, number = null } = options;
    await written(options, async (tx, common) => {
      const outlay = { ...common, laidOutBy, sellerName, debtAccount, invoiceNumber: number };
      return writeOutlay(tx, null, outlay, actor);
    });
  });

  purchase
    .command('owed')
    .description('visa vem som har utlägg att få tillbaka')
    .option(...jsonOption)
    .action(async ({ json }: Json) => {
      const people = await withPool((pool) => listOwedPeople(db(pool)));
      const shown = people.map(({ open_ore, ...one }) => ({
        ...one,
        open_amount: oreToNumber(open_ore),
      }));
      const lines = people.map(
        ({ name, account, open_ore, count }) =>
          `${name}  ${account}  ${formatKronor(open_ore)}  ${count} utlägg`,
      );
      print(json, shown, lines.join('\n') || 'Ingen har utlägg att få tillbaka.');
    });

  registerRepaying(purchase);
}

function registerRepaying(purchase: Command): void {
  purchase
    .command('repay')
    .description('betala tillbaka en persons utlägg, alla eller några, med ett verifikat')
    .argument(
      '[id...]',
      'utläggens id, se purchase list; utan id alla som --by har kvar',
      collect(uuid),
    )
    .option('--by <namn>', 'vem som ska ha pengarna, se purchase owed', text(200))
    .requiredOption('--date <datum>', 'betalningsdag', date)
    .option(...moneyAccountOption('lämnade'))
    .option(...jsonOption)
    .action(async (ids: string[], { by, date: on, account, json }: RepayOptions) => {
      if ((ids.length === 0) === (by === undefined)) {
        throw new OperatorError('Ange antingen utläggens id eller --by <namn>.');
      }
      const { purchaseIds, ...repaid } = await asOwner(async (tx) => {
        const chosen = by === undefined ? ids : await listOwedOutlays(tx, by);
        if (chosen.length === 0) {
          throw new OperatorError(`${by} har inga utlägg att få tillbaka; se purchase owed.`);
        }
        const payment = { purchaseIds: chosen, date: on, today: today(), account };
        return { purchaseIds: chosen, ...(await repayOutlays(tx, payment, actor)) };
      });
      const { voucherId, paidOre, laidOutBy } = repaid;
      const answer = { ids: purchaseIds, voucher_id: voucherId, amount: oreToNumber(paidOre) };
      const sentence = `${formatKronor(paidOre)} till ${laidOutBy} är bokfört (verifikat ${voucherId}).`;
      print(json, answer, sentence);
    });
}

interface RepayOptions extends Json {
  readonly by?: string;
  readonly date: string;
  readonly account: number;
}

interface WrittenOptions extends Json {
  readonly date: string;
  readonly total: Ore;
  readonly currency?: string;
  readonly rate?: bigint;
  readonly vat?: Ore;
  readonly row: HandLine[];
  readonly includingVat?: true;
  readonly credit?: true;
  readonly file?: string[];
  readonly book?: true;
}

interface CreateOptions extends WrittenOptions {
  readonly supplier: string;
  readonly number: string;
  readonly due?: string;
  readonly reference?: string;
  readonly payTo?: Pick<PayeeAccount, 'kind' | 'number'>;
}

interface OutlayOptions extends WrittenOptions {
  readonly by: string;
  readonly seller: string;
  readonly account: number;
  readonly number?: string;
}

const withWritten = (command: Command): Command =>
  command
    .requiredOption('--date <datum>', 'fakturans eller kvittots datum', date)
    .requiredOption('--total <belopp>', 'att betala, med moms', kronor)
    .option('--currency <valuta>', 'vad beloppen är i, t.ex. EUR; kronor om inget sägs', text(3))
    .option(
      '--rate <kronor>',
      'kronor för en av valutan på fakturadagen, t.ex. 11.2345',
      exchangeRate,
    )
    .requiredOption('--row <rad>', rowHelp, collect(row))
    .option('--vat <kronor>', 'momsen som den står på fakturan', kronor)
    .option('--including-vat', 'radernas belopp är med moms')
    .option('--credit', 'kreditfaktura')
    .option('--file <fil>', 'underlag, t.ex. en PDF; kan upprepas', collect(text(4_000)))
    .option('--book', 'bokför genast')
    .option(...jsonOption);

type Common = Omit<
  Parameters<typeof writeInvoice>[2],
  'supplierId' | 'invoiceNumber' | 'dueDate' | 'reference' | 'payTo'
>;

/** Keeps the draft, and books it when that was asked for: then both or neither. */
async function written(
  options: WrittenOptions,
  keep: (tx: Tx, common: Common) => Promise<string>,
): Promise<void> {
  const given = await Promise.all(
    (options.file ?? []).map(async (path) => ({
      fileName: basename(path),
      bytes: await readWhole(path),
    })),
  );
  const { id, voucherId } = await asOwner(async (tx) => {
    const documentIds: string[] = [];
    for (const file of given) documentIds.push((await keepDocument(tx, file, actor)).id);
    const { date: issueDate, total: totalOre, vat = null, row: lines } = options;
    const { currency = homeCurrency, rate: exchangeRateE6 = null } = options;
    const kind = options.credit ? 'credit_note' : 'invoice';
    const isVatIncluded = options.includingVat ?? false;
    const common = {
      kind,
      issueDate,
      currency: currency.toUpperCase(),
      exchangeRateE6,
      totalOre,
      vatOre: vat,
      isVatIncluded,
      lines,
      documentIds,
    } as const;
    const newId = await keep(tx, common);
    if (!options.book) return { id: newId, voucherId: null };
    const [outcome] = await bookPurchases(tx, [newId], actor);
    if (outcome?.refusal) throw outcome.refusal;
    return { id: newId, voucherId: outcome?.voucherId ?? null };
  });
  const sentence =
    voucherId === null
      ? `Utkastet har id ${id}. Bokför det med huvudbok purchase book ${id}.`
      : `${id} är bokförd (verifikat ${voucherId}).`;
  print(options.json, { id, voucher_id: voucherId }, sentence);
}

function row(value: string): HandLine {
  const [, account, amount, vatCode = usualVatCode, deduction] =
    /^([1-8]\d{3})(?:=([^:]+))?(?::([A-Za-z0-9]*))?(?::([0-9]{1,5}p?))?$/.exec(value) ?? [];
  if (account === undefined) throw new InvalidArgumentError(`Ange ${rowHelp}.`);
  if (!purchaseVatCodes.has(vatCode || usualVatCode)) {
    const known = [...purchaseVatCodes.keys()].join(', ');
    throw new InvalidArgumentError(`Momskoden ${vatCode} finns inte; välj bland ${known}.`);
  }
  return {
    account: Number(account),
    ore: amount === undefined ? null : kronor(amount),
    vatCode: vatCode || usualVatCode,
    deduction: deduction === undefined ? wholeDeduction : deductionOf(deduction),
    note: null,
    costCenter: null,
    project: null,
  };
}

const deductionOf = (typed: string): Deduction =>
  typed.endsWith('p')
    ? { kind: 'meals', people: Number(typed.slice(0, -1)) }
    : { kind: 'share', percent: Number(typed) };

function payTo(value: string): Pick<PayeeAccount, 'kind' | 'number'> {
  const [, kind, typed = ''] = /^(bankgiro|plusgiro|iban):(.+)$/.exec(value) ?? [];
  const known = (['bankgiro', 'plusgiro', 'iban'] as const).find((one) => one === kind);
  const number = known && normalizePaymentAccount(known, typed);
  if (!known || !number) {
    throw new InvalidArgumentError(
      'Ange t.ex. bankgiro:991-2346, plusgiro:28 65 43-4 eller iban:SE45…; kontrollsiffran ska gå ihop.',
    );
  }
  return { kind: known, number };
}
