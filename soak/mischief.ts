/**
 * What happens to the service meanwhile, one thing after the other: parts, databases and whole machines
 * killed, stopped for seconds and started again, keys revoked, and an operator's commands in the midst of it.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { revokeKey } from '#src/access/keys/service.ts';
import { withTx } from '#src/db/pool.ts';
import { createRandom, type Random } from '#src/demo/random.ts';
import type { Key, World } from './callers.ts';
import { command } from './command.ts';
import type { Host } from './host.ts';
import { isAlive } from './processes.ts';

export const deeds = [
  'kill http',
  'kill workers',
  'kill render',
  'kill supervisor',
  'kill PostgreSQL',
  'kill a backend',
  'stop http for seconds',
  'stop a worker for seconds',
  'stop PostgreSQL for seconds',
  'restart PostgreSQL',
  'restart a machine',
  'lose the log of a machine',
  'revoke a key',
  'migrate again',
  'verify',
  'back up',
] as const;
export type Deed = (typeof deeds)[number];

interface Mischief {
  readonly world: World;
  readonly random: Random;
  makeKey(): Promise<Key>;
  /** When each revoked key had been revoked. */
  readonly revoked: Map<string, number>;
}

const pause_ms = { min: 300, max: 3_000 };
const stopped_ms = { min: 500, max: 5_000 };

/** Until the traffic is over; answers how many of each were done. */
export async function doMischief(
  world: World,
  makeKey: () => Promise<Key>,
): Promise<{ done: Record<string, number>; revoked: ReadonlyMap<string, number> }> {
  const random = createRandom(`${world.seed} mischief`);
  const mischief = { world, random, makeKey, revoked: new Map<string, number>() };
  const done: Record<string, number> = {};
  let left: Deed[] = [];
  while (!world.over.aborted) {
    // Each comes once before any comes twice.
    if (left.length === 0) left = [...deeds];
    const deed = random.pick(left);
    left = left.filter((one) => one !== deed);
    for (const host of world.system.hosts) if (host.hasEnded()) await host.startIfEnded();
    try {
      await does[deed](mischief);
      done[deed] = (done[deed] ?? 0) + 1;
    } catch (error) {
      world.violations.add(`"${deed}" could not be done: ${error}`);
    }
    await sleep(random.integer(pause_ms.min, pause_ms.max));
  }
  return { done, revoked: mischief.revoked };
}

const hostOf = ({ world, random }: Mischief): Host => random.pick(world.system.hosts);
const workers = ['intake', 'render'];

const killPart = (part: string) => async (mischief: Mischief) => {
  hostOf(mischief).killPart(part);
};

/** Others go on meanwhile; what was stopped finds its connections, locks and jobs old. */
async function stopForSeconds({ random }: Mischief, pids: readonly number[]): Promise<void> {
  const signal = (name: NodeJS.Signals) => {
    for (const pid of pids) {
      try {
        process.kill(pid, name);
      } catch {
        // It has gone meanwhile.
      }
    }
  };
  signal('SIGSTOP');
  try {
    await sleep(random.integer(stopped_ms.min, stopped_ms.max));
  } finally {
    signal('SIGCONT');
  }
}

async function stopPart(mischief: Mischief, part: string): Promise<void> {
  const pid = hostOf(mischief).parts().get(part);
  if (pid !== undefined) await stopForSeconds(mischief, [pid]);
}

async function signalPostgres(mischief: Mischief, signal: NodeJS.Signals): Promise<void> {
  const { postmaster, backends } = await mischief.world.system.postgres();
  process.kill(postmaster, signal);
  await comesBack(mischief, [postmaster, ...backends]);
}

/** PostgreSQL is there again once all of before are gone: until then it may still answer, and then go. */
async function comesBack({ world }: Mischief, gone: readonly number[]): Promise<void> {
  for (let tries = 0; tries < 1200 && gone.some(isAlive); tries += 1) await sleep(50);
  await patiently(world.system.owner, async () => undefined);
}

async function requireDone(mischief: Mischief, ...args: string[]): Promise<void> {
  const { exitCode, stderr, stdout } = await command(mischief.world.system, ...args);
  if (exitCode === 0) return;
  mischief.world.violations.add(
    `huvudbok ${args[0]} failed (${exitCode}) beside the traffic: ${(stderr + stdout).slice(-600)}`,
  );
}

async function revoke({ world, makeKey, revoked }: Mischief): Promise<void> {
  const old = world.fickle;
  await patiently(world.system.owner, (tx) => revokeKey(tx, old.id, 'soak'));
  revoked.set(old.id, Date.now());
  // Whoever uses it finds out, and nobody tells.
  await sleep(500);
  world.fickle = await makeKey();
}

/** The database may be away: an operator tries again. */
export async function patiently<T>(
  owner: World['system']['owner'],
  work: Parameters<typeof withTx<T>>[1],
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await withTx(owner, work);
    } catch (error) {
      if (attempt === 100) throw error;
      await sleep(200);
    }
  }
}

async function restart(mischief: Mischief, isLogLost: boolean): Promise<void> {
  const host = hostOf(mischief);
  await host.stop();
  await host.start({ isLogLost });
  await host.becomesReady();
  if (!isLogLost) return;
  await sleep(mischief.random.integer(stopped_ms.min, stopped_ms.max));
  await restartOne(host);
}

async function restartOne(host: Host): Promise<void> {
  await host.stop();
  await host.start();
  await host.becomesReady();
}

const does: Readonly<Record<Deed, (mischief: Mischief) => Promise<void>>> = {
  'kill http': killPart('http'),
  'kill workers': killPart('intake'),
  'kill render': killPart('render'),
  'kill supervisor': async (mischief) => {
    const host = hostOf(mischief);
    await host.kill();
    await host.start();
    await host.becomesReady();
  },
  'kill PostgreSQL': (mischief) => signalPostgres(mischief, 'SIGKILL'),
  // PostgreSQL takes every other one down too, and starts over.
  'kill a backend': async (mischief) => {
    const { backends } = await mischief.world.system.postgres();
    if (backends.length > 0) process.kill(mischief.random.pick(backends), 'SIGKILL');
    await comesBack(mischief, backends);
  },
  'stop http for seconds': (mischief) => stopPart(mischief, 'http'),
  'stop a worker for seconds': (mischief) => stopPart(mischief, mischief.random.pick(workers)),
  'stop PostgreSQL for seconds': async (mischief) => {
    const { postmaster, backends } = await mischief.world.system.postgres();
    await stopForSeconds(mischief, [postmaster, ...backends]);
  },
  'restart PostgreSQL': (mischief) => signalPostgres(mischief, 'SIGINT'),
  'restart a machine': (mischief) => restart(mischief, false),
  'lose the log of a machine': (mischief) => restart(mischief, true),
  'revoke a key': revoke,
  'migrate again': (mischief) => requireDone(mischief, 'migrate'),
  verify: (mischief) => requireDone(mischief, 'verify', '--json'),
  'back up': async (mischief) => {
    const folder = join(mischief.world.system.folder, 'backups');
    await requireDone(mischief, 'backup', '--to', folder, '--skip-verify');
    await rm(folder, { recursive: true, force: true });
  },
};
