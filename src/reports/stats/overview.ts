/** The overview as it is answered: rounded, and every breakdown with the rest of its total. */
import { oreToNumber } from '../../domain/basics/money.ts';
import {
  marginOf,
  monthRecords,
  remainderOf,
  totalResults,
  wholeKronor,
} from '../../domain/ledger/statistics.ts';
import { monthResults, type RawOverview } from './store.ts';

const rest = 'Övrigt';
const kronor = (ore: number): number => wholeKronor(BigInt(ore));

export function overviewOf(raw: RawOverview, now: Date, today: string) {
  const months = monthRecords(raw.first_day, today, monthResults(raw.months));
  const totals = totalResults(months);
  const past = raw.months.filter(({ month }) => month <= today);
  const costOfGoods = kronor(past.reduce((sum, { goods_ore }) => sum + goods_ore, 0));
  return {
    generated_at: now.toISOString(),
    months,
    totals,
    attachments_missing: raw.attachments_missing,
    by_service: withRest(
      raw.services.map(({ ore, ...service }) => ({ ...service, revenue: kronor(ore) })),
      (service) => service.revenue,
      totals.revenue,
      (revenue) => ({ article: null, account: null, name: rest, revenue }),
    ),
    by_customer: withRest(
      raw.customers.map(({ id, name, ore }) => ({ customer_id: id, name, revenue: kronor(ore) })),
      (customer) => customer.revenue,
      totals.revenue,
      (revenue) => ({ customer_id: null, name: rest, revenue }),
    ),
    by_supplier: withRest(
      raw.suppliers.map(({ name, ore }) => ({ supplier: name, name, cost: kronor(ore) })),
      (supplier) => supplier.cost,
      totals.costs,
      (cost) => ({ supplier: null, name: rest, cost }),
    ),
    margin: marginOf(totals.revenue, costOfGoods),
    liquidity: {
      balance: oreToNumber(raw.liquidity.reduce((sum, { ore }) => sum + BigInt(ore), 0n)),
      accounts: raw.liquidity.map(({ account, name, ore }) => ({
        account,
        name,
        balance: oreToNumber(BigInt(ore)),
      })),
    },
    receivables: kronor(raw.receivables),
    payables: kronor(raw.payables),
    ledger_head: raw.ledger_head,
  };
}

/** The named parts, then what they leave of the total if anything. */
function withRest<Named, Rest>(
  named: readonly Named[],
  amountOf: (part: Named) => number,
  total: number,
  makeRest: (amount: number) => Rest,
): (Named | Rest)[] {
  const left = remainderOf(total, named.map(amountOf));
  return left === 0 ? [...named] : [...named, makeRest(left)];
}
