/** The pools of this process, for whoever counts how their connections are used (metrics.ts). */

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

/** Those that have not ended, with their names. */
export function listPools(): [CountedPool, string][] {
  for (const pool of [...pools.keys()]) if (pool.ended) pools.delete(pool);
  return [...pools];
}
