/**
 * The first step of every `npm` script: plain JavaScript that an old Node (20 or newer) can run before
 * anything is installed. It sees to it that the dependencies match package-lock.json and that Node 24
 * runs the rest, which is TypeScript without a build step.
 *
 *   node src/bootstrap.mjs <huvudbok arguments>
 *   node src/bootstrap.mjs --run <file.ts> [arguments]
 *
 * Everything it says goes to stderr: stdout belongs to the command (`--json`).
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { constants } from 'node:os';
import { delimiter, dirname, join, relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
const installed_list = join(modules, '.package-lock.json');
const runtime = join(root, '.runtime');
const node_version = '24.21.0';
const lock_wait_ms_max = 15 * 60_000;

/** The install lock, which npm inherits: should we be killed, it is held until npm too has ended. */
let lock_descriptor = 'ignore';

class Fault extends Error {}

/** Type stripping without a warning needs 24.12. */
function isNewEnough(version) {
  const [major, minor] = version.replace('v', '').split('.').map(Number);
  return major > 24 || (major === 24 && minor >= 12);
}

/** npm writes the list of what it installed last of all, so a list in step means a complete install. */
function isInstalled(needs_dev) {
  const wanted = readPackages(join(root, 'package-lock.json'));
  const present = readPackages(installed_list);
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '' || entry.optional || entry.devOptional || (entry.dev && !needs_dev))
      return true;
    return present[path]?.version === entry.version && present[path].integrity === entry.integrity;
  });
}

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages;
  } catch {
    return {};
  }
}

async function install(node, needs_dev) {
  // Somebody who has the tools for testing keeps them when a start brings dependencies up to date.
  const had_dev = Object.values(readPackages(installed_list)).some((entry) => entry.dev);
  say('Installerar det som saknas (npm ci) …');
  // npm empties the folder in no particular order: without the list, a kill half-way cannot look done.
  rmSync(installed_list, { force: true });
  const which = needs_dev || had_dev ? '--include=dev' : '--omit=dev';
  await npm(['ci', which, '--prefer-offline'], node);
  if (!isInstalled(needs_dev)) throw new Fault('npm ci blev klar, men node_modules stämmer inte.');
}

/** The path of a Node that can run the project: our own, or one from npm kept in .runtime. */
async function findNode() {
  if (isNewEnough(process.version)) return process.execPath;
  const name = `node-${process.platform}-${process.arch}`;
  const node = join(runtime, 'node_modules', name, 'bin', 'node');
  if (works(node)) return node;
  say(`Hämtar Node.js ${node_version} (datorn har ${process.version}) …`);
  mkdirSync(runtime, { recursive: true });
  await npm(
    ['install', '--no-save', '--prefix', runtime, `${name}@${node_version}`],
    process.execPath,
  );
  if (works(node)) return node;
  throw new Fault(`Node.js ${node_version} från npm går inte att köra här. Installera Node.js 24.`);
}

function works(node) {
  const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  return Boolean(stdout) && isNewEnough(stdout.trim());
}

/** npm scripts look in node_modules/.bin first, so from the next start on they find this Node directly. */
function linkNode(node) {
  const link = join(modules, '.bin', 'node');
  if (node === process.execPath || lstatSync(link, { throwIfNoEntry: false })) return;
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(relative(dirname(link), node), link);
}

/** Runs npm and the install scripts under the given Node, with their output on stderr. */
async function npm(args, node) {
  // npm's own patience is over a minute, which looks like hanging when the network is down.
  const patience = ['--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000'];
  const child = spawn('npm', [...args, '--no-audit', '--no-fund', ...patience], {
    cwd: root,
    env: { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` },
    stdio: ['ignore', 'pipe', 'pipe', lock_descriptor],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      process.stderr.write(chunk);
      output = (output + chunk).slice(-20_000);
    });
  }
  const [code] = await once(child, 'close').catch((error) => {
    if (error.code !== 'ENOENT') throw error;
    throw new Fault('npm saknas. Installera Node.js med npm (på Debian: apt install nodejs npm).');
  });
  if (code !== 0) throw new Fault(explain(args[0], code, output));
}

function explain(command, code, output) {
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ECONNRESET|ENETUNREACH/.test(output)) {
    return 'npm-registret nås inte. Kontrollera nätet och "npm config get registry", och starta igen.';
  }
  if (/E404|ETARGET|EBADPLATFORM/.test(output) && command === 'install') {
    const machine = `${process.platform}-${process.arch}`;
    return `Node.js 24 finns inte hos npm för ${machine}. Installera det (https://nodejs.org) och starta igen.`;
  }
  return `npm ${command} misslyckades (kod ${code}); orsaken står ovan.`;
}

/**
 * One installer at a time per checkout. A listening socket is a lock that the kernel itself lets go of when
 * the process dies, however it dies. Abstract names (Linux) leave no file behind.
 */
async function withInstallLock(work) {
  const name = `huvudbok-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`;
  const path = { linux: `\0${name}`, win32: `\\\\.\\pipe\\${name}` }[process.platform];
  if (!path) return work();
  const deadline = Date.now() + lock_wait_ms_max;
  for (let waiting = false; ; waiting = true) {
    const lock = createServer();
    const refused = await once(lock.listen(path), 'listening').catch((error) => error.code);
    // Only "taken" is worth waiting for; where such names are not allowed we go without.
    if (refused !== 'EADDRINUSE') {
      lock_descriptor = lock._handle?.fd ?? 'ignore';
      try {
        return await work();
      } finally {
        lock.close();
      }
    }
    if (!waiting) say('En annan start installerar redan; väntar på den …');
    if (Date.now() > deadline) throw new Fault('Den andra installationen blir aldrig klar.');
    await sleep(300);
  }
}

/** Becomes the target when we are new enough; otherwise stands between it and the terminal. */
async function handOver(node, target, args) {
  if (node === process.execPath) {
    process.argv = [process.argv[0], target, ...args];
    await import(pathToFileURL(target).href);
    return;
  }
  const child = spawn(node, [target, ...args], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => child.kill(signal));
  child.once('error', (error) => fail(error));
  child.once('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

function say(line) {
  process.stderr.write(`${line}\n`);
}

function fail(error) {
  say(error instanceof Fault ? `Fel: ${error.message}` : String(error?.stack ?? error));
  process.exit(1);
}

async function prepare(needs_dev) {
  const node = await findNode();
  if (!isInstalled(needs_dev)) await install(node, needs_dev);
  linkNode(node);
  return node;
}

const [first, ...rest] = process.argv.slice(2);
const is_script = first === '--run';
const target = is_script ? resolve(root, rest[0] ?? '') : join(root, 'src', 'huvudbok.ts');
const args = is_script ? rest.slice(1) : process.argv.slice(2);
try {
  const is_ready = isNewEnough(process.version) && isInstalled(is_script);
  const node = is_ready ? process.execPath : await withInstallLock(() => prepare(is_script));
  await handOver(node, target, args);
} catch (error) {
  fail(error);
}
