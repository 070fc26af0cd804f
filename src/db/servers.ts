/**
 * Which of the servers that DATABASE_URL names to use. One process asks once for all its connections: it
 * looks at every server at the same time and takes the one that may be written to, which after a failover
 * is the one of the latest timeline. An old primary that comes back as what it was is told by its timeline
 * and never written to, and a newer one is found within seconds, also when the old one only fell silent.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionSettings, Server } from '../config/database-url.ts';
import { OperatorError } from '../lib/operator-error.ts';

/** What a server says of itself. */
export interface ServerState {
  readonly server: Server;
  readonly isStandby: boolean;
  /** A standby, or one whose transactions are read-only unless they ask. */
  readonly isReadOnly: boolean;
  /** Counted up by every promotion; 0 for a standby. */
  readonly timeline: number;
  /** The same for all copies of one cluster. */
  readonly systemIdentifier: string;
}

/** Asks a server how it is, over a connection of its own. */
export type Examine = (server: Server) => Promise<ServerState>;

/** A connection that must go when its server is no longer the right one. */
interface Connected {
  readonly server: Server | undefined;
  drop(): void;
}

/** No server can be used just now; it may be another matter in a moment. */
export class NoServerError extends Error {
  readonly code = 'HB_NO_SERVER';
}

/** How long the others may take once one server will do. */
const graceMs = 1_000;
/** How often the other servers are looked at, for a primary that has taken over. */
const watchMs = 5_000;
/** Between looks when there was nothing to find. */
const pauseMs = 200;

export class Servers {
  readonly #servers: readonly [Server, ...Server[]];
  readonly #target: ConnectionSettings['target'];
  readonly #connected = new Set<Connected>();
  readonly #refusesTls = new Set<Server>();
  readonly #acceptsTls = new Set<Server>();
  /** Sessions through a pooler have been seen to be sessions. */
  holdsSessions = false;
  #current: Server | undefined;
  #timeline = 0;
  #looking: Promise<Server> | undefined;
  #watch: NodeJS.Timeout | undefined;

  constructor({ servers, target }: Pick<ConnectionSettings, 'servers' | 'target'>) {
    this.#servers = servers;
    this.#target = target;
  }

  get areSeveral(): boolean {
    return this.#servers.length > 1;
  }

  /** The server to connect to. Throws when none can be used. */
  async find(examine: Examine): Promise<Server> {
    if (!this.areSeveral) return this.#servers[0];
    if (this.#current) return this.#current;
    this.#looking ??= this.#look(examine, this.#servers).then(
      ({ server }) => {
        this.#looking = undefined;
        this.#use(server);
        return server;
      },
      (error) => {
        setTimeout(() => {
          this.#looking = undefined;
        }, pauseMs).unref();
        throw error;
      },
    );
    return this.#looking;
  }

  /** Throws when a server, by what it says, is not to be used. */
  accept({ server, isStandby, isReadOnly, timeline }: ServerState): void {
    const isUnfit =
      (this.#target === 'read-write' && isReadOnly) ||
      (this.#target === 'primary' && isStandby) ||
      (!isStandby && timeline < this.#timeline);
    if (isUnfit) {
      this.lose(server);
      throw new NoServerError(`${server.host}:${server.port} tar inte emot skrivningar`);
    }
    if (!isStandby) this.#timeline = timeline;
  }

  /** The server did not answer, or is not what it was: the next connection looks around first. */
  lose(server: Server): void {
    if (this.#current === server) this.#current = undefined;
    this.#acceptsTls.delete(server);
    this.#refusesTls.delete(server);
  }

  /** Remembers a connection until it ends. */
  add(connection: Connected, examine: Examine): () => void {
    if (!this.areSeveral || this.#target === 'any') return () => undefined;
    this.#connected.add(connection);
    this.#watch ??= setInterval(() => void this.#seeToOthers(examine), watchMs).unref();
    return () => {
      this.#connected.delete(connection);
      if (this.#connected.size > 0) return;
      clearInterval(this.#watch);
      this.#watch = undefined;
      // What nobody watches may change.
      this.#current = undefined;
    };
  }

  /** Whether a server speaks TLS, asked once for each time it is found. */
  async speaksTls(server: Server, ask: () => Promise<boolean>): Promise<boolean> {
    if (this.#acceptsTls.has(server)) return true;
    if (this.#refusesTls.has(server)) return false;
    const answer = await ask();
    (answer ? this.#acceptsTls : this.#refusesTls).add(server);
    return answer;
  }

  /** A server that fell silent ends no connections; one that has taken over from it is seen here. */
  async #seeToOthers(examine: Examine): Promise<void> {
    const current = this.#current;
    const others = this.#servers.filter((server) => server !== current);
    const known = this.#timeline;
    const best = await this.#look(examine, others).catch(() => undefined);
    if (best && best.timeline > known) this.#use(best.server);
  }

  #use(server: Server): void {
    this.#current = server;
    for (const connection of [...this.#connected]) {
      if (connection.server !== server) connection.drop();
    }
  }

  #compare(a: ServerState, b: ServerState): number {
    const order = this.#servers.indexOf(a.server) - this.#servers.indexOf(b.server);
    return this.#target === 'any' ? order : b.timeline - a.timeline || order;
  }

  /** The best of `servers`: the latest timeline, then the order they are named in. */
  async #look(examine: Examine, servers: readonly Server[]): Promise<ServerState> {
    const states: ServerState[] = [];
    const asked = servers.map(async (server) => {
      const state = await examine(server);
      this.accept(state);
      states.push(state);
    });
    const fault: unknown = await Promise.any(asked).catch((error) => error);
    await Promise.race([Promise.allSettled(asked), sleep(graceMs, undefined, { ref: false })]);
    refuseStrangers(states);
    const [best] = states.sort((a, b) => this.#compare(a, b));
    if (best) return best;
    throw explain(servers, fault instanceof AggregateError ? fault.errors : []);
  }
}

function refuseStrangers(states: readonly ServerState[]): void {
  if (new Set(states.map(({ systemIdentifier }) => systemIdentifier)).size < 2) return;
  throw new OperatorError(
    'Värdarna i DATABASE_URL är inte kopior av samma databas. Ange bara en primär och dess standby-servrar.',
  );
}

/** What a server says of a login or a database is what a person needs to hear; else why none of them will do. */
function explain(servers: readonly Server[], faults: readonly unknown[]): unknown {
  const codeOf = (fault: unknown) =>
    fault instanceof Error && 'code' in fault ? String(fault.code) : '';
  const told = faults.find(
    (fault) => fault instanceof OperatorError || /^(28|3D|53)/.test(codeOf(fault)),
  );
  if (told) return told;
  const reasons = servers.map(({ host, port }, index) => {
    const fault = faults[index];
    if (fault instanceof NoServerError) return fault.message;
    return `${host}:${port} ${(fault instanceof Error && fault.message) || codeOf(fault)}`;
  });
  return new NoServerError(reasons.join('; '), { cause: faults[0] });
}

/** What one connection finds out, all of the process's know; several roles connect to the same servers. */
const known = new Map<string, Servers>();

export function serversOf(settings: ConnectionSettings): Servers {
  const key = JSON.stringify([settings.servers, settings.target]);
  const servers = known.get(key) ?? new Servers(settings);
  known.set(key, servers);
  return servers;
}
