/** What the things that events are about are called, where they have a number or name of their own. */
import type { Db } from '../db/pool.ts';
import { sql } from '../db/sql.ts';
import { isUuid } from '../lib/uuid.ts';

/** Names by subject. What is gone, may not be seen, or has no name is not among them. */
export async function listSubjectNames(
  db: Db,
  subjects: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(subjects)].filter(isUuid);
  if (ids.length === 0) return new Map();
  const found = await db.query<{ id: string; name: string | null }>(sql`
    with asked as (select unnest(${ids}::uuid[]) as id)
    select v.id, v.series || v.number as name
      from ledger.vouchers v where v.id in (select id from asked)
    union all
    select i.id, case when i.number is null then 'utkastet till ' || (i.debtor ->> 'name')
        when i.kind = 'credit_note' then 'kreditfaktura ' || i.number
        else 'faktura ' || i.number end
      from sales.invoices i where i.id in (select id from asked)
    union all
    select p.id, p.invoice_number || ' från ' || coalesce(s.name, p.seller ->> 'name')
      from purchases.invoices p left join purchases.suppliers s on s.id = p.supplier_id
      where p.id in (select id from asked)
    union all
    select o.id, 'order ' || o.external_id
      from intake.orders o where o.id in (select id from asked)
    union all
    select t.id, 'Z ' || t.z_number || ' från ' || t.till
      from intake.till_reports t where t.id in (select id from asked)
    union all
    select t.id, t.booked_on || ', ' || replace(to_char(t.amount_ore / 100.0, 'FM999999999990.00'),
        '.', ',') || ' kr'
      from bank.transactions t where t.id in (select id from asked)
    union all
    select f.id, 'betalfil ' || f.number from purchases.payment_files f where f.id in (select id from asked)
    union all
    select c.id, c.name from sales.customers c where c.id in (select id from asked)
    union all
    select s.id, s.name from purchases.suppliers s where s.id in (select id from asked)
    union all
    select u.id, coalesce(nullif(u.name, ''), u.email)
      from restricted.users u where u.id in (select id from asked)
    union all
    select e.id, e.url from events.endpoints e where e.id in (select id from asked)`);
  return new Map(
    found.flatMap(({ id, name }): [string, string][] => (name === null ? [] : [[id, name]])),
  );
}
