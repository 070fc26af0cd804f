/** What readers of events are told when the database has gone back, and when it has only changed servers. */

import { execFileSync, spawnSync } from 'node:child_process';
import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { migrate } from '#src/db/migrate.ts';
import { connect } from '#src/db/pool.ts';
import { query } from '../process/embedded.ts';
import { startReplicas, startServer, type TestServer } from '../process/replicas.ts';

const timeout = 180_000;

const happen = (server: TestServer, count = 1) =>
  query(
    server.ownerUrl,
    `insert into events.outbox (type, subject)
     select 'order.received', gen_random_uuid() from generate_series(1, ${count})`,
  );
/** The place of the last event, as a reader's cursor has it. */
async function lastPlace(server: TestServer): Promise<string> {
  const [[place] = []] = await query(
    server.ownerUrl,
    `select epoch || ', ' || events.run_of(epoch) || $$, '$$ || xid || $$', $$ || seq from events.latest_place()`,
  );
  return String(place);
}
/** What a reader at the place is told: the events after it, or where to go on. */
async function readFrom(server: TestServer, place: string) {
  const [[before] = []] = await query(
    server.ownerUrl,
    `select epoch || ', ' || events.run_of(epoch) || $$, '$$ || last_xid || $$', $$ || last_seq
     from events.place_before_loss(${place}) where epoch is not null`,
  );
  if (before !== undefined) return { isAhead: true, resume: String(before) };
  const [epoch, , xid, seq] = place.split(', ');
  const found = await query(
    server.ownerUrl,
    `select from events.list_after(${epoch}, ${xid}, ${seq}, 500)`,
  );
  return { isAhead: false, events: found.length };
}

it(
  'a failover that lost nothing is not noticed, though nothing is done after the promotion',
  async () => {
    const { primary, standby } = await startReplicas();
    await migrate({ url: primary.ownerUrl, log: () => undefined });
    await happen(primary, 3);
    const place = await lastPlace(primary);
    await primary.kill();
    await standby.promote();
    expect(await readFrom(standby, place)).toEqual({ isAhead: false, events: 0 });
    await query(standby.adminUrl, `alter system set synchronous_standby_names = ''`);
    await query(standby.adminUrl, 'select pg_reload_conf()');
    await happen(standby, 2);
    expect(await readFrom(standby, place)).toEqual({ isAhead: false, events: 2 });
  },
  timeout,
);

it(
  'after a failover that lost something, whoever had heard of it is told, and misses nothing',
  async () => {
    const { primary, standby } = await startReplicas();
    await migrate({ url: primary.ownerUrl, log: () => undefined });
    await happen(primary, 3);
    const kept = await lastPlace(primary);
    // From here on nobody waits for the standby, and it hears nothing.
    await query(primary.adminUrl, `alter system set synchronous_standby_names = ''`);
    await query(primary.adminUrl, 'select pg_reload_conf()');
    standby.fallSilent();
    await happen(primary, 5);
    const lost = await lastPlace(primary);
    expect(lost).not.toBe(kept);
    await primary.kill();
    await standby.kill();
    await standby.start();
    await standby.promote();
    await query(standby.adminUrl, `alter system set synchronous_standby_names = ''`);
    await query(standby.adminUrl, 'select pg_reload_conf()');
    expect(await readFrom(standby, lost)).toEqual({ isAhead: true, resume: kept });
    // Transactions are counted past the lost ones again: that changes nothing.
    for (let round = 0; round < 10; round += 1) await happen(standby, 2);
    expect(await readFrom(standby, lost)).toEqual({ isAhead: true, resume: kept });
    expect(await readFrom(standby, kept)).toEqual({ isAhead: false, events: 20 });
  },
  timeout,
);

it(
  'point-in-time recovery and a folder copied back are told of too, each as a history of its own',
  async () => {
    const archive = join('/tmp', `huvudbok-archive-${process.pid}`);
    await rm(archive, { recursive: true, force: true });
    await mkdir(archive, { mode: 0o777 });
    execFileSync('chmod', ['777', archive]);
    const archiving = { archive_mode: 'on', archive_command: `cp %p ${archive}/%f` };
    const server = await startServer(archiving);
    await migrate({ url: server.ownerUrl, log: () => undefined });
    await happen(server, 2);
    const copied = await lastPlace(server);
    const { directory } = server.cluster;
    await server.kill();
    execFileSync('cp', ['-a', directory, `${directory}-stopped`]);
    await server.start(archiving);
    await happen(server, 1);
    const session = await connect(server.adminUrl, 'test backup');
    await session.query(`select pg_backup_start('test', true)`);
    // Files that the running server takes away meanwhile are no part of a backup, and `cp` ends with 1 for want of them.
    spawnSync('cp', ['-a', directory, `${directory}-copy`]);
    const { rows } = await session.query('select labelfile from pg_backup_stop()');
    await session.end();
    await happen(server, 1);
    const target = await lastPlace(server);
    await query(server.adminUrl, `select pg_create_restore_point('before the mistake')`);
    await happen(server, 4);
    const lost = await lastPlace(server);
    await query(server.adminUrl, 'select pg_switch_wal()');
    const name = await server.ask(`select pg_walfile_name(pg_current_wal_lsn() - 1)`);
    for (let tries = 0; tries < 200; tries += 1) {
      const done = await server.ask('select last_archived_wal from pg_stat_archiver');
      if (String(done) >= String(name)) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await server.kill();

    const putBack = async (copy: string, settings: string) => {
      await rm(directory, { recursive: true });
      execFileSync('cp', ['-a', `${directory}-${copy}`, directory]);
      await rm(join(directory, 'postmaster.pid'), { force: true });
      if (settings) {
        await writeFile(join(directory, 'backup_label'), rows[0].labelfile);
        await writeFile(join(directory, 'recovery.signal'), '');
        await appendFile(join(directory, 'postgresql.auto.conf'), settings);
      }
      const { account } = server.cluster;
      if (account) execFileSync('chown', ['-R', `${account.uid}:${account.gid}`, directory]);
    };
    await putBack(
      'copy',
      `restore_command = 'cp ${archive}/%f %p'\nrecovery_target_name = 'before the mistake'\nrecovery_target_action = 'promote'\n`,
    );
    await server.start();
    while (await server.ask('select pg_is_in_recovery()')) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(await readFrom(server, lost)).toEqual({ isAhead: true, resume: target });
    expect(await readFrom(server, target)).toEqual({ isAhead: false, events: 0 });
    await happen(server, 3);
    const ofRecovered = await lastPlace(server);
    expect(await readFrom(server, target)).toEqual({ isAhead: false, events: 3 });
    await server.kill();

    // The copy alone, as a folder that is put back: its next epoch has the number of one that was lost.
    await putBack('stopped', '');
    await server.start();
    await happen(server, 40);
    const [epoch] = (await lastPlace(server)).split(', ');
    expect(lost.split(', ')[0]).toBe(epoch);
    for (const place of [lost, ofRecovered]) {
      expect(await readFrom(server, place)).toEqual({ isAhead: true, resume: copied });
    }
    expect(await readFrom(server, copied)).toEqual({ isAhead: false, events: 40 });
    await rm(`${directory}-copy`, { recursive: true });
    await rm(`${directory}-stopped`, { recursive: true });
    await rm(archive, { recursive: true });
  },
  timeout,
);
