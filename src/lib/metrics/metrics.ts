/**
 * What a process counts of its own work, for Prometheus. Every metric is defined here and nowhere else, so
 * that dashboards and alerts (deploy/) can be held against this list. Labels are names that the program
 * gives: route templates, codes, queues. Never an id, an address or anything a caller chose.
 */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { listPools } from './pools.ts';

/** The process's own registry; prom-client's global one would be shared with whatever else it runs. */
export const registry = new Registry();
const registers = [registry];

/** Seconds; a voucher takes some milliseconds, a page of a large list some hundred. */
const callBuckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
/** Seconds; from one small job to a whole collection of PDFs. */
const workBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60];

export const calls = new Counter({
  name: 'huvudbok_http_requests_total',
  help: 'Answered calls, by route template and status.',
  labelNames: ['method', 'route', 'status'],
  registers,
});
export const callSeconds = new Histogram({
  name: 'huvudbok_http_request_duration_seconds',
  help: 'From the first byte of a call to the last of its answer.',
  labelNames: ['method', 'route'],
  buckets: callBuckets,
  registers,
});
export const refusals = new Counter({
  name: 'huvudbok_http_refusals_total',
  help: 'Refused calls, by route template and error code.',
  labelNames: ['route', 'code'],
  registers,
});
export const callsInFlight = new Gauge({
  name: 'huvudbok_http_requests_in_flight',
  help: 'Calls that have arrived and not been answered.',
  registers,
});
export const admissions = new Counter({
  name: 'huvudbok_admissions_total',
  help: 'Calls with a key, by what the database said of it.',
  labelNames: ['outcome'],
  registers,
});

export const batchItems = new Histogram({
  name: 'huvudbok_batch_items',
  help: 'Calls that went to the database together.',
  labelNames: ['batch'],
  buckets: [1, 2, 5, 10, 25, 50, 100, 200],
  registers,
});
export const batchSeconds = new Histogram({
  name: 'huvudbok_batch_duration_seconds',
  help: 'How long the database took for a batch of calls.',
  labelNames: ['batch'],
  buckets: callBuckets,
  registers,
});

export const jobs = new Counter({
  name: 'huvudbok_jobs_total',
  help: 'Jobs that have been worked, by queue and how it went (done, failed).',
  labelNames: ['queue', 'result'],
  registers,
});
export const jobSeconds = new Histogram({
  name: 'huvudbok_job_batch_duration_seconds',
  help: 'How long a worker took for what it fetched at a time: one job or many.',
  labelNames: ['queue'],
  buckets: workBuckets,
  registers,
});

export const webhookAttempts = new Counter({
  name: 'huvudbok_webhook_attempts_total',
  help: 'Attempts to tell an endpoint of an event (delivered, refused, unreachable).',
  labelNames: ['result'],
  registers,
});
export const webhookSeconds = new Histogram({
  name: 'huvudbok_webhook_attempt_duration_seconds',
  help: 'How long endpoints took to answer.',
  labelNames: ['result'],
  buckets: workBuckets,
  registers,
});
export const mailAttempts = new Counter({
  name: 'huvudbok_mail_attempts_total',
  help: 'Attempts to hand a mail over, by what became of the mail (sent, queued, failed).',
  labelNames: ['state'],
  registers,
});
export const pdfSeconds = new Histogram({
  name: 'huvudbok_pdf_duration_seconds',
  help: 'How long a page took to print, without its time in the queue.',
  labelNames: ['result'],
  buckets: workBuckets,
  registers,
});

/** Counts how `work` went and how long it took, in seconds. */
export async function timed<T>(
  histogram: { observe(labels: { result: 'ok' | 'failed' }, seconds: number): void },
  work: () => Promise<T>,
): Promise<T> {
  const began = performance.now();
  const note = (result: 'ok' | 'failed') =>
    histogram.observe({ result }, (performance.now() - began) / 1000);
  try {
    const value = await work();
    note('ok');
    return value;
  } catch (error) {
    note('failed');
    throw error;
  }
}

new Gauge({
  name: 'huvudbok_pool_connections',
  help: 'Connections of a pool by what they do (busy, idle), and calls that wait for one (waiting).',
  labelNames: ['pool', 'state'],
  registers,
  collect() {
    this.reset();
    for (const [pool, name] of listPools()) {
      this.inc({ pool: name, state: 'busy' }, pool.totalCount - pool.idleCount);
      this.inc({ pool: name, state: 'idle' }, pool.idleCount);
      this.inc({ pool: name, state: 'waiting' }, pool.waitingCount);
    }
  },
});
