/**
 * An order or a refund sent again with other content: its number has become an invoice, which the new content changes
 * nothing of. Its sender hears in what it differs, since whoever meant to change it would else believe that it was done.
 */
import { db, type Pool } from '../../db/pool.ts';
import { differingFields, findJsonProblems, parseJson } from '../../domain/basics/json.ts';
import { noteChangedOrder } from '../../intake/orders/change-store.ts';
import { type FirstBody, listFirstBodies, type ReceivedOrder } from '../../intake/orders/store.ts';
import { createOutcomeReader } from '../outcomes.ts';

/**
 * The top-level fields in which it differs from what its invoice was made of; none when only its form does. What differs
 * is kept for people to see.
 */
export type CompareWithFirst = (
  received: Pick<ReceivedOrder, 'keyHash' | 'raw' | 'requestId'>,
  orderId: string,
) => Promise<readonly string[]>;

/** The same, however they are spelt: else it would be another order. */
const numbers: ReadonlySet<string> = new Set(['externalId', 'refundId']);

/** Bodies may be a megabyte each. */
const bodiesAtOnce = 8;

export function createComparison(pool: Pool): CompareWithFirst {
  const read = createOutcomeReader<
    { readonly keyHash: Buffer; readonly orderId: string },
    FirstBody
  >('first bodies', (orders) => listFirstBodies(db(pool), orders), bodiesAtOnce);
  return async ({ keyHash, raw, requestId }, orderId) => {
    const { body } = await read({ keyHash, orderId });
    if (!body) return [];
    const { text, value } = parseJson(raw);
    // What no order could be read from, nested without end perhaps, is not compared field by field.
    const fields =
      findJsonProblems(text, value).length > 0
        ? Object.keys(value as object).sort()
        : differingFields(parseJson(body).value, value);
    const differing = fields.filter((field) => !numbers.has(field));
    if (differing.length > 0) {
      const change = { keyHash, orderId, raw, fields: differing, requestId };
      await noteChangedOrder(db(pool), change);
    }
    return differing;
  };
}

/** As an answer has it, beside `duplicate`. */
export const differenceOf = (fields: readonly string[]) =>
  fields.length > 0 ? { differingFields: [...fields] } : {};
