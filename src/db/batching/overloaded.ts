/** The refusal of a call that there is no room for: at once, and with nothing of it done. */
import { AppError } from '../../lib/errors.ts';

/** What stopped it. */
export const limits = {
  calls: 'How many calls are processed at once, or the part of them that is the sender’s',
  bytes: 'How many bytes are held in memory at once, or the part of them that is the sender’s',
  readers: 'How many readings wait for their turn, or the part of them that is the sender’s',
  waiting_time: 'How long a call may wait for its turn',
} as const;
export type Limit = keyof typeof limits;

/** Waiting has no point for longer than a moment: what holds others up is gone, or stays. */
const retryAfterSeconds = 1;

export class Overloaded extends AppError {
  readonly limit: Limit;

  constructor(limit: Limit) {
    super('overloaded', 'Servern har mycket att göra just nu; försök igen strax.', {
      headers: { 'retry-after': String(retryAfterSeconds) },
      detail: { limit },
    });
    this.limit = limit;
  }
}
