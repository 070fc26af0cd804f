/** Invoices, credit notes and reminders as pages that are printed as PDF. */

import type { Tx } from '../../db/pool.ts';
import { refuseWhole } from '../../lib/errors.ts';
import { loadTemplate, type Render } from '../../render/templates.ts';
import { getCollectionFacts } from '../collection/store.ts';
import { invoiceView } from './document-view.ts';
import { findInvoiceDocument, type InvoiceDocument } from './printing-store.ts';
import { reminderView } from './reminder-view.ts';

export interface PreparedDocument {
  /** What is printed; give it to `printPdf`. */
  readonly html: string;
  /** What the file is called, without folder: plain letters, figures and hyphens. */
  readonly fileName: string;
}

const templates = new Map<string, Render>();

function render(name: string, view: Readonly<Record<string, unknown>>): string {
  const template = templates.get(name) ?? loadTemplate(`documents/${name}`);
  templates.set(name, template);
  return template(view);
}

/** Drafts too, marked as such. Throws 404 `not_found` when there is no such invoice. */
export async function prepareInvoicePdf(tx: Tx, invoiceId: string): Promise<PreparedDocument> {
  const invoice = await getInvoiceDocument(tx, invoiceId);
  const word = invoice.kind === 'credit_note' ? 'kreditfaktura' : 'faktura';
  return {
    html: render('invoice', invoiceView(invoice)),
    fileName: `${word}-${invoice.number ?? 'utkast'}.pdf`,
  };
}

/** `reminderNo` is 1 for the first. Throws 404 `not_found` when no such reminder has been registered. */
export async function prepareReminderPdf(
  tx: Tx,
  invoiceId: string,
  reminderNo: number,
  timeZone: string,
): Promise<PreparedDocument> {
  const { view, number } = await reminderLetter(tx, invoiceId, reminderNo, timeZone);
  return {
    html: render('reminder', view),
    fileName: `paminnelse-${number}-${reminderNo}.pdf`,
  };
}

async function reminderLetter(tx: Tx, invoiceId: string, reminderNo: number, timeZone: string) {
  const { seller, number } = await getInvoiceDocument(tx, invoiceId);
  const subject = await getCollectionFacts(tx, invoiceId, timeZone);
  const reminder = subject?.reminders.find((one) => one.reminderNo === reminderNo);
  if (!subject || !reminder) {
    throw refuseWhole('not_found', 'no_reminder', { number: number ?? invoiceId, reminderNo });
  }
  return { view: reminderView(subject, reminder, seller), number };
}

/** Several reminders as one file, each on pages of its own, in the order that they are given. */
export async function prepareRemindersPdf(
  tx: Tx,
  reminders: readonly { readonly invoiceId: string; readonly reminderNo: number }[],
  timeZone: string,
): Promise<PreparedDocument> {
  const letters = [];
  for (const { invoiceId, reminderNo } of reminders) {
    letters.push((await reminderLetter(tx, invoiceId, reminderNo, timeZone)).view);
  }
  const [first] = letters;
  const title = 'Betalningspåminnelser';
  return {
    html: render('reminders', { ...first, title, letters }),
    fileName: 'paminnelser.pdf',
  };
}

/** Throws 404 `not_found` when there is no such invoice. */
export async function getInvoiceDocument(tx: Tx, invoiceId: string): Promise<InvoiceDocument> {
  const invoice = await findInvoiceDocument(tx, invoiceId);
  if (!invoice) throw refuseWhole('not_found', 'no_invoice', { id: invoiceId });
  return invoice;
}
