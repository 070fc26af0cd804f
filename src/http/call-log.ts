/**
 * The log of what keys call, refused calls too. Answers wait for nothing: calls gather in memory and are
 * written together twice a second, of each key at most the hundred that the log keeps, so that what it
 * costs does not grow with how much is called.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type MadeCall, recordCalls } from '../access/keys/call-store.ts';
import { type Db, db, type Pool } from '../db/pool.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** SHA-256 of the secret, as soon as it is known to be one of ours, whether the key may or not. */
    presentedKey: Buffer | null;
    /** The code that the call was refused with. */
    refusal: string | null;
  }
}

const FLUSH_MS = 500;
const calls_per_key_max = 100;

export function registerCallLog(app: FastifyInstance, pool: Pool): void {
  const log = new CallLog(db(pool), (error) =>
    app.log.warn({ err: error }, 'the latest calls of keys could not be written down'),
  );
  app.decorateRequest('presentedKey', null);
  app.decorateRequest('refusal', null);
  app.addHook('onResponse', async (request, reply) => {
    const call = callOf(request, reply);
    if (call) log.note(call);
  });
  app.addHook('onClose', () => log.flush());
}

function callOf(request: FastifyRequest, reply: FastifyReply): MadeCall | undefined {
  const { presentedKey: hash } = request;
  if (!hash) return undefined;
  return {
    hash,
    calledAt: new Date(Date.now() - reply.elapsedTime),
    route: `${request.method} ${request.routeOptions.url ?? ''}`,
    status: reply.statusCode,
    code: request.refusal,
    durationMs: Math.round(reply.elapsedTime),
    requestId: request.id,
  };
}

/** Gathers calls and writes them down. A database out of reach loses them: the log is no bookkeeping. */
class CallLog {
  readonly #db: Db;
  readonly #report: (error: unknown) => void;
  #gathered = new Map<string, MadeCall[]>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(database: Db, report: (error: unknown) => void) {
    this.#db = database;
    this.#report = report;
  }

  note(call: MadeCall): void {
    const key = call.hash.toString('latin1');
    const calls = this.#gathered.get(key) ?? [];
    calls.push(call);
    // Twice the room before the oldest go, so that moving them costs little per call.
    if (calls.length >= 2 * calls_per_key_max) calls.splice(0, calls_per_key_max);
    this.#gathered.set(key, calls);
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
  }

  /** Writes what has gathered; answers when that is done, also when it failed. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  async #write(): Promise<void> {
    const calls = [...this.#gathered.values()].flatMap((all) => all.slice(-calls_per_key_max));
    this.#gathered = new Map();
    if (calls.length === 0) return;
    await recordCalls(this.#db, calls).catch(this.#report);
  }
}
