/**
 * The embedded cluster on disk: `DATA_DIR/postgresql` holds the cluster, its passwords and its port.
 * As root in a folder PostgreSQL's user cannot enter, it is a link into /var/lib/huvudbok.
 */
import { chmod, lstat, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '#src/lib/folders.ts';
import { OperatorError } from '#src/lib/operator-error.ts';
import { wayBack } from '../faults.ts';
import { createCluster, removeUnfinished, type Secrets } from './create-cluster.ts';
import { readKnown } from './known.ts';
import { findAccount, findPrograms, giveTree, type Programs, type SystemUser } from './programs.ts';
import { hasWorkshop } from './workshop-names.ts';

/** What is needed to talk to a server that may already be running. */
export interface ClusterPlace {
  readonly dataDir: string;
  /** `DATA_DIR/postgresql`, links followed. */
  readonly home: string;
  /** PostgreSQL's own data directory. */
  readonly directory: string;
  readonly secrets: Secrets;
}

export interface Cluster extends ClusterPlace {
  readonly account: SystemUser | undefined;
  readonly programs: Programs;
  readonly durable: boolean;
}

export interface ClusterOptions {
  readonly dataDir: string;
  readonly durable: boolean;
  readonly mayCreate: boolean;
  readonly log: (line: string) => void;
}

/** Where there are no books: none are begun in place of those that are being restored, nor by a mere command. */
async function refuseToBegin(dataDir: string, mayCreate: boolean): Promise<void> {
  if (await hasWorkshop(dataDir)) {
    throw new OperatorError(
      `En återställning till ${dataDir} pågår eller blev avbruten, och där finns inga böcker än. Blev den avbruten: kör huvudbok restore igen, eller ange en annan mapp med DATA_DIR.`,
    );
  }
  if (!mayCreate) {
    throw new OperatorError(
      `Det finns inga böcker i ${dataDir}: ange rätt mapp med DATA_DIR (eller en databas med DATABASE_URL), återställ en säkerhetskopia med huvudbok restore, eller börja med huvudbok start.`,
    );
  }
}

/** Opens the cluster of a DATA_DIR, creating both on the first start. */
export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  const { dataDir, durable, mayCreate, log } = options;
  if (!(await findPlace(dataDir))) await refuseToBegin(dataDir, mayCreate);
  const asRoot = process.getuid?.() === 0;
  const created = await makeFolder(dataDir);
  // Root's umask must not shut PostgreSQL's user out of a folder we made ourselves.
  if (created) await chmod(dataDir, asRoot ? 0o711 : 0o700);

  let place = await findPlace(dataDir);
  const account = await ownerOf(place);
  const known = place && (await readKnown(place.home));
  const programs = await findPrograms(account, known?.programs);
  if (!place) {
    log('Skapar databasen första gången.');
    await createCluster(await realpath(dataDir), { account, programs, durable });
    place = await findPlace(dataDir);
    if (!place) throw new OperatorError(`Databasen i ${dataDir} försvann medan den skapades.`);
  }
  if (!place.home.startsWith(place.dataDir)) {
    log(
      `${place.dataDir} nås bara av root, så databasen ligger i ${place.home} ` +
        `(länken ${join(place.dataDir, 'postgresql')}). Ta med den i säkerhetskopian.`,
    );
    await requireOwnLink(place);
  }
  await removeUnfinished(dirname(place.home));
  await checkVersion(place, programs);
  // A backup restored by root belongs to root, and PostgreSQL then refuses it.
  const { uid, mode } = await stat(place.directory);
  if (account && uid === 0) await giveTree(place.directory, account);
  // Nor one that a copy has left open to others.
  if (mode & 0o027) await chmod(place.directory, 0o700);
  return { ...place, account, programs, durable };
}

/**
 * Whoever copies a DATA_DIR with a link in it has copied no books: what is written in the copy, as a trial, would be in
 * the original's. Which DATA_DIR the database belongs to is noted beside it; one that was moved takes the note over.
 */
async function requireOwnLink({ dataDir, home }: ClusterPlace): Promise<void> {
  const note = join(home, 'data-dir');
  const owner = await readFile(note, 'utf8').catch(() => '');
  if (owner === dataDir) return;
  const link = join(dataDir, 'postgresql');
  if (owner !== '' && (await realpath(join(owner, 'postgresql')).catch(() => '')) === home) {
    throw new OperatorError(
      `${link} är en länk till databasen i ${owner}, så det som görs här skulle hamna i de böckerna. ` +
        `Ska ${dataDir} vara en kopia: stoppa Huvudbok där, och kör cp -a ${home} ${home}-kopia && ln -sfn ${home}-kopia ${link}. ` +
        `Används ${owner} inte längre: ta bort länken ${join(owner, 'postgresql')}.`,
    );
  }
  // A disk that is full stops no start; the next notes it.
  await writeFile(note, dataDir, { mode: 0o600 }).catch(() => undefined);
}

/** The existing cluster of a DATA_DIR, or `undefined` when there is none yet. */
export async function findPlace(dataDir: string): Promise<ClusterPlace | undefined> {
  const link = join(dataDir, 'postgresql');
  if (!(await exists(link))) return undefined;
  try {
    const home = await realpath(link);
    const secrets = JSON.parse(await readFile(join(home, 'secrets.json'), 'utf8')) as Secrets;
    return { dataDir: await realpath(dataDir), home, directory: join(home, 'cluster'), secrets };
  } catch (cause) {
    throw new OperatorError(
      `Databasen i ${link} går inte att läsa (${(cause as Error).message}). Kör som samma användare ` +
        `som första gången, eller ${wayBack}.`,
      { cause },
    );
  }
}

/** A folder that may not be looked into is no empty one. */
async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
}

/** A cluster keeps its user: installing a `postgres` user later must not orphan the files. */
async function ownerOf(place: ClusterPlace | undefined): Promise<SystemUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  // One that is not there is told of below.
  const owner = place && (await stat(place.directory).catch(() => undefined));
  return owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : findAccount();
}

async function checkVersion(place: ClusterPlace, programs: Programs): Promise<void> {
  const path = join(place.directory, 'PG_VERSION');
  const found = await readFile(path, 'utf8').then(
    (text) => text.trim(),
    (error) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    },
  );
  if (Number(found) === programs.major) return;
  if (found === '') {
    throw new OperatorError(
      `Databasen i ${place.dataDir} är inte hel (${path} saknas eller är tom): ${wayBack}.`,
    );
  }
  throw new OperatorError(
    `Databasen i ${place.dataDir} skapades av PostgreSQL ${found}, men den här versionen av Huvudbok ` +
      `har PostgreSQL ${programs.major}. Använd den Huvudbok som skapade den, eller flytta över den (docs/operating.md).`,
  );
}
