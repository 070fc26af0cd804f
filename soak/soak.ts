/** One soak from beginning to end: traffic with mischief, then calm, then the proof. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Scope } from '#src/access/keys/scopes.ts';
import { createKey } from '#src/access/keys/service.ts';
import { hashOfPassword } from '#src/access/users/passwords.ts';
import { createUser } from '#src/access/users/service.ts';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { createRandom } from '#src/demo/random.ts';
import { percentile } from '../bench/statistics.ts';
import { allScopes } from '../test/support/installation.ts';
import type { Arguments } from './arguments.ts';
import { proveBooks } from './books-proof.ts';
import type { Key, World } from './callers.ts';
import { command } from './command.ts';
import { judgeDeliveries, judgeFollowers, proveFeed, readFeed } from './events-proof.ts';
import { type Entry, Journal, readJournal } from './journal.ts';
import { judgeMemory, memoryOverTime, type Samples, startSampling } from './memory.ts';
import { doMischief, patiently } from './mischief.ts';
import { emailOf, password } from './person.ts';
import { holdAgainst, judgeAnswers, judgeRevoked, readBooks } from './proof.ts';
import { openReceiver, type Receiver } from './receiver.ts';
import { type System, withSystem } from './system.ts';
import { startTraffic } from './traffic.ts';
import { type Violation, Violations } from './violations.ts';

export interface Report {
  readonly seed: string;
  readonly minutes: number;
  /** By kind and final status. */
  readonly calls: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly slowest_ms: { readonly p50: number; readonly p99: number; readonly max: number };
  readonly mischief: Readonly<Record<string, number>>;
  readonly faults: Readonly<Record<string, number>>;
  readonly vouchers: number;
  readonly events: number;
  readonly deliveries_refused: number;
  /** Resident megabytes of each part in each tenth of the run. */
  readonly memory_mb: Readonly<Record<string, readonly number[]>>;
  /** Lines of level 50, by what they say. */
  readonly errors_logged: Readonly<Record<string, number>>;
  readonly violations: readonly Violation[];
}

/** For what has begun to be answered, once nothing fails any more. */
const answer_ms_max = 60_000;
const stuck_ms_max = 60_000;

export async function soak(
  { minutes, seed }: Arguments,
  { note, stop }: { note: (line: string) => void; stop: AbortSignal },
): Promise<Report> {
  const violations = new Violations(note);
  return withSystem(seed, violations, async (system) => {
    const receiver = await openReceiver(createRandom(`${seed} receiver`));
    const journal = await Journal.create(join(system.folder, 'journal.ndjson'));
    const samples = startSampling(system.hosts);
    try {
      const over = AbortSignal.any([stop, AbortSignal.timeout(minutes * 60_000)]);
      const world = await makeWorld({ system, journal, violations, seed, over, receiver });
      note(`Soaking for ${minutes} minutes, seed ${seed} …`);
      const traffic = startTraffic(world);
      // One that fails is met when all are waited for; until then, or when stopped, it is nobody's crash.
      void Promise.allSettled(traffic);
      const made = () => makeKey(system, allScopes);
      const { done, revoked } = await doMischief(world, made);
      stop.throwIfAborted();
      note('Calm; what has begun is finished …');
      await calmDown(world, receiver, traffic);
      await samples.stop();
      note('Holding what was answered against the books …');
      const entries = await readJournal(journal.path);
      const events = await prove(world, { entries, revoked, receiver, samples });
      return reportOf({ minutes, world, entries, done, events, receiver, samples });
    } finally {
      await samples.stop();
      receiver.close();
      await journal.close();
    }
  });
}

const makeKey = async (system: System, scopes: readonly Scope[]): Promise<Key> =>
  patiently(system.owner, (tx) =>
    createKey(tx, { name: 'Soak', scopes, quotaPerHour: 100_000_000, expiresAt: null }, 'soak'),
  );

type Start = Pick<World, 'system' | 'journal' | 'violations' | 'seed' | 'over'>;

async function makeWorld({ receiver, ...start }: Start & { receiver: Receiver }): Promise<World> {
  const { system } = start;
  const passwordHash = await hashOfPassword(password);
  for (const name of ['person-1', 'person-2']) {
    const email = emailOf(name);
    const user = { email, name, role: 'agare', passwordHash, passwordIsTemporary: false } as const;
    await withTx(system.owner, (tx) => createUser(tx, user, 'soak'));
  }
  const made = await command(system, 'webhook', 'create', '--url', receiver.url, '--json');
  if (made.exitCode !== 0) throw new Error(`no webhook could be made: ${made.stderr}`);
  const { id: webhook, secret } = JSON.parse(made.stdout) as { id: string; secret: string };
  receiver.trust(secret);
  return {
    ...start,
    steady: await makeKey(system, allScopes),
    narrow: await makeKey(system, ['intake:write']),
    fickle: await makeKey(system, allScopes),
    webhook,
    toPay: [],
    deadline: Number.POSITIVE_INFINITY,
  };
}

async function calmDown(
  world: World,
  receiver: Receiver,
  traffic: readonly Promise<unknown>[],
): Promise<void> {
  const { system, violations } = world;
  for (const proxy of [...system.doors, ...system.wires]) proxy.calm();
  receiver.calm();
  for (const host of system.hosts) await host.startIfEnded();
  world.deadline = Date.now() + answer_ms_max;
  await Promise.all(traffic);
  // As long as it gets less; a receiver that was slow has left much to do.
  let before = '';
  for (let since = Date.now(); ; ) {
    const left = await undone(system);
    if (left === '') return;
    if (left !== before) since = Date.now();
    before = left;
    if (Date.now() - since > stuck_ms_max) {
      violations.add(`when all had been calm, and nothing moved for a minute, ${left}`);
      return;
    }
    // The next attempt may be hours away.
    await command(system, 'webhook', 'enable', world.webhook);
    await sleep(3_000);
  }
}

/** What still waits for somebody, in words; empty when nothing does. */
async function undone({ owner }: System): Promise<string> {
  const [left] = await db(owner).query<Record<string, number>>(
    sql`select
      (select count(*)::integer from intake.orders o where o.invoice_id is null and not exists (
        select from intake.order_attempts a where a.order_id = o.id and a.reason is not null))
        as "orders were undecided",
      (select count(*)::integer from sales.invoices where source = 'order' and status = 'draft')
        as "orders' invoices were not booked",
      (select count(*)::integer from events.deliveries where state = 'pending')
        as "webhooks were not delivered",
      (select count(*)::integer from events.outbox)
        - (select count(distinct event_id)::integer from events.deliveries)
        as "events were not on their way"`,
  );
  const waiting = Object.entries(left ?? {}).filter(([, count]) => count > 0);
  return waiting.map(([what, count]) => `${count} ${what}`).join(', ');
}

interface Evidence {
  readonly entries: readonly Entry[];
  readonly revoked: ReadonlyMap<string, number>;
  readonly receiver: Receiver;
  readonly samples: Samples;
}

/** Answers how many events there are. */
async function prove(world: World, evidence: Evidence): Promise<number> {
  const { system, violations, steady } = world;
  const { entries, revoked, receiver, samples } = evidence;
  const { owner, hosts } = system;
  const feed = await readFeed(hosts[0]?.port ?? 0, steady.key);
  const verified = await command(system, 'verify', '--json');
  const faults = [
    ...holdAgainst(entries, await readBooks(owner)),
    ...judgeAnswers(entries),
    ...judgeRevoked(entries, revoked),
    ...(await proveBooks(owner)),
    ...(await proveFeed(owner, feed)),
    ...judgeFollowers(entries, feed),
    ...judgeDeliveries(receiver.taken, feed),
    ...(receiver.unsigned > 0 ? [`${receiver.unsigned} deliveries were signed by nobody`] : []),
    ...(verified.exitCode === 0 ? [] : [`huvudbok verify: ${verified.stdout}${verified.stderr}`]),
  ];
  for (const fault of faults) violations.add(fault);
  judgeMemory(samples.all, violations);
  return feed.length;
}

interface Outcome {
  readonly minutes: number;
  readonly world: World;
  readonly entries: readonly Entry[];
  readonly done: Readonly<Record<string, number>>;
  readonly events: number;
  readonly receiver: Receiver;
  readonly samples: Samples;
}

async function reportOf(outcome: Outcome): Promise<Report> {
  const { minutes, world, entries, done, events, receiver, samples } = outcome;
  const { system, violations, seed } = world;
  const calls: Record<string, Record<string, number>> = {};
  for (const { kind, status } of entries) {
    calls[kind] ??= {};
    const own = calls[kind];
    own[status] = (own[status] ?? 0) + 1;
  }
  const faults: Record<string, number> = {};
  for (const [name, proxies] of [
    ['http', system.doors] as const,
    ['database', system.wires] as const,
  ]) {
    for (const { done: counts } of proxies) {
      for (const [fault, count] of Object.entries(counts)) {
        faults[`${name} ${fault}`] = (faults[`${name} ${fault}`] ?? 0) + count;
      }
    }
  }
  const errors: Record<string, number> = {};
  for (const host of system.hosts) {
    for (const [said, count] of host.errors) errors[said] = (errors[said] ?? 0) + count;
  }
  const times = entries.map(({ ms }) => ms).sort((a, b) => a - b);
  const [voucher] = await db(system.owner).query<{ count: number }>(
    sql`select count(*)::integer as count from ledger.vouchers`,
  );
  return {
    seed,
    minutes,
    calls,
    slowest_ms: {
      p50: percentile(times, 0.5),
      p99: percentile(times, 0.99),
      max: times.at(-1) ?? 0,
    },
    mischief: done,
    faults,
    vouchers: voucher?.count ?? 0,
    events,
    deliveries_refused: receiver.refused,
    memory_mb: memoryOverTime(samples.all),
    errors_logged: errors,
    violations: violations.all,
  };
}
