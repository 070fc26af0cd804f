/**
 * Books that hold nothing but what came out of SIE files, emptied so that the company can begin anew: after a
 * first try with the wrong file, before anything rests on it.
 */
import type { Tx } from '../../db/pool.ts';
import { refuse } from '../../lib/errors.ts';
import { type BegunAnew, emptyBooks, getCompanyName } from './anew-store.ts';
import { requireTurn } from './importing.ts';

/**
 * `typed` is the company's name, by which the owner shows that they mean it. The second time nothing is left to
 * do. Throws `unprocessable` with what stands in the way: vouchers of its own, or what rests on the imported.
 */
export async function beginAnew(tx: Tx, typed: string, actor: string): Promise<BegunAnew> {
  const company = await getCompanyName(tx);
  if (typed.trim() !== company.trim()) {
    const params = { company };
    throw refuse('invalid_request', [{ path: 'typed', reason: 'anew_not_confirmed', params }]);
  }
  await requireTurn(tx);
  return emptyBooks(tx, company, actor);
}
