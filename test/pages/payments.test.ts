/** Paying by file at the pages: chosen, checked, looked at by a second person, sent, answered; readers only read. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hashOfSecret } from '#src/access/keys/secrets.ts';
import { createBankAccount } from '#src/bank/service.ts';
import { roleUrl } from '#src/db/logins.ts';
import { connect, databaseErrorOf, db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { wholeDeduction } from '#src/domain/purchases/written-purchase.ts';
import { holdRestored } from '#src/installation/backups/restore.ts';
import { sessionCookie } from '#src/pages/person.ts';
import { writeInvoice } from '#src/purchases/by-hand/service.ts';
import { bookPurchases } from '#src/purchases/inbox/service.ts';
import { createSupplier } from '#src/purchases/suppliers/service.ts';
import { testIban } from '../support/bank-file.ts';
import { createInstallation, type Installation } from '../support/installation.ts';
import { multipartOf } from '../support/multipart.ts';
import { errorAt, textOfPage } from '../support/pages.ts';
import { type LoggedIn, logIn, tokensOf } from '../support/person.ts';
import { bookSupplierInvoice } from '../support/supplier-invoices.ts';

const ACTOR = 'test';
let books: Installation;
let maker: LoggedIn;
let supplierId: string;
beforeEach(async () => {
  books = await createInstallation();
  maker = await logIn(books, 'medarbetare');
  await withTx(books.owner, async (tx) => {
    const account = { name: 'Företagskonto', ledgerAccount: 1930, iban: testIban };
    await createBankAccount(tx, account, ACTOR);
    // Nothing can be paid from it.
    await createBankAccount(tx, { name: 'Utan nummer', ledgerAccount: 1940 }, ACTOR);
    const supplier = {
      ...{ name: 'Granens Frakt AB', organizationNumber: null, vatNumber: null, endpoint: null },
      ...{ countryCode: 'SE', account: 4000, paymentDays: 10 },
      accounts: [{ kind: 'bankgiro' as const, number: '9912346' }],
    };
    supplierId = (await createSupplier(tx, supplier, ACTOR)).id;
  });
});
afterEach(() => books.close());

async function invoice(invoiceNumber: string, totalOre: bigint): Promise<string> {
  const line = { account: 4000, ore: null, vatCode: 'I25', deduction: wholeDeduction, note: null };
  return withTx(books.owner, async (tx) => {
    const id = await writeInvoice(
      tx,
      null,
      {
        ...{
          kind: 'invoice',
          supplierId,
          invoiceNumber,
          issueDate: '2026-11-01',
          dueDate: '2026-11-18',
        },
        ...{
          reference: null,
          payTo: null,
          documentIds: [],
          totalOre,
          vatOre: null,
          isVatIncluded: true,
        },
        lines: [{ ...line, costCenter: null, project: null }],
      },
      ACTOR,
    );
    await bookPurchases(tx, [id], ACTOR);
    return id;
  });
}
const formAt = (id: string) => `/betalningar/ny?item=${id}`;
async function create(id: string, fields: Record<string, string> = {}) {
  const page = await maker.get(formAt(id));
  const [, accountId = ''] = /<option value="([0-9a-f-]{36})"/.exec(page.body) ?? [];
  const row = { 'rows[0].key': id, 'rows[0].amount': '125,00', 'rows[0].payee': '991-2346' };
  return maker.submit(
    '/betalningar/ny',
    { accountId, executionOn: '', ...row, ...fields },
    formAt(id),
  );
}
const placeOf = (answer: { headers: object; statusCode: number; body: string }): string => {
  expect(answer.statusCode, textOfPage(answer.body)).toBe(303);
  return (answer.headers as { location: string }).location;
};

test('a file goes from the list to the bank, and what the bank refuses stands among what there is to do', async () => {
  const id = await invoice('F1', 12_500n);
  const list = await maker.get('/betalningar');
  expect(textOfPage(list.body)).toContain('Förfallet 125,00 kr');
  expect(list.body).toContain(`value="${id}" checked`);
  const form = (await maker.get(`/betalningar/ny?item=${id}`)).body;
  expect(form).toContain('1930 ');
  expect(form).not.toContain('Utan nummer');
  const wrong = await create(id, { 'rows[0].amount': '125,01', 'rows[0].payee': '991-2347' });
  expect(errorAt(wrong.body, 'rows[0].payee')).toContain('inget bankgiro');
  const tooMuch = await create(id, { 'rows[0].amount': '125,01', executionOn: '2026-11-21' });
  expect(errorAt(tooMuch.body, 'rows[0].amount')).toContain('återstår 125,00');
  expect(errorAt(tooMuch.body, 'executionOn')).toContain('ingen bankdag');
  expect((await maker.get(`/leverantorsinkorg/${id}`)).body).toContain('Betala med fil');
  const place = placeOf(await create(id));
  const ofInvoice = textOfPage((await maker.get(`/leverantorsinkorg/${id}`)).body);
  expect(ofInvoice).toContain('Står i betalfil 1');
  const page = await maker.get(place);
  expect(textOfPage(page.body)).toContain('Granens Frakt AB Bankgiro 991-2346');
  const first = await maker.get(`${place}/betalfil.xml`);
  expect(first.headers['content-disposition']).toContain('betalfil-1.xml');
  expect((await maker.get(`${place}/betalfil.xml`)).body).toBe(first.body);
  expect(placeOf(await maker.submit(`${place}/sand`, {}, place))).toBe(place);
  expect(textOfPage((await maker.get('/betalningar')).body)).toContain('Betalfil 1');
  const unexplained = await maker.submit(`${place}/avbryt`, { reason: '' }, place);
  expect(errorAt(unexplained.body, 'reason')).toContain('skriv varför');

  const [messageId] = /(?<=<MsgId>)\w+/.exec(first.body) ?? [];
  const bytes = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.03"><CstmrPmtStsRpt><OrgnlGrpInfAndSts><OrgnlMsgId>${messageId}</OrgnlMsgId><GrpSts>RJCT</GrpSts><StsRsnInf><Rsn><Cd>AM04</Cd></Rsn></StsRsnInf></OrgnlGrpInfAndSts></CstmrPmtStsRpt></Document>`;
  const tokens = tokensOf((await maker.get('/betalningar?flik=filer')).body);
  const answer = multipartOf(tokens, [{ name: 'answer', fileName: 'svar.xml', bytes }]);
  const empty = multipartOf(tokens, [{ name: 'answer', fileName: 'tom.xml', bytes: '' }]);
  const cookie = [...maker.cookies].map((pair) => pair.join('=')).join('; ');
  const told = await books.app.inject({
    method: 'POST',
    url: '/betalningar/svar',
    payload: empty.payload,
    headers: { ...empty.headers, cookie, accept: 'text/html' },
  });
  expect(errorAt(told.body, 'answer')).toContain('tom.xml är tom. Hämta den igen från banken.');
  const sent = { ...answer.headers, cookie, accept: 'text/html' };
  const taken = await books.app.inject({
    method: 'POST',
    url: '/betalningar/svar',
    payload: answer.payload,
    headers: sent,
  });
  expect(placeOf(taken)).toBe(place);
  const answered = (await maker.get(place)).body;
  expect(textOfPage(answered)).toContain('AM04');
  // As the bank sent it.
  const [kept = ''] = /(?<=href=")[^"]+\/svar\/[0-9a-f]{64}/.exec(answered) ?? [];
  expect((await maker.get(kept)).body).toBe(bytes);
  expect(
    (await maker.get(kept.replace(/.$/, (last) => (last === '0' ? '1' : '0')))).statusCode,
  ).toBe(404);
  expect(textOfPage((await maker.get('/oversikt')).body)).toContain('betalning som banken avvisat');
  expect(textOfPage((await maker.get('/betalningar')).body)).toContain('Avvisad Betalfil 1');
  expect((await maker.get('/betalningar')).body).toContain(`value="${id}" checked`);
  await create(id);
  expect(textOfPage((await maker.get('/oversikt')).body)).not.toContain('som banken avvisat');
});

test('what falls due within a week is the same days on the overview as here', async () => {
  const issued = { supplierId, issueDate: '2026-11-01' };
  await withTx(books.owner, async (tx) => {
    const seventh = { invoiceNumber: 'SJUNDE', dueDate: '2026-11-26', totalOre: 125_00n };
    const eighth = { invoiceNumber: 'ÅTTONDE', dueDate: '2026-11-27', totalOre: 500_00n };
    await bookSupplierInvoice(tx, { ...issued, ...seventh });
    await bookSupplierInvoice(tx, { ...issued, ...eighth });
  });
  expect(textOfPage((await maker.get('/betalningar')).body)).toContain('Inom en vecka 125,00 kr');
  expect(textOfPage((await maker.get('/oversikt')).body)).toContain('125 kr inom en vecka');
});

test('a payee on another account than last time needs a second person, whom the database asks for', async () => {
  const placeFirst = placeOf(await create(await invoice('F1', 12_500n)));
  // Nobody has been paid before: nothing has changed.
  expect((await maker.get(`${placeFirst}/betalfil.xml`)).statusCode).toBe(200);
  await maker.submit(`${placeFirst}/sand`, {}, placeFirst);
  const changed = { 'rows[0].payee': '5050-1055' };
  const alone = placeOf(await create(await invoice('F2', 12_500n), changed));
  expect(textOfPage((await maker.get(alone)).body)).toContain('Nytt konto');
  // One person who may pay can ask nobody.
  expect((await maker.get(`${alone}/betalfil.xml`)).statusCode).toBe(200);

  // What was made and never sent is no account that anybody has been paid on.
  const second = await logIn(books, 'medarbetare');
  const place = placeOf(await create(await invoice('F3', 12_500n), changed));
  expect(textOfPage((await maker.get(place)).body)).toContain('Någon annan än du');
  expect((await maker.get(`${place}/betalfil.xml`)).statusCode).toBe(422);
  for (const action of ['sand', 'godkann']) {
    expect((await maker.submit(`${place}/${action}`, {}, place)).statusCode).toBe(422);
  }
  const id = place.split('/').at(-1) ?? '';
  const seen = await db(books.owner).query<{ sent_at: Date | null }>(
    sql`select sent_at from purchases.payment_files where id = ${id}`,
  );
  expect(seen).toEqual([{ sent_at: null }]);
  expect(textOfPage((await second.get('/oversikt')).body)).toContain('betalfil att godkänna');
  expect(placeOf(await second.submit(`${place}/godkann`, {}, place))).toBe(place);
  expect(placeOf(await maker.submit(`${place}/sand`, {}, place))).toBe(place);
});

test('after the books went back in time, whoever pays is told that a file which stands as not sent may be sent', async () => {
  const place = placeOf(await create(await invoice('F1', 12_500n)));
  const told = async () => ({
    file: textOfPage((await maker.get(place)).body),
    overview: textOfPage((await maker.get('/oversikt')).body),
  });
  const before = await told();
  expect(before.file).not.toContain('återställdes');
  expect(before.overview).not.toContain('återställdes');
  await withTx(books.owner, (tx) => holdRestored(tx, 'cli'));
  maker = await logIn(books, 'medarbetare');
  const after = await told();
  expect(after.file).toContain('Den kan redan vara sänd');
  expect(after.overview).toMatch(
    /Böckerna återställdes 2\d{3}.* Läs in bankens rader innan något betalas/,
  );
  // One that is made since is no other's business, nor is one that somebody says was sent.
  const later = placeOf(await create(await invoice('F2', 12_500n)));
  expect(textOfPage((await maker.get(later)).body)).not.toContain('återställdes');
  await maker.submit(`${place}/sand`, {}, place);
  expect(textOfPage((await maker.get(place)).body)).not.toContain('återställdes');
});

test('readers see it all and do nothing', async () => {
  const id = await invoice('F1', 12_500n);
  const place = placeOf(await create(id));
  const reader = await logIn(books, 'lasare');
  for (const url of ['/betalningar', '/betalningar?flik=filer', place]) {
    const page = await reader.get(url);
    expect(page.statusCode).toBe(200);
    expect(page.body).not.toMatch(/Markera som sänd|Gå vidare|Läs in svaret|betalfil\.xml"/);
  }
  for (const url of [formAt(id), `${place}/betalfil.xml`]) {
    expect((await reader.get(url)).statusCode).toBe(403);
  }
});

test('what the bank is said to have refused is written down, whoever says so by SQL', async () => {
  const place = placeOf(await create(await invoice('F1', 12_500n)));
  await maker.submit(`${place}/sand`, {}, place);
  const client = await connect(await roleUrl(books.url, 'hb_app'), 'attacker');
  const session = hashOfSecret(String(maker.cookies.get(sessionCookie))).toString('hex');
  const refused = `update purchases.payouts set refused_at = now(), refusal = 'AC04'`;
  const written = `select audit.record('x', 'payment_file.answered', '${place.split('/').at(-1)}', '{}')`;
  const attempt = async (...statements: string[]) => {
    const text = `begin; set local huvudbok.session = '${session}'; ${statements.join('; ')}; commit`;
    const answer = await client.query(text).then(
      () => 'done',
      (error) => databaseErrorOf(error)?.constraint,
    );
    await client.query('rollback');
    return answer;
  };
  expect(await attempt(refused)).toBe('changes_are_written_down');
  expect(await attempt(refused, written)).toBe('done');
  await client.end();
});
