/** SIE files taken into the books: what becomes of them, what is refused, and that it is all or nothing. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { encodePc8 } from '#src/domain/ledger/sie/code-page.ts';
import { setFirstBalances } from '#src/ledger/fiscal-years/opening-balances.ts';
import { closeYear } from '#src/ledger/fiscal-years/service.ts';
import { setLock } from '#src/ledger/locks/service.ts';
import { beginAnew } from '#src/ledger/sie/anew.ts';
import { askForImport, takeBegunImport } from '#src/ledger/sie/begun-imports.ts';
import { findBegunImport, purgeSieFiles } from '#src/ledger/sie/begun-store.ts';
import { insertSieFile } from '#src/ledger/sie/import-store.ts';
import { type ImportOptions, importSie } from '#src/ledger/sie/importing.ts';
import { planImport } from '#src/ledger/sie/planning.ts';
import { undoImport } from '#src/ledger/sie/undoing.ts';
import { problemText } from '#src/ledger/sie/wordings.ts';
import { verifyBooks } from '#src/ledger/verification/service.ts';
import type { Refusal } from '#src/lib/errors.ts';
import { sourceOf } from '#src/lib/source-file.ts';
import { type Books, createBooks, testCompany } from '../support/installation.ts';
import { makeDrafts } from '../support/invoices.ts';
import { until } from '../support/processes.ts';
import { exportBooks, faultsInSums } from '../support/sie.ts';
import { tries } from '../support/tries.ts';
import { type FileParts, sieText, voucher, yearParts } from '../unit/sie-file.ts';
import { ledgerVoucher, post } from './books.ts';

const ACTOR = 'test';
let books: Books;
beforeEach(async () => {
  books = await createBooks();
});
afterEach(() => books.close());

const own = [...yearParts.head, '#ORGNR 556702-6934'];
const parts: Required<FileParts> = { ...yearParts, head: own, years: ['#RAR 0 20260101 20261231'] };
const textWith = (changed: FileParts = {}): string => sieText({ ...parts, ...changed });
const sourceFrom = (text: string | Uint8Array, name = 'bok.se') =>
  sourceOf(async function* () {
    yield typeof text === 'string' ? encodePc8(text) : text;
  }, name);
const options: ImportOptions = {
  differenceAccount: null,
  timeZone: 'Europe/Stockholm',
  isAccepted: true,
};
const take = async (
  text: string | Uint8Array,
  more: Partial<ImportOptions> = {},
  name = 'bok.se',
) => {
  const source = await sourceFrom(text, name);
  return withTx(books.owner, (tx) => importSie(tx, source, { ...options, ...more }, ACTOR));
};
const rulesOf = ({ plan }: Awaited<ReturnType<typeof take>>) =>
  plan.problems.map(({ rule, line }) => `${rule} ${line}`);
const listed = () =>
  db(books.owner).query<{ label: string; source: string; from: string | null; date: string }>(
    sql`select v.series || v.number as label, v.source, v.verification_date as date,
          i.series || ' ' || i.number || ' ' || coalesce(i.line::text, '') as from
        from ledger.vouchers v left join ledger.imported_vouchers i on i.voucher_id = v.id
        order by v.verification_date, v.series, v.number`,
  );
const count = async () => (await listed()).length;
const soundness = async () => (await verifyBooks(db(books.owner), () => undefined)).problems;

test('a first year comes in whole: opening balances, accounts, objects, and its own numbers', async () => {
  const vouchers = [
    ...voucher('A 1 20260115 "Såld vara"', '1930 {} 100.00', '3001 {} -100.00'),
    ...voucher(
      'LÖN 7 20260125 "Löner" 20260126 "AB"',
      '7015 {1 "K1" 6 "P 9"} 30000.00 "" "Åsa"',
      '1930 {} -30000.00',
      '3001 {} 0.00',
    ),
    ...voucher('A 2 20260131 "Mer"', '1930 {} 50.00', '3001 {} -50.00'),
    ...voucher('B 1 20260131 "Struket"'),
  ];
  const chart = [...parts.chart, '#KONTO 7015 "Löner säljare"', '#KTYP 7015 K', '#SRU 7015 7514'];
  const { id, plan } = await take(
    textWith({ vouchers, chart: [...chart, '#OBJEKT 1 K1 "Butik"'] }),
  );
  expect(plan.problems.filter(({ rule }) => rule === 'balances_apart')).toEqual([]);
  expect(id).not.toBeNull();
  expect(await listed()).toEqual([
    { label: 'S1', source: 'opening', date: '2026-01-01', from: '  ' },
    { label: 'A1', source: 'import', date: '2026-01-15', from: expect.stringMatching(/^A 1 \d+$/) },
    {
      label: 'S2',
      source: 'import',
      date: '2026-01-25',
      from: expect.stringMatching(/^LÖN 7 \d+$/),
    },
    { label: 'A2', source: 'import', date: '2026-01-31', from: expect.stringMatching(/^A 2 \d+$/) },
  ]);
  const [row] = await db(books.owner).query(
    sql`select r.debit_ore, r.note, c.code || c.name as cost_center, p.code || p.name as project,
          a.name, a.type, a.sru, i.registered_on, i.signature
        from ledger.voucher_rows r join ledger.accounts a on a.number = r.account
        join ledger.dimensions c on c.id = r.cost_center_id
        join ledger.dimensions p on p.id = r.project_id
        join ledger.imported_vouchers i using (voucher_id) where r.account = 7015`,
  );
  expect(row).toEqual({
    debit_ore: 3_000_000n,
    note: 'Åsa',
    cost_center: 'K1Butik',
    project: 'P 9P 9',
    name: 'Löner säljare',
    type: 'cost',
    sru: '7514',
    registered_on: '2026-01-26',
    signature: 'AB',
  });
  expect(await soundness()).toEqual([]);
  // When and by whom it was registered leaves with it again.
  const { lines } = await exportBooks(books.owner);
  expect(lines).toContainEqual(expect.stringMatching(/^#VER S 2 20260125 .* 20260126 "?AB"?$/));
});

test('balances of cost centres and projects come in where the books begin, and are told of where they do not', async () => {
  const ofObjects = ['#OIB 0 1930 {1 "K1"} 20000.00', '#OIB 0 1930 {6 "P9"} 45000.00'];
  const balances = [...parts.balances, ...ofObjects, '#OIB 0 1930 {2 "X"} 5.00'];
  const first = await take(textWith({ balances }));
  expect(rulesOf(first)).toContainEqual(expect.stringMatching(/^posts_left_out \d+$/));
  const { lines } = await exportBooks(books.owner);
  expect(lines.filter((line) => /^#(OIB|IB) 0 1930/.test(line))).toEqual([
    '#IB 0 1930 50000.00',
    ...ofObjects,
  ]);
  expect(faultsInSums(lines)).toEqual([]);
  expect(await soundness()).toEqual([]);
  const years = ['#RAR 0 20270101 20271231'];
  const vouchers = voucher('A 1 20270115 "x"', '1930 {} 1.00', '3001 {} -1.00');
  const later = await take(textWith({ years, vouchers, balances: ofObjects }));
  const told = later.plan.problems.find(({ rule }) => rule === 'posts_left_out');
  expect([later.id === null, told?.params]).toEqual([false, { label: 'OIB', count: 2 }]);
});

test('looking at a file first tells the same, and changes nothing', async () => {
  const source = await sourceFrom(textWith());
  const plan = await withTx(books.owner, (tx) => planImport(tx, source, options));
  expect(plan).toMatchObject({ verdict: 'ok', vouchers: 1, opening: { way: 'posted' } });
  expect(await count()).toBe(0);
  expect((await take(textWith())).plan.problems).toEqual(plan.problems);
});

test('a file in doubt waits for somebody who has looked; one that is wrong never comes in', async () => {
  const doubtful = textWith({ balances: [...parts.balances, '#UB 0 1930 1.00'] });
  expect((await take(doubtful, { isAccepted: false })).id).toBeNull();
  const wrong = textWith({ vouchers: voucher('A 1 20260115', '1930 {} 100.00', '3001 {} -99.00') });
  const refused = await take(wrong);
  expect([refused.id, rulesOf(refused)]).toEqual([
    null,
    expect.arrayContaining([expect.stringMatching(/^unbalanced_voucher \d+$/)]),
  ]);
  expect(await count()).toBe(0);
  expect((await take(doubtful)).id).not.toBeNull();
});

describe('numbers', () => {
  const one = (ver: string) => voucher(ver, '1930 {} 100.00', '3001 {} -100.00');
  const moved = async (vouchers: readonly string[]) => {
    const { plan } = await take(textWith({ vouchers, balances: [] }), {}, 'a.si');
    return plan.series.map(({ code, to, isKept }) => `${code}>${to}${isKept ? '' : '*'}`);
  };

  test('are kept by series from 1 without gaps, of at most two signs, that nobody has used', async () => {
    await post(books.owner, [ledgerVoucher({ series: 'C' })]);
    const vouchers = [
      ['A 1', 'A 2', 'B 1', 'B 3', 'C 1', 'ABC 1', '"" 1', '# 1', 'D 2', 'D 1'].map((label) =>
        one(`${label} 20260301 "x"`),
      ),
    ].flat(2);
    expect(await moved(vouchers)).toEqual(['A>A', 'B>S*', 'C>S*', 'ABC>S*', '>S*', '#>#', 'D>S*']);
    expect(await soundness()).toEqual([]);
  });

  test('of S itself are kept only when nothing else goes there', async () => {
    expect(await moved([...one('S 1 20260301'), ...one('X 7 20260301')])).toEqual(['S>S*', 'X>S*']);
  });

  test('from 2 are kept when the opening balances take the first, as they had it', async () => {
    const { plan } = await take(textWith({ vouchers: one('A 2 20260115 "x"') }));
    expect(plan.opening).toMatchObject({ way: 'posted', series: 'A' });
    expect((await listed()).map(({ label, source }) => `${label} ${source}`)).toEqual([
      'A1 opening',
      'A2 import',
    ]);
  });
});

describe('opening balances', () => {
  test('that lack last year’s result are put where somebody says, or refused', async () => {
    const balances = ['#IB 0 1930 500.00', '#IB 0 2081 -400.00', '#UB 0 1930 500.00'];
    const text = textWith({ balances, vouchers: [] });
    expect(rulesOf(await take(text))).toContain('opening_needs_account null');
    expect((await take(text, { differenceAccount: 2099 })).id).not.toBeNull();
    const [found] = await db(books.owner).query(
      sql`select credit_ore from ledger.voucher_rows where account = 2099`,
    );
    expect(found).toEqual({ credit_ore: 10_000n });
  });

  test('of a later year are held against the books, and told of where they differ', async () => {
    await take(textWith());
    const next = {
      years: ['#RAR 0 20270101 20271231', '#RAR -1 20260101 20261231'],
      balances: ['#IB 0 1930 50100.00', '#IB 0 2081 -50100.00'],
      vouchers: voucher('A 1 20270115 "x"', '1930 {} 1.00', '3001 {} -1.00'),
    };
    const outcome = await take(textWith(next));
    expect(rulesOf(outcome)).toContainEqual(
      expect.stringMatching(/^opening_differs_from_books \d+$/),
    );
    expect(outcome.plan.newYears).toEqual([{ year: 2027, start: '2027-01-01', end: '2027-12-31' }]);
    expect((await listed()).filter(({ source }) => source === 'opening')).toHaveLength(1);
  });

  test('that move equity between the years tell the voucher that does the same, which makes them agree', async () => {
    const balances = ['#IB 0 1930 50000.00', '#IB 0 2010 -60000.00', '#IB 0 2013 10000.00'];
    const chart = [...parts.chart, '#KONTO 2010 "Eget kapital"', '#KONTO 2013 "Uttag"'];
    await take(textWith({ balances, chart }));
    const next = (capital: string) =>
      textWith({
        chart,
        years: ['#RAR 0 20270101 20271231', '#RAR -1 20260101 20261231'],
        balances: ['#IB 0 1930 50100.00', `#IB 0 2010 ${capital}`],
        vouchers: voucher('A 1 20270115 "x"', '1930 {} 1.00', '3001 {} -1.00'),
      });
    const look = (text: string) => take(text, { isAccepted: false });
    const sentence = ({ plan }: Awaited<ReturnType<typeof take>>) =>
      plan.problems.filter(({ rule }) => rule === 'equity_moved').map(problemText);
    expect(sentence(await look(next('-50100.00')))).toEqual([]);
    expect(sentence(await look(next('-50000.00')))).toEqual([
      expect.stringMatching(
        /den 2027-01-01, .*2010 debet 10\s000,00\skr, 2013 kredit 10\s000,00\skr/,
      ),
    ]);
  });

  test('are all that a file without vouchers brings', async () => {
    const head = parts.head.map((line) => line.replace('#SIETYP 4', '#SIETYP 1'));
    const { plan } = await take(textWith({ head, vouchers: [] }));
    expect(plan).toMatchObject({ vouchers: 0, opening: { way: 'posted' } });
    expect(await count()).toBe(1);
    expect(rulesOf(await take(textWith({ head, vouchers: [], chart: [] })))).toContain(
      'nothing_to_import null',
    );
  });
});

test('the oldest file comes first, also into books that were set up with the year that goes on', async () => {
  const yearOf = (year: number, balances: readonly string[], sold: readonly string[]) =>
    textWith({
      years: [`#RAR 0 ${year}0101 ${year}1231`],
      balances,
      vouchers: voucher(`A 1 ${year}0301 "Såld vara"`, ...sold),
    });
  const sold = ['1930 {} 100.00', '3001 {} -100.00'];
  const oldest = await take(yearOf(2024, ['#UB 0 1930 100.00', '#RES 0 3001 -100.00'], sold));
  expect(oldest.plan.verdict).toBe('ok');
  const years = await db(books.owner).query<{ year: number }>(
    sql`select year from ledger.fiscal_years order by year`,
  );
  expect(years.map(({ year }) => year)).toEqual([2024, 2025, 2026]);
  const next = await take(
    yearOf(
      2025,
      [
        '#IB 0 1930 100.00',
        '#IB 0 2099 -100.00',
        '#UB 0 1930 200.00',
        '#UB 0 2099 -100.00',
        '#RES 0 3001 -100.00',
      ],
      sold,
    ),
  );
  expect(next.id).not.toBeNull();
  expect((await listed()).map(({ date }) => date)).toEqual(['2024-03-01', '2025-03-01']);
  expect(await soundness()).toEqual([]);
  // A year that was read wrongly adds no others.
  expect(
    rulesOf(await take(textWith({ years: ['#RAR 0 19990101 19991231'], vouchers: [] }))),
  ).toContain('year_apart_from_books null');
});

describe('what stands in the way is told with its line', () => {
  test.each([
    ['the same file', textWith(), 'imported_before'],
    [
      'the same vouchers in another file',
      textWith({
        vouchers: [...parts.vouchers, ...voucher('A 2 20260301', '1930 {} 1.00', '3001 {} -1.00')],
      }),
      'voucher_imported_before',
    ],
    [
      'a year that overlaps',
      textWith({ years: ['#RAR 0 20260701 20270630'], vouchers: [] }),
      'year_overlaps_books',
    ],
    [
      'a year far away',
      textWith({ years: ['#RAR 0 20300101 20301231'], vouchers: [] }),
      'year_apart_from_books',
    ],
    [
      'a year before what the books began with',
      textWith({ years: ['#RAR 0 20250101 20251231'], vouchers: [] }),
      'year_before_opened',
    ],
  ])('%s', async (_, text, rule) => {
    await take(textWith());
    const before = await count();
    const outcome = await take(text);
    expect([outcome.id, rulesOf(outcome).join()]).toEqual([null, expect.stringContaining(rule)]);
    expect(await count()).toBe(before);
  });

  test('a year before a closed one', async () => {
    await withTx(books.owner, (tx) => closeYear(tx, { year: 2026, today: '2027-01-01' }, ACTOR));
    const text = textWith({ years: ['#RAR 0 20250101 20251231'], vouchers: [] });
    expect(rulesOf(await take(text)).join()).toContain('year_before_closed');
  });

  test('locks', async () => {
    await withTx(books.owner, (tx) => setLock(tx, 'vat', '2026-01-31', ACTOR));
    expect(rulesOf(await take(textWith()))).toContainEqual(
      expect.stringMatching(/^vat_days_locked \d+$/),
    );
    await withTx(books.owner, (tx) => setLock(tx, 'period', '2026-01-31', ACTOR));
    expect(rulesOf(await take(textWith())).join()).toContain('days_locked');
    expect(await count()).toBe(0);
  });

  test('another company', async () => {
    const { plan } = await take(textWith({ head: [...parts.head, '#ORGNR 556036-0793'] }));
    expect(plan.problems.map(({ rule }) => rule)).toContain('other_company');
  });
});

test('an import is undone by a voucher each, linked both ways, and may then come in again', async () => {
  const more = voucher('A 2 20260301 "Mer"', '1930 {} 7.00', '3001 {} -7.00');
  const text = textWith({ vouchers: [...parts.vouchers, ...more] });
  const { id } = await take(text);
  const done = await withTx(books.owner, (tx) => undoImport(tx, id ?? '', ACTOR));
  expect(done).toEqual({ vouchers: 3 });
  const [sums] = await db(books.owner).query(
    sql`select (select count(*) from ledger.corrections) as links,
          (select count(*) from audit.events where action = 'voucher.corrected') as deeds,
          (select count(*) from (select account from ledger.month_balances group by account
            having sum(debit_ore) <> sum(credit_ore)) as b) as balances`,
  );
  expect(sums).toEqual({ links: 3n, deeds: 3n, balances: 0n });
  expect(await soundness()).toEqual([]);
  await expect(withTx(books.owner, (tx) => undoImport(tx, id ?? '', ACTOR))).rejects.toThrow(
    'import_undone',
  );
  const again = await take(text);
  expect([again.id === null, again.plan.opening.way]).toEqual([false, 'posted']);
  // What was opened, taken back and opened again was opened once.
  const { lines } = await exportBooks(books.owner);
  expect(lines).toContain('#IB 0 1930 50000.00');
  expect(faultsInSums(lines)).toEqual([]);
});

test('what a lock stops is not undone in part', async () => {
  const { id } = await take(textWith());
  await withTx(books.owner, (tx) => setLock(tx, 'period', '2026-01-01', ACTOR));
  await expect(withTx(books.owner, (tx) => undoImport(tx, id ?? '', ACTOR))).rejects.toThrow(
    'period_locked',
  );
  expect(await count()).toBe(2);
});

describe('books of nothing but imports', () => {
  const anew = () => withTx(books.owner, (tx) => beginAnew(tx, testCompany.company, ACTOR));
  const reasonOf = (error: unknown) => (error as Refusal).faults[0]?.reason;

  test('are emptied, undone imports with them, and begin from 1 again; the second time nothing is left', async () => {
    const before = textWith({
      years: ['#RAR 0 20250101 20251231'],
      balances: ['#IB 0 1930 10.00', '#IB 0 2081 -10.00'],
      vouchers: voucher('A 1 20250115', '1930 {} 1.00', '3001 {} -1.00'),
    });
    const { id } = await take(textWith());
    await withTx(books.owner, (tx) => undoImport(tx, id ?? '', ACTOR));
    await take(before);
    expect(await count()).toBe(6);
    const keys = () =>
      db(books.owner).query(sql`select conrelid::regclass::text as at, conname, convalidated,
        pg_get_constraintdef(oid) as means from pg_constraint where contype = 'f' order by 1, 2`);
    const keysBefore = await keys();
    await db(books.owner).query(sql`insert into ledger.withheld_vouchers (voucher_id, created_by)
      select id, 'test' from ledger.vouchers limit 1`);
    expect(await anew()).toEqual({ vouchers: 6, imports: 2, years: [2025] });
    // Whoever has a copy is told what it is to lose.
    const removed = await db(books.owner).query<{ told: { list: string; id: string | null } }>(
      sql`select events.describe(type, subject) as told from events.outbox where type = 'record.removed'`,
    );
    expect(new Set(removed.map(({ told }) => told.list))).toEqual(
      new Set(['verifikat', 'serier', 'rakenskapsar']),
    );
    expect(removed).toContainEqual({ told: { list: 'verifikat', id: null } });
    expect(await keys()).toEqual(keysBefore);
    expect(await count()).toBe(0);
    const [left] = await db(books.owner).query(
      sql`select (select count(*) from ledger.month_balances) as sums,
            (select count(*) from events.outbox where type = 'voucher.posted') as events,
            (select count(*) from ledger.sie_files) as files,
            (select array_agg(year) from ledger.fiscal_years) as years,
            (select count(*) from audit.events where action = 'books.begun_anew') as deeds,
            (select count(*) from pg_trigger where tgname like '%are_immutable' and tgenabled <> 'O') as open`,
    );
    expect(left).toEqual({ sums: 0n, events: 0n, files: 2n, years: [2026], deeds: 1n, open: 0n });
    expect(await soundness()).toEqual([]);
    expect(await anew()).toEqual({ vouchers: 0, imports: 0, years: [] });
    // The same files may come again, and numbers begin at 1.
    expect((await take(before)).plan.newYears).toHaveLength(1);
    await take(textWith());
    expect((await listed()).map(({ label }) => label)).toEqual(['S1', 'A1', 'A1']);
    expect(await soundness()).toEqual([]);
  });

  test('stay when something else is in them, rests on them, or is locked', async () => {
    await take(textWith());
    await withTx(books.owner, (tx) => setLock(tx, 'period', '2026-01-31', ACTOR));
    expect(await anew().catch(reasonOf)).toBe('books_are_locked');
    await withTx(books.owner, (tx) => setLock(tx, 'period', null, ACTOR));
    await expect(withTx(books.owner, (tx) => beginAnew(tx, 'Annat AB', ACTOR))).rejects.toThrow(
      'anew_not_confirmed',
    );
    await makeDrafts(books.owner, [100n]);
    await post(books.owner, [ledgerVoucher({ series: 'B' })]);
    expect(await anew().catch(reasonOf)).toBe('books_have_own_vouchers');
    expect(await count()).toBe(3);
    expect(await soundness()).toEqual([]);
  });
});

test('files that nobody took in are cleared away after a week, and what the books came from stays', async () => {
  const { plan } = await take(textWith());
  expect(plan.verdict).toBe('ok');
  await withTx(books.owner, async (tx) => {
    const sent = await sourceFrom(textWith({ vouchers: [] }), 'glömd.se');
    const { sha256, fileName, size } = sent;
    await insertSieFile(tx, { sha256, fileName, size, gzip: await sent.gzip() }, ACTOR);
    const asked = { sha256, difference_account: null, is_accepted: false };
    await askForImport(tx, asked, ACTOR);
  });
  const purged = () => withTx(books.owner, purgeSieFiles);
  expect(await purged()).toBe(0n);
  for (const table of ['sie_files', 'begun_imports']) {
    await books.owner.query(`update ledger.${table} set created_at = now() - interval '8 days'`);
  }
  expect([await purged(), await purged()]).toEqual([1n, 0n]);
});

test('a worker killed in the middle leaves nothing, and the next one takes the file in whole', async () => {
  const many = Array.from({ length: 6_000 }, (_, nth) =>
    voucher(`A ${nth + 1} 20260301 "x"`, '1930 {} 1.00', '3001 {} -1.00'),
  ).flat();
  const { sha256, fileName, size, gzip } = await sourceFrom(textWith({ vouchers: many }));
  const id = await withTx(books.owner, async (tx) => {
    await insertSieFile(tx, { sha256, fileName, size, gzip: await gzip() }, ACTOR);
    return askForImport(tx, { sha256, difference_account: null, is_accepted: true }, ACTOR);
  });
  const program = `
    import { createSieImporter } from '#workers/import.ts';
    import { createPool } from '#src/db/pool.ts';
    const [databaseUrl, importId] = process.argv.slice(1);
    const teller = createPool({ url: databaseUrl, max: 1, applicationName: 'teller' });
    const log = { info() {} };
    await createSieImporter({ databaseUrl, timeZone: 'UTC' }).run(teller, log, { importId });`;
  const worker = spawn(process.execPath, ['--input-type=module', '-e', program, books.url, id], {
    stdio: 'ignore',
  });
  const gone = once(worker, 'exit');
  // It has posted some, which nobody sees.
  await until(async () => {
    const held = await db(books.owner).query(sql`select from pg_locks
      where relation = 'ledger.voucher_rows'::regclass and mode = 'RowExclusiveLock'
        and database = (select oid from pg_database where datname = current_database())
        and pid <> pg_backend_pid()`);
    return held.length > 0;
  });
  worker.kill('SIGKILL');
  expect((await gone)[1]).toBe('SIGKILL');
  expect(await count()).toBe(0);
  const begun = await findBegunImport(db(books.owner), id);
  expect(begun).toMatchObject({ failed_at: null, created_by: ACTOR });
  // PostgreSQL notices the death when it next writes; until then nobody else gets a turn.
  const again = () =>
    takeBegunImport(id, {
      owner: books.owner,
      teller: books.owner,
      timeZone: 'UTC',
      signal: new AbortController().signal,
    }).then(
      () => true,
      (error) => {
        if ((error as Refusal).whole?.reason !== 'import_running') throw error;
        return false;
      },
    );
  await until(again);
  expect(await count()).toBe(6_001);
  await again();
  expect(await count()).toBe(6_001);
  expect(await soundness()).toEqual([]);
});

describe('while somebody fills the books', () => {
  /** An import that has posted and not committed. */
  const importing = async (work: () => Promise<void>) => {
    const source = await sourceFrom(textWith());
    await withTx(books.owner, async (tx) => {
      await importSie(tx, source, options, ACTOR);
      await work();
    });
  };
  const codeOf = (error: unknown) => (error as { code?: string }).code;

  test('others post in their series at once, and are sent away in its own within a second', async () => {
    await importing(async () => {
      const [other] = await post(books.owner, [ledgerVoucher({ series: 'B' })]);
      expect(other?.number).toBe(1);
      const began = performance.now();
      const waited = await post(books.owner, [ledgerVoucher({ series: 'A' })]).catch(codeOf);
      // Lock not available: 503 with Retry-After to whoever calls.
      expect(waited).toBe('55P03');
      expect(performance.now() - began).toBeGreaterThan(500);
      expect(
        await withTx(books.owner, (tx) => setLock(tx, 'period', '2026-01-01', ACTOR)).catch(codeOf),
      ).toBe('55P03');
    });
    const [after] = await post(books.owner, [ledgerVoucher({ series: 'A' })]);
    expect(after?.number).toBe(2);
  });

  test('nobody else does', async () => {
    await importing(async () => {
      const second = await take(textWith({ vouchers: [] }), {}, 'b.se').catch((error) => error);
      expect(second).toMatchObject({ code: 'overloaded', headers: { 'retry-after': '15' } });
    });
  });
});

test('what fails within takes everything back', async () => {
  await books.owner.query(`create function ledger.spoil() returns trigger language plpgsql as
    'begin if new.number = 2 then raise exception ''no''; end if; return new; end'`);
  await books.owner.query(`create trigger spoil before insert on ledger.vouchers for each row
    execute function ledger.spoil()`);
  const two = voucher('A 2 20260301', '1930 {} 1.00', '3001 {} -1.00');
  await expect(take(textWith({ vouchers: [...parts.vouchers, ...two] }))).rejects.toThrow('no');
  const [left] = await db(books.owner).query(
    sql`select (select count(*) from ledger.vouchers) + (select count(*) from ledger.imports)
          + (select count(*) from ledger.sie_files) as left`,
  );
  expect(left).toEqual({ left: 0n });
});

test('what leaves one company’s books and comes into another’s leaves those as the same file', {
  timeout: 300_000,
}, async () => {
  const account = fc.constantFrom(1510, 1930, 2440, 2611, 3001, 4010, 5010, 6540);
  const text = fc.string({ unit: fc.constantFrom(...'abcÅÄÖ 0129"\\{}#'), maxLength: 30 });
  const made = fc.record({
    series: fc.constantFrom('A', 'B', 'X9'),
    month: fc.integer({ min: 1, max: 12 }),
    text: text.map((one) => one.trim().replace(/\\+$/, '')),
    note: text.map((one) => one.trim().replace(/\\+$/, '') || null),
    rows: fc.array(fc.tuple(account, fc.integer({ min: 1, max: 10 ** 9 })), {
      minLength: 1,
      maxLength: 4,
    }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(made, { minLength: 1, maxLength: 12 }),
      fc.boolean(),
      async (all, isOpened) => {
        const [from, to] = [await createBooks(), await createBooks()];
        try {
          if (isOpened) {
            const balances = [
              { account: 1930, balanceOre: 12_345n },
              { account: 2081, balanceOre: -12_345n },
            ];
            await withTx(from.owner, (tx) =>
              setFirstBalances(tx, { year: 2026, series: 'A', balances }, ACTOR),
            );
          }
          await from.owner.query(`insert into ledger.series (id, fiscal_year_id, code, name)
          select gen_random_uuid(), id, 'X9', 'Ur SIE-fil' from ledger.fiscal_years`);
          await post(
            from.owner,
            all.map(({ series, month, text: description, note, rows }) => {
              const total = rows.reduce((sum, [, ore]) => sum + BigInt(ore), 0n);
              return ledgerVoucher({
                series,
                date: `2026-${String(month).padStart(2, '0')}-15`,
                description,
                rows: [
                  ...rows.map(([number, ore]) => ({
                    account: number,
                    debitOre: BigInt(ore),
                    creditOre: 0n,
                    note,
                  })),
                  { account: 2890, debitOre: 0n, creditOre: total },
                ],
              });
            }),
          );
          const left = await exportBooks(from.owner);
          const source = await sourceFrom(left.bytes);
          const { id } = await withTx(to.owner, (tx) => importSie(tx, source, options, ACTOR));
          expect(id).not.toBeNull();
          const back = await exportBooks(to.owner);
          expect(back.lines).toEqual(left.lines);
          expect(faultsInSums(back.lines)).toEqual([]);
        } finally {
          await from.close();
          await to.close();
        }
      },
    ),
    { numRuns: tries(3) },
  );
});
