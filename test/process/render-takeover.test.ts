/** kill -9 of the render worker with a page in hand: another prints it, and no browser is left behind. */
import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { db } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { findPdf, requestPdf } from '#src/render/store.ts';
import { startService } from './crash.ts';
import { waitUntil } from './embedded.ts';

/** As in crash-takeover.test.ts, and a browser's start. */
const startsMax = 8;

/** Process numbers of everything that came from this one. */
function descendantsOf(root: number): number[] {
  const parents = new Map(
    execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number) as [number, number]),
  );
  const isBelow = (pid: number | undefined): boolean =>
    pid !== undefined && pid > 1 && (parents.get(pid) === root || isBelow(parents.get(pid)));
  return [...parents.keys()].filter(isBelow);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

it('a page that a killed worker had in hand is printed by the next within seconds, once', async () => {
  const service = await startService();
  const { owner } = service;
  const html = '<!doctype html><html lang="sv"><head><title>Sida</title></head><p>Sida</p></html>';
  const blocker = await owner.connect();
  await blocker.query('begin; lock table archive.contents in exclusive mode');
  await requestPdf(db(owner), html);
  // The worker has printed the page and waits to store it.
  await waitUntil(async () => {
    const waiting = await db(owner).query(
      sql`select from pg_locks where relation = 'archive.contents'::regclass and not granted`,
    );
    return waiting.length > 0;
  });
  const worker = service.children().get('render') ?? 0;
  const browsers = descendantsOf(worker);
  expect(browsers.length).toBeGreaterThan(0);
  process.kill(worker, 'SIGKILL');
  const killed = performance.now();
  await blocker.query('rollback');
  blocker.release();
  await waitUntil(async () => (await findPdf(db(owner), html)) !== undefined);
  expect(performance.now() - killed).toBeLessThan(startsMax * service.start_ms);
  await waitUntil(() => !browsers.some(isAlive));
  const renderings = await db(owner).query(sql`select from archive.renderings`);
  expect(renderings).toHaveLength(1);
});
