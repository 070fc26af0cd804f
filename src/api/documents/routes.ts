/** POST /api/v1/underlag: a file to the inbox of documents, streamed to disk while it comes. */
import type { Readable } from 'node:stream';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { ruleOnCall } from '../../access/keys/order-of-refusals.ts';
import { callRefusal } from '../../access/keys/write-calls.ts';
import { Overloaded } from '../../db/batching/overloaded.ts';
import { db } from '../../db/pool.ts';
import { canonicalJson } from '../../domain/basics/json.ts';
import { attachmentMaxBytes, plainFileName } from '../../domain/ledger/attachment.ts';
import { factsOfName } from '../../domain/ledger/document-match.ts';
import type { Access } from '../../http/access.ts';
import { idempotencyHeaders } from '../../http/body.ts';
import {
  errorAnswer,
  errorResponses,
  idempotencyErrors,
  keyErrors,
  problems,
} from '../../http/error-schemas.ts';
import type { App, AppDeps } from '../../http/fastify.ts';
import { checkAllBut } from '../../http/problems.ts';
import { holderOf } from '../../http/shedding.ts';
import { isFull, Spool } from '../../http/spool.ts';
import { requireIdempotencyKey, runnableCallOf } from '../../http/write-calls.ts';
import { keptMediaType } from '../../ledger/attachments/service.ts';
import {
  type LeavingOutcome,
  type LeftDocument,
  storeDocument,
} from '../../ledger/documents/api-store.ts';
import { AppError } from '../../lib/errors.ts';
import { sha256Of } from '../../lib/sha256.ts';
import { uuid } from '../../lib/uuid.ts';
import { checkedDocument, documentBody, documentQuery, keptDocument } from './schemas.ts';

const url = '/api/v1/underlag';
const refusedFile = errorAnswer(
  'unprocessable',
  'DocumentUnprocessableError',
  z.object({ problems }),
);

export function registerDocuments(app: App, deps: AppDeps, access: Access): void {
  const { pool, config, spool = new Spool() } = deps;
  // In a room of its own, where a body is a stream.
  void app.register(async (room) => {
    room.removeAllContentTypeParsers();
    room.addContentTypeParser('*', (_request, body, done) => done(null, body));
    room.withTypeProvider<ZodTypeProvider>().route({
      method: 'POST',
      url,
      bodyLimit: attachmentMaxBytes,
      config: { scopes: ['documents:write'] },
      onRequest: access.hook(['documents:write']),
      preValidation: requireIdempotencyKey,
      validatorCompiler: checkAllBut('headers', 'body'),
      schema: {
        operationId: 'leaveDocument',
        summary: 'Hand in a document to the inbox',
        description:
          'The body is the file as it is: PDF, PNG, JPEG, HEIC, XML, CSV or text in UTF-8, at most 10 MiB; its kind is decided by its content. Needs the header Idempotency-Key. The same content never becomes two documents. A person, or an unambiguous suggestion that a person accepts, puts the document on its voucher. With ?dryRun=true everything is checked and nothing is kept; whether the content had come before is then not told.',
        tags: ['Documents'],
        security: [{ apiKey: [] }],
        headers: idempotencyHeaders,
        querystring: documentQuery,
        consumes: ['application/octet-stream'],
        body: documentBody,
        response: {
          200: z.union([keptDocument, checkedDocument]),
          ...errorResponses(
            ...keyErrors,
            ...idempotencyErrors,
            'invalid_request',
            'request_timeout',
            'payload_too_large',
            refusedFile,
          ),
        },
      },
      handler: async (request, reply) => {
        const { fileName, date, amount, counterparty } = request.query;
        const place = spool.enter(holderOf(request));
        const file = await keepBody(spool, request.body as Readable | undefined, place).catch(
          (error) => {
            place.leave();
            throw error;
          },
        );
        try {
          return await file.use(async (bytes) => {
            const name = plainFileName(fileName);
            const told = factsOfName(name);
            const sha256 = sha256Of(bytes);
            const said = { fileName, date, amount: amount?.toString(), counterparty };
            const canonical = canonicalJson({ ...said, sha256: sha256.toString('hex') });
            const { run, ...call } = runnableCallOf(request, canonical);
            const judged = { route: 'POST /api/v1/underlag', call } as const;
            const mediaType = await ruleOnCall(db(pool), judged, () => keptMediaType(bytes, name));
            const document: LeftDocument = {
              ...call,
              id: uuid(),
              sha256,
              bytes,
              fileName: name,
              mediaType,
              date: date ?? told.date,
              amountOre: amount ?? told.amountOre,
              counterparty: counterparty ?? null,
            };
            const outcome = await run(pool, (tx) => storeDocument(tx, document));
            const answer = answerOf(outcome, document, config.baseUrl);
            if (request.query.dryRun) {
              const { sha256, size, media_type } = answer;
              return { dry_run: true as const, sha256, size, media_type };
            }
            if (outcome.outcome === 'replayed') reply.header('idempotent-replayed', 'true');
            return answer;
          });
        } finally {
          await file.close();
          place.leave();
        }
      },
    });
  });
}

/** The body on disk; one that is too large, or that the disk has no room for, is refused on its way. */
async function keepBody(
  spool: Spool,
  body: Readable | undefined,
  place: ReturnType<Spool['enter']>,
) {
  async function* limited(): AsyncGenerator<Buffer> {
    let size = 0;
    for await (const chunk of body ?? []) {
      size += (chunk as Buffer).length;
      if (size > attachmentMaxBytes) throw tooLarge();
      yield chunk as Buffer;
    }
  }
  return spool.keep(limited(), place).catch((error) => {
    throw isFull(error) ? new Overloaded('bytes') : error;
  });
}

const tooLarge = () =>
  new AppError('payload_too_large', 'Filen är större än 10 MiB; dela upp eller komprimera den.');

function answerOf(
  outcome: LeavingOutcome,
  { sha256, bytes, mediaType, request }: LeftDocument,
  baseUrl: string,
) {
  const { id, told } = outcome;
  if ((outcome.outcome === 'kept' || outcome.outcome === 'replayed') && id !== null && told) {
    return {
      id,
      sha256: sha256.toString('hex'),
      size: bytes.length,
      media_type: mediaType,
      received_at: new Date(told.received_at).toISOString(),
      status: told.status,
      duplicate: told.duplicate,
      url: `${baseUrl}/underlag/${id}`,
    };
  }
  if (outcome.outcome === 'kept' || outcome.outcome === 'replayed') {
    throw new Error('a kept document has no id');
  }
  throw callRefusal({ ...outcome, outcome: outcome.outcome }, request);
}
