/**
 * `npm run soak -- --bank 10000`: so many rows of the bank that name their invoices are booked without a person, while
 * whatever books them is killed again and again; and the proof that each is booked once.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createBankAccount } from '#src/bank/service.ts';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { changeSetting } from '#src/installation/company/service.ts';
import { makeInvoices, paymentsOf, writeStatement } from '../bench/bank.ts';
import { proveBooks } from './books-proof.ts';
import { command } from './command.ts';
import { patiently } from './mischief.ts';
import { isAlive } from './processes.ts';
import { type System, withSystem } from './system.ts';
import { type Violation, Violations } from './violations.ts';

export interface BankReport {
  readonly seed: string;
  readonly rows: number;
  /** What was killed, and how many rows were booked just then. */
  readonly kills: readonly { readonly killed: string; readonly booked: number }[];
  readonly violations: readonly Violation[];
}

const account = '9000000193';
/** Booking that stands still for so long after a kill has been forgotten. */
const still_ms_max = 180_000;
const look_ms = 100;

export async function soakBank(
  { rows, seed }: { readonly rows: number; readonly seed: string },
  { note, stop }: { note: (line: string) => void; stop: AbortSignal },
): Promise<BankReport> {
  const violations = new Violations(note);
  return withSystem(seed, violations, async (system) => {
    const { owner, doors, wires } = system;
    // What judges ten thousand rows reads more than a network that fails lets through at once.
    for (const proxy of [...doors, ...wires]) proxy.calm();
    await withTx(owner, async (tx) => {
      await createBankAccount(tx, { name: 'Banken', ledgerAccount: 1930, number: account }, 'soak');
      await changeSetting(tx, 'bank-booking', 'on', 'soak');
    });
    const path = join(system.folder, 'payments.xml');
    await writeStatement(path, account, paymentsOf(await makeInvoices(owner, rows)));
    note(`${rows} invoices are booked; their payments come in …`);
    const said = await command(system, 'bank', 'import', path, '--json');
    if (said.exitCode !== 0) throw new Error(`bank import failed: ${said.stderr}${said.stdout}`);
    const kills = await killUntilBooked(system, rows, { note, stop, violations });
    note('Holding the books against the rows …');
    for (const fault of await prove(system, rows)) violations.add(fault);
    return { seed, rows, kills, violations: violations.all };
  });
}

/** One after the other, each while rows are being booked. */
const killers: readonly (readonly [string, (system: System) => Promise<void>])[] = [
  ['workers', async ({ hosts }) => hosts.forEach((host) => void host.killPart('upkeep'))],
  ['http', async ({ hosts }) => hosts.forEach((host) => void host.killPart('http'))],
  ['the backend that books', killBookingBackend],
  ['PostgreSQL', killPostgres],
  ['everything', killEverything],
];

async function killUntilBooked(
  system: System,
  rows: number,
  run: { note: (line: string) => void; stop: AbortSignal; violations: Violations },
): Promise<BankReport['kills']> {
  const kills: { killed: string; booked: number }[] = [];
  let [before, since] = [0, Date.now()];
  for (;;) {
    run.stop.throwIfAborted();
    await sleep(look_ms);
    const booked = await countBooked(system);
    if (booked === rows) return kills;
    if (booked > before) {
      const [killed, kill] = killers[kills.length % killers.length] ?? ['', async () => undefined];
      await kill(system);
      run.note(`  killed ${killed} with ${booked} booked`);
      kills.push({ killed, booked });
      [before, since] = [await countBooked(system), Date.now()];
    } else if (Date.now() - since > still_ms_max) {
      run.violations.add(`booking stood still at ${booked} of ${rows} rows`);
      return kills;
    }
  }
}

async function countBooked({ owner }: System): Promise<number> {
  return patiently(owner, async (tx) => {
    const [found] = await tx.query<{ count: number }>(
      sql`select count(*)::integer as count from bank.transactions where voucher_id is not null`,
    );
    return found?.count ?? 0;
  });
}

/** In the midst of a transaction that has posted something, where there is one: the accounts of the bank are held then. */
async function killBookingBackend(system: System): Promise<void> {
  const [found] = await db(system.owner).query<{ pid: number }>(
    sql`select l.pid from pg_locks l join pg_stat_activity a on a.pid = l.pid
        where l.relation = 'ledger.voucher_rows'::regclass and l.mode = 'RowExclusiveLock'
          and l.pid <> pg_backend_pid() limit 1`,
  );
  const { backends } = await system.postgres();
  const pid = found?.pid ?? backends[0];
  if (pid !== undefined) process.kill(pid, 'SIGKILL');
  await areGone(backends);
}

async function killPostgres(system: System): Promise<void> {
  const { postmaster, backends } = await system.postgres();
  process.kill(postmaster, 'SIGKILL');
  await areGone([postmaster, ...backends]);
}

async function killEverything(system: System): Promise<void> {
  await Promise.all([killPostgres(system), ...system.hosts.map((host) => host.kill())]);
  for (const host of system.hosts) {
    await host.start();
    await host.becomesReady();
  }
}

async function areGone(pids: readonly number[]): Promise<void> {
  for (let tries = 0; tries < 1200 && pids.some(isAlive); tries += 1) await sleep(50);
}

interface Counted {
  readonly rows: number;
  readonly row_vouchers: number;
  readonly payments: number;
  readonly paid_invoices: number;
  readonly open_invoices: number;
  readonly vouchers: number;
  readonly matched: number;
  readonly bank_differs: bigint;
  readonly owed_differs: bigint;
}

async function prove(system: System, rows: number): Promise<string[]> {
  const { owner } = system;
  const [counted] = await db(owner).query<Counted>(sql`select
    (select count(*)::integer from bank.transactions where voucher_id is not null) as rows,
    (select count(distinct voucher_id)::integer from bank.transactions) as row_vouchers,
    (select count(*)::integer from sales.payments) as payments,
    (select count(distinct invoice_id)::integer from sales.payments) as paid_invoices,
    (select count(*)::integer from sales.invoices where open_ore <> 0) as open_invoices,
    (select count(*)::integer from ledger.vouchers) as vouchers,
    (select count(distinct subject)::integer from audit.events where action = 'bank.matched') as matched,
    (select coalesce(sum(debit_ore - credit_ore), 0)::bigint from ledger.voucher_rows where account = 1930)
      - (select coalesce(sum(amount_ore), 0)::bigint from bank.transactions) as bank_differs,
    (select coalesce(sum(debit_ore - credit_ore), 0)::bigint from ledger.voucher_rows where account = 1510)
      as owed_differs`);
  const expected: Counted = {
    ...{ rows, row_vouchers: rows, payments: rows, paid_invoices: rows, open_invoices: 0 },
    ...{ vouchers: 2 * rows, matched: rows, bank_differs: 0n, owed_differs: 0n },
  };
  const faults = Object.entries(expected).flatMap(([name, wanted]) => {
    const found = counted?.[name as keyof Counted];
    return found === wanted ? [] : [`${name} is ${found} and not ${wanted}`];
  });
  const verified = await command(system, 'verify', '--json');
  if (verified.exitCode !== 0) faults.push(`verify: ${verified.stdout}${verified.stderr}`);
  return [...faults, ...(await proveBooks(owner))];
}
