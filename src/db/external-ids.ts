/** What other systems call the things of a register: no two of it are called alike, which the database holds. */
import { refuse } from '../lib/errors.ts';
import { databaseErrorOf } from './pool.ts';

/** Does what may give a record a name from outside; throws `unprocessable` when another of its register has it. */
export async function refusingTakenName<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!databaseErrorOf(error)?.constraint?.endsWith('_external_id_key')) throw error;
    throw refuse('unprocessable', [{ path: 'externalId', reason: 'external_id_taken' }]);
  }
}
