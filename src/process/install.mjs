/**
 * Installs with npm, for bootstrap.mjs and under the same conditions: any Node from 20 on, and nothing yet
 * in node_modules.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const modules = join(root, 'node_modules');

/** npm packs no package-lock.json: where there is none, npm has put the package there with what it depends on. */
export const isPackage = !existsSync(join(root, 'package-lock.json'));
/** What a checkout has within itself, a package keeps with its user: npm replaces its folder at each upgrade. */
export const runtime = isPackage
  ? join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'huvudbok')
  : join(root, '.runtime');
const installed_list = join(modules, '.package-lock.json');
const lock_wait_ms_max = 15 * 60_000;

/** The install lock, which npm inherits: should we be killed, it is held until npm too has ended. */
let lock_descriptor = 'ignore';

/** Something for the person at the keyboard to put right, said in Swedish. */
export class InstallFault extends Error {}

export function say(line) {
  process.stderr.write(`${line}\n`);
}

/** npm writes the list of what it installed last of all, so a list in step means a complete install. */
export function isInstalled(needs_dev) {
  if (isPackage) return true;
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

export async function install(needs_dev) {
  if (needs_dev && isInstalled(false)) {
    // Perhaps a service runs out of this folder, with its PostgreSQL: `npm ci` would take it away beneath them.
    say('Installerar verktygen för test (npm install) …');
    await npm(['install', '--no-save', '--include=dev', '--prefer-offline']);
    // It takes what the lock file says as long as package.json agrees; where it does not, npm ci says so.
    if (isInstalled(needs_dev)) return;
  }
  // Somebody who has the tools for testing keeps them when a start brings dependencies up to date.
  const had_dev = Object.values(readPackages(installed_list)).some((entry) => entry.dev);
  say('Installerar det som saknas (npm ci) …');
  // npm empties the folder in no particular order: without the list, a kill half-way cannot look done.
  rmSync(installed_list, { force: true });
  const which = needs_dev || had_dev ? '--include=dev' : '--omit=dev';
  await npm(['ci', which, '--prefer-offline']);
  if (!isInstalled(needs_dev))
    throw new InstallFault('npm ci blev klar, men node_modules stämmer inte.');
}

/** Runs npm with its output on stderr. */
export async function npm(args) {
  const options = [
    '--no-audit',
    '--no-fund',
    '--loglevel=error', // Warnings would be about this Node, which is not the one that will run.
    '--fetch-retry-mintimeout=1000', // npm's own patience is over a minute, as if it hung.
    '--fetch-retry-maxtimeout=5000',
  ];
  const child = spawn('npm', [...args, ...options], {
    cwd: root,
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
    throw new InstallFault(
      'npm saknas. Installera Node.js med npm (på Debian: apt install nodejs npm).',
    );
  });
  if (code !== 0) throw new InstallFault(explain(args[0], code, output));
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
export async function withInstallLock(work) {
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
    if (Date.now() > deadline) throw new InstallFault('Den andra installationen blir aldrig klar.');
    await sleep(300);
  }
}
