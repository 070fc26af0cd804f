import { expect, onTestFinished, test } from 'vitest';
import { namePart, serveMetrics, snapshot, textOf } from '#src/lib/metrics/export.ts';
import { jobs, pdfSeconds, timed } from '#src/lib/metrics/metrics.ts';

async function serve(fault: () => string | undefined, read = async () => '') {
  const served = await serveMetrics({ host: '127.0.0.1', port: 0, read, fault });
  onTestFinished(() => served.stop());
  return (path: string) => fetch(`http://127.0.0.1:${served.port}${path}`);
}

test('whoever restarts what is ill is told so while the database is away, and not after', async () => {
  let wrong: string | undefined = 'database';
  const get = await serve(() => wrong);
  const ill = await get('/healthz');
  expect([ill.status, await ill.json()]).toEqual([503, { ok: false, fault: 'database' }]);
  wrong = undefined;
  expect((await get('/healthz')).status).toBe(200);
});

test('figures that cannot be read are no empty figures', async () => {
  const get = await serve(
    () => undefined,
    () => Promise.reject(new Error('postgres://hb:hemligt@db/bok')),
  );
  const answer = await get('/metrics');
  expect(answer.status).toBe(503);
  expect(await answer.text()).not.toContain('hemligt');
});

test('the figures of several processes stand side by side, each under its part', async () => {
  namePart('intake');
  // Of a queue that no other test in this process works.
  jobs.inc({ queue: 'figures', result: 'done' }, 3);
  const first = JSON.stringify(await snapshot());
  const text = await textOf([JSON.parse(first), JSON.parse(first.replaceAll('intake', 'booking'))]);
  expect(text).toMatch(/huvudbok_jobs_total\{queue="figures"[^}]*part="intake"[^}]*\} 3/);
  expect(text).toMatch(/huvudbok_jobs_total\{queue="figures"[^}]*part="booking"[^}]*\} 3/);
  expect(text.match(/# HELP huvudbok_jobs_total /g)).toHaveLength(1);
});

test('work that fails is counted as that, and still fails', async () => {
  const failed = async (): Promise<number> => {
    const text = await textOf([await snapshot()]);
    const counted = /huvudbok_pdf_duration_seconds_count\{[^}]*result="failed"[^}]*\} (\d+)/.exec(
      text,
    );
    return Number(counted?.[1] ?? 0);
  };
  const before = await failed();
  await expect(timed(pdfSeconds, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await failed()).toBe(before + 1);
});
