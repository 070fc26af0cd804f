/** The supplier inbox as people use it: read, matched, coded, booked, paid, rejected. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { setLock } from '#src/ledger/locks/service.ts';
import { verifyBooks } from '#src/ledger/verification/service.ts';
import { commandProblem } from '#src/lib/sentences/say.ts';
import { getPurchase } from '#src/purchases/inbox/store.ts';
import { type EInvoiceParts, eInvoice } from '../support/e-invoice.ts';
import { root } from '../support/house.ts';
import { createInstallation, type Installation } from '../support/installation.ts';
import { errorAt, textOfPage } from '../support/pages.ts';
import { type LoggedIn, logIn, tokensOf } from '../support/person.ts';

let books: Installation;
let person: LoggedIn;
let reader: LoggedIn;
beforeAll(async () => {
  books = await createInstallation({ workers: true });
  person = await logIn(books, 'medarbetare');
  reader = await logIn(books, 'lasare');
});
afterAll(() => books.close());

const HOME = '/leverantorsinkorg';
let serial = 0;

const deliver = (payload: string | Buffer, type = 'application/xml') =>
  books.call({
    method: 'POST',
    url: '/api/inbound/peppol',
    payload,
    headers: { 'content-type': type },
  });

/** A purchase of 1 250 kr from the supplier of the examples, under a number of its own. */
async function receive(parts: EInvoiceParts = {}): Promise<string> {
  serial += 1;
  const answer = await deliver(eInvoice({ number: `N-${serial}`, ...parts }));
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().draftId;
}

/** Of a seller that no other test has: ten digits with a right check digit. */
function newSeller(): NonNullable<EInvoiceParts['seller']> {
  serial += 1;
  const nine = `55${String(6_000_000 + serial).padStart(7, '0')}`;
  const sum = [...nine].reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return { name: `Leverantör ${serial} AB`, orgNumber: `${nine}${(10 - (sum % 10)) % 10}` };
}

const pageOf = (id: string) => `${HOME}/${id}`;
const act = (id: string, action: string, fields: Record<string, string> = {}, who = person) =>
  who.submit(`${pageOf(id)}/${action}`, fields, pageOf(id));

async function follow(answer: { statusCode: number; headers: object; body: string }) {
  expect(answer.statusCode, answer.body).toBe(303);
  return person.get((answer.headers as { location: string }).location);
}

const purchase = async (id: string) => {
  const [found] = await db(books.owner).query<{
    status: string;
    voucher_id: string | null;
    open_ore: bigint;
    supplier_id: string | null;
  }>(sql`select status, voucher_id, open_ore, supplier_id from purchases.invoices
    where id = ${id}::uuid`);
  if (!found) throw new Error('no such purchase');
  return found;
};

const rowsOf = (...rows: readonly (readonly [string, string, string])[]): Record<string, string> =>
  Object.fromEntries(
    rows.flatMap(([account, debit, credit], index) => [
      [`rows[${index}].account`, account],
      [`rows[${index}].debit`, debit],
      [`rows[${index}].credit`, credit],
      [`rows[${index}].note`, ''],
    ]),
  );
/** As the page shows an invoice of 1 250 kr on its suggested rows. */
const suggested = rowsOf(
  ['4000', '1 000,00', ''],
  ['2641', '250,00', ''],
  ['2440', '', '1 250,00'],
);
const coding = (rows: Record<string, string>, gor = 'bokfor', date = '2026-03-31') => ({
  ...rows,
  date,
  gor,
});

test('whoever opens the inbox before anything has come reads how invoices come', async () => {
  const waiting = textOfPage((await person.get(HOME)).body);
  expect(waiting).toContain('Inga leverantörsfakturor har kommit än');
  expect(waiting).toContain('POST /api/inbound/peppol');
  await receive();
  const none = textOfPage((await person.get(`${HOME}?flik=nya`)).body);
  expect(none).toContain('Inga fakturor utan anmärkning');
});

describe('a supplier invoice', () => {
  test('goes from an unknown sender to booked and paid', async () => {
    const seller = newSeller();
    const id = await receive({ seller });
    const list = await person.get(HOME);
    expect(list.body).toContain(pageOf(id));
    expect(list.body).toContain('Att granska');
    expect(list.body).toMatch(/1\s250,00/);

    const early = await follow(await act(id, 'kontering', coding(suggested)));
    expect(early.body).toContain('Fakturan saknar leverantör');

    const matched = await follow(await act(id, 'ny-leverantor'));
    expect(matched.body).toContain(`${seller.name} är upplagd`);
    const booked = await follow(await act(id, 'kontering', coding(suggested)));
    expect(booked.body).toContain('Fakturan är bokförd.');
    expect(booked.body).toMatch(/Bokförd av Test medarbetare/);
    // From another tab, on a day of its own: which it is not booked on.
    const late = { ...coding(suggested), date: '2026-04-20' };
    const again = await follow(await act(id, 'kontering', late));
    expect(again.body).toContain('Fakturan var redan bokförd. Inget nytt är bokfört.');
    expect(booked.body).toMatch(/verifikat <a href="\/verifikat\/[0-9a-f-]{36}">D\d+/);

    const part = { date: '2026-04-15', amount: '1 000', account: '1930' };
    expect((await follow(await act(id, 'betalning', part))).body).toContain(
      'Kvar att betala: 250,00',
    );
    const tooMuch = await act(id, 'betalning', { ...part, amount: '250,01' });
    expect(tooMuch.statusCode).toBe(422);
    expect(tooMuch.body).toMatch(/Det återstår 250,00\skr att betala på leverantörsfaktura/);
    expect(tooMuch.body).toContain('value="250,01"');
    const paid = await follow(await act(id, 'betalning', { ...part, amount: '250,00' }));
    expect(paid.body).toContain('Inget återstår.');
    // The form of what is paid is folded; refused, it is open, or nobody sees why.
    expect(paid.body).toMatch(/<details>\s*<summary>Registrera betalning/);
    const twice = await act(id, 'betalning', { ...part, amount: '250,00' });
    expect(twice.body).toMatch(/<details open>\s*<summary>Registrera betalning/);
    expect((await purchase(id)).open_ore).toBe(0n);
    expect((await person.get(`${HOME}?flik=bokforda`)).body).toMatch(/Betald/);
    const actions = await db(books.owner).query<{ action: string; actor: string }>(
      sql`select action, actor from audit.events where subject = ${id} order by occurred_at, id`,
    );
    expect(actions.map(({ action }) => action)).toEqual([
      'purchase.matched',
      'purchase.booked',
      'purchase.paid',
      'purchase.paid',
    ]);
    expect(new Set(actions.map(({ actor }) => actor))).toEqual(new Set([`user:${person.id}`]));
  });

  test('whose credit note is set off against another invoice of the same supplier leaves what remains', async () => {
    const seller = newSeller();
    const invoice = await receive({ seller });
    const note = await receive({ seller, root: 'CreditNote', net: 400 });
    await follow(await act(invoice, 'ny-leverantor'));
    const { supplier_id } = await purchase(invoice);
    await follow(await act(note, 'leverantor', { supplier: supplier_id ?? '' }));
    await follow(await act(invoice, 'kontering', coding(suggested)));
    const alone = await person.get(pageOf(invoice));
    expect(alone.body).not.toContain('Bokför kvittningen');
    const back = rowsOf(['4000', '', '400'], ['2641', '', '100'], ['2440', '500', '']);
    await follow(await act(note, 'kontering', coding(back)));
    expect((await purchase(note)).open_ore).toBe(-50_000n);

    const offered = await person.get(pageOf(invoice));
    expect(offered.body).toContain('Kvitta mot en kreditfaktura från samma leverantör');
    expect(offered.body).toMatch(/name="setOffAmount"[^>]*value="500,00"/);
    expect((await reader.get(pageOf(invoice))).body).not.toContain('Bokför kvittningen');
    const fields = { other: note, setOffAmount: '500,01', setOffDate: '2026-04-01' };
    const tooMuch = await act(invoice, 'kvittning', fields);
    expect(tooMuch.statusCode).toBe(422);
    expect(tooMuch.body).toContain('kvitta högst det mindre beloppet');
    expect(tooMuch.body).toContain('id="f-setOffAmount-error"');
    const early = { ...fields, setOffAmount: '500', setOffDate: '2026-03-30' };
    expect((await act(invoice, 'kvittning', early)).body).toContain('id="f-setOffDate-error"');
    const stranger = await receive({ seller: newSeller(), root: 'CreditNote', net: 400 });
    await follow(await act(stranger, 'ny-leverantor'));
    await follow(await act(stranger, 'kontering', coding(back)));
    const foreign = await act(invoice, 'kvittning', { ...fields, other: stranger });
    expect(foreign.statusCode).toBe(422);
    expect(foreign.body).toContain('från samma leverantör: välj en sådan');

    // Begun at the credit note it does the same.
    const whole = { other: invoice, setOffAmount: '500', setOffDate: '2026-04-01' };
    const done = await follow(await act(note, 'kvittning', whole));
    expect(done.body).toContain('Kvittningen är bokförd. Inget återstår.');
    expect(done.body).toContain('Kvittning</span>');
    expect((await purchase(note)).open_ore).toBe(0n);
    expect((await purchase(invoice)).open_ore).toBe(75_000n);

    const more = { ...whole, other: note, setOffAmount: '-500,01' };
    expect((await act(invoice, 'kvittning', more)).body).toContain('är kvittat mellan fakturorna');
    const undone = { ...more, setOffAmount: '-500' };
    const taken = await follow(await act(invoice, 'kvittning', undone));
    expect(taken.body).toMatch(/Kvar att betala: 1\s250,00/);
    expect((await purchase(note)).open_ore).toBe(-50_000n);
    expect((await verifyBooks(db(books.owner), () => undefined)).problems).toEqual([]);
  });

  test('is matched to a supplier there is, and suggested anew on what that one is usually booked on', async () => {
    const first = await receive({ seller: newSeller() });
    await follow(await act(first, 'ny-leverantor'));
    await follow(
      await act(
        first,
        'kontering',
        coding(rowsOf(['6110', '1000', ''], ['2641', '250', ''], ['2440', '', '1250'])),
      ),
    );
    const { supplier_id } = await purchase(first);
    const second = await receive({ seller: newSeller() });
    const refused = await act(second, 'leverantor', { supplier: randomUUID() });
    expect(refused.statusCode).toBe(422);
    await follow(await act(second, 'leverantor', { supplier: supplier_id ?? '' }));
    expect((await person.get(pageOf(second))).body).toContain('brukar bokföras på <bdi>6110');
    const anew = await follow(await act(second, 'forslag'));
    expect(anew.body).toMatch(/value="6110"/);
    expect(anew.body).not.toMatch(/value="4000" aria-label/);
  });

  test('whose VAT we owe asks what the supplier sells, and remembers it', async () => {
    const seller = newSeller();
    const id = await receive({ seller, category: 'AE' });
    expect((await person.get(pageOf(id))).body).not.toContain('name="supply"');
    await follow(await act(id, 'ny-leverantor'));
    expect((await person.get(pageOf(id))).body).toMatch(/name="supply"[^>]*>\s*<option value=""/);
    const mark = { supply: 'goods', reverseChargeRate: '12' };
    const goods = await follow(await act(id, 'forslag', mark));
    expect(goods.body).toMatch(/value="4416" aria-label/);
    const wrong = rowsOf(
      ['4416', '1000', ''],
      ['2647', '250', ''],
      ['2624', '', '250'],
      ['2440', '', '1000'],
    );
    const refused = await follow(await act(id, 'kontering', coding(wrong)));
    expect(refused.body).toMatch(/12 % moms på underlaget 1\s000,00\skr är 120,00\skr/);
    const { supplier_id: supplier } = await purchase(id);
    const register = await person.get(`/leverantorer/${supplier}`);
    expect(register.body).toContain('Varor, 12 % moms');
    const changed = await person.submit(`/leverantorer/${supplier}/andra`, {
      name: seller.name ?? '',
      organizationNumber: seller.orgNumber ?? '',
      countryCode: 'SE',
      supply: 'services',
      reverseChargeRate: '25',
      isActive: 'on',
    });
    expect(changed.statusCode, changed.body).toBe(303);
    const services = await follow(
      await act(id, 'forslag', { supply: '', reverseChargeRate: '25' }),
    );
    expect(services.body).toMatch(/value="4425" aria-label/);
  });

  test('says that the supplier it is to be matched with is inactive by now', async () => {
    const answer = await person.submit('/leverantorer/ny', {
      name: 'Slutat AB',
      countryCode: 'SE',
      reverseChargeRate: '25',
    });
    const page = String(answer.headers.location);
    const id = await receive({ seller: newSeller() });
    const shut = await person.submit(`${page}/andra`, {
      name: 'Slutat AB',
      countryCode: 'SE',
      reverseChargeRate: '25',
    });
    expect(shut.statusCode, shut.body).toBe(303);
    const supplier = page.split('/').at(-1) ?? '';
    const refused = await act(id, 'leverantor', { supplier });
    expect(refused.statusCode).toBe(422);
    expect(refused.body).toContain('Slutat AB är inaktiv');
    expect(refused.body).not.toContain('huvudbok supplier');
    const unknown = await act(id, 'leverantor', { supplier: randomUUID() });
    expect(unknown.statusCode).toBe(422);
    expect(unknown.body).toContain('Leverantören finns inte.');
    expect((await purchase(id)).supplier_id).toBeNull();
  });

  test('keeps what was typed, with each fault beside its cell', async () => {
    const id = await receive();
    const typed = rowsOf(['54', '1000', ''], ['2641', '12,345', '5'], ['9999', '', '-3']);
    const answer = await act(id, 'kontering', coding(typed, 'spara'));
    expect(answer.statusCode).toBe(400);
    for (const cell of ['row-0-account', 'row-1-debit', 'row-2-credit']) {
      expect(answer.body).toContain(`id="${cell}-error"`);
    }
    expect(answer.body).toContain('value="12,345"');
    const unbalanced = rowsOf(['5410', '1000', ''], ['2440', '', '999']);
    const refused = await act(id, 'kontering', coding(unbalanced, 'spara'));
    expect(refused.body).toContain('debet ska vara lika med kredit');
    const gap = {
      ...rowsOf(['5410', '10', ''], ['', '', ''], ['9998', '', '10']),
    };
    const unknown = await act(id, 'kontering', coding(gap, 'spara'));
    expect(unknown.body).toContain('Kontot 9998 finns inte');
    expect(unknown.body).toContain('id="row-2-account-error"');
    const saved = await follow(
      await act(
        id,
        'kontering',
        coding(rowsOf(['5410 Inventarier', '1 250,00 kr', ''], ['2440', '', '1250']), 'spara'),
      ),
    );
    expect(saved.body).toContain('Raderna är sparade.');
    expect(saved.body).toContain('value="5410"');
    expect((await purchase(id)).status).toBe('review');
  });

  test('in a locked period says why, and offers the first day that is open', async () => {
    const id = await receive({ seller: newSeller(), issueDate: '2026-01-31' });
    await follow(await act(id, 'ny-leverantor'));
    await withTx(books.owner, (tx) => setLock(tx, 'period', '2026-02-28', 'test'));
    const refused = await follow(
      await act(id, 'kontering', coding(suggested, 'bokfor', '2026-01-31')),
    );
    expect(refused.body).toContain('Perioden är låst till och med 2026-02-28');
    expect(refused.body).toContain('value="2026-03-01"');
    expect((await person.get(HOME)).body).toContain('Gick inte att bokföra');
    const booked = await follow(
      await act(id, 'kontering', coding(suggested, 'bokfor', '2026-03-01')),
    );
    expect(booked.body).toContain('Fakturan är bokförd.');
  });

  test('that was refused before reasons were kept still says why', async () => {
    const [refused, locked] = [await receive(), await receive()];
    const message = 'Fakturan saknar leverantör; koppla den till en först.';
    const lock = { message: 'Perioden är låst.', earliest_allowed_date: '2026-03-02' };
    for (const [id, kept] of [[refused, { message }] as const, [locked, lock] as const]) {
      await db(books.owner).query(sql`update purchases.invoices
        set booking_refusal = ${JSON.stringify(kept)}::jsonb where id = ${id}::uuid`);
    }
    const migration = 'migrations/0136-say-kept-refusals-as-faults.sql';
    await books.owner.query(await readFile(join(root, migration), 'utf8'));
    expect((await person.get(pageOf(refused))).body).toContain(message);
    const page = await person.get(pageOf(locked));
    expect(page.body).toContain(lock.message);
    expect(page.body).toContain('value="2026-03-02"');
    const shown = await getPurchase(db(books.owner), refused);
    expect(shown?.booking_refusal?.problems.map(commandProblem)).toMatchObject([{ message }]);
  });

  test('in another currency is suggested in kronor at the rate given, and paid with its exchange difference', async () => {
    const id = await receive({ seller: newSeller(), currency: 'EUR' });
    await follow(await act(id, 'ny-leverantor'));
    expect(textOfPage((await person.get(pageOf(id))).body)).toMatch(/Fakturan är på 1.250,00 EUR/);
    const asked = await act(id, 'forslag');
    expect([asked.statusCode, errorAt(asked.body, 'rate')]).toEqual([
      422,
      'Skriv kursen: hur många kronor en EUR kostade på fakturadagen.',
    ]);
    await follow(await act(id, 'forslag', { rate: '11,2345' }));
    const page = (await person.get(pageOf(id))).body;
    expect(textOfPage(page)).toContain('Kurs 11,2345 kr för en EUR');
    // As the page shows them: 1 250 × 11,2345 = 14 043,13 (14 043,125), of which VAT 250 × 11,2345 = 2 808,63.
    const form = coding(
      rowsOf(['4000', '11 234,50', ''], ['2641', '2 808,63', ''], ['2440', '', '14 043,13']),
    );
    for (const shown of ['11 234,50', '2 808,63', '14 043,13']) {
      expect(page.replaceAll('\u00a0', ' ')).toContain(`value="${shown}"`);
    }
    const booked = await follow(await act(id, 'kontering', form));
    expect(booked.body).toContain('Fakturan är bokförd.');
    expect((await purchase(id)).open_ore).toBe(1_404_313n);
    const pay = { date: '2026-03-31', amount: '14 100', account: '1930' };
    expect((await act(id, 'betalning', pay)).statusCode).toBe(422);
    const paid = await follow(await act(id, 'betalning', { ...pay, isWhole: 'on' }));
    expect(textOfPage(paid.body)).toContain('Inget återstår.');
    expect((await purchase(id)).open_ore).toBe(0n);
  });

  test('in another currency may have its rows typed in kronor', async () => {
    const id = await receive({ seller: newSeller(), currency: 'EUR' });
    await follow(await act(id, 'ny-leverantor'));
    const rows = rowsOf(['4000', '14 100', ''], ['2440', '', '14 100']);
    const booked = await follow(await act(id, 'kontering', coding(rows)));
    expect(booked.body).toContain('Fakturan är bokförd.');
    expect((await purchase(id)).open_ore).toBe(1_410_000n);
  });

  test('on zero kronor is put aside without rows or voucher', async () => {
    const id = await receive({ seller: newSeller(), net: 0 });
    await follow(await act(id, 'ny-leverantor'));
    expect((await person.get(pageOf(id))).body).toContain('Bokför den utan rader');
    const blank = rowsOf(['', '', ''], ['', '', '']);
    const booked = await follow(await act(id, 'kontering', coding(blank)));
    expect(booked.body).toContain('Fakturan är på noll kronor, utan verifikat.');
    expect(await purchase(id)).toMatchObject({ status: 'booked', voucher_id: null, open_ore: 0n });
  });

  test('that deducts a prepayment is linked with it', async () => {
    const seller = newSeller();
    const first = await receive({ seller, typeCode: '386', number: 'FÖRSKOTT' });
    await follow(await act(first, 'ny-leverantor'));
    const prepaid = rowsOf(['1480', '1000', ''], ['2641', '250', ''], ['2440', '', '1250']);
    await follow(await act(first, 'kontering', coding(prepaid)));
    const last = await receive({ seller, net: 4_000, prepaid: 1_250, preceding: 'FÖRSKOTT' });
    expect((await person.get(pageOf(last))).body).toContain(`href="${pageOf(first)}"`);
    expect((await person.get(pageOf(first))).body).toContain(`href="${pageOf(last)}"`);
    const anew = await follow(await act(last, 'forslag'));
    expect(anew.body).toMatch(/value="1480" aria-label/);
  });

  test('is linked with others of the same number from the same seller', async () => {
    const seller = newSeller();
    const first = await receive({ seller, number: 'SAMMA' });
    const second = await receive({ seller, number: 'SAMMA', net: 2_000 });
    const other = await receive({ seller: newSeller(), number: 'SAMMA' });
    const { body } = await person.get(pageOf(second));
    expect(body).toContain(`href="${pageOf(first)}"`);
    expect(body).not.toContain(other);
    expect(body).toContain('HB-NUMBER-TWICE');
    const found = await person.get(`${HOME}?flik=alla&sok=SAMMA`);
    expect(found.body.match(/row-link/g)).toHaveLength(3);
  });

  test('is rejected with a reason, and then nothing more is done with it', async () => {
    const id = await receive({ seller: newSeller() });
    expect((await act(id, 'avvisa', { reason: '' })).statusCode).toBe(400);
    const tokens = tokensOf((await person.get(pageOf(id))).body);
    const list = await follow(await act(id, 'avvisa', { reason: 'Kopia <i>på papper</i>' }));
    expect(list.body).toContain('Fakturan är avvisad');
    expect(list.body).not.toContain(id);
    const page = await person.get(pageOf(id));
    expect(page.body).toContain('Kopia &lt;i&gt;på papper&lt;/i&gt;');
    expect(page.body).not.toContain('Spara och bokför');
    for (const [action, fields] of [
      ['kontering', coding(suggested)],
      ['ny-leverantor', {}],
      ['avvisa', { reason: 'Igen' }],
      ['betalning', { date: '2026-04-01', amount: '1', account: '1930' }],
    ] as const) {
      const form = { ...tokens, _once: randomUUID(), ...fields };
      const answer = await person.post(`${pageOf(id)}/${action}`, form);
      const shown = answer.statusCode === 303 ? await person.get(pageOf(id)) : answer;
      expect(shown.body, action).toMatch(/avvisad|inte bokförd/);
    }
    expect(await purchase(id)).toMatchObject({ status: 'rejected', voucher_id: null });
  });
});

describe('two people at once', () => {
  test('book one voucher, pay once, and reject or book but never both', async () => {
    const other = await logIn(books, 'administrator');
    const everybody = [person, other, person, other];
    const id = await receive({ seller: newSeller() });
    await follow(await act(id, 'ny-leverantor'));
    const answers = await Promise.all(
      everybody.map((who) => act(id, 'kontering', coding(suggested), who)),
    );
    for (const { statusCode } of answers) expect(statusCode).toBe(303);
    const [vouchers] = await db(books.owner).query<{ count: number }>(
      sql`select count(*)::integer as count from ledger.vouchers v
          join purchases.invoices i on v.description like '%' || i.invoice_number
          where i.id = ${id}::uuid`,
    );
    expect(vouchers?.count).toBe(1);

    const whole = { date: '2026-04-15', amount: '1250', account: '1930' };
    const paid = await Promise.all(everybody.map((who) => act(id, 'betalning', whole, who)));
    expect(paid.map(({ statusCode }) => statusCode).toSorted()).toEqual([303, 422, 422, 422]);

    const contested = await receive({ seller: newSeller() });
    await follow(await act(contested, 'ny-leverantor'));
    await Promise.all([
      act(contested, 'kontering', coding(suggested)),
      act(contested, 'avvisa', { reason: 'Fel' }, other),
    ]);
    const { status, voucher_id } = await purchase(contested);
    expect([status === 'booked', status === 'rejected']).toContain(true);
    expect(voucher_id === null).toBe(status === 'rejected');
    const { problems } = await verifyBooks(db(books.owner), () => undefined);
    expect(problems).toEqual([]);
  });
});

describe('several at once', () => {
  test('are booked when there is nothing to remark, and the one that cannot be keeps its reason', async () => {
    const seller = newSeller();
    const first = await receive({ seller });
    await follow(await act(first, 'ny-leverantor'));
    const clean = await receive({ seller });
    const locked = await receive({ seller, issueDate: '2025-03-31' });
    const unknown = await receive({ seller: newSeller() });
    expect((await person.get(`${HOME}?flik=nya`)).body).toContain(clean);
    const page = await follow(
      await person.submit(
        `${HOME}/bokfor`,
        { purchase: [first, clean, locked, unknown] },
        `${HOME}?flik=nya`,
      ),
    );
    expect(page.body).toContain(
      '1 bokförda. 2 ska granskas var för sig. 1 gick inte att bokföra; den första: Datumet 2025-03-31',
    );
    // What was refused now waits among what needs somebody, and a warned one is never booked unseen.
    expect(page.body).toContain(locked);
    expect((await purchase(clean)).status).toBe('booked');
    expect((await purchase(first)).status).toBe('review');
    const rejected = await follow(
      await person.submit(`${HOME}/avvisa`, { purchase: [unknown], reason: 'Okänd' }, HOME),
    );
    expect(rejected.body).toContain('1 avvisade.');
    const none = await person.submit(`${HOME}/bokfor`, {}, HOME);
    expect(none.statusCode).toBe(400);
    expect(none.body).toContain('Markera minst en faktura');
  });
});

describe('the document', () => {
  const pdf = Buffer.from('%PDF-1.7 innehåll').toString('base64');
  const withFile = `<cac:AdditionalDocumentReference><cbc:ID>bilaga</cbc:ID><cac:Attachment>
    <cbc:EmbeddedDocumentBinaryObject mimeCode="application/pdf" filename="räkning &quot;1&quot;.pdf">${pdf}</cbc:EmbeddedDocumentBinaryObject>
    </cac:Attachment></cac:AdditionalDocumentReference>`;

  test('is read on the page, printed apart, and kept with its files as it came', async () => {
    const xml = eInvoice({ number: 'Läst 1', documents: withFile });
    const id = (await deliver(xml)).json().draftId;
    const { body } = await person.get(pageOf(id));
    for (const shown of ['Kopieringspapper', '5050-1055', '1234566', '25 %', 'räkning']) {
      expect(body, shown).toContain(shown);
    }
    const printed = await person.get(`${pageOf(id)}/dokument`);
    expect(printed.body).toContain('Kopieringspapper');
    expect(printed.headers['content-security-policy']).toContain('sandbox');
    const original = await person.get(`${pageOf(id)}/original`);
    expect(original.rawPayload.equals(Buffer.from(xml))).toBe(true);
    expect(original.headers['content-disposition']).toContain("filename*=UTF-8''L%C3%A4st%201.xml");
    const [, href = ''] = /href="([^"]*\/bilaga\/[0-9a-f]{64})"/.exec(body) ?? [];
    const file = await person.get(href);
    expect(file.rawPayload.toString()).toContain('%PDF-1.7');
    expect(file.headers).toMatchObject({
      'content-type': 'application/pdf',
      'x-content-type-options': 'nosniff',
    });
    expect(file.headers['content-disposition']).toMatch(/^attachment; filename="rakning/);
    // Of another invoice it is not, though the bytes are the same in the archive.
    const other = await receive();
    expect((await person.get(href.replace(id, other))).statusCode).toBe(404);
  });

  test('shows no markup of a supplier, in any field', async () => {
    const evil = '&lt;script>alert(1)&lt;/script>&lt;img src=x onerror=alert(2)>&#x202e;';
    const xml = eInvoice({
      seller: { ...newSeller(), name: `Ond ${evil}` },
      documents: withFile.replace('räkning', evil),
      payee: `<cac:PayeeParty><cac:PartyName><cbc:Name>${evil}</cbc:Name></cac:PartyName></cac:PayeeParty>`,
    })
      .replace('Kopieringspapper', evil)
      .replace('Storgatan 1', evil)
      .replace('Falun', evil)
      .replace('1234566', evil)
      .replace('>Inköp<', `>${evil}<`)
      .replace(/(<cbc:ID>)F-1001/, `$1${evil}`)
      .replace(
        '<cbc:DocumentCurrencyCode>',
        `<cbc:Note>${evil}</cbc:Note><cbc:DocumentCurrencyCode>`,
      )
      .replaceAll('unitCode="EA"', `unitCode="${evil}"`)
      .replace('>50501055<', `>${evil}<`);
    const answer = await deliver(xml);
    expect(answer.statusCode, answer.body).toBe(200);
    const id = answer.json().draftId;
    for (const url of [HOME, `${HOME}?flik=alla`, pageOf(id), `${pageOf(id)}/dokument`]) {
      const { body, statusCode } = await person.get(url);
      expect(statusCode, url).toBe(200);
      expect(body).not.toContain('<script>alert');
      expect(body).not.toContain('<img src=x');
      expect(body).toContain('&lt;script&gt;alert');
    }
  });
});

describe('what was refused at the door', () => {
  test('is listed with its reason, and read as text where the fault is', async () => {
    const broken = eInvoice().replace('</cbc:ID>', '<script>alert(1)</script></cbc:ID');
    expect((await deliver(broken)).statusCode).toBe(400);
    expect((await deliver(eInvoice({ buyer: { orgNumber: '5560360793' } }))).statusCode).toBe(400);
    expect((await deliver('{"document": 1}', 'application/json')).statusCode).toBe(400);
    expect((await deliver(Buffer.alloc(4 * 1024 * 1024 + 1, 0x20))).statusCode).toBe(413);
    const list = await person.get(`${HOME}?flik=avvisade`);
    for (const word of ['Oläslig', 'Fel mottagare', 'Fel format', 'För stor']) {
      expect(list.body, word).toContain(word);
    }
    const bodies = new Map<string, string>();
    for (const [, href = ''] of list.body.matchAll(
      /href="(\/leverantorsinkorg\/dokument\/[^"]+)"/g,
    )) {
      const { body, statusCode } = await person.get(href);
      expect(statusCode).toBe(200);
      expect(body).not.toContain('<script>alert');
      const [, code = ''] = /<code class="quiet">(\w+)<\/code>/.exec(body) ?? [];
      bodies.set(code, body);
      const original = await person.get(`${href}/original`);
      expect(original.statusCode).toBe(code === 'payload_too_large' ? 404 : 200);
      if (original.statusCode === 200) {
        expect(original.headers['content-type']).toBe('application/octet-stream');
        expect(original.headers['content-disposition']).toContain('attachment');
      }
    }
    expect(bodies.get('document_unreadable')).toMatch(/Rad \d+, tecken \d+/);
    expect(bodies.get('document_unreadable')).toContain('&lt;script&gt;alert');
    expect(bodies.get('payload_too_large')).toContain('Innehållet sparades inte');
    expect(bodies.size).toBe(4);
  });

  test('is taken in by a person, and found from where it was refused', async () => {
    const xml = eInvoice({ number: 'Intagen', buyer: { orgNumber: '5560360793' } });
    const { document_id: id } = (await deliver(xml)).json().detail;
    const page = `${HOME}/dokument/${id}`;
    expect((await reader.get(page)).body).not.toContain('Ta in i inkorgen');
    const taken = await person.submit(`${page}/ta-in`, {}, page);
    const purchasePage = await follow(taken);
    expect(purchasePage.body).toContain('Dokumentet är intaget, för granskning.');
    expect(purchasePage.body).toContain('HB-RECEIVER');
    const again = await person.get(page);
    expect([again.statusCode, again.headers['location']]).toEqual([303, taken.headers.location]);

    const half = eInvoice({ number: 'Halv' }).slice(0, 3_000);
    const unread = `${HOME}/dokument/${(await deliver(half)).json().detail.document_id}`;
    const refused = await person.submit(`${unread}/ta-in`, {}, unread);
    expect(refused.statusCode).toBe(422);
    expect(refused.body).toContain('går fortfarande inte att läsa');
    expect(refused.body).toContain('Oläslig');
  });
});

test('a document whose job was lost is shown, and not silently kept', async () => {
  const id = randomUUID();
  await db(books.owner).query(sql`insert into intake.e_invoices (id, sha256, raw, size, key_id,
      request_id, queued_at)
    select ${id}::uuid, sha256('kvar'), 'kvar', 4, k.id, gen_random_uuid(), now() - interval '6 minutes'
    from restricted.api_keys k limit 1`);
  const list = await person.get(HOME);
  expect(list.body).toContain(`${HOME}/dokument/${id}`);
  expect(list.body).toContain('Har fastnat');
  expect((await person.get(`${HOME}/dokument/${id}`)).body).toContain('inte prövat än');
});

describe('who may', () => {
  test('a reader reads all and is offered nothing, and is refused all', async () => {
    const id = await receive();
    const page = await reader.get(pageOf(id));
    expect(page.body).toContain('Kontering');
    expect(page.body).toContain('4000');
    expect(page.body).not.toContain('Spara och bokför');
    expect(page.body).not.toContain('Avvisa med orsak');
    expect((await reader.get(HOME)).body).not.toContain('type="checkbox"');
    const tokens = tokensOf(page.body);
    for (const [url, fields] of [
      [`${pageOf(id)}/kontering`, coding(suggested)],
      [`${pageOf(id)}/avvisa`, { reason: 'x' }],
      [`${pageOf(id)}/leverantor`, { supplier: randomUUID() }],
      [`${pageOf(id)}/ny-leverantor`, {}],
      [`${pageOf(id)}/forslag`, {}],
      [`${pageOf(id)}/betalning`, { date: '2026-04-01', amount: '1', account: '1930' }],
      [`${HOME}/bokfor`, { purchase: id }],
      [`${HOME}/avvisa`, { purchase: id, reason: 'x' }],
    ] as const) {
      expect((await reader.post(url, { ...tokens, ...fields })).statusCode, url).toBe(403);
    }
    expect(await purchase(id)).toMatchObject({ status: 'review', supplier_id: null });
  });

  test('what does not exist is not found, whatever is asked of it', async () => {
    const id = await receive();
    const tokens = tokensOf((await person.get(pageOf(id))).body);
    const other = randomUUID();
    for (const url of [
      pageOf(other),
      `${pageOf(other)}/original`,
      `${pageOf(other)}/dokument`,
      `${pageOf(id)}/bilaga/${'0'.repeat(64)}`,
      `${pageOf(id)}/bilaga/..%2f`,
      `${HOME}/dokument/${other}`,
      `${HOME}/x`,
    ]) {
      expect((await person.get(url)).statusCode, url).toBe(404);
    }
    for (const [action, fields] of [
      ['kontering', coding(suggested)],
      ['avvisa', { reason: 'x' }],
      ['ny-leverantor', {}],
      ['forslag', {}],
    ] as const) {
      const answer = await person.post(`${pageOf(other)}/${action}`, { ...tokens, ...fields });
      expect(answer.statusCode, action).toBe(404);
    }
  });
});

test('the number beside the inbox is the number of rows that it opens with', async () => {
  const { body } = await person.get(HOME);
  const [, beside] =
    /href="\/leverantorsinkorg"[^>]*>Leverantörsinkorg<\/a><span class="chip warn">(\d+)/.exec(
      body,
    ) ?? [];
  expect(Number(beside)).toBe(body.match(/class="row-link"/g)?.length);
});
