/** The chart of accounts of a SIE file as ours: types by kind and number, VAT from BAS. */
import type { SieAccount, SieChart, SieKind } from '../domain/sie.ts';
import type { AccountType, BasAccount, SieAccountType } from './bas-base-chart.ts';

export interface ChartFromSie {
  readonly accounts: readonly BasAccount[];
  /** Numbers that cannot be accounts here, as the file has them. */
  readonly leftOut: readonly string[];
  /** Accounts of BAS that the file lacks and the program posts on by itself. */
  readonly added: readonly number[];
}

const name_max = 200;
/** What the program posts on by itself, besides accounts with a VAT code: domain/order-posting and others. */
const neededNumbers = new Set([1480, 1510, 1930, 2420, 2440, 2650, 3740, 3990, 4000, 8313]);

/**
 * The file decides name, kind and SRU code. SIE carries no VAT codes, so an account with the same number
 * in BAS has its VAT code, rate and box.
 */
export function chartFromSie({ accounts }: SieChart, bas: readonly BasAccount[]): ChartFromSie {
  const inBas = new Map(bas.map((account) => [account.account, account]));
  const usable = accounts.filter(({ number }) => /^[1-9]\d{3}$/.test(number));
  const numbers = new Set(usable.map(({ number }) => Number(number)));
  const missing = bas.filter(
    ({ account, vatCode }) =>
      !numbers.has(account) && (vatCode !== null || neededNumbers.has(account)),
  );
  return {
    accounts: [
      ...usable.map((account) => accountFrom(account, inBas.get(Number(account.number)))),
      ...missing,
    ],
    leftOut: accounts.filter((account) => !usable.includes(account)).map(({ number }) => number),
    added: missing.map(({ account }) => account),
  };
}

function accountFrom(given: SieAccount, inBas: BasAccount | undefined): BasAccount {
  const account = Number(given.number);
  const type = given.kind
    ? typeOf(account, given.kind)
    : (inBas?.type ?? typeOf(account, usualKind(account)));
  const name = given.name || inBas?.name || `Konto ${account}`;
  return {
    account,
    name: [...name].slice(0, name_max).join(''),
    type,
    sieAccountType: kindOf[type],
    vatCode: inBas?.vatCode ?? null,
    vatRate: inBas?.vatRate ?? null,
    vatBox: inBas?.vatBox ?? null,
    sru: given.sru,
  };
}

const kindOf: Readonly<Record<AccountType, SieAccountType>> = {
  asset: 'T',
  equity: 'S',
  liability: 'S',
  revenue: 'I',
  cost: 'K',
};

/** SIE has one kind for equity and liabilities; in BAS equity is group 20. */
function typeOf(account: number, kind: SieKind): AccountType {
  switch (kind) {
    case 'T':
      return 'asset';
    case 'S':
      return account >= 2000 && account <= 2099 ? 'equity' : 'liability';
    case 'K':
      return 'cost';
    case 'I':
      return 'revenue';
  }
}

/** By the class of the number in BAS; of class 8, groups 80–83 are mostly revenue. */
function usualKind(account: number): SieKind {
  if (account < 2000) return 'T';
  if (account < 3000) return 'S';
  if (account < 4000 || (account >= 8000 && account < 8400)) return 'I';
  return 'K';
}
