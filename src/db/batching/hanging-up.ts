/**
 * Senders that hang up before their answer. Nobody hears what is done for them, and they will send it again:
 * what has not begun is left, so that it delays nobody who waits.
 */
import { AppError } from '../../lib/errors.ts';

export type HasHungUp = () => boolean;

/** What becomes of a call whose sender is gone; nothing of it is done. */
export class HungUp extends AppError {
  constructor() {
    super('request_timeout', 'Avsändaren lade på innan det blev anropets tur; inget är gjort.');
  }
}
