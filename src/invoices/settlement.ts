/**
 * What happens to a booked invoice: payments, credit notes, reminders. Each posts its voucher in the
 * caller's transaction, or throws and leaves nothing; `status` and what remains follow in the
 * database (`sales.settle`).
 */
import type { Tx } from '../db/pool.ts';
import { type CreditedRow, creditRows } from '../domain/credit-note.ts';
import { receivablesAccount, totalsOf } from '../domain/invoice.ts';
import { formatKronor, type Ore } from '../domain/money.ts';
import { AppError, type Problem, refuse } from '../errors.ts';
import { uuid } from '../uuid.ts';
import { postTransfer } from '../vouchers/service.ts';
import { bookInvoices, type InvoiceAnswer } from './service.ts';
import {
  insertDrafts,
  insertPayment,
  insertReminder,
  listCreditableRows,
  lockInvoice,
  type SettledInvoice,
} from './store.ts';

const bankAccount = 1930;
/** Reminder fees are compensation, not a supply: no VAT. */
const reminderFeeAccount = 3999;
/** Lag 1981:739, förordning 1981:1057: at most 60 kr, and only when it was agreed beforehand. */
const reminderFeeMaxOre: Ore = 6_000n;

export interface Payment {
  readonly invoiceId: string;
  readonly date: string;
  /** Below zero when money goes back, or when a payment was registered by mistake. */
  readonly amountOre: Ore;
  /** Where the money came in; 1930 unless said. */
  readonly account?: number;
  readonly reference?: string | null;
}

/** Where an invoice stands after what happened to it. */
export interface Standing {
  readonly invoiceId: string;
  readonly status: string;
  readonly openOre: Ore;
  readonly voucherId: string | null;
}

/** Registers a payment, whole or part: debit the bank, credit receivables (series C). */
export async function registerPayment(tx: Tx, payment: Payment, actor: string): Promise<Standing> {
  const invoice = await lockBooked(tx, payment.invoiceId);
  const { amountOre, account = bankAccount } = payment;
  refuseAny(paymentProblems(invoice, amountOre));
  const word = amountOre > 0n ? 'Inbetalning' : 'Återbetalning';
  const voucherId = await postTransfer(
    tx,
    {
      series: 'C',
      date: payment.date,
      description: `${word} kundfaktura ${invoice.number}`,
      counterparty: invoice.debtor.name,
      source: 'payment',
      debit: account,
      credit: receivablesAccount,
      amountOre,
    },
    actor,
  );
  await insertPayment(tx, {
    id: uuid(),
    invoiceId: invoice.id,
    date: payment.date,
    amountOre,
    account,
    voucherId,
    reference: payment.reference ?? null,
    createdBy: actor,
  });
  return standingOf(tx, invoice.id, voucherId);
}

function paymentProblems(invoice: SettledInvoice, amountOre: Ore): Problem[] {
  const problem = (reason: string, message: string) => [{ path: 'amount', reason, message }];
  if (amountOre === 0n) return problem('no_amount', 'Beloppet får inte vara 0.');
  if (amountOre > 0n && amountOre > invoice.open_ore) {
    const open = formatKronor(invoice.open_ore > 0n ? invoice.open_ore : 0n);
    const message = `Det återstår ${open} att betala på faktura ${invoice.number}. Registrera högst det; ett överskott bokförs som förskott på 2420.`;
    return problem('exceeds_open', message);
  }
  if (amountOre < 0n && -amountOre > invoice.paid_ore) {
    const message = `Bara ${formatKronor(invoice.paid_ore)} är betalt på faktura ${invoice.number}; mer än så kan inte betalas tillbaka.`;
    return problem('exceeds_paid', message);
  }
  return [];
}

export interface Reminder {
  readonly invoiceId: string;
  readonly sentDate: string;
  /** 0 to 6 000 öre. */
  readonly feeOre: Ore;
}

/** Registers that a reminder was sent on an overdue invoice; a fee is claimed on 1510 (series B). */
export async function registerReminder(
  tx: Tx,
  { invoiceId, sentDate, feeOre }: Reminder,
  actor: string,
): Promise<Standing & { readonly reminderNo: number }> {
  const invoice = await lockBooked(tx, invoiceId);
  refuseAny(reminderProblems(invoice, sentDate, feeOre));
  const reminderNo = invoice.reminders + 1;
  const voucherId =
    feeOre === 0n
      ? null
      : await postTransfer(
          tx,
          {
            series: 'B',
            date: sentDate,
            description: `Påminnelseavgift kundfaktura ${invoice.number}`,
            counterparty: invoice.debtor.name,
            source: 'reminder',
            debit: receivablesAccount,
            credit: reminderFeeAccount,
            amountOre: feeOre,
          },
          actor,
        );
  await insertReminder(tx, {
    id: uuid(),
    invoiceId,
    reminderNo,
    sentDate,
    feeOre,
    voucherId,
    createdBy: actor,
  });
  return { ...(await standingOf(tx, invoiceId, voucherId)), reminderNo };
}

function reminderProblems(invoice: SettledInvoice, sentDate: string, feeOre: Ore): Problem[] {
  const problems: Problem[] = [];
  if (invoice.open_ore <= 0n) {
    const message = `Faktura ${invoice.number} är betald; det finns inget att påminna om.`;
    problems.push({ path: 'invoiceId', reason: 'nothing_open', message });
  } else if (sentDate <= invoice.due_date) {
    const message = `Faktura ${invoice.number} förfaller ${invoice.due_date}; påminn tidigast dagen efter.`;
    problems.push({ path: 'sentDate', reason: 'not_overdue', message });
  }
  if (feeOre < 0n || feeOre > reminderFeeMaxOre) {
    const message = `Påminnelseavgiften får vara 0–${formatKronor(reminderFeeMaxOre)} (lag 1981:739).`;
    problems.push({ path: 'fee', reason: 'fee_out_of_range', message });
  }
  return problems;
}

export interface Credit {
  readonly invoiceId: string;
  readonly date: string;
  /** What is taken back; everything that remains when not given. */
  readonly rows?: readonly CreditedRow[];
  readonly notes?: string | null;
}

/** Credits an invoice, in full or part: a credit note of its own, numbered and booked (series B). */
export async function creditInvoice(tx: Tx, credit: Credit, actor: string): Promise<InvoiceAnswer> {
  const invoice = await lockBooked(tx, credit.invoiceId);
  const decision = creditRows(await listCreditableRows(tx, invoice.id), credit.rows);
  if ('problems' in decision) throw refuse('unprocessable', decision.problems);
  const totals = totalsOf(decision.rows, decision.isWhole ? invoice.rounding_ore : 0n);
  const left = invoice.total_ore - invoice.credited_ore;
  if (totals.totalOre < 0n || totals.totalOre > left) {
    const message = `Krediteringen blir ${formatKronor(totals.totalOre)}; av faktura ${invoice.number} återstår ${formatKronor(left)} att kreditera. Ta med rabattraderna också.`;
    throw refuse('unprocessable', [{ path: 'rows', reason: 'exceeds_invoice', message }]);
  }
  const id = uuid();
  await insertDrafts(tx, [
    {
      id,
      creditedInvoiceId: invoice.id,
      source: 'app',
      createdBy: actor,
      customerId: invoice.customer_id,
      invoiceDate: credit.date,
      dueDate: credit.date,
      paymentTermsDays: 0,
      pricesIncludeVat: invoice.prices_include_vat,
      yourReference: null,
      notes: credit.notes ?? null,
      debtor: invoice.debtor,
      rows: decision.rows,
      totals,
    },
  ]);
  const [outcome] = await bookInvoices(tx, [id], actor);
  if (!outcome) throw new Error('the credit note vanished');
  if (outcome.refusal) throw outcome.refusal;
  return outcome.invoice;
}

async function lockBooked(tx: Tx, id: string): Promise<SettledInvoice> {
  const invoice = await lockInvoice(tx, id);
  if (!invoice) throw new AppError('not_found', `Det finns ingen faktura ${id}.`);
  const path = 'invoiceId';
  if (invoice.status === 'draft') {
    const message = 'Fakturan är ett utkast; bokför den först.';
    throw refuse('unprocessable', [{ path, reason: 'not_booked', message }]);
  }
  if (invoice.kind === 'credit_note') {
    const message = `${invoice.number} är en kreditfaktura; ange fakturan den gäller.`;
    throw refuse('unprocessable', [{ path, reason: 'is_credit_note', message }]);
  }
  return invoice;
}

function refuseAny(problems: readonly Problem[]): void {
  if (problems.length > 0) throw refuse('unprocessable', problems);
}

async function standingOf(tx: Tx, invoiceId: string, voucherId: string | null): Promise<Standing> {
  const invoice = await lockInvoice(tx, invoiceId);
  if (!invoice) throw new Error('the invoice vanished');
  return { invoiceId, status: invoice.status, openOre: invoice.open_ore, voucherId };
}
