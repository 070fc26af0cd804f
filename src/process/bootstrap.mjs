#!/usr/bin/env node
/**
 * The first step of every `npm` script, and the command of the package: plain JavaScript that an old Node (20 or
 * newer) can run before anything is installed. It sees to it that the dependencies match package-lock.json and that
 * Node 24 runs the rest: the program compiled once (compile.mjs), or as it is written.
 *
 *   node src/process/bootstrap.mjs <huvudbok arguments>
 *   node src/process/bootstrap.mjs --run <file.ts> [arguments]
 *   node src/process/bootstrap.mjs --compile
 *
 * Everything it says goes to stderr: stdout belongs to the command (`--json`).
 */
import { spawn, spawnSync } from 'node:child_process';
import { lstatSync, mkdirSync, symlinkSync } from 'node:fs';
import nodeModule from 'node:module';
import { constants } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compileProgram, entryOf, findCompiled } from './compile.mjs';
import {
  InstallFault,
  install,
  isInstalled,
  isPackage,
  modules,
  npm,
  root,
  runtime,
  say,
  withInstallLock,
} from './install.mjs';

const node_version = '24.21.0';

// What is said on the way may get lost, as where it is written to a full disk; what is done is done.
process.stderr.on('error', () => undefined);

/** Type stripping without a warning needs 24.12. */
function isNewEnough(version) {
  const [major, minor] = version.replace('v', '').split('.').map(Number);
  return major > 24 || (major === 24 && minor >= 12);
}

/** The path of a Node that can run the project: our own, or one from npm kept in .runtime. */
async function findNode() {
  if (isNewEnough(process.version)) return process.execPath;
  const name = `node-${process.platform}-${process.arch}`;
  const node = join(runtime, 'node_modules', name, 'bin', 'node');
  if (works(node)) return node;
  say(`Hämtar Node.js ${node_version} (datorn har ${process.version}) …`);
  mkdirSync(runtime, { recursive: true });
  await npm(['install', '--no-save', '--prefix', runtime, `${name}@${node_version}`]);
  if (works(node)) return node;
  throw new InstallFault(
    'Node.js från npm går inte att köra här. Installera Node.js 24 eller nyare.',
  );
}

function works(node) {
  const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  return Boolean(stdout) && isNewEnough(stdout.trim());
}

/** npm scripts look in node_modules/.bin first, so from the next start on they find this Node directly. */
function linkNode(node) {
  const link = join(modules, '.bin', 'node');
  if (isPackage || !node.startsWith(runtime) || lstatSync(link, { throwIfNoEntry: false })) return;
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(relative(dirname(link), node), link);
}

/** What the engine makes of the code is kept between starts, for us and by inheritance for every child. */
function keepCompiledCode(folder) {
  process.env.NODE_COMPILE_CACHE ??= join(folder ?? runtime, 'compile-cache');
  nodeModule.enableCompileCache?.(process.env.NODE_COMPILE_CACHE);
}

/** Becomes the target when we are new enough; otherwise stands between it and the terminal. */
async function handOver(node, target, args) {
  if (node === process.execPath) {
    process.argv = [process.argv[0], target, ...args];
    await import(pathToFileURL(target).href);
    return;
  }
  const child = spawn(node, [target, ...args], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => child.kill(signal));
  }
  child.once('error', (error) => fail(error));
  child.once('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

/** npm killed with kill -9 can pass nothing on; what it started is then to stop as if asked. */
function stopWithNpm() {
  if (!process.env.npm_lifecycle_event) return;
  const npm_pid = process.ppid;
  const watch = () => process.ppid === npm_pid || process.kill(process.pid, 'SIGTERM');
  setInterval(watch, 500).unref();
}

function fail(error) {
  say(error instanceof InstallFault ? `Fel: ${error.message}` : String(error?.stack ?? error));
  process.exit(1);
}

async function prepare(needs_dev) {
  // Side by side: on a fresh machine each takes some ten seconds.
  const [node] = await Promise.all([findNode(), isInstalled(needs_dev) || install(needs_dev)]);
  linkNode(node);
  return node;
}

const [first, ...rest] = process.argv.slice(2);
const is_script = first === '--run';
const is_compiling = first === '--compile';
try {
  const is_ready = isNewEnough(process.version) && isInstalled(is_script);
  const node = is_ready ? process.execPath : await withInstallLock(() => prepare(is_script));
  stopWithNpm();
  if (is_script) {
    keepCompiledCode();
    await handOver(node, resolve(root, rest[0] ?? ''), rest.slice(1));
  } else {
    const is_long = is_compiling || first === 'start';
    const compiled = is_long ? compileProgram(node) : findCompiled();
    keepCompiledCode(compiled);
    if (!is_compiling) await handOver(node, entryOf(compiled), process.argv.slice(2));
  }
} catch (error) {
  fail(error);
}
