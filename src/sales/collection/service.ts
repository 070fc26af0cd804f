/** Collection cases: prepared from the books as they stand, and every export logged. */
import { recordEvent } from '../../audit/store.ts';
import type { Tx } from '../../db/pool.ts';
import { canonicalJson } from '../../domain/basics/json.ts';
import {
  type CollectionCase,
  collectionCase,
  whyNoCase,
} from '../../domain/sales/collection-case.ts';
import { refuseWhole } from '../../lib/errors.ts';
import { sha256Of } from '../../lib/sha256.ts';
import { lockInvoice } from '../invoices/settlement-store.ts';
import { caseCsv } from './csv.ts';
import { firstPreparation, getCollectionFacts, setDispute } from './store.ts';
import { caseView } from './view.ts';

/** `html` is the page that the PDF is printed from; asked for as `pdf` it is the same page. */
export const caseFormats = ['json', 'csv', 'html', 'pdf'] as const;
export type CaseFormat = (typeof caseFormats)[number];

export interface CaseWanted {
  readonly day: string;
  readonly preparedAt: Date;
  /** Of the installation: which day it was prepared. */
  readonly timeZone: string;
  readonly format: CaseFormat;
}

export interface ExportedCase {
  readonly content: string;
  /** SHA-256 of the case as canonical JSON, hexadecimal: the same in every format. */
  readonly digest: string;
  readonly invoiceNo: number;
}

/**
 * The case as it stands on `day`. Nothing having happened since it was last asked for, it is the same
 * case, with the time of the first: so its formats agree and its PDF is printed once. Throws 404
 * `not_found`, and 422 `unprocessable` when there is nothing to collect.
 */
export async function exportCase(
  tx: Tx,
  invoiceId: string,
  { day, preparedAt, timeZone, format }: CaseWanted,
  actor: string,
): Promise<ExportedCase> {
  const facts = await getCollectionFacts(tx, invoiceId, timeZone);
  if (!facts) throw refuseWhole('not_found', 'no_invoice', { id: invoiceId });
  const none = whyNoCase(facts, day);
  if (none !== null) throw refuseWhole('unprocessable', none.reason, none.params);
  const contentSha256 = sha256Of(canonicalJson(collectionCase(facts, day, '')));
  const first = await firstPreparation(tx, { invoiceId, contentSha256, preparedAt });
  const subject = collectionCase(facts, day, first.toISOString());
  const digest = digestOf(subject);
  const content = await renderings[format](subject, digest, timeZone);
  const detail = { digest, format, total: subject.claim.total.amount };
  await recordEvent(tx, { actor, action: 'collection.exported', subject: invoiceId, detail });
  return { content, digest, invoiceNo: subject.invoice.invoiceNo };
}

const renderings: Record<
  CaseFormat,
  (subject: CollectionCase, digest: string, timeZone: string) => string | Promise<string>
> = {
  json: (subject) => `${JSON.stringify(subject, null, 2)}\n`,
  csv: caseCsv,
  html: casePage,
  pdf: casePage,
};

async function casePage(
  subject: CollectionCase,
  digest: string,
  timeZone: string,
): Promise<string> {
  const { loadTemplate } = await import('../../render/templates.ts');
  return loadTemplate('documents/collection')(caseView(subject, digest, timeZone));
}

export const digestOf = (subject: CollectionCase): string =>
  sha256Of(canonicalJson(subject)).toString('hex');

/** The creditor's own judgement: a warning on the case, not a block. */
export async function judgeDisputed(
  tx: Tx,
  invoiceId: string,
  reason: string | null,
  actor: string,
): Promise<void> {
  if (!(await lockInvoice(tx, invoiceId))) {
    throw refuseWhole('not_found', 'no_invoice', { id: invoiceId });
  }
  await setDispute(tx, invoiceId, reason, actor);
  const action = reason === null ? 'invoice.dispute_over' : 'invoice.disputed';
  await recordEvent(tx, { actor, action, subject: invoiceId, detail: { reason } });
}
