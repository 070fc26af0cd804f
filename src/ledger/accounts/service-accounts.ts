/**
 * Every account that the program posts on by itself. They are in the chart from the beginning, whatever
 * chart that is, and looked for at each start.
 */
import { resultAccount } from '../../domain/ledger/account.ts';
import { equityPlan } from '../../domain/ledger/opening-balances.ts';
import {
  bankAccount,
  differenceAccounts,
  exchangeGainAccount,
} from '../../domain/ledger/settlement-accounts.ts';
import { oneStopShopAccount, outputVatAccount, vatRates } from '../../domain/ledger/vat.ts';
import { vatSettlementAccount } from '../../domain/ledger/vat-settlement.ts';
import { purchaseAccounts } from '../../domain/purchases/supplier-posting.ts';
import {
  receivablesAccount,
  reminderFeeAccount,
  roundingAccount,
} from '../../domain/sales/invoice.ts';
import { oneStopShopSales } from '../../domain/sales/one-stop-shop.ts';
import { saleAccounts } from '../../domain/sales/order-posting.ts';

export interface ServiceAccount {
  readonly account: number;
  /** What is posted on it, as people say it. */
  readonly use: string;
}

/** What a purchase is booked on until the company chooses another account. */
export const usualPurchaseAccount = 4000;

/**
 * By number, each once. `purchaseAccount` is the company's own choice; the result goes to equity by the form
 * of the company, which its number (ten digits) tells.
 */
export function serviceAccounts(
  organizationNumber: string,
  purchaseAccount = usualPurchaseAccount,
): readonly ServiceAccount[] {
  const plan = equityPlan(organizationNumber);
  const uses: readonly (readonly [use: string, accounts: readonly (number | null)[]])[] = [
    ['kundfordringar', [receivablesAccount]],
    ['försäljning', saleAccounts],
    ['utgående moms', vatRates.map(outputVatAccount)],
    ['moms i andra EU-länder (OSS)', [oneStopShopSales, oneStopShopAccount]],
    ['öresavrundning', [roundingAccount]],
    ['betalningar', [bankAccount]],
    ['bankavgifter', [differenceAccounts.bank_fee]],
    ['kundförluster', [differenceAccounts.loss]],
    ['valutakursdifferenser', [exchangeGainAccount, differenceAccounts.exchange]],
    ['förskott från kunder', [2420]],
    ['påminnelseavgifter', [reminderFeeAccount]],
    ['inköp', [purchaseAccount]],
    ['leverantörsfakturor', purchaseAccounts],
    ['momsredovisning', [vatSettlementAccount]],
    ['årets resultat', [resultAccount, plan.resultTo]],
    ['föregående års resultat', [plan.into]],
  ];
  const byNumber = new Map<number, ServiceAccount>();
  for (const [use, accounts] of uses) {
    for (const account of accounts) {
      if (account !== null && !byNumber.has(account)) byNumber.set(account, { account, use });
    }
  }
  return [...byNumber.values()].sort((one, other) => one.account - other.account);
}
