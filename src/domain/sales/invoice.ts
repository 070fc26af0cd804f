/**
 * The amounts of a customer invoice. VAT is computed on the sum of each rate and rounded once, as
 * Skatteverket and EN 16931 (BR-CO-17) do; rounding row by row drifts: three times 33,33 at 25 %
 * holds 20,00 in VAT, not 20,01. What each row shows is shared out, so that rows sum to totals.
 */
import { apportion, divideRounded, lineAmount, type Ore, sum, wholeE2 } from '../basics/money.ts';
import { outputVatAccount, type VatRate, vatFromGross, vatFromNet } from '../ledger/vat.ts';
import type { PostingRow } from '../ledger/voucher.ts';

export const receivablesAccount = 1510;
export const roundingAccount = 3740;
/** Reminder fees are compensation, not a supply: no VAT. */
export const reminderFeeAccount = 3999;

/** What a row must say before it can be priced. */
export interface PriceableRow {
  readonly quantityE4: bigint;
  /** Before the discount. */
  readonly unitPriceE4: bigint;
  /** Taken off quantity × unit price, in hundredths of a per cent; 0 for none. */
  readonly discountE2: bigint;
  readonly vatRate: VatRate;
}

export interface RowAmounts {
  readonly netOre: Ore;
  readonly vatOre: Ore;
}

/** A row as somebody wants it invoiced, whichever way it came. */
export interface DraftRow extends PriceableRow {
  readonly articleNumber: string | null;
  readonly description: string;
  /** What the quantity counts, in the words it came with (`tim`); null when nobody has said. */
  readonly unit: string | null;
  /** Revenue account. */
  readonly account: number;
}

/** What a row says that nobody has said more of. */
export const plainRow = { articleNumber: null, unit: null, discountE2: 0n } as const;

/** A row of an invoice or a credit note; of a draft as well as of a booked one. */
export interface InvoiceRow extends DraftRow, RowAmounts {
  /** 1 for the first row. */
  readonly rowNo: number;
  /** Of a credit note: takes off the price of that row of its invoice, and gives no quantity back. */
  readonly isPriceReduction?: boolean;
}

export const unitLengthMax = 20;

export const isOneLine = (text: string): boolean => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text);

export const isUnit = (text: string): boolean =>
  text.trim() !== '' && [...text].length <= unitLengthMax && isOneLine(text);

export const isDiscount = (percentE2: bigint): boolean => percentE2 >= 0n && percentE2 <= wholeE2;

/** `totalOre` = net + VAT + rounding; the rounding bears no VAT (lag 1970:1029). */
export interface InvoiceTotals extends RowAmounts {
  readonly roundingOre: Ore;
  readonly totalOre: Ore;
}

/** What a row comes to after its discount, by its own unit price: with VAT where that is. */
export const rowAmount = (row: Omit<PriceableRow, 'vatRate'>): Ore =>
  lineAmount(row.quantityE4, row.unitPriceE4, row.discountE2);

/**
 * The unit price without VAT and before the discount, as the law wants it on paper (ML 17 kap. 24 §).
 * Where prices include VAT it is what the net comes to.
 */
export function unitPriceWithoutVatE4(
  row: PriceableRow & RowAmounts,
  pricesIncludeVat: boolean,
): bigint {
  if (!pricesIncludeVat || row.vatRate === 0) return row.unitPriceE4;
  const share = row.quantityE4 * (wholeE2 - row.discountE2);
  return share === 0n
    ? divideRounded(row.unitPriceE4 * 100n, BigInt(100 + row.vatRate))
    : divideRounded(row.netOre * 1_000_000n * wholeE2, share);
}

/**
 * Unit prices without VAT: row net = round(quantity × price × (1 − discount)), VAT per rate =
 * round(Σ net × rate).
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
    const amounts = group.map(([, row]) => rowAmount(row));
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
