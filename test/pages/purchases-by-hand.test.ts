/** Suppliers' invoices and outlays as people write them at the page: beside a file, changed, booked, given back. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { db } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { createInstallation, type Installation } from '../support/installation.ts';
import { multipartOf } from '../support/multipart.ts';
import { errorAt, hiddenOf, textOfPage } from '../support/pages.ts';
import { type LoggedIn, logIn, tokensOf } from '../support/person.ts';

let books: Installation;
let person: LoggedIn;
let reader: LoggedIn;
beforeAll(async () => {
  books = await createInstallation();
  person = await logIn(books, 'medarbetare');
  reader = await logIn(books, 'lasare');
});
afterAll(() => books.close());

const HOME = '/leverantorsinkorg';
const NEW = `${HOME}/ny`;

const placeOf = (answer: { headers: object; statusCode: number; body: string }): string => {
  expect(answer.statusCode, textOfPage(answer.body)).toBe(303);
  return (answer.headers as { location: string }).location;
};
const idIn = (place: string): string => /[0-9a-f-]{36}/.exec(place)?.[0] ?? '';

async function showFile(bytes: string, fileName: string, fields: Record<string, string> = {}) {
  const tokens = tokensOf((await person.get(NEW)).body);
  const files = [{ name: 'files', fileName, bytes }];
  const { payload, headers } = multipartOf({ ...tokens, ...fields, do: 'show_file' }, files);
  const cookie = [...person.cookies].map((pair) => pair.join('=')).join('; ');
  const sent = { ...headers, cookie, accept: 'text/html' };
  return books.app.inject({ method: 'POST', url: NEW, payload, headers: sent });
}

const rowsOf = async (purchaseId: string) => {
  const rows = await db(books.owner).query<{ account: number; ore: string }>(
    sql`select r.account, (r.debit_ore - r.credit_ore)::text as ore from ledger.voucher_rows r
        join purchases.invoices i on i.voucher_id = r.voucher_id
        where i.id = ${purchaseId}::uuid order by r.row_no`,
  );
  return rows.map(({ account, ore }) => `${account} ${ore}`);
};

test('an invoice is written from a PDF that lies beside it, and its supplier is made on the way', async () => {
  const refused = await showFile('\x00\x01 program', 'program.bin');
  expect([refused.statusCode, errorAt(refused.body, 'files')]).toEqual([
    422,
    expect.stringContaining('program.bin'),
  ]);
  const shown = await showFile('%PDF-1.4 faktura', 'faktura.pdf', { supplier: 'Bilbolaget' });
  expect(shown.statusCode).toBe(200);
  const file = /name="underlag" value="([0-9a-f-]{36})" checked/.exec(shown.body)?.[1] ?? '';
  expect(shown.body).toContain(`<iframe src="/underlag/${file}/dokument" title="faktura.pdf"`);
  expect(shown.body).toContain('value="Bilbolaget"');
  expect((await person.get(`${NEW}?underlag=${file}`)).body).toContain(`value="${file}" checked`);

  // What was typed waits while the supplier is made, and has it after.
  const typed = {
    underlag: file,
    kind: 'invoice',
    supplier: 'Bilbolaget',
    invoiceNumber: '1001',
    issueDate: '2026-03-10',
    total: '5 000',
    reference: '10017',
    payTo: '991-2346',
    'rows[0].account': '5615',
    'rows[0].vatCode': 'I25',
    'rows[0].deduction': 'half',
  };
  const unknown = await person.submit(NEW, { ...typed, do: 'save', payTo: '991-2345' });
  expect(unknown.statusCode).toBe(400);
  expect(errorAt(unknown.body, 'supplier')).toContain('Lägg upp den med Ny leverantör');
  expect(errorAt(unknown.body, 'payTo')).toContain('991-2345 är inget bankgiro');
  const away = placeOf(await person.submit(NEW, { ...typed, do: 'new_supplier' }));
  expect((await person.get(away)).body).toContain('value="Bilbolaget"');
  const back = placeOf(
    await person.submit(away, {
      name: 'Bilbolaget AB',
      paymentDays: '10',
      countryCode: 'SE',
      supply: '',
      reverseChargeRate: '25',
    }),
  );
  const again = await person.get(back);
  expect(again.body).toContain('value="Bilbolaget AB"');
  expect(again.body).toContain(`value="${file}" checked`);

  const sent = { ...typed, supplier: 'Bilbolaget AB' };
  const place = placeOf(await person.submit(NEW, { ...sent, do: 'book' }));
  const id = idIn(place);
  expect(await rowsOf(id)).toEqual(['5615 450000', '2641 50000', '2440 -500000']);
  const page = await person.get(place);
  const text = textOfPage(page.body);
  expect(text).toContain('Faktura 1001 från Bilbolaget AB');
  expect(text).toContain('Förfallodag 2026-03-20');
  expect(text).toContain('Bankgiro 991-2346');
  expect(text).toContain('Registrera betalning');
  const preview = /<iframe src="([^"]+)" title="faktura.pdf"/.exec(page.body)?.[1] ?? '';
  expect(
    (await reader.get(preview.replace('&#x3D;', '='))).headers['content-disposition'],
  ).toContain('inline');
  const voucher = /\/verifikat\/[0-9a-f-]{36}/.exec(page.body)?.[0] ?? '';
  expect(textOfPage((await reader.get(voucher)).body)).toContain('faktura.pdf');

  const twice = await person.submit(NEW, { ...sent, underlag: '', do: 'save' });
  expect([twice.statusCode, errorAt(twice.body, 'invoiceNumber')]).toEqual([
    422,
    'Bilbolaget AB har redan en faktura med nummer 1001 här.',
  ]);

  // Its next one needs no rows: it is as the latest was.
  const next = { kind: 'invoice', supplier: 'bilbolaget ab', issueDate: '2026-04-10' };
  const usual = { ...next, invoiceNumber: '1002', total: '2 500', do: 'book' };
  expect(await rowsOf(idIn(placeOf(await person.submit(NEW, usual))))).toEqual([
    '5615 225000',
    '2641 25000',
    '2440 -250000',
  ]);
});

test('a draft is changed, tells what is wrong at its rows, and is in one register with its state', async () => {
  const typed = {
    kind: 'invoice',
    supplier: 'Bilbolaget AB',
    invoiceNumber: '2001',
    issueDate: '2026-05-10',
    total: '1 335',
    'rows[0].account': '5410',
    'rows[0].amount': '1 066,80',
    'rows[0].vatCode': 'I25',
    'rows[2].account': '2641',
    'rows[2].amount': '1',
    'rows[2].vatCode': 'I25',
    'rows[2].deduction': 'percent',
  };
  const wrong = await person.submit(NEW, { ...typed, do: 'save' });
  expect(wrong.statusCode, textOfPage(wrong.body)).toBe(422);
  expect(errorAt(wrong.body, 'rows[1].account')).toContain('2641 är ett momskonto');
  expect(errorAt(wrong.body, 'rows[1].deductionNumber')).toContain('0–100');
  const { 'rows[2].account': _, 'rows[2].amount': __, ...one } = typed;
  const off = await person.submit(NEW, { ...one, do: 'save' });
  expect(textOfPage(errorAt(off.body, 'total') ?? '')).toContain('Raderna blir 1 333,50 kr');
  const whole = { ...one, total: '1 334' };
  const place = placeOf(await person.submit(NEW, { ...whole, do: 'save' }));
  const edit = await person.get(`${place}/andra`);
  expect(hiddenOf(edit.body, '_begun')).not.toBe('');
  expect(edit.body).toContain('value="1\u00a0066,80"');
  placeOf(await person.submit(`${place}/andra`, { ...whole, invoiceNumber: '2001-B', do: 'save' }));
  const listed = textOfPage((await reader.get(HOME)).body);
  expect(listed).toContain('2001-B');
  expect(listed).not.toContain('Ny leverantörsfaktura');
  const asReader = await reader.get(place);
  expect(asReader.body).not.toContain('/andra"');
  expect(textOfPage(asReader.body)).toContain('3740');
  expect((await reader.get(NEW)).statusCode).toBe(403);
  expect((await reader.post(`${place}/bokfor`, {})).statusCode).toBe(403);

  expect(placeOf(await person.submit(`${place}/bokfor`, {}, place))).toBe(place);
  expect(await rowsOf(idIn(place))).toEqual([
    '5410 106680',
    '2641 26670',
    '3740 50',
    '2440 -133400',
  ]);
  // Whoever has it open in another tab is led to what it has become.
  const late = await person.get(`${place}/andra`);
  expect([late.statusCode, late.body.includes(`href="${place}"`)]).toEqual([422, true]);
});

test('an outlay is listed with who is to have it back, and given back', async () => {
  const outlay = {
    kind: 'invoice',
    laidOutBy: 'Anna Ek',
    debtAccount: '2893',
    sellerName: 'Järnhandeln',
    issueDate: '2026-05-12',
    total: '125',
    isVatIncluded: 'on',
    'rows[0].account': '5460',
    'rows[0].amount': '125',
    'rows[0].vatCode': 'I25',
  };
  const place = placeOf(await person.submit(`${HOME}/utlagg`, { ...outlay, do: 'book' }));
  expect(await rowsOf(idIn(place))).toEqual(['5460 10000', '2641 2500', '2893 -12500']);
  const list = textOfPage((await reader.get(`${HOME}?flik=utlagg`)).body);
  expect(list).toContain('Anna Ek 2893 1 125,00 kr');
  expect(list).toContain('Utlägg av Anna Ek');
  const pay = { date: '2026-05-20', amount: '125', account: '1930' };
  placeOf(await person.submit(`${place}/betalning`, pay, place));
  const after = textOfPage((await reader.get(`${HOME}?flik=utlagg`)).body);
  expect(after).not.toContain('Att betala tillbaka');
  expect(after).toContain('Betald');
});

test('several outlays of a person are ticked and given back by one voucher', async () => {
  const outlay = {
    kind: 'invoice',
    debtAccount: '2820',
    sellerName: 'Resebyrån',
    issueDate: '2026-05-12',
    'rows[0].account': '5810',
    'rows[0].vatCode': 'I0',
  };
  const lay = async (laidOutBy: string, total: string, invoiceNumber: string) => {
    const sent = { ...outlay, laidOutBy, total, invoiceNumber, do: 'book' };
    return idIn(placeOf(await person.submit(`${HOME}/utlagg`, sent)));
  };
  const [one, two] = [await lay('Bo Alm', '100', 'K1'), await lay('Bo Alm', '200', 'K2')];
  const others = await lay('Cia Dal', '50', 'K3');
  const list = `${HOME}?flik=utlagg`;
  const act = `${HOME}/betala-utlagg?flik=utlagg`;
  expect((await reader.get(list)).body).not.toContain('type="checkbox"');
  // Whoever is owed is opened with everything ticked, and nobody else's there.
  const his = (await person.get(`${list}&vem=Bo+Alm`)).body;
  expect((await person.get(list)).body).toMatch(/flik\S+vem\S+Bo\+Alm"/);
  expect([...his.matchAll(/value="([^"]+)" checked/g)].map(([, id]) => id).sort()).toEqual(
    [one, two].sort(),
  );
  expect(his).not.toContain(others);
  const paid = { date: '2026-05-20', account: '1930' };
  const mixed = await person.submit(act, { ...paid, purchase: [one, others] }, list);
  expect(mixed.statusCode).toBe(422);
  expect(textOfPage(mixed.body)).toContain('Utläggen är gjorda av olika personer.');
  expect(mixed.body).toContain(`value="${one}" checked`);
  const none = await person.submit(act, paid, list);
  expect(textOfPage(none.body)).toContain('Markera minst ett utlägg i listan.');
  expect(placeOf(await person.submit(act, { ...paid, purchase: [one, two] }, list))).toContain(
    'flik',
  );
  const after = textOfPage((await person.get(list)).body);
  expect(after).toContain(
    '300,00 kr till Bo Alm är bokfört med ett verifikat, och 2 utlägg betalda.',
  );
  expect(after).not.toContain('Bo Alm 2820');
  expect(after).toContain('Cia Dal 2820 1 50,00 kr');
});

test('without script the form says what its rows come to, and which amount it cannot read', async () => {
  const reckon = async (fields: Record<string, string>) => {
    const answer = await person.submit(`${HOME}/ny`, { ...fields, do: 'reckon' });
    expect(answer.statusCode).toBe(200);
    return answer.body;
  };
  const two = {
    kind: 'invoice',
    total: '1 250',
    'rows[0].account': '5460',
    'rows[0].amount': '800',
    'rows[0].vatCode': 'I25',
    'rows[1].account': '5010',
    'rows[1].amount': '200',
    'rows[1].vatCode': 'I0',
  };
  expect(textOfPage(await reckon(two))).toContain(
    'Raderna blir 1 200,00 med moms, varav moms 200,00. Det skiljer 50,00 mot beloppet.',
  );
  const included = { ...two, total: '1 000,40', isVatIncluded: 'on' };
  expect(textOfPage(await reckon(included))).toContain(
    'varav moms 160,00. 0,40 blir öresutjämning.',
  );
  expect(textOfPage(await reckon({ ...two, 'rows[1].amount': '' }))).toContain(
    'Raden utan belopp tar resten: 250,00 med moms.',
  );
  const unreadable = await reckon({ ...two, 'rows[1].amount': 'tvåhundra' });
  expect(textOfPage(unreadable)).toContain('Skriv ett belopp i kronor, t.ex. 1 234,50.');
  expect(unreadable).toContain('value="tvåhundra"');
});

test('an invoice in dollars is typed as it stands, and booked in kronor at the rate of its day', async () => {
  const supplier = await person.submit('/leverantorer/ny', {
    name: 'Molnet Inc',
    countryCode: 'US',
    supply: 'services',
    reverseChargeRate: '25',
  });
  expect(supplier.statusCode, textOfPage(supplier.body)).toBe(303);
  const typed = {
    kind: 'invoice',
    supplier: 'Molnet Inc',
    invoiceNumber: 'INV-77',
    issueDate: '2026-03-10',
    currency: 'USD',
    total: '49.00',
    'rows[0].account': '5420',
    'rows[0].vatCode': 'ITGLOB1',
  };
  const without = await person.submit(NEW, { ...typed, do: 'book' });
  expect([without.statusCode, errorAt(without.body, 'rate')]).toEqual([
    422,
    'Skriv kursen: hur många kronor en USD kostade på fakturadagen.',
  ]);
  const zero = await person.submit(NEW, { ...typed, rate: '0', do: 'book' });
  expect([zero.statusCode, errorAt(zero.body, 'rate')]).toEqual([
    400,
    'Skriv kronor för en av valutan, över noll och högst 10 000.',
  ]);
  const inKronor = await person.submit(NEW, { ...typed, currency: 'SEK', rate: '9,5', do: 'save' });
  expect(errorAt(inKronor.body, 'currency')).toContain('Belopp i kronor har ingen kurs');
  const reckoned = await person.submit(NEW, { ...typed, rate: '9,5432', do: 'reckon' });
  expect(textOfPage(reckoned.body)).toContain('I kronor: 467,62.');
  const leftOver = { ...typed, currency: 'SEK', rate: '9,5432', do: 'reckon' };
  expect(textOfPage((await person.submit(NEW, leftOver)).body)).not.toContain('I kronor:');
  const unread = await person.submit(NEW, { ...typed, rate: '9.543.2', do: 'reckon' });
  expect(errorAt(unread.body, 'rate')).toBe('Skriv kronor för en av valutan, t.ex. 11,2345.');

  const draft = placeOf(await person.submit(NEW, { ...typed, rate: '9,5432', do: 'save' }));
  const change = `${draft.split('?')[0]}/andra`;
  const form = await person.get(change);
  expect(form.body).toContain('<option value="USD" selected>');
  expect(form.body).toContain('value="9,5432"');
  expect(form.body).toContain('value="49,00"');
  const place = placeOf(await person.submit(change, { ...typed, rate: '9,5432', do: 'book' }));
  // 49 × 9,5432 = 467,6168; 25 % of 467,62 is 116,905.
  expect(await rowsOf(idIn(place))).toEqual([
    '5420 46762',
    '4531 46762',
    '4598 -46762',
    '2645 11691',
    '2614 -11691',
    '2440 -46762',
  ]);
  const page = textOfPage((await person.get(place)).body).replaceAll('\u00a0', ' ');
  expect(page).toContain('Att betala 49,00 USD');
  expect(page).toContain('Kurs 9,5432 kr för en USD');
  expect((await person.get(NEW)).body).toContain('data-currency="USD"');
});
