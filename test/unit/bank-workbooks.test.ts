/** Statements of banks as workbooks of Excel: the same rows as in CSV, and nothing that a file can do but be refused. */
import { describe, expect, it } from 'vitest';
import { checkBankFile } from '../../src/bank/statement-files/check-file.ts';
import { bankProblemText } from '../../src/bank/statement-files/wordings.ts';
import { amountOfNumber, dayOfSerial } from '../../src/domain/ledger/bank-files/sheet.ts';
import type { BankEntry } from '../../src/domain/ledger/bank-files/statement.ts';
import { TODAY } from '../support/company.ts';
import { sebHeadings, type TestWorkbook, workbook, workbookParts } from '../support/workbook.ts';

async function read(bytes: Buffer) {
  const entries: BankEntry[] = [];
  const open = async function* () {
    for (let at = 0; at < bytes.length; at += 1_000) yield bytes.subarray(at, at + 1_000);
  };
  const { judgement } = await checkBankFile(open, {
    today: TODAY,
    watch: (event) => {
      if (event.kind === 'entry') entries.push(event.entry);
    },
  });
  const rows = entries.map(
    ({ bookingDate, amount, text, balanceAfter }) =>
      `${bookingDate} ${amount} ${text} ${balanceAfter ?? ''}`,
  );
  const told = judgement.problems.map(({ reason }) => reason);
  return { ...judgement, rows, told };
}
const readBook = async (given: TestWorkbook) => read(await workbook(given));

/** 2026-03-02 and 2026-03-01. */
const [second, first] = [46083, 46082];
const seb: TestWorkbook = {
  rows: [
    ['Företagskonto', '5000 00 012 34'],
    ['Saldo', { number: '850' }],
    ['Disponibelt belopp', 850],
    [],
    [...sebHeadings],
    [
      second,
      second,
      { number: '5490990005' },
      'PRESSHORNAN /26-03-01',
      { number: '-99.900000000000006' },
      850,
    ],
    [first, first, '5490990004', 'Kund & Co <AB>', { number: '949.9' }, { number: '949.9' }],
  ],
};

describe('SEB', () => {
  it('numbers, days and texts of cells are amounts, days and texts', async () => {
    const { rows, statements, format, verdict, told } = await readBook(seb);
    expect(rows).toEqual([
      '2026-03-02 -9990 PRESSHORNAN /26-03-01 85000',
      '2026-03-01 94990 Kund & Co <AB> 94990',
    ]);
    expect([format, verdict, told]).toEqual(['xlsx.seb-excel', 'doubt', ['account_missing']]);
    expect(statements).toMatchObject([{ opening: 0n, closing: 85_000n, entries: 2 }]);
  });

  it('a missing row is told by the balances, with the row that Excel shows', async () => {
    const rows = seb.rows.map((row, index) => (index === 6 ? [...row.slice(0, 5), 900] : row));
    const { verdict, problems } = await readBook({ rows });
    expect(verdict).toBe('refused');
    expect(problems).toContainEqual(expect.objectContaining({ reason: 'balance_broken', line: 7 }));
  });

  it('days of the calendar from 1904, days as text and as ISO 8601, rich and inline texts, prefixes', async () => {
    const date = { xml: '<c t="d"><v>2026-03-02T00:00:00</v></c>' };
    const inline = { xml: '<c t="inlineStr"><is><r><t>In</t></r><r><t>line</t></r></is></c>' };
    const formula = { xml: '<c t="str"><f>A1&amp;"x"</f><v>Formel</v></c>' };
    const { rows } = await readBook({
      is1904: true,
      rows: [
        [...sebHeadings],
        [second - 1_462, null, null, inline, 1, 3],
        [date, null, null, formula, 1, 2],
        ['2026-03-02', null, null, 'Text', ' 1,00 ', '1,00'],
      ],
    });
    expect(rows).toEqual([
      '2026-03-02 100 Inline 300',
      '2026-03-02 100 Formel 200',
      '2026-03-02 100 Text 100',
    ]);
    const parts = Object.fromEntries(
      Object.entries(workbookParts(seb)).map(([name, text]) => [
        name,
        name.endsWith('sheet1.xml')
          ? text
              .replaceAll(/<(\/?)(worksheet|sheetData|row|c|v)\b/g, '<$1x:$2')
              .replace('xmlns=', 'xmlns:x=')
          : text,
      ]),
    );
    expect((await readBook({ rows: [], parts })).rows).toHaveLength(2);
  });
});

describe('others', () => {
  it('Skandia says its account in rows before the headings', async () => {
    const { rows, statements, format } = await readBook({
      rows: [
        ['Kontonummer', '9150-1234567'],
        [],
        ['Bokf. datum', 'Beskrivning', 'Belopp', 'Saldo'],
        ['2026-03-02', 'Kortköp', -50, 950],
        ['2026-03-01', 'Swish', 1000, 1000],
      ],
    });
    expect([format, rows.length]).toEqual(['xlsx.skandia', 2]);
    expect(statements[0]).toMatchObject({ account: '9150-1234567', opening: 0n, closing: 95_000n });
  });

  it('a form of CSV that was saved as a workbook is read by its headings', async () => {
    const headings = ['Reskontradatum', 'Transaktionsdatum', 'Text', 'Belopp', 'Saldo'];
    const { format, rows } = await readBook({
      rows: [headings, [second, second, 'Kaffe', { number: '-50.5' }, { number: '1.0E3' }]],
    });
    expect([format, rows]).toEqual(['xlsx.handelsbanken', ['2026-03-02 -5050 Kaffe 100000']]);
  });

  it('a list of ten thousand rows is read whole', async () => {
    const all = Array.from({ length: 10_000 }, (_, n) => [
      first,
      first,
      `${n}`,
      `Rad ${n}`,
      1,
      10_000 - n,
    ]);
    const { rows, statements } = await readBook({ rows: [[...sebHeadings], ...all] });
    expect([rows.length, statements[0]?.opening]).toEqual([10_000, 0n]);
  });
});

it.each([
  ['61', 1900, '1900-03-01'],
  ['46082.75', 1900, '2026-03-01'],
  ['0', 1904, '1904-01-01'],
  ['44620', 1904, '2026-03-01'],
  ['60', 1900, '60'],
  ['-1', 1904, '-1'],
  ['99999999', 1900, '99999999'],
] as const)('the day %s since %i is %s', (serial, calendar, day) =>
  expect(dayOfSerial(serial, calendar)).toBe(day),
);

it.each([
  ['-99.900000000000006', '-99,90'],
  ['1234567890.12', '1234567890,12'],
  ['1.2345E3', '1234,50'],
  ['0', '0,00'],
  ['-0', '0,00'],
  ['0.1', '0,10'],
  ['-0.05', '-0,05'],
  ['1.005', '1,005'],
  ['1E400', '1E400'],
])('the number %s is the amount %s', (text, amount) =>
  expect(amountOfNumber(text, ',')).toBe(amount),
);

describe('what a file can do', () => {
  const cases: readonly (readonly [string, TestWorkbook, string])[] = [
    [
      'nothing of a bank',
      {
        rows: [
          ['Datum', 'Timmar'],
          [first, 8],
        ],
      },
      'unknown_form',
    ],
    ['an empty sheet', { rows: [] }, 'unknown_form'],
    [
      'a part of an öre',
      { rows: [[...sebHeadings], [first, first, '1', 'x', { number: '1.005' }, 1]] },
      'amount_unreadable',
    ],
    [
      'a day that is none',
      { rows: [[...sebHeadings], [3, first, '1', 'x', 1, 1]] },
      'date_unreadable',
    ],
    [
      'an error of a formula',
      {
        rows: [[...sebHeadings], [first, first, '1', 'x', { xml: '<c t="e"><v>#REF!</v></c>' }, 1]],
      },
      'amount_unreadable',
    ],
    [
      'an entity',
      {
        rows: [],
        parts: {
          'xl/worksheets/sheet1.xml': '<!DOCTYPE x [<!ENTITY a "b">]><worksheet>&a;</worksheet>',
        },
      },
      'xml_doctype',
    ],
    [
      'depth',
      {
        rows: [],
        parts: { 'xl/worksheets/sheet1.xml': `${'<a>'.repeat(40)}${'</a>'.repeat(40)}` },
      },
      'xml_too_deep',
    ],
    [
      'half an element',
      { rows: [], parts: { 'xl/worksheets/sheet1.xml': '<worksheet><sheetData><row' } },
      'xml_malformed',
    ],
    [
      'no relations',
      { rows: [], parts: { 'xl/_rels/workbook.xml.rels': '<Relationships/>' } },
      'workbook_damaged',
    ],
    [
      'a sheet elsewhere',
      {
        rows: [],
        parts: {
          'xl/_rels/workbook.xml.rels':
            '<Relationships><Relationship Id="rId1" Target="../../etc/passwd"/></Relationships>',
        },
      },
      'workbook_damaged',
    ],
    [
      'a text without end',
      {
        rows: [],
        parts: {
          'xl/worksheets/sheet1.xml': `<worksheet><v>${'1'.repeat(3_000_000)}</v></worksheet>`,
        },
      },
      'text_too_long',
    ],
    [
      'attributes',
      {
        rows: [],
        parts: {
          'xl/worksheets/sheet1.xml': `<c ${Array.from({ length: 99 }, (_, n) => `a${n}="1"`).join(' ')}/>`,
        },
      },
      'xml_too_many_attributes',
    ],
    [
      'a bomb',
      {
        rows: [],
        parts: {
          'xl/worksheets/sheet1.xml': `<worksheet>${' '.repeat(20 * 1024 * 1024)}</worksheet>`,
        },
      },
      'workbook_too_large',
    ],
    [
      'a bomb of texts',
      {
        rows: [],
        parts: { 'xl/sharedStrings.xml': `<sst>${'<si><t>a</t></si>'.repeat(1_100_000)}</sst>` },
      },
      'workbook_too_large',
    ],
    [
      'a row without end',
      { rows: [[...sebHeadings], Array.from({ length: 6 }, () => 'x'.repeat(30_000))] },
      'row_too_long',
    ],
  ];
  it.each(cases)('%s is refused', async (_, given, reason) => {
    const { verdict, told, problems } = await readBook(given);
    expect([verdict, told]).toEqual(['refused', expect.arrayContaining([reason])]);
    for (const problem of problems) expect(bankProblemText(problem)).toMatch(/\S/);
  });

  it('archives, old workbooks and damaged ones are told apart', async () => {
    const { ZipFile } = await import('yazl');
    const { buffer } = await import('node:stream/consumers');
    const zip = new ZipFile();
    zip.addBuffer(Buffer.from('x'), 'utdrag.csv');
    zip.end();
    expect((await read(await buffer(zip.outputStream))).problems).toMatchObject([
      { reason: 'not_a_statement', params: { kind: 'zip' } },
    ]);
    const old = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0, 0]);
    expect((await read(old)).problems).toMatchObject([{ params: { kind: 'xls' } }]);
    const whole = await workbook(seb);
    expect((await read(whole.subarray(0, 700))).told).toEqual(['workbook_damaged']);
  });

  it('a letter that was changed on the way is told, whatever is changed', async () => {
    const stored = await workbook({ ...seb, isStored: true });
    const at = stored.indexOf('949.9');
    stored[at] = 0x38;
    expect((await read(stored)).told).toContain('workbook_damaged');
    const whole = await workbook(seb);
    const clean = (await read(whole)).rows;
    for (let place = 3; place < whole.length; place += 7) {
      const changed = Buffer.from(whole);
      changed[place] = (changed[place] ?? 0) ^ (1 << (place % 8));
      const { verdict, rows } = await read(changed);
      // Of what nobody reads, such as times and the names of other parts, nothing follows.
      if (verdict !== 'refused') expect(rows).toEqual(clean);
    }
  });
});
