/** What bank rows are booked with: documents held until commit, and matches of many rows. */
import type { Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { MatchPart } from '../../domain/ledger/bank-matching/match.ts';
import type { PayableDocument } from '../../domain/ledger/bank-matching/posting.ts';
import type { WholeInCurrency } from '../../domain/ledger/part-in-currency.ts';
import { refuse } from '../../lib/errors.ts';
import { uuid } from '../../lib/uuid.ts';

/** What `i` of purchases.invoices is owed in: what people lay out they have back in kronor. */
export const owedIn = sql`case when i.laid_out_by is null then i.currency else 'SEK' end`;

/** Of payments of files that pay tax: which, and of what file. */
export function listTaxPayouts(
  tx: Tx,
  payoutIds: readonly string[],
): Promise<{ id: string; tax: string; file: number }[]> {
  return tx.query(sql`select t.payout_id as id, t.tax, f.number as file
    from purchases.payout_parts t join purchases.payouts p on p.id = t.payout_id
    join purchases.payment_files f on f.id = p.file_id
    where t.payout_id = any (${payoutIds}::uuid[]) and t.tax is not null order by t.payout_id, t.place`);
}

/** Holds booked documents until commit, in the order of their ids. */
export async function lockDocuments(
  tx: Tx,
  {
    invoices,
    purchases,
  }: { readonly invoices: readonly string[]; readonly purchases: readonly string[] },
): Promise<PayableDocument[]> {
  const ours = await tx.query<
    PayableDocument & { losses: readonly { readonly account: number; readonly ore: string }[] }
  >(sql`
    select 'invoice' as kind, i.id, i.number::text, i.debtor ->> 'name' as who, i.invoice_date as "issuedOn",
      i.open_ore + written_off.ore as "openOre", (select coalesce(sum(p.amount_ore), 0)::bigint from sales.payments p
        where p.invoice_id = i.id and p.kind <> 'loss') as "paidOre", i.currency, 1510 as "debtAccount", written_off.losses
    from sales.invoices i cross join lateral (
      select coalesce(sum(l.ore), 0)::bigint as ore,
        coalesce(jsonb_agg(jsonb_build_object('account', l.account, 'ore', l.ore::text)), '[]') as losses
      from (select p.account, sum(p.amount_ore)::bigint as ore from sales.payments p
        where p.invoice_id = i.id and p.kind = 'loss' group by p.account having sum(p.amount_ore) > 0) as l) as written_off
    where i.id = any (${invoices}::uuid[]) and i.status <> 'draft' and i.kind = 'invoice'
    order by i.id for update of i`);
  const theirs = await tx.query<StoredPurchase>(sql`
    select 'purchase' as kind, i.id, i.invoice_number as number,
      coalesce(i.laid_out_by, s.name, i.seller ->> 'name', '') as who, i.issue_date as "issuedOn", i.laid_out_by is not null as "isOutlay",
      -i.open_ore as "openOre", (select -coalesce(sum(p.amount_ore), 0)::bigint from purchases.payments p
        where p.invoice_id = i.id) as "paidOre", ${owedIn} as currency, i.debt_account as "debtAccount",
      (select json_build_object('payoutId', p.id, 'number', f.number, 'amountOre', (-t.amount_ore)::text,
          'isAlone', f.sent_at is not null and p.amount_ore = t.amount_ore)
        from purchases.payout_parts t join purchases.payouts p on p.id = t.payout_id
        join purchases.payment_files f on f.id = p.file_id where t.invoice_id = i.id and t.is_live) as "inFile"
    from purchases.invoices i left join purchases.suppliers s on s.id = i.supplier_id
    where i.id = any (${purchases}::uuid[]) and i.status = 'booked' order by i.id for update of i`);
  const heldOurs = ours.map((one) => ({
    ...one,
    losses: one.losses.map(({ account, ore }) => ({ account, ore: BigInt(ore) })),
  }));
  return [
    ...heldOurs,
    ...theirs.map(({ inFile, ...one }) => ({
      ...one,
      inFile: inFile && { ...inFile, amountOre: BigInt(inFile.amountOre) },
    })),
  ];
}

/** All of a booked document in its currency, and what it was booked on; a reminder's fee is in kronor, and no part of it. */
export async function getWholeInCurrency(
  tx: Tx,
  { kind, documentId }: { readonly kind: PayableDocument['kind']; readonly documentId: string },
): Promise<WholeInCurrency> {
  const [whole] = await tx.query<WholeInCurrency>(
    kind === 'invoice'
      ? sql`select (i.currency_rounding + sum(r.currency_net + r.currency_vat))::bigint as "wholeAmount", i.total_ore as "wholeOre"
          from sales.invoices i join sales.invoice_rows r on r.invoice_id = i.id where i.id = ${documentId}::uuid group by i.id`
      : sql`select abs(i.payable_ore) as "wholeAmount", abs(i.open_ore + (select coalesce(sum(p.amount_ore), 0)
            from purchases.payments p where p.invoice_id = i.id))::bigint as "wholeOre"
          from purchases.invoices i where i.id = ${documentId}::uuid`,
  );
  if (!whole) throw new Error(`no ${kind} ${documentId}`);
  return whole;
}

interface StoredPurchase extends Omit<PayableDocument, 'inFile'> {
  inFile: { payoutId: string; number: number; amountOre: string; isAlone: boolean } | null;
}

/** Which voucher books each row, by one's word and in one act. Throws 422 when one of them is booked already. */
export async function setMatches(
  tx: Tx,
  matches: readonly { readonly rowId: string; readonly voucherId: string }[],
  actor: string,
): Promise<void> {
  const matched =
    await tx.query(sql`update bank.transactions t set voucher_id = m.voucher_id, matched_at = now(),
      matched_by = ${actor}, act_id = ${uuid()}::uuid
    from unnest(${matches.map(({ rowId }) => rowId)}::uuid[],
      ${matches.map(({ voucherId }) => voucherId)}::uuid[]) as m (id, voucher_id) where t.id = m.id and t.voucher_id is null returning t.id`);
  if (matched.length < matches.length) {
    throw refuse('unprocessable', [{ path: 'transactionId', reason: 'already_matched' }]);
  }
}

/** What the voucher of a row paid of each document, by the bank's sign; all of its rows, by account, where it paid none; and whom it is with. */
export async function findBookedAs(
  tx: Tx,
  rowId: string,
): Promise<{
  readonly parts: readonly MatchPart[];
  readonly accounts: readonly number[];
  readonly counterparty: string | null;
}> {
  const parts = await tx.query<MatchPart>(sql`
    select 'invoice' as kind, p.invoice_id as "documentId", sum(p.amount_ore)::bigint as "amountOre"
    from bank.transactions t join sales.payments p on p.voucher_id = t.voucher_id
    where t.id = ${rowId}::uuid and p.kind <> 'loss' group by p.invoice_id
    union all
    select 'purchase', p.invoice_id, -sum(p.amount_ore)::bigint
    from bank.transactions t join purchases.payments p on p.voucher_id = t.voucher_id
    where t.id = ${rowId}::uuid group by p.invoice_id order by 2`);
  const rows = await tx.query<{ account: number; counterparty: string | null }>(sql`
    select r.account, v.counterparty from bank.transactions t join bank.accounts a on a.id = t.account_id
    join ledger.vouchers v on v.id = t.voucher_id
    join ledger.voucher_rows r on r.voucher_id = v.id and r.account <> a.ledger_account
    where t.id = ${rowId}::uuid order by r.row_no`);
  const accounts = rows.map(({ account }) => account);
  return { parts, accounts, counterparty: rows[0]?.counterparty ?? null };
}
