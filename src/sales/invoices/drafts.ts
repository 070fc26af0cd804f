/** Drafts as people write, change and delete them. Each throws 422 with its problems at the fields. */
import { recordEvent } from '../../audit/store.ts';
import type { Tx } from '../../db/pool.ts';
import { capProblems } from '../../domain/basics/problems.ts';
import { type PricedDraft, priceDraft } from '../../domain/sales/invoice-draft.ts';
import { completeRows, type TypedDraftRow } from '../../domain/sales/typed-draft.ts';
import { type Fault, refuse, refuseWhole } from '../../lib/errors.ts';
import { uuid } from '../../lib/uuid.ts';
import { insertDrafts } from './create-store.ts';
import {
  type BuyerAddress,
  debtorOf,
  deleteDraft,
  listArticles,
  listDraftProblems,
  listSalesAccounts,
  lockDraft,
  updateBuyerAddress,
  updateDraft,
  updateDraftHead,
} from './draft-store.ts';
import { isQuestion } from './refusals.ts';

export interface WrittenHead {
  readonly invoiceDate: string;
  /** Null when it is the invoice's own. */
  readonly deliveryDate: string | null;
  readonly paymentTermsDays: number;
  readonly yourReference: string | null;
  readonly notes: string | null;
}

export interface WrittenDraft extends WrittenHead {
  readonly customerId: string;
  readonly rows: readonly TypedDraftRow[];
  /** The person has confirmed that what is unusual about sales without VAT is right. */
  readonly isVatConfirmed: boolean;
}

/** `confirmedBy` has said that sales without VAT are so, when that is somebody else than the one who writes. */
export async function createDraft(
  tx: Tx,
  written: WrittenDraft,
  actor: string,
  confirmedBy: string | null = actor,
): Promise<string> {
  const priced = await judgeDraft(tx, written);
  const id = uuid();
  await insertDrafts(tx, [
    {
      ...written,
      ...priced,
      vatConfirmedBy: written.isVatConfirmed ? confirmedBy : null,
      id,
      source: 'app',
      createdBy: actor,
      pricesIncludeVat: false,
      debtor: await debtorOf(tx, written.customerId),
    },
  ]);
  return id;
}

/** `version` is the draft's as it was when the person began to write. */
export async function changeDraft(
  tx: Tx,
  { id, version }: { readonly id: string; readonly version: string },
  written: WrittenDraft,
  actor: string,
): Promise<void> {
  const { source } = await lockOwnVersion(tx, id, version);
  if (source === 'order') throw refuseWhole('unprocessable', 'draft_of_order');
  const priced = await judgeDraft(tx, written);
  const debtor = await debtorOf(tx, written.customerId);
  const vatConfirmedBy = written.isVatConfirmed ? actor : null;
  await updateDraft(tx, id, { ...written, ...priced, debtor, debtorFilled: [], vatConfirmedBy });
  await recordEvent(tx, { actor, action: 'invoice.draft_changed', subject: id });
}

/** Date, terms and texts of any draft, and the buyer's address: all that may change on an order's. */
export async function changeDraftHead(
  tx: Tx,
  { id, version }: { readonly id: string; readonly version: string },
  head: WrittenHead,
  address: BuyerAddress,
  actor: string,
): Promise<void> {
  const { credited } = await lockOwnVersion(tx, id, version);
  if (credited !== null && head.invoiceDate < credited.date) {
    const params = { number: credited.number, from: credited.date };
    throw refuse('unprocessable', [
      { path: 'invoiceDate', reason: 'credit_before_invoice', params },
    ]);
  }
  const decision = priceDraft({ ...head, rows: [] });
  if (decision.kind !== 'draft') {
    throw refuse('unprocessable', decision.problems.map(atTypedField));
  }
  const { dueDate } = decision.draft;
  await updateDraftHead(tx, id, { ...head, dueDate });
  await updateBuyerAddress(tx, id, address);
  await recordEvent(tx, { actor, action: 'invoice.draft_changed', subject: id });
}

/**
 * A draft has no number and no voucher, so nothing of the books goes with it. That of an order stays, since the order has
 * been answered with it; that of a refund may go, and the refund waits for somebody to decide.
 */
export async function removeDraft(tx: Tx, id: string, actor: string): Promise<void> {
  const draft = await lockDraft(tx, id);
  if (!draft) throw refuseWhole('not_found', 'no_invoice', { id });
  if (draft.status !== 'draft') throw refuseWhole('unprocessable', 'draft_booked');
  if (draft.source === 'order' && draft.credited === null) {
    throw refuseWhole('unprocessable', 'draft_of_order');
  }
  await deleteDraft(tx, id);
  await recordEvent(tx, { actor, action: 'invoice.draft_deleted', subject: id });
}

async function lockOwnVersion(tx: Tx, id: string, version: string) {
  const draft = await lockDraft(tx, id);
  if (!draft) throw refuseWhole('not_found', 'no_draft');
  if (draft.status !== 'draft') throw refuseWhole('unprocessable', 'draft_booked');
  if (draft.version !== version) {
    throw refuseWhole('unprocessable', 'draft_changed_meanwhile');
  }
  return draft;
}

/** Throws 422 with what is wrong: the draft priced, after everything that could be wrong with it has been looked for. */
export async function judgeDraft(
  tx: Tx,
  { customerId, isVatConfirmed, ...written }: WrittenDraft,
): Promise<PricedDraft> {
  const numbers = written.rows.flatMap(({ articleNumber }) => articleNumber ?? []);
  const completed = completeRows(written.rows, {
    articles: await listArticles(tx, numbers),
    accounts: await listSalesAccounts(tx),
  });
  if ('problems' in completed) throw refuse('unprocessable', capProblems(completed.problems));
  const { rows } = completed;
  const decision = priceDraft({ ...written, rows });
  const faults = (await listDraftProblems(tx, customerId, rows)).filter(
    ({ reason }) => !(isVatConfirmed && isQuestion(reason)),
  );
  const problems = [
    ...(decision.kind === 'draft' ? [] : decision.problems.map(atTypedField)),
    ...faults,
  ];
  if (decision.kind !== 'draft' || problems.length > 0) {
    throw refuse('unprocessable', capProblems(problems));
  }
  return decision.draft;
}

/** A row that comes to too much is typed by its price. */
const atTypedField = (fault: Fault): Fault =>
  fault.reason === 'amount_too_large' ? { ...fault, path: `${fault.path}.unitPrice` } : fault;
