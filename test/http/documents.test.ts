/** POST /api/v1/underlag: a file to the inbox of documents. */
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { db } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import type { Installation } from '../support/installation.ts';
import { openBooks } from './books.ts';

const mebibyte = 1024 * 1024;
let books: Installation;
let key: string;
beforeAll(async () => {
  books = await openBooks();
  ({ key } = await books.makeKey(['documents:write']));
});
afterAll(() => books.close());

const leave = (
  query: string,
  payload: Buffer | string,
  { headers = {}, ...more }: { key?: string; headers?: Record<string, string> } = {},
) =>
  books.call({
    method: 'POST',
    url: `/api/v1/underlag?${query}`,
    key,
    ...more,
    headers: { 'content-type': 'application/octet-stream', ...headers },
    payload,
  });
const rows = (statement: ReturnType<typeof sql>) => db(books.owner).query(statement);

test('a document is kept as it came, by its bytes, with what the call or the name says', async () => {
  const answer = await leave(
    'fileName=2026-03-14%20Kvitto.exe&amount=1249.5&counterparty=Bageriet',
    '%PDF-1.4 ett kvitto',
    { headers: { 'content-type': 'application/x-msdownload' } },
  );
  expect([answer.statusCode, answer.json()]).toMatchObject([
    200,
    { media_type: 'application/pdf', size: 19, status: 'waiting', duplicate: false },
  ]);
  const { id, url, sha256 } = answer.json();
  expect(url).toBe(`https://bok.example/underlag/${id}`);
  expect(
    await rows(sql`select file_name, document_date, amount_ore, counterparty,
        encode(sha256, 'hex') = ${sha256} as is_same, created_by like 'key:%' as is_keys
      from ledger.documents where id = ${id}::uuid`),
  ).toEqual([
    {
      file_name: '2026-03-14 Kvitto.exe',
      document_date: '2026-03-14',
      amount_ore: 124_950n,
      counterparty: 'Bageriet',
      is_same: true,
      is_keys: true,
    },
  ]);
});

test('a call is answered once; the same content in another is the same document', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const first = await leave('fileName=a.pdf', '%PDF-1.4 samma', { headers });
  const again = await leave('fileName=a.pdf', '%PDF-1.4 samma', { headers });
  expect(again.headers['idempotent-replayed']).toBe('true');
  expect(again.json()).toEqual(first.json());
  const other = await leave('fileName=a.pdf', '%PDF-1.4 en annan', { headers });
  expect([other.statusCode, other.json()]).toMatchObject([
    409,
    { error: 'idempotency_conflict', detail: { differing_fields: ['sha256'] } },
  ]);
  const renamed = await leave('fileName=b.pdf', '%PDF-1.4 samma');
  expect(renamed.json()).toMatchObject({ id: first.json().id, duplicate: true });
  const without = await leave('fileName=a.pdf', '%PDF-1.4 x', {
    headers: { 'idempotency-key': '' },
  });
  expect(without.json().error).toBe('idempotency_required');
});

test('its scope opens nothing else, and no key of before opens it', async () => {
  const { key: old } = await books.makeKey(['data:read', 'intake:write', 'ledger:write']);
  const refused = await leave('fileName=a.pdf', '%PDF-1.4', { key: old });
  expect([refused.statusCode, refused.json().detail.missing]).toEqual([403, ['documents:write']]);
  expect((await books.call({ url: '/api/v1/verifikat', key })).statusCode).toBe(403);
});

const lockedPdf =
  '%PDF-1.7\n1 0 obj << /Filter /Adobe.PubSec /V 4 >> endobj trailer << /Encrypt 1 0 R >>';

test('what is not kept is refused with its field and the way out', async () => {
  const cases = [
    ['fileName=a.exe', Buffer.from('MZ\x90\x00', 'latin1'), 422, 'file', 'file_type_not_kept'],
    ['fileName=a.pdf', lockedPdf, 422, 'file', 'file_is_locked'],
    ['fileName=a.pdf', '', 422, 'file', 'file_empty'],
    ['fileName=', '%PDF-1.4', 400, 'fileName', 'too_short'],
    ['fileName=a.pdf&date=2026-02-31', '%PDF-1.4', 400, 'date', 'not_a_date'],
    ['fileName=a.pdf&amount=1,50', '%PDF-1.4', 400, 'amount', 'wrong_format'],
    ['fileName=a.pdf&amount=0.00', '%PDF-1.4', 400, 'amount', 'not_positive'],
    ['fileName=a.pdf&note=x', '%PDF-1.4', 400, 'note', 'unknown_field'],
  ] as const;
  for (const [query, payload, status, path, reason] of cases) {
    const answer = await leave(query, payload);
    const [problem] = answer.json().detail?.problems ?? [];
    expect([query, answer.statusCode, problem]).toMatchObject([query, status, { path, reason }]);
    expect(problem.message).toMatch(/\S/);
  }
});

test('ten mebibytes are taken, and a byte more is not', async () => {
  const largest = Buffer.concat([Buffer.from('%PDF-1.4\n'), randomBytes(10 * mebibyte - 9)]);
  expect((await leave('fileName=stor.pdf', largest)).json()).toMatchObject({
    size: largest.length,
  });
  const larger = await leave(
    'fileName=st%C3%B6rre.pdf',
    Buffer.concat([largest, Buffer.from('x')]),
  );
  expect([larger.statusCode, larger.json().error]).toEqual([413, 'payload_too_large']);
});
