/**
 * The first start. The cluster is made under another name, complete with role and database, and appears
 * in one rename: a first start that was interrupted leaves rubbish beside it, never half a database.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmod,
  chown,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '#src/lib/operator-error.ts';
import { isAbandoned, processMark } from '#src/lib/process-mark.ts';
import { noRoom } from '../faults.ts';
import {
  asAccount,
  canEnter,
  makeSharedHome,
  type Programs,
  type SystemUser,
  sharedHome,
} from './programs.ts';

/** What the superuser takes away in the installation's database. */
export const superuserSql = new URL('../../../migrations/superuser.sql', import.meta.url);

export interface Secrets {
  /** Password of `postgres`, the superuser: only for starting, stopping and tests. */
  readonly superuser: string;
  /** Password of `hb_owner`, who owns the database and runs migrations. */
  readonly owner: string;
}

export interface Creation {
  readonly account: SystemUser | undefined;
  readonly programs: Programs;
  readonly durable: boolean;
}

/** Makes `dataDir/postgresql`, or leaves alone one that another process made meanwhile. */
export async function createCluster(dataDir: string, creation: Creation): Promise<void> {
  const { account } = creation;
  const link = join(dataDir, 'postgresql');
  const linked = account !== undefined && !(await canEnter(dataDir, account));
  if (linked) await makeSharedHome();
  const base = linked ? sharedHome : dataDir;

  const unfinished = await mkdtemp(join(base, `unfinished-${processMark}-`));
  try {
    await chmod(unfinished, account ? 0o711 : 0o700);
    await initialise(unfinished, creation);
    if (linked) {
      const home = join(sharedHome, randomBytes(6).toString('hex'));
      await rename(unfinished, home);
      await symlink(home, link).catch(async (error) => {
        await rm(home, { recursive: true });
        throw error;
      });
    } else {
      await rename(unfinished, link);
    }
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // Another process created it at the same moment: theirs is complete, and the only one.
    if (!(await lstat(link).catch(() => undefined))) throw error;
  }
}

const unfinishedForm = /^unfinished-([0-9a-f]{12}-\d{1,10}-\d{1,20})-/;

/**
 * What first starts that were killed left behind; one that is still alive keeps its folder. An orphaned
 * initdb may be writing there yet: then the next start takes the rest.
 */
export async function removeUnfinished(base: string): Promise<void> {
  for (const name of await readdir(base)) {
    const mark = unfinishedForm.exec(name)?.[1];
    const path = join(base, name);
    if (mark && (await isAbandoned(path, mark))) {
      await rm(path, { recursive: true, force: true }).catch(() => {});
    }
  }
}

async function initialise(home: string, { account, programs, durable }: Creation): Promise<void> {
  const secrets: Secrets = { superuser: newPassword(), owner: newPassword() };
  const directory = join(home, 'cluster');
  const passwordFile = join(home, 'password');
  await mkdir(directory, { mode: 0o700 });
  await writeFile(passwordFile, secrets.superuser, { mode: 0o600 });
  if (account) {
    await chown(directory, account.uid, account.gid);
    await chown(passwordFile, account.uid, account.gid);
  }
  // Builtin C.UTF-8 sorts the same on every machine: an index survives a move to another libc.
  const initdb = ['--username=postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
  initdb.push('--encoding=UTF8', '--locale=C', '--locale-provider=builtin');
  initdb.push('--builtin-locale=C.UTF-8', '--data-checksums', ...(durable ? [] : ['--no-sync']));
  await feed(join(programs.bin, 'initdb'), [...initdb, `--pgdata=${directory}`], '', account);
  await rm(passwordFile);

  // Single-user mode makes role and database part of the same all-or-nothing step.
  const sql = [
    `create role hb_owner login createrole password '${secrets.owner}';`,
    // A role it creates is one it may also act as, which PostgreSQL 15 gave without asking.
    `alter role hb_owner set createrole_self_grant = 'set, inherit';`,
    'create database huvudbok owner hb_owner;',
    // Nobody but the superuser has anything to do in the server's own databases.
    'revoke all on database postgres, template1 from public;',
  ].join('\n');
  const single = ['--single', '-D', directory, '-c', 'exit_on_error=on'];
  await feed(join(programs.bin, 'postgres'), [...single, 'postgres'], `${sql}\n`, account);
  const restrictions = await readFile(superuserSql, 'utf8');
  await feed(join(programs.bin, 'postgres'), [...single, '-j', 'huvudbok'], restrictions, account);
  await writeFile(join(home, 'secrets.json'), JSON.stringify(secrets), { mode: 0o600 });
}

function newPassword(): string {
  return randomBytes(32).toString('base64url');
}

async function feed(
  program: string,
  args: string[],
  input: string,
  account: SystemUser | undefined,
): Promise<void> {
  const child = spawn(program, args, asAccount(account));
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  child.stdin.on('error', () => {}); // It may have given up before reading; the exit code tells.
  child.stdin.end(input);
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code === 0) return;
  if (noRoom.test(output)) {
    throw new OperatorError(
      'Disken är full där databasen skulle skapas, som behöver minst 100 MB: frigör plats, eller ange en annan mapp med DATA_DIR.',
      { cause: new Error(output) },
    );
  }
  throw new OperatorError(`Databasen kunde inte skapas:\n${output.trim().slice(-2000)}`);
}
