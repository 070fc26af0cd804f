/** The buyer of a draft, looked at once more before it is booked: what is frozen is as of that day. */
import type { Tx } from '../../db/pool.ts';
import { fillDebtor, ownDebtor } from '../../domain/sales/debtor.ts';
import {
  listOrderDebtors,
  listVatDoubts,
  noteRefusal,
  type StoredRefusal,
  updateDebtor,
} from './booking-buyer-store.ts';
import { isQuestion } from './refusals.ts';

/** Fills the gaps of order drafts' debtors from the register as it stands now. */
export async function refillDebtors(tx: Tx, draftIds: readonly string[]): Promise<void> {
  for (const { id, register, ...stored } of await listOrderDebtors(tx, draftIds)) {
    const now = fillDebtor(ownDebtor(stored), register);
    const isSame = JSON.stringify(sorted(now)) === JSON.stringify(sorted(stored));
    if (!isSame) await updateDebtor(tx, { id, ...now });
  }
}

const sorted = ({ debtor, filled }: { debtor: object; filled: readonly string[] }) => [
  Object.entries(debtor).sort(([a], [b]) => a.localeCompare(b)),
  [...filled].sort(),
];

/**
 * The drafts that may not be booked because sales without VAT stand on accounts that their buyers
 * speak against, each with its reason written on it. What is only unusual may be confirmed by a person.
 */
export async function refuseDoubtfulSales(
  tx: Tx,
  draftIds: readonly string[],
): Promise<Map<string, StoredRefusal>> {
  const doubts = (await listVatDoubts(tx, draftIds)).filter(
    ({ is_confirmed, problem }) => !(is_confirmed && isQuestion(problem.reason)),
  );
  const refusals = new Map(
    [...Map.groupBy(doubts, ({ invoice_id }) => invoice_id)].map(([id, ofDraft]) => {
      const problems = ofDraft.map(({ problem }) => problem);
      return [id, { error: 'unprocessable', detail: { problems } } as const];
    }),
  );
  for (const [id, refusal] of refusals) await noteRefusal(tx, id, refusal);
  return refusals;
}
