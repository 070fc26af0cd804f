/** A whole service under load, whose parts are killed; and the proof that nothing was lost or doubled. */
import { randomUUID } from 'node:crypto';
import { openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { createKey } from '#src/access/keys/service.ts';
import { findRunning } from '#src/db/embedded.ts';
import { createPool, db, type Pool, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { changeSetting, setUp } from '#src/installation/company/service.ts';
import { childrenOf, isAlive } from '../../soak/processes.ts';
import { allScopes, orderBody, testCompany, voucherBody } from '../support/installation.ts';
import { freePort } from '../support/port.ts';
import { entry } from '../support/program.ts';
import { migratedDataDir, newDataDir, waitUntil } from './embedded.ts';
import { Running } from './running.ts';

export interface Service {
  readonly dataDir: string;
  readonly owner: Pool;
  readonly key: string;
  readonly address: string;
  /** What its start took with all its processes, by which to measure others: on a busy machine all take longer. */
  readonly start_ms: number;
  /** Process numbers of the supervisor's children, by part. */
  children(): Map<string, number>;
  killSupervisor(): Promise<void>;
  start(): Promise<void>;
  /** Waits until the service has said so. */
  says(pattern: RegExp): Promise<unknown>;
  /** What a command prints as JSON. */
  command(...args: string[]): Promise<{ exitCode: number | null; answer: unknown }>;
}

/**
 * The service with a company, a key and automatic booking of what orders bring; on an embedded server
 * unless `settings` point out another. What it says may go to a file instead of here.
 */
export async function startService(
  settings: Readonly<Record<string, string>> = {},
  log?: string,
): Promise<Service> {
  const databaseUrl = settings['DATABASE_URL'];
  const dataDir =
    settings['DATA_DIR'] ??
    (databaseUrl === undefined ? await migratedDataDir() : await newDataDir());
  const port = await freePort();
  const { PATH, HOME } = process.env;
  const env = {
    PATH,
    HOME,
    DATA_DIR: dataDir,
    PORT: String(port),
    LOG_LEVEL: 'warn',
    INTAKE_WAIT_MS: '4000',
    ...settings,
  };
  let running: Running;
  const start = async () => {
    const stderr = log === undefined ? 'pipe' : openSync(log, 'a');
    running = new Running(entry, ['start'], env, stderr);
    if (log === undefined) await running.says(/Ctrl-C/);
    else await waitUntil(() => readFileSync(log, 'utf8').includes('Ctrl-C'));
  };
  const began = performance.now();
  await start();
  const start_ms = performance.now() - began;
  const url = databaseUrl ?? (await findRunning(dataDir))?.url ?? '';
  const owner = createPool({ url, max: 2, applicationName: 'crash test' });
  onTestFinished(() => owner.end());
  const { key } = await withTx(owner, async (tx) => {
    await setUp(tx, testCompany, 'test');
    await changeSetting(tx, 'order-booking', 'on', 'test');
    const scopes = allScopes;
    return createKey(tx, { name: 'K', scopes, quotaPerHour: 10_000_000, expiresAt: null }, 'test');
  });
  const children = () => childrenOf(running.child.pid ?? 0);
  return {
    dataDir,
    owner,
    key,
    address: `http://127.0.0.1:${port}`,
    start_ms,
    children,
    start,
    says: (pattern) => running.says(pattern),
    async killSupervisor() {
      const left = [...children().values()];
      await running.kill('SIGKILL');
      await waitUntil(() => left.every((pid) => !isAlive(pid)));
    },
    async command(...args) {
      const command = new Running(entry, args, env);
      const exitCode = await command.exitCode();
      return { exitCode, answer: JSON.parse(command.stdout) };
    },
  };
}

interface Answer {
  readonly status: number;
  readonly body: { id?: string; invoiceId?: string; error?: string; detail?: { reason?: string } };
}

/** Work of one that is dead is begun anew when its heartbeat has been missing for so long. */
const heartbeat_ms = 10_000;

/** How long no call may take, though what answers it is killed and started anew meanwhile. */
export const patienceOf = ({ start_ms }: Service): number => heartbeat_ms + 6 * start_ms;

/** Clients that post until they are told to stop, and try every call again until it is answered. */
export class Load {
  /** Voucher answers by Idempotency-Key; the key is the voucher's description too. */
  readonly vouchers = new Map<string, string>();
  /** By externalId: the invoice's id, or the reason there is none. */
  readonly orders = new Map<string, string>();
  /** Calls that had to be made again. */
  retries = 0;
  /** Of them, what was answered: status and code. */
  readonly refusals = new Set<string>();
  /** The longest that any call waited for its final answer. */
  slowest_ms = 0;
  #isOver = false;
  readonly #clients: Promise<void>[];
  readonly #service: Service;

  readonly #pause_ms: number;

  /** Between its calls each client pauses, so that some are always under way and the processor is not all theirs. */
  constructor(service: Service, pause_ms = 40) {
    this.#service = service;
    this.#pause_ms = pause_ms;
    this.#clients = [
      ...Array.from({ length: 8 }, () => this.#repeat(() => this.#postVoucher())),
      ...Array.from({ length: 8 }, () => this.#repeat(() => this.#postOrder())),
    ];
  }

  /** Waits until so many more vouchers and orders have been answered. */
  async goOn(vouchers: number, orders: number): Promise<void> {
    const enough = { vouchers: this.vouchers.size + vouchers, orders: this.orders.size + orders };
    await waitUntil(
      () => this.vouchers.size >= enough.vouchers && this.orders.size >= enough.orders,
    );
  }

  /** No new calls; those under way get their answer. */
  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#clients);
  }

  async #repeat(work: () => Promise<void>): Promise<void> {
    for (let round = 0; !this.#isOver && round < 5_000; round += 1) {
      await work();
      await sleep(this.#pause_ms);
    }
  }

  async #postVoucher(): Promise<void> {
    const key = randomUUID();
    const payload = voucherBody({ description: key, seriesCode: key < '4' ? 'M' : 'A' });
    const { status, body } = await this.#untilAnswered('/api/v1/verifikat', payload, key);
    expect([status, body.error]).toEqual([200, undefined]);
    this.vouchers.set(key, body.id ?? '');
  }

  async #postOrder(): Promise<void> {
    const order = orderBody(Math.random() < 0.1 ? { currency: 'EUR' } : {});
    const { status, body } = await this.#untilAnswered('/api/inbound/order', order, randomUUID());
    expect([200, 422]).toContain(status);
    this.orders.set(order.externalId, body.invoiceId ?? body.detail?.reason ?? '');
  }

  /** A call is answered when it was done, or refused for good. */
  async #untilAnswered(path: string, payload: object, key: string): Promise<Answer> {
    const asked = performance.now();
    for (;;) {
      const answer = await this.#call(path, payload, key).catch(() => undefined);
      if (answer && answer.status < 500 && answer.status !== 409) {
        this.slowest_ms = Math.max(this.slowest_ms, performance.now() - asked);
        return answer;
      }
      this.retries += 1;
      this.refusals.add(answer ? `${answer.status} ${answer.body.error}` : 'no answer');
      await sleep(50);
    }
  }

  async #call(path: string, payload: object, key: string): Promise<Answer> {
    const response = await fetch(this.#service.address + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.#service.key}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify(payload),
      signal: AbortSignal.timeout(20_000),
    });
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  }
}

/** Everything answered is there, once; every order has its invoice or its reason; the books are whole. */
export async function proveWhole(service: Service, load: Load): Promise<void> {
  const { owner } = service;
  const vouchers = await db(owner).query<{ description: string; id: string }>(
    sql`select description, id from ledger.vouchers where source = 'api' order by id`,
  );
  expect(new Map(vouchers.map(({ description, id }) => [description, id]))).toEqual(load.vouchers);
  expect(vouchers).toHaveLength(load.vouchers.size);

  const orders = await db(owner).query<{ external_id: string; outcome: string }>(
    sql`select o.external_id, coalesce(o.invoice_id::text, a.reason) as outcome
        from intake.orders o left join intake.order_attempts a on a.order_id = o.id`,
  );
  expect(orders).toHaveLength(load.orders.size);
  expect(new Map(orders.map((order) => [order.external_id, order.outcome]))).toEqual(load.orders);

  const invoices = [...load.orders.values()].filter((outcome) => /^[0-9a-f-]{36}$/.test(outcome));
  await waitUntil(async () => (await bookedNumbers(owner)).length >= invoices.length);
  const numbers = await bookedNumbers(owner);
  expect(numbers).toEqual(invoices.map((_, index) => 1001 + index));

  const gaps = await db(owner).query(
    sql`select s.code from ledger.series s join ledger.vouchers v on v.series_id = s.id
        group by s.id having max(v.number) <> count(*) or s.last_number <> count(*)`,
  );
  expect(gaps).toEqual([]);
  const { exitCode, answer } = await service.command('verify', '--json');
  expect(answer).toEqual({
    vouchers: load.vouchers.size + invoices.length,
    series: 8,
    problems: [],
  });
  expect(exitCode).toBe(0);
}

async function bookedNumbers(owner: Pool): Promise<number[]> {
  const rows = await db(owner).query<{ number: number }>(
    sql`select number from sales.invoices where status = 'booked' and voucher_id is not null
        order by number`,
  );
  return rows.map(({ number }) => number);
}
