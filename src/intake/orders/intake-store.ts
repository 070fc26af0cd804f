/** What the intake worker reads and writes (role hb_worker). */
import type { Tx } from '../../db/pool.ts';
import { prepared, sql } from '../../db/sql.ts';
import type { NamedCustomer } from '../../domain/sales/customer-match.ts';
import type { Debtor } from '../../domain/sales/debtor.ts';
import { giftCardAccount } from '../../domain/sales/gift-card.ts';
import { waitingRejections } from '../../domain/sales/refund-rejections.ts';
import { jsonOf } from '../../lib/errors.ts';
import type { ReceivedKind } from './store.ts';

export interface OrderAttempt {
  id: string;
  order_id: string;
  kind: ReceivedKind;
  refund_key: string | null;
  order_identity: string | null;
  raw: Buffer;
  invoice_id: string | null;
}

/** `raw` is null when all of them together are more than was asked for. */
export interface WaitingAttempt extends Omit<OrderAttempt, 'raw'> {
  raw: Buffer | null;
  /** Of the body that was sent. */
  bytes: number;
  /** It was judged before, and waited for its order's invoice. */
  has_waited: boolean;
}

/**
 * Attempts still to be judged, an order's oldest first; of refunds also those that wait for their order's invoice.
 * They and their orders stay locked until commit, so that a job that is handed out twice judges once. With their bodies,
 * unless those are more than `bytesMax` together.
 */
export function lockAttempts(
  tx: Tx,
  ids: readonly string[],
  bytesMax: number,
): Promise<WaitingAttempt[]> {
  return tx.query<WaitingAttempt>(
    prepared(
      'lock attempts',
      sql`with locked as materialized (
            select a.id, a.order_id, o.kind, o.refund_key, o.order_identity, a.raw, o.invoice_id,
              octet_length(a.raw) as bytes, a.status = 'rejected' as has_waited, a.received_at
            from intake.order_attempts a join intake.orders o on o.id = a.order_id
            where a.id = any (${ids}::uuid[]) and (a.status = 'received' or a.status = 'rejected'
              and a.reason = any (${[...waitingRejections]}::text[])
              and o.invoice_id is null and not o.is_dismissed)
            order by o.id, a.received_at, a.id for update)
          select id, order_id, kind, refund_key, order_identity, invoice_id, bytes, has_waited,
            case when sum(bytes) over () <= ${bytesMax}::bigint then raw end as raw
          from locked order by order_id, received_at, id`,
    ),
  );
}

/** Those attempts, in their order, with what their orders have become so far. */
export function listAttempts(tx: Tx, ids: readonly string[]): Promise<OrderAttempt[]> {
  return tx.query<OrderAttempt>(
    prepared(
      'list attempts',
      sql`select a.id, a.order_id, o.kind, o.refund_key, o.order_identity, a.raw, o.invoice_id
          from unnest(${ids}::uuid[]) with ordinality as given (id, place)
          cross join lateral (select * from intake.order_attempts where id = given.id limit 1) as a
          join intake.orders o on o.id = a.order_id
          order by given.place`,
    ),
  );
}

/** Those of the attempts that waited are as they came, and may be judged again. */
export async function openWaiting(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.query(
    prepared(
      'open waiting',
      sql`update intake.order_attempts
          set status = 'received', reason = null, detail = null, decided_at = null
          where id = any (${ids}::uuid[]) and status = 'rejected'`,
    ),
  );
}

export interface Candidate extends Debtor, NamedCustomer {
  readonly id: string;
  readonly paymentTermsDays: number | null;
}

export interface BuyerKeys {
  readonly externalIds: readonly string[];
  readonly names: readonly string[];
  readonly emails: readonly string[];
  readonly organizationNumbers: readonly string[];
  readonly vatNumbers: readonly string[];
}

/** Active customers that share a sign with any of the buyers; which one it is, the domain decides. */
export function listCandidates(tx: Tx, keys: BuyerKeys): Promise<Candidate[]> {
  return tx.query<Candidate>(
    prepared(
      'list candidates',
      sql`with found as (
            select id from sales.customers where external_id = any (${keys.externalIds}::text[])
            union select id from sales.customers where vat_number = any (${keys.vatNumbers}::text[])
            union select id from sales.customers
              where organization_number = any (${keys.organizationNumbers}::text[])
            union select id from sales.customers where lower(email) = any (${keys.emails}::text[])
            union select id from sales.customers where lower(name) = any (${keys.names}::text[])
          )
          select c.id, c.name, c.email, c.organization_number as "orgNumber", c.vat_number as "vatNumber",
            c.payment_terms_days as "paymentTermsDays", c.country_code as "countryCode", c.address,
            c.postal_code as "postalCode", c.city, c.phone, c.external_id as "externalId"
          from found
          -- One by one: joined, the whole register would be read for each batch.
          cross join lateral (select * from sales.customers where id = found.id limit 1) as c
          where c.is_active order by c.id`,
    ),
  );
}

export interface IntakeRules {
  supply: 'goods' | 'services';
  paymentTermsDays: number;
  isBookedAutomatically: boolean;
  /** VAT of other EU countries is filed in the one stop shop, and orders are taken in other currencies. */
  isOssOn: boolean;
  /** `card 1686`, by the company's names of means. */
  paymentAccounts: string[];
  collectiveCustomerId: string | null;
  collectivePaymentTermsDays: number | null;
  fiscalYears: { start: string; end: string }[];
  accounts: {
    number: number;
    isActive: boolean;
    vatRate: number | null;
    vatBox: string | null;
    vatCode: string | null;
  }[];
  articles: { number: string; supply: 'goods' | 'services'; account: number | null }[];
}

/** The installation's rules, and of its registers only what these orders can need. */
export async function getIntakeRules(
  tx: Tx,
  articleNumbers: readonly string[],
): Promise<IntakeRules> {
  const [rules] = await tx.query<IntakeRules>(
    prepared(
      'intake rules',
      sql`with article as (
            select number, supply, account from sales.articles
            where is_active and number = any (${articleNumbers}::text[])
          )
          select c.order_supply as supply, c.order_payment_terms_days as "paymentTermsDays",
            c.order_booking_is_automatic as "isBookedAutomatically",
            c.order_oss_is_on as "isOssOn", c.order_payment_accounts as "paymentAccounts",
            k.id as "collectiveCustomerId", k.payment_terms_days as "collectivePaymentTermsDays",
            (select coalesce(json_agg(json_build_object('start', y.start_date, 'end', y.end_date)), '[]')
              from ledger.fiscal_years y) as "fiscalYears",
            (select coalesce(json_agg(json_build_object('number', a.number, 'isActive', a.is_active,
                'vatRate', a.vat_rate, 'vatBox', a.vat_box, 'vatCode', a.vat_code)), '[]')
              from ledger.accounts a
              where a.number between 3000 and 3999 or a.number = ${giftCardAccount}
                or a.number in (select account from article)
                or a.number in (select split_part(m, ' ', 2)::integer
                  from unnest(c.order_payment_accounts) as m)) as accounts,
            (select coalesce(json_agg(article), '[]') from article) as articles
          from restricted.company c
          left join sales.customers k on k.id = c.collective_customer_id and k.is_active`,
    ),
  );
  if (!rules) throw new Error('the installation has no company');
  return rules;
}

export interface Judgement {
  readonly attemptId: string;
  readonly orderId: string;
  readonly status: 'draft' | 'duplicate' | 'rejected';
  readonly reason: string | null;
  readonly detail: object | null;
  readonly invoiceId: string | null;
  readonly customerId: string | null;
}

/** Writes the judgements and tells the calls that wait, when this commits. */
export async function writeJudgements(
  tx: Tx,
  judgements: readonly Judgement[],
  channel: string,
): Promise<void> {
  await tx.query(
    prepared(
      'write judgements',
      sql`with judged as materialized (
            select * from unnest(
              ${judgements.map((judgement) => judgement.attemptId)}::uuid[],
              ${judgements.map((judgement) => judgement.orderId)}::uuid[],
              ${judgements.map((judgement) => judgement.status)}::text[],
              ${judgements.map((judgement) => judgement.reason)}::text[],
              ${judgements.map(({ detail }) => detail && jsonOf(detail))}::jsonb[],
              ${judgements.map((judgement) => judgement.invoiceId)}::uuid[],
              ${judgements.map((judgement) => judgement.customerId)}::uuid[])
              as j (attempt_id, order_id, status, reason, detail, invoice_id, customer_id)
          ), attempt as (
            update intake.order_attempts a set status = j.status, reason = j.reason,
              detail = j.detail, decided_at = now()
            from judged j where a.id = j.attempt_id
          ), drafted as (
            update intake.orders o set invoice_id = j.invoice_id, customer_id = j.customer_id
            from judged j where o.id = j.order_id and j.status = 'draft'
          )
          select pg_notify(${channel}, string_agg(attempt_id::text, ',')) from judged`,
    ),
  );
}
