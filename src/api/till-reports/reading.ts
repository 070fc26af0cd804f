/** GET /api/v1/dagskassor: tills' Z reports and what they became, listed and one by one in one shape. */
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { oreToNumber } from '../../domain/basics/money.ts';
import { tillKeyOf } from '../../domain/sales/till-accounts.ts';
import { type TillReport, tillRateSums } from '../../domain/sales/till-report.ts';
import { type Access, callerOf, withKey } from '../../http/access.ts';
import { errorResponses, keyErrors } from '../../http/error-schemas.ts';
import type { App, AppDeps } from '../../http/fastify.ts';
import { answerUnchanged } from '../../http/unchanged.ts';
import {
  listTillReportsForKey,
  type TillReportForKey,
} from '../../intake/till-reports/reading-store.ts';
import { readTillReport } from '../../intake/till-reports/service.ts';
import { decodePlace, encodePlace } from '../../lib/cursor.ts';
import { AppError } from '../../lib/errors.ts';
import { isUuid } from '../../lib/uuid.ts';
import { requireOrder } from '../paging.ts';
import { idParams } from '../registers/invoice-schemas.ts';
import { unchangedHeaders } from '../registers/schemas.ts';
import { tillReportItem, tillReportPage, tillReportsQuery } from './reading-schemas.ts';
import { statusesOf, tillReportStateOf } from './states.ts';

const path = '/api/v1/dagskassor';
const isPlace = (parts: readonly unknown[]): parts is readonly [string] => isUuid(parts[0]);
const unchanged = z.null().describe('The answer is the one that If-None-Match has');
const told = { tags: ['Till reports'], security: [{ apiKey: [] }], headers: unchangedHeaders };

/** In the order of ids, in which they came and which nothing that happens meanwhile changes. */
export function registerTillReportReading(app: App, deps: AppDeps, access: Access): void {
  const { readers, quickReaders, config } = deps;
  const common = {
    method: 'GET',
    config: { scopes: ['data:read'] },
    onRequest: access.hook(['data:read']),
    onSend: answerUnchanged,
  } as const;
  const routes = app.withTypeProvider<ZodTypeProvider>();
  routes.route({
    ...common,
    url: path,
    schema: {
      operationId: 'listTillReports',
      summary: "Read tills' Z reports and what they became",
      description:
        'Every body that has come, also those that wait for a person or were put aside: of a till and number at most one is booked. What a report says never changes, but what becomes of it does.',
      ...told,
      querystring: tillReportsQuery,
      response: {
        200: tillReportPage,
        304: unchanged,
        ...errorResponses(...keyErrors, 'invalid_request'),
      },
    },
    handler: async (request) => {
      const { cursor, limit, id: ids, status, tillId, zNumber, ...rest } = request.query;
      const { from, to, updatedSince } = rest;
      requireOrder(from, to);
      const filters = [path, ids, status, tillId, zNumber, from, to, updatedSince];
      const [after] = cursor === undefined ? [] : decodePlace(filters, cursor, isPlace);
      const asked = {
        ids,
        statuses: status?.flatMap(statusesOf),
        tillKeys: tillId?.map(tillKeyOf),
        zNumbers: zNumber,
        ...{ from, to, updatedSince, after, limit },
      };
      const page = await withKey(readers, callerOf(request), (tx) =>
        listTillReportsForKey(tx, asked),
      );
      const last = page.at(-1);
      const hasMore = last?.is_followed === true;
      return {
        data: page.map((one) => answerOf(one, config.baseUrl)),
        next_cursor: hasMore ? encodePlace(filters, [last.id]) : null,
        has_more: hasMore,
      };
    },
  });
  routes.route({
    ...common,
    url: `${path}/:id`,
    schema: {
      operationId: 'getTillReport',
      summary: "Read one of tills' Z reports and what it became",
      description: 'In the same form as in the list.',
      ...told,
      params: idParams,
      querystring: z.strictObject({}),
      response: {
        200: tillReportItem,
        304: unchanged,
        ...errorResponses(...keyErrors, 'invalid_request', 'not_found'),
      },
    },
    handler: async (request) => {
      const asked = { ids: [request.params.id], limit: 1 };
      const [found] = await withKey(quickReaders, callerOf(request), (tx) =>
        listTillReportsForKey(tx, asked),
      );
      if (!found) throw new AppError('not_found', 'Det finns ingen dagskassa med det id:t.');
      return answerOf(found, config.baseUrl);
    },
  });
}

function answerOf(one: TillReportForKey, baseUrl: string) {
  const read = readTillReport(one.raw);
  return {
    id: one.id,
    till_id: one.till,
    z_number: one.z_number === null ? null : Number(one.z_number),
    date: one.day,
    status: tillReportStateOf(one.status),
    reason: one.reason,
    sums: 'report' in read ? sumsOf(read.report) : null,
    voucher_id: one.voucher_id,
    received_at: one.received_at.toISOString(),
    updated_at: one.updated_at.toISOString(),
    url: `${baseUrl}/dagskassor/${one.id}`,
  };
}

const sumsOf = (report: TillReport) => ({
  receipt_count: report.receiptCount,
  sales: report.sales.map(soldOf),
  returns: report.returns.map(soldOf),
  rates: tillRateSums(report).map(({ vatRate, grossOre, vatOre }) => ({
    vat_rate: vatRate,
    gross_amount: oreToNumber(grossOre),
    vat_amount: oreToNumber(vatOre),
  })),
  gift_cards_sold: oreToNumber(report.giftCardsSoldOre),
  tips: oreToNumber(report.tipsOre),
  rounding: oreToNumber(report.roundingOre),
  payments: report.payments.map(({ method, amountOre }) => ({
    method,
    amount: oreToNumber(amountOre),
  })),
  movements: report.movements.map(({ kind, amountOre, text }) => ({
    kind,
    amount: oreToNumber(amountOre),
    text,
  })),
});

const soldOf = ({ vatRate, amountOre }: TillReport['sales'][number]) => ({
  vat_rate: vatRate,
  amount: oreToNumber(amountOre),
});
