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
import type { Problem } from '../../lib/errors.ts';
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
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

interface Verdict {
  readonly account: number | null;
  readonly problems?: readonly Problem[];
  readonly warnings?: readonly Problem[];
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
  const warnings: Problem[] = [];
  const { path, own, buyer, place } = sale;
  if (own !== null && context.accounts.get(own)?.vatBox === marginBox) {
    const fault = `${path}.vatRate är ${rate} % men artikelns konto ${own} är för vinstmarginalbeskattning, där fakturan inte visar moms.`;
    return unclear(path, `${fault} Skicka raden med 0 %, eller byt konto på artikeln.`);
  }
  const isOwnUsed = own !== null && takesRate(own, rate, context);
  const account = isOwnUsed ? own : domesticSalesAccounts[rate];
  if (own !== null && !isOwnUsed) {
    const message = `Artikelns konto ${own} tar inte ${rate} % moms; ${path} läggs på ${account}.`;
    warnings.push({ path, reason: 'article_account_not_used', message });
  }
  const isForeignBuyer =
    place === 'sweden'
      ? buyer.vatNumber !== null && !buyer.vatNumber.startsWith('SE')
      : place === 'outside_eu' || buyer.vatNumberGiven !== null;
  if (isForeignBuyer) {
    const message =
      'Köparen har debiterats svensk moms men skulle kanske ha köpt utan. Momsen bokförs som den ' +
      'debiterats, eftersom den ändå ska betalas in (ML 7:49). Kontrollera ordern.';
    warnings.push({ path: 'customer', reason: 'swedish_vat_charged', message });
  }
  return { account, warnings };
}

function postExempt({ own, buyer, path }: Sale, context: OrderPostingContext): Verdict {
  const box = context.accounts.get(own ?? 0)?.vatBox ?? null;
  const isOwnUsed = own !== null && takesRate(own, 0, context);
  if (isOwnUsed && exemptBoxes.has(box)) return { account: own };
  if (isOwnUsed && box === domesticReverseChargeBox) {
    if (buyer.vatNumber?.startsWith('SE')) return { account: own };
    const fault = `${path}.vatRate är 0 % med omvänd betalningsskyldighet (konto ${own}) men köparen har inget svenskt VAT-nummer.`;
    return unclear(path, `${fault} Ange customer.vatNumber, eller debitera moms.`);
  }
  const wayOut =
    buyer.vatNumber === null || buyer.vatNumber.startsWith('SE')
      ? 'Ange momssatsen, eller koppla artikeln till ett momsfritt konto (till exempel 3004).'
      : 'Finns köparen utomlands ska customer.countryCode anges.';
  return unclear(path, `${path}.vatRate är 0 % men köparen räknas som svensk. ${wayOut}`);
}

function postIntraEu({ buyer, path, supply }: Sale): Verdict {
  const { country, vatNumber, vatNumberGiven } = buyer;
  if (vatNumberGiven === null) {
    const fault = `${path}.vatRate är 0 % men köparen i ${country} har inget VAT-nummer.`;
    return unclear(path, `${fault} Debitera svensk moms, eller ange customer.vatNumber.`);
  }
  if (!hasVatNumberOfCountry(buyer)) {
    const fault = `${path}.vatRate är 0 % men ${vatNumberGiven} är inget VAT-nummer i ${country}.`;
    return unclear(path, `${fault} Rätta customer.vatNumber eller customer.countryCode.`);
  }
  const message = `Försäljningen till ${vatNumber} är utan moms. Kontrollera numret i VIES.`;
  const warning = { path: 'customer.vatNumber', reason: 'vat_number_not_verified', message };
  return { account: intraEuAccounts[supply], warnings: [warning] };
}

function accountFault(account: number, sale: Sale, context: OrderPostingContext): Problem | null {
  const state = context.accounts.get(account);
  if (state?.isActive && takesRate(account, sale.rate, context)) return null;
  let message = `Konto ${account} för ${sale.path} saknas i kontoplanen. Lägg upp det`;
  if (state) message = `Konto ${account} för ${sale.path} är inaktivt. Aktivera det`;
  if (state?.isActive) {
    message = `Konto ${account} för ${sale.path} tar inte ${sale.rate} % moms. Rätta momskoden`;
  }
  message += ' och pröva ordern igen.';
  return { path: sale.path, reason: 'account_missing', account, message };
}

function takesRate(account: number, rate: VatRate, context: OrderPostingContext): boolean {
  const state = context.accounts.get(account);
  if (state?.vatBox === marginBox) return rate === 0;
  return state !== undefined && (state.vatRate ?? 0) === rate;
}

function unsupportedRate(rate: number, path: string): Verdict {
  const meant = fractions.get(rate);
  const message =
    meant === undefined
      ? `${path} är ${spell(rate)} %, som inte är en svensk momssats. Skriv ${vatRateWords}; ` +
        'utländsk moms (OSS) bokförs för hand.'
      : `${path} är ${spell(rate)}: momssatsen anges i procent, skriv ${meant}.`;
  return { account: null, problems: [{ path, reason: 'vat_rate_not_supported', message }] };
}

function unclear(path: string, message: string): Verdict {
  const problem = { path: `${path}.vatRate`, reason: 'vat_treatment_unclear', message };
  return { account: null, problems: [problem] };
}

function spell(number: number): string {
  return String(number).replace('.', ',');
}
