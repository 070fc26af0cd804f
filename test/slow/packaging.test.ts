/** What `npm pack` makes, laid where npm lays packages, and used from a folder that has nothing else in it. */
import { execFile } from 'node:child_process';
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Running } from '../process/running.ts';
import { heicOf } from '../support/heic.ts';
import { freePort } from '../support/port.ts';
import { compiled } from '../support/program.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');
const modules = join(root, 'node_modules');

let home: string;
/** The folder of somebody who ran `npm install huvudbok`. */
let user: string;
let installed: string;

/** All files below it but what it stands on, which the tests link to. */
async function listFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Packs a copy, since the JavaScript that packing writes would be seen by whatever reads the sources meanwhile. */
async function pack(): Promise<string> {
  const copy = join(home, 'checkout');
  const { files } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    files: readonly string[];
  };
  const folders = files.filter((name) => !/[!.]/.test(name));
  const single = ['package.json', 'package-lock.json', 'CHANGELOG.md', 'README.md', 'LICENSE'];
  for (const name of [...folders, 'deploy/package', ...single]) {
    await cp(join(root, name), join(copy, name), { recursive: true });
  }
  await symlink(modules, join(copy, 'node_modules'));
  await run('npm', ['pack', '--silent', '--pack-destination', home], { cwd: copy });
  expect(await listFiles(join(copy, 'src'))).not.toContainEqual(expect.stringMatching(/\.js$/));
  const [archive] = (await readdir(home)).filter((name) => name.endsWith('.tgz'));
  return join(home, archive ?? '');
}

/** As npm does, but with what the checkout has already installed: nothing is fetched. */
async function install(archive: string): Promise<void> {
  const target = join(user, 'node_modules');
  await mkdir(join(target, '.bin'), { recursive: true });
  for (const name of await readdir(modules)) {
    if (name.startsWith('.')) continue;
    // The process that decodes pictures may read these two, and no link that leads to them.
    if (['jpeg-js', 'libheif-js'].includes(name)) {
      await cp(join(modules, name), join(target, name), { recursive: true });
    } else await symlink(join(modules, name), join(target, name));
  }
  await run('tar', ['xzf', archive, '-C', home]);
  await cp(join(home, 'package'), installed, { recursive: true });
  await symlink('../huvudbok/src/process/bootstrap.mjs', join(target, '.bin', 'huvudbok'));
}

/** The Node that the machine has beside ours, where it has an older one. */
async function findOldNode(): Promise<string | undefined> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const node = join(folder, 'node');
    const said = await run(node, ['--version']).catch(() => undefined);
    if (/^v2[0-3]\./.test(said?.stdout ?? '')) return node;
  }
  return undefined;
}

/** Under `npx` too it is our own Node that runs the package, and none that would fetch another first. */
const path = [dirname(process.execPath), process.env['PATH']].join(delimiter);

const command = () => join(installed, 'src', 'process', 'bootstrap.mjs');
const inUsersFolder = () => ({
  cwd: user,
  // Of what the tests' runner sets, BASE_URL would be read as the installation's.
  env: { PATH: path, HOME: home, ...compiled, XDG_CACHE_HOME: join(home, 'cache') },
});

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'huvudbok-package-'));
  // The database's own user is to reach its folder, where the tests are root.
  await chmod(home, 0o755);
  user = join(home, 'user');
  installed = join(user, 'node_modules', 'huvudbok');
  await install(await pack());
});
afterAll(() => rm(home, { recursive: true, force: true }));

it('holds JavaScript for every file of TypeScript, what was tested with, and nothing of ours else', async () => {
  const files = (await listFiles(installed)).map((file) => file.slice(installed.length + 1));
  const sources = (await listFiles(join(root, 'src'))).filter((file) => file.endsWith('.ts'));
  const expected = sources.map((file) => file.slice(root.length + 1).replace(/\.ts$/, '.js'));
  expect(files).toEqual(expect.arrayContaining([...expected, 'npm-shrinkwrap.json', 'LICENSE']));
  expect(files.filter((file) => /\.ts$|^(test|bench|soak|data|\.)/.test(file))).toEqual([]);
});

it('npx runs it from any folder, and the books lie there and not in the package', async () => {
  const before = await listFiles(installed);
  const said = await run('npx', ['--no', 'huvudbok', '--', 'setup', '--help'], inUsersFolder());
  expect(said.stdout).toContain('--company');

  const { env, cwd } = inUsersFolder();
  const service = new Running(
    command(),
    ['start'],
    { ...env, PORT: String(await freePort()), LOG_LEVEL: 'info' },
    'pipe',
    cwd,
  );
  const [, address] = await service.says(/svarar på (http:\S+?)"/);
  await service.says(/npx huvudbok setup/);
  // Compiled, where its user may write.
  expect(await readdir(join(home, 'cache', 'huvudbok', 'program'))).toHaveLength(1);
  expect((await fetch(`${address}/readyz`)).status).toBe(200);
  expect(await (await fetch(`${address}/`)).text()).toContain('npx huvudbok first-visit');
  await service.kill('SIGTERM');
  expect(await readdir(join(user, 'data'))).toContain('postgresql');
  expect(await listFiles(installed)).toEqual(before);
});

it('decodes pictures though what decodes them lies beside it', async () => {
  const picture = join(home, 'picture.heic');
  await writeFile(picture, heicOf());
  const words = `const { jpegOfHeic } = await import(${JSON.stringify(join(installed, 'src/render/heic.js'))});
    const { readFileSync } = await import('node:fs');
    console.log((await jpegOfHeic(readFileSync(${JSON.stringify(picture)})))?.length);`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', words]);
  expect(Number(stdout)).toBeGreaterThan(100);
});

it('begins under an older Node, and goes on under the one it has fetched', async ({ skip }) => {
  const old = await findOldNode();
  if (old === undefined) return skip('the machine has no Node 20 to 23');
  // As if it had been fetched: npm lays it there.
  const bin = join(
    home,
    'cache/huvudbok/node_modules',
    `node-${process.platform}-${process.arch}`,
    'bin',
  );
  await mkdir(bin, { recursive: true });
  await symlink(process.execPath, join(bin, 'node'));
  const { stdout } = await run(old, [command(), '--version'], inUsersFolder());
  expect(stdout.trim()).toMatch(/^\d+\.\d+\.\d+$/);
});

interface LockFile {
  readonly packages: Record<string, { optionalDependencies?: Record<string, string> }>;
}

it('the lock file names every optional package: npm ci refuses one that does not', async () => {
  const path = join(root, 'package-lock.json');
  const { packages } = JSON.parse(await readFile(path, 'utf8')) as LockFile;
  const names = Object.keys(packages);
  const missing = Object.values(packages)
    .flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies))
    .filter((name) => !names.some((path) => path.endsWith(`node_modules/${name}`)));
  expect(missing).toEqual([]);
});
