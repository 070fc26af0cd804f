/** Setting off an invoice against what we owe the same party. */
import { z } from 'zod';
import { setOff } from '../../bank/set-off.ts';
import { type Counterclaim, listCounterclaims } from '../../bank/set-off-store.ts';
import { requireUnchanged } from '../../sales/invoices/seen.ts';
import { field, formOf } from '../fields.ts';
import { amountText, kronor } from '../format.ts';
import { amount, day, uuid } from '../inputs.ts';
import type { Pages } from '../page.ts';
import type { FormInput, View } from '../visit.ts';
import type { InvoiceVisit } from './invoice.ts';
import { atFields, formView, getSettled, happeningPlace, seen } from './invoice-form.ts';
import { remains } from './invoice-words.ts';

export function registerInvoiceSetOff(pages: Pages): void {
  pages.form({
    ...happeningPlace,
    url: '/kundfakturor/:id/kvittning',
    fields: z.object({ purchase: uuid, amount, date: day, seen }),
    show: showSetOff,
    perform: async ({ tx, params: { id }, person, today }, values) => {
      await requireUnchanged(tx, id, values.seen);
      const { purchase: purchaseId, amount: amountOre, date } = values;
      const act = { invoiceId: id, purchaseId, date, today, amountOre };
      const { openOre } = await atFields({ date: 'date' }, () => setOff(tx, act, person.actor));
      return { to: `/kundfakturor/${id}`, notice: `Kvittningen är bokförd. ${remains(openOre)}` };
    },
  });
}

async function showSetOff(
  { tx, params: { id }, today }: InvoiceVisit,
  input: FormInput,
): Promise<View> {
  const invoice = await getSettled(tx, id);
  const counterclaims = await listCounterclaims(tx, id);
  const first = counterclaims.find(({ open_ore }) => open_ore > 0n);
  const most = first && first.open_ore < invoice.open_ore ? first.open_ore : invoice.open_ore;
  return formView('invoice-set-off', invoice, {
    title: `Kvitta faktura ${invoice.number}`,
    hasCounterclaims: counterclaims.length > 0,
    form: formOf(input, {
      purchase: field(input, 'purchase', 'Leverantörsfaktura', {
        type: 'select',
        isRequired: true,
        value: (first ?? counterclaims[0])?.id ?? '',
        options: counterclaims.map((one) => ({ value: one.id, label: labelOf(one) })),
      }),
      amount: field(input, 'amount', 'Belopp i kronor', {
        type: 'amount',
        isRequired: true,
        value: first && most > 0n ? amountText(most) : '',
        help: 'Högst det som återstår på båda. Med minus tas en kvittning tillbaka.',
      }),
      date: field(input, 'date', 'Dag', { type: 'date', isRequired: true, value: today }),
    }),
  });
}

function labelOf({ supplier, invoice_number, due_date, open_ore, set_off_ore }: Counterclaim) {
  const due = due_date === null ? '' : `, förfaller ${due_date}`;
  const before = set_off_ore === 0n ? '' : `, kvittat ${kronor(set_off_ore)}`;
  return `${supplier} ${invoice_number}${due}: kvar ${kronor(open_ore)}${before}`;
}
