/**
 * An integrator's program, written against the types that /openapi.json generates: that it compiles
 * proves the document's types, and that it runs proves the document true.
 */
import createClient from 'openapi-fetch';
import type { paths } from '../../clients/typescript/schema.d.ts';

export interface Journey {
  readonly scopes: readonly string[];
  readonly label: string;
  readonly invoiceNumber: number | null;
  readonly drafted: string;
  readonly descriptions: readonly string[];
  readonly documents: readonly unknown[];
  readonly bankRows: readonly unknown[];
  readonly lock: unknown;
}

const idempotencyKey = () => ({ header: { 'idempotency-key': crypto.randomUUID() } });

/** A voucher, a dry run, an invoice and an order; then what the books say. */
export async function travel(baseUrl: string, key: string, customerId: string): Promise<Journey> {
  const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` } });
  const meta = must(await client.GET('/api/v1/meta'));

  const voucher = must(
    await client.POST('/api/v1/verifikat', {
      params: idempotencyKey(),
      body: {
        seriesCode: 'A',
        date: '2026-03-31',
        description: 'Från en typad klient',
        rows: [
          { account: 1930, debit: 100, credit: 0 },
          { account: 3004, debit: 0, credit: 100 },
        ],
      },
    }),
  );
  if ('dry_run' in voucher) throw new Error('a real call was answered as a dry run');

  const invoice = must(
    await client.POST('/api/v1/kundfakturor', {
      params: idempotencyKey(),
      body: {
        customerId,
        invoiceDate: '2026-03-31',
        paymentTerms: 30,
        rows: [{ description: 'Timmar', quantity: 2, unitPrice: 950, vatRate: 25, account: 3001 }],
        book: true,
      },
    }),
  );
  if ('dry_run' in invoice) throw new Error('a real call was answered as a dry run');

  const order = must(
    await client.POST('/api/inbound/order', {
      body: {
        externalId: crypto.randomUUID(),
        orderDate: '2026-03-31',
        currency: 'SEK',
        pricesIncludeVat: true,
        total: 199,
        customer: { name: 'Anna Andersson' },
        rows: [{ description: 'Bok', quantity: 1, unitPrice: 199, vatRate: 6 }],
      },
    }),
  );
  if (!('invoiceId' in order)) throw new Error('the order was not answered');

  const left = must(
    await client.POST('/api/v1/underlag', {
      params: { ...idempotencyKey(), query: { fileName: 'Kvitto.txt', amount: 199.5 } },
      headers: { 'content-type': 'application/octet-stream' },
      body: 'Ett kvitto',
      bodySerializer: (body) => body,
    }),
  );

  const brought = must(
    await client.POST('/api/v1/banktransaktioner', {
      params: idempotencyKey(),
      body: { account: 1930, rows: [{ date: '2026-03-31', amount: -100, text: 'Kortköp' }] },
    }),
  );
  const rows = must(
    await client.GET('/api/v1/banktransaktioner', { params: { query: { matched: false } } }),
  );

  const page = must(await client.GET('/api/v1/verifikat', { params: { query: { limit: 10 } } }));
  const refused = await client.POST('/api/v1/verifikat', {
    params: { ...idempotencyKey(), query: { dryRun: true } },
    body: {
      seriesCode: 'A',
      date: '2026-01-15',
      description: 'I en låst period',
      rows: [
        { account: 1930, debit: 1, credit: 0 },
        { account: 1510, debit: 0, credit: 1 },
      ],
    },
  });
  if ('dry_run' in left) throw new Error('a real call was answered as a dry run');
  const detail = refused.error?.detail ?? {};
  return {
    scopes: meta.key.scopes,
    label: voucher.label,
    invoiceNumber: invoice.invoice_number,
    drafted: order.invoiceId,
    descriptions: page.data.map(({ description }) => description),
    bankRows: [brought.added, ...rows.data.map(({ text, voucher }) => [text, voucher])],
    documents: [left.status, !left.duplicate],
    lock: 'lock' in detail ? detail['lock'] : undefined,
  };
}

function must<Data>({ data, error }: { data?: Data; error?: unknown }): Data {
  if (data === undefined) throw new Error(`refused: ${JSON.stringify(error)}`);
  return data;
}
