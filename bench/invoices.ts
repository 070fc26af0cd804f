/**
 * (f) POST /api/v1/kundfakturor with `book: true`, beside the database's own limit: 64 connections that
 * each make and book one invoice per transaction. The two are measured in turn.
 */
import { createHash } from 'node:crypto';
import { createPool, type Db, withTx } from '#src/db/pool.ts';
import { addDays } from '#src/domain/basics/dates.ts';
import { invoiceVoucherRows } from '#src/domain/sales/invoice.ts';
import { priceDraft } from '#src/domain/sales/invoice-draft.ts';
import { uuid } from '#src/lib/uuid.ts';
import { insertCustomer } from '#src/sales/customers/store.ts';
import { createInvoices } from '#src/sales/invoices/create-store.ts';
import type { Figure, Rate } from './figure.ts';
import { measureInTurn } from './in-turn.ts';
import { openLimit } from './limit.ts';
import { requireAllWell } from './load.ts';
import { httpRequest, unique_mark } from './load-job.ts';
import { analyze, type System } from './system.ts';
import { limitOf, watch } from './watch.ts';

const variants = 200;
const warm_up_seconds = 3;
const paymentTerms = 30;

interface Sale {
  readonly invoiceDate: string;
  readonly rows: readonly {
    readonly description: string;
    readonly quantity: number;
    readonly unitPrice: number;
    readonly vatRate: 25;
    readonly account: 3001;
  }[];
}

/** The n:th sale of the year: one to three rows. */
const saleOf = (n: number): Sale => ({
  invoiceDate: addDays('2026-01-01', (n * 7) % 320),
  rows: Array.from({ length: 1 + (n % 3) }, (_, index) => ({
    description: `Tjänst ${index + 1}`,
    quantity: 1 + (n % 8),
    unitPrice: 100 + ((n * 37) % 900),
    vatRate: 25,
    account: 3001,
  })),
});

export async function measureInvoices(system: System, seconds: number): Promise<Figure[]> {
  const customerId = await makeCustomer(system);
  const limit = await openLimit(system, {
    measurement: 'invoices',
    what: 'api.create_invoices with booking, one invoice per transaction',
    role: 'hb_api',
    postOne: (one, n) => createOne(one, n, system.key, customerId),
  });
  const post = (connections: number, time: number) => load(system, customerId, connections, time);
  try {
    const warm_up = Math.min(warm_up_seconds, seconds);
    await limit.run(1);
    await post(64, warm_up);
    await analyze(system);
    await limit.run(1);
    await post(64, 1);
    const { base, rate, ratio } = await measureInTurn(
      () => limit.run(seconds / 2),
      () => post(64, seconds / 2),
    );
    return [
      base,
      rate,
      {
        measurement: 'invoices',
        what: `ratio of the two at 64 connections, median of ${ratio.all}`,
        value: `${ratio.median.toFixed(2)} ×`,
        wanted: '≥ 2',
        is_met: ratio.median >= 2,
      },
      await post(1, seconds),
    ];
  } finally {
    await limit.close();
  }
}

/** Booked in the call. */
export const invoiceRequests = ({ key }: System, customerId: string): string[] =>
  Array.from({ length: variants }, (_, n) =>
    httpRequest(
      'POST',
      '/api/v1/kundfakturor',
      { authorization: `Bearer ${key}`, 'idempotency-key': unique_mark },
      { customerId, paymentTerms, book: true, ...saleOf(n) },
    ),
  );

export async function makeCustomer({ url }: System): Promise<string> {
  const pool = createPool({ url, max: 1, applicationName: 'bench customer' });
  try {
    return (await withTx(pool, (tx) => insertCustomer(tx, { name: 'Fakturakunden AB' }))).id;
  } finally {
    await pool.end();
  }
}

async function load(
  system: System,
  customerId: string,
  connections: number,
  seconds: number,
): Promise<Rate> {
  const requests = invoiceRequests(system, customerId);
  const job = { port: system.port, requests, connections, seconds };
  const { result, usage } = await watch(system, () => system.load.run(job));
  requireAllWell(result);
  return {
    measurement: 'invoices',
    what: `POST /api/v1/kundfakturor, booked, ${connections} connections`,
    per_second: result.calls / result.seconds,
    p50_ms: result.p50_ms,
    p99_ms: result.p99_ms,
    limited_by: limitOf(usage),
    usage,
  };
}

async function createOne(one: Db, n: number, key: string, customerId: string): Promise<void> {
  const { invoiceDate, rows } = saleOf(n % variants);
  const decision = priceDraft({
    invoiceDate,
    paymentTermsDays: paymentTerms,
    rows: rows.map(({ quantity, unitPrice, ...row }) => ({
      ...row,
      articleNumber: null,
      quantityE4: BigInt(quantity) * 10_000n,
      unit: null,
      unitPriceE4: BigInt(unitPrice) * 10_000n,
      discountE2: 0n,
    })),
  });
  if (decision.kind !== 'draft') throw new Error('the sale cannot be priced');
  const [outcome] = await createInvoices(
    one,
    [
      {
        keyHash: createHash('sha256').update(key).digest(),
        idempotencyKey: uuid(),
        requestHash: Buffer.alloc(32),
        request: '{}',
        deliveryDate: null,
        requestId: uuid(),
        id: uuid(),
        customerId,
        invoiceDate,
        paymentTermsDays: paymentTerms,
        yourReference: null,
        notes: null,
        ...decision.draft,
        book: true,
        voucherId: uuid(),
        posting: invoiceVoucherRows(decision.draft),
      },
    ],
    false,
  );
  if (outcome?.outcome !== 'created') throw new Error(`refused: ${JSON.stringify(outcome)}`);
}
