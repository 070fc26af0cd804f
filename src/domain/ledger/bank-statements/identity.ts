/** By which number a file means which account. */

export interface Identity {
  readonly iban: string | null;
  /** Clearing and account number, or the tax account's; digits alone. */
  readonly number: string | null;
  readonly bankgiro: string | null;
}

/** The one number that a file names an account by, as accounts have it. */
export type SaidIdentity =
  | { readonly iban: string }
  | { readonly number: string }
  | { readonly bankgiro: string };

/** As a BgMax file names it. */
const bankgiroForm = /^BG\s*(\d{3,4})-?(\d{4})$/;

/** Null when a file says nothing that could be one. */
export function identityOf(said: string | null): SaidIdentity | null {
  const [, ...halves] = bankgiroForm.exec(said ?? '') ?? [];
  if (halves.length > 0) return { bankgiro: halves.join('') };
  const plain = (said ?? '').replace(/[\s-]/g, '').toUpperCase();
  if (/^[A-Z]{2}\d{2}[A-Z0-9]{10,30}$/.test(plain)) return { iban: plain };
  const digits = plain.replace(/\D/g, '');
  return digits.length >= 5 && digits.length <= 34 && digits.length === plain.length
    ? { number: digits }
    : null;
}

/** The account's own number of the kind that a file names it by. */
export function ownNumber({ iban, number, bankgiro }: Identity, said: SaidIdentity): string | null {
  if ('iban' in said) return iban;
  return 'bankgiro' in said ? bankgiro : number;
}

/** The account that a file names; of a Swedish company's number, with the century or without. */
export function findByIdentity<Account extends Identity>(
  accounts: readonly Account[],
  said: string | null,
): Account | undefined {
  const identity = identityOf(said);
  if (identity === null) return undefined;
  if ('iban' in identity) return accounts.find(({ iban }) => iban === identity.iban);
  if ('bankgiro' in identity) {
    return accounts.find(({ bankgiro }) => bankgiro === identity.bankgiro);
  }
  const { number } = identity;
  const short = /^16\d{10}$/.test(number) ? number.slice(2) : number;
  return (
    accounts.find((account) => account.number === number || account.number === short) ??
    accounts.find(({ bankgiro }) => bankgiro === number)
  );
}
