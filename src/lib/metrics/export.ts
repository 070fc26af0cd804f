/**
 * `GET /metrics` on a port of its own, and `/healthz` beside it for parts that serve no HTTP otherwise. A part
 * started alone serves its own figures; under `huvudbok start` one address serves those of all parts.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AggregatorRegistry, collectDefaultMetrics, type Registry } from 'prom-client';
import { OperatorError } from '../operator-error.ts';
import { registry } from './metrics.ts';

/** What a process has counted, as it can be sent between processes. */
export type Snapshot = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

let part: string | undefined;

/**
 * How often the event loop is looked at. Each look wakes a process that has nothing to do: ten milliseconds, as
 * prom-client would have it, were nine tenths of the processor time that HTTP and the workers take at rest.
 */
const lookMs = 100;

/** Begins to watch the process itself too (memory, event loop, garbage collection). Once a process. */
export function namePart(name: string): void {
  registry.setDefaultLabels({ part: name });
  if (part === undefined) {
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: lookMs });
  }
  part = name;
}

const readers: (() => Promise<void>)[] = [];

/** `read` is awaited before figures are told; it sets what has to be asked for. */
export function beforeSnapshot(read: () => Promise<void>): void {
  readers.push(read);
}

export async function snapshot(): Promise<Snapshot> {
  await Promise.all(readers.map((read) => read()));
  return registry.getMetricsAsJSON();
}

export const textOf = (snapshots: readonly Snapshot[]): Promise<string> =>
  AggregatorRegistry.aggregate([...snapshots]).metrics();

export interface MetricsOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** The figures, as Prometheus reads them. */
  readonly read: () => Promise<string>;
  /** Whether the process does what it is for; what is wrong otherwise. */
  readonly fault: () => string | undefined;
}

/** Throws an OperatorError when the port cannot be had. */
export async function serveMetrics(options: MetricsOptions): Promise<{
  readonly port: number;
  stop(): Promise<void>;
}> {
  const { host, port, read, fault } = options;
  const server = createServer(async (request, response) => {
    const answer = (status: number, type: string, body: string) =>
      response
        .writeHead(status, { 'content-type': type, 'x-content-type-options': 'nosniff' })
        .end(request.method === 'HEAD' ? undefined : body);
    const path = request.url?.split('?', 1)[0];
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD');
      return answer(405, 'text/plain; charset=utf-8', 'GET\n');
    }
    if (path === '/healthz') {
      const wrong = fault();
      const body = JSON.stringify(wrong === undefined ? { ok: true } : { ok: false, fault: wrong });
      return answer(wrong === undefined ? 200 : 503, 'application/json; charset=utf-8', body);
    }
    if (path !== '/metrics') {
      return answer(404, 'text/plain; charset=utf-8', '/metrics, /healthz\n');
    }
    try {
      return answer(200, registry.contentType, await read());
    } catch (error) {
      return answer(
        503,
        'text/plain; charset=utf-8',
        `${error instanceof Error ? error.name : 'error'}\n`,
      );
    }
  });
  server.requestTimeout = 10_000;
  server.headersTimeout = 10_000;
  server.maxConnections = 32;
  await listen(server, host, port);
  // Whoever watches must not keep a process alive that has nothing else to do.
  server.unref();
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : cause;
    throw new OperatorError(
      `Mätvärdena kan inte visas på ${host}, port ${port} (${code}). Sätt METRICS_PORT till en ledig port och METRICS_HOST till en adress på den här datorn.`,
      { cause },
    );
  }
}
