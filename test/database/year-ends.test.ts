/** Years of every length from their first day to the next, what their end asks, and who cannot come between. */
import { beforeEach, describe, expect, test } from 'vitest';
import { createPool, db, type Tx, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { createAccrual } from '#src/ledger/accruals/service.ts';
import { listClosingSteps } from '#src/ledger/fiscal-years/closing.ts';
import {
  bookResult,
  getYearOpening,
  moveResult,
} from '#src/ledger/fiscal-years/opening-balances.ts';
import { closeYear, createYear, reopenYear } from '#src/ledger/fiscal-years/service.ts';
import { getYear } from '#src/ledger/fiscal-years/store.ts';
import { bookAdjustment, listProposals } from '#src/ledger/fiscal-years/year-end.ts';
import { fileVatReturn, settleVat } from '#src/ledger/vat-filings/service.ts';
import { verifyBooks } from '#src/ledger/verification/service.ts';
import { runCommand } from '../support/command.ts';
import { type Books, createBooks } from '../support/installation.ts';
import { until } from '../support/processes.ts';
import { inWords } from '../support/words.ts';
import { ledgerVoucher, post as postAll, row } from './books.ts';

const ACTOR = 'test';
let books: Books;
beforeEach(async () => {
  books = await createBooks();
  return () => books.close();
});

const owner = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => withTx(books.owner, work);
/** The one year of the books, while nothing is posted in it. */
const beYear = (start: string, end: string) =>
  books.owner.query(
    `update ledger.fiscal_years set start_date = '${start}', end_date = '${end}', year = ${end.slice(0, 4)}`,
  );
const post = async (date: string, debit: number, credit: number, ore = 100_000) => {
  const voucher = ledgerVoucher({ date, rows: [row(debit, ore), row(credit, -ore)] });
  expect(await postAll(books.owner, [voucher])).toMatchObject([{ error: null }]);
};
const balance = async (account: number, day = '9999-12-31'): Promise<bigint> => {
  const [found] = await db(books.owner).query<{ ore: bigint }>(
    sql`select coalesce(sum(debit_ore - credit_ore), 0)::bigint as ore from ledger.voucher_rows
        where account = ${account} and verification_date <= ${day}::date`,
  );
  return found?.ore ?? 0n;
};
const left = (year: number): Promise<Record<string, string>> =>
  owner(async (tx) =>
    Object.fromEntries(
      (await listClosingSteps(tx, await getYear(tx, year), '2030-01-01')).flatMap((one) =>
        one.left === null ? [] : [[one.step, one.left.replaceAll('\u00a0', ' ')]],
      ),
    ),
  );
const beSoleTrader = () =>
  books.owner.query(`update restricted.company set organization_number = '8001019879'`);

describe('years of any length', () => {
  test('the first of eighteen months, a shortened and a broken one follow each other, each closed on its own day', async () => {
    await beYear('2025-07-01', '2026-12-31');
    await post('2025-07-15', 1930, 3001, 300_000);
    await post('2026-12-31', 1930, 3001, 200_000);
    await owner((tx) =>
      createYear(tx, { year: 2027, start: '2027-01-01', end: '2027-06-30' }, ACTOR),
    );
    await owner((tx) =>
      createYear(tx, { year: 2028, start: '2027-07-01', end: '2028-06-30' }, ACTOR),
    );
    await post('2027-06-30', 5010, 1930, 50_000);
    await post('2027-07-01', 1930, 3001, 70_000);

    expect(await left(2026)).toMatchObject({
      months: '18 månader är inte avslutade.',
      result: 'Årets resultat, 5 000,00 kr, är inte bokfört mot eget kapital.',
    });
    // The rate is that of the year's first day, and the base is of all its months.
    const [, , tax] = await owner((tx) => listProposals(tx, 2026));
    expect(tax).toMatchObject({ percentE2: 2_060n, baseOre: 500_000n, proposedOre: 103_000n });

    const end = async (year: number, today: string) => {
      await owner((tx) => bookResult(tx, { year, series: 'A', today }, ACTOR));
      await owner((tx) => closeYear(tx, { year, today }, ACTOR));
    };
    await expect(inWords(end(2027, '2027-07-01'))).rejects.toThrow(
      '2026 är öppet; stäng det först',
    );
    await expect(inWords(end(2026, '2026-12-31'))).rejects.toThrow('avslutas tidigast 2027-01-01');
    await end(2026, '2027-01-01');
    await owner((tx) => moveResult(tx, { year: 2027, series: 'A' }, ACTOR));
    // The shortened year lost; what it moved from is empty as it begins.
    await end(2027, '2027-07-01');
    await owner((tx) => moveResult(tx, { year: 2028, series: 'A' }, ACTOR));
    expect([await balance(2099), await balance(2098)]).toEqual([0n, -450_000n]);
    expect([await balance(2099, '2026-12-31'), await balance(2099, '2027-06-30')]).toEqual([
      -500_000n,
      50_000n,
    ]);
    const opening = await owner((tx) => getYearOpening(tx, 2028));
    expect(opening.undisposedOre).toBe(0n);
    expect((await owner((tx) => verifyBooks(tx, () => undefined))).problems).toEqual([]);
  });

  test('a broken one that is changed for the calendar’s by a shortened one has years that end in one calendar year', async () => {
    const make = (start: string, end: string) =>
      owner((tx) => createYear(tx, { year: Number(end.slice(0, 4)), start, end }, ACTOR));
    expect(await make('2027-01-01', '2027-04-30')).toEqual({ year: 2027, created: true });
    expect(await make('2027-05-01', '2027-12-31')).toEqual({ year: 2028, created: true });
    expect(await make('2027-05-01', '2027-12-31')).toEqual({ year: 2028, created: false });
    expect(await make('2028-01-01', '2028-12-31')).toEqual({ year: 2029, created: true });
    // Those of before are called after the years before.
    expect(await make('2025-07-01', '2025-12-31')).toEqual({ year: 2025, created: true });
    expect(await make('2025-01-01', '2025-06-30')).toEqual({ year: 2024, created: true });
    await post('2027-06-01', 1930, 3001, 100_000);
    const today = '2029-01-01';
    await owner((tx) => bookResult(tx, { year: 2028, series: 'A', today }, ACTOR));
    expect(await balance(2099)).toBe(-100_000n);
  });

  test('that are too long, begin within a month or leave a gap are refused', async () => {
    const make = (year: number, start: string, end: string) =>
      inWords(owner((tx) => createYear(tx, { year, start, end }, ACTOR)));
    await expect(make(2028, '2027-01-01', '2028-07-31')).rejects.toThrow('upp till arton');
    await expect(make(2027, '2027-01-02', '2027-12-31')).rejects.toThrow('den första');
    await expect(make(2027, '2027-02-01', '2027-12-31')).rejects.toThrow('utan glapp');
    await make(2028, '2027-01-01', '2028-06-30');
  });
});

describe('last year’s result', () => {
  const year = 2027;
  const begun = async (ore: bigint) => {
    await post('2026-12-01', 1930, 3001, Number(ore));
    await owner((tx) => createYear(tx, { year, start: '2027-01-01', end: '2027-12-31' }, ACTOR));
    await owner((tx) => bookResult(tx, { year: 2026, series: 'A', today: '2027-01-02' }, ACTOR));
  };
  const move = () => owner((tx) => moveResult(tx, { year, series: 'A' }, ACTOR));

  test('that a general meeting has disposed of is not moved once more, but what differs from it is', async () => {
    await begun(100_000n);
    await post('2027-05-15', 2099, 2091);
    expect(await owner((tx) => getYearOpening(tx, year))).toMatchObject({
      toMove: [],
      disposedOre: 100_000n,
    });
    expect(await move()).toBe(false);
    // The year before turns out to have been worse, after the meeting.
    await post('2026-12-31', 5010, 1930, 30_000);
    await owner((tx) => bookResult(tx, { year: 2026, series: 'A', today: '2027-06-01' }, ACTOR));
    expect(await move()).toBe(true);
    expect([await balance(2099), await balance(2098), await balance(2091)]).toEqual([
      0n,
      30_000n,
      -100_000n,
    ]);
    expect(await move()).toBe(false);
    // The year's own result comes to 2099 at its end, and is nobody's disposition.
    await post('2027-08-01', 1930, 3001, 50_000);
    await owner((tx) => bookResult(tx, { year, series: 'A', today: '2028-01-02' }, ACTOR));
    expect((await owner((tx) => getYearOpening(tx, year))).toMove).toEqual([]);
  });

  test('of a sole trader is moved whole: what is put in and taken out since is of the new year', async () => {
    await beSoleTrader();
    await begun(100_000n);
    await post('2027-02-01', 2013, 1930, 5_000);
    expect(await move()).toBe(true);
    expect([await balance(2019), await balance(2010), await balance(2013)]).toEqual([
      0n,
      -100_000n,
      5_000n,
    ]);
  });
});

describe('the turn of years', () => {
  const close = (year: number, today = '2030-01-01') =>
    owner((tx) => closeYear(tx, { year, today }, ACTOR));
  const make = (year: number) =>
    owner((tx) => createYear(tx, { year, start: `${year}-01-01`, end: `${year}-12-31` }, ACTOR));
  const shut = (year: number) => sql`update ledger.fiscal_years
    set status = 'closed', closed_at = now(), closed_on = '2030-01-01' where year = ${year}`;

  test('has nothing before a closed one, whose opening balances it would change', async () => {
    await post('2026-02-01', 1930, 3001);
    await close(2026);
    await expect(inWords(make(2025))).rejects.toThrow('Öppna det först');
    await owner((tx) => reopenYear(tx, 2026, 'Äldre böcker', ACTOR));
    expect(await make(2025)).toMatchObject({ created: true });
    await expect(inWords(close(2026))).rejects.toThrow('2025 är öppet');
  });

  test('is the database’s to hold, whoever says otherwise by SQL and at the same time', async () => {
    await make(2027);
    await expect(owner((tx) => tx.query(shut(2027)))).rejects.toMatchObject({
      constraint: 'fiscal_years_close_in_turn',
    });
    await close(2026);
    const reopen = sql`update ledger.fiscal_years set status = 'open', closed_at = null, closed_on = null where year = 2026`;
    const begin = sql`insert into ledger.fiscal_years (id, year, start_date, end_date)
      values (gen_random_uuid(), 2025, '2025-01-01', '2025-12-31')`;
    for (const other of [reopen, begin]) {
      const held = Promise.withResolvers<void>();
      const closed = Promise.withResolvers<void>();
      const closing = owner(async (tx) => {
        await tx.query(shut(2027));
        closed.resolve();
        await held.promise;
      });
      await closed.promise;
      const opening = owner((tx) => tx.query(other)).then(
        () => null,
        (error) => error,
      );
      await until(async () => {
        const waiting = await db(books.owner).query(sql`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`);
        return waiting.length > 0;
      });
      held.resolve();
      await closing;
      expect(await opening).toMatchObject({
        constraint: expect.stringMatching(/^fiscal_years_(reopen_backwards|begin_after_closed)$/),
      });
      await owner((tx) => reopenYear(tx, 2027, 'Åter', ACTOR));
    }
  });
});

describe('the checklist', () => {
  test('tells of VAT that is not filed, and of what is filed and not settled', async () => {
    await post('2026-02-10', 1930, 2611);
    await post('2026-05-10', 1930, 2611);
    expect((await left(2026))['vat']).toBe('2 momsperioder är inte antecknade som lämnade.');
    const today = '2026-11-20';
    const ends = ['2026-03-31', '2026-06-30'];
    for (const end of ends) await owner((tx) => fileVatReturn(tx, { end, today }, ACTOR));
    expect((await left(2026))['vat']).toContain('2 lämnade momsperioders moms står kvar');
    for (const end of ends) await owner((tx) => settleVat(tx, { end, today }, ACTOR));
    expect((await left(2026))['vat']).toBeUndefined();
  });

  test('tells of things that wear out without depreciation, and of shares that are not posted', async () => {
    await post('2026-03-01', 1220, 1930);
    expect(await left(2026)).toMatchObject({
      depreciation: expect.stringContaining('ingen avskrivning (78xx)'),
    });
    const plan = {
      kind: 'depreciation',
      description: 'Kvarn',
      series: 'P',
      amountOre: 100_000n,
      firstMonth: '2026-11-01',
      months: 10,
      movedOn: null,
      sharesOn: 'last',
      resultAccount: 7832,
      balanceAccount: 1229,
      costCenter: null,
      project: null,
      originVoucherId: null,
      lateOn: null,
    } as const;
    await owner((tx) => createAccrual(tx, plan, { today: '2026-12-01', actor: ACTOR }));
    expect(await left(2026)).toMatchObject({
      accruals: 'En del av en periodisering eller avskrivning har inte bokförts.',
    });
    expect(await left(2026)).not.toHaveProperty('depreciation');
  });

  test('tells a sole trader of tax that is the owner’s, which old books may have, and proposes none', async () => {
    await beSoleTrader();
    await owner((tx) =>
      tx.query(sql`insert into ledger.accounts (number, name, type) values
      (8910, 'Skatt', 'cost'), (2512, 'Skatt', 'liability') on conflict do nothing`),
    );
    expect(await left(2026)).not.toHaveProperty('personal_tax');
    expect(await owner((tx) => listProposals(tx, 2026))).toEqual([]);
    // Nothing adds to it; what was there before the company was one is told of.
    const add = (debit: number, credit: number) =>
      postAll(books.owner, [
        ledgerVoucher({ date: '2026-12-31', rows: [row(debit, 100), row(credit, -100)] }),
      ]);
    const problem = (account: number, place: number) => ({
      path: `rows[${place}].account`,
      reason: 'personal_tax',
      account,
    });
    const problems = [problem(8910, 0), problem(2512, 1)];
    expect(await add(8910, 2512)).toMatchObject([{ error: 'unprocessable', detail: { problems } }]);
    expect(await add(8910, 1930)).toMatchObject([{ detail: { problems: [problem(8910, 0)] } }]);
    expect(await add(1930, 2512)).toMatchObject([{ detail: { problems: [problem(2512, 1)] } }]);
    await books.owner.query(`update restricted.company set organization_number = '5567026934'`);
    await post('2026-12-31', 8910, 2512, 20_800);
    await beSoleTrader();
    // A part of it is taken away by hand.
    await post('2026-12-31', 2512, 8910, 200);
    expect(await left(2026)).toMatchObject({
      personal_tax: expect.stringContaining('2512 (−206,00 kr), 8910 (206,00 kr)'),
    });
    const tax = { year: 2026, adjustment: 'income_tax', series: 'A', credit: 2512 } as const;
    const more = { amountOre: 1n, statedE2: null, seenOre: 0n, description: 'Skatt' };
    await expect(
      inWords(
        owner((tx) =>
          bookAdjustment(tx, { ...tax, ...more }, { today: '2027-01-01', actor: ACTOR }),
        ),
      ),
    ).rejects.toThrow('beskattas som person');
    // Its result goes to 2019, and on to 2010 as the next year begins.
    await post('2026-05-01', 1930, 3001, 50_000);
    const today = '2027-01-01';
    await owner((tx) => bookResult(tx, { year: 2026, series: 'A', today }, ACTOR));
    await owner((tx) =>
      createYear(tx, { year: 2027, start: '2027-01-01', end: '2027-12-31' }, ACTOR),
    );
    await owner((tx) => moveResult(tx, { year: 2027, series: 'A' }, ACTOR));
    expect([await balance(2019), await balance(2010), await balance(2099)]).toEqual([
      0n,
      -29_400n,
      0n,
    ]);
  });
});

test('of a year whose rates are not known here nothing is reckoned until whoever books it states the rate', async () => {
  await beYear('2027-01-01', '2027-06-30');
  await owner((tx) =>
    tx.query(sql`insert into ledger.accounts (number, name, type) values
    (8910, 'Skatt', 'cost'), (2512, 'Skatt', 'liability'), (8811, 'Avsättning', 'cost'),
    (2110, 'Fond', 'liability') on conflict do nothing`),
  );
  await post('2027-03-01', 1930, 3001, 10_000_000);
  const run = async (...words: string[]) => {
    const ran = await runCommand(books, ['year', ...words], { today: '2027-08-01' });
    return { ...ran, stdout: ran.stdout.replaceAll('\u00a0', ' ') };
  };
  const { proposals } = JSON.parse((await run('steps', '2027', '--json')).stdout);
  expect(proposals).toMatchObject([{}, {}, { percent: null, source: null, proposed: 0 }]);
  expect((await run('steps', '2027')).stdout).toMatch(/okänt +Årets skatt +.*ange den med --rate/);
  const unknown = { code: 1, stderr: expect.stringContaining('börjar 2027-01-01') };
  expect(await run('book', '2027', 'income_tax')).toMatchObject(unknown);
  expect(await run('book', '2027', 'tax_allocation', '--amount', '5')).toMatchObject(unknown);
  expect(await run('book', '2027', 'income_tax', '--rate', '0')).toMatchObject({ code: 1 });
  expect(await run('book', '2027', 'income_tax', '--rate', 'tjugo')).toMatchObject({ code: 2 });
  // At most 30 % by the rate that is stated, so 30 000; the tax at 19.5 % is of the 70 000 that are left.
  const tooMuch = ['tax_allocation', '--rate', '30', '--amount', '30001'];
  expect((await run('book', '2027', ...tooMuch)).code).toBe(1);
  expect((await run('book', '2027', 'tax_allocation', '--rate', '30')).code).toBe(0);
  expect((await run('book', '2027', 'income_tax', '--rate', '19,5')).stdout).toContain(
    '13 650,00 kr',
  );
  expect([await balance(8811), await balance(8910)]).toEqual([3_000_000n, 1_365_000n]);
  const { rows } = await books.owner.query(
    `select detail ->> 'stated_percent' as stated from audit.events
     where action = 'fiscal_year.adjustment_booked' order by occurred_at`,
  );
  expect(rows).toEqual([{ stated: '30' }, { stated: '19.5' }]);
});

test('whoever posts while the result is booked and the year closes is in the result, left to be booked, or refused', async () => {
  const today = '2027-01-01';
  await post('2026-06-01', 1930, 3001, 1_000);
  const sale = () =>
    postAll(books.owner, [
      ledgerVoucher({ date: '2026-12-31', rows: [row(1930, 100), row(3001, -100)] }),
    ]);
  const sales = Array.from({ length: 12 }, sale);
  const book = () => owner((tx) => bookResult(tx, { year: 2026, series: 'A', today }, ACTOR));
  const result = Promise.all([book(), book()]);
  const closing = result.then(() => owner((tx) => closeYear(tx, { year: 2026, today }, ACTOR)));
  const later = Array.from({ length: 12 }, sale);
  const outcomes = (await Promise.all([...sales, ...later])).flat();
  await closing;
  const posted = BigInt(outcomes.filter(({ error }) => error === null).length);
  const year = await owner((tx) => getYear(tx, 2026));
  expect(year).toMatchObject({ status: 'closed', result_ore: 1_000n + 100n * posted });
  expect(year.undisposed_ore).toBe(year.result_ore + (await balance(2099)));
  expect(year.undisposed_ore).toBeGreaterThanOrEqual(0n);
  expect(await sale()).toMatchObject([{ error: 'period_locked' }]);
});

test('closed, opened again and closed anew by several at once, while others post and sessions are ended, nothing is halved or lost', async () => {
  const today = '2027-02-01';
  await owner((tx) =>
    createYear(tx, { year: 2027, start: '2027-01-01', end: '2027-12-31' }, ACTOR),
  );
  await post('2026-06-01', 1930, 3001, 1_000);
  const doomed = createPool({ url: books.url, max: 8, applicationName: 'doomed' });
  /** What was done, as whoever did it heard; a session that was ended heard nothing. */
  const done = { posted: 0, unknown: 0, closed: 0, reopened: 0 };
  const attempt = async (
    kind: 'closed' | 'reopened' | 'none',
    work: (tx: Tx) => Promise<unknown>,
  ) => {
    await withTx(doomed, work).then(
      () => {
        if (kind !== 'none') done[kind] += 1;
      },
      (error) => expect(error).not.toMatchObject({ code: 'HB001' }),
    );
  };
  const sale = async () => {
    const voucher = ledgerVoucher({ date: '2026-12-31', rows: [row(1930, 100), row(3001, -100)] });
    await postAll(doomed, [voucher]).then(
      ([outcome]) => {
        if (outcome?.error === null) done.posted += 1;
        else expect(outcome).toMatchObject({ error: 'period_locked' });
      },
      () => {
        done.unknown += 1;
      },
    );
  };
  const deeds: (() => Promise<void>)[] = [
    sale,
    () => attempt('none', (tx) => bookResult(tx, { year: 2026, series: 'A', today }, ACTOR)),
    () => attempt('closed', (tx) => closeYear(tx, { year: 2026, today }, ACTOR)),
    sale,
    () => attempt('reopened', (tx) => reopenYear(tx, 2026, 'En faktura kom sent', ACTOR)),
    () => attempt('none', (tx) => moveResult(tx, { year: 2027, series: 'A' }, ACTOR)),
  ];
  const doing = Promise.all(
    deeds.map(async (deed) => {
      for (let time = 0; time < 8; time += 1) await deed();
    }),
  );
  let isOver = false;
  const ending = (async () => {
    while (!isOver) {
      await books.owner.query(`select pg_terminate_backend(pid) from (select pid from pg_stat_activity
        where application_name = 'doomed' and datname = current_database() and state <> 'idle'
        order by random() limit 1) as one, pg_sleep(0.02)`);
    }
  })();
  await doing;
  isOver = true;
  await ending;
  await doomed.end();

  // Closings and reopenings are told in turn, each with what the year became.
  const told = await db(books.owner).query<{ action: string }>(
    sql`select action from audit.events where action in ('fiscal_year.closed', 'fiscal_year.reopened') order by occurred_at`,
  );
  expect(told.map(({ action }) => action)).toEqual(
    told.map((_, n) => (n % 2 === 0 ? 'fiscal_year.closed' : 'fiscal_year.reopened')),
  );
  const year = await owner((tx) => getYear(tx, 2026));
  expect(year.status).toBe(told.length % 2 === 1 ? 'closed' : 'open');
  // Whoever heard yes is in the books; whose session was ended may be.
  const sales = -(await balance(3001)) / 100n - 10n;
  expect(sales).toBeGreaterThanOrEqual(BigInt(done.posted));
  expect(sales).toBeLessThanOrEqual(BigInt(done.posted + done.unknown));
  expect(year.result_ore).toBe(1_000n + 100n * sales);

  // Closed anew in peace, all of it is in equity, once.
  if (year.status === 'closed') await owner((tx) => reopenYear(tx, 2026, 'Sist', ACTOR));
  await owner((tx) => bookResult(tx, { year: 2026, series: 'A', today }, ACTOR));
  await owner((tx) => closeYear(tx, { year: 2026, today }, ACTOR));
  await owner((tx) => moveResult(tx, { year: 2027, series: 'A' }, ACTOR));
  expect([await balance(2099, '2026-12-31'), await balance(2099), await balance(2098)]).toEqual([
    -year.result_ore,
    0n,
    -year.result_ore,
  ]);
  expect((await owner((tx) => verifyBooks(tx, () => undefined))).problems).toEqual([]);
});

test('from the command line: the steps, the tax, the result, the closing and the next year', async () => {
  await owner((tx) =>
    tx.query(sql`insert into ledger.accounts (number, name, type) values
    (8910, 'Skatt', 'cost'), (2512, 'Skatt', 'liability') on conflict do nothing`),
  );
  await post('2026-06-01', 1930, 3001, 10_000_000);
  const run = async (...words: string[]) => {
    const ran = await runCommand(books, ['year', ...words], { today: '2027-02-01' });
    return { ...ran, stdout: ran.stdout.replaceAll('\u00a0', ' ') };
  };
  const steps = await run('steps', '2026', '--json');
  expect(JSON.parse(steps.stdout)).toMatchObject({
    year: 2026,
    status: 'open',
    result: 100_000,
    undisposed: 100_000,
    proposals: [
      {},
      {},
      {
        adjustment: 'income_tax',
        percent: 20.6,
        source: expect.stringContaining('65 kap. 10 §'),
        proposed: 20_600,
      },
    ],
  });
  expect((await run('steps', '2026')).stdout).toMatch(/återstår +Månadsavslut +12 månader/);
  expect((await run('book', '2026', 'tax')).code).toBe(2);
  expect(await run('book', '2026', 'income_tax', '--rate', '10')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('känd, 20,60 %'),
  });
  expect(await run('book', '2026', 'pension_tax')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Inget återstår att bokföra'),
  });
  expect((await run('book', '2026', 'income_tax')).stdout).toContain(
    '20 600,00 kr, är bokförd som A2',
  );
  expect((await run('result', '2026')).stdout).toContain(
    '79 400,00 kr, är bokfört mot eget kapital',
  );
  expect(JSON.parse((await run('result', '2026', '--json')).stdout)).toMatchObject({
    booked: false,
  });
  expect((await run('close', '2026')).code).toBe(0);
  expect(await run('result', '1999')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('1999 finns inte'),
  });
  await run('create', '2027');
  expect((await run('move-result', '2027')).stdout).toContain('omfört till 2098');
  expect((await run('move-result', '2027')).stdout).toContain('inget resultat att föra om');
  expect([await balance(2099), await balance(2098)]).toEqual([0n, -7_940_000n]);
});
