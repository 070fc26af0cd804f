/** Crediting a booked invoice, in full or part. */
import type { Tx } from '../../db/pool.ts';
import { type Ore, sum } from '../../domain/basics/money.ts';
import { refuseAny } from '../../domain/basics/problems.ts';
import { type CreditedRow, creditRows } from '../../domain/sales/credit-note.ts';
import { totalsOf } from '../../domain/sales/invoice.ts';
import { type Fault, refuse } from '../../lib/errors.ts';
import { uuid } from '../../lib/uuid.ts';
import { insertDrafts } from './create-store.ts';
import { listLosses } from './loss-store.ts';
import { bookInvoices, type InvoiceAnswer } from './service.ts';
import { lockBooked, type NumberedInvoice } from './settled.ts';
import { listCreditableRows } from './settlement-store.ts';

export interface Credit {
  readonly invoiceId: string;
  readonly date: string;
  /** What is taken back; everything that remains when not given. */
  readonly rows?: readonly CreditedRow[];
  readonly notes?: string | null;
  /** From when interest sees it: `own` unless said. */
  readonly effect?: CreditEffect;
}

/**
 * A credit note takes effect from its own date when the claim was right until then, and from the
 * invoice's when it never was: then no interest has run on what is taken back.
 */
export type CreditEffect = 'own' | 'invoice';

/** What the credit note comes to with VAT, öre. Throws what crediting would, but for its date and locks. */
export async function creditTotal(
  tx: Tx,
  credit: Pick<Credit, 'invoiceId' | 'rows'>,
): Promise<Ore> {
  const invoice = await lockBooked(tx, credit.invoiceId);
  return (await decideCredit(tx, invoice, credit)).totals.totalOre;
}

async function decideCredit(tx: Tx, invoice: NumberedInvoice, credit: Pick<Credit, 'rows'>) {
  const decision = creditRows(await listCreditableRows(tx, invoice.id), credit.rows);
  if ('problems' in decision) throw refuse('unprocessable', decision.problems);
  const totals = totalsOf(decision.rows, decision.isWhole ? invoice.rounding_ore : 0n);
  const left = invoice.total_ore - invoice.credited_ore;
  if (totals.totalOre < 0n || totals.totalOre > left) {
    const params = { number: invoice.number, totalOre: totals.totalOre, leftOre: left };
    throw refuse('unprocessable', [{ path: 'rows', reason: 'credit_exceeds_invoice', params }]);
  }
  const lostOre = sum((await listLosses(tx, invoice.id)).map(({ ore }) => ore));
  // The VAT would come back twice, and the customer be owed what was never paid.
  if (lostOre > 0n && totals.totalOre > invoice.open_ore) {
    const params = { number: invoice.number, lostOre };
    throw refuse('unprocessable', [{ path: 'rows', reason: 'credit_of_written_off', params }]);
  }
  return { rows: decision.rows, totals };
}

/** Credits an invoice, in full or part: a credit note of its own, numbered and booked (series B). */
export async function creditInvoice(tx: Tx, credit: Credit, actor: string): Promise<InvoiceAnswer> {
  const invoice = await lockBooked(tx, credit.invoiceId);
  refuseAny(dateProblems(invoice, credit.date));
  const { rows, totals } = await decideCredit(tx, invoice, credit);
  const id = uuid();
  await insertDrafts(tx, [
    {
      id,
      credited: {
        invoiceId: invoice.id,
        effectiveDate: credit.effect === 'invoice' ? invoice.invoice_date : credit.date,
      },
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
      rows,
      totals,
    },
  ]);
  const [outcome] = await bookInvoices(tx, [id], actor);
  if (!outcome) throw new Error('the credit note vanished');
  if (outcome.refusal) throw outcome.refusal;
  return outcome.invoice;
}

function dateProblems(invoice: NumberedInvoice, date: string): Fault[] {
  if (date >= invoice.invoice_date) return [];
  const params = { number: invoice.number, from: invoice.invoice_date };
  return [{ path: 'date', reason: 'credit_before_invoice', params }];
}
