/** POST /api/inbound/peppol (contract 2.7, 4.9). */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { keyRefusal } from '../../access/keys/refusal.ts';
import { createBatcher, type Submit } from '../../db/batching/batcher.ts';
import { HungUp } from '../../db/batching/hanging-up.ts';
import { Overloaded } from '../../db/batching/overloaded.ts';
import { db, type Pool } from '../../db/pool.ts';
import { type Access, callerOf } from '../../http/access.ts';
import { bytesOf } from '../../http/body.ts';
import { errorResponses, keyErrors } from '../../http/error-schemas.ts';
import { sendError } from '../../http/errors.ts';
import type { App, AppDeps } from '../../http/fastify.ts';
import { checkAllBut } from '../../http/problems.ts';
import { holderOfCall } from '../../http/shedding.ts';
import { isDryRun } from '../../http/write-calls.ts';
import { AppError } from '../../lib/errors.ts';
import { said } from '../../lib/sentences/say.ts';
import { sha256Of } from '../../lib/sha256.ts';
import { uuid } from '../../lib/uuid.ts';
import type { EInvoiceAnswer } from '../../purchases/e-invoices/answer.ts';
import { documentOf } from '../../purchases/e-invoices/body.ts';
import { documentBytes } from '../../purchases/e-invoices/identity.ts';
import type { TriedEInvoice } from '../../purchases/e-invoices/service.ts';
import {
  type DocumentOutcome,
  listDocumentOutcomes,
  type ReceivedDocument,
  type StoredDocument,
  storeDocuments,
} from '../../purchases/e-invoices/store.ts';
import { createOutcomeReader } from '../outcomes.ts';
import { createTrier, intakeQuery } from '../trials.ts';
import {
  acceptedEInvoice,
  delayedEInvoice,
  eInvoiceEnvelope,
  refusedEInvoice,
  triedEInvoice,
} from './schemas.ts';

const eInvoiceBodyLimit = 4 * 1024 * 1024;
const batchBytes = 2 * eInvoiceBodyLimit;

export function registerEInvoices(app: App, deps: AppDeps, access: Access): void {
  const { pool, decisions, config } = deps;
  const readOutcome = createOutcomeReader<{ keyHash: Buffer; id: string }, DocumentOutcome>(
    'e-invoice outcomes',
    (documents) => listDocumentOutcomes(db(pool), documents),
  );
  const keep = keeperOf(pool);
  const tryOut = createTrier(deps, 'e_invoice');
  app.route({
    method: 'POST',
    url: '/api/inbound/peppol',
    bodyLimit: eInvoiceBodyLimit,
    config: { scopes: ['intake:write'] },
    onRequest: access.hook(['intake:write'], { legacy: 'PEPPOL_INBOUND_SECRET' }),
    schema: {
      operationId: 'receiveEInvoice',
      summary: 'Receive an e-invoice',
      description:
        'Takes Peppol BIS Billing 3 (UBL 2.1, invoice or credit note), by itself or in a StandardBusinessDocument. Answers when the document has become a draft in the supplier inbox. The same bytes never become two drafts; a corrected invoice is another document. What was refused is judged anew when it comes again. With ?dryRun=true it is judged by the rules and by its receiver, and nothing is kept.',
      tags: ['Inbound'],
      security: [{ apiKey: [] }],
      querystring: intakeQuery,
      consumes: ['application/xml', 'application/json'],
      body: eInvoiceEnvelope,
      response: {
        200: z.union([acceptedEInvoice, triedEInvoice]),
        ...errorResponses(
          ...keyErrors,
          refusedEInvoice,
          'request_timeout',
          'payload_too_large',
          'document_not_stored',
          delayedEInvoice,
        ),
      },
    },
    // The body is described for readers only: what cannot be read is kept with its reason.
    validatorCompiler: checkAllBut('headers', 'body'),
    errorHandler: async (error: FastifyError, request, reply) => {
      if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
        // The query has not been read yet.
        if (!isDryRun(request)) {
          await keep(tooLarge(request)).catch((fault) =>
            request.log.error({ err: fault }, 'refusal'),
          );
        }
      }
      return sendError(error, request, reply);
    },
    handler: async (request, reply) => {
      const received = receivedDocument(request);
      if (request.query.dryRun) {
        if (received.fault) throw received.fault;
        return triedAnswer(
          await tryOut<TriedEInvoice>(received.document.raw, callerOf(request)),
          received.document.sha256,
        );
      }
      // Before it is kept: a worker may be quicker than the answer of the statement that keeps it.
      const notice = decisions.listen(received.document.id);
      try {
        const { id, is_new: isNew } = await keep(received.document, callerOf(request).hasHungUp);
        if (received.fault) throw received.fault;
        const read = () => readOutcome({ keyHash: callerOf(request).hash, id });
        const outcome = await decisions.wait(
          id,
          {
            timeoutMs: config.intakeWaitMs,
            since: id === received.document.id ? notice : undefined,
          },
          read,
          ({ status }) => status !== 'received',
        );
        return answer(reply, outcome, isNew);
      } finally {
        notice.close();
      }
    },
  });
}

function triedAnswer(tried: TriedEInvoice, sha256: Buffer) {
  if (tried.status === 'rejected') {
    const { message, ...where } = tried.detail;
    throw new AppError('invalid_request', message, {
      detail: { reason: tried.reason, ...where, stored: false },
    });
  }
  const { invoiceNo, supplier, total, warnings } = tried;
  return {
    ok: true as const,
    dry_run: true as const,
    invoiceNo,
    supplier,
    total,
    warnings: warnings.map(({ rule, level, path, message }) => ({ rule, level, path, message })),
    documentSha256: sha256.toString('hex'),
  };
}

/** Keeps it, or says that it must be delivered again: access points give up on anything else. */
function keeperOf(pool: Pool): Submit<ReceivedDocument, StoredDocument> {
  const store = createBatcher<ReceivedDocument, StoredDocument>({
    name: 'e-invoices',
    maxItems: 50,
    maxInFlight: 2,
    maxWeight: batchBytes,
    weigh: ({ raw }) => raw?.length ?? 0,
    holderOf: holderOfCall,
    run: (documents) => storeDocuments(db(pool), documents),
  });
  return async (document, hasHungUp) => {
    const stored = await store(document, hasHungUp).catch((cause) => {
      if (cause instanceof Overloaded || cause instanceof HungUp) throw cause;
      throw new AppError(
        'document_not_stored',
        'Dokumentet kunde inte sparas; leverera det igen om en stund.',
        { headers: { 'retry-after': '30' }, cause },
      );
    });
    if (stored.outcome !== 'stored') throw keyRefusal(stored.outcome);
    return stored;
  };
}

/** What is to be kept, and why the door refuses it, if it does. */
function receivedDocument(request: FastifyRequest): {
  document: ReceivedDocument & { readonly raw: Buffer; readonly sha256: Buffer };
  fault?: AppError;
} {
  const body = bytesOf(request);
  const common = {
    keyHash: callerOf(request).hash,
    id: uuid(),
    requestId: request.id,
    size: body.length,
  };
  try {
    const raw = documentOf(request.headers['content-type'], body);
    const sha256 = sha256Of(documentBytes(raw));
    return { document: { ...common, raw, sha256, refusal: null } };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const refusal = { reason: 'unreadable_body', message: said('api', error).message };
    const sha256 = sha256Of(documentBytes(body));
    return { document: { ...common, raw: body, sha256, refusal }, fault: error };
  }
}

/** A body that was cut off: nothing of it is kept, but that it came. */
function tooLarge(request: FastifyRequest): ReceivedDocument {
  const said = Number(request.headers['content-length']);
  const message = 'Dokumentet är större än 4 MB och togs inte emot; avsändaren måste dela upp det.';
  return {
    keyHash: callerOf(request).hash,
    id: uuid(),
    requestId: request.id,
    raw: null,
    sha256: null,
    size: Number.isSafeInteger(said) ? said : eInvoiceBodyLimit + 1,
    refusal: { reason: 'payload_too_large', message },
  };
}

/** The contract's order, which the database does not keep. */
const inOrder = (stored: EInvoiceAnswer): EInvoiceAnswer => ({
  ok: true,
  draftId: stored.draftId,
  invoiceNo: stored.invoiceNo,
  supplier: stored.supplier,
  total: stored.total,
  warnings: stored.warnings.map(({ rule, level, path, message }) => ({
    rule,
    level,
    path,
    message,
  })),
  documentSha256: stored.documentSha256,
  receivedAt: stored.receivedAt,
  countryCodeC4: stored.countryCodeC4,
  status: stored.status,
});

function answer(reply: FastifyReply, outcome: DocumentOutcome, isNew: boolean) {
  const { id, status, reason, detail } = outcome;
  if (outcome.answer !== null) {
    return reply.send({
      ...inOrder(outcome.answer),
      ...(isNew ? {} : { duplicate: true as const }),
    });
  }
  if (status === 'received') {
    throw new AppError(
      'processing_delayed',
      'Dokumentet är mottaget och säkrat men inte färdigbehandlat; leverera det igen om en stund för att få svaret.',
      { headers: { 'retry-after': '5' }, detail: { document_id: id, stored: true } },
    );
  }
  const { message = 'Dokumentet kan inte tas emot.', ...where } = detail ?? {};
  throw new AppError('invalid_request', message, {
    detail: { reason, document_id: id, ...where, stored: true },
  });
}
