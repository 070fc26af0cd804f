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
 */
import type { Fault, ParamsOf } from '../../lib/errors.ts';
import {
  domesticSalesAccounts,
  isVatRate,
  type TaxedRate,
  type VatRate,
  vatRates,
  vatRateWords,
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
}

export interface OrderPostingContext {
  /** What is sold when the article register does not say. */
  readonly supplyDefault: Supply;
  readonly articles: ReadonlyMap<string, ArticlePosting>;
  readonly accounts: ReadonlyMap<number, AccountState>;
}

/**
 * The account of each row in order (null where there is a problem), with what to say about them.
 */
export interface OrderPosting {
  readonly accounts: readonly (number | null)[];
  readonly problems: readonly Fault[];
  readonly warnings: readonly Fault[];
}

interface Verdict {
  readonly account: number | null;
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
    problems: verdicts.flatMap((verdict) => verdict.problems ?? []),
    warnings: [...distinct.values()],
  };
}

function postRow(row: OrderRow, path: string, buyer: Buyer, context: OrderPostingContext): Verdict {
  if (!isVatRate(row.vatRate)) return unsupportedRate(row.vatRate, `${path}.vatRate`);
  const article = context.articles.get(row.articleNumber ?? '');
  const supply = article?.supply ?? context.supplyDefault;
  const place = placeOf(buyer, supply);
  const sale = { rate: row.vatRate, path, buyer, supply, place, own: article?.account ?? null };
  const verdict = judge(sale, context);
  const fault = verdict.account === null ? null : accountFault(verdict.account, sale, context);
  return fault ? { account: null, problems: [fault] } : verdict;
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
  const why = state ? (state.isActive ? 'other_rate' : 'inactive') : 'missing';
  const params = { account, state: why, rate: sale.rate } as const;
  return { path: sale.path, reason: 'account_missing', params };
}

function takesRate(account: number, rate: VatRate, context: OrderPostingContext): boolean {
  const state = context.accounts.get(account);
  if (state?.vatBox === marginBox) return rate === 0;
  return state !== undefined && (state.vatRate ?? 0) === rate;
}

function unsupportedRate(rate: number, path: string): Verdict {
  const params = { rate, meant: fractions.get(rate) ?? null, allowed: vatRateWords };
  return { account: null, problems: [{ path, reason: 'vat_rate_not_supported', params }] };
}

function unclear(path: string, params: ParamsOf<'vat_treatment_unclear'>): Verdict {
  const problem: Fault = { path: `${path}.vatRate`, reason: 'vat_treatment_unclear', params };
  return { account: null, problems: [problem] };
}
