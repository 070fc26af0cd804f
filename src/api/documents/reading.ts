/** GET /api/v1/underlag and /{id}: the documents of vouchers, listed and handed out. */
import { Readable } from 'node:stream';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { type Access, callerOf, withKey } from '../../http/access.ts';
import { errorResponses, keyErrors } from '../../http/error-schemas.ts';
import type { App, AppDeps } from '../../http/fastify.ts';
import { fileDisposition } from '../../http/headers.ts';
import { type ByteRange, rangeOf } from '../../http/ranges.ts';
import { noQuery } from '../../http/schemas.ts';
import { isKnown } from '../../http/unchanged.ts';
import {
  type DocumentForKey,
  findFileForKey,
  listDocumentsForKey,
  readFileForKey,
} from '../../ledger/documents/key-store.ts';
import { decodePlace, encodePlace } from '../../lib/cursor.ts';
import { AppError } from '../../lib/errors.ts';
import { isUuid } from '../../lib/uuid.ts';
import { cutPage } from '../paging.ts';
import {
  documentFile,
  documentPage,
  documentParams,
  documentsQuery,
  fileHeaders,
} from './schemas.ts';

const url = '/api/v1/underlag';
const common = { tags: ['Documents'], security: [{ apiKey: [] }] };

export function registerDocumentReading(app: App, deps: AppDeps, access: Access): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();
  registerList(routes, deps, access);
  registerFile(routes, deps, access);
}

type PlaceParts = readonly [voucherId: string, id: string];
const isPlace = (parts: readonly unknown[]): parts is PlaceParts =>
  isUuid(parts[0]) && isUuid(parts[1]);

function registerList(app: App, { readers, config }: AppDeps, access: Access): void {
  app.withTypeProvider<ZodTypeProvider>().route({
    method: 'GET',
    url,
    config: { scopes: ['documents:read'] },
    onRequest: access.hook(['documents:read']),
    schema: {
      operationId: 'listDocuments',
      summary: 'List the documents of vouchers',
      description:
        'What people have laid on the vouchers, and what the vouchers were made of: the bytes of orders and refunds, e-invoices as they came, and invoices as they were sent. Documents of staff (vouchers with a row on accounts 161, 221, 223, 27, 282, 291–295 and 70–76 of BAS) and of vouchers that people hold back are not there, and neither is what waits in the inbox. Those of an invoice or a purchase are found by its voucher_id. The event documents.changed tells when to ask again.',
      ...common,
      querystring: documentsQuery,
      response: { 200: documentPage, ...errorResponses(...keyErrors, 'invalid_request') },
    },
    handler: async (request) => {
      const { voucher: vouchers, limit, cursor } = request.query;
      const filters = ['underlag', vouchers];
      const [voucherId, id] = cursor === undefined ? [] : decodePlace(filters, cursor, isPlace);
      const after = voucherId === undefined || id === undefined ? undefined : { voucherId, id };
      const found = await withKey(readers, callerOf(request), (tx) =>
        listDocumentsForKey(tx, { vouchers, limit }, after),
      );
      return cutPage(found, limit, {
        answer: (one) => documentAnswer(one, config.baseUrl),
        cursorOf: (last) => encodePlace(filters, [last.voucher_id, last.id]),
      });
    },
  });
}

const documentAnswer = ({ sha256, added_at, ...rest }: DocumentForKey, baseUrl: string) => ({
  ...rest,
  sha256: sha256.toString('hex'),
  added_at: added_at.toISOString(),
  file_url: `${baseUrl}${url}/${rest.id}`,
  url: `${baseUrl}/verifikat/${rest.voucher_id}`,
});

/** Read and handed on so many bytes at a time: who takes long holds no more than that. */
const pieceBytes = 1024 * 1024;

function registerFile(app: App, { quickReaders, readers }: AppDeps, access: Access): void {
  app.withTypeProvider<ZodTypeProvider>().route({
    method: 'GET',
    url: `${url}/:id`,
    config: { scopes: ['documents:read'] },
    onRequest: access.hook(['documents:read']),
    schema: {
      operationId: 'getDocument',
      summary: 'Fetch the file of a document',
      description:
        'The file as it came, by an id of the list. Its bytes never change, so ETag is their SHA-256 and If-None-Match answers 304. One range of bytes (Range: bytes=0-1023) is answered by 206; any other range by the whole file.',
      ...common,
      headers: fileHeaders,
      params: documentParams,
      querystring: noQuery,
      response: {
        200: documentFile('The whole file'),
        206: documentFile('The bytes that Range asks for'),
        304: z.null().describe('The answer is the one that If-None-Match has'),
        ...errorResponses(...keyErrors, 'invalid_request', 'not_found'),
      },
    },
    handler: async (request, reply) => {
      const caller = callerOf(request);
      const { id } = request.params;
      const file = await withKey(quickReaders, caller, (tx) => findFileForKey(tx, id));
      if (!file) throw new AppError('not_found', missing);
      const etag = `"${file.sha256.toString('hex')}"`;
      const always = { etag, 'accept-ranges': 'bytes' };
      if (isKnown(request, etag)) return reply.headers(always).code(304).send(null);
      const part = rangeOf(request.headers, { size: file.size, etag });
      const { from, length } = part ?? { from: 0, length: file.size };
      // Permission is looked up anew for each piece: who is shut out meanwhile gets no further.
      const read = (piece: ByteRange) =>
        withKey(readers, caller, (tx) => readFileForKey(tx, id, piece));
      const first = await read({ from, length: Math.min(pieceBytes, length) });
      if (!first) throw new AppError('not_found', missing);
      if (part) {
        const last = from + length - 1;
        reply.code(206).header('content-range', `bytes ${from}-${last}/${file.size}`);
      }
      reply.headers({
        ...always,
        'content-type': contentTypeOf(file.media_type),
        'content-length': length,
        'content-disposition': fileDisposition('attachment', file.file_name),
      });
      if (first.length === length) return reply.send(first);
      const pieces = piecesOf(first, { from, length }, read);
      return reply.send(Readable.from(pieces, { objectMode: false }));
    },
  });
}

const missing =
  'Det finns inget underlag med det id:t som en nyckel får läsa; fråga GET /api/v1/underlag?voucher= efter dem som finns.';

/** Texts are kept in UTF-8 alone; what an e-invoice's bytes are is for its own declaration to say. */
const contentTypeOf = (mediaType: string): string =>
  mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType;

async function* piecesOf(
  first: Buffer,
  { from, length }: ByteRange,
  read: (piece: ByteRange) => Promise<Buffer | undefined>,
): AsyncGenerator<Buffer> {
  yield first;
  for (let done = first.length; done < length; ) {
    const piece = await read({ from: from + done, length: Math.min(pieceBytes, length - done) });
    if (!piece || piece.length === 0) throw new Error('no key reads the document any more');
    yield piece;
    done += piece.length;
  }
}
