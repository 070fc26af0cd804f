/**
 * The balance sheet, the income statement and the trial balance, out of the sums of accounts. The order of the
 * groups is that of ÅRL's bilagor 1–2 (kostnadsslagsindelad) as BAS numbers them.
 */
import { type Ore, sum } from '../basics/money.ts';
import { isBalanceAccount } from './account.ts';

/** What stood and was posted on an account, debit less credit unless it says otherwise, öre. */
export interface AccountSum {
  readonly account: number;
  readonly name: string;
  /** As the first day begins; of a result account, since its fiscal year began. */
  readonly openingOre: Ore;
  readonly debitOre: Ore;
  readonly creditOre: Ore;
}

/** Accounts from the one to the other. */
export interface AccountRange {
  readonly first: number;
  readonly last: number;
}

/** A line of a statement: its amounts stand under the columns of the report, whose signs are already its own. */
export interface SumLine {
  /** `heading` has no amounts; `sum` is of the lines above it. */
  readonly kind: 'heading' | 'account' | 'sum' | 'result';
  readonly label: string;
  readonly accounts: AccountRange | null;
  readonly amounts: readonly Ore[];
}

/** The amounts of one account under every column, debit less credit. */
export interface AccountAmounts {
  readonly account: number;
  readonly name: string;
  readonly amounts: readonly Ore[];
}

interface Group extends AccountRange {
  readonly label: string;
}

const group = (first: number, last: number, label: string): Group => ({ first, last, label });

const assetGroups = [
  group(1000, 1099, 'Immateriella anläggningstillgångar'),
  group(1100, 1299, 'Materiella anläggningstillgångar'),
  group(1300, 1399, 'Finansiella anläggningstillgångar'),
  group(1400, 1499, 'Varulager'),
  group(1500, 1599, 'Kundfordringar'),
  group(1600, 1699, 'Övriga kortfristiga fordringar'),
  group(1700, 1799, 'Förutbetalda kostnader och upplupna intäkter'),
  group(1800, 1899, 'Kortfristiga placeringar'),
  group(1900, 1999, 'Kassa och bank'),
];
const equityGroups = [
  group(2000, 2099, 'Eget kapital'),
  group(2100, 2199, 'Obeskattade reserver'),
  group(2200, 2299, 'Avsättningar'),
  group(2300, 2399, 'Långfristiga skulder'),
  group(2400, 2999, 'Kortfristiga skulder'),
];

interface Step {
  readonly groups: readonly Group[];
  /** What everything so far comes to. */
  readonly result: string;
}

const incomeSteps: readonly Step[] = [
  {
    groups: [
      group(3000, 3799, 'Nettoomsättning'),
      group(3800, 3899, 'Aktiverat arbete för egen räkning'),
      group(3900, 3999, 'Övriga rörelseintäkter'),
      group(4000, 4999, 'Varor, material och köpta tjänster'),
      group(5000, 6999, 'Övriga externa kostnader'),
      group(7000, 7699, 'Personalkostnader'),
      group(7700, 7899, 'Av- och nedskrivningar'),
      group(7900, 7999, 'Övriga rörelsekostnader'),
    ],
    result: 'Rörelseresultat',
  },
  {
    groups: [group(8000, 8399, 'Finansiella intäkter'), group(8400, 8799, 'Finansiella kostnader')],
    result: 'Resultat efter finansiella poster',
  },
  { groups: [group(8800, 8899, 'Bokslutsdispositioner')], result: 'Resultat före skatt' },
  // 8999 only takes the result to the equity.
  { groups: [group(8900, 8998, 'Skatter')], result: 'Beräknat resultat' },
];

const within = ({ first, last }: AccountRange, { account }: AccountAmounts): boolean =>
  first <= account && account <= last;

const flipped = (amounts: readonly Ore[]): Ore[] => amounts.map((ore) => -ore);

/** Column by column. */
const totals = (lists: readonly (readonly Ore[])[], columns: number): Ore[] =>
  Array.from({ length: columns }, (_, column) => sum(lists.map((list) => list[column] ?? 0n)));

const isSomething = ({ amounts }: AccountAmounts): boolean => amounts.some((ore) => ore !== 0n);

/** A group with its accounts and its sum; nothing when nothing is in it. `sign` −1 shows credit above zero. */
function groupLines(
  { first, last, label }: Group,
  accounts: readonly AccountAmounts[],
  columns: number,
  sign: 1 | -1,
): SumLine[] {
  const range = { first, last };
  const found = accounts.filter((one) => within(range, one) && isSomething(one));
  if (found.length === 0) return [];
  const shown = (amounts: readonly Ore[]) => (sign === 1 ? [...amounts] : flipped(amounts));
  return [
    { kind: 'heading', label, accounts: null, amounts: [] },
    ...found.map(
      ({ account, name, amounts }): SumLine => ({
        kind: 'account',
        label: `${account} ${name}`,
        accounts: { first: account, last: account },
        amounts: shown(amounts),
      }),
    ),
    {
      kind: 'sum',
      label: `Summa ${label.toLowerCase()}`,
      accounts: range,
      amounts: shown(
        totals(
          found.map(({ amounts }) => amounts),
          columns,
        ),
      ),
    },
  ];
}

/**
 * Assets against equity and liabilities, both above zero, with the result that is not booked to equity yet: so
 * the two are always the same; where only some rows of vouchers are told (a dimension's), what the others hold against
 * them is a line. Columns as `amounts` has them, balances and changes alike.
 */
export function balanceSheet(accounts: readonly AccountAmounts[], columns: number): SumLine[] {
  const side = (groups: readonly Group[], sign: 1 | -1) =>
    groups.flatMap((one) => groupLines(one, accounts, columns, sign));
  const sumOf = (first: number, last: number) =>
    totals(
      accounts.filter((one) => within({ first, last }, one)).map(({ amounts }) => amounts),
      columns,
    );
  const result = flipped(sumOf(3000, 8999));
  const outside = flipped(sumOf(9000, 9999));
  const equity = flipped(sumOf(2000, 2999));
  const others = sumOf(1000, 9999);
  return [
    { kind: 'heading', label: 'Tillgångar', accounts: null, amounts: [] },
    ...side(assetGroups, 1),
    {
      kind: 'result',
      label: 'Summa tillgångar',
      accounts: { first: 1000, last: 1999 },
      amounts: sumOf(1000, 1999),
    },
    { kind: 'heading', label: 'Eget kapital och skulder', accounts: null, amounts: [] },
    ...side(equityGroups, -1),
    {
      kind: 'sum',
      label: 'Beräknat resultat, inte bokfört på eget kapital',
      accounts: { first: 3000, last: 8999 },
      amounts: result,
    },
    ...(outside.some((ore) => ore !== 0n)
      ? [
          {
            kind: 'sum' as const,
            label: 'Konton utanför balans- och resultaträkningen (9000–9999)',
            accounts: { first: 9000, last: 9999 },
            amounts: outside,
          },
        ]
      : []),
    ...(others.some((ore) => ore !== 0n)
      ? [
          {
            kind: 'sum' as const,
            label: 'Motposter som inte har dimensionen',
            accounts: null,
            amounts: others,
          },
        ]
      : []),
    {
      kind: 'result',
      label: 'Summa eget kapital och skulder',
      accounts: null,
      amounts: totals([equity, result, outside, others], columns),
    },
  ];
}

/** Revenue above zero and costs below it, to the result. */
export function incomeStatement(accounts: readonly AccountAmounts[], columns: number): SumLine[] {
  return incomeSteps.flatMap(({ groups, result }): SumLine[] => [
    ...groups.flatMap((one) => groupLines(one, accounts, columns, -1)),
    {
      kind: 'result',
      label: result,
      accounts: { first: 3000, last: groups.at(-1)?.last ?? 8998 },
      amounts: flipped(
        totals(
          accounts
            .filter((one) => within({ first: 3000, last: groups.at(-1)?.last ?? 8998 }, one))
            .map(({ amounts }) => amounts),
          columns,
        ),
      ),
    },
  ]);
}

/** Opening, debit, credit and closing of an account. */
export const trialColumns = ({ openingOre, debitOre, creditOre }: AccountSum): Ore[] => [
  openingOre,
  debitOre,
  creditOre,
  openingOre + debitOre - creditOre,
];

/**
 * Every account with opening, debit, credit and closing. `earlierOre` is the result of earlier years that is not
 * booked to equity (debit less credit), which no account carries into the new year: with it, each end sums to nothing.
 */
export function trialBalance(sums: readonly AccountSum[], earlierOre: Ore): SumLine[] {
  const lines = sums.map(
    (one): SumLine => ({
      kind: 'account',
      label: `${one.account} ${one.name}`,
      accounts: { first: one.account, last: one.account },
      amounts: trialColumns(one),
    }),
  );
  const earlier: SumLine[] =
    earlierOre === 0n
      ? []
      : [
          {
            kind: 'sum',
            label: 'Resultat från tidigare år, inte bokfört på eget kapital',
            accounts: null,
            amounts: [earlierOre, 0n, 0n, earlierOre],
          },
        ];
  const all = [...lines, ...earlier];
  return [
    ...all,
    {
      kind: 'result',
      label: 'Summa',
      accounts: null,
      amounts: totals(
        all.map(({ amounts }) => amounts),
        4,
      ),
    },
  ];
}

/** Opening, change and closing of every account, as the balance sheet has its columns. */
export const balanceAmounts = (sums: readonly AccountSum[]): AccountAmounts[] =>
  sums.map(({ account, name, openingOre, debitOre, creditOre }) => {
    const change = debitOre - creditOre;
    return { account, name, amounts: [openingOre, change, openingOre + change] };
  });

export const isResultAccount = (account: number): boolean =>
  !isBalanceAccount(account) && account < 9000;
