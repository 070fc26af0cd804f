/** Runs an attack in a thread of its own, so that whoever watches it is not held up by making it. */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import {
  flood,
  hangUps,
  largeDocuments,
  largeVouchers,
  readMuch,
  slowConnections,
} from './attacks.ts';

const attacks = { flood, hangUps, largeDocuments, largeVouchers, readMuch, slowConnections };
type Attacks = typeof attacks;

export function inThread<Name extends keyof Attacks>(
  name: Name,
  ...args: Parameters<Attacks[Name]>
): ReturnType<Attacks[Name]> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { name, args } });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  }) as ReturnType<Attacks[Name]>;
}

if (!isMainThread && workerData?.name) {
  const attack = attacks[workerData.name as keyof Attacks] as (...args: unknown[]) => unknown;
  parentPort?.postMessage(await attack(...workerData.args));
}
