/** A process's word that it lives, every quarter of a minute: what the page Drift shows. */
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { db, type Pool } from '../../db/pool.ts';
import { uuid } from '../../lib/uuid.ts';
import { appVersion } from '../../lib/version.ts';
import { forgetProcess, noteProcess } from './store.ts';
import type { Throughput } from './throughput.ts';

const beatMs = 15_000;

/** Three missed words, and nobody believes that it lives. */
const silenceMs = 3 * beatMs;

export interface Heartbeat {
  /** Whether the latest word reached the database lately enough. */
  isHeard(): boolean;
  /** Takes the process off the list. */
  stop(): Promise<void>;
}

export interface HeartbeatOptions {
  /** Connections of hb_worker or hb_app. */
  readonly pool: Pool;
  /** As in `http` or `intake`. */
  readonly parts: readonly string[];
  readonly throughput?: Throughput;
  readonly log?: Pick<Logger, 'warn'>;
}

/** The first word is given before this returns. A database that does not answer is only logged. */
export async function startHeartbeat(options: HeartbeatOptions): Promise<Heartbeat> {
  const { pool, parts, throughput, log } = options;
  const own = { id: uuid(), host: hostname(), pid: process.pid, parts, version: appVersion };
  const startedAt = new Date();
  let lastBeat = Number.NEGATIVE_INFINITY;
  const beat = async () => {
    const work = throughput?.turn() ?? new Map();
    try {
      await noteProcess(db(pool), { ...own, startedAt, work });
      lastBeat = performance.now();
    } catch (error) {
      log?.warn({ err: error }, 'heartbeat');
    }
  };
  await beat();
  let last = Promise.resolve();
  const timer = setInterval(() => {
    last = beat();
  }, beatMs);
  timer.unref();
  return {
    isHeard: () => performance.now() - lastBeat < silenceMs,
    async stop() {
      clearInterval(timer);
      await last;
      await forgetProcess(db(pool), own.id).catch(() => undefined);
    },
  };
}
