/** POST /api/inbound/peppol: the bytes first, then a draft or a reason, and never twice. */
import { createHash } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { changeSetting } from '#src/installation/company/service.ts';
import { takeInDocument } from '#src/purchases/e-invoices/take-in.ts';
import { bookPurchases } from '#src/purchases/inbox/service.ts';
import { createSupplier, markSupplier } from '#src/purchases/suppliers/service.ts';
import { type EInvoiceParts, eInvoice, inEnvelope } from '../support/e-invoice.ts';
import type { Installation } from '../support/installation.ts';
import { startApp } from '../support/processes.ts';
import { inWords } from '../support/words.ts';
import { openBooks } from './books.ts';

const url = '/api/inbound/peppol';
let books: Installation;
async function open(): Promise<() => Promise<void>> {
  const opened = await openBooks({ workers: true });
  books = opened;
  return opened.close;
}

const sendBytes = (payload: string | Buffer, type = 'application/xml', key?: string) =>
  books.call({
    method: 'POST',
    url,
    payload,
    headers: { 'content-type': type },
    ...(key === undefined ? {} : { key }),
  });
const send = (parts: EInvoiceParts = {}) => sendBytes(eInvoice(parts));
const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');
const known = (account: number | null = null, number = '50501055') =>
  withTx(books.owner, (tx) =>
    createSupplier(
      tx,
      {
        name: 'Pappersbruket',
        organizationNumber: '5560360793',
        vatNumber: null,
        endpoint: null,
        countryCode: 'SE',
        account,
        accounts: [{ kind: 'bankgiro', number }],
      },
      'test',
    ),
  );
const rulesOf = (response: { json(): { warnings: { rule: string }[] } }) =>
  response.json().warnings.map(({ rule }) => rule);

interface Kept {
  status: string;
  reason: string | null;
  size: bigint;
  raw: Buffer | null;
}
const kept = () =>
  db(books.owner).query<Kept>(
    sql`select status, reason, size, raw from intake.e_invoices order by received_at, id`,
  );
const purchases = () =>
  db(books.owner).query<{ id: string; status: string; voucher_id: string | null }>(
    sql`select id, status, voucher_id from purchases.invoices order by created_at, id`,
  );
const rows = (draftId: string) =>
  db(books.owner).query(
    sql`select account, debit_ore, credit_ore from purchases.invoice_rows
        where invoice_id = ${draftId}::uuid order by row_no`,
  );

describe('an e-invoice from a known supplier', () => {
  beforeEach(open);

  test('becomes a draft that nobody needs to look at', async () => {
    await known(5410);
    const xml = eInvoice();
    const response = await sendBytes(xml);
    expect(response.statusCode, response.body).toBe(200);
    const body = response.json();
    expect(body).toEqual({
      ok: true,
      draftId: expect.any(String),
      invoiceNo: 'F-1001',
      supplier: 'Pappersbruket AB',
      total: 1250,
      warnings: [],
      documentSha256: sha256(xml),
      receivedAt: expect.any(String),
      countryCodeC4: 'SE',
      status: 'new',
    });
    expect(await rows(body.draftId)).toEqual([
      { account: 5410, debit_ore: 100_000n, credit_ore: 0n },
      { account: 2641, debit_ore: 25_000n, credit_ore: 0n },
      { account: 2440, debit_ore: 0n, credit_ore: 125_000n },
    ]);
    const [{ raw }] = (await kept()) as [Kept];
    expect(raw?.toString()).toBe(xml);
  });

  test('is booked by itself when the company wants it, once', async () => {
    await known(5410);
    await withTx(books.owner, (tx) => changeSetting(tx, 'e-invoice-booking', 'on', 'test'));
    await send();
    await expect.poll(async () => (await purchases())[0]?.status).toBe('booked');
    const vouchers = await db(books.owner).query(
      sql`select series, source, counterparty, total_ore from ledger.vouchers`,
    );
    expect(vouchers).toEqual([
      {
        series: 'D',
        source: 'supplier_invoice',
        counterparty: 'Pappersbruket',
        total_ore: 125_000n,
      },
    ]);
    expect((await send()).json()).toMatchObject({ duplicate: true, status: 'new' });
  });

  test('follows where the supplier’s last one went', async () => {
    await known();
    const { draftId } = (await send()).json();
    await withTx(books.owner, async (tx) => {
      await tx.query(sql`update purchases.invoice_rows set account = 6110
        where invoice_id = ${draftId}::uuid and account = 4000`);
      await bookPurchases(tx, [draftId], 'test');
    });
    const next = (await send({ number: 'F-1002' })).json();
    expect((await rows(next.draftId))[0]).toMatchObject({ account: 6110 });
  });
});

describe('an invoice whose VAT we owe', () => {
  beforeEach(open);

  const german = { name: 'Kaffee GmbH', foreign: { country: 'DE', vatNumber: 'DE123456788' } };
  const make = (supply: 'goods' | 'services' | null, account: number | null = null) =>
    withTx(books.owner, async (tx) => {
      await changeSetting(tx, 'e-invoice-booking', 'on', 'test');
      const { id } = await createSupplier(
        tx,
        {
          name: 'Kaffee',
          organizationNumber: null,
          vatNumber: 'DE123456788',
          endpoint: null,
          countryCode: 'DE',
          account,
          accounts: [],
        },
        'test',
      );
      await markSupplier(tx, id, { supply, rate: 25 }, 'test');
      return id;
    });
  const posted = () =>
    db(books.owner).query(
      sql`select account, debit_ore, credit_ore from ledger.voucher_rows order by row_no`,
    );

  test('waits for somebody until the supplier is marked, and is never booked on a guess', async () => {
    const id = await make(null);
    const response = await send({ seller: german, category: 'AE' });
    expect(rulesOf(response)).toEqual(['HB-REVERSE-CHARGE']);
    await withTx(books.owner, (tx) => markSupplier(tx, id, { supply: 'goods', rate: 12 }, 'test'));
    const other = await send({ seller: german, category: 'AE', number: 'F-2' });
    expect(rulesOf(other)).toEqual(['HB-REVERSE-CHARGE-RATE']);
    await withTx(books.owner, (tx) => markSupplier(tx, id, { supply: 'goods', rate: 25 }, 'test'));
    expect((await send({ seller: german, category: 'K', number: 'F-3' })).json().status).toBe(
      'new',
    );
    await expect.poll(posted).toEqual([
      { account: 4515, debit_ore: 100_000n, credit_ore: 0n },
      { account: 2645, debit_ore: 25_000n, credit_ore: 0n },
      { account: 2614, debit_ore: 0n, credit_ore: 25_000n },
      { account: 2440, debit_ore: 0n, credit_ore: 100_000n },
    ]);
    expect((await purchases()).map(({ status }) => status)).toEqual(['review', 'review', 'booked']);
  });

  test('keeps its cost on the supplier’s account, also when only history says which', async () => {
    const id = await make('services', 6540);
    await send({ seller: german, category: 'AE' });
    await expect.poll(async () => (await purchases())[0]?.status).toBe('booked');
    await db(books.owner).query(
      sql`update purchases.suppliers set account = null where id = ${id}`,
    );
    const next = (await send({ seller: german, category: 'AE', number: 'F-2' })).json();
    expect(await rows(next.draftId)).toEqual([
      { account: 6540, debit_ore: 100_000n, credit_ore: 0n },
      { account: 4535, debit_ore: 100_000n, credit_ore: 0n },
      { account: 4598, debit_ore: 0n, credit_ore: 100_000n },
      { account: 2645, debit_ore: 25_000n, credit_ore: 0n },
      { account: 2614, debit_ore: 0n, credit_ore: 25_000n },
      { account: 2440, debit_ore: 0n, credit_ore: 100_000n },
    ]);
  });

  test.each<[string, EInvoiceParts, string, number]>([
    ['no VAT from the EU', { seller: german, category: 'E' }, 'HB-NO-VAT-WITHIN-EU', 4000],
    [
      'no VAT from outside',
      {
        seller: { name: 'Cloud Inc.', foreign: { country: 'US', vatNumber: 'US123456' } },
        category: 'G',
      },
      'HB-REVERSE-CHARGE',
      4531,
    ],
  ])('is looked at: %s', async (_name, parts, rule, account) => {
    await make(null);
    const response = await send(parts);
    expect(rulesOf(response)).toContain(rule);
    expect((await rows(response.json().draftId))[0]).toMatchObject({ account });
  });
});

describe('a person must look at', () => {
  beforeEach(open);

  test('a supplier nobody knows', async () => {
    const response = await send();
    expect(response.json()).toMatchObject({ status: 'review' });
    expect(rulesOf(response)).toEqual(['HB-SUPPLIER-UNKNOWN']);
  });

  test('a known supplier that wants its money elsewhere', async () => {
    await known(null, '99999999');
    expect(rulesOf(await send())).toEqual(['HB-PAYMENT-CHANGED']);
  });

  test('a credit note, which is booked the other way', async () => {
    await known(5410);
    const response = await send({ root: 'CreditNote' });
    expect(response.json()).toMatchObject({ status: 'review', total: -1250 });
    expect(rulesOf(response)).toEqual(['HB-CREDIT-NOTE']);
    expect((await rows(response.json().draftId))[0]).toEqual({
      account: 5410,
      debit_ore: 0n,
      credit_ore: 100_000n,
    });
  });

  test('a credit note below zero, though it is owed like an invoice', async () => {
    await known(5410);
    const response = await send({ root: 'CreditNote', net: -1_000 });
    expect(response.json()).toMatchObject({ status: 'review', total: 1250 });
    expect(rulesOf(response)).toEqual(['HB-CREDIT-NOTE']);
    expect(await rows(response.json().draftId)).toContainEqual({
      account: 2440,
      debit_ore: 0n,
      credit_ore: 125_000n,
    });
  });

  test('a prepayment and the final invoice that deducts it, which together cost once', async () => {
    await known(5410);
    const first = await send({ typeCode: '386' });
    expect(rulesOf(first)).toEqual(['HB-PREPAYMENT']);
    const last = { number: 'F-1002', net: 4_000, prepaid: 1_250, preceding: 'F-1001' };
    const early = await send({ ...last, number: 'F-1000' });
    expect(rulesOf(early)).toEqual(['HB-PREPAID']);
    const book = (id: string) =>
      withTx(books.owner, async (tx) => (await bookPurchases(tx, [id], 'test'))[0]);
    expect((await book(first.json().draftId))?.refusal).toBeNull();
    const final = await send(last);
    expect(rulesOf(final)).toEqual(['HB-PREPAYMENT-DEDUCTED']);
    // One that deducts it too finds nothing left to deduct, nor one that waited from before.
    const again = await send({ ...last, number: 'F-1003' });
    expect(rulesOf(again)).toEqual(['HB-PREPAID']);
    expect((await book(final.json().draftId))?.refusal).toBeNull();
    const [row] = await db(books.owner).query<{ balances: Record<string, number> }>(
      sql`select json_object_agg(account, kronor) as balances from (
            select account, sum(debit_ore - credit_ore) / 100 as kronor from ledger.voucher_rows
            group by account order by account) as sums`,
    );
    expect(row?.balances).toEqual({ 1480: 0, 2440: -5_000, 2641: 1_000, 5410: 4_000 });
  });

  test('nothing of an invoice on zero kronor: it is booked without a voucher, once', async () => {
    await known(5410);
    const zero = await send({ net: 0 });
    expect(zero.json()).toMatchObject({ status: 'new', total: 0, warnings: [] });
    const { draftId } = zero.json();
    for (let time = 0; time < 2; time += 1) {
      const [outcome] = await withTx(books.owner, (tx) => bookPurchases(tx, [draftId], 'test'));
      const wasBooked = time > 0;
      expect(outcome).toEqual({ id: draftId, voucherId: null, refusal: null, wasBooked });
    }
    await withTx(books.owner, (tx) => changeSetting(tx, 'e-invoice-booking', 'on', 'test'));
    await send({ net: 0, number: 'F-2' });
    await expect
      .poll(async () => (await purchases()).map(({ status }) => status))
      .toEqual(['booked', 'booked']);
    expect(await db(books.owner).query(sql`select from ledger.vouchers`)).toEqual([]);
  });

  test('a corrected invoice: another document with a number that has come', async () => {
    await known();
    const first = (await send()).json();
    const response = await send({ net: 2_000 });
    expect(rulesOf(response)).toEqual(['HB-NUMBER-TWICE']);
    expect(response.json().draftId).not.toBe(first.draftId);
  });

  test('what breaks official rules, by their ids', async () => {
    await known();
    const response = await send({ payable: '1251.00' });
    expect(rulesOf(response)).toContain('BR-CO-16');
    expect(response.json().warnings).toContainEqual({
      rule: 'BR-CO-16',
      level: 'fatal',
      path: expect.stringContaining('LegalMonetaryTotal'),
      message: expect.any(String),
    });
    expect(await rows(response.json().draftId)).toEqual([]);
  });

  test('another currency, for which no rows are guessed', async () => {
    await known();
    const response = await send({ currency: 'EUR' });
    expect(rulesOf(response)).toContain('HB-FOREIGN-CURRENCY');
    expect(await rows(response.json().draftId)).toEqual([]);
  });
});

describe('the same document again', () => {
  beforeEach(open);

  test('is answered as the first time, in any wrapping', async () => {
    await known();
    const xml = eInvoice();
    const { receivedAt, ...first } = (await sendBytes(xml)).json();
    const documentBase64 = Buffer.from(xml).toString('base64');
    for (const [payload, type] of [
      [xml, 'application/xml; charset=utf-8'],
      [JSON.stringify({ document: xml }), 'application/json'],
      [JSON.stringify({ documentBase64 }), 'application/json'],
      [JSON.stringify({ document: xml, documentBase64: null }), 'application/json'],
      [JSON.stringify({ document: null, documentBase64 }), 'application/json'],
    ] as const) {
      const again = await sendBytes(payload, type);
      expect(again.statusCode).toBe(200);
      expect(again.json()).toEqual({ ...first, receivedAt, duplicate: true });
    }
    expect(await purchases()).toHaveLength(1);
  });

  test('is known in another envelope too', async () => {
    await known();
    const xml = eInvoice();
    const inner = xml.replace(/^<\?xml[^>]*\?>\s*/, '').trim();
    const first = (await sendBytes(inEnvelope(xml))).json();
    expect(first.documentSha256).toBe(sha256(inner));
    const again = await sendBytes(inEnvelope(xml).replace('a-1', 'a-2'));
    expect(again.json()).toMatchObject({ draftId: first.draftId, duplicate: true });
  });

  test('64 times at once over two processes is one draft', async () => {
    await known();
    const other = await startApp(books.url);
    const payload = eInvoice();
    const headers = { 'content-type': 'application/xml' };
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, call) =>
        call % 2 ? sendBytes(payload) : other(books.key, { method: 'POST', url, payload, headers }),
      ),
    );
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    expect(new Set(answers.map((answer) => answer.json().draftId)).size).toBe(1);
    expect(answers.filter((answer) => answer.json().duplicate !== true)).toHaveLength(1);
    expect(await purchases()).toHaveLength(1);
  });

  test('keeps its first answer when the draft has been booked since', async () => {
    await known();
    const { draftId } = (await send()).json();
    await withTx(books.owner, (tx) => bookPurchases(tx, [draftId], 'test'));
    expect((await send()).json()).toMatchObject({ draftId, status: 'new', duplicate: true });
  });
});

const reasonOf = async (payload: string | Buffer, type?: string) => {
  const response = await sendBytes(payload, type);
  expect(response.json().error).toBe('invalid_request');
  expect(response.statusCode).toBe(400);
  return response.json().detail;
};

describe('is refused, whatever was refused before, and kept where people see it:', () => {
  beforeAll(open);

  test.each<[string, string | Buffer]>([
    ['nothing', ''],
    ['no XML', 'hej'],
    ['half a document', eInvoice().slice(0, 2_000)],
    ['another document', '<Order xmlns="urn:oasis:names:specification:ubl:schema:xsd:Order-2"/>'],
    ['a DOCTYPE', eInvoice().replace('?>', '?><!DOCTYPE Invoice [<!ENTITY a "b">]>')],
    ['wrong bytes', Buffer.from(eInvoice().replace('Pappersbruket', 'Pappersbrük'), 'latin1')],
    ['no number', eInvoice().replace('<cbc:ID>F-1001</cbc:ID>', '')],
    ['no such day', eInvoice({ issueDate: '2026-02-30' })],
    ['no seller', eInvoice().replace(/<cbc:RegistrationName>.*?<\/cbc:RegistrationName>/, '')],
    ['amounts beyond all books', eInvoice({ payable: '99999999999999999999.00' })],
  ])('%s', async (_name, payload) => {
    const before = await kept();
    expect(await reasonOf(payload)).toMatchObject({
      reason: 'document_unreadable',
      stored: true,
      document_id: expect.any(String),
    });
    expect((await kept()).slice(before.length)).toMatchObject([
      { status: 'rejected', reason: 'document_unreadable' },
    ]);
    expect(await purchases()).toEqual([]);
  });

  test('an amount with a decimal comma, which is not said to be missing', async () => {
    const response = await sendBytes(eInvoice({ payable: '1250,00' }));
    expect(response.statusCode).toBe(400);
    expect(response.json().message).toMatch(/PayableAmount.* är inget tal/);
  });

  test('with the place of the fault', async () => {
    const detail = await reasonOf(eInvoice().replace('</cac:TaxTotal>', ''));
    expect(detail).toMatchObject({ line: expect.any(Number), column: expect.any(Number) });
    expect(detail.line).toBeGreaterThan(5);
  });

  test.each([
    ['text', 'text/plain', 'x'],
    ['another XML', 'application/xhtml+xml', eInvoice()],
    ['no JSON', 'application/json', '{'],
    ['an empty envelope', 'application/json', '{}'],
    ['no base64', 'application/json', '{"documentBase64":"%"}'],
  ])('a body that is %s', async (_name, type, payload) => {
    const before = await kept();
    expect((await sendBytes(payload, type)).statusCode).toBe(400);
    expect((await kept()).slice(before.length)).toMatchObject([
      { status: 'rejected', reason: 'unreadable_body' },
    ]);
  });
});

describe('is refused, and kept where people see it:', () => {
  beforeEach(open);

  test('a document for somebody else; again the same', async () => {
    const payload = eInvoice({ buyer: { orgNumber: '5560360793' } });
    const first = await reasonOf(payload);
    expect(first.reason).toBe('wrong_receiver');
    expect(await reasonOf(payload)).toEqual(first);
    expect(await kept()).toHaveLength(1);
  });

  test('but not one addressed by a number of ours that is set', async () => {
    const buyer = { orgNumber: '5560360793' };
    await withTx(books.owner, (tx) => changeSetting(tx, 'receiver-ids', '0007:5560360793', 'test'));
    expect((await send({ buyer })).statusCode).toBe(200);
  });

  test('but the same bytes sent rightly afterwards are a document', async () => {
    expect((await sendBytes(eInvoice(), 'text/plain')).statusCode).toBe(400);
    expect((await sendBytes(eInvoice(), 'text/plain')).statusCode).toBe(400);
    expect(await kept()).toHaveLength(1);
    const response = await send();
    expect(response.statusCode).toBe(200);
    expect(response.json()).not.toHaveProperty('duplicate');
  });

  describe('but judged anew when it comes again:', () => {
    const ours = '0088:7300010000001';
    const strange = () =>
      eInvoice()
        .replace(
          '<cbc:EndpointID schemeID="0007">5567026934',
          '<cbc:EndpointID schemeID="0088">7300010000001',
        )
        .replaceAll('SE556702693401', 'SE556036079301')
        .replace('>5567026934<', '>5560360793<');
    const allow = () =>
      withTx(books.owner, (tx) => changeSetting(tx, 'receiver-ids', ours, 'test'));

    test('a number that has become ours since; once, as a new document', async () => {
      await known();
      const refused = await reasonOf(strange());
      expect(refused.reason).toBe('wrong_receiver');
      await allow();
      const again = await sendBytes(strange());
      expect(again.statusCode, again.body).toBe(200);
      expect(again.json()).not.toHaveProperty('duplicate');
      expect((await sendBytes(strange())).json()).toMatchObject({ duplicate: true });
      expect(await kept()).toMatchObject([{ status: 'draft', reason: null }]);
    });

    test('a broken envelope first, then a good one, and the broken one again', async () => {
      await known();
      const broken = inEnvelope(eInvoice()).replace('</Sender>', '');
      expect((await reasonOf(broken)).reason).toBe('document_unreadable');
      const good = await sendBytes(inEnvelope(eInvoice()));
      expect(good.statusCode, good.body).toBe(200);
      // The invoice itself is here, whatever is wrong with what it comes in.
      const { draftId } = good.json();
      expect((await sendBytes(broken)).json()).toMatchObject({ draftId, duplicate: true });
      expect((await kept()).map(({ status }) => status)).toEqual(['rejected', 'draft']);
    });

    test('64 times at once over two processes, in two envelopes, is one draft', async () => {
      await known();
      const bodies = [strange(), inEnvelope(strange(), ours)];
      // Without its declaration and the white space around, as it stands in an envelope.
      const bare = strange()
        .replace(/^<\?xml[^>]*\?>\s*/, '')
        .trim();
      for (const body of [bare, bodies[1] ?? '']) await reasonOf(body);
      const other = await startApp(books.url);
      await allow();
      const headers = { 'content-type': 'application/xml' };
      const answers = await Promise.all(
        Array.from({ length: 64 }, (_, call) => {
          const payload = call % 4 < 2 ? bare : inEnvelope(strange(), ours);
          return call % 2
            ? sendBytes(payload)
            : other(books.key, { method: 'POST', url, payload, headers });
        }),
      );
      expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
      expect(new Set(answers.map((answer) => answer.json().draftId)).size).toBe(1);
      expect(answers.filter((answer) => answer.json().duplicate !== true)).toHaveLength(1);
      expect(await purchases()).toHaveLength(1);
    });

    test('a person takes it in, while it comes again', async () => {
      const { document_id: id } = await reasonOf(strange());
      const take = () => withTx(books.owner, (tx) => takeInDocument(tx, id, 'test'));
      const taken = take();
      const [first, second, sent] = await Promise.all([taken, take(), sendBytes(strange())]);
      expect(second.draftId).toBe(first.draftId);
      expect([first.wasThere, second.wasThere].sort()).toEqual([false, true]);
      // Before the person it was still for somebody else; after, it is that draft.
      if (sent.statusCode === 200) expect(sent.json().draftId).toBe(first.draftId);
      const again = await sendBytes(strange());
      expect(again.json()).toMatchObject({ draftId: first.draftId, status: 'review' });
      expect(rulesOf(again)).toEqual(['HB-RECEIVER', 'HB-SUPPLIER-UNKNOWN']);
      expect(await purchases()).toHaveLength(1);
      const told = await db(books.owner).query(
        sql`select from events.outbox where type = 'e_invoice.received'`,
      );
      expect(told.length).toBeGreaterThan(1);
    });

    test('what cannot be read stays refused, also for a person, and nothing is changed', async () => {
      const half = await reasonOf(eInvoice().slice(0, 2_000));
      await expect(
        inWords(withTx(books.owner, (tx) => takeInDocument(tx, half.document_id, 'test'))),
      ).rejects.toThrow('går fortfarande inte att läsa');
      const wrong = await sendBytes(eInvoice(), 'text/plain');
      expect(wrong.statusCode).toBe(400);
      const [, text] = await db(books.owner).query<{ id: string }>(
        sql`select id from intake.e_invoices order by received_at`,
      );
      const { draftId } = await withTx(books.owner, (tx) =>
        takeInDocument(tx, text?.id ?? '', 'test'),
      );
      expect((await sendBytes(eInvoice())).json()).toMatchObject({ draftId, duplicate: true });
      expect((await kept()).map(({ status }) => status)).toEqual(['rejected', 'draft']);
    });
  });

  test('one byte more than 4 MB, of which nothing but its coming is kept', async () => {
    const limit = 4 * 1024 * 1024;
    const comment = (size: number) => eInvoice() + ' '.repeat(size - Buffer.byteLength(eInvoice()));
    const response = await sendBytes(comment(limit + 1));
    expect([response.statusCode, response.json().error]).toEqual([413, 'payload_too_large']);
    const [refused] = await kept();
    expect(refused).toEqual({
      status: 'rejected',
      reason: 'payload_too_large',
      size: BigInt(limit + 1),
      raw: null,
    });
    expect((await sendBytes(comment(limit))).statusCode).toBe(200);
  });

  test('502 when the bytes cannot be committed, and taken when they can', async () => {
    await db(books.owner).query(
      sql`alter table intake.e_invoices add constraint full_disk check (false) not valid`,
    );
    const refused = await send();
    expect([refused.statusCode, refused.json().error]).toEqual([502, 'document_not_stored']);
    await db(books.owner).query(sql`alter table intake.e_invoices drop constraint full_disk`);
    expect((await send()).json()).not.toHaveProperty('duplicate');
  });

  test('401 and 403 before anything is kept', async () => {
    const { key } = await books.makeKey(['data:read', 'ledger:write']);
    expect((await sendBytes(eInvoice(), 'application/xml', key)).statusCode).toBe(403);
    expect((await sendBytes(eInvoice(), 'application/xml', 'x')).statusCode).toBe(401);
    expect(await kept()).toEqual([]);
  });
});

describe('files inside', () => {
  beforeEach(open);

  const attached = (media: string, name: string, bytes: Buffer) =>
    `<cac:AdditionalDocumentReference><cbc:ID>1</cbc:ID><cac:Attachment>
      <cbc:EmbeddedDocumentBinaryObject mimeCode="${media}" filename="${name}">${bytes.toString('base64')}</cbc:EmbeddedDocumentBinaryObject>
    </cac:Attachment></cac:AdditionalDocumentReference>`;
  const files = () =>
    db(books.owner).query(
      sql`select a.file_name, a.media_type, convert_from(c.bytes, 'UTF8') as content
          from purchases.attachments a join archive.contents c using (sha256)`,
    );

  test('come along, with names that are only names', async () => {
    await known();
    const documents = attached('application/pdf', '../../faktura.pdf', Buffer.from('%PDF-1.7 x'));
    expect((await send({ documents })).json().warnings).toEqual([]);
    expect(await files()).toEqual([
      { file_name: 'faktura.pdf', media_type: 'application/pdf', content: '%PDF-1.7 x' },
    ]);
  });

  test('that are not what they say are left out, and said to be', async () => {
    await known();
    const documents = attached('application/pdf', 'virus.pdf', Buffer.from('MZ program'));
    expect(rulesOf(await send({ documents }))).toContain('HB-ATTACHMENT');
    expect(await files()).toEqual([]);
  });
});

describe('the earlier secret of this route', () => {
  beforeEach(open);

  test('opens it beside the keys', async () => {
    const secret = 'peppol-secret-peppol-secret-peppol-secret';
    const other = await openBooks({ workers: true, env: { PEPPOL_INBOUND_SECRET: secret } });
    try {
      const response = await other.call({
        method: 'POST',
        url,
        key: secret,
        payload: eInvoice(),
        headers: { 'content-type': 'application/xml' },
      });
      expect(response.statusCode).toBe(200);
    } finally {
      await other.close();
    }
  });
});
