/** What happens to a booked invoice: payments, reminders, disputes. A form each. */
import { z } from 'zod';
import { AppError, refuse } from '../../lib/errors.ts';
import { judgeDisputed } from '../../sales/collection/service.ts';
import {
  getInvoice,
  type InvoiceFacts,
  listReminders,
} from '../../sales/invoices/reading-store.ts';
import { registerReminder, withdrawFee } from '../../sales/invoices/reminders.ts';
import { requireUnchanged } from '../../sales/invoices/seen.ts';
import { registerPayment } from '../../sales/invoices/settlement.ts';
import { listMoneyAccounts } from '../../sales/invoices/settlement-store.ts';
import { field, formOf } from '../fields.ts';
import { textOf } from '../form-fields.ts';
import { amountText, kronor } from '../format.ts';
import {
  account,
  amount,
  day,
  integer,
  optional,
  optionalText,
  text,
  ticked,
  uuid,
} from '../inputs.ts';
import type { Pages } from '../page.ts';
import type { FormInput, View } from '../visit.ts';
import type { InvoiceVisit } from './invoice.ts';
import { atFields, formView, getSettled, happeningPlace as place, seen } from './invoice-form.ts';
import { mailReminder, reminderAddress } from './invoice-mail.ts';
import { remains } from './invoice-words.ts';

const defaultAccount = 1930;

export function registerInvoiceHappenings(pages: Pages): void {
  registerPaying(pages);
  registerReminding(pages);
  registerWithdrawing(pages);
  registerDisputing(pages);
}

function registerPaying(pages: Pages): void {
  pages.form({
    ...place,
    url: '/kundfakturor/:id/betalning',
    fields: z.object({
      amount,
      date: day,
      account,
      rounding: optional(amount),
      bank_fee: optional(amount),
      loss: optional(amount),
      exchange: optional(amount),
      reference: optionalText(200),
      seen,
    }),
    show: showPayment,
    perform: async ({ tx, params: { id }, person, today }, { amount: amountOre, ...values }) => {
      await requireUnchanged(tx, id, values.seen);
      const { rounding, bank_fee, loss, exchange, date, account, reference } = values;
      const differences = {
        rounding: rounding ?? 0n,
        bank_fee: bank_fee ?? 0n,
        loss: loss ?? 0n,
        exchange: exchange ?? 0n,
      };
      const payment = { invoiceId: id, date, today, amountOre, account, reference, differences };
      const standing = await atFields({ date: 'date', account }, () =>
        registerPayment(tx, payment, person.actor),
      );
      const done = amountOre > 0n ? 'Betalningen' : 'Återbetalningen';
      return {
        to: `/kundfakturor/${id}`,
        notice: `${done} är bokförd. ${remains(standing.openOre)}`,
      };
    },
  });
}

const differenceFields = ['rounding', 'bank_fee', 'loss', 'exchange'];

async function showPayment(
  { tx, params: { id }, today }: InvoiceVisit,
  input: FormInput,
): Promise<View> {
  const invoice = await getSettled(tx, id);
  const accounts = await listMoneyAccounts(tx);
  const { open_ore: open, lost_ore: lost } = invoice;
  const isOfLoss = open === 0n && lost > 0n;
  const awaited = isOfLoss ? lost : open;
  const isRefund = open < 0n;
  const fields = {
    amount: field(input, 'amount', 'Belopp i kronor', {
      type: 'amount',
      isRequired: true,
      value: awaited === 0n ? '' : amountText(awaited),
      help: isOfLoss
        ? 'Fakturan är avskriven: det som kommer bokas mot 6351, med momsen tillbaka som utgående.'
        : isRefund
          ? 'Med minus när pengar går tillbaka. Drog kunden av det på en annan faktura: registrera inget här, utan dela upp den betalningens bankrad, med den här fakturan på minus.'
          : 'Med minus när pengar går tillbaka, eller när en betalning blev fel registrerad.',
    }),
    date: field(input, 'date', 'Betalningsdag', { type: 'date', isRequired: true, value: today }),
    account: field(input, 'account', `Konto pengarna ${isRefund ? 'gick ut från' : 'kom in på'}`, {
      isRequired: true,
      list: 'penningkonton',
      size: 12,
      value: String(
        accounts.find(({ number }) => number === defaultAccount)?.number ??
          accounts[0]?.number ??
          '',
      ),
    }),
    rounding: field(input, 'rounding', 'Öresutjämning', {
      type: 'amount',
      help: 'Under en krona, på 3740; med minus när det kom för mycket.',
    }),
    bank_fee: field(input, 'bank_fee', 'Avdragen bankavgift', {
      type: 'amount',
      help: 'På 6570, när banken eller kortinlösaren behöll en del.',
    }),
    loss: field(input, 'loss', 'Konstaterad kundförlust', {
      type: 'amount',
      help: 'Med moms: underlaget bokas på 6351 och momsen tas tillbaka i samma verifikat. Skriv 0 som belopp när inget kom in.',
    }),
    reference: field(input, 'reference', 'Betalarens meddelande', { maxLength: 200 }),
  };
  return formView('invoice-payment', invoice, {
    title: `Registrera ${isRefund ? 'återbetalning' : 'betalning'}, faktura ${invoice.number}`,
    accounts,
    isForeign: invoice.currency_total !== null,
    hasDifferences: differenceFields.some((name) => textOf(input.fields, name).trim() !== ''),
    form:
      invoice.currency_total === null
        ? formOf(input, fields)
        : formOf(input, { ...fields, exchange: exchangeField(input, invoice) }),
  });
}

const exchangeField = (
  input: FormInput,
  { currency, currency_total: total }: Pick<InvoiceFacts, 'currency' | 'currency_total'>,
) =>
  field(input, 'exchange', 'Valutakursdifferens', {
    type: 'amount',
    help: `Fakturan är på ${amountText(total ?? 0n)} ${currency}. Kom det färre kronor för dem än fakturan är bokförd till: skillnaden, på 7960; kom det fler: med minus, på 3960.`,
  });

function registerReminding(pages: Pages): void {
  pages.form({
    ...place,
    url: '/kundfakturor/:id/paminnelse',
    fields: z.object({ sentDate: day, fee: amount, feeAgreed: ticked, mail: ticked, seen }),
    show: showReminder,
    perform: async (visit, values) => {
      const { tx, params, person, today } = visit;
      const { id } = params;
      await requireUnchanged(tx, id, values.seen);
      if (values.mail && values.sentDate !== today) throw notToday(today);
      const { reminderNo, ...standing } = await atFields({ date: 'sentDate' }, () =>
        registerReminder(
          tx,
          {
            invoiceId: id,
            sentDate: values.sentDate,
            today,
            feeOre: values.fee,
            isFeeVouchedFor: values.feeAgreed,
          },
          person.actor,
        ),
      );
      const next = values.mail
        ? `skickas till ${await mailReminder(visit, reminderNo)}`
        : 'skriv ut eller skicka den som PDF';
      const notice = `Påminnelse ${reminderNo} är registrerad; ${next}. ${remains(standing.openOre)}`;
      return { to: `/kundfakturor/${id}`, notice };
    },
  });
}

/** What goes by mail goes at once, and the letter says which day that is. */
function notToday(today: string): AppError {
  const message = `E-posten går iväg i dag: skriv ${today}, eller registrera utan e-post och skicka påminnelsen senare från fakturan.`;
  return refuse('unprocessable', [{ path: 'sentDate', reason: 'not_today', message }]);
}

async function showReminder(visit: InvoiceVisit, input: FormInput): Promise<View> {
  const { tx, params, today } = visit;
  const { id } = params;
  const invoice = await getSettled(tx, id);
  const last = (await listReminders(tx, id)).at(-1);
  const address = await reminderAddress(visit, invoice);
  return formView('invoice-reminder', invoice, {
    title: `Registrera påminnelse ${invoice.reminders + 1}, faktura ${invoice.number}`,
    last: last ? last.sent_date : null,
    canMail: address !== null,
    isFeeAgreed: invoice.reminder_fee_is_agreed,
    form: formOf(input, {
      sentDate: field(input, 'sentDate', 'Skickas', {
        type: 'date',
        isRequired: true,
        value: today,
        help: `Tidigast dagen efter förfallodagen, som är ${invoice.due_date}.`,
      }),
      fee: field(input, 'fee', 'Påminnelseavgift i kronor', {
        type: 'amount',
        isRequired: true,
        value: amountText(invoice.reminder_fee_is_agreed ? (last?.fee_ore ?? 0n) : 0n),
        help: '0–60 kr, och bara om den avtalades innan skulden uppkom (lag 1981:739).',
      }),
      feeAgreed: field(input, 'feeAgreed', 'Avgiften avtalades innan skulden uppkom', {
        type: 'checkbox',
        help: 'Ni intygar det för just den här fakturan. Står avgiften i era villkor, ange det under Inställningar › Företaget.',
      }),
      mail: field(input, 'mail', 'Skicka med e-post', {
        type: 'checkbox',
        help: `Går genast till ${address ?? ''} med den vanliga texten. Vill du skriva en egen: registrera först, och skicka sedan från fakturans sida.`,
      }),
    }),
  });
}

const withdrawalParams = z.object({ id: uuid, no: integer(1, 999) });

function registerWithdrawing(pages: Pages): void {
  pages.form({
    right: 'keep_books',
    params: withdrawalParams,
    url: '/kundfakturor/:id/paminnelser/:no/ta-tillbaka',
    fields: z.object({ date: day, reason: optionalText(500) }),
    show: async ({ tx, params: { id, no }, today }, input) => {
      const invoice = await getInvoice(tx, id);
      const reminder = (await listReminders(tx, id)).find(({ reminder_no }) => reminder_no === no);
      if (!reminder || reminder.fee_ore === 0n || reminder.withdrawn_on !== null) {
        throw new AppError(
          'unprocessable',
          'Det finns ingen avgift att ta tillbaka på påminnelsen. Någon kan just ha tagit tillbaka den.',
        );
      }
      return formView('invoice-fee-withdrawal', invoice, {
        title: `Ta tillbaka avgiften på påminnelse ${no}, faktura ${invoice.number}`,
        fee: kronor(reminder.fee_ore),
        form: formOf(input, {
          date: field(input, 'date', 'Dag', {
            type: 'date',
            isRequired: true,
            value: today,
            help: `Tidigast dagen påminnelsen skickades, ${reminder.sent_date}.`,
          }),
          reason: field(input, 'reason', 'Varför', { maxLength: 500 }),
        }),
      });
    },
    perform: async ({ tx, params: { id, no }, person, today }, values) => {
      const standing = await atFields({ date: 'date' }, () =>
        withdrawFee(tx, { invoiceId: id, reminderNo: no, today, ...values }, person.actor),
      );
      const notice = `Avgiften på påminnelse ${no} är återtagen. ${remains(standing.openOre)}`;
      return { to: `/kundfakturor/${id}`, notice };
    },
  });
}

function registerDisputing(pages: Pages): void {
  pages.form({
    ...place,
    url: '/kundfakturor/:id/tvist',
    fields: z.object({ reason: text(500) }),
    show: async ({ tx, params: { id } }, input) => {
      const invoice = await getSettled(tx, id);
      return formView('invoice-dispute', invoice, {
        title: `Tvistigt krav, faktura ${invoice.number}`,
        form: formOf(input, {
          reason: field(input, 'reason', 'Vad kunden invänder', {
            type: 'textarea',
            isRequired: true,
            maxLength: 500,
            value: invoice.dispute_reason ?? '',
          }),
        }),
      });
    },
    perform: async ({ tx, params: { id }, person }, { reason }) => {
      await getSettled(tx, id);
      await judgeDisputed(tx, id, reason, person.actor);
      return { to: `/kundfakturor/${id}`, notice: 'Kravet är antecknat som tvistigt.' };
    },
  });
  pages.act({
    ...place,
    url: '/kundfakturor/:id/tvist-over',
    perform: async ({ tx, params: { id }, person }) => {
      await judgeDisputed(tx, id, null, person.actor);
      return { to: `/kundfakturor/${id}`, notice: 'Kravet är inte längre tvistigt.' };
    },
  });
}
