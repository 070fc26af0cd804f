/** Commands on a set-up installation: lists, a second set-up, and ids that are not there. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createBankAccount } from '#src/bank/service.ts';
import { withTx } from '#src/db/pool.ts';
import { wholeDeduction } from '#src/domain/purchases/written-purchase.ts';
import { postAppVoucher } from '#src/ledger/vouchers/service.ts';
import { writeInvoice } from '#src/purchases/by-hand/service.ts';
import { bookPurchases } from '#src/purchases/inbox/service.ts';
import { createSupplier } from '#src/purchases/suppliers/service.ts';
import { createArticle } from '#src/sales/articles/store.ts';
import { camt053 } from '../support/bank-file.ts';
import { runCommand } from '../support/command.ts';
import { Disk, mayMount } from '../support/disk.ts';
import { type Books, createBooks } from '../support/installation.ts';
import { TEST_KEY } from '../support/secrets.ts';

let books: Books;
beforeAll(async () => {
  books = await createBooks();
});
afterAll(() => books.close());

const run = (...words: string[]) => runCommand(books, words);
const runWith = (env: Record<string, string>, ...words: string[]) =>
  runCommand(books, words, { env });
const runLater = (...words: string[]) => runCommand(books, words, { today: '2027-02-01' });

test('lists say one JSON value to programs, and lines to people', async () => {
  await run('customer', 'create', '--name', 'Bageriet i Åmål AB', '--org-number', '556036-0793');
  const twin = await run('customer', 'create', '--name', 'Två', '--org-number', '5560360793');
  expect([twin.code, twin.stderr]).toEqual([1, expect.stringContaining('Bageriet i Åmål AB')]);
  const asked: readonly (readonly [string[], object])[] = [
    [
      ['customer', 'list', '--search', 'bageri'],
      [{ name: 'Bageriet i Åmål AB', organization_number: '5560360793', open_amount: 0 }],
    ],
    [['settings', 'list'], { 'company-name': 'Testbolaget AB', 'company-seat': '' }],
    [['year', 'list'], [{ year: 2026, status: 'open', vouchers: 0, result: 0 }]],
    [['account', 'list', '--search', '1930'], [{ number: 1930, balance: 0, is_active: true }]],
    [['lock', 'list'], { period_locked_to: null, vat_locked_to: null }],
    [
      ['vat', 'boxes', '--from', '2026-01-01', '--to', '2026-03-31'],
      { from: '2026-01-01', to: '2026-03-31', boxes: { 49: 0 } },
    ],
    [
      ['vat', 'oss', '2026-Q1', '--rate', 'SEK=11,2345', '--rate', 'DKK=7.46'],
      { quarter: '2026-Q1', due_date: '2026-04-30', lines: [], vat_eur: 0, currencies: [] },
    ],
    [['article', 'list'], []],
    [['dimension', 'list'], []],
    // The command above it has a --json of its own.
    [['backup', 'done'], { finished_at: expect.any(String) }],
  ];
  for (const [words, answer] of asked) {
    const { code, stdout, stderr } = await run(...words, '--json');
    expect([words, code, stderr]).toEqual([words, 0, '']);
    expect(JSON.parse(stdout)).toMatchObject(answer);
  }
  const series = await run('series', 'list');
  expect(series.stdout).toMatch(/^2026 {2}A {2}\S.* {2}0 verifikat$/m);
});

test('a setting takes no account that the chart does not have', async () => {
  const wrong = await run('settings', 'set', 'till-accounts', 'card 1686, kassa-2/cash 1912');
  expect([wrong.code, wrong.stdout]).toEqual([1, '']);
  expect(wrong.stderr).toMatch(/till-accounts .*1912.* under Kontoplan/);
  expect((await run('settings', 'set', 'till-accounts', 'card 1686, cash 1910')).code).toBe(0);
});

test('a second set-up says that the company was there', async () => {
  const words = ['--org-number', '556702-6934', '--fiscal-year', '2027'];
  const { code, stdout } = await run('setup', '--company', 'Nytt Namn AB', ...words);
  expect([code, stdout]).toEqual([
    0,
    'Testbolaget AB var redan uppsatt; bara det som saknades är tillagt. Räkenskapsåret 2027 är upplagt. Namnet är inte ändrat; det görs med huvudbok settings set company-name "Nytt Namn AB".\n',
  ]);
  const again = await run('setup', '--company', 'Testbolaget AB', ...words, '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({ created: false, fiscal_year_created: false });
});

test('what is not there is refused, never an empty list', async () => {
  const id = '01980a3c-5b1e-7c3a-9d0f-2f6a4b8c1d2e';
  for (const words of [
    ['attachment', 'list', id],
    ['webhook', 'deliveries', id],
  ]) {
    const { code, stdout, stderr } = await run(...words, '--json');
    expect([words, code, stdout]).toEqual([words, 1, '']);
    expect(stderr).toContain(`Det finns inge`);
  }
});

test('documents are taken in, listed and put aside; an archive is proved without a database', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'documents-'));
  const path = join(folder, '2026-03-14 Kvitto 125,00.txt');
  await writeFile(path, 'Kvitto');
  const [added] = JSON.parse((await run('document', 'add', path, '--json')).stdout);
  expect(JSON.parse((await run('document', 'list', '--json')).stdout)).toMatchObject([
    { id: added.id, document_date: '2026-03-14', amount: 125 },
  ]);
  const match = await run('document', 'match', '--json');
  expect(JSON.parse(match.stdout)).toEqual({ filed: 0, left: 1 });
  await run('document', 'set-aside', added.id, '--reason', 'Privat');
  expect((await run('document', 'list')).stdout).toBe('Inget underlag.\n');
  expect((await run('archive', 'list')).stdout).toContain('sparas till och med 2033-12-31');
  const proof = await runWith(
    { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/x' },
    'archive',
    'verify',
    path,
  );
  expect([proof.code, proof.stdout]).toEqual([1, expect.stringContaining('är ingen ZIP-fil')]);
  await rm(folder, { recursive: true });
});

test('a lock that opens days again asks for the reason with its flag', async () => {
  expect((await run('lock', 'period', '2026-01-31')).code).toBe(0);
  const { code, stdout, stderr } = await run('lock', 'period', 'none');
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^Skriv varför .* Ange det med --reason\.\n$/);
  expect((await run('lock', 'period', 'none', '--reason', 'Fel månad')).code).toBe(0);
});

test('commands that miss something say what, and how to give it', async () => {
  const file = await run('backup', 'verify');
  expect([file.code, file.stderr]).toEqual([
    1,
    'Ange vilken säkerhetskopia: dess fil, eller BACKUP_DIR för den nyaste.\n',
  ]);
  const folder = await run('backup');
  expect([folder.code, folder.stderr]).toEqual([
    1,
    expect.stringMatching(/ med --to eller BACKUP_DIR\.\n$/),
  ]);
  const key = await run('secrets', 'forget');
  expect([key.code, key.stderr]).toEqual([1, expect.stringMatching(/^Ingen nyckel är förlorad/)]);
});

test('the books of a year leave as a file that is whole or not there', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'huvudbok-sie-'));
  const path = join(folder, '2026.se');
  const made = await run('sie', 'export', '--year', '2026', '--output', path, '--json');
  expect([made.code, made.stderr]).toEqual([0, '']);
  expect(JSON.parse(made.stdout)).toMatchObject({ file: path, year: 2026, type: '4E' });
  const piped = await run('sie', 'export', '--year', '2026');
  expect([piped.code, piped.stdout.startsWith('#FLAGGA 0')]).toEqual([0, true]);
  const lost = await run('sie', 'export', '--year', '2026', '--output', join(folder, 'no', 'a.se'));
  expect([lost.code, lost.stderr]).toEqual([1, expect.stringContaining('kan inte skrivas')]);
  const silent = await run('sie', 'export', '--year', '2026', '--json');
  expect([silent.code, silent.stderr]).toEqual([1, expect.stringContaining('--output')]);
  expect(await readdir(folder)).toEqual(['2026.se']);
  await rm(folder, { recursive: true });
});

test('what is sealed with a key that is not here is told, also by books that were restored', async () => {
  const first = await run('secrets', 'status');
  expect([first.code, first.stdout]).toEqual([0, 'Ingenting är krypterat ännu.\n']);
  const key = { SECRETS_KEY: TEST_KEY };
  const webhook = [
    'webhook',
    'create',
    '--url',
    'https://exempel.se/krok',
    '--type',
    'invoice.paid',
  ];
  expect(await runWith(key, ...webhook)).toMatchObject({ code: 0 });
  expect(await runWith(key, 'secrets', 'status')).toMatchObject({ code: 0 });
  // As restore leaves it.
  await books.owner.query('delete from restricted.secrets_key');
  const lost = await run('secrets', 'status');
  expect([lost.code, lost.stdout]).toEqual([
    1,
    expect.stringMatching(
      /^Databasen får sin nyckel .* Hemligheter \(1 webhook\) är krypterade med/,
    ),
  ]);
  expect(await runWith(key, 'secrets', 'status')).toMatchObject({ code: 0 });
  // Let go of, it is not asked to be let go of again.
  expect((await run('secrets', 'forget')).stdout).toMatch(
    /^Nyckeln [0-9a-f]{16} är glömd\. 1 webh/,
  );
  const forgotten = await run('secrets', 'status');
  expect([forgotten.code, forgotten.stdout]).toEqual([
    0,
    expect.stringMatching(
      /^Databasen får sin nyckel .* är glömd\. 1 webhook är pausad: ny hemlighet/,
    ),
  ]);
  expect(forgotten.stdout).not.toContain('secrets forget');
  expect(await run('secrets', 'forget')).toMatchObject({ code: 0 });
  const { rows } = await books.owner.query(
    `select detail from audit.events where action = 'secrets.key_lost'`,
  );
  expect(rows, 'forgetting twice is one event').toEqual([
    { detail: { webhooks: 1, people: 0, keys: [expect.stringMatching(/^[0-9a-f]{16}$/)] } },
  ]);
  // Turned on with the secret that nobody can read, it is lost anew.
  await books.owner.query('update events.endpoints set disabled_at = null, disabled_reason = null');
  expect((await run('secrets', 'status')).stdout).toContain('secrets forget');
});

test('a supplier is made under the rules of the page, and a fault is told in a sentence', async () => {
  const create = (...words: string[]) =>
    run('supplier', 'create', '--name', 'Pappret AB', ...words);
  for (const [account, sentence] of [
    ['8765', 'Kontot 8765 finns inte i kontoplanen'],
    ['3001', 'Inköp bokförs inte på konto 3001'],
  ] as const) {
    const { code, stdout, stderr } = await create('--account', account);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toMatch(/error:|\n {4}at /);
  }
  expect((await create('--org-number', '556036-0793')).code).toBe(0);
  const twin = await create('--org-number', '556036-0793');
  expect([twin.code, twin.stderr]).toEqual([
    1,
    expect.stringContaining('Pappret AB har redan organisationsnumret'),
  ]);
});

test('a return noted before an earlier one, and a year shut without its result in equity, are told of', async () => {
  const rows = [
    { account: 1930, debitOre: 12_500n, creditOre: 0n, note: null },
    { account: 3001, debitOre: 0n, creditOre: 10_000n, note: null },
    { account: 2611, debitOre: 0n, creditOre: 2_500n, note: null },
  ];
  const sale = { series: 'A', date: '2026-02-10', description: 'Försäljning', source: 'manual' };
  await withTx(books.owner, (tx) =>
    postAppVoucher(tx, { ...sale, counterparty: '', rows }, 'test'),
  );
  const boxes = await run('vat', 'boxes', '--from', '2026-01-01', '--to', '2026-03-31', '--json');
  // In the form's order, which an object of JavaScript's would not keep: it puts "10" before "05".
  expect(boxes.stdout).toMatch(/"boxes":\{"05":\d+,"10":\d+,"49":\d+\}\}\n$/);
  const early = await run('month', 'show', '2025-12');
  expect([early.code, early.stdout]).toEqual([1, '']);
  expect(early.stderr).toContain('Månadsavsluten börjar med 2026-02.');
  expect((await run('month', 'show', '2026-02')).code).toBe(0);
  const filed = await runLater('vat', 'filed', '2026-06-30');
  const unfiled =
    'Inte antecknade som lämnade är 2026-01-01–2026-03-31. Är de lämnade: huvudbok vat filed 2026-03-31';
  expect([filed.code, filed.stdout]).toEqual([0, expect.stringContaining(unfiled)]);
  const closed = await runLater('year', 'close', '2026');
  const left = /Årets resultat, 100,00\skr, är inte bokfört .* huvudbok year reopen 2026/;
  expect([closed.code, closed.stdout]).toEqual([0, expect.stringMatching(left)]);
});

test('an invoice and an outlay are written by hand, and who is owed is told', async () => {
  // Closed above; its VAT is filed up to June.
  expect((await run('year', 'reopen', '2026', '--reason', 'Ett kvitto till')).code).toBe(0);
  const made = await run('supplier', 'create', '--name', 'Bilfinans AB', '--terms', '10', '--json');
  const { id } = JSON.parse(made.stdout) as { id: string };
  const folder = await mkdtemp(join(tmpdir(), 'huvudbok-'));
  const file = join(folder, 'leasing.pdf');
  await writeFile(file, '%PDF-1.4 leasing');
  const create = (...words: string[]) =>
    run(
      'purchase',
      'create',
      '--supplier',
      id,
      '--date',
      '2026-07-10',
      '--total',
      '5000',
      ...words,
    );
  const words = ['--number', '1001', '--row', '5615:I25:50', '--file', file, '--book'];
  const booked = await create(...words, '--json');
  await rm(folder, { recursive: true });
  expect([booked.code, booked.stderr]).toEqual([0, '']);
  const { voucher_id: voucher } = JSON.parse(booked.stdout) as { voucher_id: string };
  const files = await run('attachment', 'list', voucher, '--json');
  expect(JSON.parse(files.stdout)).toMatchObject([{ file_name: 'leasing.pdf' }]);
  const rows = await books.owner.query(
    `select account, (debit_ore - credit_ore)::integer as ore from ledger.voucher_rows
     where voucher_id = $1 order by row_no`,
    [voucher],
  );
  expect(rows.rows).toEqual([
    { account: 5615, ore: 450_000 },
    { account: 2641, ore: 50_000 },
    { account: 2440, ore: -500_000 },
  ]);
  const twice = await create('--number', '1001', '--row', '5410');
  expect([twice.code, twice.stderr]).toEqual([
    1,
    expect.stringContaining('Bilfinans AB har redan en faktura med nummer 1001 här.'),
  ]);
  const outlay = ['--by', 'Anna Ek', '--account', '2893', '--seller', 'Järnhandeln'];
  const sums = ['--date', '2026-07-12', '--total', '125', '--row', '5460', '--book'];
  expect((await run('purchase', 'outlay', ...outlay, ...sums)).code).toBe(0);
  const owed = await run('purchase', 'owed', '--json');
  expect(JSON.parse(owed.stdout)).toEqual([
    { name: 'Anna Ek', account: 2893, open_amount: 125, count: 1 },
  ]);
  const neither = await run('purchase', 'repay', '--date', '2026-07-13');
  expect([neither.code, neither.stderr]).toEqual([1, expect.stringContaining('--by <namn>')]);
  const all = ['--by', 'Anna Ek', '--date', '2026-07-13', '--json'];
  const repaid = await run('purchase', 'repay', ...all);
  expect(JSON.parse(repaid.stdout)).toMatchObject({ amount: 125, ids: [expect.any(String)] });
  const again = await run('purchase', 'repay', ...all);
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('inga utlägg')]);
});

test('a file of the bank is previewed, asked about, taken in once, and its account known afterwards', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'huvudbok-bank-'));
  const file = join(folder, 'utdrag.xml');
  await writeFile(
    file,
    camt053({ account: '8327912345678', entries: [{ day: '2026-03-02', ore: 12_345 }] }),
  );
  const unknown = await run('bank', 'import', file, '--account', 'Företagskonto');
  expect([unknown.code, unknown.stderr]).toEqual([
    1,
    expect.stringContaining('Det finns inget bankkonto Företagskonto.'),
  ]);
  const wrong = await run('bank', 'account', 'add', '--name', 'Bank', '--ledger-account', '1510');
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('passar inte slaget')]);
  const named = ['--name', 'Företagskonto', '--ledger-account', '1930'];
  const added = await run('bank', 'account', 'add', ...named, '--json');
  const { id } = JSON.parse(added.stdout);
  const asked = await run('bank', 'import', file);
  expect([asked.code, asked.stdout]).toEqual([1, expect.stringContaining('--account')]);
  const preview = await run('bank', 'import', file, '--account', '1930', '--preview');
  expect([preview.code, preview.stdout]).toEqual([
    0,
    expect.stringContaining('1 kontoutdrag skulle läsas in: 1 nya rader, 0 fanns redan.'),
  ]);
  const taken = await run('bank', 'import', file, '--account', id, '--json');
  expect([taken.code, JSON.parse(taken.stdout)]).toMatchObject([
    0,
    { taken: 1, added: 1, files: [{ statements: [{ outcome: 'taken', closing: 123.45 }] }] },
  ]);
  const again = await run('bank', 'import', folder, '--json');
  expect([again.code, JSON.parse(again.stdout)]).toMatchObject([0, { added: 0, known: 1 }]);
  const list = await run('bank', 'account', 'list', '--json');
  expect(JSON.parse(list.stdout)).toMatchObject([
    { id, kind: 'bank', number: '8327912345678', statement: 123.45, unmatched: 1 },
  ]);
  const changed = await run('bank', 'account', 'change', id, '--name', 'Checkkonto', '--inactive');
  expect([changed.code, changed.stdout]).toEqual([0, 'Bankkontot Checkkonto är ändrat.\n']);
  await rm(folder, { recursive: true });
});

test('what is due becomes a file by command, and what cannot be paid is told', async () => {
  const line = { account: 4000, ore: null, vatCode: 'I25', deduction: wholeDeduction, note: null };
  await withTx(books.owner, async (tx) => {
    const account = { name: 'Betalkontot', ledgerAccount: 1940, iban: 'SE3550000000054910000003' };
    await createBankAccount(tx, account, 'test');
    const facts = { organizationNumber: null, vatNumber: null, endpoint: null, countryCode: 'SE' };
    for (const [name, accounts] of [
      ['Granens Frakt AB', [{ kind: 'bankgiro' as const, number: '9912346' }]],
      ['Utan Konto AB', []],
    ] as const) {
      const supplier = { ...facts, name, account: 4000, paymentDays: 10, accounts: [...accounts] };
      const { id: supplierId } = await createSupplier(tx, supplier, 'test');
      const dates = { issueDate: '2026-07-11', dueDate: '2026-07-21' };
      const amounts = { totalOre: 12_500n, vatOre: null, isVatIncluded: true };
      const lines = [{ ...line, costCenter: null, project: null }];
      const rest = { reference: null, payTo: null, documentIds: [], invoiceNumber: 'BF-1' };
      const written = {
        kind: 'invoice',
        supplierId,
        ...dates,
        ...amounts,
        ...rest,
        lines,
      } as const;
      await bookPurchases(tx, [await writeInvoice(tx, null, written, 'test')], 'test');
    }
  });
  const json = async (...words: string[]) => {
    const { code, stdout, stderr } = await run('payments', ...words, '--account', '1940', '--json');
    expect([code, stderr]).toEqual([0, '']);
    return JSON.parse(stdout);
  };
  // A file that cannot be written is made all the same; whoever made it again would pay twice.
  const nowhere = join(tmpdir(), 'huvudbok-finns-inte', 'betalningar.xml');
  const lost = await run(
    'payments',
    'create',
    '--due',
    '2026-07-21',
    '--out',
    nowhere,
    '--account',
    '1940',
  );
  const [, number = ''] =
    /Betalfil (\d+) är skapad, och ska inte skapas igen/.exec(lost.stderr) ?? [];
  expect([lost.code, Number(number)]).toEqual([1, expect.any(Number)]);
  const shown = await run('payments', 'show', number, '--json');
  expect(JSON.parse(shown.stdout)).toMatchObject({ state: 'not_sent', total: 125 });
  if (mayMount) {
    const disk = new Disk(1);
    onTestFinished(() => disk.remove());
    disk.fill();
    const full = await run('payments', 'show', number, '--out', join(disk.folder, 'b.xml'));
    expect([full.code, full.stderr]).toEqual([1, expect.stringContaining('disken är full')]);
    expect(await readdir(disk.folder)).toEqual(['ballast']);
  }
  expect(await run('payments', 'cancel', number, '--reason', 'Skrevs inte')).toMatchObject({
    code: 0,
  });

  const made = await json('create', '--due', '2026-07-21');
  expect(made).toMatchObject({
    ...{ state: 'not_sent', total: 125, count: 1, account: 1940 },
    payments: [{ name: 'Granens Frakt AB', payee: { kind: 'bankgiro', number: '9912346' } }],
  });
  expect(made.left).toContainEqual(
    expect.objectContaining({
      name: 'Utan Konto AB',
      problem: expect.objectContaining({ reason: 'payee_missing' }),
    }),
  );
  const sent = await run('payments', 'sent', String(made.number));
  expect(sent.stdout).toMatch(/^Betalfil \d+: 1 betalning, 125,00\skr från Betalkontot, sänd\.$/m);
  const again = await run('payments', 'create', '--due', '2026-07-21', '--account', '1940');
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('Inget förfaller')]);
});

test('a report is told to people, to programs and to files, and says what it cannot take', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'huvudbok-report-'));
  const days = ['--from', '2026-01-01', '--to', '2026-12-31'];
  const json = await run('report', 'balance-sheet', ...days, '--json');
  expect([json.code, json.stderr]).toEqual([0, '']);
  const told = JSON.parse(json.stdout);
  expect(told).toMatchObject({ report: 'balance-sheet', from: '2026-01-01', to: '2026-12-31' });
  const [assets, others] = ['Summa tillgångar', 'Summa eget kapital och skulder'].map((label) =>
    told.lines.find((line: { label: string }) => line.label === label),
  );
  expect(assets.closing).toBe(others.closing);
  const words = await run('report', 'balansrakning', ...days);
  expect(words.stdout).toMatch(/^Summa tillgångar +-?\d/m);
  const csv = join(folder, 'huvudbok.csv');
  const file = await run('report', 'general-ledger', ...days, '--output', csv);
  expect([file.code, file.stdout]).toEqual([0, '']);
  expect(await readdir(folder)).toEqual(['huvudbok.csv']);

  for (const [asked, sentence] of [
    [['balanse'], 'Välj bland balance-sheet (balansrakning)'],
    [[], 'Argumentet <namn> saknas'],
    [['journal', '--from', '2026-02-30'], '--from <datum> går inte att använda'],
    [['journal', '--from', '2026-03-01', '--to', '2026-02-01'], 'byt plats på dem'],
    [['journal', '--dimension', 'P1'], 'finns inte för en dimension'],
    [['trial-balance', '--dimension', 'P1'], 'Det finns ingen dimension P1'],
    [['general-ledger', '--account', '19'], 'Skriv ett konto eller ett spann'],
    [['general-ledger', '--csv', '--json'], 'Ange --csv eller --json, inte båda'],
    [['general-ledger', '--output', join(folder, 'a.txt')], '.csv'],
  ] as const) {
    const { code, stdout, stderr } = await run('report', ...asked);
    expect([asked, code === 0, stdout]).toEqual([asked, false, '']);
    expect(stderr).toContain(sentence);
  }
  expect(await readdir(folder)).toEqual(['huvudbok.csv']);
  await rm(folder, { recursive: true });
});

test('what other systems call customers, suppliers, articles and dimensions is said and taken away', async () => {
  const made = async (...words: string[]) => {
    const { code, stdout, stderr } = await run(...words, '--json');
    expect([words, code, stderr]).toEqual([words, 0, '']);
    return JSON.parse(stdout);
  };
  const outside = ['--external-id', ' A\u030a 17 '];
  const article = { description: 'Kaffe', supply: 'goods', account: null } as const;
  await withTx(books.owner, async (tx) => {
    for (const number of ['K 1', 'K 2']) {
      const facts = { ...article, unitPriceE4: null, unit: null, externalId: null };
      await createArticle(tx, number, facts, 'test');
    }
  });
  const ids = {
    customer: [
      (await made('customer', 'create', '--name', 'Ett AB', ...outside)).id,
      (await made('customer', 'create', '--name', 'Ett till AB')).id,
    ],
    supplier: [
      (await made('supplier', 'create', '--name', 'Två AB', ...outside)).id,
      (await made('supplier', 'create', '--name', 'Två till AB')).id,
    ],
    dimension: [
      (
        await made(
          'dimension',
          'create',
          ...['--kind', 'project', '--code', 'U1', '--name', 'Ut'],
          ...outside,
        )
      ).id,
      (await made('dimension', 'create', ...['--kind', 'project', '--code', 'U2', '--name', 'Ut']))
        .id,
    ],
    article: ['K 1', 'K 2'],
  };
  await made('article', 'external-id', 'K 1', 'Å 17');
  for (const [noun, [first = '', second = '']] of Object.entries(ids)) {
    const key = noun === 'article' ? 'number' : 'id';
    const called = async () => {
      const list: Record<string, unknown>[] = await made(noun, 'list');
      return [first, second].map(
        (which) => list.find((one) => one[key] === which)?.['external_id'],
      );
    };
    expect([noun, ...(await called())]).toEqual([noun, 'Å 17', null]);
    const taken = await run(noun, 'external-id', second, 'Å 17');
    expect([taken.code, taken.stderr]).toEqual([1, expect.stringContaining('kallas redan så')]);
    await made(noun, 'external-id', first);
    expect((await made(noun, 'external-id', second, 'Å 17')).external_id).toBe('Å 17');
    expect([noun, ...(await called())]).toEqual([noun, null, 'Å 17']);
  }
  const nobody = await run('customer', 'external-id', randomUUID(), 'x');
  expect([nobody.code, nobody.stderr]).toEqual([1, expect.stringContaining('finns inte')]);
});

test('a file that is not there is told to be missing, whichever command was given it', async () => {
  const missing = join(tmpdir(), randomUUID());
  for (const words of [
    ['opening-items', 'customers', 'add', missing],
    ['archive', 'verify', missing],
    ['backup', 'verify', missing],
  ]) {
    const { code, stderr } = await run(...words);
    expect([words[0], code, stderr]).toEqual([words[0], 1, expect.stringContaining(missing)]);
    expect([words[0], stderr]).toEqual([words[0], expect.stringContaining('finns inte')]);
  }
});

test('no key is made that may both propose and book, since it would propose nothing', async () => {
  const both = ['--scope', 'ledger:write', '--scope', 'proposals:write'];
  const { code, stderr } = await run('key', 'create', '--name', 'Båda', ...both);
  expect([code, stderr]).toEqual([1, expect.stringContaining('proposals:write')]);
  expect((await run('key', 'list')).stdout).not.toContain('Båda');
});

test('a day at the end of the calendar, and a till report that nobody has, are answered in words', async () => {
  const day = ['settings', 'set', 'moved-on', '9999-12-31'];
  expect(await run(...day)).toMatchObject({ code: 1, stderr: expect.stringContaining('moved-on') });
  // What it is needed for reads on.
  expect(await run('opening-items', 'customers', 'list')).toMatchObject({ code: 0 });
  expect(await run('vat', 'periods', '--year', '9999', '--json')).toMatchObject({ code: 0 });
  expect(await run('till-report', 'retry', randomUUID())).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Dagskassan är inte stoppad'),
  });
});
