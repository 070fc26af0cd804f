/** Several installations on Debian's PostgreSQL 15, where it is installed; on the embedded one in test/database. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrate } from '#src/db/migrate.ts';
import { roleNames } from '#src/db/roles.ts';
import {
  admin,
  createDatabase,
  createInstallation,
  logIns,
  onServer,
  quiet,
  removeInstallation,
  rightsOf,
  rolesOnServer,
  startPosting,
  testInstallations,
  testMoreInstallations,
} from '../database/installations.ts';
import { asAdmin, debian, hasDebian15, startDebian15 } from '../support/servers.ts';

describe.skipIf(!hasDebian15)('on Debian’s PostgreSQL 15', () => {
  onServer(startDebian15);
  testInstallations();
  testMoreInstallations();
});

describe.skipIf(!hasDebian15)('a dump restored with pg_restore', () => {
  let folder: string;
  onServer(startDebian15);
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'huvudbok-dump-'));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  test('beside its original gets roles of its own, into an older database too', async () => {
    const older = await createDatabase('older');
    const original = await createInstallation('dumped');
    const rights = await rightsOf(original, 'hb');
    const file = join(folder, 'dump');
    await debian('pg_dump', ['-Fc', '-f', file, original]);
    const newer = await createDatabase('newer');
    const posting = await startPosting(original);
    const before = await rolesOnServer('hb');
    for (const [url, prefix] of [
      [older, 'hb_older'],
      [newer, 'hb_newer'],
    ] as const) {
      await debian('pg_restore', ['-d', url, file]);
      await migrate({ url, log: quiet });
      expect(await logIns(url)).toEqual(roleNames(prefix));
      expect(await rightsOf(url, prefix)).toEqual(rights);
    }
    expect(await posting.stop()).toEqual(new Set([200]));
    expect(await rolesOnServer('hb')).toEqual(before);
  });

  test('in place of its original keeps the roles', async () => {
    const original = await createInstallation('lost');
    const rights = await rightsOf(original, 'hb');
    const file = join(folder, 'lost');
    await debian('pg_dump', ['-Fc', '-f', file, original]);
    await admin('drop database lost');
    const url = await createDatabase('lost');
    await debian('pg_restore', ['-d', url, file]);
    await migrate({ url, log: quiet });
    expect(await logIns(url)).toEqual(roleNames('hb'));
    expect(await rightsOf(url, 'hb')).toEqual(rights);
  });

  test('on a server that lacks its roles keeps those that were made first', async () => {
    const original = await createInstallation('moving');
    const rights = await rightsOf(original, 'hb');
    const file = join(folder, 'moving');
    await debian('pg_dump', ['-Fc', '-f', file, original]);
    await removeInstallation('moving');
    const url = await createDatabase('moving');
    await asAdmin(
      url,
      roleNames('hb')
        .map((name) => `create role ${name}`)
        .join(';'),
    );
    await debian('pg_restore', ['-d', url, file]);
    await migrate({ url, log: quiet });
    expect(await logIns(url)).toEqual(roleNames('hb'));
    expect(await rightsOf(url, 'hb')).toEqual(rights);
  });
});
