/** Whether the books hold by themselves, worked out anew from their rows and by nothing of ours. */
import { createHash } from 'node:crypto';
import { db, type Pool } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import type { Faults } from './proof.ts';

export async function proveBooks(owner: Pool): Promise<Faults> {
  return [
    ...(await proveSeries(owner)),
    ...(await proveChain(owner)),
    ...(await proveSums(owner)),
    ...(await proveInvoices(owner)),
  ];
}

async function proveSeries(owner: Pool): Promise<Faults> {
  const broken = await db(owner).query<{ code: string; last: number; count: number }>(
    sql`select s.code, s.last_number as last, count(v.id)::integer as count
        from ledger.series s left join ledger.vouchers v on v.series_id = s.id
        group by s.id
        having s.last_number <> count(v.id) or coalesce(max(v.number), 0) <> count(v.id)
          or coalesce(min(v.number), 1) <> 1`,
  );
  return broken.map(
    ({ code, last, count }) => `series ${code} has ${count} vouchers and numbers up to ${last}`,
  );
}

const sha256 = (...parts: readonly (string | Buffer)[]) =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();

interface Sealed {
  readonly series_id: string;
  readonly label: string;
  readonly number: number;
  readonly content_hash: Buffer;
  readonly hash: Buffer;
  readonly content: readonly (string | null)[];
  readonly rows: readonly (readonly (string | null)[])[];
}

/** In pages: a night's books are larger than memory. */
const page_size = 5_000;

/** Each voucher's hash seals its content and the one before it in its series, as docs/sealed-vouchers.md says. */
export async function proveChain(owner: Pool): Promise<Faults> {
  const faults: Faults = [];
  const heads = new Map<string, Buffer>();
  let after = { series_id: '00000000-0000-0000-0000-000000000000', number: 0 };
  for (;;) {
    const page = await db(owner).query<Sealed>(
      sql`select v.series_id, v.series || v.number as label, v.number, v.content_hash, v.hash,
            array[v.format::text, v.id::text, v.series, v.verification_date::text, v.description,
              v.counterparty, v.source,
              to_char(v.posted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
              v.posted_by] as content,
            (select json_agg(json_build_array(r.account::text, r.debit_ore::text, r.credit_ore::text,
                r.vat_code, r.note, r.cost_center_id, r.project_id) order by r.row_no)
              from ledger.voucher_rows r where r.voucher_id = v.id) as rows
          from ledger.vouchers v
          where (v.series_id, v.number) > (${after.series_id}::uuid, ${after.number}::integer)
          order by v.series_id, v.number limit ${page_size}::integer`,
    );
    for (const { series_id: series, label, number, rows, ...sealed } of page) {
      const content = sha256(JSON.stringify([...sealed.content, rows]));
      if (!content.equals(sealed.content_hash)) faults.push(`voucher ${label} says something else`);
      const place = Buffer.alloc(4);
      place.writeInt32BE(number);
      const hash = sha256(heads.get(series) ?? sha256(`huvudbok series ${series}`), place, content);
      if (!hash.equals(sealed.hash)) faults.push(`the hash of voucher ${label} is untrue`);
      heads.set(series, sealed.hash);
    }
    const last = page.at(-1);
    if (!last) break;
    after = last;
  }
  const stored = await db(owner).query<{ id: string; code: string; last_hash: Buffer }>(
    sql`select id, code, last_hash from ledger.series where last_number > 0`,
  );
  for (const { id, code, last_hash } of stored) {
    if (!heads.get(id)?.equals(last_hash)) faults.push(`series ${code} ends in another hash`);
  }
  return faults;
}

async function proveSums(owner: Pool): Promise<Faults> {
  const unbalanced = await db(owner).query<{ label: string }>(
    sql`select v.series || v.number as label from ledger.vouchers v
        join ledger.voucher_rows r on r.voucher_id = v.id
        group by v.id having sum(r.debit_ore) <> sum(r.credit_ore)
          or sum(r.debit_ore) <> v.total_ore or count(*) <> v.row_count`,
  );
  const unkept = await db(owner).query<{ account: number; month: string }>(
    sql`with kept as (
          select series_id, account, month, sum(debit_ore) as debit_ore, sum(credit_ore) as credit_ore
          from ledger.month_balances group by 1, 2, 3
        ), summed as (
          select v.series_id, r.account, date_trunc('month', r.verification_date)::date as month,
            sum(r.debit_ore) as debit_ore, sum(r.credit_ore) as credit_ore
          from ledger.voucher_rows r join ledger.vouchers v on v.id = r.voucher_id
          group by 1, 2, 3
        )
        select coalesce(k.account, s.account) as account,
          coalesce(k.month, s.month)::text as month
        from kept k full join summed s using (series_id, account, month)
        where (k.debit_ore, k.credit_ore) is distinct from (s.debit_ore, s.credit_ore)`,
  );
  return [
    ...unbalanced.map(({ label }) => `voucher ${label} does not balance`),
    ...unkept.map(
      ({ account, month }) =>
        `account ${account} has another balance than its vouchers in ${month}`,
    ),
  ];
}

async function proveInvoices(owner: Pool): Promise<Faults> {
  const [numbers] = await db(owner).query<{ count: number; span: number }>(
    sql`select count(number)::integer as count,
          coalesce(max(number) - min(number) + 1, 0)::integer as span from sales.invoices`,
  );
  const wrong = await db(owner).query<{ number: number; open: bigint; left: bigint }>(
    sql`select i.number, i.open_ore as open, (i.total_ore - coalesce(p.paid, 0))::bigint as left
        from sales.invoices i
        left join (select invoice_id, sum(amount_ore) as paid from sales.payments group by 1) p
          on p.invoice_id = i.id
        where i.number is not null and i.open_ore <> i.total_ore - coalesce(p.paid, 0)`,
  );
  return [
    ...(numbers && numbers.count !== numbers.span
      ? [`there are ${numbers.count} invoice numbers in a span of ${numbers.span}`]
      : []),
    ...wrong.map(
      ({ number, open, left }) =>
        `invoice ${number} says that ${open} öre remain, and ${left} do after its payments`,
    ),
  ];
}
