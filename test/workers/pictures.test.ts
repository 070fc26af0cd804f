/** Pictures of telephones as JPEG by the worker, with the real decoder: as they are turned, and harmless whatever they hold. */
import { decode } from 'jpeg-js';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { roleUrl } from '#src/db/logins.ts';
import { createPool, db, type Pool, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { keepDocument } from '#src/ledger/documents/service.ts';
import { sha256Of } from '#src/lib/sha256.ts';
import { jpegOfHeic } from '#src/render/heic.ts';
import {
  findPreview,
  keepPreview,
  type PreviewState,
  purgePreviews,
  requestPreview,
  takeUnseen,
} from '#src/render/preview-store.ts';
import { previewing } from '#workers/preview.ts';
import { listChildren } from '../../soak/processes.ts';
import { tamper } from '../database/books.ts';
import { blackOnNothing, heicOf } from '../support/heic.ts';
import { type Books, createBooks } from '../support/installation.ts';
import { until } from '../support/processes.ts';

/** Which colours the corners have, from the upper left as one reads. */
function cornersOf(jpeg: Buffer | undefined): string {
  if (jpeg === undefined) return 'nothing';
  const { width, height, data } = decode(jpeg, { useTArray: true });
  const colourAt = (x: number, y: number): string => {
    const [r = 0, g = 0, b = 0] = data.subarray((y * width + x) * 4);
    if (Math.min(r, g, b) > 200) return 'white';
    return r > Math.max(g, b) ? 'red' : g > b ? 'green' : 'blue';
  };
  const [right, bottom] = [width - 3, height - 3];
  const corners = [
    colourAt(2, 2),
    colourAt(right, 2),
    colourAt(2, bottom),
    colourAt(right, bottom),
  ];
  return `${width}×${height} ${corners.join(' ')}`;
}

describe('a picture', () => {
  test('is shown in its colours, turned and mirrored as it says, and no larger than is read', async () => {
    expect(cornersOf(await jpegOfHeic(heicOf()))).toBe('64×48 red green blue white');
    // As a telephone held upright says it.
    const upright = heicOf({ turned: 3 });
    expect(cornersOf(await jpegOfHeic(upright))).toBe('48×64 blue red white green');
    const small = await jpegOfHeic(heicOf({ turned: 3, mirrored: 0 }), { sideMax: 16 });
    expect(cornersOf(small)).toBe('12×16 white green blue red');
  });

  test('with letters on nothing is read as on white paper', async () => {
    const shown = await jpegOfHeic(blackOnNothing);
    expect(cornersOf(shown)).toBe('16×16 white white white white');
    const { data } = decode(shown ?? Buffer.alloc(0), { useTArray: true });
    expect(Math.max(...data.subarray((8 * 16 + 8) * 4).subarray(0, 3))).toBeLessThan(60);
  });

  test('that lies of what it is costs nobody anything', async () => {
    const whole = heicOf();
    const many = heicOf({ width: 1_920, height: 1_920, across: 30, down: 30 });
    const lies: Readonly<Record<string, () => Promise<Buffer | undefined>>> = {
      'ends in the middle': () => jpegOfHeic(whole.subarray(0, 500)),
      'is 65 535 × 65 535': () => jpegOfHeic(heicOf({ width: 65_535, height: 65_535 })),
      'has more pixels than are shown': () => jpegOfHeic(whole, { pixelsMax: 3_000 }),
      'is made of itself': () => jpegOfHeic(heicOf({ isLoop: true })),
      'has thousands of tiles': () => jpegOfHeic(heicOf({ across: 50, down: 40 })),
      'needs more memory than there is': () => jpegOfHeic(many, { mibMax: 17 }),
      'takes more time than there is': () => jpegOfHeic(many, { timeoutMs: 20 }),
      'is another format': () => jpegOfHeic(Buffer.from(`${'\0'.repeat(4)}ftypmif1avif`)),
    };
    for (const [lie, shown] of Object.entries(lies)) {
      expect([lie, await shown()]).toEqual([lie, undefined]);
    }
    // Whatever byte is another, there is a picture or there is none.
    for (const at of [40, 96, 200, 300, 420, 500]) {
      const bent = Buffer.from(whole);
      bent[at] = 255 - (bent[at] ?? 0);
      expect(cornersOf(await jpegOfHeic(bent))).toMatch(/^(\d+×\d+ |nothing)/);
    }
    expect(cornersOf(await jpegOfHeic(many))).toContain('1920×1920');
  });
});

describe('the worker', () => {
  let books: Books;
  let worker: Pool;
  beforeAll(async () => {
    books = await createBooks();
    const url = await roleUrl(books.url, 'hb_worker');
    worker = createPool({ url, max: 2, applicationName: 'test preview' });
  });
  afterAll(async () => {
    await worker.end();
    await books.close();
  });

  const log = pino({ level: 'silent' });
  const make = (content: string) => previewing.run(worker, log, { content });
  const ask = (content: string): Promise<PreviewState | undefined> =>
    withTx(books.owner, (tx) => requestPreview(tx, content));
  const purge = () => withTx(worker, purgePreviews);
  async function keep(bytes: Buffer, fileName = 'IMG_0001.HEIC'): Promise<string> {
    await withTx(books.owner, (tx) => keepDocument(tx, { fileName, bytes }, 'test'));
    return sha256Of(bytes).toString('hex');
  }
  const jobs = () =>
    db(books.owner).query(sql`select from pgboss.job where name = 'preview' and state = 'created'`);
  const weekLater = () =>
    tamper(books.url, `update archive.previews set created_at = now() - interval '8 days'`);

  test('makes a picture once, and again when it is looked at after a week; it is kept as it came', async () => {
    const original = heicOf();
    const picture = await keep(original);
    expect([await ask(picture), await ask(picture), (await jobs()).length]).toEqual([
      'waiting',
      'waiting',
      1,
    ]);
    await make(picture);
    expect(await ask(picture)).toBe('made');
    const made = await findPreview(db(books.owner), picture);
    expect(cornersOf(made)).toBe('64×48 red green blue white');
    expect(await takeUnseen(db(worker), picture)).toBeUndefined();
    // Whoever saved what was shown may send it in as a document of its own: that is never cleared away.
    if (made) await keep(made, 'sparad.jpg');
    await weekLater();
    expect(await purge()).toBe(1n);
    expect(await findPreview(db(books.owner), picture)).toBeUndefined();
    const kept = await db(books.owner).query<{ bytes: Buffer }>(
      sql`select c.bytes from ledger.documents d join archive.contents c using (sha256)`,
    );
    expect(kept.map(({ bytes }) => bytes.length).sort()).toEqual(
      [original.length, made?.length].sort(),
    );
    expect(await ask(picture)).toBe('waiting');
    await make(picture);
    expect(await ask(picture)).toBe('made');
  });

  test('makes a picture the next time when its decoder was killed', async () => {
    const picture = await keep(heicOf({ width: 1_920, height: 1_920, across: 30, down: 30 }));
    await ask(picture);
    const isKilled = expect(make(picture)).rejects.toThrow('the decoder was ended by SIGKILL');
    await until(() => {
      const decoder = listChildren(process.pid).find(({ command }) => /heic-child/.test(command));
      return decoder !== undefined && process.kill(decoder.pid, 'SIGKILL');
    });
    await isKilled;
    expect(await ask(picture), 'its job waits to be tried again').toBe('waiting');
    await make(picture);
    expect(await ask(picture)).toBe('made');
  });

  test('begins three times with one that it never ends, and no more', async () => {
    const picture = await keep(heicOf({ turned: 2 }));
    await ask(picture);
    for (let time = 1; time <= 3; time += 1) {
      expect(await takeUnseen(db(worker), picture)).toBeInstanceOf(Buffer);
    }
    expect(await ask(picture)).toBe('waiting');
    await make(picture);
    expect(await ask(picture)).toBe('failed');
    expect(await findPreview(db(books.owner), picture)).toBeUndefined();
  });

  test('is asked again of one whose job is gone, and never of one that cannot be shown', async () => {
    const broken = await keep(heicOf().subarray(0, 500));
    await ask(broken);
    const before = (await jobs()).length;
    const threeMinutes = `update archive.previews set created_at = now() - interval '3 minutes'`;
    await tamper(books.url, threeMinutes);
    expect(await ask(broken)).toBe('late');
    expect((await jobs()).length).toBe(before + 1);
    await make(broken);
    expect(await ask(broken)).toBe('failed');
    expect((await jobs()).length).toBe(before + 1);
    expect(await ask('00'.repeat(32))).toBeUndefined();
  });

  test('keeps nothing as a picture but a JPEG, of what was asked for', async () => {
    const asked = await keep(heicOf({ mirrored: 1 }));
    await ask(asked);
    const html = Buffer.from('<script>alert(1)</script>');
    await expect(withTx(worker, (tx) => keepPreview(tx, asked, html))).rejects.toThrow('a JPEG');
    await withTx(worker, (tx) => keepPreview(tx, '11'.repeat(32), Buffer.from('ffd8ff', 'hex')));
    expect(await ask('11'.repeat(32))).toBeUndefined();
  });
});
