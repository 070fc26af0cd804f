/** A backup brings all of the books back, into an empty database, or says why not and makes nothing. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { generateIdentity } from 'age-encryption';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { startEmbedded } from '#src/db/embedded.ts';
import { roleUrl } from '#src/db/logins.ts';
import { migrate } from '#src/db/migrate.ts';
import { connect, createPool, db, withTx } from '#src/db/pool.ts';
import { checkDatabase } from '#src/db/standing.ts';
import { readContainer, writeContainer } from '#src/installation/backups/container.ts';
import { firstEntry, lastEntry, layoutVersion } from '#src/installation/backups/contents.ts';
import {
  findLastBackup,
  findLastFailure,
  findLastOwn,
} from '#src/installation/backups/record-store.ts';
import { inspect, restoreEmbedded, restoreInto } from '#src/installation/backups/restore.ts';
import { findNewest, keepBackup, listFiles } from '#src/installation/backups/service.ts';
import { clearDatabase, forgetRestore, markRestore } from '#src/installation/backups/store.ts';
import { takeBackup } from '#src/installation/backups/take.ts';
import { OperatorError } from '#src/lib/operator-error.ts';
import { processMark } from '#src/lib/process-mark.ts';
import { sentenceFor } from '#src/lib/sentences/say.ts';
import { changeRecurring, makeDue } from '#src/sales/recurring/service.ts';
import { findRecurring, listRecurring } from '#src/sales/recurring/store.ts';
import { isDue } from '#workers/backup.ts';
import { runCommand } from '../support/command.ts';
import { cloneDatabase, copyDatabase, type TestDatabase } from '../support/database.ts';
import { Disk, mayMount } from '../support/disk.ts';
import { createInstallation, orderBody, voucherBody } from '../support/installation.ts';
import { testKeyring } from '../support/secrets.ts';
import { tries } from '../support/tries.ts';

const run = promisify(execFile);
const silent = () => undefined;
let folder: string;
/** The example company's books, and those of a company that has booked nothing yet: soon restored. */
let original: TestDatabase;
let begun: TestDatabase;
/** Their backups. */
let path: string;
let pathOfBegun: string;
let bare: TestDatabase;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'huvudbok backup '));
  original = await cloneDatabase('demo');
  const pool = createPool({ url: original.url, max: 1, applicationName: 'test' });
  // What the original was about to send.
  await pool.query(`update sales.mails set state = 'queued' where state = 'failed';
    update events.endpoints set disabled_at = null, disabled_reason = null;
    update restricted.users set invitation_hash = sha256('link'), invitation_expires_at = now() + interval '7 days'
      where role = 'lasare'`);
  await pool.end();
  ({ path } = await takeBackup({ url: original.url, folder, key: undefined }));
  begun = await cloneDatabase('company');
  const own = await mkdtemp(join(folder, 'begun '));
  ({ path: pathOfBegun } = await takeBackup({ url: begun.url, folder: own, key: undefined }));
  bare = await clearedDatabase();
});
afterAll(async () => {
  for (const database of [original, begun, bare]) await database.drop();
  await rm(folder, { recursive: true });
});

/** An empty database on the same server, which others are copied from. */
async function clearedDatabase(): Promise<TestDatabase> {
  const database = await cloneDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await clearDatabase(client);
  await forgetRestore(client);
  await client.end();
  return database;
}

let target: TestDatabase;
beforeEach(async () => {
  target = await copyDatabase(bare.url);
  return () => target.drop();
});

const query = async (url: string, text: string): Promise<Record<string, unknown>[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
};
const isUntouched = async (): Promise<boolean> => {
  const [row] = await query(
    target.url,
    `select count(*)::integer as made from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname !~ '^pg_' and n.nspname <> 'information_schema'`,
  );
  return row?.['made'] === 0;
};
const restore = (file = path, key?: Parameters<typeof inspect>[1], url = target.url) =>
  restoreInto(url, () => inspect(file, key), { path: file, key, log: silent });

describe('a restored database', () => {
  let copy: TestDatabase;
  let restored: Awaited<ReturnType<typeof restore>>;
  beforeAll(async () => {
    copy = await copyDatabase(bare.url);
    restored = await restore(path, undefined, copy.url);
  });
  afterAll(() => copy.drop());

  test('has every row, rule and right of the original, and books that hold', async () => {
    expect(restored.problems).toEqual([]);
    expect(restored.vouchers).toBeGreaterThan(1_000);
    const again = await inspect(
      (await takeBackup({ url: copy.url, folder, key: undefined })).path,
      undefined,
    );
    const first = await inspect(path, undefined);
    const sums = (contents: typeof first) =>
      Object.fromEntries(
        contents.manifest.tables.map(({ name, rows, sha256 }) => [name, `${rows} ${sha256}`]),
      );
    // The restore itself is told of, and what would go out is held.
    const {
      'audit.events': _a,
      'sales.mails': _m,
      'sales.recurring_invoices': _r,
      'events.endpoints': _e,
      'events.epochs': _p,
      'restricted.users': _u,
      ...before
    } = sums(first);
    expect(sums(again)).toMatchObject(before);
    expect(again.manifest.heads).toEqual(first.manifest.heads);
    expect(again.manifest.sequences).toEqual(first.manifest.sequences);
    // The copy beside its original has roles of its own.
    const catalogue = String.raw`select regexp_replace(what, 'hb(_[a-z0-9_]+)?_(api|app|agency|worker)\M', 'hb_\2', 'g') as what from (
      select 'policy ' || tablename || ' ' || policyname || ' ' || roles::text as what from pg_policies
      union all select 'trigger ' || tgrelid::regclass || ' ' || tgname || ' ' || tgenabled::text
        from pg_trigger where not tgisinternal
      union all select 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
        from pg_constraint where conrelid <> 0
      union all select 'rights ' || oid::regclass || ' ' || relacl::text from pg_class
        where relacl is not null and relnamespace::regnamespace::text ~ '^(ledger|sales|app|audit)$'
      ) as rules order by 1`;
    const rules = await query(original.url, catalogue);
    expect(rules.filter(({ what }) => String(what).startsWith('policy')).length).toBeGreaterThan(
      150,
    );
    expect(await query(copy.url, catalogue)).toEqual(rules);
  });

  test('still refuses to have its vouchers changed', async () => {
    await expect(query(copy.url, `update ledger.vouchers set description = 'x'`)).rejects.toThrow();
    await expect(query(copy.url, 'delete from ledger.voucher_rows')).rejects.toThrow();
  });

  test('sends nothing by itself, lets nobody in by a session or an old link, and tells the trail that it was restored', async () => {
    const { held, sealed } = restored;
    expect(held).toMatchObject({ webhooks: 1, recurring: 1 });
    expect(sealed).toEqual([
      { key_id: testKeyring.sealing.id, webhooks: 1, people: 0, is_forgotten: false },
    ]);
    const [state] = await query(
      copy.url,
      `select (select count(*)::integer from sales.mails where state = 'queued') as mails,
         (select count(*)::integer from events.endpoints where disabled_at is null) as endpoints,
         (select count(*)::integer from restricted.sessions) as sessions,
         (select count(*)::integer from restricted.users where invitation_hash is not null) as links,
         (select count(*)::integer from audit.events where action = 'books.restored') as told`,
    );
    expect(state).toEqual({ mails: 0, endpoints: 0, sessions: 0, links: 0, told: 1 });
  });

  test('makes no recurring invoice that is mailed until somebody has seen to its day', async () => {
    const pool = createPool({ url: copy.url, max: 2, applicationName: 'test' });
    onTestFinished(() => pool.end());
    const all = await listRecurring(db(pool));
    const [mailed, other] = ['mailed', 'draft'].map((one) =>
      all.find(({ becomes, nextDate }) => becomes === one && nextDate !== null),
    );
    const today = [mailed?.nextDate ?? '', other?.nextDate ?? ''].toSorted()[1] ?? '';
    const making = {
      ...{ today, actor: 'test', timeZone: 'Europe/Stockholm', canMail: true },
      ...{
        mailFrom: 'vi@exempel.se',
        onBroken: (_id: string, error: unknown) => expect.fail(`${error}`),
      },
    };
    expect(await makeDue(pool, making)).toBe(1);
    const letters = async () =>
      (await query(copy.url, `select from sales.mails where state = 'queued'`)).length;
    expect(await letters()).toBe(0);
    const before = await findRecurring(db(pool), mailed?.id ?? '');
    if (!before?.nextDate) throw new Error('the example company has none that is mailed');
    expect(before.problems.map((fault) => sentenceFor('page', fault))).toEqual([
      expect.stringContaining('Ingen görs förrän någon har öppnat Ändra'),
    ]);
    const { id, version, nextDate, recurrence, vatConfirmedBy } = before;
    const written = { ...before, recurrence: { ...recurrence, anchor: nextDate } };
    await withTx(pool, (tx) =>
      changeRecurring(
        tx,
        { id, version },
        { ...written, isVatConfirmed: vatConfirmedBy !== null },
        making,
      ),
    );
    expect(await makeDue(pool, making)).toBe(1);
    expect(await letters()).toBe(1);
  });
});

test('books that went back in time by other means send nothing either, once that is told', async () => {
  const copy = await copyDatabase(original.url);
  onTestFinished(() => copy.drop());
  await query(
    copy.url,
    `insert into restricted.sessions (hash, user_id, is_complete)
       select sha256('session'), id, true from restricted.users limit 1;
     insert into archive.pages (sha256, html) values (sha256('page'), 'page');
     insert into sales.mails (id, invoice_id, kind, sender_name, sender, recipients, subject, body,
         page_sha256, file_name, message_id, created_by)
       select gen_random_uuid(), id, 'invoice', 'Vi', 'vi@exempel.se', '{du@exempel.se}', 'Faktura', 'Hej!',
         sha256('page'), 'faktura.pdf', '<1@exempel.se>', 'test'
       from sales.invoices where kind = 'invoice' and status = 'booked' limit 1`,
  );
  const held = `select (select count(*)::integer from sales.mails where state = 'queued') as mails,
    (select count(*)::integer from events.endpoints where disabled_at is null) as webhooks,
    (select count(*)::integer from sales.recurring_invoices
       where becomes = 'mailed' and next_date is not null and problems is null) as recurring,
    (select count(*)::integer from restricted.sessions) as sessions,
    (select count(*)::integer from restricted.users where invitation_hash is not null) as links,
    (select count(*)::integer from restricted.secrets_key) as keys`;
  const [before] = await query(copy.url, held);
  expect(before).toMatchObject({ mails: 1, webhooks: 1, recurring: 1, sessions: 1, links: 1 });
  const owner = createPool({ url: copy.url, max: 1, applicationName: 'test' });
  onTestFinished(() => owner.end());
  const { code, stdout } = await runCommand({ url: copy.url, owner }, ['backup', 'restored']);
  expect([code, stdout]).toEqual([0, expect.stringContaining('läs in bankens rader')]);
  expect(stdout).toContain('1 webhook är pausad');
  // What shops and the access point had an answer for, and the books do not know of, from when on they send it again.
  expect(stdout).toMatch(
    /Det som andra har skickat hit efter \d{4}-\d\d-\d\d \d\d:\d\d finns inte heller/,
  );
  const [letter] = await query(
    copy.url,
    `select unanswered > 0 as may_have_arrived from sales.mails where state = 'failed' order by id limit 1`,
  );
  expect(letter).toEqual({ may_have_arrived: true });
  const [after] = await query(copy.url, held);
  // The key of secrets lies where it lay, and another is refused as before.
  const nothing = { mails: 0, webhooks: 0, recurring: 0, sessions: 0, links: 0 };
  expect(after).toEqual({ ...nothing, keys: before?.['keys'] });
  const [told] = await query(
    copy.url,
    `select count(*)::integer as count from audit.events where action = 'books.held'`,
  );
  expect(told).toEqual({ count: 1 });
});

describe('while it is taken', () => {
  test('books are kept; it shows the moment it began, with the work that was not come to', async () => {
    const books = await createInstallation();
    const mine = await mkdtemp(join(tmpdir(), 'huvudbok meanwhile '));
    const held = await connect(books.url, 'test');
    const post = (key: string) =>
      books.call({
        method: 'POST',
        url: '/api/v1/verifikat',
        payload: voucherBody(),
        headers: { 'idempotency-key': key },
      });
    try {
      expect((await post('beforehand')).statusCode).toBe(200);
      const sent = await books.call({
        method: 'POST',
        url: '/api/inbound/order',
        headers: { prefer: 'respond-async' },
        payload: orderBody({ externalId: 'B-1' }),
      });
      expect(sent.statusCode).toBe(202);
      // It has its snapshot when it waits for this lock, and has then read no table.
      await held.query('begin; lock table restricted.begun_forms in access exclusive mode');
      const options = {
        url: books.url,
        folder: mine,
        key: undefined,
        keep: 9,
        actor: 'test',
        log: silent,
      };
      const taking = keepBackup({ ...options, isProved: false });
      taking.catch(() => undefined); // Told below.
      await expect
        .poll(() =>
          query(
            books.url,
            `select from pg_stat_activity where application_name = 'huvudbok backup'
            and wait_event_type = 'Lock' and datname = current_database()`,
          ).then((rows) => rows.length),
        )
        .toBe(1);
      const second = await keepBackup({ ...options, isProved: false }).catch(String);
      expect(second).toContain('tas eller prövas redan');
      for (const key of ['meanwhile-1', 'meanwhile-2']) {
        expect((await post(key)).statusCode).toBe(200);
      }
      await held.query('commit');
      const { path: file, vouchers } = await taking;
      expect(vouchers).toBe(1);
      const { problems } = await restore(file);
      expect(problems).toEqual([]);
      const [counted] = await query(
        target.url,
        `select (select count(*)::integer from ledger.vouchers) as vouchers,
           (select count(*)::integer from restricted.idempotency) as answers,
           (select sum(last_number)::integer from ledger.series) as numbers`,
      );
      expect(counted).toEqual({ vouchers: 1, answers: 1, numbers: 1 });
      const jobs = `select name, data, state::text, retry_limit, dead_letter from pgboss.job where name = 'order-intake'`;
      const [job] = await query(books.url, jobs);
      expect(job).toMatchObject({ state: 'created', dead_letter: 'order-intake-dead' });
      expect(await query(target.url, jobs)).toEqual([job]);
    } finally {
      await rm(mine, { recursive: true });
      await held.end();
      await books.close();
    }
  });
});

test('a backup of a program that lacked a migration which now stands among its others comes back whole', async () => {
  const entries: { name: string; body: Buffer }[] = [];
  await readContainer(pathOfBegun, undefined, async ({ name, body }) => {
    entries.push({ name, body: Buffer.concat(await Array.fromAsync(body)) });
  });
  const opening = JSON.parse(String(entries[0]?.body));
  const late = '0260-find-refunds-of-orders.sql';
  const migrations = opening.migrations.filter(({ name }: { name: string }) => name !== late);
  expect(migrations).toHaveLength(opening.migrations.length - 1);
  const older = join(folder, 'older.tar.zst');
  const written = async function* () {
    yield { name: firstEntry, body: Buffer.from(JSON.stringify({ ...opening, migrations })) };
    yield* entries.slice(1);
  };
  await writeContainer(older, written(), undefined);
  expect((await restore(older)).problems).toEqual([]);
  const index = `select to_regclass('intake.orders_refunded') is not null as is_there`;
  expect(await query(target.url, index)).toEqual([{ is_there: true }]);
});

describe('a file', () => {
  test('is its owner’s alone, and opened by tar and zstd', async () => {
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await readdir(folder)).filter((name) => name.includes('unfinished'))).toEqual([]);
    if (!(await run('zstd', ['--version']).catch(() => null))) return;
    const { stdout } = await run('tar', ['--zstd', '-tf', path], { maxBuffer: 1e8 });
    expect(stdout.split('\n')).toEqual(
      expect.arrayContaining([firstEntry, 'tables/ledger.vouchers/000001', lastEntry]),
    );
  });

  test.each(['passphrase', 'identity'])(
    'encrypted by %s is opened by it and by nothing else',
    async (kind) => {
      // How it is locked differs, and not what is locked: only one of them is the large one.
      const { url } = kind === 'passphrase' ? begun : original;
      const key =
        kind === 'passphrase'
          ? { passphrase: 'korrekt häst batteri' }
          : { identity: await generateIdentity() };
      const taken = await takeBackup({ url, folder, key });
      expect(taken.path).toMatch(/\.tar\.zst\.age$/);
      expect((await readFile(taken.path)).subarray(0, 21).toString()).toBe('age-encryption.org/v1');
      await expect(inspect(taken.path, undefined)).rejects.toThrow('är krypterad');
      await expect(inspect(taken.path, { passphrase: 'något helt annat' })).rejects.toThrow(
        'öppnar inte',
      );
      await expect(inspect(taken.path, { identity: await generateIdentity() })).rejects.toThrow(
        'öppnar inte',
      );
      // To turn a passphrase into a key takes a second of the processor, so with it all is read once in a quick run.
      if (kind === 'passphrase' && tries(1) === 1) {
        const { heads } = (await inspect(pathOfBegun, undefined)).manifest;
        expect((await inspect(taken.path, key)).manifest.heads).toEqual(heads);
      } else expect((await restore(taken.path, key)).problems).toEqual([]);
    },
  );

  const copy = async (change: (bytes: Buffer) => Buffer): Promise<string> => {
    const file = join(folder, 'changed');
    await writeFile(file, change(await readFile(path)));
    return file;
  };

  test('that is cut anywhere, or has a byte changed, is refused before anything is made', async () => {
    const { size } = await stat(path);
    for (const part of [0.001, 0.3, 0.9, 0.9999]) {
      const file = await copy((bytes) => bytes);
      await truncate(file, Math.floor(size * part));
      await expect(restore(file), `cut at ${part}`).rejects.toThrow('skadad eller avkortad');
      const changed = await copy((bytes) => {
        const place = Math.floor(size * part);
        bytes[place] = (bytes[place] ?? 0) ^ 0x10;
        return bytes;
      });
      await expect(restore(changed), `changed at ${part}`).rejects.toThrow(
        /skadad|ingen säkerhetskopia/,
      );
    }
    expect(await isUntouched()).toBe(true);
  });

  test('of another kind, or that is not there, is refused in a sentence', async () => {
    await expect(restore(join(import.meta.dirname, 'backup.test.ts'))).rejects.toThrow(
      'ingen säkerhetskopia',
    );
    await expect(restore(join(folder, 'nothing'))).rejects.toThrow('Filen finns inte.');
    expect(await isUntouched()).toBe(true);
  });

  test('of a newer program is refused, by its layout and by its schema', async () => {
    const { opening, manifest } = await inspect(path, undefined);
    const write = async (changes: object) => {
      const file = join(folder, 'newer.tar.zst');
      const entry = (name: string, value: object) => ({
        name,
        body: Buffer.from(JSON.stringify(value)),
      });
      const entries = async function* () {
        yield entry(firstEntry, { ...opening, ...changes });
        yield entry(lastEntry, { ...manifest, tables: [] });
      };
      await writeContainer(file, entries(), undefined);
      return file;
    };
    await expect(restore(await write({ version: layoutVersion + 1 }))).rejects.toThrow(
      'nyare Huvudbok',
    );
    const migrations = [...opening.migrations, { name: '9999-of-tomorrow.sql', sha256: 'x' }];
    await expect(restore(await write({ migrations }))).rejects.toThrow('nyare version av Huvudbok');
    const edited = opening.migrations.with(3, { ...opening.migrations[3], sha256: 'x' } as never);
    await expect(restore(await write({ migrations: edited }))).rejects.toThrow('annan version');
    const early = [{ name: '0001-create-restricted.sql', sha256: 'x' }];
    await expect(restore(await write({ migrations: early }))).rejects.toThrow('förhandsversion');
    expect(await isUntouched()).toBe(true);
  });

  test('is not left half written when there is no room', async () => {
    const script = `ulimit -f 8; exec "$0" --input-type=module -e "
      import { takeBackup } from '#src/installation/backups/take.ts';
      await takeBackup({ url: process.env.URL, folder: process.env.FOLDER, key: undefined })
        .catch((error) => console.log(error.message));"`;
    const empty = await mkdtemp(join(tmpdir(), 'huvudbok full '));
    const env = { ...process.env, URL: original.url, FOLDER: empty };
    const { stdout } = await run('bash', ['-c', script, process.execPath], { env });
    expect(stdout).toContain('Disken är full');
    expect(await readdir(empty)).toEqual([]);
    await rm(empty, { recursive: true });
  });
});

describe('is refused', () => {
  test('a database with anything in it', async () => {
    await query(target.url, 'create table public.mine ()');
    await expect(restore()).rejects.toThrow('inte tom');
    const other = await cloneDatabase();
    await expect(
      restoreInto(other.url, () => inspect(path, undefined), {
        path,
        key: undefined,
        log: silent,
      }),
    ).rejects.toThrow('inte tom');
    await other.drop();
  });

  test('the beginning of other books where one is about to be restored, while its file is read', async () => {
    const options = { path, key: undefined, log: silent };
    const bad = Promise.withResolvers<never>();
    bad.promise.catch(() => undefined);
    const reading = Promise.withResolvers<void>();
    const readingHere = Promise.withResolvers<void>();
    const readBy = (begun: PromiseWithResolvers<void>) => () => {
      begun.resolve();
      return bad.promise;
    };
    const became = restoreInto(target.url, readBy(reading), options).catch(String);
    await reading.promise;
    await expect(migrate({ url: target.url, log: silent })).rejects.toThrow('restore igen');
    await expect(checkDatabase(target.url)).rejects.toThrow('restore igen');

    const dataDir = join(folder, 'to come');
    const becameHere = restoreEmbedded(dataDir, readBy(readingHere), options).catch(String);
    await readingHere.promise;
    await expect(startEmbedded({ dataDir, log: silent })).rejects.toThrow('restore igen');

    bad.reject(new OperatorError('Filen är skadad.'));
    expect([await became, await becameHere]).toEqual(
      Array(2).fill(expect.stringMatching('skadad')),
    );
    expect(await isUntouched()).toBe(true);
    await expect(stat(dataDir)).rejects.toThrow('ENOENT');
  });

  test('the use of a database where a restore was cut off, and the one that cleared it away too, until it is restored', async () => {
    const client = new pg.Client({ connectionString: target.url });
    await client.connect();
    await markRestore(client);
    await migrate({ url: target.url, log: silent, restoring: { only: (name) => name < '0125' } });
    await expect(migrate({ url: target.url, log: silent })).rejects.toThrow(
      'huvudbok restore igen',
    );
    await expect(checkDatabase(target.url)).rejects.toThrow('huvudbok restore igen');
    // It waits here for what it would take away, and that is where it dies.
    await client.query('begin; lock table restricted.users in access share mode');
    const cut = restore();
    const dead = expect(cut).rejects.toThrow();
    // Not on the same connection: within a transaction it would go on seeing what it saw first.
    const end = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    const ended = async () => (await query(target.url, end)).length;
    await expect.poll(ended).toBe(1);
    await dead;
    await client.query('rollback');
    await client.end();
    await expect(migrate({ url: target.url, log: silent })).rejects.toThrow('restore igen');
    expect((await restore(pathOfBegun)).problems).toEqual([]);
    await checkDatabase(target.url);
  });
});

describe('kept by the installation', () => {
  test('each is proved and noted, the oldest go, and what fails is told', async () => {
    const mine = await mkdtemp(join(tmpdir(), 'huvudbok kept '));
    const options = {
      url: begun.url,
      folder: mine,
      key: undefined,
      keep: 2,
      actor: 'test',
      log: silent,
    };
    for (const stamp of ['20260101T000000Z', '20260102T000000Z']) {
      await writeFile(join(mine, `huvudbok-${stamp}.tar.zst`), '');
    }
    await writeFile(join(mine, 'mine.txt'), '');
    // It had this process's number before it.
    const dead = processMark.replace(/\d+$/, '1');
    await writeFile(join(mine, `huvudbok-20260101T000000Z.tar.zst.unfinished-${dead}`), '');
    const kept = await keepBackup({ ...options, isProved: true });
    expect(kept.proof?.problems).toEqual([]);
    expect(await listFiles(mine)).toEqual([
      join(mine, 'huvudbok-20260102T000000Z.tar.zst'),
      kept.path,
    ]);
    expect((await readdir(mine)).sort()).toEqual([
      'huvudbok-20260102T000000Z.tar.zst',
      kept.path.split('/').at(-1),
      'mine.txt',
    ]);
    expect(await findNewest(mine)).toBe(kept.path);
    const state = async () =>
      (
        await query(
          begun.url,
          'select verified_at is not null as verified, problems, has_failed from api.last_backup()',
        )
      )[0];
    expect(await state()).toEqual({ verified: true, problems: 0, has_failed: false });
    const nowhere = join(mine, 'mine.txt', 'backups');
    await expect(keepBackup({ ...options, folder: nowhere, isProved: true })).rejects.toThrow(
      'är ingen mapp',
    );
    expect(await state()).toEqual({ verified: true, problems: 0, has_failed: true });
    await rm(mine, { recursive: true });
  });

  test.skipIf(!mayMount).each([20, 70])(
    'on a disk of %i MB says that it is that disk which is full, and leaves what was not proved',
    async (mebibytes) => {
      const disk = new Disk(mebibytes);
      try {
        const options = {
          url: begun.url,
          folder: disk.folder,
          key: undefined,
          keep: 2,
          actor: 'test',
        };
        await expect(keepBackup({ ...options, log: silent, isProved: true })).rejects.toThrow(
          `Disken med ${disk.folder} är full`,
        );
        expect(await readdir(disk.folder)).toEqual([expect.stringMatching(/\.unproved$/)]);
      } finally {
        disk.remove();
      }
    },
  );

  test('is taken whatever locks a worker’s login holds', async () => {
    const mine = await mkdtemp(join(tmpdir(), 'huvudbok held '));
    const worker = await connect(await roleUrl(begun.url, 'hb_worker'), 'test');
    try {
      for (const name of ['huvudbok backup', 'huvudbok backup and proof']) {
        await worker.query('select pg_advisory_lock(hashtextextended($1, 0))', [name]);
      }
      const options = { url: begun.url, folder: mine, key: undefined, keep: 2, actor: 'test' };
      const { path: file } = await keepBackup({ ...options, log: silent, isProved: false });
      expect(await findNewest(mine)).toBe(file);
    } finally {
      await worker.end();
      await rm(mine, { recursive: true });
    }
  });

  test('one that could not be restored counts for nothing, and one interrupted leaves nothing', async () => {
    const mine = await mkdtemp(join(tmpdir(), 'huvudbok unproved '));
    const books = await cloneDatabase('company');
    const options = { url: books.url, folder: mine, key: undefined, keep: 1, actor: 'test' };
    const keep = (log: (line: string) => void, signal?: AbortSignal) =>
      keepBackup({ ...options, isProved: true, log, ...(signal && { signal }) });
    const unproved = async () =>
      (await readdir(mine)).filter((name) => name.endsWith('.unproved')).length;
    const state = async () =>
      (await query(books.url, 'select taken_at, has_failed from api.last_backup()'))[0];
    try {
      // A proof is a server of its own, four seconds of the processor: in a quick run those that are kept have none.
      const good = await keepBackup({ ...options, isProved: false, log: silent });
      const fail = (line: string) => {
        if (line.startsWith('Läser in')) throw new Error('no memory');
      };
      // Of those that were not proved the last alone is left.
      await writeFile(join(mine, 'huvudbok-20260101T000000Z.tar.zst.unproved'), '');
      await expect(keep(fail)).rejects.toThrow('no memory');
      expect(await listFiles(mine)).toEqual([good.path]);
      expect(await unproved()).toBe(1);
      expect(await state()).toEqual({ taken_at: good.taken_at, has_failed: true });

      const stop = new AbortController();
      const interrupted = keep((line) => line.startsWith('Läser in') && stop.abort(), stop.signal);
      await expect(interrupted).rejects.toThrow('Avbrutet');
      expect(await readdir(mine)).toEqual([good.path.split('/').at(-1)]);

      const next = await keepBackup({ ...options, isProved: tries(1) > 1, log: silent });
      expect(await readdir(mine)).toEqual([next.path.split('/').at(-1)]);
      expect(await state()).toEqual({ taken_at: next.taken_at, has_failed: false });

      // A backup, and a failure, of when the clock was a year ahead: else none would be taken until then, and nobody be told.
      await query(
        books.url,
        `insert into restricted.backups (id, taken_at, finished_at, is_own, failure)
         select gen_random_uuid(), now() + interval '1 year', now() + interval '1 year', true, failure
         from (values (null), ('no room')) as v (failure)`,
      );
      expect(await state()).toEqual({ taken_at: next.taken_at, has_failed: false });
      const owner = await connect(books.url, 'test');
      expect(await findLastOwn(db(owner))).toEqual(next.taken_at);
      expect(await findLastBackup(db(owner))).toMatchObject({ taken_at: next.taken_at });
      expect(await findLastFailure(db(owner))).toBeUndefined();
      await owner.end();
    } finally {
      await books.drop();
      await rm(mine, { recursive: true });
    }
  });

  test('one a day, from the hour set, also when the machine was off then', () => {
    const due = (last: string | undefined, now: string) =>
      isDue(
        last === undefined ? undefined : new Date(last),
        new Date(now),
        '02:00',
        'Europe/Stockholm',
      );
    expect(due(undefined, '2026-11-20T12:00:00Z')).toBe(true);
    expect(due('2026-11-20T01:05:00Z', '2026-11-20T12:00:00Z')).toBe(false);
    expect(due('2026-11-20T01:05:00Z', '2026-11-21T00:59:00Z')).toBe(false);
    expect(due('2026-11-20T01:05:00Z', '2026-11-21T01:00:00Z')).toBe(true);
    expect(due('2026-11-18T01:05:00Z', '2026-11-21T00:30:00Z')).toBe(true);
  });
});

test('whoever followed events further than a copy on the same server goes is told that it lacks them', async () => {
  const original = await cloneDatabase('company');
  const begun = 'select events.writing_epoch() as epoch';
  const [first] = await query(original.url, begun);
  const copy = await copyDatabase(original.url);
  const place = `select events.place_before_loss(${first?.['epoch']}, events.run_of(${first?.['epoch']}),
    (pg_snapshot_xmin(pg_current_snapshot())::text::bigint - 1)::text::xid8, 9000000) is not null as is_lost`;
  const [inCopy] = await query(copy.url, place);
  const [inOriginal] = await query(original.url, place);
  const [next] = await query(copy.url, begun);
  expect(inCopy).toEqual({ is_lost: true });
  expect(next?.['epoch']).toBe(Number(first?.['epoch']) + 1);
  expect(inOriginal).toEqual({ is_lost: false });
  await Promise.all([copy.drop(), original.drop()]);
});

test('a dump restored without its roles is told of by everything that would read it as empty', async () => {
  const copy = await cloneDatabase();
  await query(
    copy.url,
    `do $$ declare p record; begin
    for p in select * from pg_policies loop
      execute format('drop policy %I on %I.%I', p.policyname, p.schemaname, p.tablename);
    end loop; end $$`,
  );
  await expect(migrate({ url: copy.url, log: silent })).rejects.toThrow(
    'återställd utan sina roller',
  );
  await expect(checkDatabase(copy.url)).rejects.toThrow('återställd utan sina roller');
  await copy.drop();
});
