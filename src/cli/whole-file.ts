/** A file that is there when it is whole: half a file looks like one. */
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { realpath, rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { OperatorError } from '../lib/operator-error.ts';

export async function writeWhole(
  content: AsyncIterable<Uint8Array> | Readable,
  path: string,
): Promise<void> {
  try {
    await (await toItsPlace(path))(Readable.from(content));
  } catch (cause) {
    const { code = '', syscall } = cause as NodeJS.ErrnoException;
    if (syscall === undefined) throw cause;
    throw new OperatorError(`Filen ${path} ${reasons[code] ?? `kan inte skrivas (${code}).`}`, {
      cause,
    });
  }
}

/** The same of what is in memory. */
export const writeBytes = (bytes: string | Uint8Array, path: string): Promise<void> =>
  writeWhole(Readable.from([Buffer.from(bytes)]), path);

/** Why it is not there, and the way out. Whoever meets one of these has written nothing. */
const full = 'är inte skriven, för disken är full: frigör plats, eller ange en annan mapp.';
const shut = 'får inte skrivas: ange en mapp som du får skriva i.';
const reasons: Readonly<Record<string, string>> = {
  ENOSPC: full,
  EDQUOT: full,
  EROFS: 'kan inte skrivas, för dess disk går bara att läsa: ange en annan mapp.',
  EACCES: shut,
  EPERM: shut,
  ENOENT: 'kan inte skrivas, för dess mapp finns inte: skapa den, eller ange en annan.',
  ENOTDIR: 'kan inte skrivas, för det som står före namnet är ingen mapp.',
  ENAMETOOLONG: 'har ett för långt namn: ange ett kortare.',
};

type Write = (content: Readable) => Promise<void>;

/**
 * Nothing takes the place of a device (`/dev/null`) or a pipe that somebody reads (`>(gpg …)`): what is written goes
 * through it. A link goes on leading to its file.
 */
async function toItsPlace(path: string): Promise<Write> {
  const there = await stat(path).catch(() => undefined);
  if (there?.isDirectory()) throw new OperatorError(`${path} är en mapp: ange också ett filnamn.`);
  if (there && !there.isFile()) {
    return (content) => pipeline(content, createWriteStream(path));
  }
  const place = there ? await realpath(path) : path;
  const unfinished = `${place}.${randomBytes(4).toString('hex')}`;
  return async (content) => {
    try {
      // On the disk before it has its name: a power cut would leave the name and no bytes.
      await pipeline(content, createWriteStream(unfinished, { flags: 'wx', flush: true }));
      await rename(unfinished, place);
    } catch (cause) {
      await rm(unfinished, { force: true }).catch(() => undefined);
      throw cause;
    }
  };
}
