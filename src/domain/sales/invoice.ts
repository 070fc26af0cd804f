/**
 * The amounts of a customer invoice. VAT is computed on the sum of each rate and rounded once, as
 * Skatteverket and EN 16931 (BR-CO-17) do; rounding row by row drifts: three times 33,33 at 25 %
 * holds 20,00 in VAT, not 20,01. What each row shows is shared out, so that rows sum to totals.
 */
import { apportion, divideRounded, lineAmount, type Ore, sum, wholeE2 } from '../basics/money.ts';
import {
  oneStopShopAccount,
  outputVatAccount,
  percentE2,
  type VatRate,
  vatFromGross,
  vatFromNet,
} from '../ledger/vat.ts';
import type { PostingRow } from '../ledger/voucher.ts';
import type { Supply } from './buyer.ts';

export const receivablesAccount = 1510;
export const roundingAccount = 3740;
/** Reminder fees are compensation, not a supply: no VAT. */
export const reminderFeeAccount = 3999;

/** VAT of another EU country, which is filed in the one stop shop; null or left out where it is Sweden's or none. */
export interface ForeignVat {
  /** ISO code; of Northern Ireland XI. */
  readonly ossCountry?: string | null;
  /** Hundredths of a per cent. */
  readonly ossRateE2?: number | null;
  /** What the one stop shop's return tells apart. */
  readonly ossSupply?: Supply | null;
}

/** What a row must say before it can be priced. Where the VAT is another country's, `vatRate` is 0. */
export interface PriceableRow extends ForeignVat {
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

/** What a row says that somebody in Sweden writes: its VAT is Sweden's. */
export type WrittenField = Exclude<keyof DraftRow, keyof ForeignVat>;

/** What a row says that nobody has said more of. */
export const plainRow = { articleNumber: null, unit: null, discountE2: 0n } as const;

/** A row of an invoice or a credit note; of a draft as well as of a booked one. */
export interface InvoiceRow extends DraftRow, RowAmounts {
  /** 1 for the first row. */
  readonly rowNo: number;
  /**
   * Net and VAT in the invoice's own currency, hundredths of it: what the buyer sees, as `unitPriceE4` is. `netOre` and
   * `vatOre` are what the books have. Null or left out on an invoice in kronor.
   */
  readonly currencyNet?: bigint | null;
  readonly currencyVat?: bigint | null;
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

/** What an invoice is in when it is not in kronor, and what it is booked at. */
export interface InvoiceCurrency {
  readonly currency: string;
  /** Kronor for one of the currency, in millionths. */
  readonly exchangeRateE6: bigint;
  /** What the total is rounded by in the currency, hundredths; its kronor are `roundingOre`. */
  readonly currencyRounding: bigint;
}

/** What a row comes to after its discount, by its own unit price: with VAT where that is. */
export const rowAmount = (row: Omit<PriceableRow, 'vatRate'>): Ore =>
  lineAmount(row.quantityE4, row.unitPriceE4, row.discountE2);

/** The rate whose VAT the row bears, per cent: Sweden's, or the other country's. */
export const chargedRate = ({ vatRate, ossRateE2 }: Taxed): number =>
  ossRateE2 == null ? vatRate : ossRateE2 / 100;

/** Rows that share it are taxed together: the rate, and the country where that is not Sweden. */
export const taxKey = (row: Taxed): string => `${row.ossCountry ?? ''} ${chargedRate(row)}`;

export type Taxed = Omit<ForeignVat, 'ossSupply'> & { readonly vatRate: number };

/**
 * The unit price without VAT and before the discount, as the law wants it on paper (ML 17 kap. 24 §).
 * Where prices include VAT, or are in another currency than the net, it is what the net comes to.
 */
export function unitPriceWithoutVatE4(
  row: PriceableRow & RowAmounts & Pick<InvoiceRow, 'currencyNet'>,
  pricesIncludeVat: boolean,
): bigint {
  const rate = chargedRate(row);
  const isConverted = row.currencyNet != null && row.currencyNet !== row.netOre;
  if (!isConverted && (!pricesIncludeVat || rate === 0)) return row.unitPriceE4;
  const share = row.quantityE4 * (wholeE2 - row.discountE2);
  if (share === 0n && isConverted) return 0n;
  return share === 0n
    ? divideRounded(row.unitPriceE4 * wholeE2, wholeE2 + percentE2(rate))
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
    const shares = amounts.map((net) => net * percentE2(rate));
    const vat = apportion(vatFromNet(sum(amounts), rate), shares, wholeE2);
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
    const shares = amounts.map((amount) => amount * wholeE2);
    const net = apportion(gross - vatFromGross(gross, rate), shares, wholeE2 + percentE2(rate));
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
 * The voucher rows of an invoice, in kronor: debit receivables by the total, credit revenue per account,
 * output VAT per rate and rounding; of a credit note the reverse. Sales with the VAT of other countries, and that VAT,
 * have a row for each country and rate, in that order, so that the account tells them apart
 * (`sales.book_invoices` notes which). A negative sum changes side, a zero sum has no row. Rows that cancel out still move revenue and VAT between accounts. Where
 * nothing remains on any account there is a row of zero for each account of the invoice: no voucher
 * is made of them (`sales.book_invoices`), but accounts, fiscal year and locks are judged by them.
 */
export function invoiceVoucherRows(
  invoice: {
    readonly rows: readonly (Pick<InvoiceRow, 'account' | 'vatRate' | 'netOre' | 'vatOre'> &
      ForeignVat)[];
    readonly totals: InvoiceTotals;
  },
  kind: InvoiceKind = 'invoice',
): PostingRow[] {
  const { totals } = invoice;
  const credits = new Sums();
  const vatCredits = new Sums();
  for (const row of invoice.rows) {
    credits.add(row.account, row, row.netOre);
    const vatAccount = row.ossCountry ? oneStopShopAccount : outputVatAccount(row.vatRate);
    if (vatAccount !== null) vatCredits.add(vatAccount, row, row.vatOre);
  }
  const made = credits.total() + vatCredits.total() + totals.roundingOre;
  if (made !== totals.totalOre) {
    throw new RangeError(`invoice rows make ${made} öre, its total says ${totals.totalOre}`);
  }
  const posted = [
    posting(receivablesAccount, -totals.totalOre),
    ...credits.rows(),
    ...vatCredits.rows(),
    posting(roundingAccount, totals.roundingOre),
  ].filter((row) => row.debitOre !== row.creditOre);
  const rows = posted.length > 0 ? posted : credits.rows();
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
  price: (amounts: readonly Ore[], rate: number) => RowAmounts[],
): (Row & RowAmounts)[] {
  const priced: (Row & RowAmounts)[] = [];
  for (const group of Map.groupBy(rows.entries(), ([, row]) => taxKey(row)).values()) {
    const [first] = group;
    if (!first) continue;
    const amounts = group.map(([, row]) => rowAmount(row));
    const shares = price(amounts, chargedRate(first[1]));
    for (const [position, [index, row]] of group.entries()) {
      priced[index] = { ...row, ...(shares[position] ?? { netOre: 0n, vatOre: 0n }) };
    }
  }
  return priced;
}

/** Credits by account, and within it by the country and rate of VAT that is not Sweden's. */
class Sums {
  readonly #sums = new Map<
    string,
    { account: number; country: string; rateE2: number; ore: Ore }
  >();

  add(account: number, { ossCountry, ossRateE2 }: ForeignVat, ore: Ore): void {
    const [country, rateE2] = [ossCountry ?? '', ossRateE2 ?? 0];
    const key = `${account} ${country} ${rateE2}`;
    const earlier = this.#sums.get(key)?.ore ?? 0n;
    this.#sums.set(key, { account, country, rateE2, ore: earlier + ore });
  }

  total(): Ore {
    return sum([...this.#sums.values()].map(({ ore }) => ore));
  }

  rows(): PostingRow[] {
    const order = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
    return [...this.#sums.values()]
      .sort((a, b) => a.account - b.account || order(a.country, b.country) || a.rateE2 - b.rateE2)
      .map(({ account, ore }) => posting(account, ore));
  }
}

/** A credit of this many öre, or a debit when it is negative. */
function posting(account: number, creditOre: Ore): PostingRow {
  return creditOre < 0n
    ? { account, debitOre: -creditOre, creditOre: 0n }
    : { account, debitOre: 0n, creditOre };
}
