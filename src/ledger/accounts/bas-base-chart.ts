/**
 * The chart of accounts a new installation starts with: a selection from BAS, editable afterwards.
 */
import { type AccountType, accountTypes } from '../../domain/ledger/account.ts';
import { readTable } from '../../lib/csv.ts';

/** SIE account types: tillgång, skuld (equity too), kostnad, intäkt. */
export const sieAccountTypes = ['T', 'S', 'K', 'I'] as const;
export type SieAccountType = (typeof sieAccountTypes)[number];

export interface BasAccount {
  readonly account: number;
  readonly name: string;
  readonly type: AccountType;
  readonly sieAccountType: SieAccountType;
  /** VAT code in the style of Swedish packages; only rate and box are fact. Null without VAT. */
  readonly vatCode: string | null;
  /** Per cent. */
  readonly vatRate: number | null;
  /** Box of the VAT return, two digits as Skatteverket prints it. */
  readonly vatBox: string | null;
  /** Code of the income tax return, when a SIE file gave one; null: by number and form (sru-codes). */
  readonly sru: string | null;
}

const file = `${import.meta.dirname}/bas-base-chart.csv`;

export async function readBasBaseChart(): Promise<BasAccount[]> {
  const accounts: BasAccount[] = [];
  for await (const row of readTable(file)) {
    accounts.push({
      account: Number(row['account']),
      name: row['name'] ?? '',
      type: oneOf(accountTypes, row['type']),
      sieAccountType: oneOf(sieAccountTypes, row['sie_ktyp']),
      vatCode: row['vat_code'] || null,
      vatRate: row['vat_rate'] ? Number(row['vat_rate']) : null,
      vatBox: row['vat_box'] || null,
      sru: null,
    });
  }
  return accounts;
}

function oneOf<Word extends string>(words: readonly Word[], text: string | undefined): Word {
  const word = words.find((known) => known === text);
  if (word === undefined) throw new TypeError(`${text} is none of ${words.join(', ')}`);
  return word;
}
