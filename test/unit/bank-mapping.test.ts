/** Lists of a form that nobody knows: how their columns are guessed, and read as somebody says. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkBankFile } from '#src/bank/statement-files/check-file.ts';
import {
  type BankFileMapping,
  type FileSample,
  guessMapping,
  mappingFault,
  presetOfMapping,
} from '#src/domain/ledger/bank-files/mapping.ts';
import type { BankEntry } from '#src/domain/ledger/bank-files/statement.ts';
import { TODAY } from '../support/company.ts';
import { workbook } from '../support/workbook.ts';

async function read(text: string, mapping?: BankFileMapping) {
  const entries: BankEntry[] = [];
  const open = async function* () {
    yield new TextEncoder().encode(text);
  };
  const own = mapping ? [presetOfMapping(mapping)] : [];
  const check = await checkBankFile(open, {
    today: TODAY,
    watch: (event) => {
      if (event.kind === 'entry') entries.push(event.entry);
    },
    own,
  });
  return { check, entries, sample: check.sample };
}
const guessed = async (text: string): Promise<BankFileMapping> => {
  const { sample } = await read(text);
  expect(sample).not.toBeNull();
  return guessMapping(sample as FileSample);
};
const shown = (entries: readonly BankEntry[]) =>
  entries.map(({ bookingDate, amount, text, balanceAfter }) => [
    bookingDate,
    amount,
    text,
    balanceAfter,
  ]);

describe('columns', () => {
  test('in and out are money that came and money that went, however briefly they are headed', () => {
    for (const [out, into] of [
      ['Ut', 'In'],
      ['Pengar ut', 'Pengar in'],
      ['Ut (kr)', 'In (kr)'],
    ] as const) {
      const rows = [
        ['2026-10-01', 'Insatt', '', '50 000,00', '50 000,00'],
        ['2026-10-03', 'Kort', '-249,50', '', '49 750,50'],
      ];
      const { roles } = guessMapping({ headings: ['Dag', 'Vad', out, into, 'Kvar'], rows });
      expect(roles, out).toEqual(['date', 'text', 'withdrawal', 'deposit', 'balance']);
    }
  });

  test('what is left on the account is its balance, whatever it is called', async () => {
    for (const heading of ['Kvar på kontot', 'Kontosaldo', 'Efteråt']) {
      const { roles } = await guessed(
        `Bokförd den;Händelse;Uttag kr;Insättning kr;${heading}
2026-11-25;Hyra;12 500,00;;1 581 928,09
2026-11-25;Swish;;450,00;1 594 428,09
`,
      );
      expect(roles).toEqual(['date', 'text', 'withdrawal', 'deposit', 'balance']);
    }
  });

  test.each([
    [
      'with a mark of their own for thousands, newest first',
      `Konto;12345
Datum bokf.;Valuteras;Specifikation;Rörelse;Kontosaldo
2026-03-09;2026-03-09;Hyra;-1 500,00;8 500,00
2026-03-02;2026-03-02;Bageriet;10 000,00;10 000,00
`,
      [
        ['2026-03-09', -150_000n, 'Hyra', 850_000n],
        ['2026-03-02', 1_000_000n, 'Bageriet', 1_000_000n],
      ],
    ],
    [
      'with money in and out apart, and days the other way round',
      `"Posted","Narrative","Deposit","Withdrawal","Ref"
"02.03.2026","Cafe","","12.50","A1"
"09.03.2026","Sale","100.00","","A2"
`,
      [
        ['2026-03-02', -1_250n, 'Cafe', null],
        ['2026-03-09', 10_000n, 'Sale', null],
      ],
    ],
    [
      'where money out has no minus, as the balances tell',
      `dag\tvad\tsumma\tsaldo kr
20260302\tHyra\t100,00\t900,00
20260303\tSåld\t-50,00\t950,00
20260304\tKaffe\t25,00\t925,00
`,
      [
        ['2026-03-02', -10_000n, 'Hyra', 90_000n],
        ['2026-03-03', 5_000n, 'Såld', 95_000n],
        ['2026-03-04', -2_500n, 'Kaffe', 92_500n],
      ],
    ],
  ])('%s are guessed, and read so', async (_, text, expected) => {
    const { check, entries } = await read(text, await guessed(text));
    const reasons = new Set(check.judgement.problems.map(({ reason }) => reason));
    expect(
      [...reasons].filter((one) => one !== 'account_missing' && one !== 'balances_missing'),
    ).toEqual([]);
    expect(check.judgement.format).toBe('csv.egen');
    expect(shown(entries)).toEqual(expected);
  });

  test.each([
    ['', 'one;two'],
    ['a letter', 'Hej!\nHär kommer listan.\n'],
    ['without headings', '2026-03-02;Hyra;100,00\n2026-03-03;Hyra;100,00\n'],
    ['headings alone', 'Datum;Text;Belopp\n'],
  ])('%s are no columns', async (_, text) => {
    expect((await read(text)).sample).toBeNull();
  });

  test('are read by what was said of just those headings, and of no others', async () => {
    const text = 'Dag;Vad;Kronor\n2026-03-02;Hyra;-5,00\n';
    const mapping = await guessed(text);
    expect((await read(text, mapping)).entries).toHaveLength(1);
    expect((await read(`DAG;vad;Kronor\n2026-03-02;Hyra;-5,00\n`, mapping)).entries).toHaveLength(
      1,
    );
    expect((await read(`Dag;Vad;Kronor;Mer\n2026-03-02;Hyra;-5,00;x\n`, mapping)).entries).toEqual(
      [],
    );
  });

  test('said of a form that is known go before it', async () => {
    const text = 'Datum;Text;Belopp;Saldo\n2026-03-02;Hyra;-5,00;95,00\n';
    expect((await read(text)).check.judgement.format).toBe('csv.ica-kort');
    const rows = [['2026-03-02', 'Hyra', '-5,00', '95,00']];
    const sample = { headings: ['Datum', 'Text', 'Belopp', 'Saldo'], rows };
    const mapping = { ...guessMapping(sample), isReversed: true };
    expect((await read(text, mapping)).entries[0]?.amount).toBe(500n);
  });
});

test.each([
  ['dagar med klockslag', [46082.5, 'Hyra', { number: '-99.9' }], 'ymd'],
  ['dagar som Excel skriver dem', ['1/3/2026', 'Hyra', '-99,90'], 'dmy'],
] as const)(
  '%s in a workbook are days that its columns can be told by',
  async (_, cells, dayOrder) => {
    const bytes = await workbook({ rows: [['Dag', 'Vad', 'Rörelse'], cells] });
    const open = async function* () {
      yield bytes;
    };
    const { sample } = await checkBankFile(open, { today: TODAY });
    const mapping = guessMapping(sample as FileSample);
    expect(mapping).toMatchObject({ roles: ['date', 'text', 'amount'], dayOrder });
    const { judgement } = await checkBankFile(open, {
      today: TODAY,
      own: [presetOfMapping(mapping)],
    });
    expect(judgement.statements).toMatchObject([{ from: '2026-03-01', debit: 9_990n }]);
  },
);

test('a workbook is read by it as a list is, its numbers as days and amounts', async () => {
  const bytes = await workbook({
    rows: [
      ['Konto 1234'],
      ['Dag', 'Vad', 'Rörelse', 'Efteråt'],
      [46082, 'Såld', { number: '949.9' }, { number: '949.9' }],
      [46083, 'Hyra', { number: '-99.900000000000006' }, 850],
    ],
  });
  const open = async function* () {
    yield bytes;
  };
  const { sample } = await checkBankFile(open, { today: TODAY });
  expect(sample?.rows[1]).toEqual(['2026-03-02', 'Hyra', '-99,90', '850,00']);
  const mapping = guessMapping(sample as FileSample);
  const entries: BankEntry[] = [];
  const { judgement } = await checkBankFile(open, {
    today: TODAY,
    watch: (event) => {
      if (event.kind === 'entry') entries.push(event.entry);
    },
    own: [presetOfMapping(mapping)],
  });
  expect(judgement.format).toBe('xlsx.egen');
  expect(shown(entries)).toEqual([
    ['2026-03-01', 94_990n, 'Såld', 94_990n],
    ['2026-03-02', -9_990n, 'Hyra', 85_000n],
  ]);
});

const of = (roles: BankFileMapping['roles'], headings = ['A', 'B', 'C', 'D']): BankFileMapping => ({
  headings,
  roles,
  decimal: ',',
  dayOrder: 'ymd',
  isReversed: false,
});

test.each([
  [of(['date', 'text', 'amount', null]), null],
  [of(['date', 'text', 'deposit', 'withdrawal']), null],
  [of(['text', 'text', 'amount', null]), 'needs_date'],
  [of(['date', null, 'amount', null]), 'needs_text'],
  [of(['date', 'text', 'deposit', null]), 'needs_amount'],
  [of(['date', 'text', 'amount', 'deposit']), 'amount_twice'],
  [of(['date', 'text', 'amount', 'amount']), 'role_twice'],
  [of(['date', 'text', 'amount', null], ['A', 'B', 'C', 'c']), 'heading_twice'],
  [of(['date', 'text', 'amount', null], ['A', '', 'C', 'D']), 'heading_twice'],
] as const)('of %j the fault is %s', (mapping, fault) => {
  expect(mappingFault(mapping)).toBe(fault);
});

test('whatever stands in a list, guessing gives every heading one role at most, and never fails', () => {
  const cell = fc.oneof(
    fc.string({ maxLength: 8 }),
    fc.constantFrom('2026-03-02', '02/03/2026', '1,00', '-1.5', 'Belopp', 'Saldo', 'Datum'),
  );
  const row = fc.array(cell, { maxLength: 6 });
  fc.assert(
    fc.property(row, fc.array(row, { maxLength: 5 }), (headings, rows) => {
      const { roles } = guessMapping({ headings, rows });
      expect(roles).toHaveLength(headings.length);
      const said = roles.filter((role) => role !== null);
      expect(new Set(said).size).toBe(said.length);
    }),
  );
});
