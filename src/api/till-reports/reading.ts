/** GET /api/v1/dagskassor: tills' Z reports and what they became, listed and one by one in one shape. */
import { z } from 'zod';
import { oreToNumber } from '../../domain/basics/money.ts';
import { tillKeyOf } from '../../domain/sales/till-accounts.ts';
import { type TillReport, tillRateSums } from '../../domain/sales/till-report.ts';
import type { Access } from '../../http/access.ts';
import type { App, AppDeps } from '../../http/fastify.ts';
import {
  listTillReportsForKey,
  type TillReportForKey,
} from '../../intake/till-reports/reading-store.ts';
import { readTillReport } from '../../intake/till-reports/service.ts';
import { type ListedById, type ListQuery, registerListedById } from '../listed-by-id.ts';
import { requireOrder } from '../paging.ts';
import { tillReportItem, tillReportPage, tillReportsQuery } from './reading-schemas.ts';
import { statusesOf, tillReportStateOf } from './states.ts';

type Asked = ListQuery & Omit<z.output<typeof tillReportsQuery>, 'cursor'>;

const tillReports: ListedById<TillReportForKey, z.output<typeof tillReportItem>> = {
  path: 'dagskassor',
  tag: 'Till reports',
  operation: { list: 'listTillReports', one: 'getTillReport' },
  summary: {
    list: "Read tills' Z reports and what they became",
    one: "Read one of tills' Z reports and what it became",
  },
  description:
    'Every body that has come, also those that wait for a person or were put aside: of a till and number at most one is booked. What a report says never changes, but what becomes of it does.',
  query: tillReportsQuery,
  oneQuery: z.strictObject({}),
  item: tillReportItem,
  page: tillReportPage,
  missing: 'Det finns ingen dagskassa med det id:t.',
  check: ({ from, to }: Asked) => requireOrder(from, to),
  async read(tx, { id: ids, status, tillId, zNumber: zNumbers, ...rest }: Asked) {
    const page = await listTillReportsForKey(tx, {
      ...rest,
      ids,
      statuses: status?.flatMap(statusesOf),
      tillKeys: tillId?.map(tillKeyOf),
      zNumbers,
    });
    return { page, answer: answerOf };
  },
};

export function registerTillReportReading(app: App, deps: AppDeps, access: Access): void {
  registerListedById(app, deps, access, tillReports);
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
