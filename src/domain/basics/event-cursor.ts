/** Where in the events a reader stands. Opaque to callers. */
import { refuse } from '../../lib/errors.ts';

/** The order of events: epoch of the history, transaction, place in it. */
export interface EventPlace {
  readonly epoch: number;
  /** The run of the server that wrote the epoch: another history may have one of the same number. */
  readonly run: bigint;
  /** A 64-bit transaction number, in decimal. */
  readonly xid: string;
  readonly seq: bigint;
}

export const beginning: EventPlace = { epoch: 0, run: 0n, xid: '0', seq: 0n };

const form = /^(\d{1,9})\.(\d{1,18})\.(\d{1,18})\.(\d{1,18})$/;

export function encodePlace({ epoch, run, xid, seq }: EventPlace): string {
  return Buffer.from(`${epoch}.${run}.${xid}.${seq}`).toString('base64url');
}

export function decodePlace(cursor: string): EventPlace {
  const [, epoch, run, xid, seq] =
    form.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (epoch === undefined || run === undefined || xid === undefined || seq === undefined) {
    throw refuse('invalid_request', [{ path: 'cursor', reason: 'unreadable_cursor' }]);
  }
  return { epoch: Number(epoch), run: BigInt(run), xid, seq: BigInt(seq) };
}
