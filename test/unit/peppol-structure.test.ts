import { describe, expect, it, test } from 'vitest';
import { validateEInvoice } from '#src/peppol/validate.ts';
import { brokenRules, changed, cleanDocument } from './peppol-invoice.ts';

const clean = cleanDocument();
const change = (from: string | RegExp, to: string): string => changed(clean, { from, to });
const structural = (document: string): string[] =>
  brokenRules(document).filter((rule) => rule.startsWith('UBL21'));

describe('the structure of UBL 2.1', () => {
  test.each([
    [
      'an element UBL does not have',
      change('<cbc:ID>F-1001</cbc:ID>', '<cbc:ID>F-1001</cbc:ID><cbc:Nummer>1</cbc:Nummer>'),
      'UBL21-ELEMENT',
    ],
    [
      'an element of another namespace',
      change('<cbc:IssueDate>', '<x xmlns="urn:x"/><cbc:IssueDate>'),
      'UBL21-ELEMENT',
    ],
    [
      'an element in the wrong place',
      change('<cac:Delivery>', '<cac:Delivery><cbc:IssueDate>2026-01-01</cbc:IssueDate>'),
      'UBL21-ELEMENT',
    ],
    ['an element inside text', change('>F-1001<', '>F-<b/>1001<'), 'UBL21-ELEMENT'],
    [
      'the wrong order',
      change(
        /(<cbc:DueDate>.*<\/cbc:DueDate>)(\s*)(<cbc:InvoiceTypeCode>.*)/,
        '<cbc:InvoiceTypeCode>380</cbc:InvoiceTypeCode><cbc:DueDate>2026-04-30</cbc:DueDate>',
      ),
      'UBL21-ORDER',
    ],
    [
      'one too many',
      change('<cbc:ID>F-1001</cbc:ID>', '<cbc:ID>F-1001</cbc:ID><cbc:ID>F-1002</cbc:ID>'),
      'UBL21-REPEATED',
    ],
    ['one too few', change('<cbc:ID>F-1001</cbc:ID>', ''), 'UBL21-MISSING'],
    [
      'an amount that is no number',
      change('>381.75</cbc:PayableAmount>', '>381,75</cbc:PayableAmount>'),
      'UBL21-VALUE',
    ],
    ['a date that does not exist', change('2026-04-30', '2026-04-31'), 'UBL21-VALUE'],
    [
      'a flag that is neither',
      change('<cbc:ChargeIndicator>false', '<cbc:ChargeIndicator>nej'),
      'UBL21-VALUE',
    ],
    ['a file that is not base64', change('JVBERi0x', 'JVBERi0xå'), 'UBL21-VALUE'],
    ['base64 with stray bits', change('JVBERi0x', 'JVBERi0xQR=='), 'UBL21-VALUE'],
    ['base64 with padding inside', change('JVBERi0x', 'JV=ERi0x'), 'UBL21-VALUE'],
    [
      'an attribute that is not there',
      change('<cbc:PayableAmount currencyID="SEK">', '<cbc:PayableAmount>'),
      'UBL21-ATTRIBUTE',
    ],
    [
      'an attribute that UBL does not have',
      change('<cbc:ID>F-1001', '<cbc:ID typ="x">F-1001'),
      'UBL21-ATTRIBUTE',
    ],
    [
      'an element that says that it is nothing',
      change(
        '<cbc:Note>',
        '<cbc:Note xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="false">',
      ),
      'UBL21-ATTRIBUTE',
    ],
    [
      'an attribute that is no language',
      change('<cbc:Note>', '<cbc:Note languageID="svenska språket">'),
      'UBL21-ATTRIBUTE',
    ],
    ['text between elements', change('<cac:Delivery>', '<cac:Delivery>igår'), 'UBL21-TEXT'],
  ])('%s', (_, document, rule) => {
    expect(structural(document)).toContain(rule);
  });

  test.each([
    ['blanks inside base64', change('JVBERi0x', '\n  JVBE\r\n Ri0x\t')],
    ['padding', change('JVBERi0x', 'JVBERi0xQQ==')],
    [
      'schema locations',
      change(
        '<cbc:CustomizationID>',
        '<cbc:CustomizationID xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="a b">',
      ),
    ],
    ['dates with a zone', change('<cbc:DueDate>2026-04-30', '<cbc:DueDate>2026-04-30+02:00')],
    [
      'extensions with anything in them',
      change(
        '<cbc:CustomizationID>',
        '<e:UBLExtensions xmlns:e="urn:oasis:names:specification:ubl:schema:xsd:CommonExtensionComponents-2"><x xmlns="urn:x">1<y/></x></e:UBLExtensions><cbc:CustomizationID>',
      ),
    ],
  ])('allows %s', (_, document) => {
    expect(structural(document)).toEqual([]);
  });

  it('says what is wrong, where', () => {
    const { findings } = validateEInvoice(Buffer.from(change('2026-04-30', '2026-04-31')));
    expect(findings.filter(({ rule }) => rule === 'UBL21-VALUE')).toEqual([
      {
        rule: 'UBL21-VALUE',
        severity: 'fatal',
        message: 'cbc:DueDate ska vara ett datum (ÅÅÅÅ-MM-DD). Här står ”2026-04-31”.',
        location: '/Invoice/cbc:DueDate',
        line: 7,
        column: 3,
      },
    ]);
  });
});
