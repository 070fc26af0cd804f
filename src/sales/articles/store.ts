/** The article register: what is sold, and on which account. */
import { recordEvent } from '../../audit/store.ts';
import { refusingTakenName } from '../../db/external-ids.ts';
import { type Db, databaseErrorOf, type Tx } from '../../db/pool.ts';
import { anywhere, join, type Sql, sql } from '../../db/sql.ts';
import { plainExternalId } from '../../domain/basics/identifiers.ts';
import type { Supply } from '../../domain/sales/buyer.ts';
import { isGiftCardAccount } from '../../domain/sales/gift-card.ts';
import { faultOf, refuse, refuseWhole } from '../../lib/errors.ts';

export interface ArticleFacts {
  readonly description: string;
  readonly supply: Supply;
  /** Overrides the account that buyer and VAT rate would give; null leaves it to them. */
  readonly account: number | null;
  /** Without VAT, in ten-thousandths of a krona. */
  readonly unitPriceE4: bigint | null;
  readonly unit: string | null;
  /** As another system calls it, when that is not by its number; in its one spelling (`plainExternalId`). */
  readonly externalId: string | null;
}

export interface Article {
  number: string;
  description: string;
  supply: Supply;
  account: number | null;
  account_name: string | null;
  unit_price_e4: bigint | null;
  unit: string | null;
  external_id: string | null;
  is_active: boolean;
}

const columns = sql`a.number, a.description, a.supply, a.account, k.name as account_name,
  a.unit_price_e4, a.unit, a.external_id, a.is_active`;

/** At most `limit` + 1 articles by number after `after`; `search` is part of number or description. */
export function listArticles(
  db: Db,
  { search, isActive }: { readonly search: string; readonly isActive: boolean | null },
  after: string | undefined,
  limit: number,
): Promise<Article[]> {
  const conditions: Sql[] = [sql`true`];
  if (isActive !== null) conditions.push(sql`a.is_active = ${isActive}`);
  if (search !== '') {
    const part = anywhere(search);
    conditions.push(sql`(lower(a.number) like ${part} or lower(a.description) like ${part}
      or a.external_id = ${plainExternalId(search)})`);
  }
  if (after !== undefined) conditions.push(sql`a.number > ${after}`);
  return db.query(
    sql`select ${columns} from sales.articles a left join ledger.accounts k on k.number = a.account
        where ${join(conditions, sql` and `)} order by a.number limit ${limit + 1}`,
  );
}

/** Throws 404 when there is none. */
export async function getArticle(db: Db, number: string): Promise<Article> {
  const [article] = await db.query<Article>(
    sql`select ${columns} from sales.articles a left join ledger.accounts k on k.number = a.account
        where a.number = ${number}`,
  );
  if (!article) throw refuseWhole('not_found', 'no_article');
  return article;
}

/** Whether an invoice names it; then it is kept. */
export async function isArticleUsed(db: Db, number: string): Promise<boolean> {
  const [used] = await db.query<{ is_used: boolean }>(
    sql`select exists (select from sales.invoice_rows where article_number = ${number}) as is_used`,
  );
  return used?.is_used ?? false;
}

export async function createArticle(
  tx: Tx,
  number: string,
  facts: ArticleFacts,
  actor: string,
): Promise<void> {
  await refuseWrongAccount(tx, facts.account);
  try {
    await refusingTakenName(() =>
      tx.query(sql`insert into sales.articles (number, description, supply, account,
        unit_price_e4, unit, external_id)
      values (${number}, ${facts.description}, ${facts.supply}, ${facts.account},
        ${facts.unitPriceE4}, ${facts.unit}, ${facts.externalId})`),
    );
  } catch (error) {
    if (databaseErrorOf(error)?.constraint !== 'articles_pkey') throw error;
    throw refuse('unprocessable', [
      { path: 'number', reason: 'article_taken', params: { number } },
    ]);
  }
  await recordEvent(tx, { actor, action: 'article.created', subject: number });
}

/** Changes what new rows get; rows that are written keep what they have. */
export async function changeArticle(
  tx: Tx,
  number: string,
  facts: ArticleFacts & { readonly isActive: boolean },
  actor: string,
): Promise<void> {
  const { account } = await getArticle(tx, number);
  if (facts.account !== account) await refuseWrongAccount(tx, facts.account);
  await refusingTakenName(() =>
    tx.query(sql`update sales.articles set description = ${facts.description},
      supply = ${facts.supply}, account = ${facts.account}, unit_price_e4 = ${facts.unitPriceE4},
      unit = ${facts.unit}, external_id = ${facts.externalId}, is_active = ${facts.isActive}
    where number = ${number}`),
  );
  const detail = { is_active: facts.isActive, external_id: facts.externalId };
  await recordEvent(tx, { actor, action: 'article.changed', subject: number, detail });
}

/** What another system calls it; null when none does any more. Throws 422 when another article is called so. */
export async function nameArticleOutside(
  tx: Tx,
  number: string,
  externalId: string | null,
  actor: string,
): Promise<void> {
  await getArticle(tx, number);
  await refusingTakenName(() =>
    tx.query(sql`update sales.articles set external_id = ${externalId} where number = ${number}`),
  );
  const detail = { external_id: externalId };
  await recordEvent(tx, { actor, action: 'article.changed', subject: number, detail });
}

export async function removeArticle(tx: Tx, number: string, actor: string): Promise<void> {
  try {
    await tx.query(sql`delete from sales.articles where number = ${number}`);
  } catch (error) {
    if (databaseErrorOf(error)?.constraint !== 'articles_in_use') throw error;
    throw refuse('unprocessable', [{ path: '', reason: 'article_in_use' }]);
  }
  await recordEvent(tx, { actor, action: 'article.removed', subject: number });
}

/** Sales are booked on revenue accounts that are in use, gift cards on theirs. */
async function refuseWrongAccount(tx: Tx, account: number | null): Promise<void> {
  if (account === null) return;
  const [found] = await tx.query<{ type: string; is_active: boolean }>(
    sql`select type, is_active from ledger.accounts where number = ${account}`,
  );
  const reason = !found
    ? 'unknown_account'
    : found.type !== 'revenue' && !isGiftCardAccount(account)
      ? 'not_a_revenue_account'
      : !found.is_active
        ? 'inactive_account'
        : null;
  if (reason === null) return;
  throw refuse('unprocessable', [faultOf('account', reason, { account })]);
}
