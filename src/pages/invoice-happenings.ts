/** What happens to a booked invoice: payments, reminders, credit notes, disputes. A form each. */
import { z } from 'zod';
import { judgeDisputed } from '../collection/service.ts';
import type { CreditedRow } from '../domain/credit-note.ts';
import { absolute } from '../domain/money.ts';
import { AppError, type Problem, refuse } from '../errors.ts';
import { markOf, requireUnchanged } from '../invoices/seen.ts';
import {
  creditInvoice,
  registerPayment,
  registerReminder,
  type Standing,
} from '../invoices/settlement.ts';
import { listCreditableRows, listMoneyAccounts } from '../invoices/store.ts';
import { getInvoice, type InvoiceFacts, listReminders } from '../invoices/view-store.ts';
import { field, formOf } from './fields.ts';
import { rowsOf, textOf } from './form-fields.ts';
import { amountText, e4Text, kronor } from './format.ts';
import { amount, choice, day, e4, integer, optional, optionalText, text } from './inputs.ts';
import { type InvoiceVisit, invoiceParams } from './invoice.ts';
import { nameOf } from './invoice-words.ts';
import type { FormInput, Pages, View } from './page.ts';

const place = { right: 'keep_books', params: invoiceParams } as const;
const defaultAccount = 1930;
const seen = z.string().max(100).default('');

export function registerInvoiceHappenings(pages: Pages): void {
  registerPaying(pages);
  registerReminding(pages);
  registerCrediting(pages);
  registerDisputing(pages);
}

function registerPaying(pages: Pages): void {
  pages.form({
    ...place,
    url: '/kundfakturor/:id/betalning',
    fields: z.object({
      amount,
      date: day,
      account: integer(1000, 999_999_999),
      reference: optionalText(200),
      seen,
    }),
    show: showPayment,
    perform: async ({ tx, params: { id }, person }, { amount: amountOre, ...payment }) => {
      await requireUnchanged(tx, id, payment.seen);
      const standing = await atFields({ date: 'date', account: payment.account }, () =>
        registerPayment(tx, { ...payment, invoiceId: id, amountOre }, person.actor),
      );
      const done = amountOre > 0n ? 'Betalningen' : 'Återbetalningen';
      return { to: `/kundfakturor/${id}`, notice: `${done} är bokförd. ${remains(standing)}` };
    },
  });
}

const remains = ({ openOre }: Standing): string =>
  openOre === 0n ? 'Fakturan är betald.' : `Kvar att betala: ${kronor(openOre)}.`;

async function showPayment(
  { tx, params: { id }, today }: InvoiceVisit,
  input: FormInput,
): Promise<View> {
  const invoice = await getSettled(tx, id);
  const accounts = await listMoneyAccounts(tx);
  const { open_ore: open } = invoice;
  return formView('invoice-payment', invoice, {
    title: `Registrera ${open < 0n ? 'återbetalning' : 'betalning'}, faktura ${invoice.number}`,
    accounts,
    form: formOf(input, {
      amount: field(input, 'amount', 'Belopp i kronor', {
        type: 'amount',
        isRequired: true,
        value: open === 0n ? '' : amountText(open),
        help: 'Med minus när pengar går tillbaka, eller när en betalning blev fel registrerad.',
      }),
      date: field(input, 'date', 'Betalningsdag', { type: 'date', isRequired: true, value: today }),
      account: field(input, 'account', 'Konto pengarna kom in på', {
        isRequired: true,
        list: 'penningkonton',
        size: 12,
        value: String(
          accounts.find(({ number }) => number === defaultAccount)?.number ??
            accounts[0]?.number ??
            '',
        ),
      }),
      reference: field(input, 'reference', 'Betalarens meddelande', { maxLength: 200 }),
    }),
  });
}

function registerReminding(pages: Pages): void {
  pages.form({
    ...place,
    url: '/kundfakturor/:id/paminnelse',
    fields: z.object({ sentDate: day, fee: amount, seen }),
    show: showReminder,
    perform: async ({ tx, params: { id }, person }, values) => {
      await requireUnchanged(tx, id, values.seen);
      const { reminderNo, ...standing } = await atFields({ date: 'sentDate' }, () =>
        registerReminder(
          tx,
          { invoiceId: id, sentDate: values.sentDate, feeOre: values.fee },
          person.actor,
        ),
      );
      const notice = `Påminnelse ${reminderNo} är registrerad; skriv ut eller skicka den som PDF. ${remains(standing)}`;
      return { to: `/kundfakturor/${id}`, notice };
    },
  });
}

async function showReminder(
  { tx, params: { id }, today }: InvoiceVisit,
  input: FormInput,
): Promise<View> {
  const invoice = await getSettled(tx, id);
  const last = (await listReminders(tx, id)).at(-1);
  return formView('invoice-reminder', invoice, {
    title: `Registrera påminnelse ${invoice.reminders + 1}, faktura ${invoice.number}`,
    last: last ? last.sent_date : null,
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
        value: amountText(last?.fee_ore ?? 0n),
        help: '0–60 kr, och bara om den avtalades innan skulden uppkom (lag 1981:739).',
      }),
    }),
  });
}

const creditFields = z.object({
  date: day,
  extent: choice(['all', 'rows']),
  notes: optionalText(5_000),
  rows: z.array(z.looseObject({ quantity: optional(e4) })).default([]),
  seen,
});

function registerCrediting(pages: Pages): void {
  pages.form({
    ...place,
    url: '/kundfakturor/:id/kreditera',
    fields: creditFields,
    show: showCredit,
    perform: async ({ tx, params: { id }, person }, { date, extent, notes, ...values }) => {
      await requireUnchanged(tx, id, values.seen);
      const places = values.rows.flatMap(({ quantity }, index) =>
        quantity === null ? [] : [{ index, quantity }],
      );
      const rows = await creditedRows(tx, id, places);
      if (extent === 'rows' && rows.length === 0) {
        const message = 'Skriv hur mycket av någon rad som krediteras, eller välj hela fakturan.';
        throw refuse('unprocessable', [{ path: 'extent', reason: 'no_rows', message }]);
      }
      const asked = { invoiceId: id, date, notes, ...(extent === 'rows' ? { rows } : {}) };
      const note = await atFields({ date: 'date', places: places.map(({ index }) => index) }, () =>
        creditInvoice(tx, asked, person.actor),
      );
      const { open_ore: open } = await getInvoice(tx, id);
      const owed = open < 0n ? ` Kunden har ${kronor(-open)} att få tillbaka på fakturan.` : '';
      return {
        to: `/kundfakturor/${note.id}`,
        notice: `Kreditfaktura ${note.invoice_number} är bokförd.${owed}`,
      };
    },
  });
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
  const rows = (await listCreditableRows(tx, id)).map((row, index) => {
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
    }),
    extent: field(input, 'extent', 'Vad som krediteras', {
      type: 'radios',
      value: 'all',
      options: [
        { value: 'all', label: 'Hela fakturan', help: 'Allt som inte redan är krediterat.' },
        { value: 'rows', label: 'Delar av den', help: 'Skriv antalen vid raderna nedan.' },
      ],
    }),
    notes: field(input, 'notes', 'Text på kreditfakturan', { type: 'textarea', maxLength: 5_000 }),
  };
  const shown = [...rows.map((row) => row.field.name), ...Object.keys(fields)];
  return formView('invoice-credit', invoice, {
    title: `Kreditera faktura ${invoice.number}`,
    rows,
    form: {
      ...formOf(input, fields),
      above: input.problems
        .filter(({ path }) => !shown.includes(path))
        .map(({ message }) => message),
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

/** An invoice that things can happen to; others have no such pages. */
async function getSettled(tx: InvoiceVisit['tx'], id: string): Promise<InvoiceFacts> {
  const invoice = await getInvoice(tx, id);
  if (invoice.status !== 'draft' && invoice.kind === 'invoice') return invoice;
  throw new AppError('not_found', 'Sidan finns bara för bokförda fakturor.');
}

function formView(
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
        open: kronor(invoice.open_ore),
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
async function atFields<T>(form: FormPlaces, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, message, detail = {} } = error;
    const problems: readonly Problem[] =
      code === 'period_locked'
        ? [{ path: 'date', reason: 'locked', message }]
        : ((detail['problems'] ?? []) as Problem[]);
    if (problems.length === 0) throw error;
    throw new AppError(code, message, {
      detail: { ...detail, problems: problems.map((problem) => moved(problem, form)) },
      cause: error,
    });
  }
}

function moved(problem: Problem, { date, account, places = [] }: FormPlaces): Problem {
  if (problem.path === 'date') return { ...problem, path: date };
  if (account !== undefined && problem['account'] === account) {
    return { ...problem, path: 'account' };
  }
  const [prefix, index] = /^rows\[(\d+)\]$/.exec(problem.path) ?? [];
  const place = places[Number(index)];
  if (prefix === undefined || place === undefined) return problem;
  const message = problem.message.replace(/^rows\[\d+\]: r/, 'R');
  return { ...problem, path: `rows[${place}].quantity`, message };
}
