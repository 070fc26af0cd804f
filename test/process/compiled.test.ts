/** The program compiled before the first of its processes that stays. */
import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { Disk, mayMount } from '../support/disk.ts';
import { entry, httpEntry } from '../support/program.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');

/** A checkout of its own, which others do not change meanwhile. */
async function copyOfCheckout(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'huvudbok-compiled-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const copy = join(folder, 'first');
  for (const name of ['src', 'workers', 'public/days.js', 'package.json', 'package-lock.json']) {
    await cp(join(root, name), join(copy, name), { recursive: true });
  }
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** What a function of `compile.mjs` answers, and says. */
async function ask(checkout: string, call: string) {
  const url = pathToFileURL(join(checkout, 'src', 'process', 'compile.mjs')).href;
  const words = `import * as compile from ${JSON.stringify(url)}; console.log(compile.${call} ?? 'none');`;
  const env = { PATH: process.env['PATH'] };
  const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '--eval', words], {
    env,
    cwd: checkout,
  });
  return { folder: stdout.trim(), said: stderr };
}
const compile = (checkout: string) => ask(checkout, 'compileProgram(process.execPath)');
const find = async (checkout: string) => (await ask(checkout, 'findCompiled()')).folder;

it('is compiled once, anew when a file is another, and never taken for that of another folder', async () => {
  const checkout = await copyOfCheckout();
  expect(await find(checkout)).toBe('none');
  // Two starts at once.
  const [{ folder }, other] = await Promise.all([compile(checkout), compile(checkout)]);
  expect(other).toEqual({ folder, said: '' });
  expect(folder.startsWith(join(checkout, '.runtime', 'program'))).toBe(true);
  const { stdout } = await run(process.execPath, [join(folder, 'huvudbok.cjs'), '--version']);
  expect(stdout.trim()).toMatch(/^\d+\.\d+\.\d+$/);

  const { mtimeMs } = await stat(join(folder, 'huvudbok.cjs'));
  expect((await compile(checkout)).folder).toBe(folder);
  expect((await stat(join(folder, 'huvudbok.cjs'))).mtimeMs).toBe(mtimeMs);

  // An older file in place of a newer: nothing has become newer by that.
  const changed = join(checkout, 'src', 'lib', 'version.ts');
  await writeFile(changed, "export const appVersion = 'of before';\n");
  const long_ago = new Date('2020-01-01');
  await utimes(changed, long_ago, long_ago);
  expect(await find(checkout)).toBe('none');
  const { folder: second } = await compile(checkout);
  const after = await run(process.execPath, [join(second, 'huvudbok.cjs'), '--version']);
  expect(after.stdout.trim()).toBe('of before');
  // What a power cut may leave: the folder, and of its files only the names.
  await truncate(join(second, 'huvudbok.cjs'));
  expect(await find(checkout)).toBe('none');
  expect(await compile(checkout)).toEqual({ folder: second, said: '' });
  const mended = await run(process.execPath, [join(second, 'huvudbok.cjs'), '--version']);
  expect(mended.stdout.trim()).toBe('of before');
  // What may still run is left.
  expect(await readdir(join(checkout, '.runtime', 'program'))).toHaveLength(2);

  // What the server reads of what browsers are given.
  await writeFile(join(checkout, 'public', 'days.js'), 'export const dayOf = () => null;\n');
  expect(await find(checkout)).toBe('none');

  const moved = join(checkout, '..', 'moved');
  await rename(checkout, moved);
  expect(await find(moved)).toBe('none');
});

it('runs as it is where it cannot be compiled, and says so', async () => {
  const checkout = await copyOfCheckout();
  await rm(join(checkout, 'node_modules'));
  await mkdir(join(checkout, 'node_modules'));
  const { folder, said } = await compile(checkout);
  expect(folder).toBe('none');
  expect(said).toMatch(/^Programmet kunde inte kompileras, .*rolldown/);
});

it.skipIf(!mayMount)(
  'says that the disk is full, leaves nothing there, and compiles when there is room',
  async () => {
    const checkout = await copyOfCheckout();
    const disk = new Disk(64);
    disk.fill();
    onTestFinished(() => disk.remove());
    await symlink(disk.folder, join(checkout, '.runtime'));
    const full = await compile(checkout);
    expect(full.folder).toBe('none');
    expect(full.said).toMatch(/med mer minne\. Disken med \S+program är full: frigör plats/);
    expect(await readdir(disk.folder, { recursive: true })).toEqual(['ballast', 'program']);
    disk.free();
    expect(await compile(checkout)).toEqual({ folder: await find(checkout), said: '' });
    expect(await find(checkout)).not.toBe('none');
  },
);

/** What a process tells as it ends: which parts of Node it has loaded. */
const tellLoaded = `data:text/javascript,process.on('exit', () => {
  process.stdout.write(process.moduleLoadList.filter((name) => /amaro|undici/.test(name)).join() + '.');
})`;

it.each([
  ['http', httpEntry, []],
  ['workers', entry, ['worker', 'intake', 'booking', 'upkeep', 'webhooks', '--told']],
])(
  'no process of the service carries what it does not use, the stripper of types and a client of HTTP: %s',
  async (_, script, words) => {
    const child: ChildProcess = fork(script, words, {
      execArgv: ['--import', tellLoaded],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    // Left alone it ends, when it has loaded all that it is to do.
    child.disconnect();
    let said = '';
    child.stdout?.on('data', (chunk) => (said += chunk));
    await Promise.all([once(child, 'exit'), once(child.stdout ?? child, 'end')]);
    expect(said).toMatch(/^\.+$/);
  },
);

it('says what --told is for to whoever types it', async () => {
  const typed = run(process.execPath, [entry, 'worker', 'upkeep', '--told']);
  await expect(typed).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('--told är för huvudbok start'),
  });
});
