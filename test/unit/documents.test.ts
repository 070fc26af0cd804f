/** Invoices, credit notes and reminders as pages: what the law wants on them, and nothing as markup. */
import { describe, expect, test } from 'vitest';
import { collectionCase } from '#src/domain/sales/collection-case.ts';
import { missingOnInvoices } from '#src/domain/sales/invoice-seller.ts';
import { lacking } from '#src/lib/sentences/collection.ts';
import { decimalText } from '#src/lib/swedish.ts';
import { loadTemplate } from '#src/render/templates.ts';
import { addressLines, cssText, paymentAccountText } from '#src/render/wording.ts';
import { caseView } from '#src/sales/collection/view.ts';
import { invoiceView } from '#src/sales/invoices/document-view.ts';
import { reminderView } from '#src/sales/invoices/reminder-view.ts';
import { collectionFacts, invoiceDocument, seller } from '../support/documents.ts';
import { readQrCode } from '../support/qr.ts';

const plain = (text: string): string => text.replaceAll('\u00a0', ' ');
const invoicePage = loadTemplate('documents/invoice');
const reminderPage = loadTemplate('documents/reminder');
const collectionPage = loadTemplate('documents/collection');

const labelled = (list: readonly { readonly label: string; readonly value: string }[]) =>
  Object.fromEntries(list.map(({ label, value }) => [label, plain(value)]));

/** A row's cells by the heads they stand under. */
const inColumns = (
  { columns, rows }: Pick<ReturnType<typeof invoiceView>, 'columns' | 'rows'>,
  index = 0,
) =>
  Object.fromEntries(
    columns.map(({ head }, column) => [head, plain(rows[index]?.cells[column]?.text ?? '')]),
  );

describe('an invoice', () => {
  // ML (2023:200) 17 kap. 24 §, point by point.
  test('holds what the law wants on it', () => {
    const delivered = { delivery_date: '2026-03-27' };
    const view = invoiceView(invoiceDocument([{}, { vatRate: 12 }, {}], delivered));
    expect(labelled(view.facts)).toEqual({
      Fakturanummer: '1001',
      Fakturadatum: '2026-03-31',
      Leveransdatum: '2026-03-27',
      Betalningsvillkor: '30 dagar netto',
      'Er referens': 'Åsa Öberg',
      'Kundens org.nr': '556036-0793',
      'Kundens momsnr': 'SE556036079301',
    });
    expect(view.buyer).toEqual({
      name: 'Kaffekoppen i Örnsköldsvik AB',
      lines: ['Åkergatan 3', '891 33 Örnsköldsvik'],
    });
    expect(labelled(view.seller.columns.flat())).toEqual({
      Adress: 'Storgatan 12, 903 26 Umeå',
      Telefon: '090-12 34 56',
      'E-post': 'ekonomi@fjall.example',
      'Org.nr': '556702-6934',
      Momsnr: 'SE556702693401',
      Säte: 'Umeå',
      'F-skatt': 'Godkänd för F-\u2060skatt',
      Bankgiro: '5050-1055',
      Plusgiro: '12 34 56-6',
      IBAN: 'SE45 5000 0000 0583 9825 7466',
    });
    expect(labelled(view.summary)).toEqual({
      'Betala senast': '2026-04-30',
      'OCR-nummer': '100164',
      Bankgiro: '5050-1055',
    });
    expect(view.rows[0]).toMatchObject({ description: 'Vara 1', article: '' });
    expect(inColumns(view)).toEqual({
      Antal: '2',
      'À-pris utan moms': '100,50',
      Moms: '25 %',
      'Belopp utan moms, kr': '201,00',
    });
    expect(view.vatRows).toEqual([
      { rate: '25 %', base: '402,00', vat: '100,50' },
      { rate: '12 %', base: '201,00', vat: '24,12' },
    ]);
    expect(labelled(view.totals)).toEqual({ 'Summa utan moms': '603,00 kr', Moms: '124,62 kr' });
    expect(plain(view.total)).toBe('727,62 kr');
    expect(view.exemptions).toEqual([]);
  });

  test.each([
    ['5567026934', null, 'säte'],
    ['5567026934', 'Umeå', ''],
    // Born in 1954; a trading partnership.
    ['5410201237', null, ''],
    ['9697539127', null, ''],
  ])('of %s with the seat %s lacks: %s', (orgNumber, seat, missing) => {
    expect(lacking(missingOnInvoices({ ...seller, orgNumber, seat }))).toBe(missing);
  });

  test('has codes that Swish and the bank’s app read as what is printed', () => {
    const codes = invoiceView(invoiceDocument()).codes;
    const [inSwish, inBank] = codes.map(readQrCode);
    expect(codes.map(({ label }) => label)).toEqual(['Betala med Swish', 'Betala i bankens app']);
    expect(inSwish).toBe('C1234567890;251,25;100164;0');
    expect(inBank).toMatch(/^[ -~]+$/);
    expect(JSON.parse(inBank ?? '')).toEqual({
      uqr: 1,
      tp: 1,
      nme: 'Fjällrävens Bokföring & Ljus AB',
      cid: '556702-6934',
      iref: '100164',
      idt: '20260331',
      ddt: '20260430',
      due: 251.25,
      pt: 'BG',
      acc: '5050-1055',
    });
  });

  test.each([
    ['without a number in Swish', { swish: null }, ['BG 5050-1055']],
    ['with plusgiro alone', { swish: null, bankgiro: null }, ['PG 12 34 56-6']],
    ['with IBAN alone', { swish: null, bankgiro: null, plusgiro: null }, []],
  ])('%s has codes for what it can be paid by', (_, overrides, paidBy) => {
    const { codes } = invoiceView(invoiceDocument([{}], { seller: { ...seller, ...overrides } }));
    const read = codes.map((code) => JSON.parse(readQrCode(code)));
    expect(read.map(({ pt, acc }) => `${pt} ${acc}`)).toEqual(paidBy);
  });

  test.each([
    ['draft', { status: 'draft' as const, number: null, ocr: null }],
    ['credit note', { kind: 'credit_note' as const }],
    ['invoice of nothing', { total_ore: 0n }],
  ])('that is a %s has no code to pay it by', (_, overrides) => {
    const view = invoiceView(invoiceDocument([{}], overrides));
    expect(view.codes).toEqual([]);
    expect(invoicePage(view)).not.toContain('<figure>');
  });

  test('says the unit price without VAT where the prices include it', () => {
    const [row] = invoiceDocument().rows;
    if (!row) throw new Error('no row');
    // Three at 33,33 with 25 %: 79,99 without.
    const rows = [
      { ...row, quantityE4: 30_000n, unitPriceE4: 333_300n, netOre: 7_999n, vatOre: 2_000n },
    ];
    const view = invoiceView(invoiceDocument([], { rows, prices_include_vat: true }));
    expect(inColumns(view)).toMatchObject({
      'À-pris utan moms': '26,6633',
      'Belopp utan moms, kr': '79,99',
    });
  });

  test('says what is counted and what is taken off, with columns where some row does', () => {
    const view = invoiceView(invoiceDocument([{}, { unit: 'tim', discountE2: 1_250n }]));
    expect(inColumns(view)).toMatchObject({ Enhet: '', Rabatt: '' });
    expect(inColumns(view, 1)).toEqual({
      Antal: '2',
      Enhet: 'tim',
      'À-pris utan moms': '100,50',
      Rabatt: '12,5 %',
      Moms: '25 %',
      // 201,00 less 12,5 % is 175,875.
      'Belopp utan moms, kr': '175,88',
    });
  });

  test.each([
    // Half off 3 × 33,33 with VAT is 50,00: 40,00 without, which is half of 3 × 26,6667.
    [5_000n, 4_000n, '26,6667'],
    [10_000n, 0n, '26,664'],
  ])('less %i hundredths of a per cent, says the price before it without VAT', (...row) => {
    const [discountE2, netOre, price] = row;
    const [own] = invoiceDocument().rows;
    if (!own) throw new Error('no row');
    const rows = [
      { ...own, quantityE4: 30_000n, unitPriceE4: 333_300n, discountE2, netOre, vatOre: 0n },
    ];
    const view = invoiceView(invoiceDocument([], { rows, prices_include_vat: true }));
    expect(inColumns(view)['À-pris utan moms']).toBe(price);
  });

  test.each([
    ['35', 'DE', 'artikel 138', true],
    ['36', 'NO', 'artikel 146', false],
    ['39', 'DE', 'Omvänd betalningsskyldighet', true],
    ['40', 'NO', 'utan svensk moms', false],
    ['41', 'SE', 'Omvänd betalningsskyldighet', true],
    ['42', 'SE', 'undantagen från moms', false],
    [null, 'SE', 'undantagen från moms', false],
  ])('without VAT tells why: box %s', (vatBox, countryCode, text, namesBuyer) => {
    const buyer = { name: 'Köpare', countryCode, vatNumber: 'DE123456789' };
    const view = invoiceView(invoiceDocument([{ vatRate: 0, vatBox }, {}], { buyer }));
    expect(view.exemptions).toHaveLength(1);
    expect(view.exemptions[0]).toContain(text);
    expect(view.exemptions[0]?.includes('DE123456789')).toBe(namesBuyer);
  });

  test('says of a gift card that its VAT comes later, and nothing of an exemption', () => {
    const card = { account: 2421, vatRate: 0, vatBox: null } as const;
    expect(invoiceView(invoiceDocument([card, {}])).exemptions).toEqual([
      'Presentkort: momsen redovisas när de löses in.',
    ]);
  });

  test('that is a draft has a mark and asks for no payment', () => {
    const draft = { status: 'draft', number: null, ocr: null };
    const view = invoiceView(invoiceDocument([{}], draft));
    expect(view.summary).toEqual([]);
    expect(view.title).toBe('Faktura, utkast');
    expect(invoicePage(view)).toContain('UTKAST');
    expect(invoicePage(invoiceView(invoiceDocument()))).not.toContain('UTKAST');
  });

  test('on zero kronor asks for no money', () => {
    const view = invoiceView(invoiceDocument([], { total_ore: 0n }));
    expect(view).toMatchObject({ summary: [], legal: 'Det finns inget att betala på fakturan.' });
    expect(invoiceView(invoiceDocument()).summary).not.toEqual([]);
  });

  test('that its order has paid says so, and asks for no money', () => {
    const view = invoiceView(invoiceDocument([{}], { paid_ore: 25_125n }));
    expect(view).toMatchObject({ summary: [], codes: [], legal: 'Fakturan är betald.' });
    expect(plain(view.total)).toBe('0,00 kr');
    expect(plain(labelled(view.totals)['Summa med moms'] ?? '')).toBe('251,25 kr');
    expect(plain(labelled(view.totals)['Betalt'] ?? '')).toBe('−251,25 kr');
    expect(labelled(view.facts)['Betalningsvillkor']).toBeUndefined();
  });

  test('that its order has paid a part of asks for the rest, on paper and in the codes', () => {
    const view = invoiceView(invoiceDocument([{}], { paid_ore: 20_000n }));
    expect(plain(view.total)).toBe('51,25 kr');
    for (const code of view.codes) expect(readQrCode(code)).toMatch(/\b51[.,]25\b/);
    expect(view.codes).toHaveLength(2);
  });

  test('that is a credit note names the invoice it changes and asks for no payment', () => {
    const credited = { number: 1001, date: '2026-03-31' };
    const view = invoiceView(
      invoiceDocument([{}], { kind: 'credit_note', number: 1002, credited, ocr: '100263' }),
    );
    expect(view).toMatchObject({ title: 'Kreditfaktura 1002', totalLabel: 'Krediterat belopp' });
    expect(labelled(view.facts)).toMatchObject({ 'Avser faktura': '1001 av 2026-03-31' });
    expect(view.legal).toContain('ändrar faktura 1001 av 2026-03-31');
    expect(view.summary).toEqual([]);
  });

  test('can be made of the least that there is', () => {
    const bare = {
      ...seller,
      isApprovedForFTax: false,
      address: null,
      postalCode: null,
      city: null,
      email: null,
      phone: null,
      bankgiro: null,
      plusgiro: null,
      iban: null,
    };
    const view = invoiceView(
      invoiceDocument([], { seller: bare, buyer: {}, your_reference: null }),
    );
    expect(invoicePage(view)).not.toMatch(/undefined|null|NaN/);
    expect(view.seller.columns).toHaveLength(1);
  });
});

test('whoever collects multiplies to what is claimed, also where the shop’s prices were with VAT', () => {
  const { invoice } = collectionFacts();
  const [line] = invoice.lines;
  if (!line) throw new Error('no line');
  const lines = [{ ...line, quantityE4: 20_000n, unitPriceE4: 781_250n, discountE2: 2_000n }];
  const facts = collectionFacts(1, { invoice: { ...invoice, pricesIncludeVat: true, lines } });
  const { unitPrice, quantity, discountPct, lineAmount } =
    collectionCase(facts, '2026-06-01', '2026-06-01T08:00:00Z').invoice.lines[0] ?? {};
  expect([quantity, unitPrice, discountPct, lineAmount]).toEqual([2, 62.5, 20, 100]);
});

describe('a reminder', () => {
  const facts = collectionFacts();
  const [first, second] = facts.reminders;
  if (!first || !second) throw new Error('no reminders');

  test('tells the invoice, the days, the fee, the interest so far and what to pay where', () => {
    const view = reminderView(facts, second, seller);
    expect(labelled(view.facts)).toMatchObject({
      Påminnelse: '2',
      Datum: '2026-05-15',
      Fakturanummer: '1001',
      Förföll: '2026-03-31, 45 dagar sen',
    });
    expect(labelled(view.items)).toEqual({
      'Faktura 1001, 2026-03-01': '1 250,00 kr',
      'Betalt eller krediterat 2026-04-30': '−250,00 kr',
      'Påminnelseavgift 2026-04-15 (lag 1981:739)': '60,00 kr',
    });
    expect(plain(view.total)).toBe('1 060,00 kr');
    expect(labelled(view.summary)).toMatchObject({
      'Betala senast': '2026-05-25',
      'OCR-nummer': '100164',
    });
    // 1 250 × 10 % × 30 ÷ 365 = 10,27; 1 000 × 10 % × 15 ÷ 365 = 4,11
    expect(plain(view.interest)).toContain('till och med 2026-05-15: 14,38 kr');
    expect(plain(view.interest)).toContain('10 % om året på 1 000,00 kr, 0,27 kr om dagen');
  });

  test('stays as it was when it was sent, whatever has happened since', () => {
    const view = reminderView(facts, first, seller);
    expect(plain(view.total)).toBe('1 310,00 kr');
    expect(labelled(view.items)).not.toHaveProperty('Betalt eller krediterat 2026-04-30');
  });

  test('says no amount of interest that nobody knows the rate of', () => {
    const view = reminderView({ ...facts, referenceRates: [] }, second, seller);
    expect(view.interest).toBe('Dröjsmålsränta löper på det obetalda beloppet enligt räntelagen.');
  });
});

describe('whatever a field holds', () => {
  const evil = `</style></title><script>alert("1")</script><img src=x onerror='y'>{{this}} &amp; \\22 } @page å`;

  /** Markup that the templates themselves do not have. */
  const isHarmless = (html: string): boolean =>
    !/<script|<img|onerror='/.test(html) && html.match(/<\/style>/g)?.length === 2;

  test('it is text on the page and in its margins', () => {
    const evilSeller = { ...seller, name: evil, address: evil, city: evil, email: evil };
    const buyer = { name: evil, address: evil, city: evil, vatNumber: evil, orgNumber: evil };
    const invoice = invoicePage(
      invoiceView(
        invoiceDocument([{ description: evil, unit: evil }], {
          seller: evilSeller,
          buyer,
          notes: evil,
          your_reference: evil,
        }),
      ),
    );
    const { invoice: claimed } = collectionFacts();
    const facts = collectionFacts(1, {
      invoice: { ...claimed, lines: claimed.lines.map((line) => ({ ...line, unit: evil })) },
      creditor: { ...evilSeller, partnerAccount: evil },
      debtor: { ...collectionFacts().debtor, name: evil, address: evil, yourReference: evil },
    });
    const [reminder] = facts.reminders;
    if (!reminder) throw new Error('no reminder');
    const subject = collectionCase(facts, '2026-06-30', '2026-06-30T12:00:00Z');
    const pages = [
      invoice,
      reminderPage(reminderView(facts, reminder, evilSeller)),
      collectionPage(caseView(subject, 'ab'.repeat(32), 'UTC')),
    ];
    for (const page of pages) expect(isHarmless(page), page).toBe(true);
  });

  test('a CSS string keeps it between its quotes', () => {
    expect(cssText('Ab 1')).toBe('Ab 1');
    expect(cssText('"å\\\n<😀')).toBe('\\22 \\e5 \\5c \\a \\3c \\1f600 ');
  });
});

test('the page holds no font, but the version of those it is printed in', () => {
  const page = invoicePage(invoiceView(invoiceDocument()));
  expect(page).toMatch(/<meta name="fonts" content="inter \d+\.\d+\.\d+ [a-z -]+ 400 600">/);
  expect(page).not.toContain('base64');
  expect(Buffer.byteLength(page)).toBeLessThan(16_000);
});

describe('numbers in Swedish', () => {
  test.each([
    [10_000n, 0, '1'],
    [12_500n, 0, '1,25'],
    [12_500n, 2, '1,25'],
    [-5_000n, 2, '−0,50'],
    [12_345_678_901n, 2, '1 234 567,8901'],
    [0n, 2, '0,00'],
  ])('%s with at least %i decimals is %s', (value, least, text) => {
    expect(plain(decimalText(value, least))).toBe(text);
  });
  test.each([
    ['bankgiro', '50501055', '5050-1055'],
    ['bankgiro', '9912346', '991-2346'],
    ['bankgiro', 'BG 991-2346', 'BG 991-2346'],
    ['plusgiro', '58056201', '5 80 56 20-1'],
    ['plusgiro', '12', '1-2'],
    ['iban', 'SE45 50000000058398257466', 'SE45 5000 0000 0583 9825 7466'],
  ] as const)('accounts are written as people write them', (kind, number, text) => {
    expect(plain(paymentAccountText(kind, number) ?? '')).toBe(text);
  });
  test('an address abroad has its country', () => {
    const place = { address: 'Weg 1', postalCode: '10115', city: 'Berlin' };
    expect(addressLines({ ...place, countryCode: 'DE' })).toEqual([
      'Weg 1',
      '10115 Berlin',
      'Tyskland',
    ]);
    expect(addressLines({ ...place, countryCode: 'SE' })).toHaveLength(2);
  });
});
