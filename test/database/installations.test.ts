/** Several installations on the embedded PostgreSQL; on another version, and more of them, in test/slow. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { migrate } from '#src/db/migrate.ts';
import { roleNames } from '#src/db/roles.ts';
import { startOwnServer } from '../support/servers.ts';
import {
  admin,
  createInstallation,
  logIns,
  onServer,
  ownerUrlOf,
  quiet,
  removeInstallation,
  rolesOnServer,
  testInstallations,
} from './installations.ts';

describe('on the embedded PostgreSQL', () => {
  onServer(startOwnServer);
  testInstallations();

  test('a database that is renamed keeps its roles, also beside one that takes its name', async () => {
    await createInstallation('before');
    await createInstallation('shop');
    await admin('alter database shop rename to shop_2025');
    onTestFinished(() => removeInstallation('shop_2025'));
    const renamed = ownerUrlOf('shop_2025');
    expect(await logIns(renamed)).toEqual(roleNames('hb_shop'));
    const successor = await createInstallation('shop');
    expect(await logIns(successor)).toEqual(roleNames('hb_shop_2'));
    await migrate({ url: renamed, log: quiet });
    expect(await logIns(renamed)).toEqual(roleNames('hb_shop'));
    const [said] = await admin<{ comment: string }>(
      `select shobj_description('hb_shop_api'::regrole, 'pg_authid') as comment`,
    );
    expect(said?.comment).toContain('databasen shop_2025 ');
  });

  test('a role of a stranger with one of our names is left alone', async () => {
    await admin(`create role hb_worker login password 'främling' connection limit 3`);
    onTestFinished(async () => void (await admin('drop role hb_worker')));
    const before = await rolesOnServer('hb');
    const url = await createInstallation('careful');
    expect(await logIns(url)).toEqual(roleNames('hb_careful'));
    expect(await rolesOnServer('hb')).toEqual(before);
  });

  test('an installation that is removed and made again has the same names, with or without its roles', async () => {
    await createInstallation('again');
    await admin('drop database again');
    expect((await rolesOnServer('hb')).length).toBe(4);
    const remade = await createInstallation('again');
    expect(await logIns(remade)).toEqual(roleNames('hb'));
    await removeInstallation('again');
    expect(await rolesOnServer('hb')).toEqual([]);
    expect(await logIns(await createInstallation('again'))).toEqual(roleNames('hb'));
  });
});
