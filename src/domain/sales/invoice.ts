/**
 * The amounts of a customer invoice. VAT is computed on the sum of each rate and rounded once, as
 * Skatteverket and EN 16931 (BR-CO-17) do; rounding row by row drifts: three times 33,33 at 25 %
 * holds 20,00 in VAT, not 20,01. What each row shows is shared out, so that rows sum to totals.
 */
import { apportion, lineAmount, type Ore, sum } from '../basics/money.ts';
import { outputVatAccount, type VatRate, vatFromGross, vatFromNet } from '../ledger/vat.ts';
import type { PostingRow } from '../ledger/voucher.ts';

export const receivablesAccount = 1510;
export const roundingAccount = 3740;
/** Reminder fees are compensation, not a supply: no VAT. */
export const reminderFeeAccount = 3999;

/** What a row must say before it can be priced. */
export interface PriceableRow {
  readonly quantityE4: bigint;
  readonly unitPriceE4: bigint;
  readonly vatRate: VatRate;
}

export interface RowAmounts {
  readonly netOre: Ore;
  readonly vatOre: Ore;
}

export interface InvoiceRow extends PriceableRow, RowAmounts {
  /** 1 for the first row. */
  readonly rowNo: number;
  readonly articleNumber: string | null;
  readonly description: string;
  /** Revenue account. */
  readonly account: number;
}

/** `totalOre` = net + VAT + rounding; the rounding bears no VAT (lag 1970:1029). */
export interface InvoiceTotals extends RowAmounts {
  readonly roundingOre: Ore;
  readonly totalOre: Ore;
}

/**
 * Unit prices without VAT: row net = round(quantity × price), VAT per rate = round(Σ net × rate).
 */
export function priceRowsExcludingVat<Row extends PriceableRow>(
  rows: readonly Row[],
): (Row & RowAmounts)[] {
  return priceByRate(rows, (amounts, rate) => {
    const shares = amounts.map((net) => net * BigInt(rate));
    const vat = apportion(vatFromNet(sum(amounts), rate), shares, 100n);
    return amounts.map((netOre, index) => ({ netOre, vatOre: vat[index] ?? 0n }));
  });
}

/**
 * Unit prices with VAT, the back-calculation: per rate VAT = round(Σ gross × r / (100 + r)) and net
 * = gross − VAT, so that net + VAT is what was paid to the öre. Computing VAT from a rounded net
 * cannot do that: one amount in five has no net in whole öre that gives it back at 25 %.
 */
export function priceRowsIncludingVat<Row extends PriceableRow>(
  rows: readonly Row[],
): (Row & RowAmounts)[] {
  return priceByRate(rows, (amounts, rate) => {
    const gross = sum(amounts);
    const shares = amounts.map((amount) => amount * 100n);
    const net = apportion(gross - vatFromGross(gross, rate), shares, BigInt(100 + rate));
    return amounts.map((amount, index) => {
      const netOre = net[index] ?? 0n;
      return { netOre, vatOre: amount - netOre };
    });
  });
}

export function totalsOf(rows: readonly RowAmounts[], roundingOre: Ore): InvoiceTotals {
  const netOre = sum(rows.map((row) => row.netOre));
  const vatOre = sum(rows.map((row) => row.vatOre));
  return { netOre, vatOre, roundingOre, totalOre: netOre + vatOre + roundingOre };
}

/** A credit note takes an invoice back: same amounts, every voucher row on the other side. */
export type InvoiceKind = 'invoice' | 'credit_note';

/**
 * The voucher rows of an invoice: debit receivables by the total, credit revenue per account,
 * output VAT per rate and rounding; of a credit note the reverse. A negative sum changes side, a
 * zero sum has no row. Rows that cancel out still move revenue and VAT between accounts. Where
 * nothing remains on any account there is a row of zero for each account of the invoice: no voucher
 * is made of them (`sales.book_invoices`), but accounts, fiscal year and locks are judged by them.
 */
export function invoiceVoucherRows(
  invoice: {
    readonly rows: readonly Pick<InvoiceRow, 'account' | 'vatRate' | 'netOre' | 'vatOre'>[];
    readonly totals: InvoiceTotals;
  },
  kind: InvoiceKind = 'invoice',
): PostingRow[] {
  const { totals } = invoice;
  const credits = new Map<number, Ore>();
  const vatCredits = new Map<number, Ore>();
  for (const row of invoice.rows) {
    add(credits, row.account, row.netOre);
    const vatAccount = outputVatAccount(row.vatRate);
    if (vatAccount !== null) add(vatCredits, vatAccount, row.vatOre);
  }
  const made = sum(credits.values()) + sum(vatCredits.values()) + totals.roundingOre;
  if (made !== totals.totalOre) {
    throw new RangeError(`invoice rows make ${made} öre, its total says ${totals.totalOre}`);
  }
  const posted = [
    posting(receivablesAccount, -totals.totalOre),
    ...byAccount(credits),
    ...byAccount(vatCredits),
    posting(roundingAccount, totals.roundingOre),
  ].filter((row) => row.debitOre !== row.creditOre);
  const rows = posted.length > 0 ? posted : byAccount(credits);
  if (kind === 'invoice') return rows;
  return rows.map(({ account, debitOre, creditOre }) => ({
    account,
    debitOre: creditOre,
    creditOre: debitOre,
  }));
}

/** Prices the rows of each rate together and puts them back in their order. */
function priceByRate<Row extends PriceableRow>(
  rows: readonly Row[],
  price: (amounts: readonly Ore[], rate: VatRate) => RowAmounts[],
): (Row & RowAmounts)[] {
  const priced: (Row & RowAmounts)[] = [];
  for (const [rate, group] of Map.groupBy(rows.entries(), ([, row]) => row.vatRate)) {
    const amounts = group.map(([, row]) => lineAmount(row.quantityE4, row.unitPriceE4));
    const shares = price(amounts, rate);
    for (const [position, [index, row]] of group.entries()) {
      priced[index] = { ...row, ...(shares[position] ?? { netOre: 0n, vatOre: 0n }) };
    }
  }
  return priced;
}

function add(sums: Map<number, Ore>, account: number, amount: Ore): void {
  sums.set(account, (sums.get(account) ?? 0n) + amount);
}

function byAccount(sums: ReadonlyMap<number, Ore>): PostingRow[] {
  return [...sums].sort(([a], [b]) => a - b).map(([account, ore]) => posting(account, ore));
}

/** A credit of this many öre, or a debit when it is negative. */
function posting(account: number, creditOre: Ore): PostingRow {
  return creditOre < 0n
    ? { account, debitOre: -creditOre, creditOre: 0n }
    : { account, debitOre: 0n, creditOre };
}
