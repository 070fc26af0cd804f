/** The archive of a year as a person fetches it, read back by others' readers. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import { createBankAccount } from '#src/bank/service.ts';
import { keepFiles, takeIn } from '#src/bank/statements/begun-imports.ts';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { forgetProcess, noteProcess } from '#src/installation/processes/store.ts';
import { addAttachment } from '#src/ledger/attachments/service.ts';
import { correctVoucher } from '#src/ledger/vouchers/corrections.ts';
import { AppError } from '#src/lib/errors.ts';
import type { SourceFile } from '#src/lib/source-file.ts';
import { recordBreakOff } from '#src/reports/archive/making.ts';
import { verifyArchive } from '#src/reports/archive/reading.ts';
import { registerReminder } from '#src/sales/invoices/reminders.ts';
import { openSecondApp, type SecondApp } from '../http/books.ts';
import { listen } from '../http/raw.ts';
import { camt053, fileOf, testIban } from '../support/bank-file.ts';
import {
  createInstallation,
  type Installation,
  renderProcess,
  TODAY,
  voucherBody,
} from '../support/installation.ts';
import { makeInvoice } from '../support/invoices.ts';
import { textOfPage } from '../support/pages.ts';
import { pageTexts } from '../support/pdf.ts';
import { type LoggedIn, logIn } from '../support/person.ts';

let books: Installation;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archive-'));
  books = await createInstallation({ workers: true, prints: true });
});
afterAll(async () => {
  await books.close();
  await rm(folder, { recursive: true });
});

async function post(description: string, date: string): Promise<string> {
  const answer = await books.call({
    method: 'POST',
    url: '/api/v1/verifikat',
    payload: voucherBody({ description, date, counterparty: 'Räksmörgåsar & <b>Co</b>' }),
  });
  return answer.json().id;
}

test('holds all that must be kept of the year, proves itself, and is written down', async () => {
  const first = await post('Kontantförsäljning', '2026-03-31');
  const second = await post('Fel konto', '2026-03-31');
  await post('April', '2026-04-01');
  const file = { fileName: 'kvitto: "1".txt', bytes: Buffer.from('Kvitto, 125 kr') };
  await withTx(books.owner, async (tx) => {
    // One file that documents two vouchers.
    for (const voucherId of [first, second]) {
      await addAttachment(tx, { voucherId, ...file }, 'test');
    }
    const correction = { correctedId: second, date: '2026-04-02', description: 'Rättelse' };
    await correctVoucher(tx, { ...correction, replacement: null }, 'test');
  });

  const owner = await logIn(books, 'agare');
  expect((await owner.get('/arkiv')).body).toContain('2033-12-31');
  const answer = await owner.get('/arkiv/2026/zip');
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['content-disposition']).toContain('-2026-arkiv.zip');
  const path = join(folder, 'arkiv.zip');
  await writeFile(path, answer.rawPayload);
  const proof = await verifyArchive(path);
  expect(proof).toMatchObject({ ok: true, problems: [] });

  const files = await unpacked(answer.rawPayload);
  expect([...files.keys()].map((name) => name.replace(/[0-9a-f]{8}-(?=kvitto)/, ''))).toEqual([
    expect.stringMatching(/^sie\/\d{10}-2026\.se$/),
    'verifikat/2026-03.pdf',
    'verifikat/2026-04.pdf',
    'underlag/A1/kvitto_ _1_.txt',
    'underlag/forteckning.csv',
    'behandlingshistorik/verifikat.csv',
    'behandlingshistorik/handelser.csv',
    'systemdokumentation.html',
    'arkiv.json',
    'LÄSMIG.txt',
    'MANIFEST.sha256',
  ]);
  const textOf = (name: string): string =>
    [...files].find(([path]) => path.endsWith(name))?.[1].toString('utf8') ?? '';
  expect(textOf('.se').match(/^#VER/gm)).toHaveLength(4);
  expect(textOf('kvitto_ _1_.txt')).toBe('Kvitto, 125 kr');
  expect(textOf('forteckning.csv').match(/^A[12];underlag\/A1\//gm)).toHaveLength(2);
  expect(textOf('verifikat.csv')).toMatch(/^A2;2026-03-31;20.*;;A4;/m);
  expect(textOf('handelser.csv')).toContain('attachment.added');
  const system = textOf('systemdokumentation.html');
  for (const part of [
    '1930',
    'Kundfakturor',
    'Utgående moms',
    'Ägare',
    'ledger:write',
    owner.email,
  ]) {
    expect(system).toContain(part);
  }
  expect(JSON.parse(textOf('arkiv.json'))).toMatchObject({
    kept_through: '2033-12-31',
    vouchers: 4,
    vouchers_in_sie: 4,
  });
  const march = files.get('verifikat/2026-03.pdf') ?? Buffer.alloc(0);
  const text = (await pageTexts(march)).join('\n');
  for (const part of [
    'A1',
    'Kontantförsäljning',
    'Räksmörgåsar & <b>Co</b>',
    '125,00',
    'Rättat med A4',
  ]) {
    expect(text).toContain(part);
  }
  expect(text).not.toContain('April');

  const [event] = await db(books.owner).query<{ subject: string; sum: string }>(
    sql`select subject, detail ->> 'manifest_sha256' as sum from audit.events
      where action = 'archive.exported'`,
  );
  expect(event).toEqual({ subject: '2026', sum: proof.manifestSha256 });
  expect((await owner.get('/arkiv')).body).toContain(String(proof.manifestSha256));
});

test('holds the invoices that were issued and the reminders that were sent', async () => {
  const id = await makeInvoice(books.owner, [{ quantityE4: 10_000n, unitPriceE4: 1_000_000n }]);
  const reminder = {
    today: TODAY,
    invoiceId: id,
    sentDate: '2026-04-15',
    feeOre: 6_000n,
    isFeeVouchedFor: true,
  };
  await withTx(books.owner, (tx) => registerReminder(tx, reminder, 'test'));
  const owner = await logIn(books, 'agare');
  const files = await unpacked((await owner.get('/arkiv/2026/zip')).rawPayload);
  const sent = [...files].filter(([name]) => name.startsWith('kundfakturor/'));
  expect(sent.map(([name]) => name)).toEqual([
    expect.stringMatching(/^kundfakturor\/faktura-(\d+)\.html$/),
    expect.stringMatching(/^kundfakturor\/paminnelse-(\d+)-1\.html$/),
  ]);
  expect(sent[1]?.[1].toString('utf8')).toContain('60,00');
});

test('holds the files of the bank’s statements that cover days of the year, byte for byte', async () => {
  const file = async (day: string, name: string) =>
    fileOf(camt053({ entries: [{ day, ore: 100 }] }), name);
  const sources = [await file('2026-03-02', 'mars: 1.xml'), await file('2025-03-02', 'ifjol.xml')];
  await withTx(books.owner, async (tx) => {
    await createBankAccount(tx, { name: 'Konto', ledgerAccount: 1930, iban: testIban }, 'test');
    const id = await keepFiles(tx, sources, null, 'test');
    const choices = { accountId: null, isAccepted: true, equalRows: null };
    await takeIn(tx, { id, sources, choices, today: TODAY }, 'test');
  });
  const owner = await logIn(books, 'agare');
  const files = await unpacked((await owner.get('/arkiv/2026/zip')).rawPayload);
  const kept = [...files].filter(([name]) => name.startsWith('bank/'));
  const march = sources[0] as SourceFile;
  expect(kept).toEqual([
    [`bank/kontoutdrag/${march.sha256.slice(0, 8)}-mars_ 1.xml`, await buffer(march.open())],
  ]);
});

test('is for those who administer, and of a year that there is', async () => {
  const person = await logIn(books, 'medarbetare');
  expect((await person.get('/arkiv')).statusCode).toBe(403);
  expect((await person.get('/arkiv/2026/zip')).statusCode).toBe(403);
  const owner = await logIn(books, 'administrator');
  expect((await owner.get('/arkiv/1999/zip')).statusCode).toBe(404);
});

test('is not begun while nobody prints: it says so at once, and what to do', async () => {
  await post('Hyra', '2026-05-31');
  await forgetProcess(db(books.owner), renderProcess.id);
  const owner = await logIn(books, 'agare');
  const answer = await owner.get('/arkiv/2026/zip');
  expect([answer.statusCode, answer.headers['content-disposition']]).toEqual([503, undefined]);
  expect(textOfPage(answer.body)).toContain('startar worker render');
  await noteProcess(db(books.owner), renderProcess);
  expect((await owner.get('/arkiv/2026/zip')).statusCode).toBe(200);
});

/** As long as it is held, until the test's end at most, nothing that is printed is kept, as when the machine has too much to do. */
async function holdPrinting(): Promise<() => Promise<void>> {
  const client = await books.owner.connect();
  await client.query('begin; lock table archive.renderings in exclusive mode');
  let isHeld = true;
  const letGo = async () => {
    if (!isHeld) return;
    isHeld = false;
    await client.query('rollback');
    client.release();
  };
  onTestFinished(letGo);
  return letGo;
}

describe('of a machine that has much to do', () => {
  let patient: SecondApp;
  let port: number;
  let owner: LoggedIn;
  /** More than a machine full of other work takes to begin with an answer. */
  const stillTimeoutMs = 4_000;
  beforeAll(async () => {
    patient = await openSecondApp(books, { stillTimeoutMs });
    port = await listen(patient.app);
    owner = await logIn(books, 'agare');
  });
  afterAll(() => patient.close());
  const fetchIt = (signal: AbortSignal | null = null) => {
    // A browser's cookies are named after the port that it comes to (`cookieAt`).
    const cookies = [...owner.cookies].map(([name, value]) => `${name}-${port}=${value}`);
    const headers = { cookie: cookies.join('; ') };
    return fetch(`http://127.0.0.1:${port}/arkiv/2026/zip`, { headers, signal });
  };

  test('comes whole, although nothing comes for longer than other answers may be still', async () => {
    await post('Långsam utskrift', '2026-06-30');
    const letGo = await holdPrinting();
    const answer = await fetchIt();
    const whole = answer.arrayBuffer();
    whole.catch(() => undefined);
    await sleep(1.5 * stillTimeoutMs);
    await letGo();
    const path = join(folder, 'langsam.zip');
    await writeFile(path, Buffer.from(await whole));
    expect(await verifyArchive(path)).toMatchObject({ ok: true });
  });

  test('and when it does not come whole, the page it is fetched from says so, and why', async () => {
    await post('Bruten hämtning', '2026-07-31');
    const letGo = await holdPrinting();
    const leaving = new AbortController();
    const answer = await fetchIt(leaving.signal);
    await answer.body?.getReader().read();
    leaving.abort();
    await letGo();
    await expect
      .poll(async () => textOfPage((await owner.get('/arkiv')).body))
      .toContain('förbindelsen bröts innan allt var hämtat');
    const late = new AppError('processing_delayed', 'later');
    const actor = `user:${owner.id}`;
    await withTx(books.owner, (tx) => recordBreakOff(tx, 2026, late, actor));
    const told = textOfPage((await owner.get('/arkiv')).body);
    expect(told).toContain('Blev inte hel');
    expect(told).toContain('verifikaten blev inte utskrivna i tid');
  });
});

async function unpacked(bytes: Buffer): Promise<Map<string, Buffer>> {
  const zip = await fromBufferPromise(bytes, { lazyEntries: true });
  const found = new Map<string, Buffer>();
  for await (const one of zip.eachEntry()) {
    found.set(one.fileName, await buffer(await zip.openReadStreamPromise(one)));
  }
  return found;
}
