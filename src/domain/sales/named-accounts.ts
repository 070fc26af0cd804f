/** Accounts by the names that a company has given what it is paid by, as it has written them: `card 1686, tip 2890`. */

export type NamedAccounts = ReadonlyMap<string, number>;

/** What a tip is owed to those who earned it on: no sale and no VAT, since the company passes it on. */
export const tipName = 'tip';

/** A debt, but not equity, VAT, or what suppliers are owed, which have ways of their own. */
export const isTipAccount = (account: number): boolean => /^2(?!0|44|6)/.test(String(account));

const entryForm = /^(\S+) (\d{4,6})$/;

/**
 * The accounts, with commas between; null when one has another form, a name has, an account is not of its name's kind,
 * or a name stands twice.
 */
export function readNamedAccounts(
  text: string,
  nameForm: RegExp,
  fits: (name: string, account: number) => boolean,
): NamedAccounts | null {
  const accounts = new Map<string, number>();
  for (const entry of text.split(',').map((one) => one.trim().toLowerCase())) {
    if (entry === '') continue;
    const [, name = '', digits = ''] = entryForm.exec(entry) ?? [];
    const account = Number(digits);
    if (!nameForm.test(name) || !fits(name, account) || accounts.has(name)) return null;
    accounts.set(name, account);
  }
  return accounts;
}

/** Each as it is written. */
export const namedAccountTexts = (accounts: NamedAccounts): string[] =>
  [...accounts].map(([name, account]) => `${name} ${account}`);
