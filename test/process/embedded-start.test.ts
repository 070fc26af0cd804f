import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { withServer } from '#src/cli/context.ts';
import { findRunning } from '#src/db/embedded.ts';
import { hold, holder, newDataDir, query, usedDataDir } from './embedded.ts';
import { Running } from './running.ts';

it('starts in a path with a space, safely set, and sooner the second time', async () => {
  const dataDir = await newDataDir();
  const began = Date.now();
  const first = await hold(dataDir);
  const first_ms = Date.now() - began;
  const [settings] = await query(
    first.adminUrl,
    `select current_setting('server_version_num')::integer / 10000, current_setting('fsync'),
            current_setting('synchronous_commit'), current_setting('data_checksums'),
            current_setting('listen_addresses'), current_setting('TimeZone')`,
  );
  expect(settings).toEqual([18, 'on', 'on', 'on', '127.0.0.1', 'UTC']);
  const [database] = await query(
    first.url,
    `select pg_get_userbyid(datdba), pg_encoding_to_char(encoding), datlocprovider, datlocale
     from pg_database where datname = current_database()`,
  );
  expect(database).toEqual(['hb_owner', 'UTF8', 'b', 'C.UTF-8']);
  await query(first.url, 'create table kept as select 1 as number');
  await first.process.kill('SIGTERM');
  expect(await findRunning(dataDir)).toBeNull();

  const started = Date.now();
  const second = await hold(dataDir);
  expect(Date.now() - started).toBeLessThan(first_ms);
  expect(second.url).toBe(first.url);
  expect(await query(second.url, 'select number from kept')).toEqual([[1]]);
});

it('keeps its secrets from other users', async () => {
  const dataDir = await usedDataDir();
  await hold(dataDir);
  const secrets = join(dataDir, 'postgresql/secrets.json');
  expect((await lstat(secrets)).mode & 0o777).toBe(0o600);
  const cluster = join(dataDir, 'postgresql/cluster');
  expect((await lstat(cluster)).mode & 0o777).toBe(0o700);
  const wrong = new URL((await findRunning(dataDir))?.url ?? '');
  wrong.password = 'guess';
  await expect(query(wrong.href, 'select 1')).rejects.toThrow(/password/);
});

it('refuses a second start in the same DATA_DIR, and says so', async () => {
  const dataDir = await usedDataDir();
  await hold(dataDir);
  const second = new Running(holder, [dataDir]);
  const [message] = await second.says(/REFUSED .*/);
  expect(message).toContain('Huvudbok kör redan med denna DATA_DIR');
  expect(message).toContain(dataDir);
  expect(await second.exitCode()).toBe(1);
});

it('lets short commands in beside a start, and the last one out stops the server', async () => {
  const dataDir = await newDataDir();
  const alone = await hold(dataDir, 'shared');
  const other = await hold(dataDir, 'shared');
  expect(other.url).toBe(alone.url);
  await alone.process.kill('SIGTERM');
  expect(await query(other.url, 'select 1')).toEqual([[1]]);
  const start = await hold(dataDir);
  await other.process.kill('SIGTERM');
  expect(await query(start.url, 'select 1')).toEqual([[1]]);
  await start.process.kill('SIGTERM');
  expect(await findRunning(dataDir)).toBeNull();
});

it('a command is done although another, which had started the server, is done with it before', async () => {
  const dataDir = await usedDataDir();
  const first = await hold(dataDir, 'shared');
  vi.stubEnv('BASE_URL', '');
  vi.stubEnv('DATA_DIR', dataDir);
  onTestFinished(() => void vi.unstubAllEnvs());
  const answer = await withServer(async (url, isOurs) => {
    await first.process.kill('SIGTERM');
    return [isOurs, await query(url, 'select 1')];
  });
  expect(answer).toEqual([false, [[1]]]);
  expect(await findRunning(dataDir)).toBeNull();
});

it('two first starts at once end with one database', async () => {
  const dataDir = await newDataDir();
  const both = [new Running(holder, [dataDir, 'shared']), new Running(holder, [dataDir, 'shared'])];
  const urls = await Promise.all(both.map(async (each) => (await each.says(/UP (\S+)/))[1]));
  expect(urls[0]).toBe(urls[1]);
  const left = await readdir(dataDir);
  expect(left.sort()).toEqual(['postgresql', 'postgresql.log']);
});
