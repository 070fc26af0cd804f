/** What an account's number says of it (BAS): class 1 assets, 2 equity and liabilities, 3–8 the result. */

export const accountTypes = ['asset', 'equity', 'liability', 'revenue', 'cost'] as const;
export type AccountType = (typeof accountTypes)[number];

/** Accounts below this carry their balance into the next year; the others begin each year at nothing. */
export const firstResultAccount = 3000;
/** Where the year's result is booked away from: it is not itself revenue or cost. */
export const resultAccount = 8999;

/** The types an account of the number may have, the usual one first. Empty outside 1000–8999. */
export function accountTypesOf(number: number): readonly AccountType[] {
  switch (Math.floor(number / 1000)) {
    case 1:
      return ['asset'];
    case 2:
      return number < 2100 ? ['equity', 'liability'] : ['liability', 'equity'];
    case 3:
      return ['revenue'];
    case 4:
    case 5:
    case 6:
    case 7:
      return ['cost'];
    case 8:
      return number >= 8400 && number < 8800 ? ['cost', 'revenue'] : ['revenue', 'cost'];
    default:
      return [];
  }
}

export const isBalanceAccount = (number: number): boolean => number < firstResultAccount;
