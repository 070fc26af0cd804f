/** What a loss on an invoice is booked as, on the books as they stand. */
import type { Db } from '../../db/pool.ts';
import type { Ore } from '../../domain/basics/money.ts';
import type { PostingRow } from '../../domain/ledger/voucher.ts';
import { lossRows } from '../../domain/sales/bad-debt.ts';
import { getClaim, listLostRows, listTaxedShares } from './loss-store.ts';

/** The rows of a loss beside receivables. `paidOre` is what settles the invoice by the same voucher. */
export async function postLoss(
  db: Db,
  invoiceId: string,
  loss: { readonly lossOre: Ore; readonly paidOre: Ore; readonly account: number },
): Promise<PostingRow[]> {
  const take = await lossTaker(db, invoiceId, loss.account);
  return take(loss.lossOre, loss.paidOre);
}

/** The same, for whoever decides the amounts without the books at hand. */
export async function lossTaker(
  db: Db,
  invoiceId: string,
  account: number,
): Promise<(lossOre: Ore, paidOre: Ore) => PostingRow[]> {
  const claim = await getClaim(db, invoiceId);
  const shares = await listTaxedShares(db, invoiceId);
  const lost = await listLostRows(db, invoiceId);
  return (lossOre, paidOre) =>
    lossRows({ ...claim, lossOre, account, paidOre: claim.paidOre + paidOre, shares, lost });
}
