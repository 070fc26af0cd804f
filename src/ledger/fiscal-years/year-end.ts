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
import { amountText } from '../../lib/swedish.ts';
import { lockLedger } from '../locks/store.ts';
import { lockOfFixedDay } from '../vouchers/refusals.ts';
import { type PostedAppVoucher, postAppVoucher } from '../vouchers/service.ts';
import { requireEnded } from './service.ts';
import { type FiscalYear, getOrganizationNumber, getYear, listResultBalances } from './store.ts';

/** In hundredths of a per cent, of a year whose rate is not known here. */
export type StatedRates = Readonly<Partial<Record<Adjustment, bigint | null>>>;

/** None for a sole trader, who pays these taxes as a person (`adjustmentsOf`). Throws 404 when there is no such year. */
export async function listProposals(
  db: Db,
  year: number,
  stated: StatedRates = {},
): Promise<Proposal[]> {
  const borne = adjustmentsOf(await getOrganizationNumber(db));
  const span = await getYear(db, year);
  const balances = await listResultBalances(db, span);
  return borne.map((adjustment) =>
    propose(adjustment, span.start, balances, stated[adjustment] ?? null),
  );
}

export interface BookedAdjustment {
  readonly year: number;
  readonly adjustment: Adjustment;
  readonly series: string;
  readonly credit: number;
  readonly amountOre: Ore;
  /** In hundredths of a per cent; null unless the year's rate is not known here and whoever books it states it. */
  readonly statedE2: bigint | null;
  /** What was booked of it when whoever books it looked: otherwise two would book the same. */
  readonly seenOre: Ore;
  readonly description: string;
}

/** Books one of them. Throws 422 for who does not bear it, before the year has ended, and when somebody else was first. */
export async function bookAdjustment(
  tx: Tx,
  { year, adjustment, series, credit, amountOre, statedE2, seenOre, description }: BookedAdjustment,
  { today, actor }: { readonly today: string; readonly actor: string },
): Promise<PostedAppVoucher> {
  await lockLedger(tx);
  const span: FiscalYear = await getYear(tx, year);
  requireEnded(span, year, today);
  const proposals = await listProposals(tx, year, { [adjustment]: statedE2 });
  const proposal = proposals.find((one) => one.adjustment === adjustment);
  if (!proposal) throw refuseWhole('unprocessable', 'taxed_as_a_person');
  if (proposal.bookedOre !== seenOre) {
    throw refuseWhole('unprocessable', 'year_end_changed_meanwhile');
  }
  const { debit, credit: owed } = kinds[adjustment];
  const faults: Fault[] = [];
  const { source, percentE2 } = proposal;
  if (statedE2 !== null && source !== null) {
    faults.push({
      path: 'rate',
      reason: 'year_end_rate_known',
      params: { percent: amountText(percentE2 ?? 0n) },
    });
  } else if (statedE2 !== null && (statedE2 <= 0n || statedE2 > 10_000n)) {
    faults.push({ path: 'rate', reason: 'year_end_rate_outside' });
  } else if (percentE2 === null && adjustment === 'tax_allocation') {
    faults.push({
      path: 'rate',
      reason: 'year_end_rate_unknown',
      params: { yearStart: span.start },
    });
  }
  if (credit < owed.from || credit > owed.to) {
    faults.push({ path: 'credit', reason: 'no_allocation_account', params: { account: credit } });
  }
  if (amountOre <= 0n) faults.push({ path: 'amount', reason: 'amount_not_above_zero' });
  const isTooMuch =
    percentE2 !== null && adjustment === 'tax_allocation' && amountOre > proposal.proposedOre;
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
  ).catch((error: unknown) => {
    throw lockOfFixedDay(error, span.end);
  });
  await recordEvent(tx, {
    actor,
    action: 'fiscal_year.adjustment_booked',
    subject: String(year),
    detail: {
      voucher_id: posted.id,
      number: posted.number,
      adjustment,
      ...(statedE2 === null ? {} : { stated_percent: Number(statedE2) / 100 }),
    },
  });
  return posted;
}
