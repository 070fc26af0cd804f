/**
 * A network that fails: TCP between a caller and what it calls, where connections are delayed, throttled,
 * cut in the middle of what they carry, reset, or left open with nobody at the other end. Never says
 * anything twice, as TCP never does. What happens to which connection follows from the seed.
 */
import { once } from 'node:events';
import { createServer, connect as dial, type Server, type Socket } from 'node:net';
import type { Random } from '#src/demo/random.ts';

export const faults = ['delay', 'throttle', 'cut', 'lost answer', 'reset', 'half-open'] as const;
export type Fault = (typeof faults)[number];

export interface ProxyOptions {
  readonly target: number;
  readonly random: Random;
  /** Of the faults, how many pieces of what a connection carries pass before one, at most. */
  readonly pieces_max: number;
}

export interface FaultyProxy {
  readonly port: number;
  /** How many of each have been done. */
  readonly done: Readonly<Record<Fault, number>>;
  /** From now on everything passes, and what had been left open is closed. */
  calm(): void;
  close(): Promise<void>;
}

const delay_ms_max = 800;
const throttle_ms = 100;
const half_open_ms_max = 8_000;

export async function openProxy(options: ProxyOptions): Promise<FaultyProxy> {
  const { random, target, pieces_max } = options;
  const done = Object.fromEntries(faults.map((fault) => [fault, 0])) as Record<Fault, number>;
  const open = new Set<Connection>();
  let is_calm = false;
  const server: Server = createServer((caller) => {
    const callee = dial(target, '127.0.0.1');
    const plan = is_calm
      ? undefined
      : { fault: random.pick(faults), piece: random.integer(2, pieces_max) };
    const connection = new Connection(caller, callee, random, plan, (fault) => (done[fault] += 1));
    open.add(connection);
    callee.once('close', () => open.delete(connection));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    done,
    calm() {
      is_calm = true;
      for (const connection of open) connection.calm();
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const connection of open) connection.end();
      await closed;
    },
  };
}

interface Plan {
  readonly fault: Fault;
  /** It comes with this piece, counted in both directions. */
  readonly piece: number;
}

class Connection {
  readonly #caller: Socket;
  readonly #callee: Socket;
  readonly #random: Random;
  readonly #report: (fault: Fault) => void;
  #plan: Plan | undefined;
  #pieces = 0;
  #is_silent = false;
  #is_throttled = false;
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(
    caller: Socket,
    callee: Socket,
    random: Random,
    plan: Plan | undefined,
    report: (fault: Fault) => void,
  ) {
    this.#caller = caller;
    this.#callee = callee;
    this.#random = random;
    this.#plan = plan;
    this.#report = report;
    this.#carry(caller, callee);
    this.#carry(callee, caller);
  }

  /** What is half open would otherwise be waited for. */
  calm(): void {
    this.#plan = undefined;
    this.#is_throttled = false;
    if (this.#is_silent) this.end();
  }

  end(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#caller.destroy();
    this.#callee.destroy();
  }

  #carry(from: Socket, to: Socket): void {
    from.setNoDelay(true);
    from.on('data', (piece) => this.#pass(piece, from, to));
    from.on('end', () => void (this.#is_silent || to.end()));
    // A broken connection is broken for both.
    from.on('error', () => this.end());
    from.on('close', () => void (this.#is_silent || to.destroy()));
  }

  #pass(piece: Buffer, from: Socket, to: Socket): void {
    if (this.#is_silent) return;
    this.#pieces += 1;
    const plan = this.#plan;
    const isDue = plan !== undefined && this.#pieces >= plan.piece;
    // The callee has done what it was asked; the caller is not to know.
    if (isDue && (plan.fault !== 'lost answer' || from === this.#callee)) {
      this.#plan = undefined;
      this.#report(plan.fault);
      this.#fail(plan.fault, piece, from, to);
      return;
    }
    if (this.#is_throttled) this.#later(piece, from, to, throttle_ms);
    else if (!to.write(piece)) {
      from.pause();
      to.once('drain', () => from.resume());
    }
  }

  #fail(fault: Fault, piece: Buffer, from: Socket, to: Socket): void {
    const half = piece.subarray(0, Math.floor(piece.length / 2));
    if (fault === 'delay') this.#later(piece, from, to, this.#random.integer(50, delay_ms_max));
    else if (fault === 'throttle') {
      this.#is_throttled = true;
      this.#later(piece, from, to, throttle_ms);
    } else if (fault === 'cut') {
      to.end(half);
      from.destroy();
    } else if (fault === 'lost answer') this.end();
    else if (fault === 'reset') {
      this.#caller.resetAndDestroy();
      this.#callee.resetAndDestroy();
    } else {
      this.#is_silent = true;
      this.#timer(() => this.end(), this.#random.integer(1_000, half_open_ms_max));
    }
  }

  /** In order: nothing more is read from there before it has gone. */
  #later(piece: Buffer, from: Socket, to: Socket, ms: number): void {
    from.pause();
    this.#timer(() => {
      if (!to.destroyed) to.write(piece);
      from.resume();
    }, ms);
  }

  #timer(work: () => void, ms: number): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      work();
    }, ms);
    this.#timers.add(timer);
  }
}
