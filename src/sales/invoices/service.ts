/** Booking customer invoices: the same for the worker, the command line and the application. */
import type { Tx } from '../../db/pool.ts';
import { oreToNumber } from '../../domain/basics/money.ts';
import { invoiceVoucherRows } from '../../domain/sales/invoice.ts';
import { ledgerRefusal } from '../../ledger/vouchers/refusals.ts';
import type { Refusal } from '../../lib/errors.ts';
import { uuid } from '../../lib/uuid.ts';
import {
  type BookableInvoice,
  bookDrafts,
  type InvoiceToBook,
  lockInvoices,
} from './booking-store.ts';
import { refillDebtors, refuseDoubtfulSales } from './buyers.ts';

/** An invoice as the API answers it (contract 2.3), with what else a caller wants at once. */
export interface InvoiceAnswer {
  readonly id: string;
  readonly status: string;
  readonly invoice_number: number | null;
  readonly net_amount: number;
  readonly vat_amount: number;
  readonly total_amount: number;
  readonly due_date: string;
  readonly ocr: string | null;
}

export interface BookingOutcome {
  readonly invoice: InvoiceAnswer;
  /** Why it stayed a draft. */
  readonly refusal: Refusal | null;
}

/**
 * Books drafts: number, OCR and voucher in the caller's transaction. An invoice that is booked
 * already is left as it is, so booking twice books once. One that a lock, a missing account or its
 * buyer stops stays a draft with the reason; its neighbours are booked, and no number is lost. One of zero
 * kronor is judged alike and is `paid` at once. In id order; an id of no invoice has no outcome.
 */
export async function bookInvoices(
  tx: Tx,
  ids: readonly string[],
  actor: string,
): Promise<BookingOutcome[]> {
  const invoices = await lockInvoices(tx, ids);
  const draftIds = invoices.flatMap(({ id, status }) => (status === 'draft' ? id : []));
  await refillDebtors(tx, draftIds);
  const doubtful = await refuseDoubtfulSales(tx, draftIds);
  const drafts = invoices.filter(({ id, status }) => status === 'draft' && !doubtful.has(id));
  const outcomes =
    drafts.length === 0
      ? []
      : await bookDrafts(
          tx,
          drafts.map((draft) => toBook(draft, actor)),
        );
  const byDraft = new Map(drafts.map(({ id }, index) => [id, outcomes[index]]));
  return invoices.map((invoice) => {
    const outcome = byDraft.get(invoice.id) ?? doubtful.get(invoice.id);
    if (!outcome) return { invoice: invoiceAnswer(invoice), refusal: null };
    if (outcome.error) {
      const refusal = ledgerRefusal(outcome.error, outcome.detail ?? {});
      return { invoice: invoiceAnswer(invoice), refusal };
    }
    const { number, ocr, status } = outcome;
    const booked = { ...invoice, number, ocr, status: status ?? invoice.status };
    return { invoice: invoiceAnswer(booked), refusal: null };
  });
}

function toBook(invoice: BookableInvoice, actor: string): InvoiceToBook {
  const totals = {
    netOre: invoice.net_ore,
    vatOre: invoice.vat_ore,
    roundingOre: invoice.rounding_ore,
    totalOre: invoice.total_ore,
  };
  const { id, kind, rows } = invoice;
  return { id, voucherId: uuid(), actor, rows: invoiceVoucherRows({ rows, totals }, kind) };
}

function invoiceAnswer(invoice: BookableInvoice): InvoiceAnswer {
  return {
    id: invoice.id,
    status: invoice.status,
    invoice_number: invoice.number,
    net_amount: oreToNumber(invoice.net_ore),
    vat_amount: oreToNumber(invoice.vat_ore),
    total_amount: oreToNumber(invoice.total_ore),
    due_date: invoice.due_date,
    ocr: invoice.ocr,
  };
}
