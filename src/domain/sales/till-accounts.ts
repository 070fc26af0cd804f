/**
 * Which account each thing that a till reports is booked on, as the company has written it: means of payment
 * (`card 1686`), what is sold (`sales_25 3001`), and either for one till alone (`kassa-2/cash 1912`).
 */
import { isClearingAccount, settlementKindOf } from '../ledger/settlement-accounts.ts';
import { domesticSalesAccounts, isVatRate, type VatRate } from '../ledger/vat.ts';
import { isTipAccount, type NamedAccounts, readNamedAccounts, tipName } from './named-accounts.ts';

/** Accounts by name: `card`, `sales_12`, `kassa-2/cash`. */
export type TillAccounts = NamedAccounts;

/** What comes and goes in the till itself. */
export const cashMethod = 'cash';

const nameForm = /^(?:[^\s,/]{1,100}\/)?[a-z0-9][a-z0-9_-]{0,49}$/;
const saleForm = /^sales_(\d+)$/;

/** `Kassa 2` as its accounts and its reports know it: the same till however it is spelt. */
export const tillKeyOf = (tillId: string): string =>
  tillId
    .normalize('NFC')
    .trim()
    .toLowerCase()
    .replace(/[\s,/]+/g, '-');

/**
 * The accounts as the company has written them, with commas between; null when one has another form, a name stands
 * twice, or the account is not of its kind: money or clearing for means of payment, a debt for tips, income for sales.
 */
export const readTillAccounts = (text: string): TillAccounts | null =>
  readNamedAccounts(text, nameForm, (key, account) =>
    fits(key.slice(key.indexOf('/') + 1), account),
  );

function fits(name: string, account: number): boolean {
  const [, rate] = saleForm.exec(name) ?? [];
  const bas = Number(String(account).slice(0, 4));
  if (rate !== undefined) return isVatRate(Number(rate)) && bas >= 3000 && bas < 3700;
  if (name === tipName) return isTipAccount(account);
  return settlementKindOf(account) === 'money' || isClearingAccount(account);
}

/** What the name is booked on for that till: its own account, or else that of all tills. */
export const tillAccountOf = (
  accounts: TillAccounts,
  tillId: string,
  name: string,
): number | undefined => accounts.get(`${tillKeyOf(tillId)}/${name}`) ?? accounts.get(name);

/**
 * What sales at a rate are booked on. Without VAT there is none unless the company says which: it follows from why
 * there is no VAT, which a till does not tell.
 */
export const tillSalesAccountOf = (
  accounts: TillAccounts,
  tillId: string,
  rate: VatRate,
): number | undefined =>
  tillAccountOf(accounts, tillId, `sales_${rate}`) ??
  (rate === 0 ? undefined : domesticSalesAccounts[rate]);
