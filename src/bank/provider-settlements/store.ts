/** What providers of payments have said of their payouts. */
import type { CallOutcome, CallRefusal, WriteCall } from '../../access/keys/write-calls.ts';
import type { Db, Tx } from '../../db/pool.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { Ore } from '../../domain/basics/money.ts';
import type { PostingRow } from '../../domain/ledger/voucher.ts';
import type {
  ProviderSettlement,
  SettlementLineKind,
} from '../../domain/purchases/provider-settlement.ts';
import type { LedgerRefusal } from '../../ledger/vouchers/refusals.ts';
import { jsonOf } from '../../lib/errors.ts';

/** A settlement with the voucher that is to book it. */
export interface PlannedSettlement {
  readonly id: string;
  readonly voucherId: string;
  readonly settlement: ProviderSettlement;
  readonly contentHash: Buffer;
  readonly rows: readonly PostingRow[];
  /** The bytes by which it came, which are the voucher's document; null of one that is typed, which is filed beside. */
  readonly document: Buffer | null;
}

export type TakenSettlement =
  | {
      readonly outcome: 'posted' | 'known' | 'replayed';
      readonly id: string;
      readonly voucherId: string;
      readonly voucher: string;
      readonly isKnown: boolean;
    }
  | { readonly outcome: 'differs' }
  | { readonly outcome: LedgerRefusal; readonly detail: Record<string, unknown> }
  | { readonly outcome: 'refused'; readonly refusal: CallOutcome & { outcome: CallRefusal } };

interface Taken extends CallOutcome {
  id: string | null;
  voucher_id: string | null;
  voucher: string | null;
  is_known: boolean | null;
}

/** Of a call with a key. */
export async function takeSettlementOfCall(
  tx: Tx,
  call: WriteCall,
  planned: PlannedSettlement,
): Promise<TakenSettlement> {
  const [taken] =
    await tx.query<Taken>(sql`select outcome, id, voucher_id, voucher, is_known, detail,
      first_request_id, first_seen_at, first_request
    from api.take_provider_settlement(${call.keyHash}, ${call.idempotencyKey}, ${call.requestHash}, ${call.request},
      ${call.requestId}::uuid, ${argumentsOf(planned)})`);
  return outcomeOf(taken);
}

/** Of a person, or of the owner of the database, who says who does it. */
export async function takeSettlement(
  tx: Tx,
  planned: PlannedSettlement,
  actor: string,
): Promise<TakenSettlement> {
  type Outcome = Omit<Taken, 'voucher'>;
  const [taken] =
    await tx.query<Outcome>(sql`select outcome, id, voucher_id, outcome = 'known' as is_known, detail,
      null as first_request_id, null as first_seen_at, null as first_request
    from bank.write_settlement(${argumentsOf(planned)}, ${actor})`);
  // A statement of its own: the one that posted the voucher does not see it.
  const [posted] = await tx.query<{ label: string }>(sql`select series || number as label
    from ledger.vouchers where id = ${taken?.voucher_id ?? null}::uuid`);
  return outcomeOf(taken && { ...taken, voucher: posted?.label ?? null });
}

function outcomeOf(taken: Taken | undefined): TakenSettlement {
  if (!taken) throw new Error('the taking of a settlement gave no answer');
  const { outcome, id, voucher_id: voucherId, voucher } = taken;
  switch (outcome) {
    case 'posted':
    case 'known':
    case 'replayed':
      if (id === null || voucherId === null || voucher === null) break;
      return { outcome, id, voucherId, voucher, isKnown: taken.is_known === true };
    case 'differs':
      return { outcome };
    case 'unprocessable':
    case 'period_locked':
      return { outcome, detail: taken.detail ?? {} };
  }
  return { outcome: 'refused', refusal: { ...taken, outcome: outcome as CallRefusal } };
}

const argumentsOf = ({
  id,
  voucherId,
  settlement: { lines, ...of },
  contentHash,
  rows,
  document,
}: PlannedSettlement): Sql => {
  const told = {
    id,
    voucher_id: voucherId,
    provider: of.provider,
    number: of.number,
    day: of.day,
    account: of.account,
    payout_ore: of.payoutOre,
    payout_reference: of.payoutReference,
    country: of.country,
    content_hash: contentHash.toString('hex'),
    document: document?.toString('base64') ?? null,
  };
  const toldLines = lines.map((line) => ({
    kind: line.kind,
    amount_ore: line.amountOre,
    account: line.account,
    reverse_charge_vat_ore: line.reverseChargeVatOre,
    text: line.text,
    reference: line.reference,
  }));
  const toldRows = rows.map(({ account, debitOre, creditOre, note }) => ({
    account,
    debit_ore: debitOre,
    credit_ore: creditOre,
    note: note ?? null,
  }));
  return sql`${jsonOf(told)}::jsonb, ${jsonOf(toldLines)}::jsonb, ${jsonOf(toldRows)}::jsonb`;
};

export interface ListedSettlement {
  id: string;
  provider: string;
  number: string;
  day: string;
  account: number;
  payout_ore: Ore;
  payout_reference: string | null;
  country: string;
  voucher_id: string;
  voucher: string;
  payout_voucher_id: string | null;
  payout_voucher: string | null;
  is_taken_back: boolean;
  created_at: Date;
  lines: {
    kind: SettlementLineKind;
    amount_ore: number;
    account: number | null;
    reverse_charge_vat_ore: number | null;
    text: string | null;
    reference: string | null;
  }[];
}

export interface SettlementQuery {
  readonly provider?: string | undefined;
  readonly settlementId?: string | undefined;
  /** YYYY-MM-DD, both days included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly paid?: boolean | undefined;
  readonly limit: number;
}

/** Nothing is to come from the bank. */
export const isPaidOut = ({
  payout_voucher_id,
  payout_ore,
}: Pick<ListedSettlement, 'payout_voucher_id' | 'payout_ore'>): boolean =>
  payout_voucher_id !== null || payout_ore === 0n;

/** By day; one more than `limit` where there is one. Reads on behalf of a key. */
export function listSettlementsForKey(
  db: Db,
  { provider, settlementId, from, to, paid, limit }: SettlementQuery,
  after: { readonly date: string; readonly id: string } | undefined,
): Promise<ListedSettlement[]> {
  return db.query(sql`select * from api.list_provider_settlements(${provider ?? null}::text,
    ${settlementId ?? null}::text, ${from ?? null}::date, ${to ?? null}::date, ${paid ?? null}::boolean,
    ${after?.date ?? null}::date, ${after?.id ?? null}::uuid, ${limit + 1}::integer)`);
}

const columns = sql`s.id, s.provider, s.number, s.day, s.account, s.payout_ore, s.payout_reference, s.country,
  s.voucher_id, v.series || v.number as voucher, s.payout_voucher_id, p.series || p.number as payout_voucher,
  s.taken_back_by is not null as is_taken_back, s.created_at,
  (select coalesce(json_agg(json_build_object('kind', l.kind, 'amount_ore', l.amount_ore, 'account', l.account,
      'reverse_charge_vat_ore', l.reverse_charge_vat_ore, 'text', l.text, 'reference', l.reference)
      order by l.place), '[]') from bank.provider_settlement_lines l where l.settlement_id = s.id) as lines
  from bank.provider_settlements s join ledger.vouchers v on v.id = s.voucher_id
  left join ledger.vouchers p on p.id = s.payout_voucher_id`;

/** The latest first. */
export function listSettlements(
  db: Db,
  {
    limit,
    after = null,
  }: { readonly limit: number; readonly after?: { day: string; id: string } | null },
): Promise<ListedSettlement[]> {
  return db.query(sql`select ${columns}
    where ${after?.day ?? null}::date is null or (s.day, s.id) < (${after?.day ?? null}::date, ${after?.id ?? null}::uuid)
    order by s.day desc, s.id desc limit ${limit}`);
}

export async function findSettlement(db: Db, id: string): Promise<ListedSettlement | undefined> {
  const [found] = await db.query<ListedSettlement>(sql`select ${columns} where s.id = ${id}::uuid`);
  return found;
}

/** Holds those that wait for the bank; the others have been paid out, or taken back, since they were read. */
export async function lockWaiting(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const held = await tx.query<{ id: string }>(sql`select id from bank.provider_settlements
    where id = any (${ids}::uuid[]) and payout_voucher_id is null and taken_back_by is null order by id for update`);
  return new Set(held.map(({ id }) => id));
}

/** Which voucher books each payout. Answers how many were waiting. */
export async function setPaidOut(
  tx: Tx,
  paid: readonly { readonly settlementId: string; readonly voucherId: string }[],
): Promise<number> {
  if (paid.length === 0) return 0;
  const set =
    await tx.query(sql`update bank.provider_settlements s set payout_voucher_id = m.voucher_id
    from unnest(${paid.map(({ settlementId }) => settlementId)}::uuid[],
      ${paid.map(({ voucherId }) => voucherId)}::uuid[]) as m (id, voucher_id)
    where s.id = m.id and s.payout_voucher_id is null and s.taken_back_by is null returning s.id`);
  return set.length;
}

/** What a voucher that is taken back had paid out is to come to the bank again. */
export async function reopenSettlements(tx: Tx, voucherId: string): Promise<void> {
  await tx.query(sql`update bank.provider_settlements set payout_voucher_id = null
    where payout_voucher_id = ${voucherId}::uuid`);
}

/** Accounts of clearing that are in use, with what stands on each. */
export function listClearingAccounts(
  db: Db,
): Promise<{ number: number; name: string; ore: Ore }[]> {
  return db.query(sql`select a.number, a.name, ledger.balance_at(a.number, '9999-12-31'::date) as ore
    from ledger.accounts a
    where a.is_active and (a.number between 1580 and 1589 or a.number between 1680 and 1689) order by a.number`);
}

/** Those that have settled something, the latest first. */
export async function listProviders(db: Db): Promise<string[]> {
  const found = await db.query<{
    provider: string;
  }>(sql`select provider from bank.provider_settlements
    group by provider order by max(day) desc limit 50`);
  return found.map(({ provider }) => provider);
}

/** Vouchers by which settlements have changed the account. */
export async function listSettlementVouchers(
  db: Db,
  account: number,
): Promise<ReadonlySet<string>> {
  const found = await db.query<{ id: string }>(sql`select s.voucher_id as id
    from bank.provider_settlements s where s.account = ${account} and s.taken_back_by is null`);
  return new Set(found.map(({ id }) => id));
}
