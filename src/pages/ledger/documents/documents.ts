/** The inbox of documents: sent in several at once, matched with what they belong to, or put aside. */

import { z } from 'zod';
import type { Tx } from '../../../db/pool.ts';
import {
  type DocumentSuggestion,
  fileOnVoucher,
  fileWhereSole,
  keepDocument,
  suggestPlaces,
} from '../../../ledger/documents/service.ts';
import {
  type DocumentTab,
  type KeptDocument,
  listKeptDocuments,
  listPlacesOf,
} from '../../../ledger/documents/store.ts';
import { findByLabel } from '../../../ledger/vouchers/list-store.ts';
import { dayOf } from '../../../lib/clock.ts';
import { refuse } from '../../../lib/errors.ts';
import { field, problemsAbove } from '../../fields.ts';
import { type Fields, textOf, textsOf } from '../../form-fields.ts';
import { amountText, count } from '../../format.ts';
import { text } from '../../inputs.ts';
import { tickedRows } from '../../orders/orders.ts';
import type { Pages } from '../../page.ts';
import { requireFiles, takeAll, uploadValues } from '../../sent-documents.ts';
import { type FormInput, nothingTyped, type View, type Visit } from '../../visit.ts';
import { placeLink, voucherOfDocument } from './document-words.ts';

/** Few enough to be matched while somebody waits. */
const pageSize = 25;
const home = '/underlag';

const tabs = [
  { tab: 'waiting', name: 'vantar', label: 'Väntar' },
  { tab: 'set_aside', name: 'undanlagda', label: 'Undanlagda' },
  { tab: 'filed', name: 'klara', label: 'På verifikat' },
] as const satisfies readonly { tab: DocumentTab; name: string; label: string }[];

const emptyStates: Readonly<Record<DocumentTab, { heading: string; text: string }>> = {
  waiting: {
    heading: 'Inget underlag väntar',
    text: 'Kvitton och fakturor som ännu inte hör till ett verifikat läggs här: släpp dem på sidan, klistra in dem, eller låt ett program skicka dem till POST /api/v1/underlag.',
  },
  set_aside: {
    heading: 'Inget är undanlagt',
    text: 'Ett dokument som inte hör till bokföringen läggs undan med ett skäl. Det tas aldrig bort.',
  },
  filed: {
    heading: 'Inget härifrån ligger på ett verifikat än',
    text: 'Här står de dokument som har kommit hit först och sedan lagts på ett verifikat eller en leverantörsfaktura.',
  },
};

/** What has come before and waits no longer is not in the list, where whoever sends it again looks for it. */
async function requireWaiting(tx: Tx, { id, filed_at: filedAt, set_aside: reason }: KeptDocument) {
  if (filedAt === null && reason === null) return;
  const [place] = await listPlacesOf(tx, [id]);
  const where = place
    ? `på ${place.kind === 'voucher' ? 'verifikat' : 'leverantörsfaktura'} ${place.label}`
    : 'bland de undanlagda';
  const message = `Filen finns redan, ${where}. Välj bort den.`;
  throw refuse('unprocessable', [{ path: 'files', reason: 'known_document', message }]);
}

const ticked = tickedRows(() => 'Markera minst ett underlag i listan.');

export function registerDocumentInbox(pages: Pages): void {
  pages.show({ url: home, right: 'read', show: (visit) => showDocuments(visit, nothingTyped) });

  pages.act({
    url: home,
    right: 'keep_books',
    show: showDocuments,
    perform: async ({ tx, files, person }) => {
      requireFiles(files);
      await takeAll(files, async (file) =>
        requireWaiting(tx, await keepDocument(tx, file, person.actor)),
      );
      const what = files.length === 1 ? 'Underlaget' : `${count(files.length)} underlag`;
      return { to: home, notice: `${what} är ${files.length === 1 ? 'sparat' : 'sparade'}.` };
    },
  });

  pages.act({
    url: `${home}/foreslagna`,
    right: 'keep_books',
    fields: z.object({ document: ticked }),
    show: showDocuments,
    perform: async ({ tx, person }, { document }) => {
      const filed = await fileWhereSole(tx, document.toSorted(), person.actor);
      const left = document.length - filed;
      const rest =
        left === 0
          ? ''
          : ` ${count(left)} har inget entydigt förslag och ligger kvar; välj för vart och ett.`;
      return { to: home, notice: `${count(filed)} underlag lagda på sina förslag.${rest}` };
    },
  });

  pages.act({
    url: `${home}/lagg`,
    right: 'keep_books',
    fields: z.object({ document: ticked, voucher: text(20) }),
    show: showDocuments,
    perform: async ({ tx, person }, { document, voucher }) => {
      const voucherId = await voucherOf(tx, voucher);
      for (const documentId of document.toSorted()) {
        await fileOnVoucher(tx, { documentId, voucherId }, person.actor);
      }
      return {
        to: voucherOfDocument(voucherId, document.at(-1)),
        notice: `${count(document.length)} underlag lagda på verifikatet.`,
      };
    },
  });

  // Pages of one receipt, say, that nobody has booked yet.
  pages.act({
    url: `${home}/nytt`,
    right: 'keep_books',
    fields: z.object({ document: ticked }),
    show: showDocuments,
    perform: async (_visit, { document }) => ({
      to: `/verifikat/ny?${new URLSearchParams(document.map((id): [string, string] => ['underlag', id]))}`,
    }),
  });
}

/** The id of the voucher that `A12` means; with its year, `A12 2026`, when several years have one. */
export async function voucherOf(tx: Visit['tx'], typed: string): Promise<string> {
  const wrong = (message: string) =>
    refuse('unprocessable', [{ path: 'voucher', reason: 'unknown_voucher', message }]);
  const [, series, number, year] =
    /^\s*(\p{L}{1,2})\s?(\d{1,9})(?:[\s/]+(\d{4}))?\s*$/u.exec(typed) ?? [];
  if (series === undefined || number === undefined) {
    throw wrong('Skriv verifikatets serie och nummer, t.ex. A12.');
  }
  const label = `${series.toUpperCase()}${number}`;
  const found = await findByLabel(tx, { series, number: Number(number) });
  const meant = found.filter((one) => year === undefined || one.year === Number(year));
  const [first, second] = meant;
  if (!first) throw wrong(`Det finns inget verifikat ${label}${year ? ` år ${year}` : ''}.`);
  if (second) {
    const years = meant.map((one) => one.year).join(', ');
    throw wrong(`${label} finns i flera räkenskapsår (${years}); skriv ${label} ${first.year}.`);
  }
  return first.id;
}

async function showDocuments(visit: Visit, input: FormInput): Promise<View> {
  const { tx, query, deps, person } = visit;
  const tab = tabs.find(({ name }) => name === textOf(query, 'flik')) ?? tabs[0];
  const after = textOf(query, 'efter');
  const before = z.uuid().safeParse(after).data ?? null;
  const found = await listKeptDocuments(tx, { tab: tab.tab, before, limit: pageSize + 1 });
  const documents = found.slice(0, pageSize);
  const isWaiting = tab.tab === 'waiting';
  const suggestions = isWaiting ? await suggestPlaces(tx, documents) : new Map();
  const places = Map.groupBy(
    isWaiting
      ? []
      : await listPlacesOf(
          tx,
          documents.map(({ id }) => id),
        ),
    (place) => place.document_id,
  );
  const chosen = new Set(textsOf(input.fields, 'document'));
  const last = documents.at(-1);
  return {
    template: 'documents',
    title: 'Underlag',
    scripts: ['inbox', 'upload'],
    values: {
      tabs: tabs.map(({ name, label }) => ({
        href: addressOf(name, {}),
        label,
        isCurrent: name === tab.name,
      })),
      tabLabel: tab.label,
      isWaiting,
      upload: uploadValues(input),
      empty: emptyStates[tab.tab],
      documents: documents.map((document) => ({
        ...listed(document, deps.config.timeZone),
        suggestion: suggestionOf(document, suggestions.get(document.id)),
        places: (places.get(document.id) ?? []).map(placeLink),
        reason: document.set_aside ?? '',
        isTicked: chosen.has(document.id),
      })),
      isTickable: isWaiting && person.may('keep_books'),
      voucher: field(input, 'voucher', 'Verifikat', { maxLength: 20, placeholder: 'A12' }),
      above: problemsAbove(input, ['files', 'voucher']),
      pager: {
        next: found.length > pageSize && last ? addressOf(tab.name, { efter: last.id }) : null,
        first: before === null ? null : addressOf(tab.name, {}),
      },
    },
  };
}

function addressOf(tab: string, more: Fields): string {
  const pairs = { ...(tab === tabs[0].name ? {} : { flik: tab }), ...more } as Record<
    string,
    string
  >;
  const query = new URLSearchParams(pairs).toString();
  return query === '' ? home : `${home}?${query}`;
}

const listed = (document: KeptDocument, timeZone: string) => ({
  id: document.id,
  name: document.file_name,
  came: dayOf(document.created_at, timeZone),
  date: document.document_date ?? '',
  amount: document.amount_ore === null ? '' : amountText(document.amount_ore),
  counterparty: document.counterparty ?? '',
});

/** What a person is told of where it may belong. */
function suggestionOf(
  { document_date, amount_ore }: KeptDocument,
  suggestion: DocumentSuggestion | undefined,
) {
  if (document_date === null || amount_ore === null) {
    return { place: null, tone: '', text: 'Skriv dag och belopp' };
  }
  const { places, sole } = suggestion ?? { places: [], sole: null };
  if (sole) return { place: placeLink(sole), tone: 'good', text: 'Förslag' };
  return places.length > 0
    ? { place: null, tone: 'warn', text: `${count(places.length)} möjliga` }
    : { place: null, tone: '', text: 'Inget passar' };
}
