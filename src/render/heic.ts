/**
 * A JPEG of a picture in HEIC, which few browsers show. The decoder reads what anybody may have sent, so it works in
 * a process of its own that knows nothing of the installation and is bounded in memory, pixels and time: what it
 * cannot do costs one picture its preview and nobody anything else. docs/decisions/0013-heic.md.
 */
import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageFile } from '../lib/package-file.ts';

export interface PictureLimits {
  /** Of the picture as it is shown; telephones take 12, 24 or 48 million. */
  readonly pixelsMax: number;
  /** The longest side of the JPEG, in pixels. */
  readonly sideMax: number;
  /** Of the decoder's own memory, in which all of the picture lies. 48 million pixels take 370 MB (measured). */
  readonly mibMax: number;
  /** Of processor time, in seconds; held by the system, also when nobody waits any more. */
  readonly secondsMax: number;
  /** For one picture, whatever it does. */
  readonly timeoutMs: number;
}

const usual: PictureLimits = {
  pixelsMax: 50_000_000,
  sideMax: 2_000,
  mibMax: 512,
  secondsMax: 30,
  timeoutMs: 60_000,
};
/** Of JavaScript's own, beside the decoder's: the small picture and its JPEG. */
const heapMib = 192;
const pagesPerMib = 16;
const jpegBytesMax = 10 * 1024 * 1024;

const childFile = new URL('./heic-child.ts', import.meta.url).href;
const root = folderOf(new URL('../../package.json', import.meta.url).href);
/** Processor time is bounded by the system itself, which says so by a signal of its own, and others come first. */
const bounded = 'ulimit -c 0; ulimit -S -t "$1"; shift; exec nice -n 10 "$@"';
/** Sent by somebody else, as with Ctrl-C or when the machine is out of memory: they tell nothing of the picture. */
const fromOutside: ReadonlySet<string> = new Set(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP']);

interface End {
  readonly code: number | null;
  readonly signal: string | null;
}

/** Undefined of what is no picture that can be shown within the limits; throws when it could not be tried to the end. */
export async function jpegOfHeic(
  bytes: Buffer,
  limits: Partial<PictureLimits> = {},
): Promise<Buffer | undefined> {
  const { pixelsMax, sideMax, mibMax, secondsMax, timeoutMs } = { ...usual, ...limits };
  const node = [
    process.execPath,
    `--wasm-max-mem-pages=${mibMax * pagesPerMib}`,
    `--max-old-space-size=${heapMib}`,
    '--permission',
    ...listReadable().map((path) => `--allow-fs-read=${path}`),
    fileURLToPath(childFile),
  ];
  const args = [secondsMax, ...node, pixelsMax, sideMax].map(String);
  const child = spawn('/bin/sh', ['-c', bounded, 'sh', ...args], {
    stdio: ['pipe', 'pipe', 'ignore'],
    cwd: root,
    env: {},
  });
  const { promise, resolve, reject } = Promise.withResolvers<End>();
  let isStopped = false;
  const stop = () => {
    isStopped = true;
    child.kill('SIGKILL');
  };
  const timer = setTimeout(stop, timeoutMs);
  const parts: Buffer[] = [];
  let size = 0;
  child.stdout.on('data', (part: Buffer) => {
    size += part.length;
    if (size > jpegBytesMax) stop();
    else parts.push(part);
  });
  child.once('error', reject).once('close', (code, signal) => resolve({ code, signal }));
  // It may have ended before it has read everything.
  child.stdin.on('error', () => undefined).end(bytes);
  const { code, signal } = await promise.finally(() => clearTimeout(timer));
  if (signal !== null && fromOutside.has(signal) && !isStopped) {
    throw new Error(`the decoder was ended by ${signal}`);
  }
  return code === 0 && size > 0 ? Buffer.concat(parts) : undefined;
}

/** What the process may read: its own code and the decoders, which npm lays below a checkout and beside a package. */
function listReadable(): readonly string[] {
  const decoders = ['libheif-js', 'jpeg-js'].map((name) => realpathSync(packageFile(name, '')));
  return [folderOf(childFile), join(root, 'package.json'), ...decoders];
}

function folderOf(url: string): string {
  return realpathSync(dirname(fileURLToPath(url)));
}
