/** Bank: rows typed or come, matched with a voucher or an invoice, booked directly, undone. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertTransactions } from '#src/bank/transaction-store.ts';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { changeSetting } from '#src/installation/company/service.ts';
import { setLock } from '#src/ledger/locks/service.ts';
import { createInstallation, type Installation, voucherBody } from '../support/installation.ts';
import { makeDrafts, makeInvoice } from '../support/invoices.ts';
import { type LoggedIn, logIn } from '../support/person.ts';

let books: Installation;
let reader: LoggedIn;
let keeper: LoggedIn;
let accountId: string;
beforeAll(async () => {
  books = await createInstallation();
  await withTx(books.owner, (tx) => changeSetting(tx, 'months-from', '2026-01', 'test'));
  reader = await logIn(books, 'lasare');
  keeper = await logIn(books, 'medarbetare');
});
afterAll(() => books.close());

const one = async <T extends object>(statement: ReturnType<typeof sql>): Promise<T> => {
  const [row] = await db(books.owner).query<T>(statement);
  if (!row) throw new Error('no such row');
  return row;
};
let serial = 0;
/** A row from the bank itself. */
async function row(
  amountOre: bigint,
  bookedOn = '2026-03-10',
  description = 'Text',
): Promise<string> {
  serial += 1;
  const reference = `bank-${serial}`;
  await withTx(books.owner, (tx) =>
    insertTransactions(tx, accountId, [{ reference, bookedOn, amountOre, description }]),
  );
  return (
    await one<{ id: string }>(sql`select id from bank.transactions
    where reference = ${reference}`)
  ).id;
}
const act = (id: string, name: string, fields: Record<string, string> = {}, who = keeper) =>
  who.submit(`/bank/${id}/${name}`, fields, `/bank/${id}`);
const voucherOf = async (id: string) =>
  (
    await one<{ voucher_id: string | null }>(sql`select voucher_id from bank.transactions
    where id = ${id}::uuid`)
  ).voucher_id;
const rowsOf = async (voucherId: string | null): Promise<string[]> =>
  (
    await db(books.owner).query<{
      row: string;
    }>(sql`select account || ' ' || (debit_ore - credit_ore)
      as row from ledger.voucher_rows where voucher_id = ${voucherId}::uuid order by account`)
  ).map((found) => found.row);
async function post(kronor: number, date = '2026-03-10'): Promise<{ id: string; label: string }> {
  const payload = voucherBody({
    date,
    rows: [
      { account: 1930, debit: kronor, credit: 0 },
      { account: 2018, debit: 0, credit: kronor },
    ],
  });
  const answer = await books.call({ method: 'POST', url: '/api/v1/verifikat', payload });
  const { id, number } = answer.json();
  return { id, label: `A${number}` };
}

describe('a bank account', () => {
  test('is added by a bookkeeper, once, on an account of cash and bank', async () => {
    expect((await reader.get('/bank')).body).toContain('Inget bankkonto är upplagt');
    const add = (fields: Record<string, string>, who = keeper) =>
      who.submit('/bank/konton/nytt', {
        name: 'Företagskonto',
        kind: 'bank',
        iban: '',
        number: '',
        bankgiro: '',
        ...fields,
      });
    expect((await reader.get('/bank/konton/nytt')).statusCode).toBe(403);
    const iban = await add({ ledgerAccount: '1930', iban: 'SE1' });
    expect(iban.body).toContain('id="f-iban-error"');
    expect((await add({ ledgerAccount: '1510' })).body).toContain('id="f-ledgerAccount-error"');
    expect((await add({ ledgerAccount: '1999' })).statusCode).toBe(422);
    expect((await add({ ledgerAccount: '1930' })).statusCode).toBe(303);
    const twice = await add({ ledgerAccount: '1930' });
    expect(twice.statusCode).toBe(422);
    expect(twice.body).toContain('hör redan till ett bankkonto');
    ({ id: accountId } = await one<{ id: string }>(sql`select id from bank.accounts`));
  });

  test('gets its balance from a person, which the month end then asks for', async () => {
    const page = `/bank/konton/${accountId}/saldo`;
    const future = await keeper.submit(page, { closingDate: '2026-12-31', balance: '1' });
    expect(future.statusCode).toBe(400);
    await keeper.submit(page, { closingDate: '2026-01-31', balance: '1 000,50' });
    const { body } = await reader.get('/bank');
    expect(body).toContain('1\u00a0000,50\u00a0kr');
    expect(body).toContain('Skillnad');
    expect((await reader.get('/manadsavslut')).body).toContain(
      'säger banken 1\u00a0000,50\u00a0kr',
    );
    await keeper.submit(page, { closingDate: '2026-01-31', balance: '0' });
    expect((await reader.get('/bank')).body).not.toContain('Skillnad');
  });

  test('gets a row from a person, who may take it away until it is booked', async () => {
    const page = `/bank/konton/${accountId}/rad`;
    const typed = { bookedOn: '2026-01-20', amount: '-99,90', description: 'Kort <b>x</b>' };
    expect((await keeper.submit(page, { ...typed, amount: '0' })).body).toContain('f-amount-error');
    expect((await keeper.submit(page, typed)).statusCode).toBe(303);
    const list = await reader.get('/bank');
    expect(list.body).toContain('Kort &lt;b&gt;x&lt;/b&gt;');
    expect(list.body).toContain('−99,90');
    const { id } = await one<{ id: string }>(sql`select id from bank.transactions`);
    expect((await act(id, 'ta-bort', {}, reader)).statusCode).toBe(403);
    expect((await act(id, 'ta-bort')).statusCode).toBe(303);
    expect((await reader.get(`/bank/${id}`)).statusCode).toBe(404);
    const banks = await row(5n);
    const refused = await act(banks, 'ta-bort');
    expect(refused.statusCode).toBe(422);
    expect(refused.body).toContain('kommer från banken');
    await act(banks, 'bokfor', direct({ account: '2018' }));
  });
});

const direct = (fields: Record<string, string> = {}) => ({
  account: '6570',
  description: 'Bankavgift',
  counterparty: '',
  series: 'A',
  bookedOn: '2026-03-10',
  ...fields,
});

describe('a row', () => {
  test('is matched with a voucher that has room for it, and let go again', async () => {
    const voucher = await post(100);
    const id = await row(10_000n);
    const page = await keeper.get(`/bank/${id}`);
    expect(page.body).toContain(`value="${voucher.id}"`);
    const unknown = await act(id, 'verifikat', { voucher: 'A9999' });
    expect(unknown.body).toContain('id="f-voucher-error"');
    const small = await post(99);
    const refused = await act(id, 'verifikat', { voucher: small.label });
    expect(refused.statusCode).toBe(422);
    expect(refused.body).toContain('bokför inte beloppet');
    expect((await act(id, 'verifikat', { voucher: voucher.label })).statusCode).toBe(303);
    expect(await voucherOf(id)).toBe(voucher.id);
    expect((await reader.get(`/verifikat/${voucher.id}`)).body).toContain(`href="/bank/${id}"`);
    expect((await reader.get('/bank')).body).not.toContain(id);
    expect((await reader.get('/bank?flik=matchade')).body).toContain(id);
    expect((await act(id, 'bokfor', direct())).statusCode).toBe(422);
    expect((await act(id, 'hav')).statusCode).toBe(303);
    expect(await voucherOf(id)).toBeNull();
  });

  test('is booked with its VAT: of a sale owed, of what was bought deducted, also where it comes back', async () => {
    const booked = async (ore: bigint, fields: Record<string, string>) => {
      const id = await row(ore);
      expect((await act(id, 'bokfor', direct(fields))).statusCode).toBe(303);
      return rowsOf(await voucherOf(id));
    };
    expect(await booked(-49_900n, { account: '6570', vatRate: '25' })).toEqual([
      '1930 -49900',
      '2641 9980',
      '6570 39920',
    ]);
    expect(await booked(49_900n, { account: '6570', vatRate: '25' })).toEqual([
      '1930 49900',
      '2641 -9980',
      '6570 -39920',
    ]);
    expect(await booked(10_600n, { account: '3001', vatRate: '6' })).toEqual([
      '1930 10600',
      '2631 -600',
      '3001 -10000',
    ]);
    const id = await row(100n);
    const refused = await act(id, 'bokfor', direct({ account: '2018', vatRate: '25' }));
    expect(refused.statusCode).toBe(422);
    expect(refused.body).toMatch(/id="f-vatRate-error">[^<]*varken försäljning eller inköp/);
    await act(id, 'bokfor', direct({ account: '2018' }));
  });

  test('is registered as the payment of the invoice whose OCR number it has', async () => {
    await makeInvoice(books.owner, [{ quantityE4: 10_000n, unitPriceE4: 4_000_000n }]);
    const invoice = await one<{ id: string; ocr: string; open_ore: bigint }>(
      sql`select id, ocr, open_ore from sales.invoices`,
    );
    const id = await row(20_000n, '2026-04-02', `INBET ${invoice.ocr}`);
    const shown = (await keeper.get(`/bank/${id}`)).body;
    expect(shown).toContain(`value="${invoice.id}"`);
    // Or it is found among the open ones by its customer's name.
    expect(shown).toMatch(/<datalist id="open-documents"><option value="\d+">\d+ \p{L}/u);
    const pay = { kind: 'invoice', number: invoice.ocr, date: '2026-04-02' };
    expect((await act(id, 'faktura', pay)).statusCode).toBe(303);
    expect(await rowsOf(await voucherOf(id))).toEqual(['1510 -20000', '1930 20000']);
    const { open_ore } = await one<{ open_ore: bigint }>(sql`select open_ore from sales.invoices
      where id = ${invoice.id}::uuid`);
    expect(open_ore).toBe(invoice.open_ore - 20_000n);
    const more = await row(90_000n, '2026-04-03');
    const refused = await act(more, 'faktura', pay);
    expect(refused.statusCode).toBe(422);
    expect(await voucherOf(more)).toBeNull();
    const nobody = await act(more, 'faktura', { ...pay, number: '99' });
    expect(nobody.body).toContain('Ingen bokförd kundfaktura har numret 99');
    await makeDrafts(books.owner, [1n]);
    await act(more, 'bokfor', direct({ account: '2018' }));
  });

  test('has its long text shortened in the reference of the payment, by whole characters', async () => {
    const id = await makeInvoice(books.owner, [{ quantityE4: 10_000n, unitPriceE4: 4_000_000n }]);
    const { number } = await one<{ number: number }>(
      sql`select number from sales.invoices where id = ${id}::uuid`,
    );
    const bankRow = await row(10_000n, '2026-04-02', '€😀'.repeat(250));
    const pay = { kind: 'invoice', number: String(number), date: '2026-04-02' };
    expect((await act(bankRow, 'faktura', pay)).statusCode).toBe(303);
    const { reference } = await one<{ reference: string }>(
      sql`select reference from sales.payments where invoice_id = ${id}::uuid`,
    );
    expect(reference).toBe('€😀'.repeat(100));
  });

  test('is booked directly, on an open day', async () => {
    const id = await row(-4_900n);
    for (const [fields, name] of [
      [{ account: '1930' }, 'account'],
      [{ account: '9999' }, 'account'],
      [{ account: '1510' }, 'account'],
      [{ bookedOn: '2026-12-01' }, 'bookedOn'],
      [{ bookedOn: '2031-01-01' }, 'bookedOn'],
      [{ description: '' }, 'description'],
    ] as const) {
      const refused = await act(id, 'bokfor', direct(fields));
      expect([400, 422]).toContain(refused.statusCode);
      expect(refused.body, name).toContain(`id="f-${name}-error"`);
    }
    await withTx(books.owner, (tx) => setLock(tx, 'period', '2026-03-31', 'test'));
    const locked = await act(id, 'bokfor', direct());
    expect(locked.statusCode).toBe(422);
    expect(locked.body).toContain('Tidigaste tillåtna datum är 2026-04-01');
    expect((await keeper.get(`/bank/${id}`)).body).toContain('1 april 2026 är den första öppna');
    expect((await act(id, 'bokfor', direct({ bookedOn: '2026-04-01' }))).statusCode).toBe(303);
    const voucher = await voucherOf(id);
    expect(await rowsOf(voucher)).toEqual(['1930 -4900', '6570 4900']);
    const { source } = await one<{ source: string }>(sql`select source from ledger.vouchers
      where id = ${voucher}::uuid`);
    expect(source).toBe('bank');
  });

  test('stays what the bank said, and a voucher books no more than it has, by SQL too', async () => {
    const id = await row(10_000n);
    const run = (statement: ReturnType<typeof sql>) => db(books.owner).query(statement);
    await expect(
      run(sql`update bank.transactions set amount_ore = 1 where id = ${id}::uuid`),
    ).rejects.toThrow('stays what the bank said');
    await expect(run(sql`delete from bank.transactions where id = ${id}::uuid`)).rejects.toThrow(
      'stays',
    );
    const { id: voucher } = await post(150, '2026-04-10');
    const match = (transaction: string) =>
      run(sql`update bank.transactions set voucher_id = ${voucher}::uuid, matched_at = now(),
        matched_by = 'x' where id = ${transaction}::uuid`);
    await match(id);
    await expect(match(await row(10_000n))).rejects.toThrow('books less');
  });

  test('is for readers to see, and lists go on page after page', async () => {
    const id = await row(77n);
    expect((await reader.get(`/bank/${id}`)).body).not.toContain('action="/bank/');
    expect((await act(id, 'bokfor', direct(), reader)).statusCode).toBe(403);
    for (let day = 10; day < 28; day += 1) {
      for (let no = 0; no < 3; no += 1) await row(100n, `2026-06-${day}`);
    }
    const seen = new Set<string>();
    let address: string | undefined = '/bank?flik=alla';
    while (address) {
      const { body }: { body: string } = await reader.get(address);
      for (const [, found = ''] of body.matchAll(/href="\/bank\/([0-9a-f-]{36})"/g)) {
        expect(seen).not.toContain(found);
        seen.add(found);
      }
      address = /<a class="button" href="([^"]+)" rel="next">/
        .exec(body)?.[1]

        ?.replaceAll('&amp;', '&')
        .replaceAll('&#x3D;', '=');
    }
    const { count } = await one<{ count: number }>(
      sql`select count(*)::integer as count from bank.transactions`,
    );
    expect(seen.size).toBe(count);
  });
});
