import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { waitUntil } from './embedded.ts';
import { Running } from './running.ts';

async function begin(...children: string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'huvudbok supervisor '));
  // Children of a killed supervisor write their last line when they notice.
  onTestFinished(() =>
    rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }),
  );
  const path = join(folder, 'diary');
  const supervisor = new Running(join(import.meta.dirname, 'supervise.ts'), [path, ...children]);
  const diary = () => readFile(path, 'utf8');
  const pidsOf = async (name: string) =>
    [...(await diary()).matchAll(new RegExp(`${name} started (\\d+)`, 'g'))].map((match) =>
      Number(match[1]),
    );
  return { supervisor, diary, pidsOf };
}

it('is ready when all are, tells the address, and names who says what', async () => {
  const { supervisor } = await begin('http=work', 'intake=work');
  await supervisor.says(/READY http:\/\/127.0.0.1:3000/);
  await supervisor.says(/intake \| at work/);
});

it('stops the first listed before the others', async () => {
  const { supervisor, diary } = await begin('http=work', 'intake=work', 'upkeep=work');
  await supervisor.says(/READY/);
  await supervisor.kill('SIGINT');
  const lines = (await diary()).split('\n');
  expect(lines.indexOf('http ended')).toBeGreaterThan(0);
  expect(lines.indexOf('http ended')).toBeLessThan(lines.indexOf('intake stopping'));
  expect(lines.indexOf('http ended')).toBeLessThan(lines.indexOf('upkeep stopping'));
});

it('starts nobody again once it is stopping, even one that was told too', async () => {
  const { supervisor, pidsOf } = await begin('http=deaf', 'intake=work');
  await supervisor.says(/READY/);
  supervisor.child.kill('SIGTERM');
  const [pid = 0] = await pidsOf('intake');
  process.kill(pid, 'SIGTERM');
  await supervisor.kill('SIGTERM');
  expect(await pidsOf('intake')).toHaveLength(1);
});

it('ends a child that does not listen', async () => {
  const { supervisor, pidsOf } = await begin('http=work', 'intake=deaf');
  await supervisor.says(/READY/);
  // It is given three seconds (supervise.ts), and would otherwise stay until the test is out of time.
  await supervisor.kill('SIGTERM');
  const [pid] = await pidsOf('intake');
  expect(existsSync(`/proc/${pid}`)).toBe(false);
});

it('starts a killed child again, and leaves the others alone', async () => {
  const { supervisor, pidsOf } = await begin('http=work', 'intake=work');
  await supervisor.says(/READY/);
  const [pid = 0] = await pidsOf('intake');
  process.kill(pid, 'SIGKILL');
  await supervisor.says(/Processen intake avbröts \(signal SIGKILL\)/);
  await waitUntil(async () => (await pidsOf('intake')).length === 2);
  expect(await pidsOf('http')).toHaveLength(1);
});

it('ends a child that stands still and starts it again, and leaves one alone that stood still for a moment', async () => {
  const { supervisor, pidsOf } = await begin('http=work', 'intake=work');
  await supervisor.says(/READY/);
  const [[http = 0] = [], [intake = 0] = []] = await Promise.all(['http', 'intake'].map(pidsOf));
  process.kill(http, 'SIGSTOP');
  process.kill(intake, 'SIGSTOP');
  setTimeout(() => process.kill(http, 'SIGCONT'), 1_000);
  await supervisor.says(/Processen intake har slutat svara/);
  await waitUntil(async () => (await pidsOf('intake')).length === 2);
  expect(existsSync(`/proc/${intake}`)).toBe(false);
  expect(await pidsOf('http')).toEqual([http]);
});

it('gives up at once when a child can never start, with its words', async () => {
  const { supervisor, diary } = await begin('http=refuse', 'intake=work');
  await supervisor.says(/FAILED Porten 3000 är upptagen\. Ange en annan med PORT\./);
  expect(await supervisor.exitCode()).toBe(1);
  expect((await diary()).match(/http started/g)).toHaveLength(1);
});

it('gives up on a child that never once gets ready', async () => {
  const { supervisor } = await begin('http=work', 'intake=die');
  await supervisor.says(/FAILED Processen intake startar inte \(kod 3\)/);
});

it('starts a child on call when it is called, again when it left or was killed, and not otherwise', async () => {
  const { supervisor, pidsOf, diary } = await begin('http=call', 'mail=leave');
  await supervisor.says(/READY/);
  expect(await pidsOf('mail')).toEqual([]);
  const [caller = 0] = await pidsOf('http');
  const startsOf = async (nth: number): Promise<number> => {
    await supervisor.says(new RegExp(`(?:mail \\| at work[^]*){${nth}}`));
    return (await pidsOf('mail'))[nth - 1] ?? 0;
  };
  process.kill(caller, 'SIGUSR2');
  const first = await startsOf(1);
  process.kill(first, 'SIGUSR2');
  await waitUntil(async () => /mail ended/.test(await diary()));
  process.kill(caller, 'SIGUSR2');
  const second = await startsOf(2);
  process.kill(second, 'SIGKILL');
  await supervisor.says(/Processen mail avbröts \(signal SIGKILL\)/);
  const third = await startsOf(3);
  process.kill(third, 'SIGUSR2');
  await waitUntil(async () => (await diary()).match(/mail ended/g)?.length === 2);
  await supervisor.kill('SIGTERM');
  expect(supervisor.child.exitCode).toBe(0);
  expect(await pidsOf('mail')).toHaveLength(3);
});

it('takes its children with it when killed with kill -9', async () => {
  const { supervisor, diary } = await begin('http=work', 'intake=work');
  await supervisor.says(/READY/);
  await supervisor.kill('SIGKILL');
  await waitUntil(async () => (await diary()).match(/ended/g)?.length === 2);
});

it('takes them with it while they are still starting, too', async () => {
  const { supervisor, diary } = await begin('http=hang');
  await supervisor.says(/starting/);
  await supervisor.kill('SIGKILL');
  await waitUntil(async () => /ended/.test(await diary()));
});
