/** What is paid of all that falls due through a day, where nobody chooses: everything that can be, whole. */
import type { Fault } from '../../../lib/errors.ts';
import { greatest, type Ore, sum } from '../../basics/money.ts';
import { type Payable, partyKey } from './payable.ts';
import { choiceFaults, type PayoutChoice } from './payout-plan.ts';

export interface DueChoices {
  readonly choices: readonly PayoutChoice[];
  /** What is due and is not paid, with why. */
  readonly left: readonly { readonly payable: Payable; readonly fault: Fault }[];
}

/** Credit notes of whoever is paid are set off, the smallest first, as long as something is left to pay. */
export function dueChoices(payables: readonly Payable[], due: string): DueChoices {
  const isDue = ({ dueOn }: Payable): boolean => dueOn === null || dueOn <= due;
  const debts = payables.filter((one) => one.openOre > 0n && isDue(one)).map(wholeOf);
  const judged = debts.map((choice) => ({ choice, fault: choiceFaults(choice, '')[0] }));
  const chosen = judged.flatMap(({ choice, fault }) => (fault ? [] : [choice]));
  const left = judged.flatMap(({ choice: { payable }, fault }) =>
    fault ? [{ payable, fault }] : [],
  );
  const credits = payables.filter((one) => one.openOre < 0n && one.obstacle === null);
  const byParty = Map.groupBy(chosen, ({ payable }) => partyKey(payable.party));
  const setOff = [...Map.groupBy(credits, ({ party }) => partyKey(party))].flatMap(([key, some]) =>
    fitting(some, mostToOneAccount(byParty.get(key) ?? [])),
  );
  return { choices: [...chosen, ...setOff.map(wholeOf)], left };
}

const wholeOf = (payable: Payable): PayoutChoice => ({
  payable,
  amountOre: payable.openOre,
  payee: payable.openOre > 0n ? (payable.payees[0] ?? null) : null,
});

function mostToOneAccount(choices: readonly PayoutChoice[]): Ore {
  const accounts = Map.groupBy(choices, ({ payee }) => `${payee?.kind} ${payee?.number}`);
  const sums = [...accounts.values()].map((some) => sum(some.map(({ amountOre }) => amountOre)));
  return sums.reduce((one, other) => greatest(one, other), 0n);
}

function fitting(credits: readonly Payable[], debtOre: Ore): Payable[] {
  let left = debtOre;
  return credits
    .toSorted((a, b) => (a.openOre > b.openOre ? -1 : 1))
    .filter(({ openOre }) => {
      if (left + openOre <= 0n) return false;
      left += openOre;
      return true;
    });
}
