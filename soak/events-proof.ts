/** The feed of events: all that happened, once each, to whoever followed it and to whoever is told. */

import { db, type Pool } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { type Answer, call } from '../bench/attacks.ts';
import type { Entry } from './journal.ts';
import type { Faults } from './proof.ts';

export interface FeedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>> | null;
}

/** The whole feed, from its beginning. */
export async function readFeed(port: number, key: string): Promise<FeedEvent[]> {
  const events: FeedEvent[] = [];
  for (let cursor = ''; ; ) {
    const path = `/api/v1/handelser?limit=200${cursor}`;
    const answer: Answer = await call({ port, key }, { path });
    if (answer.status !== 200) throw new Error(`the feed: ${answer.status} ${answer.body}`);
    const page = JSON.parse(answer.body) as {
      data: FeedEvent[];
      next_cursor: string;
      has_more: boolean;
    };
    events.push(...page.data);
    cursor = `&cursor=${page.next_cursor}`;
    if (!page.has_more) return events;
  }
}

const some = (ids: Iterable<string>): string => [...ids].slice(0, 3).join(', ');

/** Whoever followed got what is there now, in the same order, and nothing twice. */
export function judgeFollowers(entries: readonly Entry[], feed: readonly FeedEvent[]): Faults {
  const followers = Map.groupBy(
    entries.filter(({ kind, status }) => kind === 'events' && status === 200),
    ({ op }) => op,
  );
  return [...followers].flatMap(([name, calls]) => {
    const got = calls.flatMap(({ answer }) => (answer?.['ids'] ?? []) as string[]);
    const twice = got.length - new Set(got).size;
    const differs = got.findIndex((id, place) => id !== feed[place]?.id);
    return [
      ...(twice > 0 ? [`${name} of the events got ${twice} of them twice`] : []),
      ...(differs === -1
        ? []
        : [
            `${name} of the events got ${got[differs]} at place ${differs}, where others see ${feed[differs]?.id}`,
          ]),
    ];
  });
}

const subjects = [
  ['voucher.posted', 'id', sql`select id from ledger.vouchers`],
  ['invoice.drafted', 'invoice_id', sql`select id from sales.invoices`],
  ['invoice.booked', 'invoice_id', sql`select id from sales.invoices where number is not null`],
  ['invoice.paid', 'invoice_id', sql`select id from sales.invoices where status = 'paid'`],
  ['order.received', 'orderId', sql`select id from intake.orders`],
  ['e_invoice.received', 'draftId', sql`select id from purchases.invoices`],
] as const;

/** Each thing in the books has its event, once, and no event tells of what is not there. */
export async function proveFeed(owner: Pool, feed: readonly FeedEvent[]): Promise<Faults> {
  const faults: Faults = [];
  const ids = new Set(feed.map(({ id }) => id));
  if (ids.size < feed.length) faults.push(`${feed.length - ids.size} events are in the feed twice`);
  for (const [type, field, query] of subjects) {
    const there = new Set((await db(owner).query<{ id: string }>(query)).map(({ id }) => id));
    const told = feed
      .filter((event) => event.type === type)
      .map(({ data }) => String(data?.[field]));
    const missing = there.difference(new Set(told));
    const untrue = new Set(told).difference(there);
    if (missing.size > 0) faults.push(`${missing.size} have no ${type}: ${some(missing)}`);
    if (untrue.size > 0) faults.push(`${type} tells of ${some(untrue)}, which is not in the books`);
    // An order that is sent again is received again.
    const doubled = told.length - new Set(told).size;
    if (doubled > 0 && type !== 'order.received')
      faults.push(`${type} came ${doubled} times too often`);
  }
  return faults;
}

export function judgeDeliveries(taken: ReadonlySet<string>, feed: readonly FeedEvent[]): Faults {
  const ids = new Set(feed.map(({ id }) => id));
  const missing = ids.difference(taken);
  const untrue = taken.difference(ids);
  return [
    ...(missing.size > 0
      ? [`${missing.size} events never reached the webhook: ${some(missing)}`]
      : []),
    ...(untrue.size > 0
      ? [`the webhook was told of ${some(untrue)}, which is not in the feed`]
      : []),
  ];
}
