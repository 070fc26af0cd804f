/** huvudbok payments due · create · list · show · sent · cancel · answer · paid */
import type { Command } from 'commander';
import { type Db, db, type Tx } from '../db/pool.ts';
import { type Ore, oreToNumber } from '../domain/basics/money.ts';
import { formatPaymentAccount } from '../domain/basics/payment-accounts.ts';
import { dueChoices } from '../domain/purchases/payables/due-choices.ts';
import { fileState } from '../domain/purchases/payables/file-state.ts';
import { dueGroup, type Payable } from '../domain/purchases/payables/payable.ts';
import { refuseWhole } from '../lib/errors.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { obstacleWords } from '../lib/sentences/payables.ts';
import { commandProblem } from '../lib/sentences/say.ts';
import { amountText, formatKronor } from '../lib/swedish.ts';
import { bookAsPaid } from '../purchases/payment-files/booking.ts';
import { listPayables, taxName } from '../purchases/payment-files/register.ts';
import { listPayingAccounts } from '../purchases/payment-files/register-store.ts';
import {
  cancelPaymentFile,
  createPaymentFile,
  fetchPaymentFile,
  markSent,
  takeBankAnswer,
} from '../purchases/payment-files/service.ts';
import {
  factsOf,
  findPaymentFile,
  listPaymentFiles,
  listPayouts,
  type PaymentFile,
  type Payout,
} from '../purchases/payment-files/store.ts';
import { asOwner, print, readWhole, today, withPool } from './context.ts';
import { addList, alignedLines } from './listing.ts';
import { actor, date, integer, type Json, jsonOption, text } from './options.ts';
import { writeBytes } from './whole-file.ts';
import { counted } from './words.ts';

const filesShown = 1_000;
const numberMax = 2_147_483_647;
const fileNumber = [
  '<nummer>',
  'betalfilens nummer, se payments list',
  integer(1, numberMax),
] as const;

export function registerPayments(program: Command): void {
  const payments = program.command('payments').description('betalningar med fil till banken');
  registerDue(payments);
  registerCreate(payments);
  addList<PaymentFile, object>(payments, {
    description: 'visa betalfilerna, nyast först',
    empty: 'Ingen betalfil är gjord.',
    read: (from) => listPaymentFiles(from, { limit: filesShown }),
    cells: (file) => [
      file.number,
      file.first_day,
      file.account,
      counted(file.payouts, 'betalning', 'betalningar'),
      amountText(file.total_ore),
      stateWords[fileState(factsOf(file))],
    ],
    wire: fileForWire,
  });
  registerShow(payments);
  registerHappenings(payments);
}

const stateWords = {
  waits_for_approval: 'väntar på godkännande',
  not_sent: 'inte sänd',
  sent: 'sänd',
  partly_paid: 'delvis betald',
  paid: 'betald',
  partly_refused: 'delvis avvisad',
  refused: 'avvisad',
  cancelled: 'avbruten',
} as const;

function registerDue(payments: Command): void {
  payments
    .command('due')
    .description('visa vad som ska betalas, efter förfallodag')
    .option(...jsonOption)
    .action(async ({ json }: Json) => {
      const day = today();
      const payables = await withPool((pool) => listPayables(db(pool), day));
      const inOrder = payables.toSorted((a, b) => ((a.dueOn ?? day) < (b.dueOn ?? day) ? -1 : 1));
      const lines = inOrder.map((one) => [
        one.dueOn,
        one.party.name,
        one.number,
        amountText(one.openOre),
        one.file
          ? `betalfil ${one.file.number}`
          : one.obstacle === null
            ? ''
            : obstacleWords[one.obstacle],
      ]);
      const wire = inOrder.map((one) => ({ ...payableForWire(one), group: dueGroup(one, day) }));
      print(json, wire, alignedLines(lines) || 'Inget att betala.');
    });
}

interface CreateOptions extends Json {
  readonly due: string;
  readonly on?: string;
  readonly account?: string;
  readonly out?: string;
}

function registerCreate(payments: Command): void {
  payments
    .command('create')
    .description(
      'gör en betalfil av allt som förfaller till och med en dag, med kreditfakturor avdragna',
    )
    .requiredOption(
      '--due <datum>',
      'till och med den dagen; det som saknar förfallodag räknas med',
      date,
    )
    .option('--on <datum>', 'betalningsdag för allt; annars var och en när den förfaller', date)
    .option('--account <konto>', 'bankkontot som betalas från: id, namn eller konto i bokföringen')
    .option('--out <fil>', 'skriv filen dit också, om ingen behöver godkänna den', text(4_000))
    .option(...jsonOption)
    .action(async ({ due, on, account, out, json }: CreateOptions) => {
      const day = today();
      const made = await asOwner(async (tx) => {
        const { choices, left } = dueChoices(await listPayables(tx, day), due);
        const rows = choices.map(({ payable, amountOre, payee }) => ({
          ...{ key: payable.key, amountOre, payee },
        }));
        const accountId = await accountOf(tx, account);
        const asked = { accountId, executionOn: on ?? null, today: day, now: new Date(), rows };
        const { id } = await createPaymentFile(tx, asked, actor);
        const { number, needs_second_person: waits } = await getFile(tx, { id });
        const content =
          out === undefined || waits ? null : (await fetchPaymentFile(tx, id, actor)).content;
        return { id, number, left, content, waits };
      });
      if (out !== undefined && made.content !== null) {
        await writeBytes(made.content, out).catch((cause: Error) => {
          throw new OperatorError(
            `${cause.message} Betalfil ${made.number} är skapad, och ska inte skapas igen: skriv den med payments show ${made.number} --out <fil>.`,
            { cause },
          );
        });
      }
      const shown = await withPool((pool) => readFile(db(pool), { id: made.id }));
      const left = made.left.map(({ payable, fault }) => ({
        ...payableForWire(payable),
        problem: commandProblem(fault),
      }));
      const lines = [
        ...shown.lines,
        ...left.map(
          ({ name, number, problem }) => `  Inte med: ${name} ${number}. ${problem.message}`,
        ),
        ...(made.waits
          ? ['Den betalar till ett konto som är nytt: en person ska godkänna den i webbläsaren.']
          : []),
      ];
      print(json, { ...shown.wire, left }, lines.join('\n'));
    });
}

/** The one that is said, or the only one there is. */
async function accountOf(tx: Tx, given: string | undefined): Promise<string> {
  const all = await listPayingAccounts(tx);
  const found = all.filter(
    ({ id, name, ledger_account }) =>
      given === undefined ||
      id === given.toLowerCase() ||
      name === given ||
      String(ledger_account) === given,
  );
  const [account] = found;
  if (account && found.length === 1) return account.id;
  const known = all.map(({ ledger_account, name }) => `${ledger_account} ${name}`).join(', ');
  throw new OperatorError(
    all.length === 0
      ? 'Det finns inget bankkonto att betala från. Lägg upp det med bank account add.'
      : `Säg med --account vilket bankkonto som betalas från: ${known}.`,
  );
}

function registerShow(payments: Command): void {
  payments
    .command('show')
    .description('visa en betalfil: vad den betalar och vad det har blivit av det')
    .argument(...fileNumber)
    .option('--out <fil>', 'skriv filen till banken dit', text(4_000))
    .option(...jsonOption)
    .action(async (number: number, { out, json }: Json & { out?: string }) => {
      if (out !== undefined) {
        const { content } = await asOwner(async (tx) =>
          fetchPaymentFile(tx, (await getFile(tx, { number })).id, actor),
        );
        await writeBytes(content, out);
      }
      const { wire, lines } = await withPool((pool) => readFile(db(pool), { number }));
      print(json, wire, lines.join('\n'));
    });
}

function registerHappenings(payments: Command): void {
  payments
    .command('sent')
    .description('anteckna att banken har fått filen')
    .argument(...fileNumber)
    .option(...jsonOption)
    .action((number: number, { json }: Json) =>
      changed(number, json, (tx, id) => markSent(tx, id, actor)),
    );

  payments
    .command('cancel')
    .description('avbryt en betalfil, så att det som står i den kan betalas på annat sätt')
    .argument(...fileNumber)
    .option('--reason <text>', 'varför; krävs när filen är sänd', text(500))
    .option(...jsonOption)
    .action((number: number, { reason, json }: Json & { reason?: string }) =>
      changed(number, json, (tx, id) => cancelPaymentFile(tx, id, reason ?? null, actor)),
    );

  payments
    .command('paid')
    .description('bokför det som väntar i filen som betalt, när bankens rader inte läses in')
    .argument(...fileNumber)
    .requiredOption('--date <datum>', 'då banken betalade', date)
    .option(...jsonOption)
    .action((number: number, { date: on, json }: Json & { date: string }) =>
      changed(number, json, (tx, id) =>
        bookAsPaid(tx, { fileId: id, date: on, today: today() }, actor),
      ),
    );

  payments
    .command('answer')
    .description('läs in bankens svar (pain.002): det den avvisar blir öppet igen')
    .argument('<fil>', 'filen från banken')
    .option(...jsonOption)
    .action(async (path: string, { json }: Json) => {
      const bytes = await readWhole(path);
      const taken = await asOwner((tx) => takeBankAnswer(tx, bytes, actor));
      const doubt =
        taken.refusedPaid === 0
          ? ''
          : ` ${taken.refusedPaid} av dem är bokförda som betalda; se efter.`;
      const waiting = taken.pending === 0 ? '' : ` ${taken.pending} väntar på ett senare svar.`;
      const words = `Betalfil ${taken.number}: ${taken.accepted} godtagna, ${taken.refused} avvisade.${doubt}${waiting}`;
      print(json, taken, words);
    });
}

async function changed(
  number: number,
  json: boolean | undefined,
  work: (tx: Tx, id: string) => Promise<unknown>,
): Promise<void> {
  const { wire, lines } = await asOwner(async (tx) => {
    await work(tx, (await getFile(tx, { number })).id);
    return readFile(tx, { number });
  });
  print(json, wire, lines.join('\n'));
}

type FileName = { readonly id: string } | { readonly number: number };

async function getFile(from: Db, name: FileName): Promise<PaymentFile> {
  const file = await findPaymentFile(from, name);
  if (file) return file;
  throw refuseWhole('not_found', 'no_payment_file', { id: Object.values(name)[0] ?? '' });
}

async function readFile(from: Db, name: FileName) {
  const file = await getFile(from, name);
  const payouts = await listPayouts(from, file.id);
  const wire = { ...fileForWire(file), payments: payouts.map(payoutForWire) };
  const head = `Betalfil ${file.number}: ${counted(file.payouts, 'betalning', 'betalningar')}, ${formatKronor(file.total_ore)} från ${file.account}, ${stateWords[fileState(factsOf(file))]}.`;
  return { wire, lines: [head, alignedLines(payouts.map(payoutCells))] };
}

const payoutCells = (payout: Payout): (string | null)[] => [
  ` ${payout.execution_on}`,
  payout.payee_name,
  formatPaymentAccount(payout.payee_kind, payout.payee_number),
  payout.parts.map(({ number, tax }) => number ?? taxName(tax ?? '')).join(' '),
  amountText(payout.amount_ore),
  payout.voucher ?? payout.refusal ?? (payout.is_payee_changed ? 'nytt konto' : ''),
];

const payableForWire = ({ key, kind, party, number, dueOn, openOre, obstacle, file }: Payable) => ({
  ...{ key, kind, name: party.name, number, due: dueOn, open: oreToNumber(openOre), obstacle },
  file: file?.number ?? null,
});

const fileForWire = (file: PaymentFile) => ({
  ...{ id: file.id, number: file.number, account: file.ledger_account, messageId: file.message_id },
  state: fileState(factsOf(file)),
  ...{ from: file.first_day, to: file.last_day, total: oreToNumber(file.total_ore) },
  count: file.payouts,
  ...{ paid: file.paid, refused: file.refused, sha256: file.sha256.toString('hex') },
  needsApproval: file.needs_second_person,
  ...{ createdAt: file.created_at, sentAt: file.sent_at, cancelledAt: file.cancelled_at },
});

const payoutForWire = (payout: Payout) => ({
  endToEndId: payout.end_to_end_id,
  ...{ date: payout.execution_on, amount: oreToNumber(payout.amount_ore), name: payout.payee_name },
  payee: {
    kind: payout.payee_kind,
    number: payout.payee_number,
    isChanged: payout.is_payee_changed,
  },
  ...{ ocr: payout.ocr, message: payout.message, refusal: payout.refusal, voucher: payout.voucher },
  parts: payout.parts.map(({ invoiceId, tax, number, amountOre }) => ({
    ...{ purchaseId: invoiceId, tax, number, amount: oreToNumber(oreOf(amountOre)) },
  })),
});

const oreOf = (digits: string): Ore => BigInt(digits);
