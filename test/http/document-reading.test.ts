/** GET /api/v1/underlag: a voucher's documents for keys that may read them; those of staff and those held back for people alone. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashOfSecret } from '#src/access/keys/secrets.ts';
import { revokeKey } from '#src/access/keys/service.ts';
import { db, type Tx, withTx } from '#src/db/pool.ts';
import type { DatabaseRole } from '#src/db/roles.ts';
import { sql } from '#src/db/sql.ts';
import {
  addAttachment,
  releaseDocuments,
  withholdDocuments,
} from '#src/ledger/attachments/service.ts';
import { fileOnPurchase, keepDocument } from '#src/ledger/documents/service.ts';
import { correctVoucher } from '#src/ledger/vouchers/corrections.ts';
import { sessionCookie } from '#src/pages/person.ts';
import { bookPurchases } from '#src/purchases/inbox/service.ts';
import { bookInvoices } from '#src/sales/invoices/service.ts';
import { ledgerVoucher, post, row } from '../database/books.ts';
import { attackerAs } from '../support/attacker.ts';
import { eInvoice } from '../support/e-invoice.ts';
import { type Installation, orderBody } from '../support/installation.ts';
import { makeMail, PDF } from '../support/mails.ts';
import { type LoggedIn, logIn } from '../support/person.ts';
import { until } from '../support/processes.ts';
import { openBooks } from './books.ts';

interface Listed {
  readonly id: string;
  readonly kind: string;
  readonly voucher_id: string;
  readonly sha256: string;
  readonly file_name: string;
  readonly [name: string]: unknown;
}

let books: Installation;
let key: string;
let keeper: LoggedIn;
let reader: LoggedIn;
beforeAll(async () => {
  books = await openBooks({ workers: true });
  ({ key } = await books.makeKey(['documents:read']));
  keeper = await logIn(books, 'medarbetare');
  reader = await logIn(books, 'lasare');
});
afterAll(() => books.close());

const url = '/api/v1/underlag';
const owner = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => withTx(books.owner, work);
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const list = async (...vouchers: string[]): Promise<Listed[]> => {
  const query = vouchers.map((id) => `voucher=${id}`).join('&');
  const answer = await books.call({ url: `${url}?${query}`, key });
  expect([answer.statusCode, answer.json().error]).toEqual([200, undefined]);
  return answer.json().data;
};
const fetchFile = (id: string, headers: Record<string, string> = {}) =>
  books.call({ url: `${url}/${id}`, key, headers });
async function voucher(...accounts: [number, number]): Promise<string> {
  const [debit, credit] = accounts;
  const one = ledgerVoucher({ rows: [row(debit, 10_000), row(credit, -10_000)] });
  await post(books.owner, [one]);
  return one.id;
}
const attach = (voucherId: string, bytes: Buffer, fileName = 'kvitto.pdf') =>
  owner((tx) => addAttachment(tx, { voucherId, fileName, bytes }, 'test'));
const pdf = (text: string) => Buffer.from(`%PDF-1.4 ${text}`);
/** How many times it has been told that the documents of a voucher are others. */
const toldOf = async (voucherId: string): Promise<number> =>
  (
    await db(books.owner).query(sql`select from events.outbox
      where type = 'documents.changed' and subject = ${voucherId}::uuid`)
  ).length;

describe('what a voucher has', () => {
  test('a receipt is listed with what it is, and fetched byte for byte under its own name', async () => {
    const id = await voucher(6110, 1930);
    const bytes = pdf('kaffe');
    const { id: documentId } = await attach(id, bytes, 'Kvitto "å" 14.pdf');
    expect(await list(id)).toEqual([
      {
        id: documentId,
        voucher_id: id,
        kind: 'attachment',
        invoice_id: null,
        purchase_id: null,
        file_name: 'Kvitto "å" 14.pdf',
        media_type: 'application/pdf',
        size: bytes.length,
        sha256: sha256(bytes),
        added_at: expect.any(String),
        file_url: `https://bok.example${url}/${documentId}`,
        url: `https://bok.example/verifikat/${id}`,
      },
    ]);
    const file = await fetchFile(documentId);
    expect(file.rawPayload).toEqual(bytes);
    expect(file.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': String(bytes.length),
      'content-disposition': `attachment; filename="Kvitto _a_ 14.pdf"; filename*=UTF-8''Kvitto%20%22%C3%A5%22%2014.pdf`,
      'x-content-type-options': 'nosniff',
      etag: `"${sha256(bytes)}"`,
      'accept-ranges': 'bytes',
    });
    expect(await toldOf(id)).toBe(1);
  });

  test('whoever has the file is answered 304; parts are answered by 206, what is no part by the whole', async () => {
    const id = await voucher(6110, 1930);
    const bytes = Buffer.from('0123456789');
    const { id: documentId } = await attach(id, bytes, 'siffror.txt');
    const etag = `"${sha256(bytes)}"`;
    const known = await fetchFile(documentId, { 'if-none-match': etag });
    expect([known.statusCode, known.body]).toEqual([304, '']);
    const parts: [string, number, string, string?][] = [
      ['bytes=0-3', 206, '0123', 'bytes 0-3/10'],
      ['bytes=7-', 206, '789', 'bytes 7-9/10'],
      ['bytes=-4', 206, '6789', 'bytes 6-9/10'],
      ['bytes=-99', 206, '0123456789', 'bytes 0-9/10'],
      ['bytes=8-99', 206, '89', 'bytes 8-9/10'],
      ['bytes=10-', 200, '0123456789'],
      ['bytes=5-2', 200, '0123456789'],
      ['bytes=-0', 200, '0123456789'],
      ['bytes=0-1,3-4', 200, '0123456789'],
      ['bytes=-', 200, '0123456789'],
      ['lines=1-2', 200, '0123456789'],
    ];
    for (const [range, status, body, contentRange] of parts) {
      const answer = await fetchFile(documentId, { range });
      expect([range, answer.statusCode, answer.body, answer.headers['content-range']]).toEqual([
        range,
        status,
        body,
        contentRange,
      ]);
    }
    expect((await fetchFile(documentId, { range: 'bytes=0-3', 'if-range': etag })).body).toBe(
      '0123',
    );
    const other = await fetchFile(documentId, { range: 'bytes=0-3', 'if-range': '"x"' });
    expect([other.statusCode, other.body]).toEqual([200, '0123456789']);
    expect(other.headers['content-type']).toBe('text/plain; charset=utf-8');
  });

  test('a file of many pieces arrives whole, and so does a part across them', async () => {
    const id = await voucher(6110, 1930);
    const bytes = Buffer.concat([Buffer.from('%PDF-1.7 '), randomBytes(3 * 1024 * 1024)]);
    const { id: documentId } = await attach(id, bytes);
    expect((await fetchFile(documentId)).rawPayload.equals(bytes)).toBe(true);
    const part = await fetchFile(documentId, { range: 'bytes=1000000-2500000' });
    expect(part.rawPayload.equals(bytes.subarray(1_000_000, 2_500_001))).toBe(true);
  });

  test('what the vouchers were made of: an order, an e-invoice with what it carries, an invoice as it was sent', async () => {
    const sent = JSON.stringify(orderBody({ externalId: 'U-1' }));
    const ordered = await books.call({
      method: 'POST',
      url: '/api/inbound/order',
      payload: sent,
      headers: { 'content-type': 'application/json' },
    });
    const { invoiceId } = ordered.json();
    await owner((tx) => bookInvoices(tx, [invoiceId], 'test'));
    const carried = pdf('bilagan');
    const xml = eInvoice({
      number: 'U-1',
      documents: `<cac:AdditionalDocumentReference><cbc:ID>1</cbc:ID><cac:Attachment>
        <cbc:EmbeddedDocumentBinaryObject mimeCode="application/pdf" filename="bilaga.pdf">${carried.toString('base64')}</cbc:EmbeddedDocumentBinaryObject>
        </cac:Attachment></cac:AdditionalDocumentReference>`,
    });
    const received = await books.call({
      method: 'POST',
      url: '/api/inbound/peppol',
      payload: xml,
      headers: { 'content-type': 'application/xml' },
    });
    const { draftId } = received.json();
    await owner(async (tx) => {
      await tx.query(sql`with s as (insert into purchases.suppliers (id, name, created_by)
          values (gen_random_uuid(), 'Pappersbruket AB', 'test') returning id)
        update purchases.invoices i set supplier_id = s.id from s where i.id = ${draftId}::uuid`);
      await tx.query(sql`delete from purchases.invoice_rows where invoice_id = ${draftId}::uuid`);
      await tx.query(sql`insert into purchases.invoice_rows (invoice_id, row_no, account, debit_ore, credit_ore)
        values (${draftId}::uuid, 1, 6110, 100000, 0), (${draftId}::uuid, 2, 2641, 25000, 0), (${draftId}::uuid, 3, 2440, 0, 125000)`);
    });
    expect(await list(await voucher(6110, 1930))).toEqual([]);
    const laid = await owner(async (tx) => {
      const kept = await keepDocument(
        tx,
        { fileName: 'order.txt', bytes: Buffer.from('best') },
        'test',
      );
      await fileOnPurchase(tx, { documentId: kept.id, purchaseId: draftId }, 'test');
      return kept;
    });
    const outcomes = await owner((tx) => bookPurchases(tx, [draftId], 'test'));
    expect(outcomes.flatMap(({ refusal }) => refusal ?? [])).toEqual([]);
    const mailId = await makeMail(books.owner);
    const [mailed] = await db(books.owner).query<{ invoice_id: string }>(sql`update sales.mails
      set state = 'sent', sent_at = now(), delivered_to = recipients where id = ${mailId}::uuid returning invoice_id`);
    const vouchers = await db(books.owner).query<{ id: string; of: string }>(sql`
      select voucher_id as id, id as of from sales.invoices where id = any (${[invoiceId, mailed?.invoice_id ?? '']}::uuid[])
      union all select voucher_id, id from purchases.invoices where id = ${draftId}::uuid`);
    const listed = await list(...vouchers.map(({ id }) => id));
    const contents = new Map<string, Buffer>();
    for (const { id } of listed) contents.set(id, (await fetchFile(id)).rawPayload);
    const found = listed.map((one) => ({
      kind: one.kind,
      of: one['invoice_id'] ?? one['purchase_id'],
      content: contents.get(one.id)?.toString(),
      isTrue: sha256(contents.get(one.id) ?? Buffer.alloc(0)) === one.sha256,
    }));
    const by = (one: { kind: string; content?: string | undefined }) =>
      `${one.kind} ${one.content}`;
    expect(found.sort((a, b) => (by(a) < by(b) ? -1 : 1))).toEqual(
      [
        { kind: 'attachment', of: draftId, content: carried.toString(), isTrue: true },
        { kind: 'attachment', of: draftId, content: 'best', isTrue: true },
        { kind: 'e_invoice', of: draftId, content: xml, isTrue: true },
        { kind: 'invoice_pdf', of: mailed?.invoice_id, content: PDF.toString(), isTrue: true },
        { kind: 'order', of: invoiceId, content: sent, isTrue: true },
      ].sort((a, b) => (by(a) < by(b) ? -1 : 1)),
    );
    expect(laid.sha256).toBe(sha256(Buffer.from('best')));
  });

  test('page by page everything comes once, of as many vouchers as are asked for', async () => {
    const those = [await voucher(6110, 1930), await voucher(6110, 1930)];
    for (const id of those) for (let n = 0; n < 3; n += 1) await attach(id, pdf(`${id} ${n}`));
    const whole = await list(...those);
    expect(whole).toHaveLength(6);
    const query = those.map((id) => `voucher=${id}`).join('&');
    const seen: Listed[] = [];
    for (let cursor = ''; ; ) {
      const page = (await books.call({ url: `${url}?${query}&limit=2${cursor}`, key })).json();
      seen.push(...page.data);
      if (!page.has_more) break;
      cursor = `&cursor=${page.next_cursor}`;
    }
    expect(seen).toEqual(whole);
  });

  test.each([
    ['nothing', '', 'voucher'],
    ['what is no id', '?voucher=x', 'voucher'],
    ['more than a hundred', `?${`voucher=${randomUUID()}&`.repeat(101)}`.slice(0, -1), 'voucher'],
    ['no cursor', `?voucher=${randomUUID()}&cursor=x`, 'cursor'],
    ['no page', `?voucher=${randomUUID()}&limit=0`, 'limit'],
    ['another filter', `?voucher=${randomUUID()}&purchase=x`, 'purchase'],
    ['a file by no id', '/x', 'id'],
  ])('%s is refused by name', async (_, query, field) => {
    const answer = await books.call({ url: `${url}${query}`, key });
    expect([answer.statusCode, answer.json().error]).toEqual([400, 'invalid_request']);
    expect(answer.json().detail.problems[0].path).toContain(field);
    if (query === '') expect(answer.json().message).toBe('voucher saknas.');
  });
});

describe('what no key reads', () => {
  const isClosed = async (voucherId: string, documentId: string) => {
    const answer = await fetchFile(documentId);
    return [await list(voucherId), answer.statusCode, answer.json().error];
  };
  const closed = [[], 404, 'not_found'];

  test.each([
    [7210, 1930],
    [7699, 1930],
    [7010, 2710],
    [2731, 1630],
    [2820, 1930],
    [1610, 1930],
    [2920, 2999],
    [2941, 2999],
  ])('documents of staff: a voucher on %i', async (debit, credit) => {
    // The chart of the test lacks some.
    for (const number of [debit, credit]) {
      const type = number < 2000 ? 'asset' : number < 3000 ? 'liability' : 'cost';
      await db(books.owner).query(sql`insert into ledger.accounts (number, name, type)
        values (${number}, 'Konto', ${type}) on conflict do nothing`);
    }
    const id = await voucher(debit, credit);
    const { id: documentId } = await attach(id, pdf(`lön ${debit}`), 'Lön Anna.pdf');
    expect(await isClosed(id, documentId)).toEqual(closed);
    expect(await toldOf(id)).toBe(0);
  });

  test('a content of staff on any voucher that it documents too, before and after', async () => {
    const ordinary = await voucher(6110, 1930);
    const bytes = pdf('reseräkning');
    const { id: documentId } = await attach(ordinary, bytes);
    expect(await list(ordinary)).toHaveLength(1);
    const { replacement } = await owner((tx) =>
      correctVoucher(
        tx,
        {
          correctedId: ordinary,
          date: '2026-03-31',
          description: 'Rätt konto',
          replacement: {
            description: 'Traktamente',
            counterparty: null,
            rows: [row(7321, 10_000), row(1930, -10_000)],
          },
        },
        'test',
      ),
    );
    const [copied] = await db(books.owner).query<{ id: string }>(
      sql`select id from ledger.attachments where voucher_id = ${replacement?.id ?? ''}::uuid`,
    );
    expect(await isClosed(replacement?.id ?? '', copied?.id ?? '')).toEqual(closed);
    expect(await isClosed(ordinary, documentId)).toEqual(closed);
    // Whoever had it is told to look again.
    expect(await toldOf(ordinary)).toBe(2);
  });

  test('what people hold back, from the page of the voucher, until they let it go', async () => {
    const id = await voucher(6110, 1930);
    const other = await voucher(6110, 1930);
    const bytes = pdf('protokoll');
    const { id: documentId } = await attach(id, bytes);
    const { id: same } = await attach(other, bytes);
    expect((await keeper.get(`/verifikat/${id}`)).body).toContain('Håll utanför API:t');
    await keeper.submit(`/verifikat/${id}/undanhall`, {}, `/verifikat/${id}`);
    expect(await isClosed(id, documentId)).toEqual(closed);
    expect(await isClosed(other, same)).toEqual(closed);
    const seen = await reader.get(`/verifikat/${id}`);
    expect(seen.body).toContain('ingen nyckel läser underlagen');
    expect(seen.body).not.toContain('/slapp"');
    expect((await reader.submit(`/verifikat/${id}/slapp`, {}, `/verifikat/${id}`)).statusCode).toBe(
      403,
    );
    expect(await isClosed(id, documentId)).toEqual(closed);
    await keeper.submit(`/verifikat/${id}/slapp`, {}, `/verifikat/${id}`);
    expect((await fetchFile(documentId)).rawPayload).toEqual(bytes);
    expect((await fetchFile(same)).rawPayload).toEqual(bytes);
    expect([await toldOf(id), await toldOf(other)]).toEqual([4, 3]);
    const trail = await db(books.owner).query<{
      action: string;
    }>(sql`select action from audit.events
      where subject = ${id} and action like 'voucher.documents%' order by occurred_at`);
    expect(trail.map(({ action }) => action)).toEqual([
      'voucher.documents_withheld',
      'voucher.documents_released',
    ]);
    expect((await keeper.get(`/verifikat/${id}`)).body).toContain('Underlag hålls utanför API:t');
  });

  test('held back twice and let go twice is once, and of no voucher is refused', async () => {
    const id = await voucher(6110, 1930);
    for (const work of [withholdDocuments, releaseDocuments]) {
      await owner((tx) => work(tx, id, 'test'));
      await owner((tx) => work(tx, id, 'test'));
    }
    await expect(owner((tx) => withholdDocuments(tx, randomUUID(), 'test'))).rejects.toMatchObject({
      code: 'unprocessable',
    });
    expect(
      await db(books.owner).query(
        sql`select from audit.events where subject = ${id} and action like 'voucher.documents%'`,
      ),
    ).toHaveLength(2);
  });

  test('what waits in the inbox, what is on no booked purchase, and what is not there', async () => {
    const kept = await owner((tx) =>
      keepDocument(tx, { fileName: 'lön.pdf', bytes: pdf('väntar') }, 'test'),
    );
    expect((await fetchFile(kept.id)).statusCode).toBe(404);
    const xml = eInvoice({ number: 'U-9' });
    await books.call({
      method: 'POST',
      url: '/api/inbound/peppol',
      payload: xml,
      headers: { 'content-type': 'application/xml' },
    });
    const [document] = await db(books.owner).query<{ id: string }>(
      sql`select document_id as id from purchases.invoices where invoice_number = 'U-9'`,
    );
    expect((await fetchFile(document?.id ?? '')).statusCode).toBe(404);
    expect((await fetchFile(randomUUID())).json().message).toContain('voucher=');
    expect(await list(randomUUID())).toEqual([]);
  });
});

describe('who may', () => {
  test('no key of before, and none that may only read the rest or hand documents in', async () => {
    const id = await voucher(6110, 1930);
    const { id: documentId } = await attach(id, pdf('vem'));
    const all = [
      'data:read',
      'intake:write',
      'documents:write',
      'bank:write',
      'bank:read',
    ] as const;
    const { key: old } = await books.makeKey([...all, 'ledger:write']);
    for (const path of [`?voucher=${id}`, `/${documentId}`]) {
      const answer = await books.call({ url: `${url}${path}`, key: old });
      expect([answer.statusCode, answer.json().detail?.missing]).toEqual([403, ['documents:read']]);
    }
    // And the scope opens nothing else.
    for (const path of ['verifikat', 'kunder', 'handelser', 'banktransaktioner']) {
      expect((await books.call({ url: `/api/v1/${path}`, key })).statusCode).toBe(403);
    }
  });

  test('a key that is revoked reads no more', async () => {
    const id = await voucher(6110, 1930);
    const { id: documentId } = await attach(id, pdf('slut'));
    const { id: keyId, key: other } = await books.makeKey(['documents:read']);
    expect((await books.call({ url: `${url}/${documentId}`, key: other })).statusCode).toBe(200);
    await owner((tx) => revokeKey(tx, keyId, 'test'));
    expect((await books.call({ url: `${url}/${documentId}`, key: other })).statusCode).toBe(401);
  });
});

describe('by any SQL', () => {
  const login = (role: DatabaseRole) => attackerAs(role, () => books.url, 'constraint', 'code');
  const api = login('hb_api');
  const app = login('hb_app');
  const worker = login('hb_worker');
  const presented = (someone: LoggedIn): string =>
    hashOfSecret(String(someone.cookies.get(sessionCookie))).toString('hex');
  const present = (secret: string) => {
    const credential = secret === '' ? '' : hashOfSecret(secret).toString('hex');
    return api.run("select set_config('huvudbok.credential', $1, false)", [credential]);
  };
  const asPerson = async (person: LoggedIn, statement: string) => {
    const answer = await app.run(
      `begin; select set_config('huvudbok.session', '${presented(person)}', true); ${statement}; commit`,
    );
    await app.run('rollback');
    return answer;
  };

  test('a key reaches a document by the three functions alone, and only with the scope', async () => {
    const id = await voucher(7210, 1930);
    const { id: documentId } = await attach(id, pdf('sql'));
    const { key: reads } = await books.makeKey(['data:read']);
    const calls = [
      `select * from api.list_documents(array['${id}']::uuid[], null, null, 9)`,
      `select * from api.find_document('${documentId}')`,
      `select api.read_document('${documentId}', 0, 99)`,
    ];
    for (const statement of [
      'select * from ledger.attachments',
      'select * from ledger.withheld_vouchers',
      `delete from ledger.withheld_vouchers`,
      'select * from archive.contents',
      `select * from ledger.documents_for_keys(array['${id}']::uuid[])`,
      `select ledger.is_closed_to_keys('${id}')`,
      'select * from events.removals',
    ]) {
      expect([statement, await api.run(statement)]).toEqual([statement, '42501']);
    }
    for (const [secret, answers] of [
      ['', ['HB401', 'HB401', 'HB401']],
      [reads, ['HB403', 'HB403', 'HB403']],
      [key, [[], [], [{ read_document: null }]]],
    ] as const) {
      await present(secret);
      for (const [index, statement] of calls.entries()) {
        expect([statement, await api.run(statement)]).toEqual([statement, answers[index]]);
      }
    }
  });

  test('people hold documents back by their right, under their own name and in the trail', async () => {
    const id = await voucher(6110, 1930);
    const insert = `insert into ledger.withheld_vouchers (voucher_id, created_by) values ('${id}', 'user:nobody')`;
    expect(await app.run(insert)).toMatch(/^(42501|HB401|HB405)$/);
    expect(await asPerson(reader, insert)).toMatch(/^(42501|HB405)$/);
    expect(await asPerson(keeper, insert)).toBe('changes_are_written_down');
    await keeper.submit(`/verifikat/${id}/undanhall`, {}, `/verifikat/${id}`);
    expect(
      await asPerson(keeper, `delete from ledger.withheld_vouchers where voucher_id = '${id}'`),
    ).toBe('changes_are_written_down');
    expect(
      await asPerson(keeper, 'update ledger.withheld_vouchers set voucher_id = voucher_id'),
    ).toBe('42501');
    const [kept] = await db(books.owner).query<{ created_by: string }>(
      sql`select created_by from ledger.withheld_vouchers where voucher_id = ${id}::uuid`,
    );
    expect(kept?.created_by).toBe(`user:${keeper.id}`);
    expect(await worker.run('select * from ledger.withheld_vouchers')).toBe('42501');
    expect(await worker.run('select payload from proposals.proposals')).toBe('42501');
    expect(await worker.run('insert into events.removals (list) values (1)')).toBe('42501');
  });
});

test('the events of documents are told to those who ask', async () => {
  const { key: follower } = await books.makeKey(['data:read']);
  const begun = await books.call({ url: '/api/v1/handelser?from=now', key: follower });
  const id = await voucher(6110, 1930);
  await attach(id, pdf('berättat'));
  const read = () =>
    books.call({
      url: `/api/v1/handelser?cursor=${begun.json().next_cursor}&limit=500`,
      key: follower,
    });
  const told = async () =>
    (await read())
      .json()
      .data.filter(({ type }: { type: string }) => type === 'documents.changed')
      .map(({ data }: { data: object }) => data);
  await until(async () =>
    (await told()).some((one: { voucher_id?: string }) => one.voucher_id === id),
  );
});
