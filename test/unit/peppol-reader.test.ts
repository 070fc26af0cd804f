import { describe, expect, it, onTestFinished, test, vi } from 'vitest';
import { readEInvoice, validateEInvoice } from '#src/peppol/validate.ts';
import { UnreadableDocument } from '#src/peppol/xml/unreadable.ts';
import { expectCheap } from '../support/cost.ts';
import { brokenRules, changed, cleanDocument } from './peppol-invoice.ts';

const clean = cleanDocument();
const declared = (encoding: string): string =>
  changed(clean, { from: 'encoding="UTF-8"', to: `encoding="${encoding}"` });

function refusalOf(document: string | Uint8Array): UnreadableDocument {
  const bytes = typeof document === 'string' ? Buffer.from(document) : document;
  try {
    readEInvoice(bytes);
  } catch (error) {
    if (error instanceof UnreadableDocument) return error;
    throw error;
  }
  throw new Error('The document was read.');
}

describe('a clean document', () => {
  test.each([
    ['invoice', clean],
    ['credit note', cleanDocument(2, 'CreditNote')],
    ['invoice with one line', cleanDocument(1)],
    ['invoice of 300 lines', cleanDocument(300)],
  ])('an %s breaks no rule', (_, document) => {
    expect(validateEInvoice(Buffer.from(document)).findings).toEqual([]);
  });

  it('may use any prefix, and declare it anywhere', () => {
    const other = clean
      .replaceAll('cbc:', 'ns4:')
      .replaceAll('xmlns:cbc', 'xmlns:ns4')
      .replaceAll('<Invoice xmlns=', '<u:Invoice xmlns:u=')
      .replaceAll('</Invoice>', '</u:Invoice>');
    expect(brokenRules(other)).toEqual([]);
    const redeclared = clean.replace(/<cac:Price>/g, (tag) =>
      tag.replace(
        '>',
        ' xmlns:q="urn:x" xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2">',
      ),
    );
    expect(brokenRules(redeclared)).toEqual([]);
  });

  it('reads the same with CDATA, comments, processing instructions and character references', () => {
    const document = changed(
      clean,
      { from: '>F-1001<', to: '><![CDATA[F-]]>10<!-- x -->0<?p q?>1<' },
      { from: '>SEK</cbc:DocumentCurrencyCode>', to: '>S&#69;&#x4B;</cbc:DocumentCurrencyCode>' },
      { from: '?>', to: '?><!-- först -->' },
    );
    const { model, findings } = validateEInvoice(Buffer.from(document));
    expect(findings).toEqual([]);
    expect(model?.number).toBe('F-1001');
  });
});

it('judges a document alike however many strange places others have had', () => {
  const judge = (text: string): unknown => validateEInvoice(Buffer.from(text)).findings;
  const spoilt = clean.replace('>380<', '>999<').replaceAll('cbc:Percent>25<', 'cbc:Percent>24<');
  const before = judge(spoilt);
  expect(before).not.toEqual([]);
  for (let n = 0; n < 8; n += 1) {
    const strange = Array.from({ length: 1000 }, (_, i) => `<cbc:X${n}-${i}>1</cbc:X${n}-${i}>`);
    const findings = judge(clean.replace('<cbc:BuyerReference>', `${strange.join('')}$&`));
    expect(findings).toHaveLength(10);
  }
  expect(judge(spoilt)).toEqual(before);
  expect(judge(clean)).toEqual([]);
});

describe('encodings', () => {
  const utf16le = (text: string): Buffer => Buffer.from(text, 'utf16le');
  const utf16be = (text: string): Buffer => utf16le(text).swap16();
  const marked = (mark: readonly number[], bytes: Buffer): Buffer =>
    Buffer.concat([Buffer.from(mark), bytes]);

  test.each<[string, Buffer]>([
    ['UTF-8', Buffer.from(clean)],
    ['UTF-8 with a mark', marked([0xef, 0xbb, 0xbf], Buffer.from(clean))],
    [
      'UTF-8 with a mark and another declaration',
      marked([0xef, 0xbb, 0xbf], Buffer.from(declared('ISO-8859-1'))),
    ],
    ['UTF-16 little-endian with a mark', marked([0xff, 0xfe], utf16le(declared('UTF-16')))],
    ['UTF-16 big-endian with a mark', marked([0xfe, 0xff], utf16be(declared('UTF-16')))],
    ['UTF-16 little-endian without', utf16le(declared('UTF-16'))],
    ['UTF-16 big-endian without', utf16be(declared('UTF-16'))],
    ['ISO-8859-1', Buffer.from(declared('iso-8859-1'), 'latin1')],
    ['windows-1252', Buffer.from(declared('windows-1252'), 'latin1')],
    ['no declaration', Buffer.from(clean.replace(/^<\?xml[^>]*>\n/, ''))],
  ])('%s', (_, bytes) => {
    const { model, findings } = validateEInvoice(bytes);
    expect(findings).toEqual([]);
    expect(model?.seller?.address?.city).toBe('Umeå');
  });

  it('reads the signs that windows-1252 has and ISO-8859-1 has not', () => {
    const note = { from: 'Tack för köpet', to: 'Pris 5 X' };
    const bytes = Buffer.from(changed(declared('windows-1252'), note), 'latin1');
    bytes[bytes.indexOf('X', bytes.indexOf('Pris'))] = 0x80;
    expect(validateEInvoice(bytes).model?.notes).toEqual(['Pris 5 €']);
  });

  test.each<[string, Buffer]>([
    ['UTF-8 with a byte that is not', Buffer.from(clean, 'latin1')],
    ['US-ASCII with å', Buffer.from(declared('US-ASCII'))],
    [
      'windows-1252 with an empty place',
      Buffer.from(changed(declared('windows-1252'), { from: 'Tack', to: '\u0081' }), 'latin1'),
    ],
    ['UTF-16 in name only', Buffer.from(declared('UTF-16'))],
    ['an unknown encoding', Buffer.from(declared('EBCDIC-CP-SE'))],
    ['UTF-16 with a lone surrogate', marked([0xff, 0xfe], utf16le('<a>\ud800</a>'))],
  ])('refuses %s', (_, bytes) => {
    expect(refusalOf(bytes).code).toBe('XML-ENCODING');
  });
});

describe('what cannot be read', () => {
  test.each([
    ['', 'XML-FORM'],
    ['   ', 'XML-FORM'],
    ['inte xml', 'XML-FORM'],
    ['{"document": 1}', 'XML-FORM'],
    ['<a>', 'XML-FORM'],
    ['<a></b>', 'XML-FORM'],
    ['<a/><b/>', 'XML-FORM'],
    ['<a/>text', 'XML-FORM'],
    ['<a b="1" b="2"/>', 'XML-FORM'],
    ['<a b=1/>', 'XML-FORM'],
    ['<a>&nbsp;</a>', 'XML-FORM'],
    ['<a>&#0;</a>', 'XML-FORM'],
    ['<a>]]></a>', 'XML-FORM'],
    ['<a><!-- -- --></a>', 'XML-FORM'],
    ['<p:a/>', 'XML-FORM'],
    ['<a p:b="1"/>', 'XML-FORM'],
    ['<a:b:c xmlns:a="x"/>', 'XML-FORM'],
    ['<a xmlns:p=""/>', 'XML-FORM'],
    ['<a xmlns:xmlns="x"/>', 'XML-FORM'],
    ['<a xmlns:p="x" xmlns:q="x" p:b="1" q:b="2"/>', 'XML-FORM'],
    ['<a>\u0001</a>', 'XML-FORM'],
    ['<!DOCTYPE a><a/>', 'XML-REFUSED'],
    ['<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', 'XML-REFUSED'],
    ['<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>', 'XML-REFUSED'],
    ['<?xml-stylesheet href="http://x/y.xsl"?><a/>', 'XML-REFUSED'],
    ['<a/>', 'UBL-ROOT'],
    ['<Invoice/>', 'UBL-ROOT'],
    ['<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2"/>', 'UBL-ROOT'],
    ['<__proto__ xmlns="constructor"/>', 'UBL-ROOT'],
  ])('%s', (document, code) => {
    const refusal = refusalOf(document);
    expect(refusal.code).toBe(code);
    expect(refusal.message).toMatch(/\.$/);
    expect(validateEInvoice(Buffer.from(document)).findings).toHaveLength(1);
  });

  it('tells a supplier whose file lacks its namespace that it does, not {}Invoice', () => {
    expect(refusalOf('<Invoice/>').message).toContain('Här står Invoice utan namnrymd.');
    expect(refusalOf('<Invoice xmlns="urn:x"/>').message).toContain(
      'Här står Invoice i namnrymden urn:x.',
    );
  });

  it('says where', () => {
    const document = changed(clean, { from: '</cbc:DueDate>', to: '</cbc:DueDat>' });
    const { line, column } = refusalOf(document);
    expect([line, column > 1]).toEqual([7, true]);
  });

  it('says where a rule is broken: line and column of the start tag', () => {
    const document = changed(clean, { from: '<cbc:ID>2</cbc:ID>', to: '<cbc:ID> </cbc:ID>' });
    const finding = validateEInvoice(Buffer.from(document)).findings.find(
      ({ rule }) => rule === 'BR-21',
    );
    const lines = document.split('\n');
    expect(finding?.location).toBe('/Invoice/cac:InvoiceLine[2]');
    expect(lines[(finding?.line ?? 0) - 1]?.slice((finding?.column ?? 0) - 1)).toBe(
      '<cac:InvoiceLine>',
    );
  });
});

describe('hostile documents are refused or judged at once', () => {
  it('refuses no lawful document because the machine was busy with other things', () => {
    let now = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 3_600_000));
    onTestFinished(() => clock.mockRestore());
    expect(validateEInvoice(Buffer.from(clean)).findings).toEqual([]);
  });

  const inside = (body: string): string =>
    changed(clean, { from: '<cac:PaymentTerms>', to: `${body}<cac:PaymentTerms>` });
  const many = (count: number, make: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => make(index)).join('');

  test.each<[string, string, string | null]>([
    ['deep nesting', '<a>'.repeat(100_000), 'XML-LIMIT'],
    ['100 000 attributes', `<a ${many(100_000, (n) => `a${n}="1" `)}/>`, 'XML-LIMIT'],
    ['100 000 namespaces', `<a ${many(100_000, (n) => `xmlns:a${n}="u${n}" `)}/>`, 'XML-LIMIT'],
    ['a long element name', `<${'a'.repeat(3_000_000)}/>`, 'XML-LIMIT'],
    ['a long attribute name', `<a ${'b'.repeat(3_000_000)}="1"/>`, 'XML-LIMIT'],
    ['a long attribute', `<a b="${'c'.repeat(3_000_000)}"/>`, 'XML-LIMIT'],
    ['a long comment', `<!--${'-a'.repeat(1_500_000)}--><a/>`, 'UBL-ROOT'],
    ['a long DOCTYPE', `<!DOCTYPE a [${'<!ENTITY x "y">'.repeat(100_000)}]><a/>`, 'XML-REFUSED'],
    ['too many bytes', `<a>${' '.repeat(5_000_000)}</a>`, 'XML-LIMIT'],
    [
      'huge text',
      inside(`<cac:PaymentTerms><cbc:Note>${'å'.repeat(1_000_000)}</cbc:Note></cac:PaymentTerms>`),
      null,
    ],
    [
      'huge blanks',
      changed(clean, { from: 'Tack för köpet', to: ` a${' '.repeat(3_000_000)}b ` }),
      null,
    ],
    [
      'huge number',
      inside(
        `<cac:PaymentTerms><cbc:Amount currencyID="SEK">${'9'.repeat(1_000_000)}</cbc:Amount></cac:PaymentTerms>`,
      ),
      null,
    ],
    [
      'many references',
      inside(
        `<cac:PaymentTerms><cbc:Note>${'&amp;'.repeat(500_000)}</cbc:Note></cac:PaymentTerms>`,
      ),
      null,
    ],
    ['many different names', inside(many(50_000, (n) => `<a${n}/>`)), 'XML-LIMIT'],
    ['many notes', inside(many(50_000, () => '<cbc:Note>#AAI#</cbc:Note>')), null],
    [
      'many payees',
      inside(
        many(
          10_000,
          (n) =>
            `<cac:PayeeParty><cac:PartyName><cbc:Name>${n}</cbc:Name></cac:PartyName></cac:PayeeParty>`,
        ),
      ),
      null,
    ],
    [
      'many VAT rows',
      inside(
        `<cac:TaxTotal>${many(8000, (n) => `<cac:TaxSubtotal><cac:TaxCategory><cbc:ID>S</cbc:ID><cbc:Percent>${n}</cbc:Percent><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:TaxCategory></cac:TaxSubtotal>`)}</cac:TaxTotal>`,
      ),
      'XML-LIMIT',
    ],
    [
      'a line of many categories',
      inside(
        `<cac:InvoiceLine><cac:Item>${many(10_000, (n) => `<cac:ClassifiedTaxCategory><cbc:ID>C${n}</cbc:ID><cbc:Percent>${n}</cbc:Percent></cac:ClassifiedTaxCategory>`)}</cac:Item></cac:InvoiceLine>`,
      ),
      'XML-LIMIT',
    ],
    [
      'many currencies',
      inside(many(40_000, (n) => `<cbc:TaxCurrencyCode>${n}</cbc:TaxCurrencyCode>`)).replace(
        /<cbc:DocumentCurrencyCode>.*/,
        '',
      ),
      null,
    ],
    [
      'many totals',
      inside(
        many(
          8000,
          (n) =>
            `<cac:LegalMonetaryTotal><cbc:PayableAmount currencyID="SEK">${n}</cbc:PayableAmount></cac:LegalMonetaryTotal><cac:AllowanceCharge><cbc:ChargeIndicator>true</cbc:ChargeIndicator><cbc:Amount currencyID="SEK">1</cbc:Amount></cac:AllowanceCharge>`,
        ),
      ),
      null,
    ],
    [
      'many amounts of tax',
      inside(
        `<cac:TaxTotal>${many(50_000, () => '<cbc:TaxAmount currencyID="SEK">1</cbc:TaxAmount>')}</cac:TaxTotal>`,
      ),
      'XML-LIMIT',
    ],
    [
      'many payment means',
      inside(
        many(
          15_000,
          (n) =>
            `<cac:PaymentMeans><cbc:PaymentMeansCode>30</cbc:PaymentMeansCode><cbc:PaymentID>${n}</cbc:PaymentID></cac:PaymentMeans>`,
        ),
      ),
      null,
    ],
    [
      'many lines in tangles',
      inside(
        many(
          300,
          () =>
            `<cac:InvoiceLine>${many(200, () => '<cac:Price><cbc:BaseQuantity unitCode="X">0</cbc:BaseQuantity></cac:Price>')}</cac:InvoiceLine>`,
        ),
      ),
      null,
    ],
    [
      'a line of many rates',
      inside(
        `<cac:InvoiceLine><cac:Item>${many(10_000, (n) => `<cac:ClassifiedTaxCategory><cbc:ID>${'SLM'[n % 3]}</cbc:ID><cbc:Percent>${n}</cbc:Percent></cac:ClassifiedTaxCategory>`)}</cac:Item></cac:InvoiceLine>`,
      ),
      'XML-LIMIT',
    ],
    [
      'a line of many amounts',
      inside(
        `<cac:InvoiceLine>${many(20_000, (n) => `<cac:AllowanceCharge><cbc:ChargeIndicator>true</cbc:ChargeIndicator><cbc:Amount currencyID="X${n}">${n}.001</cbc:Amount></cac:AllowanceCharge>`)}</cac:InvoiceLine>`,
      ),
      'XML-LIMIT',
    ],
    [
      'many attachments',
      inside(
        many(
          10_000,
          (n) =>
            `<cac:AdditionalDocumentReference><cbc:ID schemeID="x">${n}</cbc:ID></cac:AdditionalDocumentReference>`,
        ),
      ),
      null,
    ],
  ])(
    '%s',
    async (_, document, code) => {
      const bytes = Buffer.from(document);
      // Each takes well under 600 ms; what grows with the square takes minutes.
      await expectCheap(2000, () => {
        const [first] = validateEInvoice(bytes).findings;
        if (code !== null) expect(first?.rule).toBe(code);
      });
    },
    30_000,
  );
});

describe('envelope', () => {
  const sbdh = 'http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader';
  const payload = clean.replace(/^<\?xml[^>]*>\n/, '').trimEnd();
  const wrapped = (inner: string): string => `<?xml version="1.0" encoding="UTF-8"?>
<StandardBusinessDocument xmlns="${sbdh}">
  <StandardBusinessDocumentHeader>
    <HeaderVersion>1.0</HeaderVersion>
    <Sender><Identifier Authority="iso6523-actorid-upis">0007:5566778899</Identifier></Sender>
    <Receiver><Identifier Authority="iso6523-actorid-upis">0088:7300010000001</Identifier></Receiver>
    <DocumentIdentification>
      <InstanceIdentifier>8b1d-1</InstanceIdentifier>
      <CreationDateAndTime>2026-03-31T12:00:00Z</CreationDateAndTime>
    </DocumentIdentification>
    <BusinessScope>
      <Scope><Type>DOCUMENTID</Type><InstanceIdentifier>urn:x</InstanceIdentifier></Scope>
      <Scope><Type>COUNTRY_C1</Type><InstanceIdentifier>SE</InstanceIdentifier></Scope>
    </BusinessScope>
  </StandardBusinessDocumentHeader>
  ${inner}
</StandardBusinessDocument>`;

  it('is taken off, and tells who sent what to whom', () => {
    const { envelope, findings, model } = validateEInvoice(Buffer.from(wrapped(payload)));
    expect(findings).toEqual([]);
    expect(model?.number).toBe('F-1001');
    expect(envelope).toMatchObject({
      sender: { scheme: '0007', identifier: '5566778899' },
      receiver: { scheme: '0088', identifier: '7300010000001' },
      instance_id: '8b1d-1',
      created_at: '2026-03-31T12:00:00Z',
      document_type: 'urn:x',
      process: null,
      sender_country: 'SE',
    });
  });

  it('leaves the rules that count from the root where they stand', () => {
    const spoilt = payload
      .replace('>380<', '>999<')
      .replace('<cbc:BuyerReference>', '<cbc:UUID>1</cbc:UUID>$&');
    const verdict = (text: string): unknown =>
      validateEInvoice(Buffer.from(text)).findings.map(({ rule, message, location }) => [
        rule,
        message,
        location,
      ]);
    expect(verdict(wrapped(spoilt))).toEqual(verdict(spoilt));
    expect(verdict(spoilt)).toContainEqual([
      'UBL-CR-005',
      'Elementet cbc:UUID används inte i EN 16931.',
      '/Invoice/cbc:UUID',
    ]);
  });

  test.each(['utf8', 'utf16le'] as const)(
    'keeps the bytes of the document as they stand (%s)',
    (encoding) => {
      const bytes = Buffer.from(
        wrapped(payload).replace('UTF-8', encoding === 'utf8' ? 'UTF-8' : 'UTF-16'),
        encoding,
      );
      const inner = validateEInvoice(bytes).envelope?.document_bytes ?? new Uint8Array();
      expect(Buffer.from(inner).toString(encoding)).toBe(payload);
    },
  );

  test.each([
    ['nothing', ''],
    ['two documents', `${payload}${payload}`],
    ['something else', '<a xmlns="urn:x"/>'],
  ])('refuses an envelope with %s', (_, inner) => {
    expect(refusalOf(wrapped(inner)).code).toBe('UBL-ROOT');
  });
});
