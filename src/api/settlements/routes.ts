/** POST and GET /api/v1/avrakning: what providers of payments say of their payouts. */
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { type BookedSettlement, postSettlement } from '../../bank/provider-settlements/service.ts';
import {
  isPaidOut,
  type ListedSettlement,
  listSettlementsForKey,
} from '../../bank/provider-settlements/store.ts';
import { createBatcher } from '../../db/batching/batcher.ts';
import { oreToNumber } from '../../domain/basics/money.ts';
import type { ProviderSettlement } from '../../domain/purchases/provider-settlement.ts';
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
  bookedSettlement,
  checkedSettlement,
  postedSettlement,
  settlementOf,
  settlementPage,
  settlementQuery,
} from './schemas.ts';

const url = '/api/v1/avrakning';

export function registerSettlements(app: App, deps: AppDeps, access: Access): void {
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
      operationId: 'listSettlements',
      summary: 'Read settlements of payment providers with rows and vouchers, by date',
      description:
        'Each payout once, with the voucher that books it and whether the payout has come to the bank.',
      tags: ['Bank'],
      security: [{ apiKey: [] }],
      querystring: settlementQuery,
      response: { 200: settlementPage, ...errorResponses(...keyErrors, 'invalid_request') },
    },
    handler: async (request) => {
      const { limit, cursor, ...filter } = request.query;
      requireOrder(filter.from, filter.to);
      const place = cursor === undefined ? undefined : decodeDay(filter, cursor);
      const found = await withKey(readers, callerOf(request), (tx) =>
        listSettlementsForKey(tx, { ...filter, limit }, place),
      );
      return cutPage(found, limit, {
        answer: (one) => answerOf(one, config.baseUrl),
        cursorOf: ({ id, day }) => encodeDay(filter, { date: day, id }),
      });
    },
  });
}

type SettlementCall = ReturnType<typeof runnableCallOf> & {
  readonly settlement: ProviderSettlement;
  readonly document: Buffer;
};

function registerPosting(app: App, { pool, clock, config }: AppDeps, access: Access): void {
  const post = createBatcher<SettlementCall, BookedSettlement>({
    name: 'settlements',
    maxItems: 1,
    maxInFlight: 2,
    waitMs: 10_000,
    holderOf: holderOfCall,
    run: async ([call]) => (call ? [await postSettlement(pool, call, clock.today())] : []),
  });
  app.route({
    method: 'POST',
    url,
    config: { scopes: ['bank:write', 'ledger:write'] },
    onRequest: access.hook(['bank:write', 'ledger:write']),
    preValidation: [requireIdempotencyKey, parseJsonBody],
    schema: {
      operationId: 'postSettlement',
      summary: 'Book the settlement of a payout by a payment provider',
      description:
        'Needs the header Idempotency-Key. One voucher in series A takes the sales from the clearing account, books fees and VAT, and leaves the payout there until the bank row comes; that is matched with the settlement. The rows must come to what is paid out. The same settlement is booked once: when it comes again with another Idempotency-Key duplicate is true, and with other content the call answers 422. With ?dryRun=true everything is checked and nothing is written.',
      tags: ['Bank'],
      security: [{ apiKey: [] }],
      headers: idempotencyHeaders,
      querystring: writeQuery,
      body: postedSettlement,
      response: {
        200: z.union([bookedSettlement, checkedSettlement]),
        ...errorResponses(
          ...keyErrors,
          ...writeErrors,
          ...idempotencyErrors,
          'unprocessable',
          'period_locked',
        ),
      },
    },
    handler: async (request, reply) => {
      const settlement = settlementOf(request.body);
      const call = { ...runnableCallOf(request), settlement, document: request.receivedBody };
      const { id, voucherId, voucher, isKnown, isReplayed } = await post(
        call,
        callerOf(request).hasHungUp,
      );
      if (isReplayed) reply.header('idempotent-replayed', 'true');
      const told = {
        provider: settlement.provider,
        settlementId: settlement.number,
        payout: oreToNumber(settlement.payoutOre),
        duplicate: isKnown,
      };
      if (request.query.dryRun) return { dry_run: true as const, ...told };
      return {
        id,
        ...told,
        voucher: voucherAnswer(voucherId, voucher, config.baseUrl),
        url: `${config.baseUrl}/bank/avrakningar/${id}`,
      };
    },
  });
}

const voucherAnswer = (id: string, label: string, baseUrl: string) => ({
  id,
  label,
  url: `${baseUrl}/verifikat/${id}`,
});

const answerOf = (one: ListedSettlement, baseUrl: string) => ({
  id: one.id,
  provider: one.provider,
  settlementId: one.number,
  date: one.day,
  account: one.account,
  country: one.country,
  payout: oreToNumber(one.payout_ore),
  payoutReference: one.payout_reference,
  paid: isPaidOut(one),
  voucher: voucherAnswer(one.voucher_id, one.voucher, baseUrl),
  payoutVoucher:
    one.payout_voucher_id === null
      ? null
      : voucherAnswer(one.payout_voucher_id, one.payout_voucher ?? '', baseUrl),
  takenBack: one.is_taken_back,
  lines: one.lines.map((line) => ({
    kind: line.kind,
    amount: oreToNumber(line.amount_ore),
    account: line.account,
    reverseChargeVat:
      line.reverse_charge_vat_ore === null ? null : oreToNumber(line.reverse_charge_vat_ore),
    text: line.text,
    reference: line.reference,
  })),
  createdAt: one.created_at.toISOString(),
  url: `${baseUrl}/bank/avrakningar/${one.id}`,
});
