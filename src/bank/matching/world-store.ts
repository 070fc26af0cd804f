/** What unmatched rows of the bank are held against, out of the books. Amounts in öre by the bank's sign. */
import type { Db } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { Ore } from '../../domain/basics/money.ts';
import type {
  EarlierRow,
  MatchCredit,
  MatchDocument,
  MatchPart,
  MatchParty,
  MatchPayout,
  MatchRule,
  MatchSettlement,
  MatchVoucher,
  MatchWorld,
  RowPayment,
  UnmatchedRow,
} from '../../domain/ledger/bank-matching/match.ts';
import { returnDays } from '../../domain/ledger/bank-matching/matching.ts';
import { customersCredit } from '../../domain/ledger/bank-matching/posting.ts';
import { voucherDays } from '../../domain/ledger/bank-matching/vouchers.ts';
import { standsByItself } from '../store.ts';
import { owedIn } from './booking-store.ts';

/** More rows are not held against each other, nor against more documents. */
const rowsMax = 2_000;
const documentsMax = 20_000;

/** Which unmatched rows: so many of the latest, and those of these ids, however old. */
export interface RowChoice {
  readonly latest?: number;
  readonly ids?: readonly string[];
}

/** Unmatched rows of active accounts, the latest first. */
export async function listUnmatchedRows(
  db: Db,
  { latest = rowsMax, ids = [] }: RowChoice = {},
): Promise<UnmatchedRow[]> {
  const rows = await db.query<Omit<UnmatchedRow, 'payments'>>(sql`
    with unmatched as (
      select t.*, a.ledger_account, a.kind
      from bank.transactions t join bank.accounts a on a.id = t.account_id
      where t.voucher_id is null and a.is_active
    ), chosen as (
      (select id from unmatched order by booked_on desc, id desc limit ${latest})
      union select id from unmatched where id = any (${ids}::uuid[])
    )
    select t.id, t.account_id as "accountId", t.ledger_account as "ledgerAccount", t.kind as "accountKind",
      t.booked_on as day, t.amount_ore as "amountOre", t.description as text, t.code,
      t.is_reversal as "isReversal", t.undone_at is not null as "wasUndone"
    from unmatched t join chosen using (id)
    order by t.booked_on desc, t.id desc`);
  const payments = await listRowPayments(
    db,
    rows.map((row) => row.id),
  );
  return rows.map((row) => ({ ...row, payments: payments.get(row.id) ?? [] }));
}

type StoredPayment = RowPayment & { rowId: string; isOfNotice: boolean };

/** The payments within rows, by row. What a notice (camt.054) tells of a row is told more fully than what the row does. */
export async function listRowPayments(
  db: Db,
  rowIds: readonly string[],
): Promise<ReadonlyMap<string, readonly RowPayment[]>> {
  const columns = sql`d.place, case when coalesce(d.currency, 'SEK') = 'SEK' then d.amount_ore end as amount, d.end_to_end_id as "endToEndId", d.batch_id as "paymentBatchId",
    d.creditor_references as "references", d.documents, d.texts, d.debtor, d.creditor,
    d.return_reason as "returnReason"`;
  const found = await db.query<StoredPayment>(sql`
    select d.transaction_id as "rowId", false as "isOfNotice", ${columns}
    from bank.details d where d.transaction_id = any (${rowIds}::uuid[])
    union all
    select n.transaction_id, true, ${columns}
    from bank.announcements n join bank.details d on d.announcement_id = n.id
    where n.transaction_id = any (${rowIds}::uuid[])
    order by 1, 3`);
  return new Map(
    [...Map.groupBy(found, ({ rowId }) => rowId)].map(([rowId, some]) => {
      const isNoticed = some.some(({ isOfNotice }) => isOfNotice);
      return [rowId, some.filter(({ isOfNotice }) => isOfNotice === isNoticed)];
    }),
  );
}

/**
 * Everything that the rows can meet, or all but the documents that they do not name: these, and who has paid from which
 * account before, decide nothing of what is exact.
 */
export async function loadWorld(
  db: Db,
  rows: readonly UnmatchedRow[],
  { areNamed }: { readonly areNamed: boolean },
): Promise<MatchWorld> {
  const said = areNamed
    ? { ...saidBy(rows), accounts: [], most: 0 }
    : { ...saidBy(rows), most: documentsMax };
  return {
    rows,
    documents: [...(await listInvoices(db, said)), ...(await listPurchases(db, said))],
    payouts: await listLivePayouts(db),
    settlements: await listWaitingSettlements(db, rows),
    credits: areNamed ? [] : await listCredits(db, rows),
    vouchers: await listVouchers(db, rows),
    earlier: await listEarlierRows(db, rows),
    rules: [...(await listSaidRules(db)), ...(await listLearntRules(db, rows))],
    own: { accounts: await listOwnAccounts(db), organizationNumber: await findOwnNumber(db) },
  };
}

/** Signs by which documents and parties are looked for. */
interface Said {
  readonly numbers: readonly string[];
  readonly accounts: readonly string[];
}

interface Wanted extends Said {
  /** Documents that are open, whether any row names them. */
  readonly most: number;
}

function saidBy(rows: readonly UnmatchedRow[]): Said {
  const numbers = new Set<string>();
  const accounts = new Set<string>();
  for (const { text, payments } of rows) {
    const texts = payments.flatMap((one) => [
      ...one.texts,
      ...one.references,
      ...one.documents.map(({ number }) => number),
    ]);
    for (const said of [text, ...texts]) {
      for (const run of said.match(/\d{3,25}/g) ?? []) numbers.add(run.replace(/^0+/, ''));
    }
    for (const { debtor, creditor } of payments) {
      for (const { account } of [debtor, creditor]) if (account !== null) accounts.add(account);
    }
  }
  return { numbers: [...numbers], accounts: [...accounts] };
}

interface StoredDocument {
  id: string;
  number: string;
  reference: string | null;
  openOre: Ore;
  totalOre: Ore;
  currency: string;
  issuedOn: string;
  dueOn: string | null;
  party: MatchDocument['party'];
}

/** Ours that are open, and settled ones that a row names. */
async function listInvoices(db: Db, { numbers, accounts, most }: Wanted): Promise<MatchDocument[]> {
  const paidFrom = await listPayers(db, accounts);
  const found = await db.query<
    Omit<StoredDocument, 'party'> & { party: Omit<MatchParty, 'accounts'> }
  >(sql`
    select i.id, i.number::text, i.ocr as reference, i.total_ore as "totalOre", i.currency,
      -- What was written off may come after all: a row that names the invoice pays it.
      case when i.open_ore <> 0 then i.open_ore else (select coalesce(sum(p.amount_ore), 0)::bigint
        from sales.payments p where p.invoice_id = i.id and p.kind = 'loss') end as "openOre",
      i.invoice_date as "issuedOn", i.due_date as "dueOn",
      jsonb_build_object('id', i.customer_id, 'name', i.debtor ->> 'name', 'phone', c.phone) as party
    from (select i.id from sales.invoices i where i.open_ore <> 0 order by i.due_date limit ${most}) as wanted
    -- An OCR number is the invoice's own and two digits (sales.ocr_for).
    full join (select i.id from sales.invoices i where i.number in (
      select n::integer from unnest(${numbers}::text[]) as n where length(n) < 10
      union select left(n, -2)::integer from unnest(${numbers}::text[]) as n where length(n) between 3 and 11
        and length(left(n, -2)) < 10)) as named using (id)
    join sales.invoices i using (id) join sales.customers c on c.id = i.customer_id
    where i.kind = 'invoice' and i.status <> 'draft' order by i.due_date, i.id`);
  return found.map(({ party, ...one }) => ({
    ...one,
    kind: 'invoice',
    party: { ...party, accounts: paidFrom.get(party.id) ?? [] },
  }));
}

/**
 * From which of the accounts each customer's invoices have been paid before. Once for a customer, whose invoices share
 * it: thousands may have paid those of a shop's one customer for all its buyers.
 */
async function listPayers(
  db: Db,
  accounts: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (accounts.length === 0) return new Map();
  const found = await db.query<{ id: string; accounts: string[] }>(sql`
    select i.customer_id as id, array_agg(distinct d.account) as accounts
    from (
      select d.debtor ->> 'account' as account, d.transaction_id from bank.details d
      where d.debtor ->> 'account' = any (${accounts}::text[]) and d.transaction_id is not null
      union all
      select d.debtor ->> 'account', n.transaction_id
      from bank.details d join bank.announcements n on n.id = d.announcement_id
      where d.debtor ->> 'account' = any (${accounts}::text[])
    ) as d
    join bank.transactions t on t.id = d.transaction_id
    join sales.payments p on p.voucher_id = t.voucher_id
    join sales.invoices i on i.id = p.invoice_id
    group by i.customer_id`);
  return new Map(found.map(({ id, accounts: from }) => [id, from]));
}

/** Suppliers' that are open, and what people laid out; and settled ones that a row names. */
async function listPurchases(db: Db, { numbers, most }: Wanted): Promise<MatchDocument[]> {
  const found = await db.query<StoredDocument>(sql`
    select i.id, i.invoice_number as number, i.payment ->> 'reference' as reference, -i.open_ore as "openOre",
      -i.payable_ore as "totalOre", ${owedIn} as currency, i.issue_date as "issuedOn", i.due_date as "dueOn",
      jsonb_build_object('id', coalesce(i.supplier_id::text, i.laid_out_by), 'phone', s.phone,
        'name', coalesce(i.laid_out_by, s.name, i.seller ->> 'name'),
        'accounts', (select coalesce(jsonb_agg(a.number), '[]') from (
          select a.number from purchases.supplier_accounts a where a.supplier_id = i.supplier_id
          union select a ->> 'number' from jsonb_array_elements(i.payment -> 'accounts') as a) as a)) as party
    from (select i.id from purchases.invoices i where i.open_ore <> 0 order by i.due_date limit ${most}) as wanted
    full join (select i.id from purchases.invoices i where i.invoice_number = any (${numbers}::text[])
      -- Rows name them by what our files call their payments.
      union select t.invoice_id from purchases.payout_parts t where t.is_live and t.invoice_id is not null) as named using (id)
    join purchases.invoices i using (id) left join purchases.suppliers s on s.id = i.supplier_id
    where i.status = 'booked' order by i.due_date, i.id`);
  return found.map((one) => ({ ...one, kind: 'purchase' }));
}

/** What files have asked the bank for, and may still get. */
async function listLivePayouts(db: Db): Promise<MatchPayout[]> {
  type Stored = Omit<MatchPayout, 'parts'> & {
    parts: { documentId: string; ore: string }[] | null;
  };
  const found = await db.query<Stored>(sql`
    select p.id, p.end_to_end_id as name, p.block_id as "blockId", f.account_id as "accountId",
      p.execution_on as "executionOn", f.sent_at is not null as "isSent", -p.amount_ore as "amountOre",
      (select json_agg(json_build_object('documentId', t.invoice_id, 'ore', t.amount_ore::text) order by t.place)
        from purchases.payout_parts t where t.payout_id = p.id and t.invoice_id is not null) as parts
    from purchases.payouts p join purchases.payment_files f on f.id = p.file_id
    where p.voucher_id is null and p.refused_at is null and f.cancelled_at is null order by p.id`);
  return found.map(({ parts, ...payout }) => ({
    ...payout,
    parts: (parts ?? []).map(({ documentId, ore }): MatchPart => {
      return { kind: 'purchase', documentId, amountOre: -BigInt(ore) };
    }),
  }));
}

/** Payouts of the rows' amounts that no row has brought yet. */
function listWaitingSettlements(db: Db, rows: readonly UnmatchedRow[]): Promise<MatchSettlement[]> {
  return db.query(sql`select s.id, s.provider, s.number, s.payout_reference as reference, s.day, s.account,
      s.payout_ore as "amountOre"
    from bank.provider_settlements s
    where s.payout_voucher_id is null and s.taken_back_by is null
      and s.payout_ore = any (${[...new Set(rows.map(({ amountOre }) => amountOre))]}::bigint[])
    order by s.day, s.id`);
}

/** Vouchers near the rows that change their account by one of their amounts, as far as no row is matched with it. */
function listVouchers(db: Db, rows: readonly UnmatchedRow[]): Promise<MatchVoucher[]> {
  if (rows.length === 0) return Promise.resolve([]);
  return db.query(sql`
    with row as (select * from unnest(${rows.map(({ accountId }) => accountId)}::uuid[],
        ${rows.map(({ day }) => day)}::date[], ${rows.map(({ amountOre }) => amountOre)}::bigint[])
        as r (account_id, day, ore)),
    span as (select r.account_id, min(r.day) - ${voucherDays}::integer as first, max(r.day) + ${voucherDays}::integer as last
      from row r group by r.account_id),
    change as materialized (
      select s.account_id, r.voucher_id, sum(r.debit_ore - r.credit_ore)::bigint as ore
      from span s join bank.accounts a on a.id = s.account_id
      join ledger.voucher_rows r on r.account = a.ledger_account and r.verification_date between s.first and s.last
      group by s.account_id, r.voucher_id
    ),
    matched as materialized (
      select t.account_id, t.voucher_id, sum(t.amount_ore)::bigint as ore
      from change c join bank.transactions t on t.voucher_id = c.voucher_id and t.account_id = c.account_id
      group by t.account_id, t.voucher_id
    ),
    room as materialized (
      select c.account_id, c.voucher_id, c.ore - coalesce(m.ore, 0) as ore
      from change c left join matched m using (account_id, voucher_id)
      where c.ore <> coalesce(m.ore, 0)
    )
    select v.id, room.account_id as "accountId", v.verification_date as day, room.ore as "roomOre",
      concat_ws(' ', v.description, v.counterparty, (select string_agg(concat_ws(' ', i.number, i.ocr), ' ')
        from sales.payments p join sales.invoices i on i.id = p.invoice_id where p.voucher_id = v.id),
        (select string_agg(i.invoice_number, ' ') from purchases.payments p
          join purchases.invoices i on i.id = p.invoice_id where p.voucher_id = v.id)) as text
    from room join ledger.vouchers v on v.id = room.voucher_id
    where (room.account_id, room.ore) in (select r.account_id, r.ore from row r)
      and ${standsByItself}
    order by v.verification_date, v.id`);
}

/**
 * Customers' credits of just what went out, by the voucher's name or else its row's, where as much is left on the account:
 * what was given back before may have been booked without the customer's name.
 */
function listCredits(db: Db, rows: readonly UnmatchedRow[]): Promise<MatchCredit[]> {
  const wanted = new Set(rows.map(({ amountOre }) => amountOre).filter((ore) => ore < 0n));
  if (wanted.size === 0) return Promise.resolve([]);
  return db.query(sql`
    with of_account as materialized (
      select coalesce(v.counterparty, r.note) as name, sum(r.debit_ore - r.credit_ore)::bigint as ore
      from ledger.voucher_rows r join ledger.vouchers v on v.id = r.voucher_id
      where r.account = ${customersCredit} group by 1
    )
    select name, ore as "amountOre" from of_account
    where name is not null and ore = any (${[...wanted]}::bigint[]) and ore >= (select sum(ore) from of_account)
    order by name`);
}

/** What rows that take something back can mean. */
function listEarlierRows(db: Db, rows: readonly UnmatchedRow[]): Promise<EarlierRow[]> {
  const back = rows.filter(
    ({ isReversal, payments }) => isReversal || payments.some((one) => one.returnReason !== null),
  );
  if (back.length === 0) return Promise.resolve([]);
  return db.query(sql`
    select distinct on (t.id) t.id, t.account_id as "accountId", t.booked_on as day, t.amount_ore as "amountOre", t.description as text,
      array(select d.end_to_end_id from bank.details d
        where d.transaction_id = t.id and d.end_to_end_id is not null) as "endToEndIds",
      array(select p.invoice_id from sales.payments p where p.voucher_id = t.voucher_id
        union select p.invoice_id from purchases.payments p where p.voucher_id = t.voucher_id) as "documentIds"
    from unnest(${back.map(({ accountId }) => accountId)}::uuid[], ${back.map(({ day }) => day)}::date[],
      ${back.map(({ amountOre }) => amountOre)}::bigint[]) as r (account_id, day, ore)
    join bank.transactions t on t.account_id = r.account_id and t.amount_ore = -r.ore
      and t.booked_on between r.day - ${returnDays}::integer and r.day
    where t.voucher_id is not null order by t.id`);
}

function listSaidRules(db: Db): Promise<MatchRule[]> {
  return db.query(
    sql`select id, text, direction, account, false as "isLearnt" from bank.rules order by id`,
  );
}

/** How many characters of a text rows are alike by, where nobody has said anything. */
const alikeCharacters = 10;

/** Rows that begin alike and were booked against one account, twice or more and never otherwise. */
function listLearntRules(db: Db, rows: readonly UnmatchedRow[]): Promise<MatchRule[]> {
  const beginnings = new Set(
    rows
      .map(({ text }) => [...text.toLowerCase()].slice(0, alikeCharacters).join(''))
      .filter((text) => /^\p{L}{4}/u.test(text)),
  );
  if (beginnings.size === 0) return Promise.resolve([]);
  return db.query(sql`
    select 'learnt:' || alike.text as id, alike.text, alike.direction, min(r.account) as account, true as "isLearnt"
    from (
      select left(lower(t.description), ${alikeCharacters}) as text,
        case when t.amount_ore > 0 then 'in' else 'out' end as direction, t.voucher_id, a.ledger_account
      from bank.transactions t join bank.accounts a on a.id = t.account_id
      where t.voucher_id is not null
        and left(lower(t.description), ${alikeCharacters}) = any (${[...beginnings]}::text[])
    ) as alike
    join ledger.vouchers v on v.id = alike.voucher_id and v.source = 'bank'
    join ledger.voucher_rows r on r.voucher_id = v.id and r.account <> alike.ledger_account
    group by alike.text, alike.direction
    having count(distinct r.account) = 1 and count(*) >= 2 order by 1, 3`);
}

/** By which others know our accounts. */
function listOwnAccounts(db: Db): Promise<{ accountId: string; numbers: string[] }[]> {
  return db.query(sql`select a.id as "accountId",
      array_remove(array[a.iban, a.number, a.bankgiro], null) as numbers
    from bank.accounts a order by a.id`);
}

async function findOwnNumber(db: Db): Promise<string | null> {
  const [company] = await db.query<{ number: string }>(
    sql`select organization_number as number from restricted.company`,
  );
  return company?.number ?? null;
}

export async function listAccountNames(db: Db): Promise<ReadonlyMap<string, string>> {
  const found = await db.query<{ id: string; name: string }>(
    sql`select id, name from bank.accounts`,
  );
  return new Map(found.map(({ id, name }) => [id, name]));
}
