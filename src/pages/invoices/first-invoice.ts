/** Before the first invoice: what the company has not said of itself, asked for while there is time. */
import { z } from 'zod';
import { missingOnInvoices } from '../../domain/sales/invoice-seller.ts';
import { AppError } from '../../lib/errors.ts';
import { lacking } from '../../lib/sentences/collection.ts';
import { getSeller } from '../../sales/invoices/printing-store.ts';
import { getInvoice } from '../../sales/invoices/reading-store.ts';
import { formOf } from '../fields.ts';
import { kronor } from '../format.ts';
import type { Pages } from '../page.ts';
import { saveSettings, settingFields } from '../settings/company-settings.ts';
import type { FormInput, View } from '../visit.ts';
import { book, type InvoiceVisit, invoiceParams } from './invoice.ts';
import { nameOf } from './invoice-words.ts';

const asked = [
  'company-address',
  'company-postal-code',
  'company-city',
  'company-seat',
  'company-bankgiro',
  'company-plusgiro',
  'company-swish',
  'company-iban',
] as const;

export function registerFirstInvoice(pages: Pages): void {
  pages.form({
    url: '/kundfakturor/:id/innan-bokning',
    right: 'keep_books',
    params: invoiceParams,
    fields: z.looseObject({ shown: z.string().default(''), do: z.string().default('') }),
    show: showQuestions,
    perform: async (visit, typed) => {
      if (typed.do === 'save') {
        if (!visit.person.may('administer')) throw mayNotSay();
        await saveSettings(visit, typed, asked);
        const missing = missingOnInvoices(await getSeller(visit.tx));
        if (missing.length > 0) throw stillMissing(lacking(missing));
      }
      return book(visit, { shown: typed.shown, isAsked: true });
    },
  });
}

const mayNotSay = (): AppError =>
  new AppError('forbidden', 'Företagets uppgifter fyller en administratör i.');
const stillMissing = (missing: string): AppError =>
  new AppError('unprocessable', `Fortfarande saknas ${missing}; fyll i det, eller bokför ändå.`);

async function showQuestions(
  { tx, params: { id }, person }: InvoiceVisit,
  input: FormInput,
): Promise<View> {
  const invoice = await getInvoice(tx, id);
  const fields = await settingFields(tx, input, asked);
  return {
    template: 'first-invoice',
    title: 'Innan den första fakturan bokförs',
    values: {
      invoice: { href: `/kundfakturor/${id}`, name: nameOf(invoice) },
      missing: lacking(missingOnInvoices(await getSeller(tx))),
      total: kronor(invoice.total_ore),
      shown: String(invoice.total_ore),
      fields: person.may('administer') ? Object.values(fields) : null,
      form: formOf(input, fields),
    },
  };
}
