/** More of several installations on the embedded PostgreSQL than test/database has. */
import { describe, expect, test } from 'vitest';
import { migrate } from '#src/db/migrate.ts';
import { roleNames } from '#src/db/roles.ts';
import {
  admin,
  createInstallation,
  logIns,
  onServer,
  quiet,
  testMoreInstallations,
} from '../database/installations.ts';
import { startOwnServer } from '../support/servers.ts';

describe('on the embedded PostgreSQL', () => {
  onServer(startOwnServer);
  testMoreInstallations();

  test('on a server rebuilt from its dump, where oids are others’, everybody keeps their roles', async () => {
    const urls = [await createInstallation('moved_a'), await createInstallation('moved_b')];
    const [a, b] = await admin<{ oid: number }>(
      `select oid from pg_database where datname like 'moved%' order by datname`,
    );
    // As pg_dumpall brings them, each with the oid that now is the other's.
    for (const [prefix, oid] of [
      ['hb', b?.oid],
      ['hb_moved_b', a?.oid],
    ] as const) {
      for (const name of roleNames(prefix)) {
        await admin(`comment on role ${name} is 'Huvudbok: databasen moved (oid ${oid})'`);
      }
    }
    for (const url of urls) await migrate({ url, log: quiet });
    expect(await Promise.all(urls.map(logIns))).toEqual([roleNames('hb'), roleNames('hb_moved_b')]);
  });
});
