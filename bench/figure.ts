/** One measured line of the report. */
import type { Usage } from './watch.ts';

export const measurements = [
  'profile',
  'limit',
  'posting',
  'bulk',
  'connections',
  'invoices',
  'orders',
  'open-transaction',
  'pages',
  'statistics',
  'app',
  'reports',
  'export',
  'agency',
  'e-invoices',
  'pdf',
  'overload',
  'memory',
  'peppol',
  'matching',
  'bank',
] as const;
export type Measurement = (typeof measurements)[number];

export interface Figure {
  readonly measurement: Measurement;
  readonly what: string;
  readonly per_second?: number;
  readonly p50_ms?: number;
  readonly p99_ms?: number;
  /** A figure that is neither a rate nor a latency. */
  readonly value?: string;
  /** The goal, in words, and whether it was reached. */
  readonly wanted?: string;
  readonly is_met?: boolean;
  /** What held it back. */
  readonly limited_by?: string;
  readonly usage?: Usage;
  /** What the line sums up. */
  readonly details?: unknown;
}

/** A figure of load: so many calls, each taking so long. */
export type Rate = Figure & Required<Pick<Figure, 'per_second' | 'p50_ms' | 'p99_ms'>>;
