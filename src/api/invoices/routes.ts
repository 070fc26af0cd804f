/** POST /api/v1/kundfakturor (contract 2.3, 4.5). */
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { ruleOnCall } from '../../access/keys/order-of-refusals.ts';
import { callRefusal, type WriteCall } from '../../access/keys/write-calls.ts';
import { createBatcher } from '../../db/batching/batcher.ts';
import { db, linesOf } from '../../db/pool.ts';
import { oreToNumber } from '../../domain/basics/money.ts';
import { invoiceVoucherRows } from '../../domain/sales/invoice.ts';
import { priceDraft } from '../../domain/sales/invoice-draft.ts';
import { type Access, callerOf } from '../../http/access.ts';
import { idempotencyHeaders, parseJsonBody } from '../../http/body.ts';
import {
  errorResponses,
  idempotencyErrors,
  keyErrors,
  writeErrors,
} from '../../http/error-schemas.ts';
import type { App, AppDeps } from '../../http/fastify.ts';
import { holderOfCall } from '../../http/shedding.ts';
import { requireIdempotencyKey, writeCallOf, writeQuery } from '../../http/write-calls.ts';
import { refuse } from '../../lib/errors.ts';
import { uuid } from '../../lib/uuid.ts';
import {
  createInvoices,
  type InvoiceItem,
  type InvoiceOutcome,
  type ToldInvoice,
} from '../../sales/invoices/create-store.ts';
import { bookingRefusal, draftRefusal } from '../../sales/invoices/refusals.ts';
import { draftRow } from './row-schemas.ts';
import {
  checkedInvoice,
  customerInvoice,
  type InvoiceInput,
  invoiceInput,
  unmadeInvoice,
} from './schemas.ts';

export function registerInvoices(app: App, { pool }: AppDeps, access: Access): void {
  const batch = (dryRun: boolean) => {
    const lineOf = linesOf(pool);
    return createBatcher<InvoiceItem, InvoiceOutcome>({
      name: dryRun ? 'invoices tried' : 'invoices',
      maxItems: 200,
      maxInFlight: dryRun ? 1 : 2,
      follows: !dryRun,
      maxWeight: 20_000,
      weigh: (item) => item.rows.length,
      holderOf: holderOfCall,
      run: (items, line) => createInvoices(lineOf(line), items, dryRun),
    });
  };
  const create = batch(false);
  const check = batch(true);
  app.withTypeProvider<ZodTypeProvider>().route({
    method: 'POST',
    url: '/api/v1/kundfakturor',
    config: { scopes: ['ledger:write', 'data:read'] },
    onRequest: access.hook(['ledger:write', 'data:read']),
    preValidation: [requireIdempotencyKey, parseJsonBody],
    schema: {
      operationId: 'createCustomerInvoice',
      summary: 'Create an invoice draft, and book it if book is true',
      description:
        'Needs the header Idempotency-Key (8–255 characters). A lock stops the booking, not the draft: the answer is then 422 with detail.lock and detail.invoice_id, and the same key gets the same answer. With ?dryRun=true everything is checked and nothing is written.',
      tags: ['Customer invoices'],
      security: [{ apiKey: [] }],
      headers: idempotencyHeaders,
      querystring: writeQuery,
      body: invoiceInput,
      response: {
        200: z.union([customerInvoice, checkedInvoice]),
        ...errorResponses(...keyErrors, ...writeErrors, ...idempotencyErrors, unmadeInvoice),
      },
    },
    handler: async (request, reply) => {
      const call = writeCallOf(request);
      const item = await ruleOnCall(db(pool), { route: 'POST /api/v1/kundfakturor', call }, () =>
        readItem(request.body, call),
      );
      const { hasHungUp } = callerOf(request);
      if (request.query.dryRun) {
        madeOf(await check(item, hasHungUp), item);
        return {
          dry_run: true as const,
          status: statusAfter(item),
          net_amount: oreToNumber(item.totals.netOre),
          vat_amount: oreToNumber(item.totals.vatOre),
          total_amount: oreToNumber(item.totals.totalOre),
          due_date: item.dueDate,
        };
      }
      const outcome = await create(item, hasHungUp);
      if (outcome.outcome === 'replayed') reply.header('idempotent-replayed', 'true');
      return invoiceAnswer(madeOf(outcome, item));
    },
  });
}

function readItem(body: InvoiceInput, call: WriteCall): InvoiceItem {
  const { customerId, invoiceDate, paymentTerms: paymentTermsDays } = body;
  const book = body.book ?? false;
  const decision = priceDraft({
    invoiceDate,
    paymentTermsDays,
    rows: body.rows.map(draftRow),
  });
  if (decision.kind !== 'draft') {
    const code = decision.kind === 'unreadable' ? 'invalid_request' : 'unprocessable';
    throw refuse(code, decision.problems);
  }
  const { draft } = decision;
  return {
    ...call,
    ...draft,
    id: uuid(),
    customerId,
    invoiceDate,
    deliveryDate: body.deliveryDate ?? null,
    paymentTermsDays,
    yourReference: body.yourReference ?? null,
    notes: body.notes ?? null,
    book,
    voucherId: uuid(),
    posting: book ? invoiceVoucherRows(draft) : [],
  };
}

/** What the invoice would have been; one of zero kronor leaves nothing to pay. */
function statusAfter({ book, totals }: InvoiceItem): 'draft' | 'booked' | 'paid' {
  if (!book) return 'draft';
  return totals.totalOre === 0n ? 'paid' : 'booked';
}

interface MadeInvoice {
  readonly id: string;
  readonly told: ToldInvoice;
}

/** The invoice that was made, now or by the same call before, or the refusal thrown. */
function madeOf(outcome: InvoiceOutcome, { request }: InvoiceItem): MadeInvoice {
  switch (outcome.outcome) {
    case 'created':
      return outcome;
    case 'not_bookable':
      throw bookingRefusal(outcome.told, outcome.id);
    case 'replayed': {
      const { id, told } = outcome;
      if ('error' in told) throw bookingRefusal(told, id);
      return { id, told };
    }
    case 'unprocessable':
      throw draftRefusal(outcome.detail ?? {});
    default:
      throw callRefusal({ ...outcome, outcome: outcome.outcome }, request);
  }
}

/** As the invoice was when it was made, whatever has become of it since. */
const invoiceAnswer = ({ id, told }: MadeInvoice) => ({
  id,
  status: told.status,
  invoice_number: told.number,
  net_amount: oreToNumber(told.net_ore),
  vat_amount: oreToNumber(told.vat_ore),
  total_amount: oreToNumber(told.net_ore + told.vat_ore),
  due_date: told.due_date,
  ocr: told.ocr,
});
