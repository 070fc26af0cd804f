/** Proves an archive whole without a database: every file is there, once, and is what the manifest says. */
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { manifestName } from './writing.ts';

export interface ArchiveProblem {
  readonly path: string;
  readonly rule:
    | 'no_zip'
    | 'unreadable'
    | 'no_manifest'
    | 'manifest_unreadable'
    | 'missing'
    | 'unlisted'
    | 'twice'
    | 'altered'
    | 'too_large';
}

export interface ArchiveProof {
  readonly ok: boolean;
  readonly files: number;
  /** As they are unpacked. */
  readonly bytes: number;
  /** Hexadecimal; what the books' audit log says of the archive. Null without a manifest. */
  readonly manifestSha256: string | null;
  readonly problems: readonly ArchiveProblem[];
}

/** Of each file and of all: what no archive of ours comes near, and what a bomb is made to pass. */
const filesMax = 5_000_000;
const manifestBytesMax = 1024 ** 3;
/** Deflate packs a thousand to one at most, and text of books some twenty. */
const expansionMax = 200;
const smallBytes = 100 * 1024 ** 2;
const problemsMax = 1_000;

/** Throws what the file system says of a file that is not there or cannot be read. */
export async function verifyArchive(path: string): Promise<ArchiveProof> {
  const zip = await openPromise(path, { autoClose: false, strictFileNames: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.syscall !== undefined) throw error;
      return null;
    },
  );
  if (!zip) return noZip;
  try {
    return await new Proving(zip).prove();
  } finally {
    zip.close();
  }
}

const noZip: ArchiveProof = {
  ok: false,
  files: 0,
  bytes: 0,
  manifestSha256: null,
  problems: [{ path: '', rule: 'no_zip' }],
};

class Proving {
  readonly #zip: ZipFile;
  readonly #problems: ArchiveProblem[] = [];
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  constructor(zip: ZipFile) {
    this.#zip = zip;
  }

  async prove(): Promise<ArchiveProof> {
    const proof = await this.#proveAll().catch((): null => {
      this.#find('', 'unreadable');
      return null;
    });
    return {
      ok: this.#problems.length === 0,
      files: Math.max(0, this.#entries.size - (this.#entries.has(manifestName) ? 1 : 0)),
      bytes: this.#bytes,
      manifestSha256: proof,
      problems: this.#problems.slice(0, problemsMax),
    };
  }

  #find(path: string, rule: ArchiveProblem['rule']): void {
    this.#problems.push({ path, rule });
  }

  async #proveAll(): Promise<string | null> {
    if (!(await this.#listEntries())) return null;
    const manifest = this.#entries.get(manifestName);
    if (!manifest) {
      this.#find(manifestName, 'no_manifest');
      return null;
    }
    if (manifest.uncompressedSize > manifestBytesMax) {
      this.#find(manifestName, 'too_large');
      return null;
    }
    const hash = createHash('sha256');
    const listed = await this.#readManifest(manifest, hash);
    for (const [path, sha256] of listed) {
      const entry = this.#entries.get(path);
      if (!entry) this.#find(path, 'missing');
      else if ((await this.#hashOf(entry)) !== sha256) this.#find(path, 'altered');
      if (this.#problems.length >= problemsMax) break;
    }
    for (const path of this.#entries.keys()) {
      if (path !== manifestName && !listed.has(path)) this.#find(path, 'unlisted');
    }
    return hash.digest('hex');
  }

  /** False when it is not worth unpacking: a bomb, or what no archive is. */
  async #listEntries(): Promise<boolean> {
    let [packed, unpacked] = [0, 0];
    if (this.#zip.entryCount > filesMax) return this.#refuse();
    for await (const entry of this.#zip.eachEntry()) {
      const { fileName, compressedSize, uncompressedSize } = entry;
      if (this.#entries.has(fileName)) this.#find(fileName, 'twice');
      this.#entries.set(fileName, entry);
      packed += compressedSize;
      unpacked += uncompressedSize;
      // Parts that lie on each other are more together than the file they are in.
      if (packed > this.#zip.fileSize) return this.#refuse();
      if (unpacked > Math.max(smallBytes, expansionMax * this.#zip.fileSize)) return this.#refuse();
    }
    return true;
  }

  #refuse(): boolean {
    this.#find('', 'too_large');
    return false;
  }

  async #readManifest(entry: Entry, hash: ReturnType<typeof createHash>) {
    const listed = new Map<string, string>();
    let rest = '';
    const read = (line: string): void => {
      const [, sha256 = '', path = ''] = /^([0-9a-f]{64}) {2}(.{1,1000})$/u.exec(line) ?? [];
      if (path === '') this.#find(manifestName, 'manifest_unreadable');
      else if (listed.has(path)) this.#find(path, 'twice');
      else listed.set(path, sha256);
    };
    const decoder = new TextDecoder('utf-8');
    for await (const chunk of await this.#open(entry)) {
      hash.update(chunk);
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > lineMax || this.#problems.length > problemsMax) break;
      for (const line of lines) read(line);
    }
    if (rest !== '') this.#find(manifestName, 'manifest_unreadable');
    return listed;
  }

  /** Null when it cannot be unpacked, or is another size than it says. */
  async #hashOf(entry: Entry): Promise<string | null> {
    try {
      const hash = createHash('sha256');
      for await (const chunk of await this.#open(entry)) {
        hash.update(chunk);
        this.#bytes += chunk.length;
      }
      return hash.digest('hex');
    } catch {
      return null;
    }
  }

  async #open(entry: Entry): Promise<AsyncIterable<Buffer>> {
    return (await this.#zip.openReadStreamPromise(entry)) as Readable;
  }
}

const lineMax = 2_000;
