/** A document that became no purchase: why, where in it, and its bytes as text. */

import { z } from 'zod';
import { AppError } from '../../lib/errors.ts';
import { say } from '../../lib/language.ts';
import { takeInDocument } from '../../purchases/e-invoices/take-in.ts';
import { findDocument, type RefusedPage } from '../../purchases/inbox/inbox-store.ts';
import { count, moment } from '../format.ts';
import { downloadOf } from '../headers.ts';
import { uuid } from '../inputs.ts';
import type { Pages } from '../page.ts';
import { type FormInput, type Goto, nothingTyped, type View, type Visit } from '../visit.ts';
import { documentChip, documentReason } from './purchase-words.ts';

const params = z.object({ id: uuid });
const shownBytesMax = 20_000;

export function registerRefusedDocuments(pages: Pages): void {
  pages.show({
    url: '/leverantorsinkorg/dokument/:id',
    right: 'read',
    params,
    show: (visit) => showDocument(visit, nothingTyped),
  });

  pages.act({
    url: '/leverantorsinkorg/dokument/:id/ta-in',
    right: 'keep_books',
    params,
    show: async (visit, input) => {
      const view = await showDocument(visit, input);
      if ('to' in view) throw new AppError('unprocessable', say`Dokumentet är redan intaget.`);
      return view;
    },
    perform: async ({ tx, person, params: { id } }) => {
      const { draftId, wasThere } = await takeInDocument(tx, id, person.actor);
      const notice = wasThere
        ? say`Samma dokument fanns redan i inkorgen.`
        : say`Dokumentet är intaget, för granskning.`;
      return { to: `/leverantorsinkorg/${draftId}`, notice };
    },
  });

  pages.show({
    url: '/leverantorsinkorg/dokument/:id/original',
    right: 'read',
    params,
    show: async ({ tx, params: { id } }) => {
      const document = await findDocument(tx, id);
      if (!document?.raw) throw notFound();
      return {
        type: 'application/octet-stream',
        content: document.raw,
        headers: downloadOf(`dokument-${id}.xml`),
      };
    },
  });
}

/** The page of a refused document; of one that has become a purchase since, the way there. */
async function showDocument(
  { tx, deps, params: { id } }: Visit<{ id: string }>,
  { problems }: FormInput,
): Promise<View | Goto> {
  const document = await findDocument(tx, id);
  if (!document) throw notFound();
  if (document.status === 'draft') return { to: `/leverantorsinkorg/${document.draft_id}` };
  return {
    template: 'refused-document',
    title: say`Dokument som inte togs emot`,
    values: {
      ...documentView(document, deps.config.timeZone),
      above: problems.map(({ message }) => message),
      faults: problems.length,
    },
  };
}

const notFound = () => new AppError('not_found', say`Dokumentet finns inte.`);

function documentView(document: RefusedPage, timeZone: string) {
  const { raw, detail, reason, size } = document;
  const isRefused = document.status === 'rejected';
  const words = documentReason(reason ?? '');
  const line = detail?.line;
  return {
    id: document.id,
    isRefused,
    chip: documentChip(document),
    sentence: isRefused ? words.sentence : say`Dokumentet är mottaget men inte prövat än.`,
    code: reason,
    message: document.message,
    place:
      line === undefined ? null : say`Rad ${count(line)}, tecken ${count(detail?.column ?? 0)}`,
    received: moment(document.received_at, timeZone),
    sender: document.sender ?? '–',
    size: say`${count(size)} byte`,
    sha256: document.sha256,
    requestId: document.request_id,
    draftId: document.draft_id,
    mayBeTakenIn: isRefused && raw !== null && document.draft_id === null,
    hasBytes: raw !== null,
    text: raw === null ? null : textOf(raw),
    isCut: raw !== null && raw.length > shownBytesMax,
  };
}

/** Numbered lines of the beginning; what is not text is shown as the mark for that. */
function textOf(raw: Buffer): { number: number; text: string }[] {
  return raw
    .subarray(0, shownBytesMax)
    .toString('utf8')
    .split('\n')
    .map((text, index) => ({ number: index + 1, text: text.replace(/[^\P{Cc}\t]/gu, '\ufffd') }));
}
