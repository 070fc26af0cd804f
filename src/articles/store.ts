import type { Tx } from '../db/pool.ts';
import { sql } from '../db/sql.ts';

export interface NewArticle {
  readonly number: string;
  readonly description: string;
  readonly supply: 'goods' | 'services';
  /** Null follows the rate and where the buyer is. */
  readonly account: number | null;
  readonly isActive?: boolean;
}

export async function insertArticle(tx: Tx, article: NewArticle): Promise<void> {
  const { number, description, supply, account, isActive = true } = article;
  await tx.query(sql`insert into sales.articles (number, description, supply, account, is_active)
    values (${number}, ${description}, ${supply}, ${account}, ${isActive})`);
}
