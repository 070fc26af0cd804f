/** What was wrong with an order, as the intake worker stored it, in words. */
import type { Fault } from '../lib/errors.ts';
import { fieldName } from '../lib/sentences/order-fields.ts';
import { sentenceFor } from '../lib/sentences/say.ts';

export interface ShownProblem {
  /** The field, in words; nothing when the sentence begins with it. */
  readonly field: string;
  readonly reason: string;
  readonly message: string;
}

export function shownProblems(stored: unknown): ShownProblem[] {
  if (!Array.isArray(stored)) return [];
  return (stored as Fault[]).map((fault) => {
    const [name, message] = [fieldName(fault.path), sentenceFor('page', fault)];
    return { field: message.startsWith(name) ? '' : name, reason: fault.reason, message };
  });
}
