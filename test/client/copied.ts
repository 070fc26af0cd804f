/** What a program of an integrator says to the client that it has copied; it is compiled, never run. */
import { Huvudbok } from '../../clients/typescript/huvudbok.ts';

const books = new Huvudbok({ url: 'https://books.example.com', key: 'svc_live_…' });
const voucher = {
  seriesCode: 'A',
  date: '2026-03-31',
  description: 'Kontantförsäljning',
  rows: [
    { account: 1930, debit: 125, credit: 0 },
    { account: 3004, debit: 0, credit: 125 },
  ],
};

export async function callAll(isDryRun: boolean, id: string): Promise<readonly unknown[]> {
  const { label } = await books.post('/api/v1/verifikat', {
    body: voucher,
    idempotencyKey: 'shop-fee-2026-03',
  });
  const tried = await books.post('/api/v1/verifikat', { body: voucher, query: { dryRun: true } });
  const either = await books.post('/api/v1/verifikat', {
    body: voucher,
    query: { dryRun: isDryRun },
  });
  const { invoiceId } = await books.post('/api/inbound/order', {
    body: {
      externalId: 'W-100245',
      orderDate: '2026-03-31',
      currency: 'SEK',
      pricesIncludeVat: true,
      total: 199,
      customer: { name: 'Anna Andersson' },
      rows: [{ description: 'Kaffebryggare', quantity: 1, unitPrice: 199, vatRate: 25 }],
    },
  });
  const { status } = await books.post('/api/v1/forslag/{id}/aterta', { path: { id } });
  const invoice = await books.get('/api/v1/kundfakturor/{id}', { path: { id } });
  const numbers: number[] = [];
  for await (const one of books.each('/api/v1/verifikat', { query: { from: '2026-01-01' } })) {
    numbers.push(one.number);
  }
  // @ts-expect-error A voucher has a body.
  await books.post('/api/v1/verifikat', {});
  // @ts-expect-error And no such field.
  await books.post('/api/v1/verifikat', { body: { ...voucher, series: 'A' } });
  const outcome = 'dry_run' in either ? either.total_amount : either.label;
  return [label, 'dry_run' in tried, outcome, invoiceId, status, invoice.invoice_number, numbers];
}
