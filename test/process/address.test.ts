/** What DATABASE_URL says besides servers and encryption reaches PostgreSQL. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { withLogin } from '#src/config/database-url.ts';
import { connect, createPool } from '#src/db/pool.ts';
import { query } from './embedded.ts';
import { startServer } from './replicas.ts';

it('comes by a socket, under its name, with its settings and any password', async () => {
  const sockets = await mkdtemp(join(tmpdir(), 'huvudbok-socket-'));
  onTestFinished(() => rm(sockets, { recursive: true, force: true }));
  await chmod(sockets, 0o777);
  const server = await startServer({ unix_socket_directories: sockets });
  const password = 'å@:/?#% +&=,';
  await query(server.adminUrl, `alter role hb_owner password '${password}'`);
  const parameters = `application_name=b%C3%B6cker&options=-c%20lock_timeout%3D7s&connect_timeout=9`;
  const bySocket = withLogin(
    `postgres:///huvudbok?host=${encodeURIComponent(sockets)}&port=${server.port}&${parameters}`,
    'hb_owner',
    password,
  );
  const byAddress = withLogin(`${server.ownerUrl}?${parameters}`, 'hb_owner', password);
  const asked = `select current_setting('lock_timeout') as lock_timeout,
    current_setting('application_name') as name, inet_server_port() as port`;
  for (const [url, port] of [
    [bySocket, null],
    [byAddress, server.port],
  ] as const) {
    const client = await connect(url, 'huvudbok test');
    const { rows } = await client.query(asked);
    await client.end();
    // PostgreSQL writes what is not ASCII in a name as question marks or escapes.
    expect(rows).toEqual([
      { lock_timeout: '7s', name: expect.stringMatching(/^b.+cker test$/), port },
    ]);
    const pool = createPool({ url, max: 1, applicationName: 'huvudbok test' });
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await pool.end();
  }
});
