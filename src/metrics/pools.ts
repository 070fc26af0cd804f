/** How the connections of this process's pools are used. */
import { Gauge } from 'prom-client';
import { registry } from './metrics.ts';

interface CountedPool {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
  readonly ended: boolean;
}

const pools = new Map<CountedPool, string>();

/** `name` as in `http app`; pools of one name are counted together. */
export function countPool(name: string, pool: CountedPool): void {
  pools.set(pool, name);
}

new Gauge({
  name: 'huvudbok_pool_connections',
  help: 'Connections of a pool by what they do (busy, idle), and calls that wait for one (waiting).',
  labelNames: ['pool', 'state'],
  registers: [registry],
  collect() {
    this.reset();
    for (const [pool, name] of pools) {
      if (pool.ended) pools.delete(pool);
      else {
        this.inc({ pool: name, state: 'busy' }, pool.totalCount - pool.idleCount);
        this.inc({ pool: name, state: 'idle' }, pool.idleCount);
        this.inc({ pool: name, state: 'waiting' }, pool.waitingCount);
      }
    }
  },
});
