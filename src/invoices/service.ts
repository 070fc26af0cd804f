/** Booking customer invoices: the same for the worker, the command line and the API. */

import type { Tx } from '../db/pool.ts';
import { invoiceVoucherRows } from '../domain/invoice.ts';
import { oreToNumber } from '../domain/money.ts';
import { ocrFor } from '../domain/ocr.ts';
import type { AppError } from '../errors.ts';
import { uuid } from '../uuid.ts';
import { type LedgerVoucher, postToLedger } from '../vouchers/ledger.ts';
import { ledgerRefusal } from '../vouchers/refusals.ts';
import {
  type BookableInvoice,
  lockInvoices,
  markBooked,
  markRefused,
  takeInvoiceNumbers,
} from './store.ts';

const INVOICE_SERIES = 'B';

/** An invoice as the API answers it (contract 2.3). */
export interface InvoiceAnswer {
  readonly id: string;
  readonly status: string;
  readonly invoice_number: number | null;
  readonly net_amount: number;
  readonly vat_amount: number;
  readonly total_amount: number;
}

export interface BookingOutcome {
  readonly invoice: InvoiceAnswer;
  /** Why it stayed a draft. */
  readonly refusal: AppError | null;
}

export function invoiceAnswer(invoice: BookableInvoice): InvoiceAnswer {
  return {
    id: invoice.id,
    status: invoice.status,
    invoice_number: invoice.number,
    net_amount: oreToNumber(invoice.net_ore),
    vat_amount: oreToNumber(invoice.vat_ore),
    total_amount: oreToNumber(invoice.total_ore),
  };
}

/**
 * Books drafts: number, OCR and voucher in the caller's transaction. An invoice that is booked
 * already is left as it is, so booking twice books once. One that a lock or a missing account stops
 * stays a draft with the reason; its neighbours are booked, and no number is lost.
 */
export async function bookInvoices(
  tx: Tx,
  ids: readonly string[],
  actor: string,
): Promise<BookingOutcome[]> {
  const invoices = await lockInvoices(tx, ids);
  const drafts = invoices.filter(({ status }) => status === 'draft');
  const vouchers = new Map(drafts.map((draft) => [draft.id, voucherOf(draft, actor)]));
  const refusals = await findRefusals(tx, vouchers);

  const accepted = drafts.filter(({ id }) => !refusals.has(id));
  if (accepted.length > 0) {
    const first = await takeInvoiceNumbers(tx, accepted.length);
    const numbered = accepted.map((draft, index) => ({ ...draft, number: first + index }));
    await postNumbered(tx, numbered, vouchers);
    const numbers = new Map(numbered.map(({ id, number }) => [id, number]));
    for (const draft of accepted) {
      draft.status = 'booked';
      draft.number = numbers.get(draft.id) ?? null;
    }
  }
  if (refusals.size > 0) {
    await markRefused(
      tx,
      [...refusals].map(([invoiceId, { code, message, detail }]) => ({
        invoiceId,
        refusal: { error: code, message, detail },
      })),
    );
  }
  return invoices.map((invoice) => ({
    invoice: invoiceAnswer(invoice),
    refusal: refusals.get(invoice.id) ?? null,
  }));
}

function voucherOf(invoice: BookableInvoice, actor: string): LedgerVoucher {
  return {
    id: uuid(),
    series: INVOICE_SERIES,
    date: invoice.invoice_date,
    description: 'Kundfaktura',
    counterparty: [...invoice.debtor_name].slice(0, 200).join(''),
    source: 'invoice',
    actor,
    rows: invoiceVoucherRows({
      rows: invoice.rows,
      totals: {
        netOre: invoice.net_ore,
        vatOre: invoice.vat_ore,
        roundingOre: invoice.rounding_ore,
        totalOre: invoice.total_ore,
      },
    }),
  };
}

/**
 * Judged before any number is taken, so that a refused invoice costs none. The judging keeps the
 * series locked: what passes here is posted below.
 */
async function findRefusals(
  tx: Tx,
  vouchers: ReadonlyMap<string, LedgerVoucher>,
): Promise<Map<string, AppError>> {
  const postable = [...vouchers].filter(([, voucher]) => voucher.rows.length > 0);
  if (postable.length === 0) return new Map();
  const outcomes = await postToLedger(
    tx,
    postable.map(([, voucher]) => voucher),
    { dryRun: true },
  );
  return new Map(
    postable.flatMap(([id], index) => {
      const { error = null, detail = null } = outcomes[index] ?? {};
      return error === null ? [] : [[id, ledgerRefusal(error, detail ?? {})] as const];
    }),
  );
}

async function postNumbered(
  tx: Tx,
  invoices: readonly (BookableInvoice & { number: number })[],
  vouchers: ReadonlyMap<string, LedgerVoucher>,
): Promise<void> {
  const toPost = invoices.flatMap(({ id, number }) => {
    const voucher = vouchers.get(id);
    return voucher && voucher.rows.length > 0
      ? [{ ...voucher, description: `Kundfaktura ${number}` }]
      : [];
  });
  const outcomes = toPost.length > 0 ? await postToLedger(tx, toPost) : [];
  const refused = outcomes.find(({ error }) => error !== null);
  if (refused) throw new Error(`an accepted invoice was refused: ${JSON.stringify(refused)}`);
  const posted = new Set(toPost.map(({ id }) => id));
  await markBooked(
    tx,
    invoices.map(({ id, number }) => {
      const voucherId = vouchers.get(id)?.id ?? '';
      return {
        invoiceId: id,
        number,
        ocr: ocrFor(number),
        voucherId: posted.has(voucherId) ? voucherId : null,
      };
    }),
  );
}
