/** Writing a voucher by hand, from a template, or as a copy of another. */

import { z } from 'zod';
import { recordEvent } from '../../../audit/store.ts';
import { listUsableAccounts } from '../../../ledger/accounts/store.ts';
import { fileOnVoucher } from '../../../ledger/documents/service.ts';
import { getKeptDocument, type KeptDocument } from '../../../ledger/documents/store.ts';
import { ledgerRowOf } from '../../../ledger/vouchers/corrections.ts';
import { getVoucher, listVoucherRows } from '../../../ledger/vouchers/detail-store.ts';
import { listVoucherSeries } from '../../../ledger/vouchers/list-store.ts';
import { postAppVoucher } from '../../../ledger/vouchers/service.ts';
import {
  getTemplate,
  insertTemplate,
  type VoucherTemplate,
} from '../../../ledger/vouchers/template-store.ts';
import { refuse } from '../../../lib/errors.ts';
import { field, formOf, problemsAbove } from '../../fields.ts';
import { type Fields, textOf, textsOf } from '../../form-fields.ts';
import { kronor } from '../../format.ts';
import { day, formProblems, optionalText, readTyped, text } from '../../inputs.ts';
import { askForAccount } from '../../new-account.ts';
import type { Pages } from '../../page.ts';
import { requireFormRoom } from '../../row-pages.ts';
import { attachAll, uploadValues } from '../../sent-documents.ts';
import type { FormInput, Goto, View, Visit } from '../../visit.ts';
import { voucherOfDocument } from '../documents/document-words.ts';
import { previewOf } from './pictures.ts';
import { fileValues } from './voucher-files.ts';
import { atTypedRows, type RowsWish, showRows, typedRows, withKnownCodes } from './voucher-rows.ts';

const voucherFields = z.object({
  seriesCode: text(2),
  date: day,
  description: text(500),
  counterparty: optionalText(200),
  rows: typedRows,
});
/** A template may be begun anywhere: what is missing is typed when it is used. */
const templateFields = z.object({
  templateName: text(100),
  seriesCode: text(2),
  description: optionalText(500),
  counterparty: optionalText(200),
  rows: typedRows,
});

/** What the buttons of the form ask for; whoever presses Enter asks to post. */
type Wish = 'post' | 'more_rows' | 'vat_codes' | 'new_account' | 'save_template';
const wishes: readonly Wish[] = ['more_rows', 'vat_codes', 'new_account', 'save_template'];
const wishOf = (fields: Fields): Wish => {
  const wish = textOf(fields, 'wish');
  return wishes.find((one) => one === wish) ?? 'post';
};

/** Taken as they are: which of them must be right depends on what is asked for. */
const anyFields = z.custom<Fields>((value) => typeof value === 'object' && value !== null);

/** Documents of the inbox on one voucher: the pages of a receipt, say. */
const documentsMax = 25;

export function registerVoucherForm(pages: Pages): void {
  pages.form({
    url: '/verifikat/ny',
    right: 'keep_books',
    fields: anyFields,
    show: (visit, input) => voucherForm(visit, input),
    perform: async (visit, fields) => {
      const wish = wishOf(fields);
      if (wish === 'new_account') {
        return askForAccount(fields, await listUsableAccounts(visit.tx), '/verifikat/ny');
      }
      if (wish === 'more_rows' || wish === 'vat_codes') return showMore(visit, fields, wish);
      const chosen = await withKnownCodes(visit.tx, fields);
      return wish === 'post' ? post(visit, chosen) : saveTemplate(visit, chosen);
    },
  });
}

export function readForm<Values>(schema: z.ZodType<Values>, fields: Fields): Values {
  const read = readTyped(schema, fields);
  if (read.success) return read.data;
  throw refuse('invalid_request', formProblems(read.error.issues));
}

async function post({ tx, person, files }: Visit, fields: Fields): Promise<Goto> {
  const { seriesCode, rows, ...voucher } = readForm(voucherFields, fields);
  const posted = await atTypedRows(rows, () =>
    postAppVoucher(
      tx,
      { ...voucher, series: seriesCode, rows: rows.map(({ row }) => row) },
      person.actor,
    ),
  );
  await attachAll(tx, posted.id, files, person.actor);
  const from = documentIds(fields);
  for (const documentId of from) {
    await fileOnVoucher(tx, { documentId, voucherId: posted.id }, person.actor);
  }
  return {
    to: voucherOfDocument(posted.id, from.at(-1)),
    notice: `${posted.series}${posted.number} är bokfört.`,
  };
}

/** Documents of the inbox that the voucher is written from. */
const documentIds = (fields: Fields): string[] =>
  [...new Set(textsOf(fields, 'underlag'))]
    .filter((id) => z.uuid().safeParse(id).success)
    .slice(0, documentsMax);

async function saveTemplate({ tx, person }: Visit, fields: Fields): Promise<Goto> {
  const { templateName, seriesCode, rows, ...values } = readForm(templateFields, fields);
  if (rows.length === 0) {
    const message = 'En mall behöver minst en rad.';
    throw refuse('invalid_request', [{ path: 'rows', reason: 'too_few_rows', message }]);
  }
  const template = {
    ...values,
    name: templateName,
    series: seriesCode,
    description: values.description ?? '',
    rows: rows.map(({ row }) => row),
  };
  await insertTemplate(tx, template, person.actor);
  const { actor } = person;
  await recordEvent(tx, { actor, action: 'voucher_template.created', subject: templateName });
  return { to: '/verifikat/mallar', notice: `Mallen ${templateName} är sparad.` };
}

/** The same form with more rows or one more column: nothing is kept, so nothing is refused. */
async function showMore(visit: Visit, fields: Fields, wish: RowsWish): Promise<Goto> {
  const input = { fields, problems: [], isSent: true };
  return { to: '/verifikat/ny', view: await voucherForm(visit, input, wish) };
}

async function voucherForm(visit: Visit, input: FormInput, wish: RowsWish = null): Promise<View> {
  const { tx, today } = visit;
  const first = input.isSent ? undefined : await beginningOf(visit);
  const documents: KeptDocument[] = [];
  for (const id of documentIds(input.isSent ? input.fields : visit.query)) {
    documents.push(await getKeptDocument(tx, id));
  }
  const told = documents.find(({ document_date }) => document_date !== null) ?? documents[0];
  const rows = await showRows(tx, input, { first: first?.rows ?? [], wish });
  const series = await listVoucherSeries(tx);
  const form = formOf(input, {
    seriesCode: field(input, 'seriesCode', 'Serie', {
      type: 'select',
      isRequired: true,
      value: first?.series ?? 'A',
      options: series.map(({ code, name }) => ({ value: code, label: `${code} ${name}` })),
    }),
    date: field(input, 'date', 'Datum', {
      type: 'date',
      isRequired: true,
      value: told?.document_date ?? today,
      help: 'Dagen då affären hände.',
    }),
    description: field(input, 'description', 'Beskrivning', {
      isRequired: true,
      maxLength: 500,
      value: first?.description ?? '',
      help: 'Vad affären gäller.',
    }),
    counterparty: field(input, 'counterparty', 'Motpart', {
      maxLength: 200,
      value: first?.counterparty ?? told?.counterparty ?? '',
      help: 'Vem den gjordes med.',
    }),
    files: field(input, 'files', 'Underlag', { type: 'file' }),
    templateName: field(input, 'templateName', 'Mallens namn', { maxLength: 100 }),
  });
  return {
    template: 'voucher-new',
    title: 'Nytt verifikat',
    scripts: ['voucher-rows', 'upload'],
    begunAt: '/verifikat/ny',
    values: {
      accept: uploadValues(input).accept,
      documents: await documentsOf(visit, documents),
      form: { ...form, above: problemsAbove(input, [...namesOf(form.fields), ...rows.names]) },
      lines: rows,
      isTemplateOpen: wishOf(input.fields) === 'save_template',
      isAgain: input.isSent,
    },
  };
}

async function documentsOf(visit: Visit, documents: readonly KeptDocument[]) {
  const values = [];
  for (const document of documents) {
    const address = `/underlag/${document.id}/dokument`;
    values.push({
      id: document.id,
      ...fileValues(document, address, visit.deps),
      amount: document.amount_ore === null ? '' : kronor(document.amount_ore),
      preview: await previewOf(visit, document, address),
    });
  }
  return values;
}

export const namesOf = (fields: Readonly<Record<string, { readonly name: string }>>): string[] =>
  Object.values(fields).map(({ name }) => name);

/** What a new voucher begins from: a template, another voucher, or nothing. */
async function beginningOf({
  tx,
  query,
}: Visit): Promise<Omit<VoucherTemplate, 'name'> | undefined> {
  const [template, copied] = [textOf(query, 'mall'), textOf(query, 'kopia')];
  if (z.uuid().safeParse(template).success) return getTemplate(tx, template);
  if (!z.uuid().safeParse(copied).success) return undefined;
  const voucher = await getVoucher(tx, copied);
  const rows = await listVoucherRows(tx, copied);
  requireFormRoom(rows.length, 'Verifikatet');
  return { ...voucher, rows: rows.map(ledgerRowOf) };
}
