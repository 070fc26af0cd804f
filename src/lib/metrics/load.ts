/** What an HTTP process has in hand, and what it has turned away. */
import { Counter, Gauge } from 'prom-client';
import { registry } from './metrics.ts';

interface CountedLoad {
  readonly counts: {
    readonly writing: { readonly calls: number; readonly bytes: number };
    readonly answering: { readonly bytes: number };
  };
}

const registers = [registry];

export const shedCalls = new Counter({
  name: 'huvudbok_shed_calls_total',
  help: 'Calls refused as overloaded, by the limit that stopped them.',
  labelNames: ['limit'],
  registers,
});

let watched: CountedLoad | undefined;

/** Begins to tell of a process's load. */
export function countLoad(load: CountedLoad): void {
  watched = load;
}

new Gauge({
  name: 'huvudbok_bytes_in_hand',
  help: 'Bytes in memory of bodies that came (writing) and of large answers on their way (answering).',
  labelNames: ['kind'],
  registers,
  collect() {
    if (!watched) return;
    this.set({ kind: 'writing' }, watched.counts.writing.bytes);
    this.set({ kind: 'answering' }, watched.counts.answering.bytes);
  },
});
