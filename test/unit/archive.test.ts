/** Archives as files: written while they are made, and proved by what is in them alone. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { Overloaded } from '#src/db/batching/overloaded.ts';
import { keptThrough } from '#src/domain/ledger/retention.ts';
import { AppError } from '#src/lib/errors.ts';
import { sha256Of } from '#src/lib/sha256.ts';
import { patientPrinting, patientReading } from '#src/reports/archive/patience.ts';
import { verifyArchive } from '#src/reports/archive/reading.ts';
import {
  type ArchiveEntry,
  manifestName,
  NotTaken,
  writeArchive,
} from '#src/reports/archive/writing.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archive-'));
});
afterAll(() => rm(folder, { recursive: true }));

const madeAt = new Date('2026-11-20T12:00:00Z');
async function* entries(...list: readonly ArchiveEntry[]) {
  yield* list;
}
const entry = (path: string, text: string, isTight = false): ArchiveEntry => ({
  path,
  content: [Buffer.from(text)],
  isTight,
});
const whole = () =>
  writeArchive(
    entries(
      entry('sie/5567026934-2026.se', '#FLAGGA 0\n'.repeat(1_000)),
      entry('underlag/A1/kvitto å.pdf', '%PDF-1.4 ett kvitto', true),
      entry('tom.txt', ''),
    ),
    madeAt,
  );
async function proofOf(bytes: Buffer) {
  const path = join(folder, 'arkiv.zip');
  await writeFile(path, bytes);
  return verifyArchive(path);
}
/** A ZIP of anything, as somebody else could make it. */
function zipOf(files: readonly (readonly [string, string])[]): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [path, text] of files) zip.addBuffer(Buffer.from(text), path);
  zip.end();
  return buffer(zip.outputStream);
}
const lineOf = (path: string, text: string) => `${sha256Of(text).toString('hex')}  ${path}\n`;

test('is whole when nothing in it has changed, and says by which sum it is known', async () => {
  const { content, report } = whole();
  const bytes = await buffer(content);
  const { files, manifestSha256 } = await report;
  expect(await proofOf(bytes)).toEqual({
    ok: true,
    files,
    bytes: 10_019,
    manifestSha256,
    problems: [],
  });
  expect(files).toBe(3);
});

test('is told of before its last byte has left, and not at all when a part cannot be made', async () => {
  let told = 0;
  const reasons: unknown[] = [];
  const ending = {
    finish: async () => {
      told += 1;
    },
    breakOff: async (reason: unknown) => {
      reasons.push(reason);
    },
  };
  await buffer(writeArchive(entries(entry('a', 'a')), madeAt, ending).content);
  expect(told).toBe(1);
  const broken = async function* () {
    yield entry('a', 'a');
    throw new Error('the printer is gone');
  };
  const { content, report } = writeArchive(broken(), madeAt, ending);
  await expect(buffer(content)).rejects.toThrow('the printer is gone');
  await expect(report).rejects.toThrow('the printer is gone');
  expect(told).toBe(1);
  expect(reasons).toEqual([new Error('the printer is gone')]);
});

test('stops being made when nobody takes it any more', async () => {
  let made = 0;
  const endless = async function* () {
    for (; ; made += 1) yield entry(`${made}`, 'x'.repeat(100_000), true);
  };
  const reasons: unknown[] = [];
  const breakOff = async (reason: unknown) => {
    reasons.push(reason);
  };
  const finish = async () => undefined;
  const { content, report } = writeArchive(endless(), madeAt, { finish, breakOff });
  for await (const _ of content) break;
  await expect(report).rejects.toThrow();
  await expect.poll(() => reasons).toEqual([expect.any(NotTaken)]);
  expect(made).toBeLessThan(20);
});

test('lets go of a part when it is written: memory does not follow the archive', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const parts: WeakRef<Buffer>[] = [];
  let held = 0;
  const many = async function* () {
    for (let nth = 0; nth < 20; nth += 1) {
      const bytes = Buffer.alloc(100_000, nth);
      parts.push(new WeakRef(bytes));
      yield { path: `${nth}.pdf`, content: [bytes], isTight: nth % 2 === 0 };
    }
    // What weak references have been read stays until the turn is over.
    await setImmediate();
    collect();
    held = parts.filter((part) => part.deref() !== undefined).length;
  };
  for await (const _ of writeArchive(many(), madeAt).content);
  expect(held).toBeLessThan(5);
});

test('waits for a printer that went away, tells of it, and goes on when one comes', async () => {
  const late = new AppError('processing_delayed', 'later');
  const answers = [late, late, Buffer.from('%PDF')];
  let told = 0;
  const print = patientPrinting(
    async () => {
      const answer = answers.shift();
      if (answer instanceof Buffer) return answer;
      throw answer;
    },
    async () => {
      told += 1;
    },
  );
  expect([(await print('<p>')).toString(), told]).toEqual(['%PDF', 2]);
  const never = patientPrinting(() => Promise.reject(late));
  await expect(never('<p>')).rejects.toBe(late);
  const broken = new AppError('payload_too_large', 'too long');
  await expect(patientPrinting(() => Promise.reject(broken))('<p>')).rejects.toBe(broken);
});

test('reads again what others kept from being read, and nothing that is wrong in itself', async () => {
  const answers: unknown[] = [
    new Overloaded('waiting_time'),
    new Error('Connection terminated unexpectedly'),
    'rows',
  ];
  const read = async <T>(work: (source: string) => Promise<T>): Promise<T> => {
    const answer = answers.shift();
    if (typeof answer !== 'string') throw answer;
    return work(answer);
  };
  const patience = { attempts: 3, pauseMs: 0 };
  expect(await patientReading(read, patience)(async (rows) => rows)).toBe('rows');
  const wrong = new Error('wrong');
  answers.push(wrong, 'rows');
  await expect(patientReading(read, patience)(async (rows) => rows)).rejects.toBe(wrong);
});

describe('is refused', () => {
  test('whichever byte was altered', async () => {
    const bytes = await buffer(whole().content);
    for (let at = 0; at < bytes.length; at += 7) {
      const altered = Buffer.from(bytes);
      altered[at] = (altered[at] ?? 0) ^ 0x10;
      const proof = await proofOf(altered);
      const original = await readFile(join(folder, 'arkiv.zip'));
      // Dates and flags of the ZIP itself are no part of what was archived.
      if (proof.ok) expect([at, await contentsOf(original)]).toEqual([at, await contentsOf(bytes)]);
    }
  });

  test.each([
    [
      'a file altered',
      [
        ['a', 'b'],
        [manifestName, lineOf('a', 'a')],
      ],
      [{ path: 'a', rule: 'altered' }],
    ],
    ['a file missing', [[manifestName, lineOf('a', 'a')]], [{ path: 'a', rule: 'missing' }]],
    [
      'a file more',
      [
        ['a', 'a'],
        ['b', ''],
        [manifestName, lineOf('a', 'a')],
      ],
      [{ path: 'b', rule: 'unlisted' }],
    ],
    [
      'a file twice',
      [
        ['a', 'a'],
        ['a', 'a'],
        [manifestName, lineOf('a', 'a')],
      ],
      [{ path: 'a', rule: 'twice' }],
    ],
    ['no manifest', [['a', 'a']], [{ path: manifestName, rule: 'no_manifest' }]],
    [
      'a manifest cut off',
      [
        ['a', 'a'],
        [manifestName, `${lineOf('a', 'a')}0123`],
      ],
      [{ path: manifestName, rule: 'manifest_unreadable' }],
    ],
  ] as const)('with %s', async (_, files, problems) => {
    const proof = await proofOf(await zipOf(files));
    expect(proof).toMatchObject({ ok: false, problems });
  });

  test('as a bomb before any of it is unpacked', async () => {
    const proof = await proofOf(await zipOf([['noll', '0'.repeat(150 * 1024 ** 2)]]));
    expect(proof).toMatchObject({
      ok: false,
      bytes: 0,
      problems: [{ path: '', rule: 'too_large' }],
    });
  });

  describe('however it lies', () => {
    const text = 'x'.repeat(5_000);
    const honest = () =>
      zipOf([
        ['aaaa', text],
        [manifestName, lineOf('aaaa', text)],
      ]);
    /** The directory's entry of the first file (APPNOTE 4.3.12), where its sizes and name are told. */
    const altered = async (alter: (bytes: Buffer, entry: number) => void): Promise<Buffer> => {
      const bytes = await honest();
      alter(bytes, bytes.indexOf('PK\x01\x02'));
      return bytes;
    };

    test.each([
      ['less than it unpacks to', 100],
      ['more than it unpacks to', 50_000],
    ])('of its size, to %s', async (_, size) => {
      const bytes = await altered((all, entry) => all.writeUInt32LE(size, entry + 24));
      const proof = await proofOf(bytes);
      expect(proof).toMatchObject({ ok: false, problems: [{ path: 'aaaa', rule: 'altered' }] });
      expect(proof.bytes).toBeLessThan(10_000);
    });

    test('of four gigabytes, or of sizes that stand in a field of ZIP64 that is not there', async () => {
      const huge = await altered((all, entry) => all.writeUInt32LE(0xfffffffe, entry + 24));
      expect((await proofOf(huge)).problems).toEqual([{ path: '', rule: 'too_large' }]);
      const absent = await altered((all, entry) => all.writeUInt32LE(0xffffffff, entry + 24));
      expect(await proofOf(absent)).toMatchObject({ ok: false, bytes: 0 });
    });

    test.each(['../a', '/etc', 'C:/a'])('with a name that leads out of it: %s', async (name) => {
      const bytes = await altered((all, entry) => all.write(name, entry + 46, 'latin1'));
      expect(await proofOf(bytes)).toMatchObject({ ok: false, bytes: 0 });
    });

    test('another archive within is a file like any, and is not unpacked', async () => {
      const inner = (await honest()).toString('latin1');
      const outer = await zipOf([
        ['inre.zip', inner],
        [manifestName, lineOf('inre.zip', inner)],
      ]);
      expect(await proofOf(outer)).toMatchObject({ ok: true, files: 1 });
    });
  });

  test('when it is cut off, or no ZIP', async () => {
    const bytes = await buffer(whole().content);
    for (const other of [
      bytes.subarray(0, bytes.length - 30),
      Buffer.from('hej'),
      Buffer.alloc(0),
    ]) {
      expect((await proofOf(other)).problems).toEqual([{ path: '', rule: 'no_zip' }]);
    }
    await expect(verifyArchive(join(folder, 'finns inte'))).rejects.toThrow('ENOENT');
  });
});

/** Name and hash of each file, by the verifier's own library. */
async function contentsOf(bytes: Buffer): Promise<string[]> {
  const { fromBufferPromise } = await import('yauzl');
  const zip = await fromBufferPromise(bytes, { lazyEntries: true });
  const found: string[] = [];
  for await (const one of zip.eachEntry()) {
    const content = await buffer(await zip.openReadStreamPromise(one));
    found.push(`${one.fileName} ${sha256Of(content).toString('hex')}`);
  }
  return found;
}

test.each([
  ['2026-12-31', '2033-12-31'],
  ['2026-06-30', '2033-12-31'],
  ['2027-01-31', '2034-12-31'],
])('a year that ends %s is kept through %s', (end, day) => {
  expect(keptThrough(end)).toBe(day);
});
