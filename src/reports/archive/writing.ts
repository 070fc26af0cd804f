/** A ZIP file written while its parts are made, with the SHA-256 of each in its last part. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

export interface ArchiveEntry {
  /** Of parts with `/` between: `sie/5567026934-2026.se`. */
  readonly path: string;
  readonly content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** False for what is packed already: PDF and pictures. */
  readonly isTight?: boolean;
}

/** As `sha256sum -c` reads it, so that the archive can be proved without this program too. */
export const manifestName = 'MANIFEST.sha256';

export interface ArchiveReport {
  /** The manifest itself is not counted. */
  readonly files: number;
  /** Before they were packed. */
  readonly bytes: number;
  /** Hexadecimal: of the manifest, and so of all of the archive. */
  readonly manifestSha256: string;
}

export interface ArchiveWriting {
  readonly content: Readable;
  /** When all of it has been read. */
  readonly report: Promise<ArchiveReport>;
}

export interface ArchiveEnding {
  /** Told before the last byte leaves. */
  readonly finish: (report: ArchiveReport) => Promise<void>;
  /** Told why there is no more to come, before whoever reads is; a `NotTaken` when they left themselves. */
  readonly breakOff: (error: unknown) => Promise<void>;
}

/** Nobody reads the archive any more. */
export class NotTaken extends Error {}

const nobodyTold: ArchiveEnding = {
  finish: async () => undefined,
  breakOff: async () => undefined,
};

/**
 * Each part is made when the one before it has been taken, so that memory holds one at a time, and a line of
 * the manifest for each. ZIP64 where needed.
 */
export function writeArchive(
  entries: AsyncIterable<ArchiveEntry>,
  madeAt: Date,
  { finish, breakOff }: ArchiveEnding = nobodyTold,
): ArchiveWriting {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const adding = new AbortController();
  output.once('close', () => adding.abort(new NotTaken('nobody reads the archive any more')));

  async function add({ path, content, isTight = false }: ArchiveEntry): Promise<Line> {
    const hash = createHash('sha256');
    let size = 0;
    const counted = async function* () {
      for await (const chunk of content) {
        hash.update(chunk);
        size += chunk.length;
        yield chunk;
      }
    };
    const source = Readable.from(counted(), { objectMode: false, signal: adding.signal });
    const options = { mtime: madeAt, compress: !isTight, mode: 0o100644 };
    zip.addReadStreamLazy(path, options, givenOnce(source));
    await finished(source, { writable: false });
    return { path, size, sha256: hash.digest('hex') };
  }

  async function addAll(): Promise<ArchiveReport> {
    const lines: Line[] = [];
    for await (const entry of entries) lines.push(await add(entry));
    const manifest = await add({ path: manifestName, content: linesOf(lines) });
    const report = {
      files: lines.length,
      bytes: lines.reduce((sum, { size }) => sum + size, 0),
      manifestSha256: manifest.sha256,
    };
    await finish(report);
    zip.end();
    return report;
  }

  const report = addAll();
  // Whoever reads is told by the stream, and whoever waits for the report by that.
  report.catch(async (error) => {
    await breakOff(adding.signal.aborted ? adding.signal.reason : error);
    output.destroy(error);
  });
  return { content: output, report };
}

/**
 * yazl keeps what hands it a file's content until the archive is written: all of the archive would be held in
 * memory, were the content not let go of when it is handed over.
 */
function givenOnce(source: Readable): (take: (error: unknown, source: Readable) => void) => void {
  const held = [source];
  return (take) => {
    for (const one of held.splice(0)) take(null, one);
  };
}

interface Line {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

function* linesOf(lines: readonly Line[]): Generator<Uint8Array> {
  for (const { path, sha256 } of lines) yield Buffer.from(`${sha256}  ${path}\n`);
}
