/** GET /api/v1/kundfakturor/{id}/e-faktura, as an access point fetches what it sends. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withTx } from '#src/db/pool.ts';
import { validateEInvoice } from '#src/peppol/validate.ts';
import { insertCustomer } from '#src/sales/customers/store.ts';
import { creditInvoice } from '#src/sales/invoices/credits.ts';
import { bookInvoices } from '#src/sales/invoices/service.ts';
import { type Installation, orderBody } from '../support/installation.ts';
import { fillInCompany } from '../support/invoices.ts';
import { openBooks } from './books.ts';

let books: Installation;
let customerId: string;
beforeAll(async () => {
  books = await openBooks({ workers: true });
  await fillInCompany(books.owner);
  const customer = await withTx(books.owner, (tx) =>
    insertCustomer(tx, { name: 'Åmåls kommun', organizationNumber: '2120001587' }),
  );
  customerId = customer.id;
});
afterAll(() => books.close());

async function invoice(more: object = {}): Promise<string> {
  const answer = await books.call({
    method: 'POST',
    url: '/api/v1/kundfakturor',
    payload: {
      customerId,
      invoiceDate: '2026-03-31',
      paymentTerms: 30,
      yourReference: 'BEST-17',
      book: true,
      rows: [
        {
          description: 'Konsulttimmar',
          quantity: 7.5,
          unitPrice: 950.5,
          vatRate: 25,
          account: 3001,
        },
        { description: 'Kaffe', quantity: 3, unitPrice: 89.9, vatRate: 12, account: 3002 },
      ],
      ...more,
    },
    headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
  });
  expect(answer.statusCode).toBe(200);
  return answer.json().id;
}
const fetchIt = (id: string, query = '', key?: string) =>
  books.call({
    url: `/api/v1/kundfakturor/${id}/e-faktura${query}`,
    ...(key === undefined ? {} : { key }),
  });

test('is a whole e-invoice with the amounts of the invoice, and breaks no rule', async () => {
  const id = await invoice();
  const answer = await fetchIt(id);
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['content-type']).toBe('application/xml; charset=utf-8');
  expect(answer.headers['content-disposition']).toMatch(
    /^attachment; filename="e-faktura-\d+\.xml"$/,
  );
  const { model, findings } = validateEInvoice(answer.rawPayload);
  expect(findings).toEqual([]);
  const told = (await books.call({ url: `/api/v1/kundfakturor/${id}` })).json();
  expect(answer.body).toContain(`>${told.total_amount.toFixed(2)}</cbc:PayableAmount>`);
  expect(answer.body).toContain(`>${told.vat_amount.toFixed(2)}</cbc:TaxAmount>`);
  expect(model).toMatchObject({
    number: String(told.invoice_number),
    due_date: told.due_date,
    buyer_reference: 'BEST-17',
  });
  expect(answer.body).toContain('<cbc:EndpointID schemeID="0007">2120001587</cbc:EndpointID>');
});

test('of a credit note names the invoice that it takes back', async () => {
  const id = await invoice();
  const note = await withTx(books.owner, (tx) =>
    creditInvoice(tx, { invoiceId: id, date: '2026-04-01' }, 'test'),
  );
  const answer = await fetchIt(note.id);
  expect(answer.statusCode).toBe(200);
  const { model, findings } = validateEInvoice(answer.rawPayload);
  expect(findings).toEqual([]);
  const told = (await books.call({ url: `/api/v1/kundfakturor/${id}` })).json();
  expect(model).toMatchObject({
    kind: 'credit_note',
    preceding: [{ number: String(told.invoice_number), issue_date: '2026-03-31' }],
  });
});

test('is to another address, by another reference, when the call says so', async () => {
  const id = await invoice({ yourReference: undefined });
  const refused = await fetchIt(id);
  expect([refused.statusCode, refused.json()]).toMatchObject([
    422,
    { error: 'unprocessable', detail: { problems: [{ path: 'buyerReference' }] } },
  ]);
  const answer = await fetchIt(id, '?peppolId=0088:7300010000001&buyerReference=Anna');
  expect(answer.statusCode).toBe(200);
  expect(answer.body).toContain('<cbc:EndpointID schemeID="0088">7300010000001</cbc:EndpointID>');
  expect(answer.body).toContain('<cbc:BuyerReference>Anna</cbc:BuyerReference>');
  const hyphened = await fetchIt(id, '?peppolId=0007:212000-1587&buyerReference=Anna');
  expect(hyphened.body).toContain('<cbc:EndpointID schemeID="0007">2120001587</cbc:EndpointID>');
  const wrong = await fetchIt(id, '?peppolId=0088:7300010000002&buyerReference=Anna');
  expect([wrong.statusCode, wrong.json().detail.problems[0].path]).toEqual([422, 'peppolId']);
  expect((await fetchIt(id, '?adress=0088')).statusCode).toBe(400);
});

test('of an order that was paid as it came asks for nothing, tips aside', async () => {
  const order = await books.call({
    method: 'POST',
    url: '/api/inbound/order',
    payload: orderBody({
      total: 199,
      tip: 15,
      rows: [{ description: 'Kanna', quantity: 1, unitPrice: 199, vatRate: 25 }],
      payments: [
        { method: 'gift_card', amount: 100 },
        { method: 'card', amount: 114 },
      ],
    }),
  });
  const id = order.json().invoiceId;
  await withTx(books.owner, (tx) => bookInvoices(tx, [id], 'test'));
  const answer = await fetchIt(id, '?peppolId=0088:7300010000001&buyerReference=Anna');
  expect(answer.statusCode, answer.body).toBe(200);
  expect(answer.body).toContain('<cbc:PrepaidAmount currencyID="SEK">199.00</cbc:PrepaidAmount>');
  expect(answer.body).toContain('<cbc:PayableAmount currencyID="SEK">0.00</cbc:PayableAmount>');
  expect(answer.body).not.toContain('PaymentMeans');
});

test('is of what is booked, and of nothing that is not there', async () => {
  const draft = await fetchIt(await invoice({ book: false }));
  expect([draft.statusCode, draft.json().message]).toEqual([
    422,
    'Fakturan är ett utkast; bokför den först.',
  ]);
  expect((await fetchIt(randomUUID())).statusCode).toBe(404);
  expect((await fetchIt('ingen')).statusCode).toBe(400);
});

test('is for keys that may read', async () => {
  const { key } = await books.makeKey(['intake:write']);
  expect((await fetchIt(await invoice(), '', key)).statusCode).toBe(403);
});
