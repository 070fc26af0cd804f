/** Rules for rows of the bank, as kept. */
import { type Db, databaseErrorOf, type Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { MatchRule } from '../../domain/ledger/bank-matching/match.ts';
import { faultOf, refuse } from '../../lib/errors.ts';

export interface ListedRule {
  id: string;
  text: string;
  direction: MatchRule['direction'];
  account: number;
  account_name: string;
}

export function listRules(db: Db): Promise<ListedRule[]> {
  return db.query(sql`select r.id, r.text, r.direction, r.account, a.name as account_name
    from bank.rules r join ledger.accounts a on a.number = r.account order by lower(r.text), r.id`);
}

/** Throws 422 when there is one of the same text and direction, or no such account. */
export async function insertRule(
  tx: Tx,
  { id, text, direction, account }: Omit<MatchRule, 'isLearnt'>,
  actor: string,
): Promise<void> {
  try {
    await tx.query(sql`insert into bank.rules (id, text, direction, account, created_by)
      values (${id}, ${text}, ${direction}, ${account}, ${actor})`);
  } catch (error) {
    const constraint = databaseErrorOf(error)?.constraint;
    if (constraint === 'rules_once') {
      throw refuse('unprocessable', [faultOf('text', 'bank_rule_exists')]);
    }
    if (constraint !== 'rules_account_fkey') throw error;
    throw refuse('unprocessable', [faultOf('account', 'unknown_account', { account })]);
  }
}

/** What it was; undefined when there is none. */
export async function deleteRule(
  tx: Tx,
  id: string,
): Promise<{ text: string; account: number } | undefined> {
  const [removed] = await tx.query<{ text: string; account: number }>(
    sql`delete from bank.rules where id = ${id}::uuid returning text, account`,
  );
  return removed;
}
