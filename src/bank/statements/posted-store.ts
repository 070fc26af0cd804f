/** Rows of the bank that programs bring with a key, and read with one. */
import { presentKey } from '../../access/keys/admission-store.ts';
import type { CallOutcome, CallRefusal, WriteCall } from '../../access/keys/write-calls.ts';
import type { Db, Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { Ore } from '../../domain/basics/money.ts';
import type { BankStatement } from '../../domain/ledger/bank-files/statement.ts';
import type { ToldSpan } from '../../domain/ledger/bank-statements/contradictions.ts';
import type { DaySlice } from '../../domain/ledger/bank-statements/merging.ts';
import type { RowMarks } from '../../domain/ledger/bank-statements/pairing.ts';
import { jsonOf } from '../../lib/errors.ts';
import { type NewRow, spanOf } from './statement-store.ts';

/** What a call was answered: the same to whoever repeats it. */
export interface ToldPosting {
  readonly importId: string | null;
  readonly account: number;
  readonly iban: string | null;
  readonly added: number;
  readonly known: number;
  /** Öre, as text; null when neither balances nor rows said it. */
  readonly opening: string | null;
  readonly closing: string | null;
}

/** The account that a call is of, held until commit, with what is known of the days asked for. */
export interface SeenAccount {
  readonly accountId: string;
  readonly name: string;
  readonly ledgerAccount: number;
  readonly iban: string | null;
  readonly slices: ReadonlyMap<string, DaySlice>;
  readonly spans: readonly ToldSpan[];
  readonly rows: readonly (RowMarks & { readonly day: string })[];
}

export type LookingOutcome =
  | { readonly outcome: 'seen'; readonly account: SeenAccount }
  | { readonly outcome: 'account_unknown' }
  | { readonly outcome: 'replayed'; readonly told: ToldPosting }
  | { readonly outcome: 'refused'; readonly refusal: CallOutcome & { outcome: CallRefusal } };

interface LookedAt extends CallOutcome {
  /** Of a call that is replayed. */
  told: ToldPosting | null;
  account_id: string;
  name: string;
  ledger_account: number;
  iban: string | null;
  days: {
    day: string;
    opening: string | null;
    closing: string | null;
    isFromStart: boolean;
    isToEnd: boolean;
  }[];
  rows: {
    day: string;
    amount: string;
    text: string;
    reference: string | null;
    servicerReference: string | null;
    balanceAfter: string | null;
    format: string | null;
  }[];
}

export async function lookAtAccount(
  tx: Tx,
  call: WriteCall,
  asked: {
    readonly ledgerAccount: number | null;
    readonly iban: string | null;
    readonly days: readonly string[];
  },
): Promise<LookingOutcome> {
  const [seen] =
    await tx.query<LookedAt>(sql`select outcome, told, null as detail, first_request_id, first_seen_at,
      first_request, account_id, name, ledger_account, iban, days, rows
    from api.look_at_bank_account(${call.keyHash}, ${call.idempotencyKey}, ${call.requestHash},
      ${asked.ledgerAccount}, ${asked.iban}, ${[...asked.days]}::date[])`);
  if (!seen) throw new Error('the look at an account gave no answer');
  if (seen.outcome === null) {
    await presentKey(tx, call.keyHash);
    const spans = await tx.query<ToldSpan>(
      sql`select first_day as first, last_day as last, opening_ore as opening
          from api.list_bank_spans(${seen.account_id}::uuid, ${[...asked.days]}::date[])`,
    );
    return { outcome: 'seen', account: accountOf(seen, spans) };
  }
  if (seen.outcome === 'account_unknown') return { outcome: 'account_unknown' };
  if (seen.outcome === 'replayed' && seen.told) {
    return { outcome: 'replayed', told: seen.told };
  }
  return { outcome: 'refused', refusal: { ...seen, outcome: seen.outcome as CallRefusal } };
}

const oreOf = (text: string | null): Ore | null => (text === null ? null : BigInt(text));

const accountOf = ({ days, rows, ...seen }: LookedAt, spans: readonly ToldSpan[]): SeenAccount => ({
  accountId: seen.account_id,
  name: seen.name,
  ledgerAccount: seen.ledger_account,
  iban: seen.iban,
  slices: new Map(
    days.map(({ day, opening, closing, isFromStart, isToEnd }) => [
      day,
      { opening: oreOf(opening), closing: oreOf(closing), isFromStart, isToEnd },
    ]),
  ),
  spans,
  rows: rows.map((row) => ({
    ...row,
    amount: BigInt(row.amount),
    balanceAfter: oreOf(row.balanceAfter),
  })),
});

/** What a call adds to the account that was looked at in the same transaction. */
export interface Posting {
  readonly importId: string;
  readonly statementId: string;
  readonly accountId: string;
  readonly statement: BankStatement;
  readonly rows: readonly Omit<NewRow, 'key'>[];
  readonly days: ReadonlyMap<string, DaySlice>;
  readonly balances: readonly { readonly day: string; readonly ore: Ore }[];
  readonly told: ToldPosting;
}

export async function takePostedRows(tx: Tx, call: WriteCall, posting: Posting): Promise<void> {
  const { importId, statementId, accountId, statement, rows, days, balances } = posting;
  const [first, last] = spanOf(statement);
  const told = {
    id: statementId,
    first_day: first,
    last_day: last,
    opening_ore: statement.opening,
    closing_ore: statement.closing,
    credit_ore: statement.credit,
    debit_ore: statement.debit,
    entries: statement.entries,
  };
  await tx.query(sql`select api.take_bank_rows(${call.keyHash}, ${call.idempotencyKey}, ${call.requestHash},
      ${call.request}, ${call.requestId}::uuid, ${importId}::uuid, ${accountId}::uuid, ${jsonOf(told)}::jsonb,
      ${jsonOf(rows.map(storedRow))}::jsonb, ${jsonOf([...days].map(storedDay))}::jsonb,
      ${jsonOf(balances)}::jsonb, ${jsonOf(posting.told)}::jsonb)`);
}

const storedRow = ({
  id,
  day,
  amount,
  text,
  balanceAfter,
  entry,
  ...row
}: Omit<NewRow, 'key'>) => ({
  id,
  booked_on: day,
  amount_ore: amount,
  description: text,
  line: entry.line,
  value_date: entry.valueDate,
  balance_after_ore: balanceAfter,
  bank_reference: row.reference,
  servicer_reference: row.servicerReference,
  details: entry.details.map((detail, index) => ({
    place: index + 1,
    amount_ore: detail.amount,
    end_to_end_id: detail.endToEndId,
    creditor_references: detail.references,
    documents: detail.documents,
    texts: detail.texts,
    debtor: detail.debtor,
    creditor: detail.creditor,
  })),
});

const storedDay = ([day, slice]: [string, DaySlice]) => ({
  day,
  opening_ore: slice.opening,
  closing_ore: slice.closing,
  is_from_start: slice.isFromStart,
  is_to_end: slice.isToEnd,
});

export interface ListedBankRow {
  id: string;
  account: number;
  iban: string | null;
  booked_on: string;
  value_date: string | null;
  amount_ore: Ore;
  description: string;
  bank_reference: string | null;
  servicer_reference: string | null;
  balance_after_ore: Ore | null;
  voucher_id: string | null;
  voucher: string | null;
  matched_at: Date | null;
  created_at: Date;
  updated_at: Date;
  payment_count: number;
  payments: {
    amount_ore: number | null;
    references: string[];
    documents: { number: string; kind: string | null }[];
    texts: string[];
    payer: { name: string | null; account: string | null };
    payee: { name: string | null; account: string | null };
    end_to_end_id: string | null;
    return_reason: string | null;
  }[];
}

/** A place in the list: rows after it. */
export interface BankRowPlace {
  readonly date: string;
  readonly id: string;
}

export interface BankRowQuery {
  /** A ledger account's number. */
  readonly account?: number | undefined;
  readonly iban?: string | undefined;
  /** YYYY-MM-DD, both days included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly matched?: boolean | undefined;
  /** Came, got its voucher or lost it then or later: an ISO 8601 time. */
  readonly updatedSince?: string | undefined;
  readonly limit: number;
}

/** So many payments of a row are told; all are counted. */
export const paymentsOfRow = 200;

/** By day, in an order that no two rows share; one more than `limit` where there is one. Reads on behalf of a key. */
export function listBankRowsForKey(
  db: Db,
  { account, iban, from, to, matched, updatedSince, limit }: BankRowQuery,
  place: BankRowPlace | undefined,
): Promise<ListedBankRow[]> {
  return db.query<ListedBankRow>(sql`select * from api.list_bank_rows(${account ?? null}::integer,
    ${iban ?? null}::text, ${from ?? null}::date, ${to ?? null}::date, ${matched ?? null}::boolean,
    ${place?.date ?? null}::date, ${place?.id ?? null}::uuid, ${limit + 1}::integer, ${paymentsOfRow}::integer,
    ${updatedSince ?? null}::timestamptz)`);
}
