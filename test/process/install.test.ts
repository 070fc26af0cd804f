/** Installing with npm, from packages of our own on disk: nothing is fetched. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';

const run = promisify(execFile);
const installer = join(import.meta.dirname, '..', '..', 'src', 'process', 'install.mjs');

async function writeJson(path: string, value: object): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, JSON.stringify(value));
}

/** A project that needs one package to run and another to be tested, with our installer in it. */
async function makeProject(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'huvudbok-install-'));
  onTestFinished(() => rm(root, { recursive: true }));
  for (const name of ['service', 'tools']) {
    await writeJson(join(root, name, 'package.json'), { name, version: '1.0.0' });
    await run('npm', ['pack', `./${name}`], { cwd: root });
  }
  await writeJson(join(root, 'package.json'), {
    private: true,
    dependencies: { service: 'file:service-1.0.0.tgz' },
    devDependencies: { tools: 'file:tools-1.0.0.tgz' },
  });
  await run('npm', ['install', '--package-lock-only', '--offline'], { cwd: root });
  await mkdir(join(root, 'src', 'process'), { recursive: true });
  await cp(installer, join(root, 'src', 'process', 'install.mjs'));
  return root;
}

/** As bootstrap.mjs does: for a start, or for tests too. */
async function install(root: string, isForTests: boolean): Promise<void> {
  const words = `import('./src/process/install.mjs').then((m) => m.install(${isForTests}))`;
  await run(process.execPath, ['--eval', words], { cwd: root });
}

it('tools for tests are added without taking away what a running service stands on', async () => {
  const root = await makeProject();
  await install(root, false);
  const inUse = join(root, 'node_modules', 'service', 'in-use');
  await writeFile(inUse, 'a file that npm would remove with its folder');
  const lock = await readFile(join(root, 'package-lock.json'), 'utf8');

  await install(root, true);
  expect(await readFile(inUse, 'utf8')).toContain('npm');
  expect(await readFile(join(root, 'node_modules', 'tools', 'package.json'), 'utf8')).toContain(
    'tools',
  );
  expect(await readFile(join(root, 'package-lock.json'), 'utf8')).toBe(lock);
});
