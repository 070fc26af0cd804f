/** Customer invoices: the list, one, drafts, what happens to them, files and collection. */
import type { Pages } from '../page.ts';
import { registerFirstInvoice } from './first-invoice.ts';
import { registerInvoicePage } from './invoice.ts';
import { registerInvoiceCrediting } from './invoice-credit.ts';
import { registerInvoiceDrafts } from './invoice-draft.ts';
import { registerInvoiceEInvoice } from './invoice-e-invoice.ts';
import { registerInvoiceFiles } from './invoice-files.ts';
import { registerInvoiceHappenings } from './invoice-happenings.ts';
import { registerInvoiceMail } from './invoice-mail.ts';
import { registerMails } from './invoice-mails.ts';
import { registerPausing } from './invoice-pause.ts';
import { registerInvoiceSetOff } from './invoice-set-off.ts';
import { registerWritingOff } from './invoice-write-off.ts';
import { registerInvoicePages } from './invoices.ts';
import { registerRecurringInvoices } from './recurring.ts';
import { registerReminderRuns } from './reminders.ts';

export function registerInvoiceSection(pages: Pages): void {
  registerInvoicePages(pages);
  registerInvoicePage(pages);
  registerFirstInvoice(pages);
  registerInvoiceDrafts(pages);
  registerInvoiceHappenings(pages);
  registerInvoiceSetOff(pages);
  registerInvoiceCrediting(pages);
  registerWritingOff(pages);
  registerPausing(pages);
  registerReminderRuns(pages);
  registerInvoiceFiles(pages);
  registerInvoiceEInvoice(pages);
  registerInvoiceMail(pages);
  registerMails(pages);
  registerRecurringInvoices(pages);
}
