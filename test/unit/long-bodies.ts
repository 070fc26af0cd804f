/** What is made to be slow to read, by the door it comes in through: each of as many bytes as one asks for. */

import { canonicalJson, findJsonProblems, parseJson } from '#src/domain/basics/json.ts';
import { readSieChart } from '#src/domain/ledger/sie/chart.ts';
import { parseOrder } from '#src/domain/sales/order-shape.ts';
import { readableOrder } from '#src/intake/orders/readable.ts';
import { chartFromSie, readChartGround } from '#src/ledger/accounts/sie-chart.ts';
import { AppError } from '#src/lib/errors.ts';
import { UnreadableDocument } from '#src/peppol/xml/unreadable.ts';
import { documentOf } from '#src/purchases/e-invoices/body.ts';
import { eInvoiceHtml } from '#src/purchases/e-invoices/html.ts';
import { documentBytes } from '#src/purchases/e-invoices/identity.ts';
import { readDocument } from '#src/purchases/e-invoices/reading.ts';
import { readOpeningLines } from '#src/sales/opening-items/csv.ts';
import { cleanDocument } from './peppol-invoice.ts';

type Make = (nth: number) => string;
const clean = cleanDocument(1);
/** The clean document with as many of these as fit, before what matches. */
const inDocument =
  (before: string | RegExp, make: Make) =>
  (bytes: number): Buffer => {
    const at = clean.search(before);
    if (at < 0) throw new Error(`${before} is not in the document`);
    return Buffer.from(clean.slice(0, at) + repeated(make, bytes) + clean.slice(at));
  };
function repeated(make: Make, bytes: number): string {
  if (make.length === 0) return make(0).repeat(Math.ceil(bytes / make(0).length));
  const parts: string[] = [];
  for (let [length, nth] = [0, 0]; length < bytes; nth += 1) {
    const part = make(nth);
    length += part.length;
    parts.push(part);
  }
  return parts.join('');
}
const whole =
  (make: Make, before = '', after = '') =>
  (bytes: number) =>
    Buffer.from(before + repeated(make, bytes) + after);
const nested =
  (open: string, close: string, before = '', after = '') =>
  (bytes: number) => {
    const times = Math.floor(bytes / (open.length + close.length));
    return Buffer.from(before + open.repeat(times) + close.repeat(times) + after);
  };
const element = (pattern: RegExp): string => pattern.exec(clean)?.[0] ?? fail(pattern);
const fail = (pattern: RegExp): never => {
  throw new Error(`${pattern} is not in the document`);
};
const invoiceLine = element(/<cac:InvoiceLine>[\s\S]*?<\/cac:InvoiceLine>/);
const taxSubtotal = element(/<cac:TaxSubtotal>[\s\S]*?<\/cac:TaxSubtotal>/);
const allowance = element(/<cac:AllowanceCharge>[\s\S]*?<\/cac:AllowanceCharge>/);

const xml: Readonly<Record<string, (bytes: number) => Buffer>> = {
  'elements within elements': nested('<a>', '</a>'),
  'known elements within each other': nested(
    '<cac:Party>',
    '</cac:Party>',
    clean.slice(0, clean.indexOf('<cbc:CustomizationID')),
    '</Invoice>',
  ),
  'an element never closed': whole(() => '<a>'),
  'end tags alone': whole(() => '</a>'),
  attributes: whole((n) => ` a${n}="1"`, '<a', '/>'),
  'attributes of one name': whole(() => ' a="1"', '<a', '/>'),
  'namespaces on one element': whole((n) => ` xmlns:a${n}="urn:x"`, '<a', '/>'),
  'namespaces, element by element': whole((n) => `<a xmlns:b${n}="urn:x">`),
  'attributes with namespaces': whole((n) => ` b${n}:x="1" xmlns:b${n}="urn:${n}"`, '<a', '/>'),
  'attributes of one namespace': whole((n) => ` b:x${n}="1"`, '<a xmlns:b="urn:b"', '/>'),
  'a namespace redeclared, level by level': whole(() => '<a xmlns:b="urn:x">'),
  'one text': whole(() => 'å', '<a>', '</a>'),
  references: whole(() => '&#65;', '<a>', '</a>'),
  'references in an attribute': whole(() => '&amp;', '<a b="', '"/>'),
  ampersands: whole(() => '&', '<a>', '</a>'),
  'comments before': whole(() => '<!-- -->', '', '<a/>'),
  'comments within': inDocument('<cbc:DueDate', () => '<!--x-->'),
  'a comment never closed': whole(() => '-', '<!-- '),
  instructions: whole(() => '<?a?>', '', '<a/>'),
  CDATA: whole(() => '<![CDATA[x]]>', '<a>', '</a>'),
  'brackets in CDATA': whole(() => ']', '<a><![CDATA[', ']]></a>'),
  'a doctype': whole((n) => `<!ENTITY a${n} "x">`, '<!DOCTYPE a [', ']><a/>'),
  'one name': whole(() => 'a', '<', '/>'),
  'line breaks': whole(() => '\r\n', '<a>', '</b>'),
  lines: inDocument('<cac:InvoiceLine>', () => invoiceLine),
  'lines with little in them': inDocument(
    '<cac:InvoiceLine>',
    () => '<cac:InvoiceLine><cbc:ID>1</cbc:ID></cac:InvoiceLine>',
  ),
  'lines with nothing': inDocument('<cac:InvoiceLine>', () => '<cac:InvoiceLine/>'),
  allowances: inDocument('<cac:AllowanceCharge>', () => allowance),
  'allowances with nothing': inDocument('<cac:AllowanceCharge>', () => '<cac:AllowanceCharge/>'),
  'allowances on a line': inDocument(
    /<cac:AllowanceCharge>\s*<cbc:ChargeIndicator>false<\/cbc:ChargeIndicator>\s*<cbc:AllowanceChargeReason>Rad/,
    () => allowance,
  ),
  'VAT subtotals of one category': inDocument('<cac:TaxSubtotal>', () => taxSubtotal),
  'VAT subtotals of many rates': inDocument('<cac:TaxSubtotal>', (n) =>
    taxSubtotal.replace('>25<', `>${n}.5<`),
  ),
  'lines of many rates': inDocument('<cac:InvoiceLine>', (n) =>
    invoiceLine.replace('>25<', `>${n}.5<`),
  ),
  'VAT totals': inDocument(
    '<cac:TaxTotal>',
    () => '<cac:TaxTotal><cbc:TaxAmount currencyID="SEK">1</cbc:TaxAmount></cac:TaxTotal>',
  ),
  notes: inDocument('<cbc:Note>', () => '<cbc:Note>x</cbc:Note>'),
  'payment means': inDocument(
    '<cac:TaxTotal>',
    () => '<cac:PaymentMeans><cbc:PaymentMeansCode>30</cbc:PaymentMeansCode></cac:PaymentMeans>',
  ),
  'references to documents': inDocument(
    '<cac:AccountingSupplierParty>',
    (n) =>
      `<cac:AdditionalDocumentReference><cbc:ID>${n}</cbc:ID></cac:AdditionalDocumentReference>`,
  ),
  'earlier invoices': inDocument(
    '<cac:AccountingSupplierParty>',
    (n) =>
      `<cac:BillingReference><cac:InvoiceDocumentReference><cbc:ID>${n}</cbc:ID></cac:InvoiceDocumentReference></cac:BillingReference>`,
  ),
  sellers: inDocument('<cac:AccountingSupplierParty>', () => '<cac:AccountingSupplierParty/>'),
  'identifications of the seller': inDocument(
    '<cac:PartyName>',
    () => '<cac:PartyIdentification><cbc:ID>1</cbc:ID></cac:PartyIdentification>',
  ),
  'properties of an item': inDocument(
    '<cac:AdditionalItemProperty>',
    () =>
      '<cac:AdditionalItemProperty><cbc:Name>a</cbc:Name><cbc:Value>b</cbc:Value></cac:AdditionalItemProperty>',
  ),
  'unknown elements': inDocument('<cbc:DueDate', (n) => `<cbc:Unknown${n % 1_000}/>`),
  'a long number': inDocument('F-1001', () => 'F'),
  'a long amount': inDocument(/195\.00</, () => '9'),
  'a long fraction': inDocument(/(?<=195\.0)0</, () => '0'),
  'a long rate': inDocument(/(?<=<cbc:Percent>)25/, () => '0'),
  'a long date': inDocument('2026-03-31', () => '0'),
  'a long URI': inDocument('urn:cen.eu', () => 'urn:'),
  'a long note': inDocument('Tack', () => ' #AAA#x'),
  'a long account of blanks': inDocument('F-1001', () => ' '),
  'an attachment': whole(
    () => 'QUFB',
    `${clean.slice(0, clean.indexOf('<cac:AccountingSupplierParty>'))}<cac:AdditionalDocumentReference><cbc:ID>1</cbc:ID><cac:Attachment><cbc:EmbeddedDocumentBinaryObject mimeCode="application/pdf" filename="a.pdf">`,
    `</cbc:EmbeddedDocumentBinaryObject></cac:Attachment></cac:AdditionalDocumentReference>${clean.slice(clean.indexOf('<cac:AccountingSupplierParty>'))}`,
  ),
};

const order = JSON.stringify({
  externalId: 'W-1',
  orderDate: '2026-03-31',
  currency: 'SEK',
  pricesIncludeVat: true,
  total: 199,
  customer: { name: 'Anna Andersson' },
  rows: [{ description: 'Kaffebryggare', quantity: 1, unitPrice: 199, vatRate: 25 }],
}).slice(0, -1);
const small = '{"description":"x","quantity":1,"unitPrice":0.01,"vatRate":25}';
const json: Readonly<Record<string, (bytes: number) => Buffer>> = {
  'lists within lists': nested('[', ']'),
  'objects within objects': nested('{"a":', '}', '{"b":', '}'),
  'lists never closed': whole(() => '['),
  'names again and again': whole(() => '"a":1,', '{', '"a":1}'),
  'many names': whole((n) => `"a${n}":1,`, '{', '"a":1}'),
  'names of digits': whole((n) => `"${n}":1,`, '{', '"a":1}'),
  'names again and again, deep within': whole(
    () => '"a":1,',
    `${'{"x":'.repeat(30)}{`,
    `"a":1}${'}'.repeat(30)}`,
  ),
  'objects with names twice': whole(() => '{"a":1,"a":2},', '[', '0]'),
  'long names': whole((n) => `"${'a'.repeat(100_000)}${n}":1,`, '{', '"a":1}'),
  'huge numbers': whole(() => '1e400,', '[', '0]'),
  'many digits': whole(() => '9', '[', ']'),
  'many decimals': whole(() => '9', '[0.', ']'),
  'many numbers of many digits': whole(() => `${'9'.repeat(400)}.${'9'.repeat(400)},`, '[', '0]'),
  'one text': whole(() => 'å', '"', '"'),
  escapes: whole(() => '\\u0041', '"', '"'),
  'halves of signs': whole(() => '\\ud800', '"', '"'),
  noughts: whole(() => '\\u0000', '"', '"'),
  backslashes: whole(() => '\\\\', '"', '"'),
  quotes: whole(() => '"",', '[', '""]'),
  blanks: whole(() => ' \n', '[', ']'),
  'rows of an order': whole(
    () => `${small},`,
    `${order.slice(0, order.indexOf('"rows":['))}"rows":[`,
    `${small}]}`,
  ),
  'rows of nothing': whole(
    () => '{},',
    `${order.slice(0, order.indexOf('"rows":['))}"rows":[`,
    '{}]}',
  ),
  'a long field': whole(() => 'a', `${order},"externalId":"`, '"}'),
  'a long address': whole(() => 'a@', `${order},"customer":{"name":"a","email":"`, '"}}'),
  'a total of many digits': whole(() => '1', `${order},"total":1`, '}'),
  'a total of many decimals': whole(() => '0', `${order},"total":1.`, '1}'),
  'fields that no order has': whole((n) => `,"x${n}":1`, order, '}'),
};

const sie: Readonly<Record<string, (bytes: number) => Buffer>> = {
  'one line': whole(() => 'a', '#FLAGGA 0\n#KONTO 1930 "'),
  fields: whole(() => '"a" ', '#FLAGGA 0\n#KONTO 1930 '),
  'quotes never closed': whole(() => '"', '#FLAGGA 0\n#KONTO 1930 '),
  'escaped quotes': whole(() => '\\"', '#FLAGGA 0\n#KONTO 1930 "'),
  braces: whole(() => '{', '#FLAGGA 0\n#VER '),
  blanks: whole(() => ' ', '#FLAGGA 0\n#KONTO '),
  accounts: whole(
    (n) => `#KONTO ${1000 + (n % 9000)} "Bank"\n#KTYP ${1000 + (n % 9000)} T\n`,
    '#FLAGGA 0\n',
  ),
  'one account': whole(() => '#KONTO 1930 "Bank"\n#SRU 1930 7281\n', '#FLAGGA 0\n'),
  'accounts of any number': whole(
    (n) => `#KONTO ${n} "Utgående moms 25 % import hyra"\n`,
    '#FLAGGA 0\n',
  ),
  'line breaks': whole(() => '\r\n', '#FLAGGA 0\n'),
  'carriage returns': whole(() => '\r', '#FLAGGA 0\n'),
};
const csv: Readonly<Record<string, (bytes: number) => Buffer>> = {
  'one line': whole(() => 'a'),
  columns: whole(() => 'a;'),
  'no columns': whole(() => ';'),
  'quotes never closed': whole(() => 'a', '"'),
  quotes: whole(() => '"'),
  'quoted quotes': whole(() => '""', '"'),
  'quotes and separators': whole(() => '";"'),
  'half lines of quotes': whole(() => '"a\n'),
  'line breaks': whole(() => '\n', 'a'),
  'carriage returns': whole(() => '\r', 'a'),
  lines: whole((n) => `${n};Namn AB;;2026-01-01;2026-01-31;100;100\n`),
  blanks: whole(() => ' ', 'a', 'a'),
};

const ground = readChartGround('5567026934');
/** Nothing but what we ourselves refuse with. */
const read =
  (work: (body: Buffer) => unknown) =>
  async (body: Buffer): Promise<void> => {
    try {
      await work(body);
    } catch (error) {
      if (!(error instanceof AppError || error instanceof UnreadableDocument)) throw error;
    }
  };
export const doors: readonly (readonly [
  string,
  (body: Buffer) => Promise<void>,
  Readonly<Record<string, (bytes: number) => Buffer>>,
])[] = [
  ['an e-invoice', read((body) => readDocument(documentBytes(body))), xml],
  ['an e-invoice in JSON', read((body) => documentOf('application/json', body)), json],
  ['an e-invoice, shown', read((body) => eInvoiceHtml(body, [])), xml],
  [
    'JSON',
    read((body) => {
      const { text, value } = parseJson(body);
      if (findJsonProblems(text, value).length > 0) return;
      canonicalJson(value);
      readableOrder(value);
      parseOrder(value);
    }),
    json,
  ],
  [
    'a SIE file',
    read(async (body) => {
      const chart = readSieChart(body);
      if (chart) chartFromSie(chart, await ground);
    }),
    sie,
  ],
  ['lines of open items', read((body) => readOpeningLines(body.toString())), csv],
];
