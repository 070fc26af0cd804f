/** Until which day the bank has told of its accounts. */
import type { Db } from '../../db/pool.ts';
import type { BankTold } from '../../domain/sales/reminding.ts';
import { countUnmatched, listTold } from './told-store.ts';

export interface BankNews {
  readonly accounts: readonly BankTold[];
  /** Money in that nobody has matched: what it pays is reminded of untruly. */
  readonly unmatchedIn: number;
}

export async function getBankNews(db: Db): Promise<BankNews> {
  return { accounts: await listTold(db), unmatchedIn: await countUnmatched(db, 'in') };
}
