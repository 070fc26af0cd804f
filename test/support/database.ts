/** A database of its own for a test file, cloned from the migrated one in some ten milliseconds. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { inject } from 'vitest';

export interface TestDatabase {
  /** The owner's login. */
  readonly url: string;
  drop(): Promise<void>;
}

const object_in_use = '55006';
const attempts_max = 50;

export async function cloneDatabase(): Promise<TestDatabase> {
  const template = new URL(inject('templateUrl'));
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asAdmin((admin) => create(admin, name, template));
  const url = new URL(template);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    async drop() {
      if (process.env['TEST_KEEP']) console.log(`Kept database ${name}`);
      else await asAdmin((admin) => admin.query(`drop database ${name} with (force)`));
    },
  };
}

async function create(admin: pg.Client, name: string, template: URL): Promise<void> {
  const source = admin.escapeIdentifier(template.pathname.slice(1));
  const owner = admin.escapeIdentifier(decodeURIComponent(template.username));
  for (let attempt = 1; ; attempt += 1) {
    try {
      await admin.query(
        `create database ${name} owner ${owner} template ${source} strategy file_copy`,
      );
      // A clone does not take the database's own rights and settings with it (grants.sql, migrate.ts).
      await admin.query(`revoke temporary on database ${name} from public`);
      await admin.query(`alter database ${name} set jit = off`);
      return;
    } catch (error) {
      // The migration's last connections may not be quite gone.
      const is_busy = error instanceof pg.DatabaseError && error.code === object_in_use;
      if (!is_busy || attempt === attempts_max) throw error;
      await sleep(20);
    }
  }
}

async function asAdmin<T>(work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: inject('adminUrl') });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}
