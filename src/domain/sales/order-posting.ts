/**
 * Which revenue account an order row belongs on: by where the buyer is, whether the buyer has a VAT
 * number, the rate charged, and goods or services (ML 5, 6 and 10 kap.; Skatteverket's VAT boxes).
 *
 * | buyer                             | rate    | account                                        |
 * | Sweden, or no country given       | 25/12/6 | 3001/3002/3003, box 05                         |
 * | Sweden                            | 0       | the article's own account if it is exempt, of  |
 * |                                   |         | the margin scheme, or the buyer's to pay VAT   |
 * |                                   |         | on (VAT number needed); else unclear           |
 * | other EU, VAT number of country   | 0       | goods 3108, box 35; services 3308, box 39      |
 * | other EU, no such VAT number      | 25/12/6 | 3001/3002/3003, box 05                         |
 * | other EU, no such VAT number      | 0       | unclear                                        |
 * | outside the EU                    | 0       | goods 3105, box 36; services 3305, box 40      |
 * | abroad, yet Swedish VAT charged   | 25/12/6 | as charged, as it is owed (ML 7:49), warning   |
 * | where OSS is on: other EU country | that    | 3107, and its VAT on 2670: no box, filed in    |
 * | of a consumer                     | country | the one stop shop                              |
 * | anybody, of a gift card of        | 0       | 2421, no box: no sale until it is redeemed     |
 * | several uses                      |         | (directive 2006/112/EC article 30b)            |
 */
import type { Fault, ParamsOf } from '../../lib/errors.ts';
import { countryOf } from '../basics/countries.ts';
import { absolute } from '../basics/money.ts';
import {
  domesticSalesAccounts,
  isVatRate,
  percentE2,
  type TaxedRate,
  type VatRate,
  vatRates,
} from '../ledger/vat.ts';
import {
  type Buyer,
  buyerOf,
  hasVatNumberOfCountry,
  placeOf,
  type Supply,
  type VatTerritory,
} from './buyer.ts';
import type { Debtor } from './debtor.ts';
import { giftCardAccount, giftCardMethod, isGiftCardAccount } from './gift-card.ts';
import { type ForeignVat, rowAmount } from './invoice.ts';
import type { NamedAccounts } from './named-accounts.ts';
import {
  hasRate,
  mayBeRate,
  oneStopShopCode,
  oneStopShopSales,
  taxCountryOf,
} from './one-stop-shop.ts';
import type { Order, OrderRow } from './order-shape.ts';

/**
 * What the article register says about an article; a null account leaves the choice to the table.
 */
export interface ArticlePosting {
  readonly supply: Supply;
  readonly account: number | null;
}

export interface AccountState {
  readonly isActive: boolean;
  /** The rate of the account's VAT code, null without one. */
  readonly vatRate: number | null;
  /** The box of the VAT return (SKV 4700) it belongs to, null without one. */
  readonly vatBox: string | null;
  readonly vatCode?: string | null;
}

export interface OrderPostingContext {
  /** The company files VAT of other EU countries in the one stop shop, and takes orders in their currencies. */
  readonly isOssOn?: boolean;
  /** What is sold when the article register does not say. */
  readonly supplyDefault: Supply;
  /** What means of payment come through: a gift card is sold on the account that it is redeemed on. */
  readonly paymentAccounts: NamedAccounts;
  readonly articles: ReadonlyMap<string, ArticlePosting>;
  readonly accounts: ReadonlyMap<number, AccountState>;
}

/**
 * The account of each row in order (null where there is a problem), with what to say about them.
 */
export interface OrderPosting {
  readonly accounts: readonly (number | null)[];
  /** Whose VAT each row bears, where it is another country's. */
  readonly foreign: readonly (ForeignVat | null)[];
  readonly problems: readonly Fault[];
  readonly warnings: readonly Fault[];
}

interface Verdict {
  readonly account: number | null;
  readonly foreign?: ForeignVat;
  readonly problems?: readonly Fault[];
  readonly warnings?: readonly Fault[];
}

/** One row with all that decides about it. */
interface Sale {
  readonly rate: VatRate;
  readonly path: string;
  readonly buyer: Buyer;
  readonly supply: Supply;
  readonly place: VatTerritory;
  /** The article's own account, null when the register names none. */
  readonly own: number | null;
}

const intraEuAccounts = { goods: 3108, services: 3308 } as const;
const exportAccounts = { goods: 3105, services: 3305 } as const;
/** Margin scheme: the invoice shows no VAT (ML 17 kap. 24 §). */
const marginBox = '07';
/** The buyer owes the VAT, and stands on the invoice with a Swedish VAT number (ML 17 kap. 24 §). */
const domesticReverseChargeBox = '41';
/** Free of VAT because of what is sold; other boxes are so because the buyer is abroad. */
const exemptBoxes: ReadonlySet<string | null> = new Set(['42', marginBox, null]);
/** The accounts that rows get when neither article nor sender names one. */
export const saleAccounts: readonly number[] = [
  domesticSalesAccounts,
  intraEuAccounts,
  exportAccounts,
].flatMap((accounts) => Object.values(accounts));

/** Percentages that were meant: the mistake of sending a fraction. */
const fractions = new Map(vatRates.filter(Boolean).map((rate) => [rate / 100, rate]));

/** `customer` is the buyer as the invoice will name it. */
export function postOrder(
  order: Order,
  customer: Pick<Debtor, 'countryCode' | 'vatNumber'>,
  context: OrderPostingContext,
): OrderPosting {
  const buyer = buyerOf(customer);
  const verdicts = order.rows.map((row, index) => postRow(row, `rows[${index}]`, buyer, context));
  const warnings = verdicts.flatMap((verdict) => verdict.warnings ?? []);
  const distinct = new Map(
    warnings.map((warning) => [`${warning.path} ${warning.reason}`, warning]),
  );
  return {
    accounts: verdicts.map((verdict) => verdict.account),
    foreign: verdicts.map((verdict) => verdict.foreign ?? null),
    problems: verdicts.flatMap((verdict) => verdict.problems ?? []),
    warnings: [...distinct.values()],
  };
}

/**
 * What costs nothing (free shipping, a gift) bears no VAT to be judged by: a shop that says 0 % of it means none. It goes with
 * what was sold beside it, at the rate of the row that comes to most.
 */
export function rateFreeRows(order: Order, context: OrderPostingContext): Order {
  const amounts = order.rows.map((row) => absolute(rowAmount(row)));
  const [most] = order.rows
    .map((row, index) => ({ row, amount: amounts[index] ?? 0n }))
    .filter(({ row }) => row.vatRate > 0)
    .sort((a, b) => Number(b.amount - a.amount));
  if (most === undefined) return order;
  const { vatRate, vatCountry } = most.row;
  const isFree = ({ vatRate: rate, giftCard, articleNumber }: OrderRow, index: number): boolean => {
    const own = context.articles.get(articleNumber ?? '')?.account ?? null;
    const isOwnUsed = own !== null && takesRate(own, 0, context);
    return rate === 0 && amounts[index] === 0n && !giftCard && !isOwnUsed;
  };
  const rows = order.rows.map((row, index) =>
    isFree(row, index) ? { ...row, vatRate, ...(vatCountry !== undefined && { vatCountry }) } : row,
  );
  return { ...order, rows };
}

function postRow(row: OrderRow, path: string, buyer: Buyer, context: OrderPostingContext): Verdict {
  const article = context.articles.get(row.articleNumber ?? '');
  const own = article?.account ?? null;
  const isGiftCard = row.giftCard || (own !== null && isGiftCardAccount(own));
  if (isGiftCard && row.vatRate === 0) return postGiftCard(path, own, context);
  const supply = article?.supply ?? context.supplyDefault;
  const abroad = context.isOssOn ? postAbroad(row, path, { buyer, supply, own }, context) : null;
  if (abroad) return abroad;
  if (!isVatRate(row.vatRate)) {
    return unsupportedRate(row.vatRate, `${path}.vatRate`, context.isOssOn);
  }
  const place = placeOf(buyer, supply);
  const sale = { rate: row.vatRate, path, buyer, supply, place, own };
  const judged = judge(sale, context);
  const verdict = context.isOssOn ? withOssWarning(judged, sale) : judged;
  const fault = verdict.account === null ? null : accountFault(verdict.account, sale, context);
  return fault ? { account: null, problems: [fault] } : verdict;
}

/** A debt until it is redeemed, whoever buys it. One with a rate of VAT has one use, and is a sale as any other. */
function postGiftCard(
  path: string,
  own: number | null,
  { paymentAccounts, accounts }: OrderPostingContext,
): Verdict {
  const account =
    [own, paymentAccounts.get(giftCardMethod)].find(
      (one) => one != null && isGiftCardAccount(one),
    ) ?? giftCardAccount;
  const state = accounts.get(account);
  if (state?.isActive && (state.vatRate ?? 0) === 0) return { account };
  return { account: null, problems: [unusable(path, account, state, 0)] };
}

/**
 * A row with the VAT of another EU country, sold to a consumer; null when it is none, and judged as if OSS were off. Whose
 * VAT it is the row says (`vatCountry`), or else the buyer's country and the rate: one that only Sweden has is
 * Swedish VAT, as of what was sold over the counter here. Services are Sweden's or the buyer's by what they are, so
 * a rate that both have says nothing of them.
 */
function postAbroad(
  { vatRate: rate, vatCountry }: OrderRow,
  path: string,
  { buyer, supply, own }: Pick<Sale, 'buyer' | 'supply' | 'own'>,
  context: OrderPostingContext,
): Verdict | null {
  if (vatCountry !== undefined && countryOf(vatCountry) === 'SE') return null;
  const country = taxCountryOf(vatCountry ?? buyer.country, supply);
  if (vatCountry !== undefined && country === null) {
    const params = { doubt: 'no_country_of_oss', given: vatCountry } as const;
    const fault: Fault = { path: `${path}.vatCountry`, reason: 'vat_treatment_unclear', params };
    return { account: null, problems: [fault] };
  }
  if (country === null || !mayBeRate(rate)) return null;
  if (buyer.vatNumberGiven !== null) {
    return vatCountry === undefined ? null : unclear(path, { doubt: 'oss_to_business', country });
  }
  const ownState = own === null ? undefined : context.accounts.get(own);
  if (own !== null && ownState?.vatBox === marginBox) {
    return unclear(path, { doubt: 'margin_vat_shown', rate, own });
  }
  const isKnown = hasRate(country, rate);
  if (vatCountry === undefined && isVatRate(rate)) {
    if (!isKnown) return null;
    if (supply === 'services') return unclear(path, { doubt: 'rate_of_both', country });
  }
  const isOwnUsed = own !== null && ownState?.vatCode === oneStopShopCode;
  const account = isOwnUsed ? own : oneStopShopSales;
  const state = context.accounts.get(account);
  if (!state?.isActive || state.vatRate !== null || state.vatBox !== null) {
    return { account: null, problems: [unusable(path, account, state, 0)] };
  }
  const foreign = {
    ossCountry: country,
    ossRateE2: Number(percentE2(rate)),
    ossSupply: supply,
  } as const;
  const warnings: Fault[] = [];
  if (own !== null && !isOwnUsed) {
    const params = { own, rate, used: account };
    warnings.push({ path, reason: 'article_account_not_used', params });
  }
  if (!isKnown) {
    const params = { country, rate };
    warnings.push({ path: `${path}.vatRate`, reason: 'oss_rate_unknown', params });
  }
  return { account, foreign, warnings };
}

/** Goods sent to a consumer abroad bear that country's VAT once OSS is chosen; sold over the counter they do not. */
function withOssWarning(verdict: Verdict, { rate, place, buyer, path }: Sale): Verdict {
  if (rate === 0 || place !== 'eu' || buyer.vatNumberGiven !== null) return verdict;
  const warning: Fault = {
    path: `${path}.vatRate`,
    reason: 'swedish_vat_beside_oss',
    params: { rate, country: buyer.country },
  };
  return { ...verdict, warnings: [...(verdict.warnings ?? []), warning] };
}

function judge(sale: Sale, context: OrderPostingContext): Verdict {
  if (sale.rate !== 0) return postTaxed(sale, sale.rate, context);
  if (sale.place === 'outside_eu') return { account: exportAccounts[sale.supply] };
  return sale.place === 'eu' ? postIntraEu(sale) : postExempt(sale, context);
}

/**
 * Swedish VAT is charged, so it is Swedish output VAT; on the article's own account if that fits.
 */
function postTaxed(sale: Sale, rate: TaxedRate, context: OrderPostingContext): Verdict {
  const warnings: Fault[] = [];
  const { path, own, buyer, place } = sale;
  if (own !== null && context.accounts.get(own)?.vatBox === marginBox) {
    return unclear(path, { doubt: 'margin_vat_shown', rate, own });
  }
  const isOwnUsed = own !== null && takesRate(own, rate, context);
  const account = isOwnUsed ? own : domesticSalesAccounts[rate];
  if (own !== null && !isOwnUsed) {
    const params = { own, rate, used: account };
    warnings.push({ path, reason: 'article_account_not_used', params });
  }
  const isForeignBuyer =
    place === 'sweden'
      ? buyer.vatNumber !== null && !buyer.vatNumber.startsWith('SE')
      : place === 'outside_eu' || buyer.vatNumberGiven !== null;
  if (isForeignBuyer) {
    warnings.push({ path: 'customer', reason: 'swedish_vat_charged' });
  }
  return { account, warnings };
}

function postExempt({ own, buyer, path }: Sale, context: OrderPostingContext): Verdict {
  const box = context.accounts.get(own ?? 0)?.vatBox ?? null;
  const isOwnUsed = own !== null && takesRate(own, 0, context);
  if (isOwnUsed && exemptBoxes.has(box)) return { account: own };
  if (isOwnUsed && box === domesticReverseChargeBox) {
    if (buyer.vatNumber?.startsWith('SE')) return { account: own };
    return unclear(path, { doubt: 'swedish_vat_number_missing', own });
  }
  const isForeign = buyer.vatNumber !== null && !buyer.vatNumber.startsWith('SE');
  return unclear(path, { doubt: isForeign ? 'country_missing' : 'swedish_buyer' });
}

function postIntraEu({ buyer, path, supply }: Sale): Verdict {
  const { country, vatNumber, vatNumberGiven } = buyer;
  if (vatNumberGiven === null) {
    return unclear(path, { doubt: 'vat_number_missing', country });
  }
  if (vatNumber === null || !hasVatNumberOfCountry(buyer)) {
    return unclear(path, {
      doubt: 'vat_number_of_no_such_country',
      country,
      given: vatNumberGiven,
    });
  }
  const params = { vatNumber };
  const warning: Fault = { path: 'customer.vatNumber', reason: 'vat_number_not_verified', params };
  return { account: intraEuAccounts[supply], warnings: [warning] };
}

function accountFault(account: number, sale: Sale, context: OrderPostingContext): Fault | null {
  const state = context.accounts.get(account);
  if (state?.isActive && takesRate(account, sale.rate, context)) return null;
  return unusable(sale.path, account, state, sale.rate);
}

/** An account that a row cannot be sold on at the rate, with what it lacks. */
function unusable(
  path: string,
  account: number,
  state: AccountState | undefined,
  rate: VatRate,
): Fault {
  const why = state ? (state.isActive ? 'other_rate' : 'inactive') : 'missing';
  return { path, reason: 'account_missing', params: { account, state: why, rate } };
}

function takesRate(account: number, rate: VatRate, context: OrderPostingContext): boolean {
  const state = context.accounts.get(account);
  if (state?.vatBox === marginBox) return rate === 0;
  return state !== undefined && (state.vatRate ?? 0) === rate;
}

function unsupportedRate(rate: number, path: string, isOssOn = false): Verdict {
  const params = { rate, meant: fractions.get(rate) ?? null, ...(isOssOn && { isOssOn }) };
  return { account: null, problems: [{ path, reason: 'vat_rate_not_supported', params }] };
}

function unclear(path: string, params: ParamsOf<'vat_treatment_unclear'>): Verdict {
  const problem: Fault = { path: `${path}.vatRate`, reason: 'vat_treatment_unclear', params };
  return { account: null, problems: [problem] };
}
