/** Books to walk about in. */
import { createAgencyKey } from '#src/access/agency/keys.ts';
import { recordEvent } from '#src/audit/store.ts';
import { withTx } from '#src/db/pool.ts';
import { createEndpoint, queueTest } from '#src/events/webhooks/service.ts';
import { addAttachment } from '#src/ledger/attachments/service.ts';
import { insertDimension } from '#src/ledger/dimensions/store.ts';
import { createArticle } from '#src/sales/articles/store.ts';
import { insertCustomer } from '#src/sales/customers/store.ts';
import { ledgerVoucher, post, row } from '../database/books.ts';
import { eInvoice } from '../support/e-invoice.ts';
import { type Installation, orderBody } from '../support/installation.ts';
import { makeDrafts, makeInvoice } from '../support/invoices.ts';
import { testKeyring } from '../support/secrets.ts';

/** Something of everything that has a page, and more vouchers than a page of their list holds. */
export async function fill({ owner, call }: Installation): Promise<void> {
  await withTx(owner, async (tx) => {
    for (let n = 0; n < 60; n += 1) {
      await insertCustomer(tx, { name: `Kund ${n}`, email: 'kund@exempel.se' });
      await recordEvent(tx, { actor: 'test', action: 'customer.created', subject: `Kund ${n}` });
    }
    await insertDimension(tx, { kind: 'project', code: 'P1', name: 'Bygget' });
    const facts = { description: 'Timme', supply: 'services', account: 3001 } as const;
    await createArticle(
      tx,
      'K1',
      { ...facts, unitPriceE4: 12_000_000n, unit: 'tim', externalId: null },
      'test',
    );
    await createAgencyKey(tx, 'Byrån', 'test');
    const endpoint = { url: 'https://exempel.se/krok', types: [], description: 'Krok' };
    await queueTest(
      tx,
      (await createEndpoint(tx, endpoint, { webhookNetworks: [], keyring: testKeyring }, 'test'))
        .id,
    );
  });
  const vouchers = Array.from({ length: 120 }, (_, n) =>
    ledgerVoucher({
      date: '2026-02-01',
      description: `Många ${n}`,
      rows: [row(1930, 100 + n), row(6110, -100 - n)],
    }),
  );
  await post(owner, vouchers);
  const [voucherId = ''] = vouchers.map(({ id }) => id);
  const file = { fileName: 'kvitto.txt', bytes: Buffer.from('kvitto') };
  await withTx(owner, (tx) => addAttachment(tx, { voucherId, ...file }, 'test'));
  await makeDrafts(owner, [100n]);
  await makeInvoice(owner, [{ quantityE4: 10_000n, unitPriceE4: 10_000_000n }]);
  const send = (url: string, payload: object | string, type = 'application/json') =>
    call({ method: 'POST', url, payload, headers: { 'content-type': type } });
  for (const currency of ['SEK', 'EUR']) await send('/api/inbound/order', orderBody({ currency }));
  for (const document of [eInvoice(), '<slask>']) {
    await send('/api/inbound/peppol', document, 'application/xml');
  }
}
