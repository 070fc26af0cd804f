/** Books that have nothing but imports, emptied. */
import { type Db, databaseErrorOf, type Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import { type Fault, refuse } from '../../lib/errors.ts';
import { toldFaults } from '../vouchers/refusals.ts';

/** Empty before the company is set up. */
export async function getCompanyName(db: Db): Promise<string> {
  const [company] = await db.query<{ name: string }>(sql`select name from restricted.company`);
  return company?.name ?? '';
}

/** Why the books cannot be begun anew; null when they can. */
export async function findAnewProblem(db: Db): Promise<Fault | undefined> {
  const problems = await db.query<{ problem: object }>(
    sql`select p.problem from ledger.anew_problem() as p (problem) where p.problem is not null`,
  );
  return toldFaults({ problems: problems.map(({ problem }) => problem) })[0];
}

export interface BegunAnew {
  readonly vouchers: number;
  readonly imports: number;
  /** The fiscal years that imports had made, and that are gone. */
  readonly years: readonly number[];
}

/** Throws `unprocessable` with what stands in the way. */
export async function emptyBooks(tx: Tx, company: string, actor: string): Promise<BegunAnew> {
  // Some 30 µs a voucher: many take longer than any other statement of a page's may.
  await tx.query(sql`set local statement_timeout = '10min'`);
  try {
    const [done] = await tx.query<{ vouchers: bigint; imports: bigint; years: number[] }>(
      sql`select vouchers, imports, years from ledger.begin_anew(${company}, ${actor})`,
    );
    return {
      vouchers: Number(done?.vouchers ?? 0n),
      imports: Number(done?.imports ?? 0n),
      years: done?.years ?? [],
    };
  } catch (error) {
    const { constraint, detail } = databaseErrorOf(error) ?? {};
    if (constraint !== 'anew_only_of_imports') throw error;
    const problems = [JSON.parse(String(detail))];
    throw refuse('unprocessable', toldFaults({ problems }), { cause: error });
  }
}
