import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import {
  access,
  appendFile,
  chmod,
  mkdir,
  readdir,
  readFile,
  rm,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findRunning } from '#src/db/embedded.ts';
import { Disk, mayMount } from '../support/disk.ts';
import { freePort } from '../support/port.ts';
import { entry } from '../support/program.ts';
import { hold, holder, postmasterOf, query, usedDataDir, waitUntil } from './embedded.ts';
import { Running } from './running.ts';

it('chooses another port when its own has been taken', async () => {
  const dataDir = await usedDataDir();
  const thief = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void thief.close());
  await once(thief, 'listening');
  const { port } = thief.address() as AddressInfo;
  await writeFile(join(dataDir, 'postgresql/port'), `${port}\n`);
  const second = await hold(dataDir);
  expect(new URL(second.url).port).not.toBe(String(port));
});

it('takes from a database that was put in the place of its own what only a superuser may give, whatever was noted', async () => {
  const dataDir = await usedDataDir();
  const isOpen = `select has_function_privilege('public', 'pg_prepared_statement()', 'execute')`;
  const notes = join(dataDir, 'postgresql/known.json');
  for (const noted of [undefined, '{"restr', 'null']) {
    const first = await hold(dataDir);
    expect(await query(first.url, isOpen)).toEqual([[false]]);
    await query(first.adminUrl, 'drop database huvudbok with (force)');
    await query(first.adminUrl, 'create database huvudbok owner hb_owner');
    expect(await query(first.url, isOpen)).toEqual([[true]]);
    await first.process.kill('SIGTERM');
    if (noted !== undefined) await writeFile(notes, noted);
  }
  const last = await hold(dataDir);
  expect(await query(last.url, isOpen)).toEqual([[false]]);
  const written = await readFile(notes, 'utf8');
  expect(JSON.parse(written)).toMatchObject({ programs: expect.stringContaining('/bin ') });
  await last.process.kill('SIGTERM');
  // What is noted of programs that do not run any more is forgotten.
  await rm(join(dataDir, 'postgresql/cluster/global/pg_control'));
  await new Running(holder, [dataDir]).says(/REFUSED/);
  expect(await readFile(notes, 'utf8')).toBe('{}');
});

it('takes no other server for its own, though a copy of the folder has its port and password', async () => {
  const other = await hold(await usedDataDir());
  const { port } = new URL(other.url);
  const dataDir = await usedDataDir();
  const cluster = join(dataDir, 'postgresql/cluster');
  // A PostgreSQL that has written which port it wants, and does not have it.
  const starting = spawn('sleep', ['60'], { cwd: cluster });
  onTestFinished(() => void starting.kill());
  await writeFile(join(cluster, 'postmaster.pid'), `${starting.pid}\n${cluster}\n0\n${port}\n`);
  const visits = () =>
    query(
      other.url,
      `select sessions + (select count(*) from pg_stat_activity where application_name = 'huvudbok DATA_DIR')
         from pg_stat_database where datname = 'postgres'`,
    ).then((rows) => Number(rows[0]?.[0]));
  const before = await visits();
  const holding = hold(dataDir);
  await waitUntil(async () => (await visits()) > before);
  starting.kill();
  const own = await holding;
  expect(new URL(own.url).port).not.toBe(port);
});

it('says it when the database is of another PostgreSQL', async () => {
  const dataDir = await usedDataDir();
  await writeFile(join(dataDir, 'postgresql/cluster/PG_VERSION'), '17\n');
  const [message] = await new Running(holder, [dataDir]).says(/REFUSED .*/);
  expect(message).toContain('PostgreSQL 17');
});

it('shows the server’s own words when it cannot start', async () => {
  const dataDir = await usedDataDir();
  await writeFile(join(dataDir, 'postgresql/cluster/postgresql.conf'), 'nonsense = 1\n');
  const [message] = await new Running(holder, [dataDir]).says(/REFUSED .*nonsense/s);
  expect(message).toContain('PostgreSQL startade inte');
});

it('starts by itself after a power cut that left its lock file empty, or of zeros', async () => {
  const dataDir = await usedDataDir();
  const lock = join(dataDir, 'postgresql/cluster/postmaster.pid');
  const before = new Date(Date.now() - 60_000);
  for (const content of ['', '\0'.repeat(64)]) {
    await writeFile(lock, content);
    await utimes(lock, before, before);
    const { process } = await hold(dataDir);
    await process.kill('SIGTERM');
  }
});

it('says the way back where a file of the database is gone, and leaves no server behind', async () => {
  const gone = {
    cluster: 'är inte hel',
    'cluster/PG_VERSION': 'är inte hel',
    'cluster/global/pg_control': 'PostgreSQL startade inte',
    'cluster/global/pg_filenode.map': 'släpper inte in Huvudbok',
  };
  for (const [path, sentence] of Object.entries(gone)) {
    const dataDir = await usedDataDir();
    await rm(join(dataDir, 'postgresql', path), { recursive: true });
    const refused = new Running(holder, [dataDir]);
    await refused.says(/REFUSED/);
    await refused.exitCode();
    expect(refused.output).toContain(sentence);
    expect(refused.output).toContain('huvudbok restore <fil>');
    const left = await postmasterOf(dataDir).catch(() => 0);
    expect([path, left > 0 && existsSync(`/proc/${left}`)]).toEqual([path, false]);
  }
});

it('goes back to a point in time by an archive, and is not ready before it takes writes there', async () => {
  const dataDir = await usedDataDir();
  const cluster = join(dataDir, 'postgresql/cluster');
  const archive = join(dataDir, '../archive');
  await mkdir(archive);
  await chmod(archive, 0o777);
  execFileSync('cp', ['-a', cluster, `${cluster}-base`]);
  await appendFile(
    join(cluster, 'postgresql.conf'),
    `archive_mode = on\narchive_command = 'cp %p "${archive}/%f"'\n`,
  );
  const lost = await hold(dataDir);
  for (const sql of [
    'create table wanted ()',
    `select pg_create_restore_point('the moment')`,
    'create table unwanted ()',
    'select pg_switch_wal()',
  ]) {
    await query(lost.adminUrl, sql);
  }
  await lost.process.kill('SIGTERM');
  await rm(cluster, { recursive: true });
  execFileSync('mv', [`${cluster}-base`, cluster]);
  const goBack = `restore_command = 'cp "${archive}/%f" %p'\nrecovery_target_name = 'the moment'\n`;
  await appendFile(join(cluster, 'postgresql.conf'), goBack);
  await writeFile(join(cluster, 'recovery.signal'), '');
  await chmod(join(cluster, 'recovery.signal'), 0o666);

  // As PostgreSQL is unless told otherwise, it stands still at its goal: a command would go on meeting read-only books.
  const refused = new Running(holder, [dataDir, 'shared']);
  await refused.says(/REFUSED .*recovery_target_action = 'promote' i postgresql\.conf/s);
  await refused.exitCode();
  const left = await postmasterOf(dataDir).catch(() => 0);
  expect(left > 0 && existsSync(`/proc/${left}`)).toBe(false);

  await appendFile(join(cluster, 'postgresql.conf'), `recovery_target_action = 'promote'\n`);
  const { adminUrl } = await hold(dataDir);
  const tables = `select pg_is_in_recovery(), to_regclass('wanted') is null, to_regclass('unwanted') is null`;
  expect(await query(adminUrl, tables)).toEqual([[false, false, true]]);
});

it('says the way back where the database has gone from its server, and leaves no server behind', async () => {
  const dataDir = await usedDataDir();
  const first = await hold(dataDir);
  await query(first.adminUrl, 'alter database huvudbok rename to another');
  await first.process.kill('SIGTERM');
  const refused = new Running(holder, [dataDir]);
  const [message] = await refused.says(/REFUSED .*/);
  await refused.exitCode();
  expect(message).toContain('släpper inte in Huvudbok');
  expect(message).toContain('huvudbok restore <fil>');
  expect(await findRunning(dataDir)).toBeNull();
});

it('starts no second PostgreSQL on files that another container writes to', async () => {
  const dataDir = await usedDataDir();
  const theirs = join(dataDir, 'postgresql/in-use-0123456789ab');
  await writeFile(theirs, '');
  const touching = setInterval(() => void utimes(theirs, new Date(), new Date()), 200);
  onTestFinished(() => clearInterval(touching));
  const [message] = await new Running(holder, [dataDir]).says(/REFUSED .*/);
  expect(message).toContain('används av en annan behållare eller dator');

  // That container was killed: its mark stays, and nobody touches it.
  clearInterval(touching);
  await hold(dataDir);
  await expect(access(theirs)).rejects.toThrow('ENOENT');
});

it.skipIf(!mayMount)(
  'says that the disk is full where a first start has no room, and leaves nothing there',
  async () => {
    const disk = new Disk(20);
    onTestFinished(() => disk.remove());
    const dataDir = join(disk.folder, 'data');
    const { PATH, HOME } = process.env;
    const env = { PATH, HOME, DATA_DIR: dataDir, PORT: String(await freePort()) };
    const start = new Running(entry, ['start'], env);
    expect(await start.exitCode()).toBe(1);
    expect(start.output).toMatch(/Disken är full .* 100 MB: frigör plats/);
    expect(start.output).not.toContain('initdb');
    expect(await readdir(dataDir)).toEqual([]);
  },
);

it.skipIf(!mayMount)(
  'says to a command that the disk is full, and not that files are to be restored, and goes on when there is room',
  async () => {
    const disk = new Disk(120);
    onTestFinished(() => disk.remove());
    const dataDir = join(disk.folder, 'data');
    execFileSync('cp', ['-a', await usedDataDir(), dataDir]);
    disk.fill();
    const refused = new Running(holder, [dataDir, 'shared']);
    const [message] = await refused.says(/REFUSED .*/);
    expect(message).toContain(`Disken där ${dataDir} ligger är full: frigör plats`);
    expect(refused.output).not.toContain('restore');
    disk.free();
    const { process } = await hold(dataDir, 'shared');
    await process.kill('SIGTERM');
  },
);

it('starts on a folder that a copy has left open to others', async () => {
  const dataDir = await usedDataDir();
  await chmod(join(dataDir, 'postgresql/cluster'), 0o777);
  await hold(dataDir);
});
