/** The year end step by step: what a company's result bears, proposed and booked on the year's last day. */
import { recordEvent } from '../../audit/store.ts';
import type { Db, Tx } from '../../db/pool.ts';
import type { Ore } from '../../domain/basics/money.ts';
import { refuseAny } from '../../domain/basics/problems.ts';
import {
  type Adjustment,
  adjustmentsOf,
  kinds,
  type Proposal,
  propose,
} from '../../domain/ledger/year-end.ts';
import { type Fault, refuseWhole } from '../../lib/errors.ts';
import { lockLedger } from '../locks/store.ts';
import { type PostedAppVoucher, postAppVoucher } from '../vouchers/service.ts';
import { requireEnded } from './service.ts';
import { type FiscalYear, getOrganizationNumber, getYear, listResultBalances } from './store.ts';

/** None for a sole trader, who pays these taxes as a person (`adjustmentsOf`). Throws 404 when there is no such year. */
export async function listProposals(db: Db, year: number): Promise<Proposal[]> {
  const borne = adjustmentsOf(await getOrganizationNumber(db));
  const span = await getYear(db, year);
  const balances = await listResultBalances(db, span);
  return borne.map((adjustment) => propose(adjustment, span.start, balances));
}

export interface BookedAdjustment {
  readonly year: number;
  readonly adjustment: Adjustment;
  readonly series: string;
  readonly credit: number;
  readonly amountOre: Ore;
  /** What was booked of it when whoever books it looked: otherwise two would book the same. */
  readonly seenOre: Ore;
  readonly description: string;
}

/** Books one of them. Throws 422 for who does not bear it, before the year has ended, and when somebody else was first. */
export async function bookAdjustment(
  tx: Tx,
  { year, adjustment, series, credit, amountOre, seenOre, description }: BookedAdjustment,
  { today, actor }: { readonly today: string; readonly actor: string },
): Promise<PostedAppVoucher> {
  await lockLedger(tx);
  const span: FiscalYear = await getYear(tx, year);
  requireEnded(span, year, today);
  const proposal = (await listProposals(tx, year)).find((one) => one.adjustment === adjustment);
  if (!proposal) throw refuseWhole('unprocessable', 'taxed_as_a_person');
  if (proposal.bookedOre !== seenOre) {
    throw refuseWhole('unprocessable', 'year_end_changed_meanwhile');
  }
  const { debit, credit: owed } = kinds[adjustment];
  const faults: Fault[] = [];
  if (credit < owed.from || credit > owed.to) {
    faults.push({ path: 'credit', reason: 'no_allocation_account', params: { account: credit } });
  }
  if (amountOre <= 0n) faults.push({ path: 'amount', reason: 'amount_not_above_zero' });
  const isTooMuch = adjustment === 'tax_allocation' && amountOre > proposal.proposedOre;
  if (isTooMuch) {
    const params = { mostOre: proposal.proposedOre };
    faults.push({ path: 'amount', reason: 'allocation_too_large', params });
  }
  refuseAny(faults);
  const rows = [
    { account: debit, debitOre: amountOre, creditOre: 0n },
    { account: credit, debitOre: 0n, creditOre: amountOre },
  ];
  const posted = await postAppVoucher(
    tx,
    { series, date: span.end, description, counterparty: null, rows },
    actor,
  );
  await recordEvent(tx, {
    actor,
    action: 'fiscal_year.adjustment_booked',
    subject: String(year),
    detail: { voucher_id: posted.id, number: posted.number, adjustment },
  });
  return posted;
}
