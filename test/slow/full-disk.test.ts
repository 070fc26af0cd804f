/** A disk that fills up, a real one: callers are told, nothing is lost, and with the room all comes back. */
import { randomUUID } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { rendering } from '#src/db/jobs.ts';
import { db } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { findPdf, requestPdf } from '#src/render/store.ts';
import { Load, proveWhole, type Service, startService } from '../process/crash.ts';
import { query, waitUntil } from '../process/embedded.ts';
import { Disk, mayMount } from '../support/disk.ts';
import { voucherBody } from '../support/installation.ts';

/** A first start, a load and six starts of PostgreSQL in vain: minutes where other tests have the processors. */
const slow = { timeout: 600_000 };

function mountDisk(mebibytes: number): Disk {
  const disk = new Disk(mebibytes);
  onTestFinished(() => disk.remove());
  return disk;
}

const statusOf = async (service: Service, path: string): Promise<number> =>
  (await fetch(service.address + path)).status;

async function post(service: Service, key: string) {
  const answer = await fetch(`${service.address}/api/v1/verifikat`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${service.key}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify(voucherBody({ description: key })),
  });
  const body = (await answer.json()) as { id?: string; error?: string };
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), ...body };
}

const adminUrlOf = (dataDir: string): string => {
  const home = join(dataDir, 'postgresql');
  const { superuser } = JSON.parse(readFileSync(join(home, 'secrets.json'), 'utf8'));
  const port = readFileSync(join(home, 'port'), 'utf8').trim();
  return `postgres://postgres:${superuser}@127.0.0.1:${port}/postgres`;
};

describe.skipIf(!mayMount)('a full disk', () => {
  it('of the database: 503 until there is room, PostgreSQL’s own end too', slow, async () => {
    const disk = mountDisk(400);
    const service = await startService({ DATA_DIR: join(disk.folder, 'data') });
    const parts = service.children();
    const load = new Load(service);
    await load.goOn(50, 20);

    disk.fill();
    const tried = new Set<string>();
    const tryOne = async () => {
      const key = randomUUID();
      tried.add(key);
      return post(service, key);
    };
    let answer = await tryOne();
    for (; answer.status === 200; answer = await tryOne()) disk.fill();
    expect(answer).toMatchObject({ status: 503, error: 'database_unavailable', retryAfter: '5' });
    await waitUntil(async () => (await statusOf(service, '/readyz')) === 503);
    expect(await statusOf(service, '/healthz')).toBe(200);

    // The write-ahead log needs a new segment, and PostgreSQL ends itself for want of it; now and then it comes up
    // again on what its end gave back, so the disk is filled until it is waited for.
    const adminUrl = adminUrlOf(service.dataDir);
    const useSegment = `select pg_logical_emit_message(true, 'disk', ''); select pg_switch_wal()`;
    const isWaitedFor = service.says(/Väntar på PostgreSQL/).then(() => true);
    do {
      disk.fill();
      await query(adminUrl, useSegment).catch(() => undefined);
    } while (!(await Promise.race([isWaitedFor, sleep(20, false)])));
    for (let tries = 0; tries < 20; tries += 1) {
      answer = await tryOne();
      expect(answer).toMatchObject({ status: 503, error: 'database_unavailable', retryAfter: '5' });
      expect(await statusOf(service, '/healthz')).toBe(200);
      await sleep(100);
    }

    disk.free();
    await waitUntil(async () => (await statusOf(service, '/readyz')) === 200);
    for (const key of tried) {
      const first = await post(service, key);
      expect(first.status).toBe(200);
      expect((await post(service, key)).id).toBe(first.id);
      load.vouchers.set(key, first.id ?? '');
    }
    await load.goOn(50, 20);
    await load.end();
    expect(load.refusals).toContain('503 database_unavailable');
    // An order stored in the last moment before the disk was full is kept, and decided after it.
    const others = [...load.refusals].filter((one) => one !== '503 database_unavailable');
    expect(others.filter((one) => one !== '503 processing_delayed')).toEqual([]);
    expect(service.children()).toEqual(parts);
    await proveWhole(service, load);
  });

  it('of logs and of temporary files ends no process, and stops no other work', slow, async () => {
    // The bundled Chromium is unpacked there.
    const disk = mountDisk(700);
    const log = join(disk.folder, 'log');
    const service = await startService({ TMPDIR: disk.folder, LOG_LEVEL: 'info' }, log);
    const parts = service.children();
    disk.fill();
    const full = statSync(log).size;
    const load = new Load(service);
    const html = `<!doctype html><title>Sida</title><p>${randomUUID()}</p>`;
    await requestPdf(db(service.owner), html);
    await load.goOn(50, 20);
    const failing = async () => {
      const [row] = await db(service.owner).query(
        sql`select from pgboss.job where name = ${rendering.name} and retry_count > 0`,
      );
      return row !== undefined || (await findPdf(db(service.owner), html)) !== undefined;
    };
    await waitUntil(() => failing().catch(() => false));
    expect(statSync(log).size).toBeLessThan(full + 100_000);
    disk.free();
    await waitUntil(async () => (await findPdf(db(service.owner), html)) !== undefined);
    await load.goOn(20, 10);
    await waitUntil(() => statSync(log).size > full);
    await load.end();
    // Who prints was called meanwhile, beside those that were there.
    expect([...service.children()]).toEqual(expect.arrayContaining([...parts]));
    await proveWhole(service, load);
  });
});
