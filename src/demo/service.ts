/** An example company: a few months of plausible books and a key that opens everything. */

import { setUp } from '../company/service.ts';
import { insertCustomer } from '../customers/store.ts';
import type { Tx } from '../db/pool.ts';
import { sql } from '../db/sql.ts';
import { addDays, addMonths } from '../domain/dates.ts';
import { createKey } from '../keys/service.ts';
import { OperatorError } from '../operator-error.ts';
import { uuid } from '../uuid.ts';
import { type LedgerRow, type LedgerVoucher, postToLedger } from '../vouchers/ledger.ts';

const COMPANY = 'Exempelbolaget AB';
/** A number of the right form and check digit that no company has been given. */
const ORGANIZATION_NUMBER = '5599990008';
const YEAR = 2026;
const DEMO_QUOTA = 100_000;

export interface Demo {
  readonly company: string;
  readonly vouchers: number;
  /** Null when the company was there already: a secret is shown once. */
  readonly key: string | null;
}

/** The demo company as it stands, undefined in an empty installation. */
export async function readDemo(tx: Tx): Promise<Demo | undefined> {
  const [company] = await tx.query<{ name: string; organization_number: string }>(
    sql`select name, organization_number from restricted.company`,
  );
  if (!company) return undefined;
  if (company.organization_number !== ORGANIZATION_NUMBER) {
    throw new OperatorError(
      `Installationen tillhör ${company.name}; exempelföretaget läggs bara i en tom. Prova med en egen DATA_DIR.`,
    );
  }
  const [count] = await tx.query<{ vouchers: number }>(
    sql`select count(*)::integer as vouchers from ledger.vouchers`,
  );
  return { company: COMPANY, vouchers: count?.vouchers ?? 0, key: null };
}

export async function seedDemo(tx: Tx, actor: string): Promise<Demo> {
  await setUp(
    tx,
    {
      company: COMPANY,
      organizationNumber: ORGANIZATION_NUMBER,
      fiscalYear: { year: YEAR, start: `${YEAR}-01-01`, end: `${YEAR}-12-31` },
      owner: null,
    },
    actor,
  );
  await insertCustomer(tx, {
    name: 'Kaffekoppen i Umeå AB',
    email: 'ekonomi@kaffekoppen.example',
    paymentTermsDays: 30,
  });
  const vouchers = demoVouchers(actor);
  const outcomes = await postToLedger(tx, vouchers);
  const refused = outcomes.find(({ error }) => error !== null);
  if (refused) throw new Error(`a demo voucher was refused: ${JSON.stringify(refused)}`);
  const { key } = await createKey(
    tx,
    {
      name: 'Exempelnyckel',
      scopes: ['data:read', 'intake:write', 'ledger:write'],
      quotaPerHour: DEMO_QUOTA,
      expiresAt: null,
    },
    actor,
  );
  return { company: COMPANY, vouchers: vouchers.length, key };
}

interface Event {
  readonly day: number;
  readonly description: string;
  readonly counterparty: string;
  /** Debit and credit in whole kronor, by account. */
  readonly debit: Readonly<Record<number, number>>;
  readonly credit: Readonly<Record<number, number>>;
}

/** What happens in a month; `growth` makes the months differ. */
function monthOfEvents(growth: number): Event[] {
  const sales = 40_000 + 2_000 * growth;
  return [
    {
      day: 0,
      description: 'Hyra kontor',
      counterparty: 'Fastighets AB Hörnet',
      debit: { 5010: 8_000, 2641: 2_000 },
      credit: { 1930: 10_000 },
    },
    {
      day: 9,
      description: 'Inköp varor',
      counterparty: 'Grossisten i Borås AB',
      debit: { 4000: sales * 0.4, 2641: sales * 0.1 },
      credit: { 1930: sales * 0.5 },
    },
    {
      day: 14,
      description: 'Försäljning butik',
      counterparty: 'Kontantkunder',
      debit: { 1930: sales * 1.25 },
      credit: { 3001: sales, 2611: sales * 0.25 },
    },
    {
      day: 24,
      description: 'Telefon och internet',
      counterparty: 'Nätbolaget AB',
      debit: { 6212: 400, 2641: 100 },
      credit: { 1930: 500 },
    },
  ];
}

function demoVouchers(actor: string): LedgerVoucher[] {
  const start = `${YEAR}-01-01`;
  const opening: Event = {
    day: 0,
    description: 'Aktiekapital',
    counterparty: 'Ägarna',
    debit: { 1930: 100_000 },
    credit: { 2081: 100_000 },
  };
  const months = Array.from({ length: 9 }, (_, index) => index);
  return [
    toVoucher(opening, start, actor),
    ...months.flatMap((index) =>
      monthOfEvents(index).map((event) => toVoucher(event, addMonths(start, index), actor)),
    ),
  ];
}

function toVoucher(event: Event, month: string, actor: string): LedgerVoucher {
  return {
    id: uuid(),
    series: 'A',
    date: addDays(month, event.day),
    description: event.description,
    counterparty: event.counterparty,
    source: 'app',
    actor,
    rows: [
      ...Object.entries(event.debit).map(([account, kronor]) => row(account, kronor, 0)),
      ...Object.entries(event.credit).map(([account, kronor]) => row(account, 0, kronor)),
    ],
  };
}

function row(account: string, debit: number, credit: number): LedgerRow {
  return {
    account: Number(account),
    debitOre: BigInt(Math.round(debit)) * 100n,
    creditOre: BigInt(Math.round(credit)) * 100n,
  };
}
