/**
 * Runs once per test run: a throw-away PostgreSQL (or the one in TEST_DATABASE_URL) with one migrated
 * database, which every test file clones; and for tests of processes, folders of servers that they copy.
 * TEST_KEEP=1 leaves server and databases for a look afterwards.
 */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { superuserSql } from '#src/db/embedded/create-cluster.ts';
import { findRunning, startEmbedded } from '#src/db/embedded.ts';
import { migrate } from '#src/db/migrate.ts';
import { plainPrefix, roleNames } from '#src/db/roles.ts';
import { compileProgram } from '#src/process/compile.mjs';
import { slowFolder } from '../order.ts';
import { folderOfDatabases } from './memory.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** May create and drop databases. */
    adminUrl: string;
    /** The owner's login on the migrated database that files clone. */
    templateUrl: string;
    /** A folder with a DATA_DIR `used`, whose first start is behind it, and one `migrated`; nobody runs there. */
    dataDirs: string;
  }
}

const prefix = 'huvudbok-test-';
const abandoned_after_ms = 3_600_000;
const quiet = () => undefined;

interface Server {
  readonly adminUrl: string;
  readonly templateUrl: string;
  stop(): Promise<void>;
}

export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const names = project.vitest.projects.map(({ name }) => name);
  const isWhole = names.includes(''); // No part was asked for by its name.
  if (names.every((name) => name === 'unit')) return undefined;
  await removeAbandoned().catch((error) => console.warn(String(error)));
  compileProgram(process.execPath);
  const folder = await mkdtemp(join(folderOfDatabases, prefix));
  await chmod(folder, 0o755); // As root, PostgreSQL's own user must be able to enter.
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    if (isWhole || names.some((name) => name === 'process' || name === slowFolder)) {
      await prepareDataDirs(folder);
      project.provide('dataDirs', folder);
    }
    const stop = await provideServer(project, folder);
    return async () => {
      await stop();
      if (!process.env['TEST_KEEP']) await remove();
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function provideServer(project: TestProject, folder: string): Promise<() => Promise<void>> {
  const given = process.env['TEST_DATABASE_URL'];
  const server = given ? await useServer(given) : await startServer(join(folder, 'data'));
  const lines: string[] = [];
  await migrate({ url: server.templateUrl, log: (line) => lines.push(line) }).catch((error) => {
    console.error(lines.join('\n'));
    throw error;
  });
  await shareRoles(server.adminUrl);
  project.provide('adminUrl', server.adminUrl);
  project.provide('templateUrl', server.templateUrl);
  return async () => {
    if (process.env['TEST_KEEP']) console.log(`Kept: psql '${server.adminUrl}'`);
    else await server.stop();
  };
}

/**
 * The clones work as the template's roles, which a copy would otherwise refuse: they no longer say whose they
 * are. A clone that is migrated gets roles of its own all the same.
 */
async function shareRoles(adminUrl: string): Promise<void> {
  const names = roleNames(plainPrefix);
  await asAdmin(adminUrl, names.map((name) => `comment on role ${name} is null`).join(';'));
}

async function asAdmin(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  return admin
    .query(statement)
    .then(({ rows }) => rows)
    .finally(() => admin.end());
}

/** What a run that was killed left behind, once it is surely nobody's. */
async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(folderOfDatabases)) {
    if (!name.startsWith(prefix)) continue;
    const folder = join(folderOfDatabases, name);
    const { mtimeMs } = await stat(folder);
    if (Date.now() - mtimeMs < abandoned_after_ms) continue;
    for (const data of ['data', 'used', 'migrated']) {
      const dataDir = join(folder, data);
      if (!(await findRunning(dataDir).catch(() => null))) continue;
      const server = await startEmbedded({ dataDir, durable: false, log: quiet });
      await server.stop();
    }
    await rm(folder, { recursive: true, force: true });
  }
}

async function prepareDataDirs(folder: string): Promise<void> {
  const [used, migrated] = [join(folder, 'used'), join(folder, 'migrated')];
  const first = await startEmbedded({ dataDir: used, durable: false, log: quiet });
  await first.stop();
  execFileSync('cp', ['-a', used, migrated]);
  const second = await startEmbedded({ dataDir: migrated, durable: false, log: quiet });
  await migrate({ url: second.url, log: quiet }).finally(() => second.stop());
}

async function startServer(dataDir: string): Promise<Server> {
  const { adminUrl, url, stop } = await startEmbedded({ dataDir, durable: false, log: quiet });
  return { adminUrl, templateUrl: url, stop };
}

/**
 * The roles have no names of their own here, so two runs at once on the same server are not possible. The owner is
 * as the embedded server's: no superuser, on a server whose superuser has taken away what only it may.
 */
async function useServer(adminUrl: string): Promise<Server> {
  const owner = 'hb_owner';
  const database = 'huvudbok_test_template';
  const password = randomBytes(16).toString('hex');
  const template = new URL(adminUrl);
  template.pathname = `/${database}`;
  const templateAsAdmin = template.href;
  const remove = async () => {
    // Those of tests that never came to their end, too: a role that has rights somewhere cannot be dropped.
    for (const name of [database, ...(await listClones(adminUrl))]) {
      await asAdmin(adminUrl, `drop database if exists ${name} with (force)`);
    }
    await asAdmin(adminUrl, `drop role if exists ${[...roleNames(plainPrefix), owner].join(', ')}`);
  };
  await remove();
  await asAdmin(adminUrl, `create role ${owner} login createrole password '${password}'`);
  if ((await versionOf(adminUrl)) >= 160_000) {
    await asAdmin(adminUrl, `alter role ${owner} set createrole_self_grant = 'set, inherit'`);
  }
  await asAdmin(adminUrl, `create database ${database} owner ${owner}`);
  await asAdmin(templateAsAdmin, await readFile(superuserSql, 'utf8'));
  template.username = owner;
  template.password = password;
  return { adminUrl, templateUrl: template.href, stop: remove };
}

async function listClones(adminUrl: string): Promise<string[]> {
  const rows = await asAdmin(
    adminUrl,
    `select datname from pg_database where datname ~ '^(huvudbok_test_template_.+|test_[0-9a-f]{12})$'`,
  );
  return rows.map(({ datname }) => String(datname));
}

async function versionOf(adminUrl: string): Promise<number> {
  const [row] = await asAdmin(adminUrl, 'show server_version_num');
  return Number(row?.['server_version_num']);
}
