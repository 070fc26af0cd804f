/** By which number a file means which account. */

export interface Identity {
  readonly iban: string | null;
  /** Clearing and account number, or the tax account's; digits alone. */
  readonly number: string | null;
  readonly bankgiro: string | null;
}

/** As accounts have it, of what a file says; null when it says nothing that could be one. */
export function identityOf(
  said: string | null,
): { readonly iban: string } | { readonly number: string } | null {
  const plain = (said ?? '').replace(/[\s-]/g, '').toUpperCase();
  if (/^[A-Z]{2}\d{2}[A-Z0-9]{10,30}$/.test(plain)) return { iban: plain };
  const digits = plain.replace(/\D/g, '');
  return digits.length >= 5 && digits.length <= 34 && digits.length === plain.length
    ? { number: digits }
    : null;
}

/** As a file that knows an account by its bankgiro number alone names it (`BG 991-2346`); nothing that an account is known by to others. */
const namedByBankgiro = /^BG\s*(\d{3,4})-?(\d{4})$/;

/** The account that a file names; of a Swedish company's number, with the century or without. */
export function findByIdentity<Account extends Identity>(
  accounts: readonly Account[],
  said: string | null,
): Account | undefined {
  const [, ...halves] = namedByBankgiro.exec(said ?? '') ?? [];
  if (halves.length > 0) return accounts.find(({ bankgiro }) => bankgiro === halves.join(''));
  const identity = identityOf(said);
  if (identity === null) return undefined;
  if ('iban' in identity) return accounts.find(({ iban }) => iban === identity.iban);
  const { number } = identity;
  const short = /^16\d{10}$/.test(number) ? number.slice(2) : number;
  return (
    accounts.find((account) => account.number === number || account.number === short) ??
    accounts.find(({ bankgiro }) => bankgiro === number)
  );
}
