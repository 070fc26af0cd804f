/** Files of the bank laid in an account's folder: taken in once whatever happens, or left with a note that says why. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  access,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createBankAccount } from '#src/bank/service.ts';
import { listBankImports } from '#src/bank/statements/import-store.ts';
import { takeFromInbox } from '#src/bank/statements/inbox.ts';
import { loadConfig } from '#src/config/config.ts';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import {
  BankInbox,
  type BankInboxOptions,
  inboxBytesMax,
  runBankInbox,
} from '#workers/bank-inbox.ts';
import { camt053, fileOf, type TestEntry, testIban } from '../support/bank-file.ts';
import { TODAY } from '../support/company.ts';
import { type Books, createBooks } from '../support/installation.ts';
import { until } from '../support/processes.ts';

let books: Books;
let folder: string;
let options: BankInboxOptions;
let inbox: BankInbox;
/** Minutes go by between looks, as the inbox is told. */
let now = 0;
beforeEach(async () => {
  books = await createBooks();
  await withTx(books.owner, (tx) =>
    createBankAccount(tx, { name: 'Företagskonto', ledgerAccount: 1930, iban: testIban }, 'test'),
  );
  folder = await mkdtemp(join(tmpdir(), 'inbox-'));
  const log = pino({ level: 'silent' });
  options = {
    folder,
    baseUrl: 'https://bok.example',
    databaseUrl: books.url,
    timeZone: 'Europe/Stockholm',
    log,
  };
  inbox = new BankInbox(options);
  await inbox.prepare();
});
afterEach(async () => {
  await rm(folder, { recursive: true });
  await books.close();
});

const at = (...parts: readonly string[]) => join(folder, '1930', ...parts);
const lay = (name: string, text: string | Buffer) => writeFile(at(name), text);
/** Twice, so that what lies there has lain still. */
async function look(one = inbox): Promise<void> {
  for (const _ of [1, 2]) {
    now += 120_000;
    await one.look(now);
  }
}
const files = async () =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
const note = (name: string) => readFile(at('waiting', `${name}.txt`), 'utf8');
const rows = async () => (await db(books.owner).query(sql`select from bank.transactions`)).length;
const imports = async () => (await listBankImports(db(books.owner), 100)).length;
const march: TestEntry[] = [
  { day: '2026-03-02', ore: -5_000, text: 'Kaffe' },
  { day: '2026-03-02', ore: -5_000, text: 'Kaffe' },
  { day: '2026-03-31', ore: 90_000, text: 'Kund' },
];
const statement = camt053({ opening: 100_000, entries: march });
const headings = 'Bokföringsdatum;Valutadatum;Verifikationsnummer;Text;Belopp;Saldo\n';

test('a file that lies still is taken in for its folder’s account, and moved; one being written is not touched', async () => {
  await lay('utdrag.xml', statement);
  await lay('.dold.xml', statement);
  await lay('på väg.xml.part', statement);
  now += 1_000;
  await inbox.look(now);
  now += 9_000;
  await inbox.look(now);
  expect(await rows()).toBe(0);
  await lay('utdrag.xml', `${statement}\n`);
  now += 9_000;
  await inbox.look(now);
  now += 9_000;
  await inbox.look(now);
  expect(await rows()).toBe(0);
  now += 1_000;
  await inbox.look(now);
  expect(await rows()).toBe(3);
  expect(await files()).toEqual([
    '1930/.dold.xml',
    '1930/på väg.xml.part',
    '1930/taken/utdrag.xml',
  ]);
  const [one] = await listBankImports(db(books.owner), 1);
  expect(one).toMatchObject({ created_by: 'job:bank-import', report: { added: 3 } });
});

test('the same file again, under any name, is known and brings nothing', async () => {
  for (const name of ['utdrag.xml', 'utdrag.xml', 'annat namn.xml']) {
    await lay(name, statement);
    await look();
  }
  expect([await rows(), await imports()]).toEqual([3, 1]);
  expect(await files()).toEqual([
    '1930/taken/annat namn.xml',
    '1930/taken/utdrag (2).xml',
    '1930/taken/utdrag.xml',
  ]);
});

test('CSV that does not say its account is of the folder’s', async () => {
  await lay('seb.csv', `${headings}2026-03-02;2026-03-02;1;Kaffe;-50,00;950,00\n`);
  await look();
  expect(await rows()).toBe(1);
});

test('what cannot be taken in waits beside a note that says why, and nothing of it is in', async () => {
  await mkdir(join(folder, '1999'));
  await writeFile(join(folder, '1999', 'utdrag.xml'), statement);
  await withTx(books.owner, (tx) =>
    createBankAccount(
      tx,
      { name: 'Sparkonto', ledgerAccount: 1940, number: '50000001234' },
      'test',
    ),
  );
  await lay('annat.xml', camt053({ account: '50000001234', opening: 1, entries: march }));
  await lay('skadad.xml', statement.slice(0, 900));
  await lay('fel summa.xml', statement.replace('>900.00<', '>901.00<'));
  await lay('bild.csv', Buffer.from([0x89, 0x50, 0x4e, 0x47]));
  await lay('tom.csv', '');
  await lay('valuta.xml', camt053({ currency: 'EUR', entries: march }));
  await writeFile(at('stor.csv'), headings);
  await truncate(at('stor.csv'), inboxBytesMax + 1);
  await writeFile(join(folder, 'hemlig.xml'), statement);
  await symlink(join(folder, 'hemlig.xml'), at('länk.xml'));
  await symlink('/dev/zero', at('oändlig.csv'));
  execFileSync('mkfifo', [at('rör.csv')]);
  await look();
  expect(await rows()).toBe(0);
  expect(await readFile(join(folder, '1999', 'waiting', 'utdrag.xml.txt'), 'utf8')).toMatch(
    /har inte läst in utdrag\.xml\.\r\n\r\nInget bankkonto i bruk har konto 1999.*\/bank\/konton\/nytt/s,
  );
  const said = {
    'annat.xml': /gäller Sparkonto, inte kontot 1930/,
    'skadad.xml': /skadad eller slutar mitt i.*lägg filen i mappen 1930 igen/is,
    'fel summa.xml': /Ingående saldo och raderna blir/,
    'bild.csv': /form är okänd/,
    'tom.csv': /Filen är tom/,
    'valuta.xml': /Bara konton i SEK/,
    'stor.csv': /större än 32 MB.*huvudbok bank import/s,
    'länk.xml': /är en länk/,
    'oändlig.csv': /är en länk/,
    'rör.csv': /annat än en vanlig fil/,
  };
  for (const [name, words] of Object.entries(said)) expect(await note(name)).toMatch(words);
  const left = (await files()).filter((path) => !path.includes('/waiting/'));
  expect(left).toEqual(['hemlig.xml']);
});

test('what is in doubt is asked at a page of its own, once; answered in the folder the note goes', async () => {
  const lf = `"Kontonummer";"Kontonamn";"";"Saldo";"Tillgängligt belopp"\n"";"";"";"";""\n\n"Bokföringsdatum";"Transaktionsdatum";"Transaktionstyp";"Meddelande";"Belopp"\n"2026-03-02";"2026-03-02";"Kortköp";"Kaffe";"-50,00"\n`;
  await lay('lf.csv', lf);
  await look();
  const [one] = await listBankImports(db(books.owner), 2);
  expect(one).toMatchObject({ asked_at: null, finished_at: null });
  expect(await note('lf.csv')).toContain(`https://bok.example/bank/import/${one?.id}`);
  await rm(at('waiting', 'lf.csv'));
  await lay('lf.csv', lf);
  await look();
  expect(await imports()).toBe(1);
  expect(await files()).toEqual(['1930/waiting/lf.csv', '1930/waiting/lf.csv.txt']);
  await rm(at('waiting', 'lf.csv'));
  await lay('lf.csv', `${headings}2026-03-02;2026-03-02;1;Kaffe;-50,00;950,00\n`);
  await look();
  expect(await files()).toEqual(['1930/taken/lf.csv']);
});

test('a note takes nobody’s place, and is not written through a link', async () => {
  await mkdir(at('waiting'));
  await writeFile(join(folder, 'annans'), 'orörd');
  await symlink(join(folder, 'annans'), at('waiting', 'tom.csv.txt'));
  await writeFile(at('waiting', 'fel.csv.txt'), headings);
  await lay('tom.csv', 'x');
  await lay('fel.csv', 'x');
  await look();
  expect(await readFile(join(folder, 'annans'), 'utf8')).toBe('orörd');
  expect(await readFile(at('waiting', 'fel.csv.txt'), 'utf8')).toBe(headings);
  expect(await note('fel (2).csv')).toMatch(/har inte läst in fel \(2\)\.csv/);
  await rm(at('waiting'), { recursive: true });
  await symlink(tmpdir(), at('waiting'));
  await lay('igen.csv', 'x');
  await look();
  await access(at('igen.csv'));
});

test('killed with its rows in but the file not moved, it is known and moved', async () => {
  await lay('utdrag.xml', statement);
  const source = await fileOf(statement, 'utdrag.xml');
  await takeFromInbox(books.owner, 1930, source, {
    today: TODAY,
    signal: new AbortController().signal,
  });
  await look();
  expect([await rows(), await imports(), await files()]).toEqual([3, 1, ['1930/taken/utdrag.xml']]);
});

test('killed in the middle nothing is in; several who look afterwards take it in once', async () => {
  const entries = Array.from({ length: 6_000 }, (_, n) => ({
    day: `2026-03-${String(1 + (n % 28)).padStart(2, '0')}`,
    ore: n + 1,
  })).sort((a, b) => (a.day < b.day ? -1 : 1));
  await lay('stor.xml', camt053({ opening: 0, entries }));
  const program = `
    import { BankInbox } from '#workers/bank-inbox.ts';
    const [databaseUrl, folder] = process.argv.slice(1);
    const log = { info() {}, warn() {}, error() {} };
    const inbox = new BankInbox({ folder, databaseUrl, baseUrl: '', timeZone: 'Europe/Stockholm', log });
    await inbox.look(0);
    await inbox.look(60_000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, books.url, folder], {
    stdio: 'ignore',
  });
  const gone = once(child, 'exit');
  await until(async () => {
    const held = await db(books.owner).query(sql`select from pg_locks
      where relation = 'bank.transactions'::regclass and mode = 'RowExclusiveLock'
        and pid <> pg_backend_pid()`);
    return held.length > 0;
  });
  child.kill('SIGKILL');
  expect((await gone)[1]).toBe('SIGKILL');
  expect(await rows()).toBe(0);
  // The server lets go of the lock when it sees that the other is gone.
  const others = [inbox, new BankInbox(options), new BankInbox(options)];
  await until(async () => {
    await Promise.all(others.map((one) => look(one)));
    return (await rows()) > 0;
  });
  expect([await rows(), await imports(), await files()]).toEqual([
    6_000,
    1,
    ['1930/taken/stor.xml'],
  ]);
});

test('a file that ends the process every time is put aside after three', async () => {
  await lay('gift.xml', statement);
  await lay(
    'annan.xml',
    camt053({ id: 'B', opening: 180_000, entries: [{ day: '2026-04-01', ore: 1 }] }),
  );
  await look();
  await lay('gift.xml', statement);
  const { createHash } = await import('node:crypto');
  const hash = createHash('sha256').update('gift.xml').digest('hex').slice(0, 16);
  await writeFile(at(`.tries-${hash}`), '3');
  await look();
  expect(await note('gift.xml')).toMatch(/gick fel hos oss tre gånger/);
  expect((await files()).filter((path) => path.includes('.tries'))).toEqual([]);
});

test('a folder that cannot be used is told once, in words with the way out', async () => {
  const file = join(folder, 'en-fil');
  await writeFile(file, '');
  const lines: string[] = [];
  const log = pino({}, { write: (line) => void lines.push(line) });
  const running = await runBankInbox({ ...options, folder: file, log });
  await running.stop();
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      level: 40,
      msg: `Bankens filer läses inte in. BANK_INBOX_DIR (${file}) är ingen mapp, utan en fil eller en länk som leder till ingenting: rätta det, eller ange en annan mapp.`,
    }),
  ]);
  expect(lines[0]).not.toContain('stack');
});

test('the setting is a folder, or none', () => {
  expect(loadConfig({}).bankInbox).toBeUndefined();
  expect(loadConfig({ BANK_INBOX_DIR: '/srv/bank' }).bankInbox).toBe('/srv/bank');
});
