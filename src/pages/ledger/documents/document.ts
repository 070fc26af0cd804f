/** One document: shown, described, laid on what it belongs to, or put aside. */
import { z } from 'zod';
import { listActorNames } from '../../../audit/actors.ts';
import {
  describeDocument,
  fileOnPurchase,
  fileOnVoucher,
  setDocumentAside,
  suggestPlaces,
  takeDocumentUp,
} from '../../../ledger/documents/service.ts';
import {
  getKeptDocument,
  type KeptDocument,
  listPlacesOf,
  readKeptFile,
} from '../../../ledger/documents/store.ts';
import { field, formOf, problemsAbove } from '../../fields.ts';
import { textOf } from '../../form-fields.ts';
import { amountText, moment } from '../../format.ts';
import { amount, day, optional, optionalText, text, uuid } from '../../inputs.ts';
import type { Pages } from '../../page.ts';
import { type FormInput, nothingTyped, type View, type Visit } from '../../visit.ts';
import { previewOf } from '../vouchers/pictures.ts';
import { fileAnswer, fileValues } from '../vouchers/voucher-files.ts';
import { placeLink, voucherOfDocument } from './document-words.ts';
import { voucherOf } from './documents.ts';

const params = z.object({ id: uuid });
type DocumentVisit = Visit<{ id: string }>;

const positive = amount.refine((ore) => ore > 0n, {
  error: 'Skriv beloppet utan minustecken, också när pengar har kommit tillbaka.',
});

export function registerDocumentPage(pages: Pages): void {
  const url = '/underlag/:id';
  const show = (visit: DocumentVisit) => showDocument(visit);
  pages.show({ url, changesStored: true, right: 'read', params, show });

  pages.act({
    url,
    changesStored: true,
    right: 'keep_books',
    params,
    fields: z.object({
      date: optional(day),
      amount: optional(positive as z.ZodType<bigint, string>),
      counterparty: optionalText(200),
    }),
    show: showDocument,
    perform: async ({ tx, person, params: { id } }, { date, amount: ore, counterparty }) => {
      const description = { date, amountOre: ore as KeptDocument['amount_ore'], counterparty };
      await describeDocument(tx, id, description, person.actor);
      return { to: `/underlag/${id}`, notice: 'Uppgifterna är sparade.' };
    },
  });

  pages.show({
    url: `${url}/dokument`,
    right: 'read',
    params,
    show: async ({ tx, params: { id }, query }) =>
      fileAnswer(await readKeptFile(tx, id), textOf(query, 'hamta') !== ''),
  });

  pages.act({
    url: `${url}/verifikat`,
    right: 'keep_books',
    params,
    fields: z.object({ voucher: text(40) }),
    show: showDocument,
    perform: async ({ tx, person, params: { id } }, { voucher }) => {
      const known = uuid.safeParse(voucher).data;
      const voucherId = known ?? (await voucherOf(tx, voucher));
      await fileOnVoucher(tx, { documentId: id, voucherId }, person.actor);
      return {
        to: voucherOfDocument(voucherId, id),
        notice: 'Underlaget ligger nu på verifikatet.',
      };
    },
  });

  pages.act({
    url: `${url}/leverantorsfaktura`,
    right: 'keep_books',
    params,
    fields: z.object({ purchase: uuid }),
    show: showDocument,
    perform: async ({ tx, person, params: { id } }, { purchase }) => {
      await fileOnPurchase(tx, { documentId: id, purchaseId: purchase }, person.actor);
      return {
        to: `/leverantorsinkorg/${purchase}`,
        notice: 'Underlaget ligger på fakturan, och följer med till verifikatet.',
      };
    },
  });

  pages.act({
    url: `${url}/undan`,
    right: 'keep_books',
    params,
    fields: z.object({ reason: text(500) }),
    show: showDocument,
    perform: async ({ tx, person, params: { id } }, { reason }) => {
      await setDocumentAside(tx, id, reason, person.actor);
      return { to: '/underlag', notice: 'Underlaget är undanlagt. Det sparas.' };
    },
  });

  pages.act({
    url: `${url}/fram`,
    right: 'keep_books',
    params,
    show: showDocument,
    perform: async ({ tx, person, params: { id } }) => {
      await takeDocumentUp(tx, id, person.actor);
      return { to: `/underlag/${id}`, notice: 'Underlaget väntar på sitt verifikat igen.' };
    },
  });
}

async function showDocument(visit: DocumentVisit, input: FormInput = nothingTyped): Promise<View> {
  const { tx, params, deps } = visit;
  const { id } = params;
  const address = `/underlag/${id}/dokument`;
  const document = await getKeptDocument(tx, id);
  const who = await listActorNames(tx, [document.created_by]);
  const suggestion = (await suggestPlaces(tx, [document])).get(id);
  const { document_date: date, amount_ore: ore, counterparty } = document;
  const form = formOf(input, {
    date: field(input, 'date', 'Dag', { type: 'date', value: date ?? '' }),
    amount: field(input, 'amount', 'Belopp', {
      type: 'amount',
      value: ore === null ? '' : amountText(ore),
      help: 'I kronor, med moms.',
    }),
    counterparty: field(input, 'counterparty', 'Från', {
      maxLength: 200,
      value: counterparty ?? '',
    }),
  });
  const voucher = field(input, 'voucher', 'Verifikat', {
    maxLength: 20,
    isRequired: true,
    placeholder: 'A12',
    help: 'Serie och nummer, också ett som är bokfört sedan länge; verifikatet ändras inte.',
  });
  const reason = field(input, 'reason', 'Varför hör det inte till bokföringen?', {
    isRequired: true,
    maxLength: 500,
  });
  return {
    template: 'document',
    title: document.file_name,
    values: {
      id,
      file: fileValues(document, address, deps),
      preview: await previewOf(visit, document, address),
      came: moment(document.created_at, deps.config.timeZone),
      who: who(document.created_by),
      sha256: document.sha256,
      isWaiting: document.filed_at === null && document.set_aside === null,
      isFiled: document.filed_at !== null,
      setAside: document.filed_at === null ? document.set_aside : null,
      places: (await listPlacesOf(tx, [id])).map(placeLink),
      form: {
        ...form,
        above: problemsAbove(input, ['date', 'amount', 'counterparty', 'voucher', 'reason']),
      },
      description: { date: date ?? '', amount: ore === null ? '' : amountText(ore), counterparty },
      voucher,
      reason,
      suggested: (suggestion?.places ?? []).map((place) => ({
        ...placeLink(place),
        action: `/underlag/${id}/${place.kind === 'voucher' ? 'verifikat' : 'leverantorsfaktura'}`,
        isSole: suggestion?.sole?.id === place.id,
      })),
      lacksFacts: date === null || ore === null,
    },
  };
}
