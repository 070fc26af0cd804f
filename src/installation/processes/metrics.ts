/**
 * What only the database knows: queues, events, what was last proved. Told by one part (upkeep), or every
 * process would ask for the same and the figures would be counted many times over.
 */
import { availableParallelism } from 'node:os';
import { Gauge } from 'prom-client';
import { db, type Pool } from '../../db/pool.ts';
import {
  adviseWorkers,
  arrivalsPerSecond,
  type Backlog,
  busyShareOf,
} from '../../domain/basics/worker-advice.ts';
import { beforeSnapshot } from '../../lib/metrics/export.ts';
import { registry } from '../../lib/metrics/metrics.ts';
import { listFigures, listQueueFigures, type QueueFigures } from './store.ts';

const registers = [registry];
const ofQueue = (name: string, help: string) =>
  new Gauge({ name: `huvudbok_${name}`, help, labelNames: ['queue'], registers });

/** Asked for more often than this, the latest answer is given again. */
const ageMsMax = 5_000;
/** Arrivals are what has changed since about this long ago. */
const windowMs = 60_000;

const helps: Readonly<Record<string, string>> = {
  events_behind_seconds: 'Age of the oldest event that an endpoint has not been given yet.',
  deliveries_pending: 'Deliveries to endpoints that have not succeeded yet.',
  deliveries_oldest_seconds: 'Age of the oldest of them.',
  endpoints_disabled: 'Endpoints that are shut off.',
  verification_timestamp_seconds: 'When the books were last proved.',
  verification_problems: 'What was wrong then.',
  backup_timestamp_seconds: 'The moment that the latest backup shows the books at.',
  backup_verified_timestamp_seconds: 'When that backup was restored for trial.',
  backup_size_bytes: 'How large it is.',
  backup_problems: 'What was wrong with the books that it restored.',
  backup_failed: '1 when the latest attempt to take or prove one failed.',
  database_size_bytes: 'Size of the database.',
  database_connections: 'Connections to the database server, everybody’s.',
  database_connections_max: 'Connections that the server allows.',
};

/** Begins to tell the database's figures, read with `pool` (hb_worker) when somebody asks for them. */
export function tellDatabase(pool: Pool): void {
  const database = db(pool);
  const isUp = new Gauge({
    name: 'huvudbok_database_up',
    help: '1 when the database answered for the figures that come from it.',
    registers,
  });
  const waiting = ofQueue('queue_waiting', 'Jobs that wait for a worker.');
  const oldest = ofQueue('queue_oldest_seconds', 'Age of the oldest of them.');
  const active = ofQueue('queue_active', 'Jobs at work.');
  const dead = ofQueue('queue_dead', 'Jobs that failed for good and wait for a person.');
  const arrival = ofQueue('queue_arrival_per_second', 'Jobs that come in, over the latest minute.');
  const service = ofQueue(
    'queue_service_per_second',
    'Jobs that are worked, over the latest minute.',
  );
  const running = ofQueue('workers_running', 'Processes that take from the queue.');
  const recommended = ofQueue(
    'workers_recommended',
    'Processes that keep up with what comes and clear what waits within a minute.',
  );
  const gauges = new Map(
    Object.entries(helps).map(([name, help]) => [
      name,
      new Gauge({ name: `huvudbok_${name}`, help, registers }),
    ]),
  );

  const history = new Map<string, Backlog[]>();
  function tellQueue(figures: QueueFigures, at: number): void {
    const { queue, handled } = figures;
    const now = { at, jobs: figures.waiting + figures.active };
    const earlier = (history.get(queue) ?? []).filter((one) => at - one.at <= windowMs);
    history.set(queue, [...earlier, now]);
    const perSecond = handled / 60;
    waiting.set({ queue }, figures.waiting);
    oldest.set({ queue }, figures.oldest_seconds);
    active.set({ queue }, figures.active);
    dead.set({ queue }, figures.dead);
    arrival.set({ queue }, arrivalsPerSecond(earlier[0], now, perSecond));
    service.set({ queue }, perSecond);
    running.set({ queue }, figures.processes);
    recommended.set({ queue }, adviseWorkers(loadOf(figures), availableParallelism()).wanted);
  }

  let readAt = Number.NEGATIVE_INFINITY;
  async function refresh(): Promise<void> {
    const at = performance.now();
    if (at - readAt < ageMsMax) return;
    readAt = at;
    try {
      const [queues, figures] = [await listQueueFigures(database), await listFigures(database)];
      for (const one of queues) tellQueue(one, at);
      for (const { name, value } of figures) {
        if (value !== null) gauges.get(name)?.set(value);
      }
      isUp.set(1);
    } catch {
      // What the database said before stands; that it is silent is a figure of its own.
      isUp.set(0);
    }
  }
  beforeSnapshot(refresh);
}

const loadOf = (figures: QueueFigures) => ({
  waiting: figures.waiting,
  perMinute: figures.handled,
  running: figures.processes,
  busyShare: busyShareOf(figures.busy_seconds, figures.slots),
});
