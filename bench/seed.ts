/**
 * Fills the books with many vouchers, fast and honestly: through ledger.post_vouchers, so that numbers,
 * hashes and balances are what they would be. Eight series, three years, sixty accounts that are used
 * as unevenly as real ones. The same vouchers each time.
 */

import { createPool, db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { addDays, daysBetween, lastDayOfMonth } from '#src/domain/basics/dates.ts';
import {
  type LedgerRow,
  type LedgerVoucher,
  postToLedger,
} from '#src/ledger/vouchers/posting-store.ts';
import { uuid } from '#src/lib/uuid.ts';
import { analyze, type System, years } from './system.ts';

const actor = 'job:bench-seed';
const batch_size = 500;
const writers = 4;
const accounts_count = 60;

/** Parts of a thousand. Of a million vouchers fifty are on S, spread over all three years. */
const series_shares = { A: 500, B: 230, C: 120, D: 80, E: 50, M: 15, P: 4.95, S: 0.05 } as const;
export const series = { common: 'A', rare: 'S' } as const;
export const accounts = { common: 1930, rare: 8999 } as const;
/** Of a million vouchers some sixty are on the rare account. */
const rare_account_share = 0.00006;

/** Posts what is missing of `wanted` seeded vouchers; tells how many that was and how fast. */
export async function seed(
  system: Pick<System, 'owner' | 'url'>,
  wanted: number,
  note: (line: string) => void,
): Promise<{ posted: number; per_second: number }> {
  const [known] = await db(system.owner).query<{ count: number }>(
    sql`select count(*)::integer as count from ledger.vouchers where posted_by = ${actor}`,
  );
  const missing = wanted - (known?.count ?? 0);
  if (missing <= 0) return { posted: 0, per_second: 0 };
  const batches = makeBatches(missing, await listAccounts(system));
  const pool = createPool({
    // No worker may give vouchers the origin of callers' ones.
    url: system.url,
    max: writers,
    applicationName: 'bench seed',
  });
  const started = performance.now();
  const rate = () => posted / ((performance.now() - started) / 1000);
  let posted = 0;
  let told = 0;
  async function write(): Promise<void> {
    for (const batch of batches) {
      await withTx(pool, async (tx) => {
        const refused = (await postToLedger(tx, batch)).find(({ error }) => error !== null);
        if (refused) throw new Error(`a seed voucher was refused: ${JSON.stringify(refused)}`);
      });
      posted += batch.length;
      if (posted - told < missing / 20) continue;
      told = posted;
      note(`  ${posted} of ${missing} vouchers, ${Math.round(rate())}/s`);
    }
  }
  try {
    await Promise.all(Array.from({ length: writers }, write));
  } finally {
    await pool.end();
  }
  const per_second = rate();
  await analyze(system);
  return { posted, per_second };
}

/** The most used account first. */
async function listAccounts(system: Pick<System, 'owner'>): Promise<number[]> {
  const rows = await db(system.owner).query<{ number: number }>(
    sql`select number from ledger.accounts where is_active and number <> ${accounts.common}
        and number <> ${accounts.rare} order by md5(number::text) limit ${accounts_count - 2}`,
  );
  return [accounts.common, ...rows.map(({ number }) => number)];
}

/**
 * In the order that they came to be, whatever series: four writers that take the next batch each then
 * meet on one series as rarely as the series' shares allow.
 */
function* makeBatches(count: number, ranked: readonly number[]): Generator<LedgerVoucher[]> {
  const random = randomFrom(20_260_101);
  const pickAccount = zipf(ranked, random);
  const rounds = Math.max(1, Math.round(count / 20_000));
  const all = Object.values(series_shares).reduce((sum, share) => sum + share, 0);
  const owed = Object.fromEntries(Object.keys(series_shares).map((code) => [code, 0]));
  for (let round = 0; round < rounds; round += 1) {
    const [start, end] = [place(round / rounds), place((round + 1) / rounds)];
    for (const [code, share] of Object.entries(series_shares)) {
      const due = (count * share * (round + 1)) / (rounds * all) - (owed[code] ?? 0);
      const amount = round === rounds - 1 ? Math.round(due) : Math.floor(due);
      owed[code] = (owed[code] ?? 0) + amount;
      const vouchers = Array.from({ length: amount }, (_, n) =>
        makeVoucher(code, dateBetween(start, end, n / amount), pickAccount, random),
      );
      for (let from = 0; from < amount; from += batch_size) {
        yield vouchers.slice(from, from + batch_size);
      }
    }
  }
}

const first_day = `${years[0]}-01-01`;
/** Nobody has a month of vouchers dated after today's: what is to come is read row by row. */
const last_day = [lastDayOfMonth(new Date().toISOString().slice(0, 10)), `${years.at(-1)}-12-31`]
  .toSorted()
  .at(0);
const days = daysBetween(first_day, last_day ?? first_day) + 1;
const place = (share: number): number => share * days;

function dateBetween(start: number, end: number, share: number): string {
  return addDays(first_day, Math.min(days - 1, Math.floor(start + (end - start) * share)));
}

function makeVoucher(
  code: string,
  date: string,
  pickAccount: () => number,
  random: () => number,
): LedgerVoucher {
  const parts = 1 + Math.floor(random() * 3);
  const credits = Array.from({ length: parts }, () => BigInt(100 + Math.floor(random() * 900_000)));
  const total = credits.reduce((sum, ore) => sum + ore, 0n);
  const row = (account: number, debitOre: bigint, creditOre: bigint): LedgerRow => ({
    account,
    debitOre,
    creditOre,
  });
  return {
    id: uuid(),
    series: code,
    date,
    description: `Verifikation ${code} ${date} ${Math.floor(random() * 100_000)}`,
    counterparty: random() < 0.5 ? `Motpart ${Math.floor(random() * 5000)} AB` : null,
    source: 'api',
    actor,
    rows: [row(pickAccount(), total, 0n), ...credits.map((ore) => row(pickAccount(), 0n, ore))],
  };
}

/** Accounts as unevenly used as words in a language: the k:th a k:th as often. */
function zipf(ranked: readonly number[], random: () => number): () => number {
  const weights = ranked.map((_, index) => 1 / (index + 1));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return () => {
    if (random() < rare_account_share / 3) return accounts.rare;
    let left = random() * sum;
    const index = weights.findIndex((weight) => {
      left -= weight;
      return left <= 0;
    });
    return ranked[index === -1 ? 0 : index] ?? accounts.common;
  };
}

/** Small, and the same numbers every time (mulberry32). */
function randomFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
