import type { Db, Tx } from '../../db/pool.ts';
import { prepared, sql } from '../../db/sql.ts';
import { type Refusal, refuseWhole } from '../../lib/errors.ts';
import { uuid } from '../../lib/uuid.ts';
import type { AttemptResult } from './send.ts';

export interface Endpoint {
  id: string;
  url: string;
  description: string;
  /** Empty means all. */
  types: string[];
  created_at: Date;
  /** Since when no attempt has succeeded; null while they do. */
  failing_since: Date | null;
  /** Until when its receiver asked to be left alone; null when it asked for nothing, or that time is over. */
  held_until: Date | null;
  disabled_at: Date | null;
  disabled_reason: string | null;
  outstanding: number;
}

const selectEndpoints = sql`select e.id, e.url, e.description, e.types, e.created_at, e.failing_since,
    case when e.held_until > now() then e.held_until end as held_until, e.disabled_at, e.disabled_reason, (select count(*)::integer from events.deliveries d
      where d.endpoint_id = e.id and d.state = 'pending') as outstanding
  from events.endpoints e`;

export function listEndpoints(db: Db): Promise<Endpoint[]> {
  return db.query(sql`${selectEndpoints} order by e.created_at, e.id`);
}

export const unknownEndpoint = (id: string): Refusal =>
  refuseWhole('not_found', 'no_endpoint', { id });

/** Throws 404 when there is none. */
export async function getEndpoint(db: Db, id: string): Promise<Endpoint> {
  const [endpoint] = await db.query<Endpoint>(sql`${selectEndpoints} where e.id = ${id}::uuid`);
  if (!endpoint) throw unknownEndpoint(id);
  return endpoint;
}

/** Undefined when there is no such endpoint; null for a secret that is not sealed yet. */
export async function findSecretKeyId(
  db: Db,
  id: string,
): Promise<{ key_id: string | null } | undefined> {
  const [endpoint] = await db.query<{ key_id: string | null }>(
    sql`select secret_key_id as key_id from events.endpoints where id = ${id}::uuid`,
  );
  return endpoint;
}

/** The secret it had signs on for a day when it is kept. False when there is no such endpoint. */
export async function replaceSecret(
  tx: Tx,
  id: string,
  sealed: Buffer,
  keepsPrevious: boolean,
): Promise<boolean> {
  const [row] = await tx.query<{ is_done: boolean }>(
    sql`select events.replace_secret(${id}::uuid, ${sealed}, ${keepsPrevious}) as is_done`,
  );
  return row?.is_done ?? false;
}

export interface Delivery {
  id: string;
  event_id: string;
  type: string;
  created_at: Date;
  /** The same to the microsecond, to go on from. */
  created_text: string;
  state: 'pending' | 'delivered' | 'failed';
  attempts: number;
  /** Null when there will be none. */
  next_attempt_at: Date | null;
  /** Of the latest attempt. */
  status: number | null;
  error: string | null;
}

export interface DeliveryFilter {
  readonly state?: Delivery['state'] | null;
  readonly limit?: number;
  /** Only those made before this one, by `created_text` and `id`. */
  readonly before?: { readonly created_text: string; readonly id: string } | null;
}

/** The latest deliveries of an endpoint, newest first. */
export function listDeliveries(
  db: Db,
  endpointId: string,
  { state = null, limit = 50, before = null }: DeliveryFilter = {},
): Promise<Delivery[]> {
  const wanted = state === null ? sql`true` : sql`d.state = ${state}`;
  const from =
    before === null
      ? sql`true`
      : sql`(d.created_at, d.id) < (${before.created_text}::timestamptz, ${before.id}::uuid)`;
  return db.query(sql`select d.id, d.event_id, d.type, d.state, d.attempts, d.created_at,
      d.created_at::text as created_text,
      case when d.state = 'pending' then d.next_attempt_at end as next_attempt_at, a.status, a.error
    from events.deliveries d
    left join events.attempts a on a.delivery_id = d.id and a.number = d.attempts
    where d.endpoint_id = ${endpointId}::uuid and ${wanted} and ${from}
    order by d.created_at desc, d.id desc limit ${limit}::integer`);
}

export interface DeliveryAttempt {
  delivery_id: string;
  number: number;
  started_at: Date;
  duration_ms: number;
  status: number | null;
  error: string | null;
}

/** How every attempt to hand these deliveries over went, in order. */
export function listAttempts(db: Db, deliveryIds: readonly string[]): Promise<DeliveryAttempt[]> {
  return db.query(sql`select delivery_id, number, started_at, duration_ms, status, error
    from events.attempts where delivery_id = any (${deliveryIds}::uuid[])
    order by delivery_id, number`);
}

/** A delivery somebody has taken, and all there is to know to make the attempt. */
export interface DueDelivery {
  id: string;
  endpoint_id: string;
  event_id: string;
  type: string;
  /** 1 is the first. */
  attempt: number;
  url: string;
  /** What signs it, newest first. */
  sealed: Buffer[];
  body: string;
}

export async function fanOut(
  tx: Tx,
  limits: { readonly page: number; readonly outstanding: number },
): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    prepared(
      'fan out',
      sql`select events.fan_out(${limits.page}::integer, ${limits.outstanding}::integer) as count`,
    ),
  );
  return row?.count ?? 0;
}

/** Whether there is any endpoint that is not shut off. */
export async function hasEndpoints(db: Db): Promise<boolean> {
  const [row] = await db.query<{ is_so: boolean }>(
    prepared(
      'has endpoints',
      sql`select exists (select from events.endpoints where disabled_at is null) as is_so`,
    ),
  );
  return row?.is_so ?? false;
}

/** `busy` is how many attempts are under way with each endpoint here, of `places`. */
export async function takeDue(
  tx: Tx,
  busy: ReadonlyMap<string, number>,
  places: number,
): Promise<DueDelivery[]> {
  const due = await tx.query<{ id: string }>(
    prepared(
      'list due',
      sql`select id from events.list_due(${[...busy.keys()]}::uuid[],
            ${[...busy.values()]}::integer[], ${places}::integer) as due (id)`,
    ),
  );
  if (due.length === 0) return [];
  return take(
    tx,
    due.map(({ id }) => id),
  );
}

export function take(tx: Tx, ids: readonly string[]): Promise<DueDelivery[]> {
  return tx.query(
    prepared(
      'take deliveries',
      sql`select id, endpoint_id, event_id, type, attempt, url, sealed, body
          from events.take(${ids}::uuid[])`,
    ),
  );
}

/**
 * Writes down an attempt, unless its endpoint has been deleted with its deliveries meanwhile. Made twice (the first maker
 * was given up), the latest is kept.
 */
export async function insertAttempt(
  tx: Tx,
  deliveryId: string,
  number: number,
  { startedAt, durationMs, status, error }: AttemptResult,
): Promise<void> {
  await tx.query(sql`insert into events.attempts
      (delivery_id, number, started_at, duration_ms, status, error)
    select d.id, ${number}::integer, ${startedAt}::timestamptz, ${durationMs}::integer, ${status}::integer, ${error}::text
    from events.deliveries d where d.id = ${deliveryId}::uuid for key share of d
    on conflict (delivery_id, number) do update set started_at = excluded.started_at,
      duration_ms = excluded.duration_ms, status = excluded.status, error = excluded.error`);
}

export async function finishDelivery(
  tx: Tx,
  deliveryId: string,
  state: 'delivered' | 'failed',
): Promise<void> {
  await tx.query(sql`update events.deliveries set state = ${state}, finished_at = now()
    where id = ${deliveryId}::uuid and state = 'pending'`);
}

export async function postponeDelivery(tx: Tx, deliveryId: string, delayMs: number): Promise<void> {
  await tx.query(sql`update events.deliveries
    set next_attempt_at = now() + ${delayMs} * interval '1 millisecond'
    where id = ${deliveryId}::uuid and state = 'pending'`);
}

/** An attempt has succeeded. Since when none had; null when they do. */
export async function noteSuccess(tx: Tx, endpointId: string): Promise<Date | null> {
  const [endpoint] = await tx.query<{ failing_since: Date }>(sql`
    with failing as (select id, failing_since from events.endpoints
      where id = ${endpointId}::uuid and failing_since is not null for update)
    update events.endpoints e set failing_since = null from failing where e.id = failing.id
    returning failing.failing_since`);
  return endpoint?.failing_since ?? null;
}

export async function noteFailure(tx: Tx, endpointId: string): Promise<void> {
  await tx.query(sql`update events.endpoints set failing_since = now()
    where id = ${endpointId}::uuid and failing_since is null`);
}

/** Nothing is sent to it for as long, but what a person tries it with. An earlier answer that asked for longer holds. */
export async function holdEndpoint(tx: Tx, endpointId: string, restMs: number): Promise<void> {
  await tx.query(sql`update events.endpoints
    set held_until = greatest(held_until, now() + ${restMs} * interval '1 millisecond')
    where id = ${endpointId}::uuid`);
}

/**
 * Makes deliveries due that wait for their next attempt, but for those whose attempt is under way. With
 * `triedFirstSince` only those that had not been attempted before it.
 */
export async function endWaiting(
  tx: Tx,
  endpointId: string,
  triedFirstSince: Date | null = null,
): Promise<void> {
  await tx.query(sql`update events.deliveries d set next_attempt_at = now()
    where d.endpoint_id = ${endpointId}::uuid and d.state = 'pending' and d.next_attempt_at > now()
      and exists (select from events.attempts a where a.delivery_id = d.id and a.number = d.attempts)
      and (${triedFirstSince}::timestamptz is null or not exists (select from events.attempts a
        where a.delivery_id = d.id and a.started_at < ${triedFirstSince}::timestamptz))`);
}

/** False when it already was, or has had a success in the last `afterHours` hours. */
export async function disableEndpoint(
  tx: Tx,
  id: string,
  reason: string,
  afterHours = 0,
): Promise<boolean> {
  const disabled = await tx.query(sql`update events.endpoints
    set disabled_at = now(), disabled_reason = ${reason}
    where id = ${id}::uuid and disabled_at is null
      and (${afterHours}::integer = 0
        or failing_since <= now() - ${afterHours}::integer * interval '1 hour')
    returning id`);
  return disabled.length > 0;
}

/** Is told of what happens from now on. */
export async function insertEndpoint(
  tx: Tx,
  endpoint: {
    readonly id: string;
    readonly url: string;
    readonly description: string;
    readonly types: readonly string[];
    readonly sealed: Buffer;
  },
  actor: string,
): Promise<void> {
  const { id, url, description, types, sealed } = endpoint;
  await tx.query(sql`insert into events.endpoints (id, url, description, types, sealed_secret, created_by,
      after_epoch, after_xid, after_seq)
    select ${id}::uuid, ${url}, ${description}, ${types}::text[], ${sealed}, ${actor}, epoch, xid, seq
    from events.latest_place()`);
}

/** The address it had; undefined when there is no such endpoint. */
export async function deleteEndpointRow(tx: Tx, id: string): Promise<string | undefined> {
  const [gone] = await tx.query<{ url: string }>(
    sql`delete from events.endpoints where id = ${id}::uuid returning url`,
  );
  return gone?.url;
}

/** Until commit; false when there is no such endpoint. */
export async function lockEndpoint(tx: Tx, id: string): Promise<boolean> {
  const [endpoint] = await tx.query(
    sql`select from events.endpoints where id = ${id}::uuid for update`,
  );
  return endpoint !== undefined;
}

/** The message that says nothing but that it arrived; undefined when there is no such endpoint. */
export async function insertTestDelivery(
  tx: Tx,
  endpointId: string,
  type: string,
): Promise<string | undefined> {
  const [delivery] = await tx.query<{ id: string }>(sql`
    insert into events.deliveries (id, endpoint_id, event_id, type, subject, occurred_at)
    select ${uuid()}::uuid, e.id, ${uuid()}::uuid, ${type}, e.id, now()
    from events.endpoints e where e.id = ${endpointId}::uuid returning id`);
  return delivery?.id;
}

/** Another delivery of the same event; undefined when there is no such delivery. */
export async function insertDeliveryAgain(tx: Tx, deliveryId: string): Promise<string | undefined> {
  const [delivery] = await tx.query<{ id: string }>(sql`
    insert into events.deliveries (id, endpoint_id, event_id, type, subject, occurred_at)
    select ${uuid()}::uuid, d.endpoint_id, d.event_id, d.type, d.subject, d.occurred_at
    from events.deliveries d where d.id = ${deliveryId}::uuid returning id`);
  return delivery?.id;
}

/** On again, as if nothing had failed and nobody had asked us to wait; false when there is no such endpoint. */
export async function setEnabled(tx: Tx, id: string): Promise<boolean> {
  const enabled = await tx.query(sql`update events.endpoints
    set disabled_at = null, disabled_reason = null, failing_since = null, held_until = null
    where id = ${id}::uuid returning id`);
  return enabled.length > 0;
}
