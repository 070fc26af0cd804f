/** huvudbok invoice pay · set-off · credit · write-off · take-back-loss · remind · withdraw-fee */
import { type Command, InvalidArgumentError } from 'commander';
import { setOff } from '../bank/set-off.ts';
import { type Ore, oreToNumber, parseDecimal } from '../domain/basics/money.ts';
import type { CreditedRow } from '../domain/sales/credit-note.ts';
import { formatKronor } from '../lib/swedish.ts';
import { type CreditEffect, creditInvoice } from '../sales/invoices/credits.ts';
import { registerReminder, withdrawFee } from '../sales/invoices/reminders.ts';
import type { Standing } from '../sales/invoices/settled.ts';
import { registerPayment } from '../sales/invoices/settlement.ts';
import { takeBackLoss, writeOff } from '../sales/invoices/write-offs.ts';
import { asOwner, print, today } from './context.ts';
import {
  actor,
  collect,
  date,
  integer,
  type Json,
  jsonOption,
  kronor,
  moneyAccountOption,
  roundingOption,
  text,
  uuid,
} from './options.ts';

const id = ['<id>', 'fakturans id', uuid] as const;

/** What happens to a booked invoice. */
export function registerHappenings(invoice: Command): void {
  registerPaying(invoice);
  registerSettingOff(invoice);
  registerCrediting(invoice);
  registerWritingOff(invoice);
  registerReminding(invoice);
}

function registerPaying(invoice: Command): void {
  invoice
    .command('pay')
    .description('registrera en inbetalning; ett minusbelopp betalar tillbaka')
    .argument(...id)
    .requiredOption('--date <datum>', 'betalningsdag', date)
    .requiredOption('--amount <kronor>', 'belopp, t.ex. 1250.50', kronor)
    .option(...moneyAccountOption('kom in på'))
    .option(...roundingOption)
    .option('--bank-fee <kronor>', 'bankavgift som drogs av innan pengarna kom (6570)', kronor)
    .option(
      '--loss <kronor>',
      'konstaterad kundförlust med moms, som tas tillbaka (6351); ange --amount 0 när inget kom in',
      kronor,
    )
    .option(
      '--exchange <kronor>',
      'valutakursdifferens på en faktura i annan valuta: förlust (7960), eller med minus vinst (3960)',
      kronor,
    )
    .option('--reference <text>', 'betalarens meddelande eller OCR', text(200))
    .option(...jsonOption)
    .action(async (invoiceId: string, options: PaymentOptions) => {
      const {
        amount: amountOre,
        json,
        rounding = 0n,
        bankFee = 0n,
        loss = 0n,
        ...others
      } = options;
      const { exchange = 0n, ...rest } = others;
      const differences = { rounding, bank_fee: bankFee, loss, exchange };
      const payment = { ...rest, invoiceId, today: today(), amountOre, differences };
      const standing = await asOwner((tx) => registerPayment(tx, payment, actor));
      printStanding(json, standing, 'Betalningen är bokförd.');
    });
}

interface PaymentOptions extends Json {
  readonly date: string;
  readonly amount: Ore;
  readonly account: number;
  readonly rounding?: Ore;
  readonly bankFee?: Ore;
  readonly loss?: Ore;
  readonly exchange?: Ore;
  readonly reference?: string;
}

function registerSettingOff(invoice: Command): void {
  invoice
    .command('set-off')
    .description('kvitta mot en leverantörsfaktura från samma part; minus tar tillbaka')
    .argument(...id)
    .requiredOption('--purchase <id>', 'leverantörsfakturans id', uuid)
    .requiredOption('--date <datum>', 'dagen de kvittas', date)
    .requiredOption('--amount <kronor>', 'belopp, högst det som återstår på båda', kronor)
    .option(...jsonOption)
    .action(async (invoiceId: string, options: SetOffOptions) => {
      const { purchase: purchaseId, date: on, amount: amountOre, json } = options;
      const act = { invoiceId, purchaseId, date: on, today: today(), amountOre };
      const standing = await asOwner((tx) => setOff(tx, act, actor));
      printStanding(json, standing, 'Kvittningen är bokförd.');
    });
}

interface SetOffOptions extends Json {
  readonly purchase: string;
  readonly date: string;
  readonly amount: Ore;
}

function registerCrediting(invoice: Command): void {
  invoice
    .command('credit')
    .description('kreditera en bokförd faktura, hel eller till en del')
    .argument(...id)
    .requiredOption('--date <datum>', 'kreditfakturans datum', date)
    .option('--row <rad[=antal]>', 'bara den raden; kan upprepas', collect(creditedRow))
    .option('--notes <text>', 'text på kreditfakturan', text(5_000))
    .option('--effect <från>', 'own: från dess eget datum; invoice: från fakturans', effect, 'own')
    .option(...jsonOption)
    .action(async (invoiceId: string, options: CreditOptions) => {
      const { date: creditDate, row: rows, notes = null, effect: from, json } = options;
      const credit = { invoiceId, date: creditDate, notes, effect: from };
      const note = await asOwner((tx) =>
        creditInvoice(tx, { ...credit, ...(rows ? { rows } : {}) }, actor),
      );
      print(json, note, `Kreditfaktura ${note.invoice_number} är bokförd.`);
    });
}

interface CreditOptions extends Json {
  readonly date: string;
  readonly row?: CreditedRow[];
  readonly notes?: string;
  readonly effect: CreditEffect;
}

function effect(value: string): CreditEffect {
  if (value !== 'own' && value !== 'invoice') {
    throw new InvalidArgumentError('Ange own eller invoice.');
  }
  return value;
}

function creditedRow(value: string): CreditedRow {
  const [, rowNo, quantity] = /^(\d{1,4})(?:=(-?\d{1,10}(?:\.\d+)?))?$/.exec(value) ?? [];
  const quantityE4 = quantity === undefined ? undefined : parseDecimal(Number(quantity), 4);
  if (rowNo === undefined || quantityE4 === null) {
    throw new InvalidArgumentError('Ange radens nummer, eller nummer och antal: 2 eller 2=1.5.');
  }
  return { rowNo: Number(rowNo), quantityE4 };
}

function registerWritingOff(invoice: Command): void {
  invoice
    .command('write-off')
    .description('skriv av det som återstår som konstaterad kundförlust; momsen tas tillbaka')
    .argument(...id)
    .requiredOption('--date <datum>', 'dagen förlusten är konstaterad', date)
    .requiredOption('--reason <text>', 'varför pengarna inte kommer', text(200))
    .option(...jsonOption)
    .action(async (invoiceId: string, { date: on, reason, json }: WriteOffOptions) => {
      const act = { invoiceId, date: on, today: today(), reason };
      const standing = await asOwner((tx) => writeOff(tx, act, actor));
      printStanding(json, standing, 'Fakturan är avskriven som kundförlust.');
    });
  invoice
    .command('take-back-loss')
    .description('ta tillbaka en avskrivning; en betalning gör det av sig själv')
    .argument(...id)
    .requiredOption('--date <datum>', 'dagen den tas tillbaka', date)
    .requiredOption('--reason <text>', 'varför', text(200))
    .option(...jsonOption)
    .action(async (invoiceId: string, { date: on, reason, json }: WriteOffOptions) => {
      const act = { invoiceId, date: on, today: today(), reason };
      const standing = await asOwner((tx) => takeBackLoss(tx, act, actor));
      printStanding(json, standing, 'Avskrivningen är återtagen.');
    });
}

interface WriteOffOptions extends Json {
  readonly date: string;
  readonly reason: string;
}

function registerReminding(invoice: Command): void {
  invoice
    .command('remind')
    .description('registrera en skickad betalningspåminnelse')
    .argument(...id)
    .requiredOption('--date <datum>', 'dagen den skickades', date)
    .option('--fee <kronor>', 'påminnelseavgift, högst 60; ska vara avtalad', kronor, 0n)
    .option('--fee-agreed', 'intyga att avgiften avtalades innan skulden uppkom')
    .option(...jsonOption)
    .action(async (invoiceId: string, options: ReminderOptions) => {
      const { date: sentDate, fee: feeOre, feeAgreed: isFeeVouchedFor = false, json } = options;
      const reminder = { invoiceId, sentDate, today: today(), feeOre, isFeeVouchedFor };
      const { reminderNo, ...standing } = await asOwner((tx) =>
        registerReminder(tx, reminder, actor),
      );
      printStanding(json, standing, `Påminnelse ${reminderNo} är registrerad.`, { reminderNo });
    });

  invoice
    .command('withdraw-fee')
    .description('ta tillbaka en påminnelses avgift')
    .argument(...id)
    .requiredOption('--reminder <nummer>', 'påminnelsens nummer', integer(1, 1_000))
    .requiredOption('--date <datum>', 'dagen den tas tillbaka', date)
    .option('--reason <text>', 'varför', text(500))
    .option(...jsonOption)
    .action(async (invoiceId: string, options: WithdrawalOptions) => {
      const { reminder: reminderNo, date: on, reason = null, json } = options;
      const withdrawal = { invoiceId, reminderNo, date: on, today: today(), reason };
      const standing = await asOwner((tx) => withdrawFee(tx, withdrawal, actor));
      printStanding(json, standing, `Avgiften på påminnelse ${reminderNo} är återtagen.`);
    });
}

interface ReminderOptions extends Json {
  readonly date: string;
  readonly fee: Ore;
  readonly feeAgreed?: true;
}

interface WithdrawalOptions extends Json {
  readonly reminder: number;
  readonly date: string;
  readonly reason?: string;
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
