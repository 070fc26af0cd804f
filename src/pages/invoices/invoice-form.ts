/** What the forms about a booked invoice share. */
import { z } from 'zod';
import { lockAtDate } from '../../ledger/vouchers/refusals.ts';
import { AppError, type Fault, movingFaults, type Params, type Problem } from '../../lib/errors.ts';
import { getInvoice, type InvoiceFacts } from '../../sales/invoices/reading-store.ts';
import { markOf } from '../../sales/invoices/seen.ts';
import { kronor, remaining } from '../format.ts';
import type { View } from '../visit.ts';
import { type InvoiceVisit, invoiceParams } from './invoice.ts';
import { nameOf } from './invoice-words.ts';

export const happeningPlace = { right: 'keep_books', params: invoiceParams } as const;

/** How the invoice stood when the form was made (`requireUnchanged`). */
export const seen = z.string().max(100).default('');

/** An invoice that things can happen to; others have no such pages. */
export async function getSettled(tx: InvoiceVisit['tx'], id: string): Promise<InvoiceFacts> {
  const invoice = await getInvoice(tx, id);
  if (invoice.status !== 'draft' && invoice.kind === 'invoice') return invoice;
  throw new AppError('not_found', 'Sidan finns bara för bokförda fakturor.');
}

export function formView(
  template: string,
  invoice: InvoiceFacts,
  { title, ...values }: { readonly title: string; readonly [name: string]: unknown },
): View {
  return {
    template,
    title,
    values: {
      ...values,
      invoice: {
        href: `/kundfakturor/${invoice.id}`,
        name: nameOf(invoice),
        debtor: invoice.debtor['name'] ?? '',
        total: kronor(invoice.total_ore),
        open: remaining(invoice.open_ore, 'betala tillbaka'),
        dueDate: invoice.due_date,
      },
      seen: markOf(invoice),
    },
  };
}

interface FormPlaces {
  /** The field that locks and fiscal years judge. */
  readonly date: string;
  readonly account?: number;
  /** Which of the form's rows each credited row was typed at. */
  readonly places?: readonly number[];
}

/** Puts what the services refuse at the field that a person typed it in. */
export async function atFields<T>(form: FormPlaces, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw movingFaults(lockAtDate(error), (fault) => placeOf(fault, form));
  }
}

function placeOf(
  { path, params }: Fault | Problem,
  { date, account, places = [] }: FormPlaces,
): string {
  if (path === 'date') return date;
  if (account !== undefined && (params as Params)?.['account'] === account) return 'account';
  const [prefix, index] = /^rows\[(\d+)\]$/.exec(path) ?? [];
  const place = places[Number(index)];
  return prefix === undefined || place === undefined ? path : `rows[${place}].quantity`;
}
