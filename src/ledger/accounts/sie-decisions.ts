/** What a person has decided on the doubts about a SIE file's chart, and the chart that makes. */
import type { BasAccount } from './bas-base-chart.ts';
import { type ChartDoubt, type ChartFromSie, withType } from './sie-chart.ts';

/** Values of choices by `keyOf` their doubt. */
export type ChartDecisions = ReadonlyMap<string, string>;

/** `vat_2612`: as a form's field is called. */
export const keyOf = ({ about, account }: Pick<ChartDoubt, 'about' | 'account'>): string =>
  `${about}_${account}`;

const wordOf = { vat: 'moms', type: 'slag', sru: 'sru' } as const;
/** `moms 2612`: as a person reads it. */
export const nameOf = ({ about, account }: Pick<ChartDoubt, 'about' | 'account'>): string =>
  `${wordOf[about]} ${account}`;

export interface DecidedChart {
  readonly accounts: readonly BasAccount[];
  /** Doubts that nobody has decided on, or not with any of their choices. */
  readonly undecided: readonly ChartDoubt[];
}

/** `bas` tells rate and box of a VAT code. */
export function decideChart(
  { accounts, doubts }: ChartFromSie,
  decisions: ChartDecisions,
  bas: readonly BasAccount[],
): DecidedChart {
  const byAccount = Map.groupBy(doubts, ({ account }) => account);
  const undecided: ChartDoubt[] = [];
  return {
    accounts: accounts.map((account) =>
      (byAccount.get(account.account) ?? []).reduce((decided, doubt) => {
        const value = decisions.get(keyOf(doubt));
        if (doubt.choices.some((choice) => choice.value === value)) {
          return apply(decided, doubt, value ?? '', bas);
        }
        undecided.push(doubt);
        return decided;
      }, account),
    ),
    undecided,
  };
}

function apply(
  account: BasAccount,
  { about }: ChartDoubt,
  value: string,
  bas: readonly BasAccount[],
): BasAccount {
  switch (about) {
    case 'type':
      return withType(account, value as BasAccount['type']);
    case 'sru':
      return { ...account, sru: value };
    case 'vat': {
      const like = bas.find(({ vatCode }) => vatCode === value);
      const { vatCode = null, vatRate = null, vatBox = null } = like ?? {};
      return { ...account, vatCode, vatRate, vatBox };
    }
  }
}
