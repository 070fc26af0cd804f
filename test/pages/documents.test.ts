/** Documents that wait for their voucher: sent in, matched, laid where they belong, put aside. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { keepDocument } from '#src/ledger/documents/service.ts';
import { sha256Of } from '#src/lib/sha256.ts';
import { keepPreview } from '#src/render/preview-store.ts';
import { createInstallation, type Installation, voucherBody } from '../support/installation.ts';
import { multipartOf } from '../support/multipart.ts';
import { type LoggedIn, logIn, tokensOf } from '../support/person.ts';

let books: Installation;
let person: LoggedIn;
let reader: LoggedIn;

beforeAll(async () => {
  books = await createInstallation();
  person = await logIn(books, 'medarbetare');
  reader = await logIn(books, 'lasare');
});
afterAll(() => books.close());

/** A PDF that is like no other. */
const pdf = (text: string) => `%PDF-1.4\n${text}\n%%EOF`;
const cookieOf = ({ cookies }: LoggedIn) => [...cookies].map((pair) => pair.join('=')).join('; ');

async function send(
  sender: LoggedIn,
  files: readonly (readonly [string, Buffer | string])[],
  url = '/underlag',
) {
  const fields = tokensOf((await sender.get('/underlag')).body);
  const sent = multipartOf(
    fields,
    files.map(([fileName, bytes]) => ({ name: 'files', fileName, bytes })),
  );
  const headers = { ...sent.headers, accept: 'text/html', cookie: cookieOf(sender) };
  return books.app.inject({ method: 'POST', url, payload: sent.payload, headers });
}

async function posted(date: string, ore: number, description: string): Promise<string> {
  const amount = ore / 100;
  const answer = await books.call({
    method: 'POST',
    url: '/api/v1/verifikat',
    payload: voucherBody({
      date,
      description,
      rows: [
        { account: 6110, debit: amount, credit: 0 },
        { account: 1930, debit: 0, credit: amount },
      ],
    }),
  });
  return answer.json().id;
}

const rows = async (statement: ReturnType<typeof sql>) => db(books.owner).query(statement);
async function idOf(fileName: string): Promise<string> {
  const [found] = await db(books.owner).query<{ id: string }>(
    sql`select id from ledger.documents where file_name = ${fileName}`,
  );
  return found?.id ?? '';
}

describe('documents that come', () => {
  test('are kept once by content, with what their names tell, and told apart by their bytes', async () => {
    const heic = Buffer.from('\x00\x00\x00\x24ftypheic\x00\x00\x00\x00mif1heic', 'latin1');
    const answer = await send(person, [
      ['2026-02-03 Papper 100,00.pdf', pdf('papper')],
      ['samma igen.pdf', pdf('papper')],
      ['IMG_1.HEIC', heic],
    ]);
    expect(answer.statusCode).toBe(303);
    expect(
      await rows(sql`select file_name, media_type, document_date, amount_ore from ledger.documents
        order by media_type`),
    ).toEqual([
      {
        file_name: '2026-02-03 Papper 100,00.pdf',
        media_type: 'application/pdf',
        document_date: '2026-02-03',
        amount_ore: 10_000n,
      },
      { file_name: 'IMG_1.HEIC', media_type: 'image/heic', document_date: null, amount_ore: null },
    ]);
    const { body } = await person.get('/underlag');
    expect(body).toContain('Skriv dag och belopp');
    expect(body).toContain('Inget passar');
    const file = await person.get(`/underlag/${await idOf('IMG_1.HEIC')}/dokument`);
    expect(file.headers['content-disposition']).toMatch(/^attachment/);
    expect(file.headers['content-security-policy']).toContain('sandbox');
  });

  test('that are on a voucher or set aside already are told to be, not saved into a list where nobody finds them', async () => {
    await send(person, [
      ['Kvitto.pdf', pdf('på verifikat')],
      ['Reklam.pdf', pdf('undanlagd')],
    ]);
    const page = async (fileName: string) => `/underlag/${await idOf(fileName)}`;
    const [receipt, junk] = [await page('Kvitto.pdf'), await page('Reklam.pdf')];
    await person.submit(`${junk}/undan`, { reason: 'Reklam' }, junk);
    const aside = await send(person, [['Igen.pdf', pdf('undanlagd')]]);
    expect(aside.statusCode).toBe(422);
    expect(aside.body).toContain('Igen.pdf: Filen finns redan, bland de undanlagda.');
    const voucher = await posted('2026-03-20', 917_300, 'Kvitto för sig');
    await person.submit(`${receipt}/verifikat`, { voucher }, receipt);
    const filed = await send(person, [['Kvitto (1).pdf', pdf('på verifikat')]]);
    expect(filed.body).toMatch(/Kvitto \(1\)\.pdf: Filen finns redan, på verifikat A\d+\./);
  });

  test('are refused by name and way out, and nothing of the form is kept', async () => {
    const answer = await send(person, [
      ['bra.pdf', pdf('bra')],
      ['program.exe', Buffer.from('MZ\x90\x00', 'latin1')],
    ]);
    expect(answer.statusCode).toBe(422);
    expect(answer.body).toContain('program.exe: Filen är inte PDF');
    expect(answer.body).toContain('Ingen av de 2 filerna är sparad; välj de andra igen.');
    expect(await idOf('bra.pdf')).toBe('');
    expect((await send(reader, [['a.pdf', pdf('a')]])).statusCode).toBe(403);
  });
});

test('what is two kinds at once, or is called another, is handed out as what its bytes say and runs nothing', async () => {
  const script = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  // A picture of 60 000 × 60 000 that is a page too, and one that says it is longer than it is.
  const head =
    '\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR\x00\x00\xea\x60\x00\x00\xea\x60\x08\x06\x00\x00\x00';
  const files: readonly (readonly [string, Buffer | string, string, 'inline' | 'attachment'])[] = [
    ['sida.png', Buffer.from(`${head}<html>${script}`, 'latin1'), 'image/png', 'inline'],
    ['bild.png', script, 'text/plain', 'attachment'],
    ['blad.pdf', `<?xml version="1.0"?>${script}`, 'application/xml', 'attachment'],
    ['sida.jpg', '<!doctype html><script>alert(1)</script>', 'text/plain', 'attachment'],
    ['bok.txt', '%PDF-1.4 /OpenAction << /S /JavaScript >>', 'application/pdf', 'inline'],
    ['foto.heic', Buffer.from('\xff\xd8\xff\xe0\xff\xff', 'latin1'), 'image/jpeg', 'inline'],
  ];
  const sent = await send(
    person,
    files.map(([name, bytes]) => [name, bytes]),
  );
  expect(sent.statusCode).toBe(303);
  for (const [name, , type, way] of files) {
    const address = `/underlag/${await idOf(name)}`;
    expect((await person.get(address)).statusCode).toBe(200);
    const { headers } = await person.get(`${address}/dokument`);
    expect([name, headers['content-type'], headers['x-content-type-options']]).toEqual([
      name,
      expect.stringContaining(type),
      'nosniff',
    ]);
    expect(headers['content-disposition']).toMatch(new RegExp(`^${way};`));
    if (type !== 'application/pdf') {
      expect(headers['content-security-policy']).toMatch(/default-src 'none'.*sandbox/);
    }
  }
});

describe('where they belong', () => {
  test('is suggested by amount and day; a tie is left to a person', async () => {
    const alone = await posted('2026-02-10', 12_345, 'Telefon februari');
    await posted('2026-02-12', 50_000, 'Ett av två');
    await posted('2026-02-14', 50_000, 'Två av två');
    await send(person, [
      ['2026-02-11 telefon 123,45.pdf', pdf('telefon')],
      ['2026-02-13 tvetydig 500,00.pdf', pdf('tvetydig')],
    ]);
    const telephone = await idOf('2026-02-11 telefon 123,45.pdf');
    const tied = await idOf('2026-02-13 tvetydig 500,00.pdf');
    const { body } = await person.get('/underlag');
    expect(body).toMatch(/Förslag<\/span> <a href="\/verifikat\/[^"]+">A\d+</);
    expect(body).toContain('2 möjliga');
    expect((await person.get(`/verifikat/${alone}`)).body).toContain('2026-02-11 telefon');

    const answer = await person.submit(
      '/underlag/foreslagna',
      { document: [telephone, tied] },
      '/underlag',
    );
    expect(answer.statusCode).toBe(303);
    const [filed] = await rows(sql`select count(*)::integer as count from ledger.attachments
      where voucher_id = ${alone}::uuid`);
    expect(filed).toEqual({ count: 1 });
    const [event] =
      await rows(sql`select subject from audit.events where action = 'attachment.added'
      and detail ->> 'sha256' = (select encode(sha256, 'hex') from ledger.documents where id = ${telephone}::uuid)`);
    expect(event).toEqual({ subject: alone });
    const list = (await person.get('/underlag')).body;
    expect(list).not.toContain('telefon 123,45');
    expect(list).toContain('tvetydig');
    expect((await person.get('/underlag?flik=klara')).body).toContain('telefon 123,45');
    expect((await person.get(`/underlag/${tied}`)).body).toContain('Två av två');
  });

  test('is said by a person: pages of one receipt on a voucher by its label', async () => {
    const voucher = await posted('2026-03-02', 7_700, 'Kvitto på två sidor');
    await send(person, [
      ['sida 1.pdf', pdf('sida 1')],
      ['sida 2.pdf', pdf('sida 2')],
    ]);
    const pagesOf = [await idOf('sida 1.pdf'), await idOf('sida 2.pdf')];
    const [{ label }] = (await rows(
      sql`select series || number as label from ledger.vouchers where id = ${voucher}::uuid`,
    )) as [{ label: string }];
    const lay = (typed: string) =>
      person.submit('/underlag/lagg', { document: pagesOf, voucher: typed }, '/underlag');
    const wrong = await lay('Z99');
    expect(wrong.statusCode).toBe(422);
    expect(wrong.body).toContain('Det finns inget verifikat Z99.');
    expect((await lay(label.toLowerCase())).headers.location).toBe(
      `/verifikat/${voucher}?underlag=${pagesOf[1]}`,
    );
    const { body } = await person.get(`/verifikat/${voucher}`);
    expect(body).toContain('sida 1.pdf');
    expect(body).toContain('sida 2.pdf');
    expect((await person.get('/verifikat?underlag=inkop')).body).not.toContain('Kvitto på två');
    expect((await person.get('/verifikat?underlag=inkop')).body).toContain('Ett av två');
  });

  test('is a voucher that is written from it, with its day, and that it follows', async () => {
    await send(person, [['2026-03-05 taxi 250,00.pdf', pdf('taxi')]]);
    const id = await idOf('2026-03-05 taxi 250,00.pdf');
    const { body } = await person.get(`/verifikat/ny?underlag=${id}`);
    expect(body).toContain('value="2026-03-05"');
    expect(body).toContain(`name="underlag" value="${id}"`);
    const answer = await person.submit(
      '/verifikat/ny',
      {
        underlag: id,
        seriesCode: 'A',
        date: '2026-03-05',
        description: 'Taxi',
        'rows[0].account': '5800',
        'rows[0].debit': '250',
        'rows[1].account': '1930',
        'rows[1].credit': '250',
      },
      `/verifikat/ny?underlag=${id}`,
    );
    expect(answer.statusCode).toBe(303);
    const booked = (await person.get(String(answer.headers.location))).body;
    expect(booked).toContain('taxi 250,00.pdf');
    const inbox = (await person.get('/underlag')).body;
    expect(inbox).not.toContain('taxi');
  });

  test('and lead from its voucher to the next that waits, whoever keeps the books', async () => {
    await send(person, [['nasta.pdf', pdf('nästa')]]);
    await send(person, [['forst.pdf', pdf('först')]]);
    const [first, next] = [await idOf('forst.pdf'), await idOf('nasta.pdf')];
    const voucher = await posted('2026-03-06', 10_000, 'Två kvitton i rad');
    const answer = await person.submit(
      `/underlag/${first}/verifikat`,
      { voucher },
      `/underlag/${first}`,
    );
    const address = String(answer.headers.location);
    expect((await person.get(address)).body).toContain(`href="/underlag/${next}" autofocus`);
    expect((await person.get(`/verifikat/${voucher}`)).body).not.toContain('Nästa underlag');
    expect((await reader.get(address)).body).not.toContain('Nästa underlag');
  });
});

test('what is put aside is kept and can be taken up; its facts are mended; a reader only reads', async () => {
  await send(person, [['semester.pdf', pdf('semester')]]);
  const id = await idOf('semester.pdf');
  const page = `/underlag/${id}`;
  const facts = (fields: Record<string, string>) => person.submit(page, fields, page);
  const wrong = await facts({ date: '2026-13-01', amount: '-5', counterparty: 'Resebyrån' });
  expect(wrong.statusCode).toBe(400);
  expect(wrong.body).toContain('Skriv beloppet utan minustecken');
  expect(wrong.body).toContain('value="Resebyrån"');
  await facts({ date: '2026-03-09', amount: '1 250,50', counterparty: 'Resebyrån' });
  expect((await person.get(page)).body).toContain('value="1 250,50"'.replace(' ', '\u00a0'));

  await person.submit(`${page}/undan`, { reason: 'Privat' }, page);
  expect((await person.get('/underlag')).body).not.toContain('semester.pdf');
  expect((await reader.get('/underlag?flik=undanlagda')).body).toContain('Privat');
  const read = (await reader.get(page)).body;
  expect(read).not.toContain('Ta fram igen');
  expect(read).toContain('Resebyrån');
  for (const act of ['', '/undan', '/fram', '/verifikat']) {
    expect((await reader.post(`${page}${act}`, tokensOf(read))).statusCode).toBe(403);
  }
  await person.submit(`${page}/fram`, {}, page);
  expect((await person.get('/underlag')).body).toContain('semester.pdf');
  await expect(rows(sql`delete from ledger.documents`)).rejects.toThrow(/kept as it came/);
});

describe('a picture of a telephone', () => {
  const heic = (to: string) =>
    Buffer.from(`\x00\x00\x00\x24ftypheic\x00\x00\x00\x00mif1${to}`, 'latin1');

  test('is shown as JPEG where its document is, when that is made, and kept as it came', async () => {
    await send(person, [['IMG_2.HEIC', heic('två')]]);
    const id = await idOf('IMG_2.HEIC');
    const picture = `/bilder/${sha256Of(heic('två')).toString('hex')}`;
    const voucher = await posted('2026-03-02', 10_000, 'Med bild');
    const draft = await person.get(`/leverantorsinkorg/ny?underlag=${id}`);
    const started = await person.get(`/verifikat/ny?underlag=${id}`);
    await person.submit(`/underlag/${id}/verifikat`, { voucher }, `/underlag/${id}`);
    const pages = [`/underlag/${id}`, `/verifikat/${voucher}`];
    const waiting = [draft.body, started.body];
    for (const address of pages) waiting.push((await reader.get(address)).body);
    for (const body of waiting) expect(body).toContain(`data-poll="${picture}/lage"`);
    expect((await reader.get(picture)).statusCode).toBe(404);

    const jpeg = Buffer.from('ffd8ffe0', 'hex');
    await withTx(books.owner, (tx) => keepPreview(tx, picture.slice(8), jpeg));
    for (const address of pages) {
      const { body } = await reader.get(address);
      expect(body).toContain(`<img src="${picture}"`);
      expect(body).toContain('?hamta=1');
    }
    expect((await reader.get(`${picture}/lage`)).body).not.toContain('data-poll');
    const shown = await reader.get(picture);
    expect(shown.headers['content-type']).toBe('image/jpeg');
    expect(shown.headers['content-security-policy']).toContain('sandbox');
    const original = await reader.get(`/underlag/${id}/dokument?hamta=1`);
    expect(original.rawPayload.equals(heic('två'))).toBe(true);
  });

  test('that cannot be shown says so, with the way out', async () => {
    await send(person, [['IMG_3.HEIC', heic('tre')]]);
    const address = `/underlag/${await idOf('IMG_3.HEIC')}`;
    await person.get(address);
    const content = sha256Of(heic('tre')).toString('hex');
    await withTx(books.owner, (tx) => keepPreview(tx, content, undefined));
    const { body } = await person.get(address);
    expect(body).toContain('går inte att visa här');
    expect(body).not.toContain('data-poll');
  });

  test('is left alone where the operator has said so', async () => {
    const off = await createInstallation({ env: { HEIC_PREVIEW: 'off' } });
    onTestFinished(() => off.close());
    const owner = await logIn(off, 'agare');
    await withTx(off.owner, (tx) =>
      keepDocument(tx, { fileName: 'IMG_4.HEIC', bytes: heic('fyra') }, 'test'),
    );
    const [document] = await db(off.owner).query<{ id: string }>(
      sql`select id from ledger.documents`,
    );
    const { body } = await owner.get(`/underlag/${document?.id}`);
    expect(body).toContain('de flesta webbläsare kan inte visa den');
    const content = sha256Of(heic('fyra')).toString('hex');
    expect((await owner.get(`/bilder/${content}/lage`)).statusCode).toBe(404);
    expect(await db(off.owner).query(sql`select from archive.previews`)).toEqual([]);
  });
});
