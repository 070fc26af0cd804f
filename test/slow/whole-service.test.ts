/** A short soak, and that it sees processes die. */
import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Host } from '../../soak/host.ts';
import type { Report } from '../../soak/soak.ts';
import { migratedDataDir, waitUntil } from '../process/embedded.ts';
import { Running } from '../process/running.ts';
import { freePort } from '../support/port.ts';
import { compiled } from '../support/program.ts';

const script = join(import.meta.dirname, '..', '..', 'soak', 'run.ts');

test('nobody is told anything untrue while a quarter of a minute of everything happens', {
  timeout: 400_000,
}, async () => {
  const soak = new Running(script, ['--minutes', '0.25', '--seed', 'suite', '--json']);
  const exitCode = await soak.exitCode();
  expect(soak.stdout, soak.output).not.toBe('');
  const report = JSON.parse(soak.stdout) as Report;
  expect(report.violations).toEqual([]);
  expect(exitCode).toBe(0);
  expect(report.calls['voucher']?.['200']).toBeGreaterThan(0);
  expect(report.vouchers).toBeGreaterThan(0);
  expect(report.events).toBeGreaterThanOrEqual(report.vouchers);
  expect(Object.keys(report.mischief)).not.toEqual([]);
});

test('a soak that is interrupted leaves nothing behind', { timeout: 200_000 }, async () => {
  const isOurs = (name: string) => name.startsWith('huvudbok-soak-');
  const before = new Set(readdirSync(tmpdir()).filter(isOurs));
  const soak = new Running(script, ['--seed', 'interrupted']);
  await soak.says(/Soaking for/);
  const [folder = ''] = readdirSync(tmpdir()).filter((name) => isOurs(name) && !before.has(name));
  soak.child.kill('SIGINT');
  expect(await soak.exitCode()).toBe(1);
  expect(soak.output).toContain('Interrupted');
  expect(existsSync(join(tmpdir(), folder))).toBe(false);
});

test('a process that dies without being killed by the soak is a violation', {
  timeout: 200_000,
}, async () => {
  const { PATH, HOME } = process.env;
  const port = await freePort();
  const env = {
    ...compiled,
    PATH,
    HOME,
    DATA_DIR: await migratedDataDir(),
    PORT: String(port),
    LOG_LEVEL: 'warn',
  };
  const seen: string[] = [];
  const host = new Host({ name: 'host', port, env, violate: (sentence) => seen.push(sentence) });
  onTestFinished(() => host.stop());
  await host.start();
  await host.becomesReady();
  const ended = host.parts().get('http') ?? 0;
  expect(host.killPart('http')).toBe(true);
  await waitUntil(() => (host.parts().get('http') ?? ended) !== ended);
  await host.becomesReady();
  expect(seen).toEqual([]);
  process.kill(host.parts().get('booking') ?? Number.NaN, 'SIGTERM');
  await waitUntil(() => seen.length > 0);
  expect(seen).toEqual([
    expect.stringContaining('the process intake+booking+upkeep+webhooks on host died by itself'),
  ]);
});
