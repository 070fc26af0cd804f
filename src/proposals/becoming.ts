/** A proposal becomes what it says: exactly that, by the services that people's own forms go through. */
import { bookDirectly, payDocument } from '../bank/booking.ts';
import { matchTransaction } from '../bank/service.ts';
import { getBankTransaction } from '../bank/store.ts';
import type { Tx } from '../db/pool.ts';
import { fileOnVoucher } from '../ledger/documents/service.ts';
import { correctVoucher } from '../ledger/vouchers/corrections.ts';
import { postAppVoucher } from '../ledger/vouchers/service.ts';
import { writeInvoice } from '../purchases/by-hand/service.ts';
import { createDraft } from '../sales/invoices/drafts.ts';
import type { ProposalResult, Proposed, ProposedMatch } from './proposed.ts';

export interface Deciding {
  readonly today: string;
  readonly actor: string;
}

/** In the caller's transaction; throws what the services throw, and then nothing is left. */
export async function become(
  tx: Tx,
  proposed: Proposed,
  { today, actor }: Deciding,
): Promise<ProposalResult> {
  switch (proposed.kind) {
    case 'voucher': {
      const { id } = await postAppVoucher(tx, proposed.voucher, actor);
      for (const documentId of proposed.documentIds) {
        await fileOnVoucher(tx, { documentId, voucherId: id }, actor);
      }
      return { kind: 'voucher', id };
    }
    case 'correction': {
      const { reversal, replacement } = await correctVoucher(tx, proposed.correction, actor);
      return { kind: 'voucher', id: (replacement ?? reversal).id };
    }
    case 'match': {
      const { transactionId, target } = proposed;
      const id = await book(tx, transactionId, target, { today, actor });
      return { kind: 'voucher', id };
    }
    case 'invoice_draft':
      // Whoever approves it has confirmed nothing that is unusual about VAT: that is asked before it is booked.
      return { kind: 'invoice', id: await createDraft(tx, proposed.draft, actor) };
    case 'purchase':
      return { kind: 'purchase', id: await writeInvoice(tx, null, proposed.invoice, actor) };
    default:
      return proposed satisfies never;
  }
}

/** On the bank's own day. */
async function book(
  tx: Tx,
  transactionId: string,
  target: ProposedMatch,
  { today, actor }: Deciding,
): Promise<string> {
  if (target.kind === 'voucher') {
    await matchTransaction(tx, { transactionId, voucherId: target.id }, actor);
    return target.id;
  }
  const { booked_on: date } = await getBankTransaction(tx, transactionId);
  const row = { transactionId, date, today };
  if (target.kind === 'account') {
    const { account, description, series } = target;
    const direct = { ...row, account, description, series, counterparty: null };
    return bookDirectly(tx, direct, actor);
  }
  return payDocument(tx, { ...row, kind: target.kind, documentId: target.id }, actor);
}
