/** What makes up a balance account's balance on a day, and pairing what settles each other (avprickning). */
import { z } from 'zod';
import { listActorNames } from '../../audit/actors.ts';
import { getAccount } from '../../ledger/accounts/store.ts';
import { listYearSpans } from '../../ledger/fiscal-years/store.ts';
import { findOpenItems, pairItems, unpairItems } from '../../ledger/open-items/service.ts';
import { balanceAt, listPairings, sumMonths } from '../../ledger/open-items/store.ts';
import { problemsAbove } from '../fields.ts';
import { textOf } from '../form-fields.ts';
import { amountText, count, dayInWords, kronor, moment } from '../format.ts';
import { accountNumber, parseDay, uuid } from '../inputs.ts';
import { itemChoices, itemsShown, tickedItems } from '../open-item-choices.ts';
import type { Pages } from '../page.ts';
import { type FormInput, nothingTyped, type View, type Visit } from '../visit.ts';

const pairingsShown = 50;
const params = z.object({ number: accountNumber });
type OfAccount = Visit<{ number: number }>;

const addressOf = (account: number, day: string, today: string): string =>
  `/kontoplan/${account}/poster${day === today ? '' : `?dag=${day}`}`;
const dayOf = ({ query, today }: Pick<OfAccount, 'query' | 'today'>): string =>
  parseDay(textOf(query, 'dag').trim()) ?? today;

export function registerAccountOpenItems(pages: Pages): void {
  const url = '/kontoplan/:number/poster';
  pages.show({ url, right: 'read', params, show: (visit) => showItems(visit, nothingTyped) });
  pages.act({
    url,
    right: 'keep_books',
    params,
    fields: z.object({ item: tickedItems(2, 'Markera minst två poster.') }),
    show: showItems,
    perform: async (visit, { item: chosen }) => {
      const { tx, person, params: of, today } = visit;
      const { ore, isWhole } = await pairItems(tx, { account: of.number, chosen }, person.actor);
      const rest = isWhole ? '' : ' Resten står kvar som öppen.';
      const notice = `${kronor(ore)} är avprickat.${rest}`;
      return { to: addressOf(of.number, dayOf(visit), today), notice };
    },
  });
  pages.act({
    url: '/kontoplan/:number/poster/:id/hav',
    right: 'keep_books',
    params: z.object({ number: accountNumber, id: uuid }),
    perform: async ({ tx, person, params: { number: account, id } }) => {
      await unpairItems(tx, { account, id }, person.actor);
      const notice = 'Avprickningen är hävd, och posterna är öppna igen.';
      return { to: `/kontoplan/${account}/poster`, notice };
    },
  });
}

async function showItems(visit: OfAccount, input: FormInput): Promise<View> {
  const { tx, deps, params: of, today } = visit;
  const account = await getAccount(tx, of.number);
  const day = dayOf(visit);
  const found = await findOpenItems(tx, { account: of.number, day });
  if (!found) return showMonths(visit, { account, day });
  const { items: open, openOre, balanceOre } = found;
  const pairings = (await listPairings(tx, of.number)).slice(0, pairingsShown);
  const who = await listActorNames(
    tx,
    pairings.map(({ by }) => by),
  );
  const difference = balanceOre - openOre;
  return {
    template: 'account-open-items',
    title: `Öppna poster ${of.number} ${account.name}`,
    scripts: ['inbox'],
    values: {
      number: of.number,
      address: addressOf(of.number, day, today),
      day,
      dayText: dayInWords(day),
      items: itemChoices(open, input.fields),
      more: open.length > itemsShown ? count(open.length - itemsShown) : null,
      count: count(open.length),
      open: kronor(openOre),
      balance: kronor(balanceOre),
      difference: difference === 0n ? null : kronor(difference),
      pairings: pairings.map((one) => ({
        id: one.id,
        labels: one.labels,
        amount: amountText(one.ore),
        at: moment(one.at, deps.config.timeZone),
        who: who(one.by),
      })),
      form: { above: problemsAbove(input, []), faults: input.problems.length },
    },
  };
}

/** Of an account with too many rows that nothing settles: what each month did to the balance, and the way to its rows. */
async function showMonths(
  { tx, params: of, today }: OfAccount,
  { account, day }: { readonly account: { readonly name: string }; readonly day: string },
): Promise<View> {
  const months = await sumMonths(tx, of.number, day);
  const years = await listYearSpans(tx);
  let balance = await balanceAt(tx, of.number, day);
  const shown = months.map(({ month, debit_ore: debit, credit_ore: credit }) => {
    const after = balance;
    balance -= debit - credit;
    const year = years.find(({ start, end }) => start <= `${month}-01` && `${month}-01` <= end);
    return {
      month,
      year: year?.year,
      debit: amountText(debit),
      credit: amountText(credit),
      change: amountText(debit - credit),
      balance: amountText(after),
    };
  });
  return {
    template: 'account-months',
    title: `Öppna poster ${of.number} ${account.name}`,
    values: {
      number: of.number,
      address: addressOf(of.number, day, today),
      day,
      dayText: dayInWords(day),
      months: shown,
      balance: kronor(await balanceAt(tx, of.number, day)),
    },
  };
}
