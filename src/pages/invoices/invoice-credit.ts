/** Crediting an invoice, whole or by rows. */
import { z } from 'zod';
import { absolute, type Ore } from '../../domain/basics/money.ts';
import type { CreditedRow } from '../../domain/sales/credit-note.ts';
import { AppError, refuse } from '../../lib/errors.ts';
import { creditInvoice, creditTotal } from '../../sales/invoices/credits.ts';
import { getInvoice } from '../../sales/invoices/reading-store.ts';
import { requireUnchanged } from '../../sales/invoices/seen.ts';
import { listCreditableRows } from '../../sales/invoices/settlement-store.ts';
import { field, formOf, problemsAbove } from '../fields.ts';
import { rowsOf, textOf } from '../form-fields.ts';
import { amountText, e4Text, kronor } from '../format.ts';
import { choice, day, e4, optional, optionalText, parseTyped } from '../inputs.ts';
import type { Pages } from '../page.ts';
import { firstRows } from '../row-pages.ts';
import type { FormInput, View } from '../visit.ts';
import type { InvoiceVisit } from './invoice.ts';
import { atFields, formView, getSettled, happeningPlace as place, seen } from './invoice-form.ts';

const creditFields = z.object({
  date: day,
  extent: choice(['all', 'rows']),
  effect: choice(['own', 'invoice']).default('own'),
  notes: optionalText(5_000),
  rows: z.array(z.looseObject({ quantity: optional(e4) })).default([]),
  seen,
  /** What the page showed that the credit note comes to, öre. */
  shown: z.string().default(''),
});

export function registerInvoiceCrediting(pages: Pages): void {
  pages.form({
    ...place,
    url: '/kundfakturor/:id/kreditera',
    fields: creditFields,
    show: showCredit,
    perform: async ({ tx, params: { id }, person }, { date, extent, effect, notes, ...values }) => {
      await requireUnchanged(tx, id, values.seen);
      const places = values.rows.flatMap(({ quantity }, index) =>
        quantity === null ? [] : [{ index, quantity }],
      );
      const rows = await creditedRows(tx, id, places);
      if (extent === 'all' && rows.length > 0) {
        const message = 'Du har skrivit antal vid raderna; välj delar av fakturan, eller töm dem.';
        throw refuse('unprocessable', [{ path: 'extent', reason: 'rows_given', message }]);
      }
      if (extent === 'rows' && rows.length === 0) {
        const message = 'Skriv hur mycket av någon rad som krediteras, eller välj hela fakturan.';
        throw refuse('unprocessable', [{ path: 'extent', reason: 'no_rows', message }]);
      }
      const asked = { invoiceId: id, date, effect, notes, ...(extent === 'rows' ? { rows } : {}) };
      const at = { date: 'date', places: places.map(({ index }) => index) };
      const note = await atFields(at, async () => {
        const total = await creditTotal(tx, asked);
        if (values.shown !== String(total)) throw unseen(total);
        return creditInvoice(tx, asked, person.actor);
      });
      const { open_ore: open } = await getInvoice(tx, id);
      const owed = open < 0n ? ` Kunden har ${kronor(-open)} att få tillbaka på fakturan.` : '';
      return {
        to: `/kundfakturor/${note.id}`,
        notice: `Kreditfaktura ${note.invoice_number} är bokförd.${owed}`,
      };
    },
  });
}

/** Nothing is credited by a sum that the page did not show. */
const unseen = (total: Ore): AppError => {
  const message = `Kreditfakturan blir ${kronor(total)}. Inget är krediterat än: se efter att det stämmer, och kreditera sedan.`;
  return refuse('unprocessable', [{ path: 'shown', reason: 'not_shown', message }]);
};

/** What the form as it stands would credit, öre; null when it is not clear yet. */
async function totalOf(
  tx: InvoiceVisit['tx'],
  id: string,
  { fields }: FormInput,
): Promise<Ore | null> {
  if (textOf(fields, 'extent') !== 'rows') return knownTotal(tx, { invoiceId: id });
  const typed = rowsOf(fields, 'rows').map((row) => parseTyped(textOf(row, 'quantity'), 4));
  const places = typed.flatMap((quantity, index) => (quantity ? [{ index, quantity }] : []));
  const rows = await creditedRows(tx, id, places);
  return rows.length === 0 ? null : knownTotal(tx, { invoiceId: id, rows });
}

async function knownTotal(
  tx: InvoiceVisit['tx'],
  asked: Parameters<typeof creditTotal>[1],
): Promise<Ore | null> {
  try {
    return await creditTotal(tx, asked);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** The rows of the form stand in the order of the invoice's; what is typed has no sign of its own. */
async function creditedRows(
  tx: InvoiceVisit['tx'],
  id: string,
  places: readonly { readonly index: number; readonly quantity: bigint }[],
): Promise<CreditedRow[]> {
  const rows = await listCreditableRows(tx, id);
  return places.map(({ index, quantity }) => {
    const row = rows[index];
    const size = absolute(quantity);
    return { rowNo: row?.rowNo ?? 0, quantityE4: row && row.quantityE4 < 0n ? -size : size };
  });
}

async function showCredit(
  { tx, params: { id }, today }: InvoiceVisit,
  input: FormInput,
): Promise<View> {
  const invoice = await getSettled(tx, id);
  const typed = rowsOf(input.fields, 'rows');
  const { rows: creditable, more } = firstRows(await listCreditableRows(tx, id));
  const rows = creditable.map((row, index) => {
    const name = `rows[${index}].quantity`;
    const fields = { [name]: textOf(typed[index] ?? {}, 'quantity') };
    return {
      no: row.rowNo,
      description: row.description,
      quantity: e4Text(row.quantityE4),
      left: e4Text(absolute(row.quantityE4 - row.creditedE4)),
      isLeft: row.quantityE4 !== row.creditedE4,
      net: amountText(row.netOre),
      field: field({ ...input, fields }, name, `Krediteras av rad ${row.rowNo}`, {
        type: 'amount',
      }),
    };
  });
  const fields = {
    date: field(input, 'date', 'Kreditfakturans datum', {
      type: 'date',
      isRequired: true,
      value: today,
      help: `Tidigast fakturans datum, ${invoice.invoice_date}.`,
    }),
    extent: field(input, 'extent', 'Vad som krediteras', {
      type: 'radios',
      value: 'all',
      options: [
        { value: 'all', label: 'Hela fakturan', help: 'Allt som inte redan är krediterat.' },
        { value: 'rows', label: 'Delar av den', help: 'Skriv antalen vid raderna nedan.' },
      ],
    }),
    effect: field(input, 'effect', 'Krediteringen gäller', {
      type: 'radios',
      value: 'own',
      options: [
        {
          value: 'own',
          label: 'Från kreditfakturans datum',
          help: 'T.ex. en retur eller en rabatt i efterhand: kravet var riktigt till dess.',
        },
        {
          value: 'invoice',
          label: `Från fakturans datum, ${invoice.invoice_date}`,
          help: 'Fakturan var fel från början: på det som krediteras har ingen ränta löpt.',
        },
      ],
    }),
    notes: field(input, 'notes', 'Text på kreditfakturan', { type: 'textarea', maxLength: 5_000 }),
  };
  const shown = [...rows.map((row) => row.field.name), ...Object.keys(fields)];
  const total = await totalOf(tx, id, input);
  return formView('invoice-credit', invoice, {
    title: `Kreditera faktura ${invoice.number}`,
    rows,
    more: more && `${more} De krediteras med hela fakturan.`,
    total: total === null ? null : kronor(total),
    shown: total === null ? '' : String(total),
    form: {
      ...formOf(input, fields),
      above: problemsAbove(input, shown),
    },
  });
}
