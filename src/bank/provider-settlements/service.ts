/** Booking what a provider of payments says of a payout: by one voucher, once, whatever way it comes. */
import { ruleOnCall } from '../../access/keys/order-of-refusals.ts';
import { callRefusal, type WriteCall } from '../../access/keys/write-calls.ts';
import { recordEvent } from '../../audit/store.ts';
import { databaseErrorOf, db, type Pool, type RunWriting, type Tx } from '../../db/pool.ts';
import { canonicalJson } from '../../domain/basics/json.ts';
import { capProblems, futureProblems } from '../../domain/basics/problems.ts';
import { checkVoucher } from '../../domain/ledger/voucher.ts';
import {
  type ProviderSettlement,
  settlementProblems,
  settlementRows,
} from '../../domain/purchases/provider-settlement.ts';
import { ledgerRefusal } from '../../ledger/vouchers/refusals.ts';
import { jsonOf, movingFaults, refuse } from '../../lib/errors.ts';
import { sha256Of } from '../../lib/sha256.ts';
import { uuid } from '../../lib/uuid.ts';
import {
  type PlannedSettlement,
  setPaidOut,
  type TakenSettlement,
  takeSettlement,
  takeSettlementOfCall,
} from './store.ts';

export interface BookedSettlement {
  readonly id: string;
  readonly voucherId: string;
  readonly voucher: string;
  /** The same has come before, by another call or way. */
  readonly isKnown: boolean;
  readonly isReplayed: boolean;
}

/** What a provider has said, and the bytes by which it came; null of what somebody has typed. */
export interface SentSettlement {
  readonly settlement: ProviderSettlement;
  readonly document: Buffer | null;
}

/** Throws 422 with all that is wrong. */
export async function postSettlement(
  pool: Pool,
  call: WriteCall & SentSettlement & { readonly run: RunWriting },
  today: string,
): Promise<BookedSettlement> {
  const planned = await ruleOnCall(db(pool), { route: 'POST /api/v1/avrakning', call }, () =>
    plan(call, today),
  );
  return call.run(pool, async (tx) => {
    const taken = await takeSettlementOfCall(tx, call, planned);
    if (taken.outcome === 'refused') throw callRefusal(taken.refusal, call.request);
    return booked(taken, planned);
  });
}

/** As a person, or the owner of the database; throws as `postSettlement`. */
export async function addSettlement(
  tx: Tx,
  sent: SentSettlement,
  { today, actor }: { readonly today: string; readonly actor: string },
): Promise<BookedSettlement> {
  const planned = plan(sent, today);
  return booked(await takeSettlement(tx, planned, actor), planned);
}

function plan({ settlement, document }: SentSettlement, today: string): PlannedSettlement {
  const problems = [
    ...futureProblems('date', settlement.day, today),
    ...settlementProblems(settlement),
  ];
  const rows = settlementRows(settlement);
  // Lines that cancel each other out, or come to more than a voucher holds.
  const beyond = problems.length > 0 ? [] : checkVoucher(rows);
  problems.push(...beyond.map((fault) => ({ ...fault, path: 'lines' })));
  if (problems.length > 0) throw refuse('unprocessable', capProblems(problems));
  // By which it is known again, whatever the case.
  const name = {
    provider: settlement.provider.toLowerCase(),
    number: settlement.number.toLowerCase(),
  };
  return {
    id: uuid(),
    voucherId: uuid(),
    settlement,
    contentHash: sha256Of(canonicalJson(JSON.parse(jsonOf({ ...settlement, ...name })))),
    rows,
    document,
  };
}

function booked(
  taken: TakenSettlement,
  { settlement: { provider, number, lines, account }, rows }: PlannedSettlement,
): BookedSettlement {
  switch (taken.outcome) {
    case 'posted':
    case 'known':
    case 'replayed': {
      const { outcome, ...rest } = taken;
      return { ...rest, isReplayed: outcome === 'replayed' };
    }
    case 'differs': {
      const params = { provider, number };
      throw refuse('unprocessable', [
        { path: 'settlementId', reason: 'settlement_differs', params },
      ]);
    }
    case 'unprocessable':
    case 'period_locked': {
      // A row of the voucher is said at the line whose account it has.
      const pathOf = (path: string): string => {
        const place = /^rows\[(\d+)\]/.exec(path)?.[1];
        if (place === undefined) return path === 'seriesCode' ? 'date' : path;
        const said = rows[Number(place)]?.account;
        const line = lines.findIndex((one) => one.account === said);
        if (line >= 0) return `lines[${line}].account`;
        return said === account ? 'account' : 'lines';
      };
      throw movingFaults(ledgerRefusal(taken.outcome, taken.detail), ({ path }) => pathOf(path));
    }
    case 'refused':
      throw new Error('a command has no key');
  }
}

/** A voucher that a person names has brought the payout. Throws 422 when it does not, or when another has. */
export async function sayPaidOut(
  tx: Tx,
  paid: { readonly settlementId: string; readonly voucherId: string },
  actor: string,
): Promise<void> {
  const count = await setPaidOut(tx, [paid]).catch((error) => {
    const { constraint = '' } = databaseErrorOf(error) ?? {};
    throw refusals.has(constraint) ? notPaidOut() : error;
  });
  if (count === 0) throw notPaidOut();
  await recordEvent(tx, {
    actor,
    action: 'provider_settlement.paid',
    subject: paid.settlementId,
    detail: { voucher_id: paid.voucherId },
  });
}

const refusals = new Set(['settlements_are_paid_out', 'provider_settlements_payout_once']);
const notPaidOut = () => refuse('unprocessable', [{ path: 'voucher', reason: 'not_the_payout' }]);
