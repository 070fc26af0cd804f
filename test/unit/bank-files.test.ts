/** Files of banks: what each form gives, what is refused, and that nothing is lost between a file and what is read. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkBankFile } from '../../src/bank/statement-files/check-file.ts';
import { bankProblemText } from '../../src/bank/statement-files/wordings.ts';
import { readCsvAmount } from '../../src/domain/ledger/bank-files/amounts.ts';
import { checkContinuity } from '../../src/domain/ledger/bank-files/continuity.ts';
import type { BankEntry } from '../../src/domain/ledger/bank-files/statement.ts';
import { TODAY } from '../support/company.ts';

type Bytes = Uint8Array | string;

async function read(file: Bytes, chunkSize = 65_536, today = TODAY) {
  const bytes = typeof file === 'string' ? new TextEncoder().encode(file) : file;
  async function* open() {
    for (let at = 0; at < bytes.length; at += chunkSize) yield bytes.subarray(at, at + chunkSize);
  }
  const entries: BankEntry[] = [];
  let earlyDetails = 0;
  const check = await checkBankFile(open, {
    today,
    watch: (event) => {
      if (event.kind === 'entry') entries.push(event.entry);
      if (event.kind === 'details') earlyDetails += event.details.length;
    },
  });
  const { judgement } = check;
  return {
    check,
    entries,
    earlyDetails,
    verdict: judgement.verdict,
    format: judgement.format,
    reasons: judgement.problems.map(({ reason }) => reason),
    problems: judgement.problems,
    statements: judgement.statements,
  };
}

const kronor = (ore: bigint): string => {
  const digits = String(ore < 0n ? -ore : ore).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
};
const side = (ore: bigint): string => (ore < 0n ? 'DBIT' : 'CRDT');
const bal = (kind: string, ore: bigint, currency = 'SEK'): string =>
  `<Bal><Tp><CdOrPrtry><Cd>${kind}</Cd></CdOrPrtry></Tp><Amt Ccy="${currency}">${kronor(ore)}</Amt><CdtDbtInd>${side(ore)}</CdtDbtInd><Dt><Dt>2026-11-01</Dt></Dt></Bal>`;
const ntry = (ore: bigint, inner = '', status = '<Sts><Cd>BOOK</Cd></Sts>'): string =>
  `<Ntry><Amt Ccy="SEK">${kronor(ore)}</Amt><CdtDbtInd>${side(ore)}</CdtDbtInd>${status}<BookgDt><Dt>2026-11-03</Dt></BookgDt>${inner}</Ntry>`;
const account = '<Acct><Id><IBAN>SE4550000000058398257466</IBAN></Id><Ccy>SEK</Ccy></Acct>';
const stmt = (inner: string, own = account): string => `<Stmt><Id>S</Id>${own}${inner}</Stmt>`;
const camt = (inner: string, message = '053', version = '08'): string => {
  const root = message === '053' ? 'BkToCstmrStmt' : 'BkToCstmrDbtCdtNtfctn';
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.${message}.001.${version}"><${root}><GrpHdr><MsgId>M</MsgId></GrpHdr>${inner}</${root}></Document>`;
};
const whole = (opening: bigint, entries: readonly bigint[]): string =>
  stmt(
    `${bal('OPBD', opening)}${bal(
      'CLBD',
      entries.reduce((a, b) => a + b, opening),
    )}${entries.map((ore) => ntry(ore)).join('')}`,
  );

/** A record of BgMax: texts from the columns on, counted from 1. */
const record = (parts: Readonly<Record<number, string>>): string =>
  Object.entries(parts)
    .reduce((text, [from, part]) => text.padEnd(Number(from) - 1) + part, '')
    .padEnd(80);
const ore = (amount: number): string => String(amount).padStart(18, '0');
const paidBy = (kind: string, said: string, amount: number): string =>
  record({ 1: `${kind}0003783511`, 13: said.padStart(25), 38: `${ore(amount)}22`, 58: '77' });
const deposit = (amount: number, count: number, day = '20261103'): string =>
  record({
    1: `15${'6000'.padStart(35, '0')}${day}00074${ore(amount)}SEK${String(count).padStart(8, '0')}`,
  });
const bgMaxEnd = (payments: number, deductions: number, more: number, deposits: number): string =>
  `70${[payments, deductions, more, deposits].map((n) => String(n).padStart(8, '0')).join('')}`;
const bgMaxStart = record({ 1: '01BGMAX', 23: '0120261103173035010331P' });
const bgMaxSection = record({ 1: '050009912346', 23: 'SEK' });
const bgMax = [
  bgMaxStart,
  bgMaxSection,
  paidBy('20', '10017', 40_000),
  record({ 1: '26Kaffehuset i Åre' }),
  record({ 1: '27Storgatan 1' }),
  paidBy('21', '10025', 5_000),
  paidBy('20', '1003 1004', 60_000),
  // Somebody's program made tabs of blanks: two of them lead to column 25.
  paidBy('22', '1005', 0).replace(' '.repeat(12), '\t\t'),
  paidBy('23', '2001', 100),
  record({ 1: '25Fakturorna 1003 och 1004' }),
  deposit(95_000, 3),
  bgMaxSection,
  paidBy('20', 'Tack', 100),
  deposit(100, 1, '20261104'),
  bgMaxEnd(3, 1, 2, 2),
  '',
  '',
];
const inLatin = (lines: readonly string[]): Buffer => Buffer.from(lines.join('\r\n'), 'latin1');

describe('BgMax', () => {
  it('tells the payments and references of deposits, the same however it is cut in pieces', async () => {
    const { entries, statements, reasons, verdict, format } = await read(inLatin(bgMax));
    expect({ verdict, format, reasons }).toEqual({
      verdict: 'doubt',
      format: 'bgmax',
      reasons: ['bgmax_alone'],
    });
    const of = { account: 'BG 991-2346', isNotice: true, opening: null, closing: null };
    expect(statements).toMatchObject([
      { ...of, entries: 1, credit: 95_000n, from: '2026-11-03' },
      { ...of, entries: 1, credit: 100n, from: '2026-11-04' },
    ]);
    const payer = { account: '3783511', accountKind: 'BGNR' };
    expect(entries.flatMap(({ details }) => details)).toMatchObject([
      { amount: 40_000n, references: ['10017'], debtor: { ...payer, name: 'Kaffehuset i Åre' } },
      { amount: -5_000n, references: ['10025'], debtor: { ...payer, name: null } },
      {
        amount: 60_000n,
        references: ['1003', '1004', '1005'],
        documents: [{ number: '2001', kind: 'CREN' }],
        texts: ['1003 1004', 'Fakturorna 1003 och 1004'],
      },
      { amount: 100n, references: [], texts: ['Tack'] },
    ]);
    for (const size of [1, 7, 81]) {
      expect((await read(inLatin(bgMax), size)).entries).toEqual(entries);
    }
  });

  it('has deposits of more payments than are held at once', async () => {
    const payments = Array.from({ length: 2_500 }, (_, n) => paidBy('20', `${n}`, 100));
    const whole = [bgMaxStart, bgMaxSection, ...payments, deposit(250_000, 2_500)];
    const { entries, earlyDetails, reasons } = await read(
      inLatin([...whole, bgMaxEnd(2_500, 0, 0, 1)]),
    );
    expect(reasons).toEqual(['bgmax_alone']);
    expect([earlyDetails, entries[0]?.details.length, entries[0]?.detailCount]).toEqual([
      2_000, 500, 2_500,
    ]);
  });

  it.each<[string, string, string, (lines: string[]) => string[]]>([
    ['its end is gone', 'bgmax_damaged', 'refused', (lines) => lines.slice(0, -3)],
    ['a deposit is gone', 'bgmax_damaged', 'refused', (lines) => lines.toSpliced(10, 1)],
    ['a payment is gone', 'details_differ', 'doubt', (lines) => lines.toSpliced(5, 1)],
    ['a number of references is gone', 'count_differs', 'doubt', (lines) => lines.toSpliced(8, 1)],
    [
      'there is something else',
      'bgmax_damaged',
      'refused',
      (lines) => lines.toSpliced(5, 0, '99x'),
    ],
    [
      'an amount is no number',
      'amount_unreadable',
      'refused',
      (lines) => lines.with(2, paidBy('20', '1', 40_000).replace('40000', '4O000')),
    ],
    [
      'a day is none',
      'date_unreadable',
      'refused',
      (lines) => lines.with(10, deposit(1, 3, '20261131')),
    ],
    ['it has no deposits', 'no_statements', 'refused', () => [bgMaxStart, bgMaxEnd(0, 0, 0, 0)]],
  ])('is not taken in as it is when %s', async (_, reason, verdict, change) => {
    const changed = await read(inLatin(change([...bgMax])));
    expect(changed.reasons).toContain(reason);
    expect(changed.verdict).toBe(verdict);
    expect(changed.problems.map(bankProblemText).join()).not.toMatch(/undefined|NaN/);
  });
});

describe('camt.053', () => {
  it.each(['02', '04', '08', '10'])('version %s adds up', async (version) => {
    const { verdict, format, statements, reasons } = await read(
      camt(whole(-5000n, [12_500n, -700n]), '053', version),
    );
    expect({ verdict, format, reasons }).toEqual({
      verdict: 'ok',
      format: `camt.053.001.${version}`,
      reasons: [],
    });
    expect(statements).toMatchObject([
      {
        account: 'SE4550000000058398257466',
        currency: 'SEK',
        opening: -5000n,
        closing: 6800n,
        entries: 2,
        credit: 12_500n,
        debit: 700n,
        from: '2026-11-03',
      },
    ]);
  });

  it('reads what is needed to find what a payment is for', async () => {
    const details = `<NtryRef>BG1</NtryRef><AcctSvcrRef>A1</AcctSvcrRef><BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>ATXN</SubFmlyCd></Fmly></Domn></BkTxCd><ValDt><DtTm>2026-11-04T00:00:00+01:00</DtTm></ValDt>
      <NtryDtls><Btch><NbOfTxs>2</NbOfTxs></Btch>
      <TxDtls><Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs><Amt Ccy="SEK">100.00</Amt><CdtDbtInd>CRDT</CdtDbtInd>
        <RltdPties><Dbtr><Pty><Nm>Kund &amp; Co</Nm></Pty></Dbtr><DbtrAcct><Id><Othr><Id>9912346</Id><SchmeNm><Prtry>BGNR</Prtry></SchmeNm></Othr></Id></DbtrAcct></RltdPties>
        <RmtInf><Strd><CdtrRefInf><Tp><CdOrPrtry><Cd>SCOR</Cd></CdOrPrtry></Tp><Ref>10017</Ref></CdtrRefInf></Strd></RmtInf></TxDtls>
      <TxDtls><Refs><EndToEndId>E2E</EndToEndId></Refs><AmtDtls><TxAmt><Amt Ccy="SEK">50.000</Amt></TxAmt></AmtDtls>
        <RltdPties><Dbtr><Nm>Annan</Nm></Dbtr></RltdPties>
        <RmtInf><Ustrd>Faktura <![CDATA[<7>]]></Ustrd><Strd><RfrdDocInf><Tp><CdOrPrtry><Cd>CREN</Cd></CdOrPrtry></Tp><Nb>K8</Nb></RfrdDocInf></Strd></RmtInf>
        <RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf></TxDtls></NtryDtls><AddtlNtryInf>BG-insättning</AddtlNtryInf>`;
    const { entries, reasons } = await read(
      camt(stmt(`${bal('PRCD', 0n)}${bal('CLBD', 15_000n)}${ntry(15_000n, details)}`)),
      7,
    );
    expect(reasons).toEqual([]);
    expect(entries).toMatchObject([
      {
        amount: 15_000n,
        reference: 'BG1',
        servicerReference: 'A1',
        code: 'PMNT/RCDT/ATXN',
        bookingDate: '2026-11-03',
        valueDate: '2026-11-04',
        text: 'BG-insättning',
        detailCount: 2,
        details: [
          {
            amount: 10_000n,
            endToEndId: null,
            references: ['10017'],
            debtor: { name: 'Kund & Co', account: '9912346', accountKind: 'BGNR' },
          },
          {
            amount: 5000n,
            endToEndId: 'E2E',
            texts: ['Faktura <7>'],
            documents: [{ number: 'K8', kind: 'CREN' }],
            debtor: { name: 'Annan' },
            returnReason: 'AC04',
          },
        ],
      },
    ]);
  });

  it('counts what is booked only, with or without a code element', async () => {
    const entries = [
      ntry(100n, '', '<Sts>BOOK</Sts>'),
      ntry(999n, '', '<Sts>PDNG</Sts>'),
      ntry(998n, '', '<Sts><Cd>INFO</Cd></Sts>'),
      ntry(-40n, '', ''),
    ].join('');
    const { verdict, statements } = await read(
      camt(stmt(`${bal('OPBD', 0n)}${bal('CLBD', 60n)}${entries}`)),
    );
    expect(verdict).toBe('ok');
    expect(statements).toMatchObject([{ entries: 2, credit: 100n, debit: 40n }]);
  });

  it('has the sign of a reversal from CdtDbtInd, unless the balances prove the other', async () => {
    const reversal = ntry(39_900n, '<RvslInd>true</RvslInd>');
    const right = await read(camt(stmt(`${bal('OPBD', 0n)}${bal('CLBD', 39_900n)}${reversal}`)));
    expect([right.verdict, right.statements[0]?.credit]).toEqual(['ok', 39_900n]);
    expect(right.statements[0]?.areReversalsTurned).toBe(false);
    const turned = await read(camt(stmt(`${bal('OPBD', 0n)}${bal('CLBD', -39_900n)}${reversal}`)));
    expect(turned.reasons).toEqual(['reversals_turned']);
    expect(turned.statements).toMatchObject([
      { credit: 0n, debit: 39_900n, areReversalsTurned: true },
    ]);
  });

  it('takes pages of one statement with balances in between', async () => {
    const pages = [
      stmt(`<ElctrncSeqNb>1</ElctrncSeqNb>${bal('OPBD', 0n)}${bal('ITBD', 100n)}${ntry(100n)}`),
      stmt(`<ElctrncSeqNb>2</ElctrncSeqNb>${bal('ITBD', 100n)}${bal('CLBD', 150n)}${ntry(50n)}`),
    ];
    expect(await read(camt(pages.join('')))).toMatchObject({ verdict: 'ok', reasons: [] });
  });

  it.each([
    ['sums_differ', 'refused', stmt(`${bal('OPBD', 0n)}${bal('CLBD', 99n)}${ntry(100n)}`)],
    ['balances_missing', 'doubt', stmt(`${bal('CLBD', 100n)}${ntry(100n)}`)],
    ['balances_missing', 'doubt', stmt(ntry(100n))],
    ['account_missing', 'doubt', stmt(`${bal('OPBD', 0n)}${bal('CLBD', 1n)}${ntry(1n)}`, '')],
    [
      'currency_not_supported',
      'doubt',
      stmt(`${bal('OPBD', 0n, 'EUR')}${bal('CLBD', 0n, 'EUR')}`, account.replace('>SEK<', '>EUR<')),
    ],
    ['currency_mixed', 'refused', stmt(`${bal('OPBD', 0n)}${bal('CLBD', 0n, 'EUR')}`)],
    [
      'amount_unreadable',
      'refused',
      whole(0n, [100n]).replace(/1\.00(?=<\/Amt><CdtDbtInd>CRDT<\/CdtDbtInd><Sts)/, '1.005'),
    ],
    ['amount_unreadable', 'refused', whole(0n, [100n]).replaceAll('>1.00<', '>1e2<')],
    ['sign_missing', 'refused', whole(0n, [-100n]).replaceAll('DBIT', 'D')],
    ['date_unreadable', 'refused', whole(0n, [1n]).replaceAll('2026-11-03', '2026-11-31')],
    ['date_ahead', 'refused', whole(0n, [1n]).replaceAll('2026-11-03', '2031-11-03')],
    [
      'end_ahead',
      'refused',
      whole(0n, [1n]).replace(
        '<Acct>',
        '<FrToDt><FrDtTm>2026-11-01T00:00:00</FrDtTm><ToDtTm>2031-11-30T00:00:00</ToDtTm></FrToDt><Acct>',
      ),
    ],
    ['status_unknown', 'doubt', whole(0n, [0n]).replaceAll('BOOK', 'XXXX')],
    [
      'details_differ',
      'doubt',
      stmt(
        `${bal('OPBD', 0n)}${bal('CLBD', 100n)}${ntry(100n, '<NtryDtls><TxDtls><Amt Ccy="SEK">0.99</Amt></TxDtls></NtryDtls>')}`,
      ),
    ],
    [
      'count_differs',
      'doubt',
      whole(0n, [1n]).replace(
        '<Bal>',
        '<TxsSummry><TtlNtries><NbOfNtries>2</NbOfNtries></TtlNtries></TxsSummry><Bal>',
      ),
    ],
    ['statements_overlap', 'doubt', whole(0n, [5n]) + whole(6n, [5n])],
    [
      'statement_gap',
      'doubt',
      whole(0n, [5n]) + whole(6n, [5n]).replaceAll('2026-11-03', '2026-11-04'),
    ],
    [
      'rows_contradict',
      'doubt',
      [[5n, 5n], [10n]]
        .map((rows) => whole(0n, rows))
        .join('')
        .replaceAll(
          '<Acct>',
          '<FrToDt><FrDtTm>2026-11-01T00:00:00</FrDtTm><ToDtTm>2026-11-30T00:00:00</ToDtTm></FrToDt><Acct>',
        ),
    ],
    ['statement_repeated', 'doubt', whole(0n, [5n]) + whole(0n, [5n])],
    [
      'statements_contradict',
      'doubt',
      [0n, 6n]
        .map((opening) => whole(opening, [5n]))
        .join('')
        .replaceAll(
          '<Acct>',
          '<FrToDt><FrDtTm>2026-11-01T00:00:00</FrDtTm><ToDtTm>2026-11-30T00:00:00</ToDtTm></FrToDt><Acct>',
        ),
    ],
  ])('tells of %s', async (reason, verdict, inner) => {
    const found = await read(camt(inner));
    expect(found.reasons).toContain(reason);
    expect(found.verdict).toBe(verdict);
    expect(found.problems.map(bankProblemText).join()).not.toMatch(/undefined|NaN/);
  });

  it('does not count details without amounts, nor those in another currency', async () => {
    const details = '<NtryDtls><TxDtls/><TxDtls><Amt Ccy="EUR">7</Amt></TxDtls></NtryDtls>';
    const { verdict, entries } = await read(
      camt(stmt(`${bal('OPBD', 0n)}${bal('CLBD', 100n)}${ntry(100n, details)}`)),
    );
    expect([verdict, entries[0]?.detailCount]).toEqual(['ok', 2]);
  });

  it('names the place of a fault', async () => {
    const second = ntry(100n).replace('>1.00<', '>x<');
    const { problems } = await read(
      camt(
        `${whole(0n, [1n])}\n${stmt(`${bal('OPBD', 1n)}${bal('CLBD', 2n)}${ntry(1n)}\n${second}`)}`,
      ),
    );
    expect(problems).toMatchObject([
      { reason: 'amount_unreadable', line: 4, path: 'Stmt[2]/Ntry[2]/Amt' },
    ]);
  });

  it('reads back what was written, in pieces of any size', async () => {
    const ore = fc.bigInt({ min: -99_999_999n, max: 99_999_999n });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(ore, fc.array(ore, { maxLength: 8 })), { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 1, max: 300 }),
        async (statements, chunkSize) => {
          const written = statements.map(([opening, entries]) => whole(opening, entries)).join('');
          const found = await read(camt(written), chunkSize);
          expect(found.entries.map(({ amount }) => amount)).toEqual(
            statements.flatMap(([, entries]) => entries),
          );
          expect(
            found.statements.map(({ opening, closing, credit, debit, entries }) => [
              opening,
              closing,
              entries,
              credit - debit,
            ]),
          ).toEqual(
            statements.map(([opening, entries]) => {
              const net = entries.reduce((a, b) => a + b, 0n);
              return [opening, opening + net, entries.length, net];
            }),
          );
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('camt.054', () => {
  it('has entries and no balances, and is nothing to doubt for that', async () => {
    const inner = `<Ntfctn><Id>N</Id>${account}${ntry(100n)}</Ntfctn>`;
    const { verdict, statements } = await read(camt(inner, '054', '04'));
    expect(verdict).toBe('ok');
    expect(statements).toMatchObject([
      { isNotice: true, opening: null, closing: null, entries: 1, credit: 100n },
    ]);
  });
});

describe('hostile and damaged files', () => {
  const good = camt(whole(0n, [100n]));
  it.each<[string, Bytes]>([
    ['file_empty', ''],
    ['file_empty', ' \n'],
    ['xml_doctype', good.replace('\n', '<!DOCTYPE x [<!ENTITY a "b">]>')],
    ['xml_malformed', good.slice(0, -200)],
    ['xml_malformed', good.replace('<Id>S</Id>', '<Id>&b;</Id>')],
    ['xml_malformed', good.replace('<Id>S</Id>', '<Id>S</Idd>')],
    ['xml_too_deep', camt(stmt('<a>'.repeat(40) + '</a>'.repeat(40)))],
    ['xml_too_deep', camt('<a>'.repeat(300_000))],
    ['not_camt', '<a>'.repeat(300_000)],
    ['not_camt', good.replaceAll('camt.053', 'camt.052')],
    ['not_camt', '<Invoice/>'.replace('/>', '><a><b><c><d/></c></b></a></Invoice>')],
    ['version_unknown', good.replace('.08"', '.13"')],
    ['no_statements', camt('')],
    [
      'xml_too_many_attributes',
      camt(stmt(`<x ${Array.from({ length: 99 }, (_, n) => `a${n}="1"`).join(' ')}/>`)),
    ],
    ['text_too_long', good.replace('<Id>S</Id>', `<Id>${'x'.repeat(3_000_000)}</Id>`)],
    ['text_too_long', good.replace('<Id>S</Id>', `<!--${'x'.repeat(3_000_000)}-->`)],
    ['encoding_unknown', good.replace('UTF-8', 'KOI8-R')],
    ['bytes_unreadable', Buffer.from(good.replace('>S<', '>Å<'), 'latin1')],
    ['lost_characters', good.replace('>S<', '>\ufffd<')],
    ['workbook_damaged', 'PK\u0003\u0004xx'],
    ['not_a_statement', Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1)],
    ['not_a_statement', '%PDF-1.7\n1 0 obj'],
    ['not_a_statement', '{1:F01NDEASESSAXXX0000000000}{4:\r\n:20:S\r\n-}'],
    ['not_a_statement', ':20:S\r\n:25:55000000\r\n'],
    ['bgmax_damaged', '01BGMAX               01'],
    ['unknown_form', 'Datum;Vad;Hur mycket\n2026-01-01;x;1\n'],
    ['unknown_form', '"'.repeat(200_000)],
    ['unknown_form', Uint8Array.from({ length: 3000 }, (_, n) => (n * 37) % 256)],
  ])('are told of as %s', async (reason, file) => {
    const { reasons, verdict, problems } = await read(file);
    expect(reasons).toContain(reason);
    expect(verdict).not.toBe('ok');
    expect(problems.map(bankProblemText).join()).not.toMatch(/undefined|NaN/);
  });

  it('in other encodings that they name are read', async () => {
    const named = good.replace('>S<', '>Å<');
    const latin = await read(Buffer.from(named.replace('UTF-8', 'ISO-8859-1'), 'latin1'));
    expect([latin.verdict, latin.statements[0]?.id]).toEqual(['ok', 'Å']);
    const wide = await read(Buffer.from(`\ufeff${named.replace('UTF-8', 'UTF-16')}`, 'utf16le'));
    expect([wide.verdict, wide.statements[0]?.id]).toEqual(['ok', 'Å']);
  });

  it('with prefixes and in an envelope are read', async () => {
    const prefixed = good
      .replaceAll(/<(\/?)([A-Z])/g, '<$1c:$2')
      .replace('xmlns=', 'xmlns:c=')
      .replace(/(<c:Document.*)/, '<Envelope>$1</Envelope>');
    expect(await read(prefixed)).toMatchObject({ verdict: 'ok', reasons: [] });
  });

  it('with a hundred thousand details hand them over a thousand at a time', async () => {
    const one = '<TxDtls><Amt Ccy="SEK">0.01</Amt></TxDtls>';
    const { verdict, entries, earlyDetails } = await read(
      camt(
        stmt(
          `${bal('OPBD', 0n)}${bal('CLBD', 100_000n)}${ntry(100_000n, `<NtryDtls>${one.repeat(100_000)}</NtryDtls>`)}`,
        ),
      ),
    );
    expect([verdict, entries[0]?.detailCount, entries[0]?.details.length]).toEqual([
      'ok',
      100_000,
      1000,
    ]);
    expect(earlyDetails).toBe(99_000);
  });

  it('tell of each kind of fault twenty times at most', async () => {
    const bad = whole(
      0n,
      Array.from({ length: 500 }, () => 1n),
    ).replaceAll('2026-11-03', 'x');
    const { check } = await read(camt(bad));
    expect(check.judgement.more).toContainEqual({ reason: 'date_unreadable', count: 480 });
  });
});

/** Rows of each form, newest first unless it is told otherwise: 100 to begin with, 250,50 in, 50 out. */
const forms: readonly (readonly [format: string, text: string, account: string | null])[] = [
  [
    'csv.swedbank-foretag',
    '* Transaktionsrapport Period 2026-11-01 – 2026-11-30\r\nRadnr,Clnr,Kontonr,Produkt,Valuta,Bokfdag,Transdag,Valutadag,Referens,Text,Belopp,Saldo\r\n1,8105,1234567,"Företagskonto",SEK,2026-11-04,2026-11-04,2026-11-04,"991-2346","Bg-bet. via internet",-50.00,300.50\r\n2,8105,1234567,"Företagskonto",SEK,2026-11-03,2026-11-03,2026-11-03,"10017","Bankgiro inbetalning",250.50,350.50\r\n',
    '8105 1234567',
  ],
  [
    'csv.swedbank',
    '* Transaktioner Period\nRadnummer\tClearingnummer\tKontonummer\tProdukt\tValuta\tBokföringsdag\tTransaktionsdag\tValutadag\tReferens\tBeskrivning\tBelopp\tBokfört saldo\n1\t8105\t7\tX\tSEK\t2026-11-04\t2026-11-04\t2026-11-04\tr\tb\t-50.00\t300.50\n2\t8105\t7\tX\tSEK\t2026-11-03\t2026-11-03\t2026-11-03\tr\tb\t250.50\t350.50',
    '8105 7',
  ],
  [
    'csv.swedbank-aldre',
    'Clearingnummer,Kontonummer,Datum,Text,Belopp,Saldo\n8105,7,2026-11-04,"a, b",-50.00,300.50\n8105,7,2026-11-03,c,250.50,350.50\n',
    '8105 7',
  ],
  [
    'csv.seb',
    '\ufeffBokföringsdatum;Valutadatum;Verifikationsnummer;Text;Belopp;Saldo\r\n2026-11-04;2026-11-04;5490;PRESSHORNAN /26-11-03;-50.000;300.500\r\n2026-11-03;2026-11-03;5490;46701740605;250.500;350.500\r\n',
    null,
  ],
  [
    'csv.seb',
    'Bokföringsdatum;Valutadatum;Verifikationsnummer;Text;Belopp;Saldo\n2026-11-04;2026-11-04;1;a;-50,00;300,50\n2026-11-03;2026-11-03;2;b;250,50;350,50\n',
    null,
  ],
  [
    'csv.seb-transaktioner',
    'Bokförd;Valutadatum;Text;Typ;Insättningar;Uttag;Bokfört saldo\n2026-11-04;2026-11-04;a;Kortköp;;-50.00;300.50\n2026-11-03;2026-11-03;b;Insättning;250.50;;350.50\n',
    null,
  ],
  [
    'csv.seb-transaktioner-2024',
    'Bokförd,Valutadatum,Text,Typ,Insättningar/uttag,Bokfört saldo\n2026-11-04,2026-11-04,a,Kortköp,-50.00,300.50\n2026-11-03,2026-11-03,b,Annan,250.50,350.50\n',
    null,
  ],
  [
    'csv.handelsbanken-foretag',
    'sep=;\nKontohavare;Kontonr;IBAN;BIC;Kontoform;Valuta;Kontoförande kontor;Datum intervall;Kontor;Bokföringsdag;Reskontradag;Valutadag;Referens;Insättning/Uttag;Bokfört saldo;Aktuellt saldo;Valutadagssaldo;Referens Swish;Avsändar-id Swish;\nF;123456789;SE45 5000 0000 0583 9825 7466;HANDSESS;X;SEK;1;i;1;;;;;;9999,00;;;;;\nF;123456789;SE45 5000 0000 0583 9825 7466;HANDSESS;X;SEK;1;i;1;2026-11-04;2026-11-04;2026-11-04;EON Kundsuppor;-50,00;300,50;;;;;\nF;123456789;SE45 5000 0000 0583 9825 7466;HANDSESS;X;SEK;1;i;1;2026-11-03;2026-11-03;2026-11-03;619-8840 00142;250,50;350,50;;;m;46701740605;\n',
    'SE4550000000058398257466',
  ],
  [
    'csv.handelsbanken',
    'Kontonummer;123 456 789\nKontohavare;Bolaget AB\nPeriod;2026\n\nReskontradatum;Transaktionsdatum;Text;Belopp;Saldo\n2026-11-05;2026-11-05;Prel Kortköp;\u22121,00;\n2026-11-04;2026-11-04;a;\u221250,00;300,50\n2026-11-03;2026-11-03;b;250,50;350,50\n',
    '123 456 789',
  ],
  [
    'csv.nordea',
    '\ufeffBokföringsdag;Belopp;Avsändare;Mottagare;Namn;Ytterligare detaljer;Meddelande;Egna anteckningar;Saldo;Valuta;\nReserverat;-3,00;;;;Reserverat kortköp;;;;SEK;\n2026/11/04;-50,00;7;991-2346;Lev AB;Bg;10017;;300,50;SEK;\n2026/11/03;250,50;;;K;Swish;;;350,50;SEK;\n',
    null,
  ],
  [
    'csv.nordea-2026',
    'Datum;Belopp;Avsändare;Mottagare;Namn;Ytterligare detaljer;Meddelande;Egna anteckningar;Saldo;Valuta;\n2026/11/04;-50,00;;;;a;;;300,50;SEK;\n2026/11/03;250,50;;;;b;;;350,50;SEK;\n',
    null,
  ],
  [
    'csv.nordea-rubrik',
    'Bokföringsdag;Belopp;Avsändare;Mottagare;Namn;Rubrik;Meddelande;Saldo;Valuta;Typ\n2026-11-04;-20,00;;;;a;;300,50;SEK;\n2026-11-04;-30,00;;;;a;;;SEK;\n2026-11-03;250,50;;;;b;;350,50;SEK;\n',
    null,
  ],
  [
    'csv.nordea-engelska',
    'Booking date;Amount;Sender;Recipient;Name;Title;Balance;Currency\n2026/11/04;-50,00;;;;a;300,50;SEK\n2026/11/03;250,50;;;;b;350,50;SEK\n',
    null,
  ],
  [
    'csv.nordea-aldst',
    'Datum,Transaktion,Kategori,Belopp,Saldo\n2026-11-04,a,k,"-50,00","300,50"\n2026-11-03,b,k,"250,50","350,50"\n',
    null,
  ],
  [
    'csv.danske',
    'Datum;Kategori;Underkategori;Text;Belopp;Saldo;Status;Avstämt\n2026-11-05;;;v;-9,00;;Väntar;Nej\n2026-11-04;;;a ))));-50,00;300,50;Utförd;Nej\n2026-11-03;;;b;250,50;350,50;Utförd;Nej\n',
    null,
  ],
  [
    'csv.ica',
    'Kontonamn: Företag\nKontonummer: 9271-123 456 7\nDatum;Text;Typ;Budgetgrupp;Belopp;Saldo\n2026-11-04;a;Kort;;-50,00 kr;300,50 kr\n2026-11-03;b;In;;250,50 kr;350,50 kr\n',
    '9271-123 456 7',
  ],
  [
    'csv.ica-kort',
    'Datum;Text;Belopp;Saldo\n2026-11-04;a;-50,00 kr;300,50 kr\n2026-11-03;b;250,50 kr;350,50 kr\n',
    null,
  ],
  [
    'csv.lunar',
    'Datum,Tid,Titel,Belopp,Balans,Transaktions-ID,Utländska belopp\n2026-11-04,10:00,a,"-50,00","300,50",u1,\n2026-11-03,09:00,b,"250,50","350,50",u2,\n',
    null,
  ],
  [
    'csv.lunar-engelska',
    'Date,Time,Title,Amount,Balance,Transaction ID\n2026-11-04,10:00,a,"-50,00","300,50",u1\n2026-11-03,09:00,b,"250,50","350,50",u2\n',
    null,
  ],
  [
    'csv.lunar-aldre',
    'Date,Text,Amount,Balance\n2026-11-04,a,"-50,00","300,50"\n2026-11-03,b,"250,50","350,50"\n',
    null,
  ],
  [
    'csv.northmill',
    'Kontonummer,9750123456\nSaldo,"300,50"\nKontohavare,X\nOrg. Nr,1\nPeriod,2026\n\nBokföringsdag,Beskrivning,Belopp,Saldo,Valuta\n2026-11-04,a,"\u221250,00","300,50",SEK\n2026-11-03,b,"250,50","350,50",SEK\n',
    '9750123456',
  ],
  [
    'csv.revolut-business',
    'Date started (UTC),Date completed (UTC),ID,Type,State,Description,Reference,Payer,Payment currency,Amount,Total amount,Fee,Fee currency,Balance,Account\n2026-11-05,,i0,T,PENDING,p,,,SEK,-7.00,-7.00,0.00,SEK,,Main\n2026-11-04,2026-11-04,i1,T,COMPLETED,a,,,SEK,-49.00,-50.00,1.00,SEK,300.50,Main\n2026-11-03,2026-11-03,i2,T,COMPLETED,b,,,SEK,250.50,250.50,0.00,SEK,350.50,Main\n',
    'Main',
  ],
  [
    'csv.revolut',
    'Type,Product,Started Date,Completed Date,Description,Amount,Fee,Currency,State,Balance\nT,Current,2026-11-03 09:00:00,2026-11-03 09:00:01,b,250.50,0.00,SEK,COMPLETED,350.50\nT,Current,2026-11-04 09:00:00,2026-11-04 09:00:01,a,-49.00,1.00,SEK,COMPLETED,300.50\n',
    null,
  ],
  [
    'csv.wise',
    'TransferWise ID,Date,Amount,Currency,Description,Payment Reference,Running Balance,Payer Name,Payee Name\nT1,04-11-2026,-50.00,SEK,a,,300.50,,P\nT2,03-11-2026,250.50,SEK,b,,350.50,K,\n',
    null,
  ],
  [
    'csv.skattekonto',
    '"Bolaget AB";"559123-3878";"";""\n\n"";"Ingående saldo 2026-11-01";"";"100"\n"2026-11-03";"Inbetalning bokförd 261103";"250,50";"350,50"\n"2026-11-04";"Moms juli 2026 - sept 2026";"-50";"300,50"\n"";"Utgående saldo 2026-11-30";"";"300,50"\n',
    '559123-3878',
  ],
];

describe('CSV', () => {
  it.each(forms)('%s is read, whatever the encoding', async (format, text, own) => {
    const plain = text.replaceAll('\u2212', '-').replaceAll('\ufeff', '');
    for (const file of [text, `\ufeff${plain}`, Buffer.from(plain, 'latin1')]) {
      const found = await read(file, 11);
      expect(found.statements).toMatchObject([
        {
          account: own,
          currency: 'SEK',
          opening: 10_000n,
          closing: 30_050n,
          credit: 25_050n,
          debit: 5000n,
          from: '2026-11-03',
          to: '2026-11-04',
        },
      ]);
      expect([found.format, found.verdict]).toEqual([format, own === null ? 'doubt' : 'ok']);
      const grave = found.reasons.filter(
        (reason) => !['account_missing', 'pending_rows', 'summary_row'].includes(reason),
      );
      expect(grave).toEqual([]);
    }
  });

  it('without balances is read and never ok', async () => {
    const text =
      '"Kontonummer";"Kontonamn";"";"Saldo";"Tillgängligt belopp"\n"9020-123 45 67";"F";"";"1 000,00";"1 000,00"\n\n"Bokföringsdatum";"Transaktionsdatum";"Transaktionstyp";"Meddelande";"Belopp"\n"2026-11-04";"2026-11-04";"BG-insättning";"52762176";"1\u00a0234,50"\n';
    const { verdict, reasons, format, statements } = await read(Buffer.from(text, 'latin1'));
    expect([verdict, reasons, format]).toEqual([
      'doubt',
      ['balances_missing'],
      'csv.lansforsakringar',
    ]);
    expect(statements).toMatchObject([
      { account: '9020-123 45 67', opening: null, closing: null, credit: 123_450n },
    ]);
  });

  it('of several accounts gives a statement each', async () => {
    const rows = [
      '8105,1,2026-11-04,a,1.00,2.00',
      '8105,2,2026-11-04,a,5.00,5.00',
      '8105,1,2026-11-03,b,1.00,1.00',
    ];
    const { statements, verdict } = await read(
      `Clearingnummer,Kontonummer,Datum,Text,Belopp,Saldo\n${rows.join('\n')}`,
    );
    expect(verdict).toBe('ok');
    expect(statements.map(({ account, closing, entries }) => [account, closing, entries])).toEqual([
      ['8105 1', 200n, 2],
      ['8105 2', 500n, 1],
    ]);
  });

  const swedbank = 'Clearingnummer,Kontonummer,Datum,Text,Belopp,Saldo\n';
  const seb = 'Bokföringsdatum;Valutadatum;Verifikationsnummer;Text;Belopp;Saldo\n';
  it.each([
    ['balance_broken', 3, `${swedbank}8,1,2026-11-04,a,1.00,10.00\n8,1,2026-11-03,b,1.00,8.00\n`],
    ['amount_unreadable', 2, `${swedbank}8,1,2026-11-04,a,"1,00",10.00\n`],
    ['amount_unreadable', 2, `${swedbank}8,1,2026-11-04,a,1.005,10.00\n`],
    ['amount_missing', 2, `${swedbank}8,1,2026-11-04,a,,10.00\n`],
    ['date_unreadable', 2, `${swedbank}8,1,04/11/2026,a,1.00,10.00\n`],
    ['cells_missing', 3, `${swedbank}8,1,2026-11-04,a,1.00,10.00\n8,1,2026\n`],
    ['row_too_long', 2, `${swedbank}8,1,2026-11-04,"${'x\n'.repeat(50_000)}`],
    ['decimal_marks_mixed', 3, `${seb}2026-11-04;;1;a;1.000;2.000\n2026-11-04;;1;a;1,00;1,00\n`],
  ])('is refused for %s', async (reason, line, text) => {
    const { problems, verdict } = await read(text);
    expect(problems).toContainEqual(expect.objectContaining({ reason, line }));
    expect(verdict).toBe('refused');
    expect(problems.map(bankProblemText).join()).not.toMatch(/undefined|NaN/);
  });

  it('reads back what was written, in either order', async () => {
    const ore = fc.bigInt({ min: -9_999_999n, max: 9_999_999n });
    await fc.assert(
      fc.asyncProperty(
        ore,
        fc.array(ore, { minLength: 3, maxLength: 12 }),
        fc.boolean(),
        async (opening, amounts, isNewestFirst) => {
          let balance = opening;
          const rows = amounts.map((amount, index) => {
            balance += amount;
            const text = (value: bigint) => `${value < 0n ? '-' : ''}${kronor(value)}`;
            const day = String(index + 1).padStart(2, '0');
            return `8,1,2026-11-${day},"x ""y""",${text(amount)},${text(balance)}`;
          });
          if (isNewestFirst) rows.reverse();
          const found = await read(`${swedbank}${rows.join('\r\n')}`);
          expect(found.reasons).toEqual([]);
          expect(found.statements).toMatchObject([{ opening, closing: balance }]);
          expect(found.entries[0]?.text).toBe('x "y"');
        },
      ),
      { numRuns: 60 },
    );
  });

  it.each([
    ['1 234,50', ',', 123_450n],
    ['1.234,50', ',', 123_450n],
    ['450,00-', ',', -45_000n],
    ['-30.000', '.', -3000n],
    ['-30.000', ',', -3_000_000n],
    ['1\u202f000 kr', ',', 100_000n],
    ['1.23,4', ',', null],
    ['-5-', ',', null],
    ['12,34,56', ',', null],
    ['', '.', null],
  ] as const)('reads %s with %s', (text, mark, expected) => {
    expect(readCsvAmount(text, mark)).toBe(expected);
  });
});

describe('several files', () => {
  it('of one account are held against each other, and each keeps its verdict', async () => {
    const first = await read(camt(whole(0n, [5n])));
    const later = await read(camt(whole(6n, [5n]).replaceAll('2026-11-03', '2026-11-04')));
    checkContinuity([later.check, first.check]);
    expect(first.check.judgement.problems).toEqual([]);
    expect(later.check.judgement).toMatchObject({
      verdict: 'ok',
      problems: [{ reason: 'files_gap', params: { found: 6n, expected: 5n, from: '2026-11-04' } }],
    });
  });
});
