/** The refusal of a call that there is no room for: at once, and with nothing of it done. */
import { AppError } from '../../lib/errors.ts';

/** What stopped it. */
export const limits = {
  calls: 'Antalet anrop som behandlas samtidigt, eller avsändarens andel av det',
  bytes: 'Antalet byte som hålls i minnet samtidigt, eller avsändarens andel av dem',
  readers: 'Antalet läsningar som väntar på sin tur, eller avsändarens andel av det',
  waiting_time: 'Tiden som ett anrop får vänta på sin tur',
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
