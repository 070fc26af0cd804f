/** A bank row split over several accounts and invoices, and several bank rows that one voucher books. */
import { z } from 'zod';
import { matchRowsWithVoucher, type SplitLine, splitRow } from '../../bank/matching/splitting.ts';
import {
  type BankTransactionFacts,
  findInvoiceIds,
  getBankTransaction,
  listRowsForVoucher,
} from '../../bank/store.ts';
import { absolute } from '../../domain/basics/money.ts';
import { listUsableAccounts } from '../../ledger/accounts/store.ts';
import { findLock } from '../../ledger/vouchers/detail-store.ts';
import { movingFaults, type Problem, refuse } from '../../lib/errors.ts';
import { cellsOf, field, formOf, problemsAbove } from '../fields.ts';
import { type Fields, rowsOf, textOf, textsOf } from '../form-fields.ts';
import { amountText, count, dayInWords, kronor } from '../format.ts';
import {
  account,
  amount,
  choice,
  day,
  optional,
  optionalText,
  partReader,
  text,
  uuid,
} from '../inputs.ts';
import type { Pages } from '../page.ts';
import type { FormInput, View, Visit } from '../visit.ts';
import { voucherOf } from './voucher-of.ts';

const params = z.object({ id: uuid });
type OfRow = Visit<{ id: string }>;
const linesShown = 8;

const kinds = ['account', 'invoice', 'purchase'] as const;
const kindOptions = [
  { value: 'account', label: 'Konto' },
  { value: 'invoice', label: 'Kundfaktura' },
  { value: 'purchase', label: 'Leverantörsfaktura' },
];
const typedLine = z.object({
  kind: choice(kinds),
  what: text(100),
  amount,
  note: optionalText(500),
  currencyPart: optional(amount),
});

export function registerBankSplitting(pages: Pages): void {
  pages.form({
    url: '/bank/:id/dela',
    right: 'keep_books',
    params,
    fields: z.looseObject({ date: day }),
    show: showSplit,
    perform: async (visit, { date, ...fields }) => {
      const { tx, person, today, params: of } = visit;
      const { lines, places } = await linesOf(visit, fields as Fields);
      const split = { transactionId: of.id, date, today, lines };
      await splitRow(tx, split, person.actor).catch((error) => {
        throw movingFaults(error, ({ path }) =>
          path.replace(/^rows\[(\d+)\]/, (_, at) => `rows[${places[Number(at)] ?? at}]`),
        );
      });
      return { to: `/bank/${of.id}`, notice: 'Bankraden är bokförd på sina delar.' };
    },
  });
  pages.form({
    url: '/bank/:id/flera-rader',
    right: 'keep_books',
    params,
    fields: z.object({
      voucher: text(50),
      row: z.union([uuid.transform((one) => [one]), z.array(uuid).max(rowsMax)]).default([]),
    }),
    show: showSeveral,
    perform: async ({ tx, person, params: of }, { voucher, row }) => {
      const { booked_on } = await getBankTransaction(tx, of.id);
      const voucherId = await voucherOf(tx, voucher, booked_on);
      const rowIds = [of.id, ...row.filter((id) => id !== of.id)];
      await matchRowsWithVoucher(tx, { rowIds, voucherId }, person.actor).catch((error) => {
        throw movingFaults(error, () => 'voucher');
      });
      return { to: `/bank/${of.id}`, notice: `${count(rowIds.length)} bankrader är matchade.` };
    },
  });
}

const isBlank = (row: Fields): boolean =>
  ['what', 'amount', 'note', 'currencyPart'].every((name) => textOf(row, name).trim() === '');

/** The lines that are typed, and where each stands in the form. Everything that is wrong is said at once. */
async function linesOf(
  { tx }: OfRow,
  fields: Fields,
): Promise<{ readonly lines: SplitLine[]; readonly places: number[] }> {
  const { problems, read } = partReader();
  const lines: SplitLine[] = [];
  const places: number[] = [];
  for (const [place, row] of rowsOf(fields, 'rows').entries()) {
    if (isBlank(row)) continue;
    const typed = read(typedLine, row, `rows[${place}].`);
    if (!typed) continue;
    const path = `rows[${place}].what`;
    const { kind, what, amount: amountOre, note, currencyPart } = typed;
    if (kind === 'account') {
      if (currencyPart !== null) problems.push(noCurrency(place));
      const number = read(z.object({ what: account }), row, `rows[${place}].`);
      if (number) lines.push({ kind, account: number.what, amountOre, note });
    } else {
      const [documentId, ...others] = await findInvoiceIds(tx, kind, what.replace(/\s/g, ''));
      if (documentId !== undefined && others.length === 0) {
        lines.push({ kind, documentId, amountOre, currencyPart });
      } else problems.push(unknownInvoice(path, kind, what, others.length > 0));
    }
    places.push(place);
  }
  if (problems.length > 0) throw refuse('invalid_request', problems);
  return { lines, places };
}

const noCurrency = (place: number): Problem => ({
  path: `rows[${place}].currencyPart`,
  reason: 'exchange_in_kronor',
  message: 'Bara fakturor är i en annan valuta; lämna tomt.',
});

function unknownInvoice(
  path: string,
  kind: 'invoice' | 'purchase',
  typed: string,
  areSeveral: boolean,
): Problem {
  const word = kind === 'invoice' ? 'kundfaktura' : 'leverantörsfaktura';
  const message = areSeveral
    ? `Flera leverantörer har en faktura ${typed}; betala den från dess egen sida.`
    : `Ingen bokförd ${word} har numret ${typed}.`;
  return { path, reason: 'unknown_invoice', message };
}

const factsOf = (row: BankTransactionFacts) => ({
  id: row.id,
  date: row.booked_on,
  text: row.description || 'Utan text',
  account: `${row.account} (${row.ledger_account})`,
  amount: kronor(row.amount_ore),
});

/** Throws 422 where the row has a voucher already. */
async function unmatchedRow({ tx, params: { id } }: OfRow): Promise<BankTransactionFacts> {
  const row = await getBankTransaction(tx, id);
  if (row.voucher_id === null) return row;
  throw refuse('unprocessable', [{ path: '', reason: 'already_matched' }]);
}

async function showSplit(visit: OfRow, input: FormInput): Promise<View> {
  const { tx } = visit;
  const row = await unmatchedRow(visit);
  const typed = input.isSent ? rowsOf(input.fields, 'rows') : [];
  const lock = await findLock(tx, row.booked_on, false);
  const lines = Array.from({ length: Math.max(linesShown, typed.length) }, (_, place) => {
    const of = typed[place] ?? {};
    const cell = cellsOf(input, of, place);
    return {
      no: place + 1,
      cells: [
        cell('kind', 'Vad', { type: 'select', options: kindOptions }),
        cell('what', 'Konto eller nummer', { maxLength: 100, list: 'accounts' }),
        cell('amount', 'Belopp', { type: 'amount', maxLength: 30 }),
      ],
      note: cell('note', 'Text', { maxLength: 500 }),
      currencyPart: cell('currencyPart', 'Så mycket av fakturans valuta', { maxLength: 30 }),
      isNoteOpen: textOf(of, 'note') !== '' || textOf(of, 'currencyPart') !== '',
    };
  });
  const date = field(input, 'date', 'Datum', {
    type: 'date',
    isRequired: true,
    value: lock?.earliest_allowed_date ?? row.booked_on,
    help: lock
      ? `Bankens dag är låst till och med ${lock.locked_to}; ${dayInWords(lock.earliest_allowed_date)} är den första öppna.`
      : 'Bankens dag, om den inte är låst.',
  });
  const paths = lines.flatMap(({ cells, note, currencyPart }) =>
    [...cells, note, currencyPart].map(({ name }) => name),
  );
  return {
    template: 'bank-split',
    title: 'Dela upp bankraden',
    scripts: ['sum'],
    values: {
      row: factsOf(row),
      whole: kronor(absolute(row.amount_ore)),
      wholeOre: String(absolute(row.amount_ore)),
      lines,
      accounts: await listUsableAccounts(tx),
      date,
      form: { above: problemsAbove(input, [...paths, 'date']), faults: input.problems.length },
    },
  };
}

const rowsMax = 200;

async function showSeveral(visit: OfRow, input: FormInput): Promise<View> {
  const { tx, query } = visit;
  const row = await unmatchedRow(visit);
  const chosen = new Set(textsOf(input.fields, 'row'));
  const others = await listRowsForVoucher(tx, row, rowsMax);
  return {
    template: 'bank-several',
    title: 'Flera bankrader, ett verifikat',
    scripts: ['inbox'],
    values: {
      row: factsOf(row),
      others: others.map((one) => ({
        id: one.id,
        date: one.booked_on,
        text: one.description || 'Utan text',
        amount: amountText(one.amount_ore),
        ore: String(one.amount_ore),
        isTicked: chosen.has(one.id),
      })),
      form: formOf(input, {
        voucher: field(input, 'voucher', 'Verifikat', {
          isRequired: true,
          maxLength: 50,
          size: 12,
          value: textOf(query, 'verifikat'),
          help: 'Serie och nummer, t.ex. A12. Det ska ändra bankkontot med minst så mycket som raderna tillsammans.',
        }),
      }),
    },
  };
}
