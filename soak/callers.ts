/**
 * How a good client calls: until there is an answer, through whichever machine, with the same
 * Idempotency-Key every time; and each attempt is in the journal before the next.
 */
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom, type Random } from '#src/demo/random.ts';
import { type Answer, type Call, call } from '../bench/attacks.ts';
import type { Entry, Journal, Kind } from './journal.ts';
import type { System } from './system.ts';
import type { Violations } from './violations.ts';

export interface Key {
  readonly id: string;
  readonly key: string;
}

/** What callers share. */
export interface World {
  readonly system: System;
  readonly journal: Journal;
  readonly violations: Violations;
  readonly seed: string;
  /** With every scope; never revoked. */
  readonly steady: Key;
  /** May only hand in orders and e-invoices. */
  readonly narrow: Key;
  /** With every scope; revoked and replaced at any time. */
  fickle: Key;
  /** The id of the webhook that is told of everything. */
  readonly webhook: string;
  /** Booked invoices for a person to register payments of. */
  readonly toPay: { id: string; total: number }[];
  /** Aborted when no new work is to begin; what has begun is finished. */
  readonly over: AbortSignal;
  /** Until when what has begun may be tried again. */
  deadline: number;
}

export type Body = Readonly<Record<string, unknown>>;

const attempt_ms_max = 12_000;
const retry_ms = 150;
const retry_ms_max = 2_000;

/** Answers that say to come again. */
const isPassing = ({ status }: Answer, body: Body): boolean =>
  status === 0 || status >= 500 || status === 429 || body['error'] === 'idempotency_in_progress';

export class Caller {
  readonly name: string;
  readonly world: World;
  readonly random: Random;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  #count = 0;

  constructor(name: string, world: World) {
    this.name = name;
    this.world = world;
    this.random = createRandom(`${world.seed} ${name}`);
  }

  /** A name that nothing else in this run has. */
  next(): string {
    this.#count += 1;
    return `${this.world.seed} ${this.name} ${this.#count}`;
  }

  /** One attempt, in the journal. */
  async attempt(
    kind: Kind,
    op: string,
    request: Omit<Call, 'agent'>,
    { key, keep }: { readonly key?: Key; readonly keep?: (body: Body) => Body } = {},
  ): Promise<{ answer: Answer; body: Body }> {
    const at = Date.now();
    const { port } = this.random.pick(this.world.system.doors);
    const agent = this.random.chance(70) ? { agent: this.#agent } : {};
    const sent = { timeout_ms: attempt_ms_max, ...request, ...agent };
    const answer = await call({ port, key: key?.key }, sent);
    const isJson = String(answer.headers['content-type']).includes('json');
    const body = isJson ? readJson(answer.body) : {};
    const entry: Entry = {
      kind,
      op,
      at,
      ms: Math.round(answer.ms),
      status: answer.status,
      ...(typeof body['error'] === 'string' ? { code: body['error'] } : {}),
      ...(answer.status === 200 && keep ? { answer: keep(body) } : {}),
      ...(key ? { key: key.id } : {}),
    };
    await this.world.journal.write(entry);
    if (answer.status === 500) {
      const what = `${request.method ?? 'a call to'} ${request.path.split('?')[0]}`;
      this.world.violations.add(`${what} was answered with 500: ${answer.body.slice(0, 300)}`);
    }
    return { answer, body };
  }

  /** Attempts until there is an answer that holds; undefined when there was none in time. */
  async untilAnswered(
    ...[kind, op, request, options]: Parameters<Caller['attempt']>
  ): Promise<{ answer: Answer; body: Body } | undefined> {
    for (let attempts = 1; ; attempts += 1) {
      const got = await this.attempt(kind, op, request, options);
      if (!isPassing(got.answer, got.body)) return got;
      if (Date.now() > this.world.deadline) {
        this.world.violations.add(
          `a call (${kind}, ${request.path}) was not answered in ${attempts} attempts, the last with ${got.answer.status} ${got.answer.body.slice(0, 200)}`,
        );
        return undefined;
      }
      await sleep(Math.min(retry_ms * attempts, retry_ms_max));
    }
  }

  /** Does it again and again, with pauses, until the traffic is over. */
  async repeat(pause_ms: number, work: () => Promise<unknown>): Promise<void> {
    while (!this.world.over.aborted) {
      await work();
      await sleep(this.random.integer(0, 2 * pause_ms));
    }
    this.#agent.destroy();
  }
}

function readJson(text: string): Body {
  try {
    return JSON.parse(text) as Body;
  } catch {
    return {};
  }
}

/** As `application/json`. */
export const post = (path: string, body: object, idempotencyKey?: string): Omit<Call, 'agent'> => ({
  method: 'POST',
  path,
  body: JSON.stringify(body),
  ...(idempotencyKey === undefined ? {} : { headers: { 'idempotency-key': idempotencyKey } }),
});
