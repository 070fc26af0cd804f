/** One voucher: rows, what it belongs to, its documents, its history, and what locks it. */
import { z } from 'zod';
import { listActorNames } from '../../../audit/actors.ts';
import { labelOf } from '../../../domain/ledger/voucher.ts';
import { listAccrualsOf } from '../../../ledger/accruals/store.ts';
import { getKeysReach, listAttachments } from '../../../ledger/attachments/store.ts';
import { findWaitingAfter, listWaitingFor } from '../../../ledger/documents/store.ts';
import { findOriginOf } from '../../../ledger/sie/undo-store.ts';
import { type Correction, listCorrections } from '../../../ledger/vouchers/correction-store.ts';
import { obstacleToCorrection } from '../../../ledger/vouchers/corrections.ts';
import {
  type DetailRow,
  findLock,
  getVoucher,
  lastLocked,
  listDeeds,
  listDocuments,
  listVoucherRows,
  type VoucherDetail,
  type VoucherLock,
} from '../../../ledger/vouchers/detail-store.ts';
import { sourceName } from '../../../ledger/vouchers/source-words.ts';
import { sentenceFor } from '../../../lib/sentences/say.ts';
import { problemsAbove } from '../../fields.ts';
import { textOf } from '../../form-fields.ts';
import { amountOrEmpty, amountText, dayInWords, kronor, moment } from '../../format.ts';
import { uuid } from '../../inputs.ts';
import type { Pages } from '../../page.ts';
import { pageOfRows } from '../../row-pages.ts';
import { uploadValues } from '../../sent-documents.ts';
import type { FormInput, View, Visit } from '../../visit.ts';
import { shownAccrual } from '../accruals/accruals.ts';
import { attachmentValues } from './voucher-files.ts';
import { documentLink, historyOf } from './voucher-history.ts';

const params = z.object({ id: uuid });
type VoucherVisit = Visit<z.output<typeof params>>;

/** Documents of the inbox that may be this voucher's. */
const waitingShown = 5;

const nothingSent: FormInput = { fields: {}, problems: [], isSent: false };

export function registerVoucherPage(pages: Pages): void {
  pages.show({
    url: '/verifikat/:id',
    right: 'read',
    params,
    show: (visit) => showVoucher(visit, nothingSent),
  });
}

/** The page, also when an upload on it was refused. */
export async function showVoucher(visit: VoucherVisit, input: FormInput): Promise<View> {
  const { tx, params, query, deps } = visit;
  const { timeZone } = deps.config;
  const voucher = await getVoucher(tx, params.id);
  const allRows = await listVoucherRows(tx, voucher.id);
  const { rows, pages } = pageOfRows(allRows, visit);
  const corrections = await listCorrections(tx, voucher.id);
  const attachments = await listAttachments(tx, voucher.id);
  const reach = await getKeysReach(tx, voucher.id);
  const lock = await findLock(tx, voucher.date, voucher.touches_vat);
  const locked = lock ? await lastLocked(tx, lock, voucher.year) : undefined;
  const deeds = await listDeeds(tx, voucher.id);
  const obstacle = await obstacleToCorrection(tx, voucher.id);
  const origin = (await findOriginOf(tx, voucher.id)) ?? null;
  const who = await listActorNames(tx, [
    voucher.posted_by,
    ...(locked ? [locked.actor] : []),
    ...attachments.map(({ created_by }) => created_by),
    ...corrections.map(({ created_by }) => created_by),
    ...deeds.map(({ actor }) => actor),
  ]);
  const at = (time: Date) => moment(time, timeZone);
  return {
    template: 'voucher',
    scripts: ['upload'],
    title: `${labelOf(voucher)} ${voucher.description}`.trim(),
    values: {
      origin: origin && {
        ...origin,
        label: `${origin.series} ${origin.number}`.trim() || 'ingående balans',
      },
      voucher: shown(voucher, who(voucher.posted_by), at(voucher.posted_at)),
      rows: rows.map((row) => ({
        account: row.account,
        accountName: row.account_name,
        debit: amountOrEmpty(row.debit_ore),
        credit: amountOrEmpty(row.credit_ore),
        note: row.note ?? '',
        vatCode: row.vat_code ?? '',
        costCenter: row.cost_center ?? '',
        project: row.project ?? '',
      })),
      hasDimensions: rows.some(({ cost_center, project }) => cost_center ?? project),
      // The chart says it otherwise.
      hasVatCodes: rows.some(({ vat_code, account_vat_code }) => vat_code !== account_vat_code),
      hasNotes: rows.some(({ note }) => note),
      pages,
      // The same on both sides, whatever part of the rows is shown.
      total: amountText(voucher.total_ore),
      lock: lock && lockSentence(lock, locked && `${who(locked.actor)}, ${at(locked.occurred_at)}`),
      accruals: (await listAccrualsOf(tx, voucher.id)).map(shownAccrual),
      isSpread: isSpreadable(voucher, allRows),
      documents: (await listDocuments(tx, voucher.id)).map(documentLink),
      corrections: corrections.map((one) => correctionOf(one, voucher.id)),
      isCorrected: corrections.some(({ corrected }) => corrected.id === voucher.id),
      obstacle: obstacle && sentenceFor('page', obstacle),
      history: historyOf({ voucher, attachments, corrections, deeds }, who, at),
      ...(await attachmentValues(visit, attachments, voucher.id, textOf(query, 'bilaga'))),
      isOfStaff: reach === 'staff',
      isWithheld: reach === 'withheld',
      upload: {
        ...uploadValues(input),
        above: problemsAbove(input, ['files']),
      },
      onward: await onward(visit),
      waiting: (await listWaitingFor(tx, voucher.id, waitingShown)).map((document) => ({
        id: document.id,
        name: document.file_name,
        date: document.document_date ?? '',
      })),
    },
  };
}

/** Whoever has laid a document of the inbox on it goes on to the next that waits. */
async function onward({ tx, person, query }: VoucherVisit) {
  const from = uuid.safeParse(textOf(query, 'underlag')).data;
  if (from === undefined || !person.may('keep_books')) return null;
  return { next: (await findWaitingAfter(tx, from)) ?? null };
}

/** Whether something of it may belong to other months: costs, income, or what wears out. */
const isSpreadable = ({ source }: VoucherDetail, rows: readonly DetailRow[]): boolean =>
  source !== 'accrual_posting' &&
  rows.some(({ account }) => account < 1300 || (account >= 3000 && account < 8999));

const shown = (voucher: VoucherDetail, postedBy: string, postedAt: string) => ({
  id: voucher.id,
  label: labelOf(voucher),
  series: `${voucher.series} ${voucher.series_name}`,
  year: voucher.year,
  date: voucher.date,
  dateInWords: dayInWords(voucher.date),
  description: voucher.description,
  counterparty: voucher.counterparty ?? '',
  amount: kronor(voucher.total_ore),
  source: sourceName(voucher.source),
  postedBy,
  postedAt,
  requestId: voucher.request_id ?? '',
  hasHeldDocument: voucher.has_held_document,
  hash: voucher.hash,
  shortHash: voucher.hash.slice(0, 12),
});

const lockWords: Readonly<Record<VoucherLock['lock'], (to: string) => string>> = {
  period: (to) => `Perioden är låst till ${to}`,
  vat: (to) => `Momsen är låst till ${to}, och verifikatet rör moms`,
  fiscal_year: (to) => `Räkenskapsåret som slutar ${to} är stängt`,
};

/** Which lock, until when, by whom, and the way out. */
function lockSentence(
  { lock, locked_to, earliest_allowed_date }: VoucherLock,
  by: string | undefined,
): string {
  const who = by === undefined ? '' : `, av ${by}`;
  return `${lockWords[lock](locked_to)}${who}. Rättas med nytt verifikat i öppen period, tidigast ${earliest_allowed_date}.`;
}

/** What part this voucher has in a correction; the others are links. */
function correctionOf({ corrected, reversal, replacement }: Correction, id: string) {
  return {
    corrected,
    reversal,
    replacement,
    isCorrected: corrected.id === id,
    isReversal: reversal.id === id,
    isReplacement: replacement?.id === id,
  };
}
