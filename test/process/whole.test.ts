/** The whole service as people start it, through the bootstrap, with real processes. */

import { existsSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findRunning } from '#src/db/embedded.ts';
import { freePort } from '../support/port.ts';
import { entry } from '../support/program.ts';
import { makeFolder, migratedDataDir, postmasterOf, waitUntil } from './embedded.ts';
import { Running } from './running.ts';

const bootstrap = join(import.meta.dirname, '..', '..', 'src', 'process', 'bootstrap.mjs');
const isRoot = process.getuid?.() === 0;

/** Nothing of the machine's own settings, and on its own port. */
async function environment(dataDir: string, port?: number): Promise<NodeJS.ProcessEnv> {
  const { PATH, HOME } = process.env;
  return { PATH, HOME, DATA_DIR: dataDir, PORT: String(port ?? (await freePort())) };
}

async function begin(dataDir: string, port?: number) {
  const env = await environment(dataDir, port);
  const service = new Running(bootstrap, ['start'], env);
  await service.says(/Ctrl-C/);
  const [address = ''] = await service.says(/http:\/\/127\.0\.0\.1:\d+/);
  return { service, address };
}

/** An unknown key is refused only after asking the database. */
async function answers(address: string): Promise<boolean> {
  const headers = { authorization: `Bearer svc_live_${'A'.repeat(43)}` };
  const response = await fetch(`${address}/api/v1/meta`, { headers }).catch(() => undefined);
  return response?.status === 401;
}

it('starts, tells where it is and how to go on, answers, and stops within ten seconds', async () => {
  // As root, in a folder that only root can enter: one that anybody can is `embedded-start.test.ts`.
  const folder = await makeFolder();
  if (isRoot) await chmod(folder, 0o700);
  const dataDir = join(folder, 'data');
  const { service, address } = await begin(dataDir);
  expect(service.output.includes('nås bara av root')).toBe(isRoot);
  expect(service.output).toContain('setup');
  const [firstVisit = ''] = /http:\S+\/kom-igang\?nyckel=[\w-]{43}/.exec(service.output) ?? [];
  expect((await fetch(firstVisit, { redirect: 'manual' })).status).toBe(303);
  expect(await answers(address)).toBe(true);
  const asked = Date.now();
  await service.kill('SIGTERM');
  expect(Date.now() - asked).toBeLessThan(10_000);
  expect(service.child.exitCode).toBe(0);
  expect(await findRunning(dataDir)).toBeNull();
  expect(await answers(address)).toBe(false);
});

it('leaves no PostgreSQL running, however early it is stopped or refuses its settings', async () => {
  const dataDir = await migratedDataDir();
  const lockFile = join(dataDir, 'postgresql/cluster/postmaster.pid');
  const moments: Readonly<Record<string, () => Promise<unknown> | boolean>> = {
    'at once': () => true,
    'when the server is on its way up': () => existsSync(lockFile),
    'when the server is up': () => findRunning(dataDir),
  };
  for (const [moment, isThere] of Object.entries(moments)) {
    const service = new Running(entry, ['start'], await environment(dataDir));
    await waitUntil(async () => Boolean(await isThere()));
    await service.kill('SIGTERM');
    expect(service.output, moment).not.toMatch(/ {4}at /);
    expect(await findRunning(dataDir), moment).toBeNull();
    expect(existsSync(lockFile), moment).toBe(false);
  }
  const env = { ...(await environment(dataDir)), TIME_ZONE: 'Månen' };
  const refused = new Running(entry, ['start'], env);
  expect(await refused.exitCode()).toBe(1);
  expect(refused.output).toContain('TIME_ZONE');
  expect(await findRunning(dataDir)).toBeNull();
  expect(existsSync(lockFile)).toBe(false);
});

it('refuses a second instance, lets commands work beside it, outlives PostgreSQL, and starts again at once after kill -9', async () => {
  const dataDir = await migratedDataDir();
  const { service, address } = await begin(dataDir);
  const second = new Running(bootstrap, ['start'], await environment(dataDir));
  const [message] = await second.says(/Huvudbok kör redan.*/);
  expect(message).toContain('DATA_DIR');
  expect(await second.exitCode()).toBe(1);
  expect(await answers(address)).toBe(true);

  // Nothing but JSON on stdout.
  const command = new Running(bootstrap, ['migrate', '--json'], await environment(dataDir));
  expect(await command.exitCode()).toBe(0);
  expect(JSON.parse(command.stdout)).toHaveProperty('installation_schema_version');

  const pid = await postmasterOf(dataDir);
  process.kill(pid, 'SIGKILL');
  await service.says(/startas igen/);
  await waitUntil(() => answers(address));
  expect(await postmasterOf(dataDir)).not.toBe(pid);

  const port = Number(new URL(address).port);
  await service.kill('SIGKILL');
  // The processes of the killed start see its channel close, and let go of the port in time.
  const next = await begin(dataDir, port);
  expect(await answers(next.address)).toBe(true);
});

it('names PORT when the port is taken, and does not try again', async () => {
  const dataDir = await migratedDataDir();
  const port = await freePort();
  const other = createServer().listen(port, '127.0.0.1');
  onTestFinished(() => void other.close());
  const service = new Running(bootstrap, ['start'], await environment(dataDir, port));
  const [message] = await service.says(/Port \d+ är upptagen.*/);
  expect(message).toContain('PORT');
  expect(await service.exitCode()).toBe(1);
  expect(await findRunning(dataDir)).toBeNull();
});
