/** An export of 55 000 rows: what it holds of memory and connections while its reader waits, and how it ends. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { revokeKey } from '#src/access/keys/service.ts';
import { connect as connectTo, withTx } from '#src/db/pool.ts';
import type { LedgerRow } from '#src/ledger/vouchers/posting-store.ts';
import { ledgerVoucher, post } from '../database/books.ts';
import { head, listen } from '../http/raw.ts';
import { createInstallation, type Installation } from '../support/installation.ts';
import { until } from '../support/processes.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const url = '/api/v1/export/verifikatrader';

describe('a long one', () => {
  const longVouchers = 11;
  const rowsEach = 5_000;
  let long: Installation;
  let port: number;
  let admin: pg.Client;

  beforeAll(async () => {
    admin = await connectTo(inject('adminUrl'), 'test admin');
    long = await createInstallation();
    port = await listen(long.app);
    const note = 'Långt '.repeat(80);
    const rows = Array.from({ length: rowsEach }, (_, index): LedgerRow => {
      const ore = 100n;
      return index % 2 === 0
        ? { account: 1930, debitOre: ore, creditOre: 0n, note }
        : { account: 3740, debitOre: 0n, creditOre: ore, note };
    });
    for (let day = 1; day <= longVouchers; day += 1) {
      const date = `2026-01-${String(day).padStart(2, '0')}`;
      await post(long.owner, [ledgerVoucher({ date, rows })]);
    }
  });
  afterAll(async () => {
    await long.close();
    await admin.end();
  });

  /** By hand, for what came before a connection broke off is thrown away by clients. */
  const open = async (key = long.key): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1');
    socket.write(head('GET', url, [`authorization: Bearer ${key}`, 'connection: close']));
    await once(socket, 'readable');
    return socket;
  };
  const readOn = async (socket: Socket) => {
    const parts: Buffer[] = [];
    for await (const part of socket) parts.push(part as Buffer);
    const all = Buffer.concat(parts);
    const pieces: Buffer[] = [];
    // Chunked, as HTTP has it: the last one is empty.
    for (let at = all.indexOf('\r\n\r\n') + 4; at < all.length; ) {
      const end = all.indexOf('\r\n', at);
      const size = Number.parseInt(all.subarray(at, end).toString(), 16);
      pieces.push(all.subarray(end + 2, end + 2 + size));
      at = end + 2 + size + 2;
    }
    const isWhole = pieces.at(-1)?.length === 0;
    return { lines: Buffer.concat(pieces).toString().split('\n'), isWhole };
  };
  /** What is not thrown away, of buffers and all else; some of what is, only a turn or more after the first try. */
  const kept = async (): Promise<number> => {
    let least = Number.POSITIVE_INFINITY;
    for (let tries = 0; tries < 10; tries += 1) {
      await sleep(20);
      collect();
      const { arrayBuffers, heapUsed } = process.memoryUsage();
      least = Math.min(least, arrayBuffers + heapUsed);
    }
    return least;
  };
  const held = () => long.app.load.counts.answering.bytes;
  /** Of the readers' sessions; only a superuser is told how they stand. */
  const inTransaction = async () => {
    const { rows } = await admin.query<{ state: string; is_in: boolean }>(
      `select state, xact_start is not null as is_in from pg_stat_activity
       where datname = $1 and application_name = 'test http readers'`,
      [new URL(long.url).pathname.slice(1)],
    );
    expect(rows.map(({ state }) => state)).toContainEqual(expect.any(String));
    return rows.filter((one) => one.is_in).length;
  };
  /** Until its reader is what it waits for. */
  const untilStill = async () => {
    let still = 0;
    await until(async () => {
      still = (await inTransaction()) === 0 ? still + 1 : 0;
      return still >= 5;
    });
  };

  test('waits for its reader without a transaction and with a few pages in memory, and leaves out what is posted meanwhile', async () => {
    // What the first of all exports makes for good is not one export's.
    await readOn(await open());
    await until(() => held() === 0);
    const before = await kept();
    const answer = await open();
    await untilStill();
    expect(held()).toBeGreaterThan(0);
    const grown = (await kept()) - before;
    await post(long.owner, [ledgerVoucher({ date: '2026-01-31' })]);
    const { lines, isWhole } = await readOn(answer);
    expect(isWhole).toBe(true);
    expect(lines).toHaveLength(longVouchers + 3);
    const bytes = Buffer.byteLength(lines.join('\n'));
    // What the system holds of it is not ours.
    expect(grown).toBeLessThan(bytes / 2);
    expect(JSON.parse(lines.at(-2) ?? '').end).toMatchObject({ rows: longVouchers * rowsEach });
    await until(() => held() === 0);
  });

  test('is over for whoever hangs up, and nothing of it stays', async () => {
    const answer = await open();
    answer.destroy();
    await until(() => held() === 0);
    await untilStill();
  });

  test('breaks off when its key is revoked, says why, and is not taken for whole', async () => {
    const { id, key } = await long.makeKey(['data:read']);
    const answer = await open(key);
    await untilStill();
    await withTx(long.owner, (tx) => revokeKey(tx, id, 'test'));
    const { lines, isWhole } = await readOn(answer);
    expect(isWhole).toBe(false);
    expect(JSON.parse(lines.at(-2) ?? '')).toMatchObject({ status: 401, error: 'key_revoked' });
    expect(lines.length).toBeLessThan(longVouchers + 3);
    await until(() => held() === 0);
  });

  test('counts as a call more for each 50 000 rows, and none of it when the hour has not so many', async () => {
    const rich = await long.makeKey(['data:read'], 10);
    const asked = await long.call({ url, key: rich.key });
    expect(asked.headers['ratelimit']).toMatch(/;r=8;/);
    const poor = await long.makeKey(['data:read'], 1);
    const refused = await long.call({ url, key: poor.key });
    expect([refused.statusCode, refused.json().error]).toEqual([429, 'rate_limited']);
    expect(refused.headers['export-snapshot']).toBeUndefined();
    // A part of it is small enough.
    const part = await long.makeKey(['data:read'], 1);
    const few = await long.call({ url: `${url}?to=2026-01-03`, key: part.key });
    expect(few.statusCode).toBe(200);
  });

  test('goes on in CSV after the last voucher that came whole', async () => {
    const first = await long.call({ url: `${url}?format=csv&to=2026-01-02` });
    const snapshot = first.headers['export-snapshot'];
    const [, row = ''] = first.body.split('\r\n');
    const [, id = ''] = row.split(',');
    const rest = await long.call({
      url: `${url}?format=csv&to=2026-01-02&snapshot=${snapshot}&after=${id}`,
    });
    const lines = rest.body.split('\r\n');
    expect(lines).toHaveLength(rowsEach + 3);
    expect(rest.body).not.toContain(id);
  });
});
