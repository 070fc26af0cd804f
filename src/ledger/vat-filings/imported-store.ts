/** Imported vouchers that look as if they settled VAT, and what people have said of them. */
import { type Db, databaseErrorOf, type Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { DateSpan } from '../../domain/ledger/vat-deadlines.ts';
import { refuseWhole } from '../../lib/errors.ts';
import { brief, type VoucherInBrief } from './voucher-store.ts';

export interface SettlementProposal extends VoucherInBrief {
  /** What it takes from 2610–2649, credit less debit. */
  readonly ore: bigint;
  /** The period that it probably settles: the one it stands on the last day of, or else the latest that had ended. */
  readonly end: string | null;
}

/**
 * They move VAT to where it is paid from (2650, 1650, 1630), and no sale or purchase is in them. Nothing follows from it
 * until a person has said which they are. Of the days, or of all when none are given.
 */
export function listSettlementProposals(db: Db, days?: DateSpan): Promise<SettlementProposal[]> {
  const within = days
    ? sql`and v.verification_date between ${days.start}::date and ${days.end}::date`
    : sql``;
  return db.query<SettlementProposal>(
    sql`select ${brief}, looks.ore,
          (select max(m.last) from (
              select (date_trunc('month', v.verification_date + 1) - make_interval(months => back))::date - 1 as last
              from generate_series(0, 17) as back) as m
            where ledger.vat_period_start(m.last) is not null) as "end"
        from ledger.imported_vouchers i
        join ledger.vouchers v on v.id = i.voucher_id and v.source = 'import'
        cross join lateral (
          select sum(r.credit_ore - r.debit_ore) filter (where ledger.is_vat_account(r.account))::bigint as ore
          from ledger.voucher_rows r where r.voucher_id = v.id
          having bool_or(ledger.is_vat_account(r.account)) and bool_or(r.account in (1630, 1650, 2650))
            and bool_and(r.account < 3000 or r.account between 3740 and 3749)) as looks
        where exists (select from ledger.voucher_rows r where r.voucher_id = v.id and r.account in (1630, 1650, 2650))
          and not exists (select from ledger.settlement_judgements j where j.voucher_id = v.id) ${within}
          -- What was taken back settles nothing, and neither does the taking back.
          and not exists (select from ledger.corrections c where v.id in (c.corrected_id, c.reversal_id))
        order by v.verification_date, v.series, v.number limit 200`,
  );
}

export interface JudgedVoucher extends VoucherInBrief {
  /** The period it settles; null where it is no settlement. */
  readonly end: string | null;
}

export function listJudged(db: Db): Promise<JudgedVoucher[]> {
  return db.query<JudgedVoucher>(
    sql`select ${brief}, j.period_end as "end"
        from ledger.settlement_judgements j join ledger.vouchers v on v.id = j.voucher_id
        order by v.verification_date, v.series, v.number`,
  );
}

export async function insertJudgement(
  tx: Tx,
  { voucherId, end }: { readonly voucherId: string; readonly end: string | null },
  actor: string,
): Promise<void> {
  try {
    await tx.query(sql`insert into ledger.settlement_judgements (voucher_id, period_end, created_by)
      values (${voucherId}::uuid, ${end}::date, ${actor})`);
  } catch (error) {
    const { constraint } = databaseErrorOf(error) ?? {};
    if (constraint === 'settlement_judgements_pkey') {
      throw refuseWhole('unprocessable', 'settlement_judged_already');
    }
    if (constraint === 'settlement_judgements_mend_nothing') {
      throw refuseWhole('unprocessable', 'settlement_mends');
    }
    if (constraint === 'settlement_judgements_move_vat') {
      throw refuseWhole('unprocessable', 'settlement_moves_more');
    }
    if (constraint !== 'settlement_judgements_are_of_imports') throw error;
    throw refuseWhole('unprocessable', 'not_an_imported_settlement', { end: end ?? '' });
  }
}

/** Whether anything had been said. */
export async function deleteJudgement(tx: Tx, voucherId: string): Promise<boolean> {
  const gone = await tx.query(
    sql`delete from ledger.settlement_judgements where voucher_id = ${voucherId}::uuid returning voucher_id`,
  );
  return gone.length > 0;
}
