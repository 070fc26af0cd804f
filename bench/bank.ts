/**
 * (n) The bank: a statement of 100 000 entries by command, and 10 000 payments that name their invoices booked without a
 * person. The processor's time is told beside the clock's, since other work may share the machine.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { bookExact, suggestMatches } from '#src/bank/matching/service.ts';
import { createBankAccount } from '#src/bank/service.ts';
import { db, type Pool, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { addDays } from '#src/domain/basics/dates.ts';
import { priceRowsExcludingVat, totalsOf } from '#src/domain/sales/invoice.ts';
import { uuid } from '#src/lib/uuid.ts';
import { insertDrafts, type NewInvoice } from '#src/sales/invoices/create-store.ts';
import { bookInvoices } from '#src/sales/invoices/service.ts';
import type { Figure } from './figure.ts';
import { readMemory } from './processes.ts';
import { analyze, type System } from './system.ts';
import { watch } from './watch.ts';

const payments_count = 10_000;
const entries_count = 100_000;
const booked_seconds_wanted = 15;
const import_seconds_wanted = 30;
const import_mb_wanted = 400;
const actor = 'job:bench';
const batch_size = 500;
const today = new Date().toISOString().slice(0, 10);
const memory_every_ms = 100;

export async function measureBank(system: System, note: (line: string) => void): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'huvudbok-bench-bank-'));
  try {
    return [await measureImport(system, folder), ...(await measureBooking(system, folder, note))];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export interface Entry {
  readonly day: string;
  readonly ore: bigint;
  readonly details: string;
}

/** On a ledger account that no other bank account has: a kept folder has those of earlier runs. */
async function makeAccount({ owner }: System, name: string): Promise<string> {
  const [free] = await db(owner).query<{ account: number }>(
    sql`select number as account from ledger.accounts where is_active and number between 1910 and 1979
        and number not in (select ledger_account from bank.accounts) order by number <> 1930, number limit 1`,
  );
  if (!free) throw new Error('every account for banks has one: use another folder');
  const number = `9000000${free.account}`;
  await withTx(owner, (tx) =>
    createBankAccount(tx, { name, ledgerAccount: free.account, number }, actor),
  );
  return number;
}

/** A statement of camt.053 in kronor that came in from nothing. */
export async function writeStatement(
  path: string,
  account: string,
  entries: readonly Entry[],
): Promise<void> {
  const kronor = (ore: bigint) => `${ore / 100n}.${String(ore % 100n).padStart(2, '0')}`;
  const closing = entries.reduce((sum, { ore }) => sum + ore, 0n);
  const balance = (code: string, ore: bigint, day = '') =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="SEK">${kronor(ore)}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`;
  const [first, last] = [entries[0]?.day ?? today, entries.at(-1)?.day ?? today];
  const lines = entries.map(
    ({ day, ore, details }, place) =>
      `<Ntry><NtryRef>${place}</NtryRef><Amt Ccy="SEK">${kronor(ore)}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${day}</Dt></BookgDt><ValDt><Dt>${day}</Dt></ValDt><BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>ATXN</SubFmlyCd></Fmly></Domn></BkTxCd><NtryDtls><TxDtls>${details}</TxDtls></NtryDtls><AddtlNtryInf>Bankgiroinbetalning</AddtlNtryInf></Ntry>`,
  );
  await writeFile(
    path,
    [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>M</MsgId></GrpHdr>',
      `<Stmt><FrToDt><FrDtTm>${first}T00:00:00</FrDtTm><ToDtTm>${last}T23:59:59</ToDtTm></FrToDt><Acct><Id><Othr><Id>${account}</Id></Othr></Id><Ccy>SEK</Ccy></Acct>`,
      balance('OPBD', 0n, first),
      balance('CLBD', closing, last),
      ...lines,
      '</Stmt></BkToCstmrStmt></Document>',
    ].join('\n'),
  );
}

/** Out of so many who pay. */
const payers_count = 5000;

const named = (ocr: string, payer: number): string =>
  `<Refs><AcctSvcrRef>REF${ocr}</AcctSvcrRef></Refs><RltdPties><Dbtr><Nm>Betalare ${payer} AB</Nm></Dbtr><DbtrAcct><Id><Othr><Id>${5_000_000 + payer}</Id><SchmeNm><Prtry>BGNR</Prtry></SchmeNm></Othr></Id></DbtrAcct></RltdPties><RmtInf><Strd><CdtrRefInf><Tp><CdOrPrtry><Cd>SCOR</Cd></CdOrPrtry></Tp><Ref>${ocr}</Ref></CdtrRefInf></Strd></RmtInf>`;

/** A row for each invoice, which names it. */
export const paymentsOf = (invoices: readonly { readonly ocr: string; readonly ore: bigint }[]) =>
  invoices.map(
    ({ ocr, ore }, place): Entry => ({
      day: addDays('2026-06-01', Math.floor((place * 100) / invoices.length)),
      ore,
      details: named(ocr, place % payers_count),
    }),
  );

/** `huvudbok bank import` as a process of its own. */
async function importFile({ url }: System, path: string): Promise<{ seconds: number; mb: number }> {
  const entry = fileURLToPath(new URL('../src/cli/huvudbok.ts', import.meta.url));
  const begun = performance.now();
  const child = spawn(process.execPath, [entry, 'bank', 'import', path, '--json'], {
    env: { ...process.env, DATABASE_URL: url, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  let mb = 0;
  while (child.exitCode === null && child.signalCode === null) {
    const { peak_mb } = await readMemory(child.pid ?? 0);
    if (peak_mb > mb) mb = peak_mb;
    await Promise.race([sleep(memory_every_ms), ended]);
  }
  if (child.exitCode !== 0) throw new Error(`bank import ended with ${child.exitCode}`);
  return { seconds: (performance.now() - begun) / 1000, mb };
}

async function measureImport(system: System, folder: string): Promise<Figure> {
  const account = await makeAccount(system, 'Import');
  const path = join(folder, 'import.xml');
  const entries = Array.from({ length: entries_count }, (_, place): Entry => {
    const day = addDays('2026-01-01', Math.floor((place * 300) / entries_count));
    return {
      day,
      ore: BigInt(10_000 + ((place * 7919) % 900_000)),
      details: named(String(900_000_000_000 + place), place % payers_count),
    };
  });
  await writeStatement(path, account, entries);
  const { result, usage } = await watch(system, () => importFile(system, path));
  const { seconds, mb } = result;
  return {
    measurement: 'bank',
    what: `${entries_count} entries of camt.053 with a payment each, by command`,
    value: `${seconds.toFixed(1)} s, ${Math.round(mb)} MB`,
    wanted: `< ${import_seconds_wanted} s, < ${import_mb_wanted} MB`,
    is_met: seconds < import_seconds_wanted && mb < import_mb_wanted,
    usage,
  };
}

async function measureBooking(
  system: System,
  folder: string,
  note: (line: string) => void,
): Promise<Figure[]> {
  const { owner } = system;
  // The rows of the import are many that nothing fits, as no company leaves them.
  await withTx(owner, (tx) => tx.query(sql`update bank.accounts set is_active = false`));
  const account = await makeAccount(system, 'Betalningar');
  const invoices = await makeInvoices(owner, payments_count);
  note(`  ${invoices.length} invoices are booked`);
  const path = join(folder, 'payments.xml');
  await writeStatement(path, account, paymentsOf(invoices));
  await importFile(system, path);
  await analyze(system);
  const begunView = performance.now();
  await suggestMatches(db(owner));
  const view_ms = performance.now() - begunView;
  const { result, usage } = await watch(system, async () => {
    const begun = performance.now();
    const booked = await bookExact(owner, { today, actor });
    return { booked, seconds: (performance.now() - begun) / 1000 };
  });
  if (result.booked !== payments_count) throw new Error(`${result.booked} rows were booked`);
  return [
    {
      measurement: 'bank',
      what: `${payments_count} exact rows booked`,
      value: `${result.seconds.toFixed(1)} s`,
      wanted: `< ${booked_seconds_wanted} s`,
      is_met: result.seconds < booked_seconds_wanted,
      usage,
    },
    {
      measurement: 'bank',
      what: 'what 2 000 rows may be, found once',
      value: `${Math.round(view_ms)} ms`,
    },
  ];
}

/** Booked invoices, each of which a row of the bank is to pay, with what such a row says. */
export async function makeInvoices(
  owner: Pool,
  count: number,
): Promise<{ ocr: string; ore: bigint }[]> {
  const [customer] = await db(owner).query<{ id: string }>(
    sql`select collective_customer_id as id from restricted.company`,
  );
  const made: string[] = [];
  for (let from = 0; from < count; from += batch_size) {
    const drafts = Array.from({ length: Math.min(batch_size, count - from) }, (_, n) =>
      draftOf(customer?.id ?? '', BigInt(100 + ((from + n) % 900))),
    );
    await withTx(owner, async (tx) => {
      await insertDrafts(tx, drafts);
      await bookInvoices(
        tx,
        drafts.map(({ id }) => id),
        actor,
      );
    });
    made.push(...drafts.map(({ id }) => id));
  }
  return db(owner).query(
    sql`select ocr, total_ore as ore from sales.invoices where id = any (${made}::uuid[]) order by number`,
  );
}

function draftOf(customerId: string, kronor: bigint): NewInvoice {
  const rows = priceRowsExcludingVat([
    {
      ...{ quantityE4: 10_000n, unitPriceE4: kronor * 10_000n, unit: null, discountE2: 0n },
      ...{ vatRate: 25, account: 3001, rowNo: 1, articleNumber: null, description: 'Tjänst' },
    },
  ]);
  return {
    id: uuid(),
    source: 'api',
    createdBy: actor,
    customerId,
    invoiceDate: '2026-05-01',
    dueDate: '2026-05-31',
    paymentTermsDays: 30,
    pricesIncludeVat: false,
    yourReference: null,
    notes: null,
    debtor: { name: 'Kund' },
    rows,
    totals: totalsOf(rows, 0n),
  };
}
