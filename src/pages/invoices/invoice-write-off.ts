/** Writing off an invoice as a confirmed loss, and taking that back. A form each. */
import { z } from 'zod';
import { sum } from '../../domain/basics/money.ts';
import { differenceAccounts } from '../../domain/ledger/settlement-accounts.ts';
import { receivablesAccount } from '../../domain/sales/invoice.ts';
import { AppError } from '../../lib/errors.ts';
import { listLosses } from '../../sales/invoices/loss-store.ts';
import { lossTaker } from '../../sales/invoices/losses.ts';
import { requireUnchanged } from '../../sales/invoices/seen.ts';
import { takeBackLoss, writeOff } from '../../sales/invoices/write-offs.ts';
import { field, formOf } from '../fields.ts';
import { amountText, kronor } from '../format.ts';
import { day, text } from '../inputs.ts';
import type { Pages } from '../page.ts';
import { attachAll, uploadValues } from '../sent-documents.ts';
import type { FormInput, View } from '../visit.ts';
import type { InvoiceVisit } from './invoice.ts';
import { atFields, formView, getSettled, happeningPlace as place, seen } from './invoice-form.ts';
import { remains } from './invoice-words.ts';

const fields = z.object({ date: day, reason: text(200), seen });

export function registerWritingOff(pages: Pages): void {
  pages.form({
    ...place,
    url: '/kundfakturor/:id/avskrivning',
    fields,
    show: showWriteOff,
    perform: async ({ tx, params: { id }, person, today, files }, values) => {
      await requireUnchanged(tx, id, values.seen);
      const { date, reason } = values;
      const { voucherId } = await atFields({ date: 'date' }, () =>
        writeOff(tx, { invoiceId: id, date, today, reason }, person.actor),
      );
      if (voucherId !== null) await attachAll(tx, voucherId, files, person.actor);
      const notice =
        'Fakturan är avskriven som kundförlust. Kommer pengarna ändå, registrera betalningen som vanligt.';
      return { to: `/kundfakturor/${id}`, notice };
    },
  });
  pages.form({
    ...place,
    url: '/kundfakturor/:id/avskrivning-ater',
    fields,
    show: showTakeBack,
    perform: async ({ tx, params: { id }, person, today }, values) => {
      await requireUnchanged(tx, id, values.seen);
      const { date, reason } = values;
      const { openOre } = await atFields({ date: 'date' }, () =>
        takeBackLoss(tx, { invoiceId: id, date, today, reason }, person.actor),
      );
      const notice = `Avskrivningen är återtagen. ${remains(openOre)}`;
      return { to: `/kundfakturor/${id}`, notice };
    },
  });
}

async function showWriteOff(visit: InvoiceVisit, input: FormInput): Promise<View> {
  const { tx, params, today } = visit;
  const invoice = await getSettled(tx, params.id);
  const { open_ore: openOre } = invoice;
  if (openOre <= 0n) {
    throw new AppError(
      'unprocessable',
      'Inget återstår att betala av fakturan, så det finns inget att skriva av. Någon kan just ha skrivit av den, eller registrerat en betalning.',
    );
  }
  const rows = (await lossTaker(tx, params.id, differenceAccounts.loss))(openOre, 0n);
  return formView('invoice-write-off', invoice, {
    title: `Skriv av faktura ${invoice.number} som kundförlust`,
    ...uploadValues(input),
    rows: [
      ...rows.map(({ account, debitOre, creditOre }) => ({
        account,
        amount: amountText(debitOre - creditOre),
      })),
      { account: receivablesAccount, amount: amountText(-openOre) },
    ],
    form: formOf(input, {
      date: field(input, 'date', 'Dag', {
        type: 'date',
        isRequired: true,
        value: today,
        help: 'Dagen då förlusten är konstaterad; momsen kommer tillbaka i den periodens deklaration.',
      }),
      reason: field(input, 'reason', 'Varför pengarna inte kommer', {
        isRequired: true,
        maxLength: 200,
        help: 'T.ex. konkurs utan utdelning, utmätningsförsök utan tillgångar, eller ackord. Det som visar det läggs som underlag.',
      }),
    }),
  });
}

async function showTakeBack(visit: InvoiceVisit, input: FormInput): Promise<View> {
  const { tx, params, today } = visit;
  const invoice = await getSettled(tx, params.id);
  const lostOre = sum((await listLosses(tx, params.id)).map(({ ore }) => ore));
  if (lostOre <= 0n) {
    throw new AppError(
      'unprocessable',
      'Inget av fakturan är avskrivet. Någon kan just ha tagit tillbaka avskrivningen.',
    );
  }
  return formView('invoice-write-off-back', invoice, {
    title: `Ta tillbaka avskrivningen av faktura ${invoice.number}`,
    lost: kronor(lostOre),
    form: formOf(input, {
      date: field(input, 'date', 'Dag', { type: 'date', isRequired: true, value: today }),
      reason: field(input, 'reason', 'Varför', { isRequired: true, maxLength: 200 }),
    }),
  });
}
