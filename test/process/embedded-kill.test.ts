import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { findRunning, startEmbedded } from '#src/db/embedded.ts';
import { isAlive, listChildren } from '../../soak/processes.ts';
import {
  hold,
  holder,
  newDataDir,
  postmasterOf,
  query,
  usedDataDir,
  waitUntil,
} from './embedded.ts';
import { Running } from './running.ts';

it('takes over the server that a killed start left behind', async () => {
  const dataDir = await usedDataDir();
  const first = await hold(dataDir);
  const pid = await postmasterOf(dataDir);
  await first.process.kill('SIGKILL');
  const second = await hold(dataDir);
  expect(await postmasterOf(dataDir)).toBe(pid);
  expect(second.url).toBe(first.url);
  await second.process.kill('SIGTERM');
  expect(await findRunning(dataDir)).toBeNull();
});

it('starts after kill -9 of everything, with all that was confirmed', async () => {
  const dataDir = await usedDataDir();
  const first = await hold(dataDir);
  await query(first.url, 'create table kept as select generate_series(1, 1000) as number');
  const pid = await postmasterOf(dataDir);
  await first.process.kill('SIGKILL');
  process.kill(pid, 'SIGKILL');
  const second = await hold(dataDir);
  expect(await query(second.url, 'select count(*)::integer from kept')).toEqual([[1000]]);
});

it('leaves no PostgreSQL running that had not told its number yet when the start was given up', async () => {
  const dataDir = await usedDataDir();
  const leaving = new AbortController();
  const refused = startEmbedded({ dataDir, log: () => {}, signal: leaving.signal }).then(
    () => 'started',
    () => 'given up',
  );
  const isServer = ({ command }: { command: string }) => command.includes(`${dataDir}/`);
  let pid = 0;
  await waitUntil(() => {
    pid = listChildren(process.pid).find(isServer)?.pid ?? 0;
    return pid > 0;
  });
  // Held where it is, however fast the machine.
  process.kill(pid, 'SIGSTOP');
  leaving.abort();
  expect(await refused).toBe('given up');
  process.kill(pid, 'SIGCONT');
  await waitUntil(() => !isAlive(pid));
});

it('leaves at once when asked to, also while another start has the folder', async () => {
  const dataDir = await usedDataDir();
  const { url } = await hold(dataDir);
  const leaving = new AbortController();
  const second = startEmbedded({ dataDir, log: () => {}, signal: leaving.signal });
  const visitors = `select count(*) > 1 from pg_stat_activity where application_name = 'huvudbok DATA_DIR'`;
  await waitUntil(async () => (await query(url, visitors))[0]?.[0] === true);
  const asked = performance.now();
  leaving.abort();
  await expect(second).rejects.toThrow(/abort/);
  expect(performance.now() - asked).toBeLessThan(5_000);
});

it('brings a killed PostgreSQL back at the same address', async () => {
  const dataDir = await usedDataDir();
  const { process: running, url } = await hold(dataDir);
  const pid = await postmasterOf(dataDir);
  process.kill(pid, 'SIGKILL');
  await running.says(/startas igen/);
  await waitUntil(() =>
    query(url, 'select 1').then(
      () => true,
      () => false,
    ),
  );
  expect(await postmasterOf(dataDir)).not.toBe(pid);
  // The new server is held too.
  await new Running(holder, [dataDir]).says(/REFUSED/);
});

it('brings a killed PostgreSQL back although its processes outlive it, and a start after it too', async () => {
  const dataDir = await usedDataDir();
  const { process: running, url } = await hold(dataDir);
  // As those do that wait for a lock of one that is gone: nothing wakes them, and their connections stay.
  const killUnderStuck = async () => {
    const pid = await postmasterOf(dataDir);
    const backends = listChildren(pid).filter(({ command }) => command.includes('127.0.0.1('));
    expect(backends.length).toBeGreaterThan(0);
    for (const backend of backends) process.kill(backend.pid, 'SIGSTOP');
    process.kill(pid, 'SIGKILL');
  };
  const answers = () =>
    query(url, 'select 1').then(
      () => true,
      () => false,
    );
  await query(url, 'create table kept as select generate_series(1, 1000) as number');
  await killUnderStuck();
  await waitUntil(answers);
  expect(running.output).toContain('startas igen');
  await killUnderStuck();
  await running.kill('SIGKILL');
  const second = await hold(dataDir);
  expect(await query(second.url, 'select count(*)::integer from kept')).toEqual([[1000]]);
});

it('ends a PostgreSQL that does not come to an end, and brings it back', async () => {
  const dataDir = await usedDataDir();
  const { process: running, url } = await hold(dataDir);
  const pid = await postmasterOf(dataDir);
  const checkpointer = listChildren(pid).find(({ command }) => command.includes('checkpointer'));
  process.kill(checkpointer?.pid ?? Number.NaN, 'SIGSTOP');
  process.kill(pid, 'SIGINT');
  await running.says(/blev inte klar med att stanna/);
  await waitUntil(() =>
    query(url, 'select 1').then(
      () => true,
      () => false,
    ),
  );
  expect(await postmasterOf(dataDir)).not.toBe(pid);
});

it('is not fooled by a process number that belongs to someone else now', async () => {
  const dataDir = await usedDataDir();
  const first = await hold(dataDir);
  const path = join(dataDir, 'postgresql/cluster/postmaster.pid');
  const text = await readFile(path, 'utf8');
  await first.process.kill('SIGTERM');
  await writeFile(path, text.replace(/^\d+/, String(process.pid)));
  expect(await findRunning(dataDir)).toBeNull();
  await hold(dataDir);
});

it('survives kill -9 at any point of the first start', async () => {
  const dataDir = await newDataDir();
  for (const delay_ms of [50, 150, 300, 500, 700, 900]) {
    const started = new Running(holder, [dataDir]);
    await sleep(delay_ms);
    await started.kill('SIGKILL');
  }
  await hold(dataDir);
  await waitUntil(async () => (await readdir(dataDir)).length <= 3);
});
