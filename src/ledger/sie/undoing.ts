/** An import taken back: every voucher of it by one of its own, linked both ways, and never by removal (BFL 5:5). */
import { recordEvent } from '../../audit/store.ts';
import type { Tx } from '../../db/pool.ts';
import { reverseRows } from '../../domain/ledger/reversal.ts';
import { cut } from '../../domain/ledger/sie/importing.ts';
import { refuse } from '../../lib/errors.ts';
import { uuid } from '../../lib/uuid.ts';
import { ledgerRowOf } from '../vouchers/corrections.ts';
import { type LedgerVoucher, postToLedger } from '../vouchers/posting-store.ts';
import { ledgerRefusal } from '../vouchers/refusals.ts';
import { requireTurn } from './importing.ts';
import {
  getImport,
  insertReversals,
  listRowsToReverse,
  listVouchersToReverse,
  setImportUndone,
} from './undo-store.ts';

/** So many are posted in one call of the ledger. */
const vouchersAtOnce = 1_000;

/**
 * Takes back each voucher that nobody has taken back already, in its series and on its own day, so that every
 * balance is as if the file had never come. Throws 422 when it is undone already, or a lock stops a day.
 */
export async function undoImport(
  tx: Tx,
  id: string,
  actor: string,
  progress: (done: number, all: number) => void = () => undefined,
): Promise<{ readonly vouchers: number }> {
  await requireTurn(tx);
  const one = await getImport(tx, id);
  if (one.undone_at !== null)
    throw refuse('unprocessable', [{ path: '', reason: 'import_undone' }]);
  const all = await listVouchersToReverse(tx, id);
  for (let from = 0; from < all.length; from += vouchersAtOnce) {
    const part = all.slice(from, from + vouchersAtOnce);
    const rows = Map.groupBy(
      await listRowsToReverse(
        tx,
        part.map(({ id: voucher }) => voucher),
      ),
      ({ voucher_id }) => voucher_id,
    );
    const reversals = part.map(
      ({
        id: corrected,
        series,
        date,
        label,
        description,
      }): LedgerVoucher & { corrected: string } => ({
        id: uuid(),
        corrected,
        series,
        date,
        description: cut(`Ångrad import av ${label}: ${description}`),
        counterparty: null,
        source: 'reversal',
        actor,
        rows: reverseRows((rows.get(corrected) ?? []).map(ledgerRowOf)),
      }),
    );
    const outcomes = await postToLedger(tx, reversals);
    const stopped = outcomes.find(({ error }) => error !== null);
    if (stopped?.error) throw ledgerRefusal(stopped.error, stopped.detail ?? {});
    await insertReversals(
      tx,
      reversals.map(({ id: reversal, corrected }) => ({ reversal, corrected })),
      actor,
    );
    progress(Math.min(from + vouchersAtOnce, all.length), all.length);
  }
  await setImportUndone(tx, id);
  const detail = { file_name: one.file_name, vouchers: all.length };
  await recordEvent(tx, { actor, action: 'sie.import_undone', subject: id, detail });
  return { vouchers: all.length };
}
