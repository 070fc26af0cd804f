/** An invoice as a file that an access point sends over Peppol, and what the receiver wants to be told in it. */
import type { FastifyRequest } from 'fastify';
import type { Tx } from '../../db/pool.ts';
import { movingFaults } from '../../lib/errors.ts';
import { getInvoiceDocument } from '../../sales/invoices/documents.ts';
import { eInvoiceOf, usualChoices } from '../../sales/invoices/e-invoice.ts';
import type { InvoiceDocument } from '../../sales/invoices/printing-store.ts';
import { getInvoice } from '../../sales/invoices/reading-store.ts';
import { field, formOf } from '../fields.ts';
import { textOf } from '../form-fields.ts';
import { type Pages, problemsIn, queryFields, refusalOf } from '../page.ts';
import { type FileAnswer, type FormInput, nothingTyped, type View } from '../visit.ts';
import { invoiceParams } from './invoice.ts';
import { nameOf } from './invoice-words.ts';

const page = { url: '/kundfakturor/:id/e-faktura', right: 'read', params: invoiceParams } as const;
const file = { ...page, url: '/kundfakturor/:id/e-faktura/fil' } as const;

/** What the service calls the fields. */
const fieldNames = new Map([
  ['peppolId', 'till'],
  ['buyerReference', 'referens'],
]);

export function registerInvoiceEInvoice(pages: Pages): void {
  pages.show({
    ...page,
    show: async ({ tx, params: { id } }) => showForm(await findShown(tx, id), nothingTyped),
  });
  pages.answer(file, (request) => fetchFile(request, pages));
}

/** The file; or the page again with what was wrong. */
async function fetchFile(request: FastifyRequest, pages: Pages): Promise<FileAnswer | View> {
  const fields = queryFields(request);
  return pages.visit(request, file, async ({ tx, params: { id } }) => {
    const shown = await findShown(tx, id);
    try {
      const { text, fileName } = eInvoiceOf(shown.invoice, {
        peppolId: textOf(fields, 'till'),
        buyerReference: textOf(fields, 'referens'),
      });
      return {
        type: 'application/xml; charset=utf-8',
        content: text,
        headers: { 'content-disposition': `attachment; filename="${fileName}"` },
      };
    } catch (error) {
      const refusal = refusalOf(movingFaults(error, ({ path }) => fieldNames.get(path) ?? path));
      if (!refusal) throw error;
      const input = { fields, problems: problemsIn(refusal), isSent: true };
      return { ...showForm(shown, input), status: refusal.status };
    }
  });
}

interface Shown {
  readonly id: string;
  readonly invoice: InvoiceDocument;
  /** The buyer in the register, whose number is not written down. */
  readonly numberless: { readonly href: string; readonly name: string } | null;
}

async function findShown(tx: Tx, id: string): Promise<Shown> {
  const invoice = await getInvoiceDocument(tx, id);
  const { name, countryCode, orgNumber } = invoice.buyer;
  const { customer_id, customer_name } = await getInvoice(tx, id);
  // Others' orders stand on a customer that is not the buyer.
  const isNumberless = !orgNumber && (countryCode ?? 'SE') === 'SE' && customer_name === name;
  const numberless = isNumberless ? { href: `/kunder/${customer_id}`, name: customer_name } : null;
  return { id, invoice, numberless };
}

function showForm({ id, invoice, numberless }: Shown, input: FormInput): View {
  const usual = usualChoices(invoice);
  const href = `/kundfakturor/${id}`;
  return {
    template: 'invoice-e-invoice',
    title: 'Hämta som e-faktura',
    values: {
      invoice: { href, name: nameOf(invoice) },
      action: `${href}/e-faktura/fil`,
      isDraft: invoice.number === null,
      numberless,
      form: formOf(input, {
        peppolId: field(input, 'till', 'Mottagarens Peppol-id', {
          isRequired: true,
          maxLength: 60,
          value: usual.peppolId,
          help: 'Svenska företag och myndigheter har oftast 0007 och organisationsnumret. Andra, som 0088 med ett GLN, får du av mottagaren.',
        }),
        buyerReference: field(input, 'referens', 'Er referens', {
          isRequired: true,
          maxLength: 200,
          value: usual.buyerReference,
          help: 'Det som mottagaren sorterar fakturan efter, ofta en beställarreferens. Den som skrivs på utkastet står här.',
        }),
      }),
    },
  };
}
