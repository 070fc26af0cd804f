/** Correcting a voucher with a new one (BFL 5:5), and perhaps another in its place. */
import { z } from 'zod';
import { labelOf } from '../../../domain/ledger/voucher.ts';
import { listUsableAccounts } from '../../../ledger/accounts/store.ts';
import {
  correctVoucher,
  ledgerRowOf,
  obstacleToCorrection,
} from '../../../ledger/vouchers/corrections.ts';
import { findLock, getVoucher, listVoucherRows } from '../../../ledger/vouchers/detail-store.ts';
import { sentenceFor } from '../../../lib/sentences/say.ts';
import { field, formOf, problemsAbove } from '../../fields.ts';
import { type Fields, textOf } from '../../form-fields.ts';
import { amountOrEmpty, count } from '../../format.ts';
import { day, optionalText, text, ticked, uuid } from '../../inputs.ts';
import { askForAccount } from '../../new-account.ts';
import type { Pages } from '../../page.ts';
import { firstRows, fitsInForm } from '../../row-pages.ts';
import type { FormInput, Goto, View, Visit } from '../../visit.ts';
import { namesOf, readForm } from './voucher-form.ts';
import { atTypedRows, type RowsWish, showRows, typedRows, withKnownCodes } from './voucher-rows.ts';

const params = z.object({ id: uuid });
type VoucherVisit = Visit<z.output<typeof params>>;

const reversalFields = z.object({ date: day, description: text(500), replaces: ticked });
const replacementFields = z.object({
  newDescription: text(500),
  newCounterparty: optionalText(200),
  rows: typedRows,
});
const anyFields = z.custom<Fields>((value) => typeof value === 'object' && value !== null);

export function registerVoucherCorrection(pages: Pages): void {
  pages.form({
    url: '/verifikat/:id/ratta',
    right: 'keep_books',
    params,
    fields: anyFields,
    show: (visit, input) => correctionForm(visit, input),
    perform: async (visit, fields) => {
      const wish = textOf(fields, 'wish');
      if (wish === 'new_account') {
        const from = `/verifikat/${visit.params.id}/ratta`;
        return askForAccount(fields, await listUsableAccounts(visit.tx), from);
      }
      if (wish !== 'more_rows' && wish !== 'vat_codes') {
        return correct(visit, await withKnownCodes(visit.tx, fields));
      }
      const input = { fields, problems: [], isSent: true };
      return {
        to: `/verifikat/${visit.params.id}/ratta`,
        view: await correctionForm(visit, input, wish),
      };
    },
  });
}

async function correct(
  { tx, person, params: { id } }: VoucherVisit,
  fields: Fields,
): Promise<Goto> {
  const isReplaced = textOf(fields, 'replaces') !== '';
  const schema = isReplaced ? reversalFields.extend(replacementFields.shape) : reversalFields;
  const read = readForm<
    z.output<typeof reversalFields> & Partial<z.output<typeof replacementFields>>
  >(schema, fields);
  const { date, description, newDescription, newCounterparty = null, rows = [] } = read;
  const replacement =
    newDescription === undefined
      ? null
      : {
          description: newDescription,
          counterparty: newCounterparty,
          rows: rows.map(({ row }) => row),
        };
  const done = await atTypedRows(rows, () =>
    correctVoucher(tx, { correctedId: id, date, description, replacement }, person.actor),
  );
  const corrected = labelOf(await getVoucher(tx, id));
  const instead = done.replacement ? ` och ersatt av ${labelOf(done.replacement)}` : '';
  return {
    to: `/verifikat/${done.replacement?.id ?? done.reversal.id}`,
    notice: `${corrected} är rättat med ${labelOf(done.reversal)}${instead}.`,
  };
}

async function correctionForm(
  { tx, params: { id } }: VoucherVisit,
  input: FormInput,
  wish: RowsWish = null,
): Promise<View> {
  const voucher = await getVoucher(tx, id);
  const rows = await listVoucherRows(tx, id);
  const lock = await findLock(tx, voucher.date, voucher.touches_vat);
  const isLong = !fitsInForm(rows.length);
  const first = isLong ? [] : rows.map(ledgerRowOf);
  const lines = await showRows(tx, input, { first, wish });
  const reversed = firstRows(rows);
  const label = labelOf(voucher);
  // Sent all the same, what was typed is kept and the refusal stands above it.
  const obstacle = input.isSent ? null : await obstacleToCorrection(tx, id);
  const form = formOf(input, {
    date: field(input, 'date', 'Datum', {
      type: 'date',
      isRequired: true,
      value: lock?.earliest_allowed_date ?? voucher.date,
      help: lock
        ? `${label} är från ${voucher.date}, som är låst till ${lock.locked_to}. Tidigaste tillåtna datum är ${lock.earliest_allowed_date}.`
        : `Samma dag som ${label}, eller en senare dag som är öppen.`,
    }),
    description: field(input, 'description', 'Beskrivning', {
      isRequired: true,
      maxLength: 500,
      value: [...`Rättelse av ${label}: ${voucher.description}`].slice(0, 500).join(''),
      help: 'Skriv gärna vad som var fel.',
    }),
    replaces: field(input, 'replaces', 'Bokför också det som skulle ha stått där', {
      type: 'checkbox',
      help: isLong
        ? `Utan kryss tas verifikatet bara tillbaka. Dess ${count(rows.length)} rader ryms inte i formuläret; det som skulle ha stått där kan också bokföras för sig.`
        : 'Utan kryss tas verifikatet bara tillbaka.',
    }),
    newDescription: field(input, 'newDescription', 'Beskrivning av det nya', {
      isRequired: true,
      maxLength: 500,
      value: voucher.description,
    }),
    newCounterparty: field(input, 'newCounterparty', 'Motpart', {
      maxLength: 200,
      value: voucher.counterparty ?? '',
    }),
  });
  return {
    template: 'voucher-correction',
    title: `Rätta ${label}`,
    scripts: obstacle === null ? ['voucher-rows'] : [],
    begunAt: `/verifikat/${id}/ratta`,
    values: {
      form: { ...form, above: problemsAbove(input, [...namesOf(form.fields), ...lines.names]) },
      lines,
      obstacle: obstacle && sentenceFor('page', obstacle),
      voucher: { id, label, date: voucher.date, description: voucher.description },
      more: reversed.more,
      reversed: reversed.rows.map((row) => ({
        account: row.account,
        accountName: row.account_name,
        debit: amountOrEmpty(row.credit_ore),
        credit: amountOrEmpty(row.debit_ore),
      })),
    },
  };
}
