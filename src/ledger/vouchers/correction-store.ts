import { type Db, databaseErrorOf, type Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import { refuse } from '../../lib/errors.ts';

/** A voucher as a link shows it. */
export interface VoucherLabel {
  id: string;
  label: string;
  date: string;
}

/** A correction that a voucher has a part in. */
export interface Correction {
  corrected: VoucherLabel;
  reversal: VoucherLabel;
  replacement: VoucherLabel | null;
  created_at: Date;
  created_by: string;
}

/** Every correction that the voucher is a part of: corrected, taking back, or standing in its place. */
export function listCorrections(db: Db, voucherId: string): Promise<Correction[]> {
  const label = (column: 'corrected_id' | 'reversal_id' | 'replacement_id') => {
    const id =
      column === 'corrected_id'
        ? sql`c.corrected_id`
        : column === 'reversal_id'
          ? sql`c.reversal_id`
          : sql`c.replacement_id`;
    return sql`(select json_build_object('id', v.id, 'label', v.series || v.number,
      'date', v.verification_date) from ledger.vouchers v where v.id = ${id})`;
  };
  return db.query(sql`select ${label('corrected_id')} as corrected, ${label('reversal_id')} as reversal,
      ${label('replacement_id')} as replacement, c.created_at, c.created_by
    from ledger.corrections c
    where c.corrected_id = ${voucherId}::uuid or c.reversal_id = ${voucherId}::uuid
      or c.replacement_id = ${voucherId}::uuid
    order by c.created_at, c.corrected_id`);
}

/**
 * Holds the accounts of the bank's rows that a voucher books, which follow its correction (bank.follow_corrections): before
 * any series, as whoever books rows does.
 */
export async function lockAccountsOfRows(tx: Tx, voucherId: string): Promise<void> {
  await tx.query(sql`select from bank.accounts a
    where exists (select from bank.transactions t where t.account_id = a.id and t.voucher_id = ${voucherId}::uuid)
    order by a.id for update`);
}

/** Throws 422 when the voucher has been taken back already, also by somebody at the same moment. */
export async function insertCorrection(
  tx: Tx,
  correction: {
    readonly correctedId: string;
    readonly reversalId: string;
    readonly replacementId: string | null;
  },
  actor: string,
): Promise<void> {
  const { correctedId, reversalId, replacementId } = correction;
  try {
    await tx.query(sql`insert into ledger.corrections (corrected_id, reversal_id, replacement_id,
        created_by)
      values (${correctedId}, ${reversalId}, ${replacementId}, ${actor})`);
  } catch (error) {
    const { constraint } = databaseErrorOf(error) ?? {};
    if (constraint === 'corrections_of_settlements_move_vat') {
      throw refuse('unprocessable', [{ path: 'rows', reason: 'in_place_of_settlement' }]);
    }
    if (constraint !== 'corrections_pkey') throw error;
    throw refuse('unprocessable', [
      { path: '', reason: 'already_corrected', params: { by: null } },
    ]);
  }
}
