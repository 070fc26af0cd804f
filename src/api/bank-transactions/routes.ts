/** POST and GET /api/v1/banktransaktioner: rows of the bank, brought by programs and read by them. */
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  type PostedAnswer,
  type PostedCall,
  postBankRows,
} from '../../bank/statements/posted-rows.ts';
import { type ListedBankRow, listBankRowsForKey } from '../../bank/statements/posted-store.ts';
import { createBatcher } from '../../db/batching/batcher.ts';
import { type Ore, oreToNumber } from '../../domain/basics/money.ts';
import { type Access, callerOf, withKey } from '../../http/access.ts';
import { idempotencyHeaders, parseJsonBody } from '../../http/body.ts';
import {
  errorResponses,
  idempotencyErrors,
  keyErrors,
  writeErrors,
} from '../../http/error-schemas.ts';
import type { App, AppDeps } from '../../http/fastify.ts';
import { holderOfCall } from '../../http/shedding.ts';
import { requireIdempotencyKey, runnableCallOf, writeQuery } from '../../http/write-calls.ts';
import { cutPage, decodeDay, encodeDay, requireOrder } from '../paging.ts';
import {
  checkedRows,
  type PostedRowsInput,
  postedRows,
  rowPage,
  rowQuery,
  takenRows,
  untakenRows,
} from './schemas.ts';

const url = '/api/v1/banktransaktioner';

export function registerBankTransactions(app: App, deps: AppDeps, access: Access): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();
  registerReading(routes, deps, access);
  registerPosting(routes, deps, access);
}

function registerReading(app: App, { readers, config }: AppDeps, access: Access): void {
  app.route({
    method: 'GET',
    url,
    config: { scopes: ['bank:read'] },
    onRequest: access.hook(['bank:read']),
    schema: {
      operationId: 'listBankTransactions',
      summary: 'Read rows of the bank with payments and vouchers, by date',
      description:
        'Rows come by file or by API and are each there once. What is asked for can change with time: a row gets its voucher, and may lose it. A copy is kept up to date by updatedSince, as of the other lists.',
      tags: ['Bank'],
      security: [{ apiKey: [] }],
      querystring: rowQuery,
      response: { 200: rowPage, ...errorResponses(...keyErrors, 'invalid_request') },
    },
    handler: async (request) => {
      const { limit, cursor, ...filter } = request.query;
      requireOrder(filter.from, filter.to);
      const place = cursor === undefined ? undefined : decodeDay(filter, cursor);
      const found = await withKey(readers, callerOf(request), (tx) =>
        listBankRowsForKey(tx, { ...filter, limit }, place),
      );
      return cutPage(found, limit, {
        answer: (one) => rowAnswer(one, config.baseUrl),
        cursorOf: ({ id, booked_on }) => encodeDay(filter, { date: booked_on, id }),
      });
    },
  });
}

function registerPosting(app: App, { pool, clock }: AppDeps, access: Access): void {
  // One at a time goes to the database and another beside it: they are long, and hold their account meanwhile.
  const post = createBatcher<PostedCall, PostedAnswer>({
    name: 'bank rows',
    maxItems: 1,
    maxInFlight: 2,
    waitMs: 10_000,
    holderOf: holderOfCall,
    run: async ([call]) => (call ? [await postBankRows(pool, call, clock.today())] : []),
  });
  app.route({
    method: 'POST',
    url,
    config: { scopes: ['bank:write'] },
    onRequest: access.hook(['bank:write']),
    preValidation: [requireIdempotencyKey, parseJsonBody],
    schema: {
      operationId: 'postBankTransactions',
      summary: 'Hand in rows of the bank to a bank account',
      description:
        'Needs the header Idempotency-Key. All rows are taken in or none, and a row that exists already, from a file or an earlier call, does not come in again: equal rows are counted day by day. What overlaps and what is new is shown by transactionId, by balances and by from and to; if nothing shows it, the call answers 422 and asks for equalRows. With ?dryRun=true everything is checked and nothing is written.',
      tags: ['Bank'],
      security: [{ apiKey: [] }],
      headers: idempotencyHeaders,
      querystring: writeQuery,
      body: postedRows,
      response: {
        200: z.union([takenRows, checkedRows]),
        ...errorResponses(...keyErrors, ...writeErrors, ...idempotencyErrors, untakenRows),
      },
    },
    handler: async (request, reply) => {
      requireOrder(request.body.from, request.body.to);
      const call = { ...runnableCallOf(request), ...callOf(request.body) };
      const { isReplayed, told } = await post(call, callerOf(request).hasHungUp);
      if (isReplayed) reply.header('idempotent-replayed', 'true');
      const { opening, closing, importId, ...rest } = told;
      const balances = { openingBalance: kronorOf(opening), closingBalance: kronorOf(closing) };
      return request.query.dryRun
        ? { dry_run: true as const, ...rest, ...balances }
        : { importId, ...rest, ...balances };
    },
  });
}

const kronorOf = (ore: string | null): number | null =>
  ore === null ? null : oreToNumber(BigInt(ore));
const maybeKronor = (ore: Ore | number | null): number | null =>
  ore === null ? null : oreToNumber(ore);

const callOf = (
  body: PostedRowsInput,
): Omit<PostedCall, keyof ReturnType<typeof runnableCallOf>> => ({
  ledgerAccount: body.account ?? null,
  iban: body.iban ?? null,
  equalRows: body.equalRows ?? null,
  posted: {
    from: body.from ?? null,
    to: body.to ?? null,
    opening: body.openingBalance ?? null,
    closing: body.closingBalance ?? null,
    rows: body.rows.map((row) => ({
      date: row.date,
      valueDate: row.valueDate ?? null,
      amount: row.amount,
      text: row.text,
      reference: row.reference ?? null,
      transactionId: row.transactionId ?? null,
      balanceAfter: row.balanceAfter ?? null,
      payments: (row.payments ?? []).map((payment) => ({
        amount: payment.amount ?? null,
        references: payment.ocr ? [payment.ocr] : [],
        invoiceNumbers: payment.invoiceNumbers ?? [],
        message: payment.message ?? null,
        payer: payment.payer ?? null,
        payee: payment.payee ?? null,
        endToEndId: payment.endToEndId ?? null,
      })),
    })),
  },
});

const rowAnswer = (row: ListedBankRow, baseUrl: string) => ({
  id: row.id,
  account: row.account,
  iban: row.iban,
  date: row.booked_on,
  valueDate: row.value_date,
  amount: oreToNumber(row.amount_ore),
  text: row.description,
  reference: row.bank_reference,
  transactionId: row.servicer_reference,
  balanceAfter: maybeKronor(row.balance_after_ore),
  matched: row.voucher_id !== null,
  matchedAt: row.matched_at?.toISOString() ?? null,
  voucher:
    row.voucher_id === null
      ? null
      : {
          id: row.voucher_id,
          label: row.voucher ?? '',
          url: `${baseUrl}/verifikat/${row.voucher_id}`,
        },
  paymentCount: row.payment_count,
  payments: row.payments.map((payment) => ({
    amount: maybeKronor(payment.amount_ore),
    ocr: payment.references[0] ?? null,
    references: payment.references,
    invoiceNumbers: payment.documents.map(({ number }) => number),
    message: payment.texts.join(' ') || null,
    payer: { name: payment.payer.name ?? null, account: payment.payer.account ?? null },
    payee: { name: payment.payee.name ?? null, account: payment.payee.account ?? null },
    endToEndId: payment.end_to_end_id,
    returnReason: payment.return_reason,
  })),
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  url: `${baseUrl}/bank/${row.id}`,
});
