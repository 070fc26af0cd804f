/** What the example company spreads over months: a higher first lease, the year's audit, and a grinder that wears out. */
import { addMonths, lastDayOfMonth, split } from '../domain/basics/dates.ts';
import { createAccrual, type WrittenAccrual } from '../ledger/accruals/service.ts';
import { type Books, kronor } from './books.ts';

const common = {
  series: 'P',
  movedOn: null,
  sharesOn: 'last',
  costCenter: null,
  project: null,
  originVoucherId: null,
  lateOn: null,
} as const;

/** From a month on that is open; `lease` is the voucher of the leased car's invoice. */
export async function spreadOverMonths(
  { tx, calendar, actors }: Books,
  month: string,
  lease: { readonly voucherId: string; readonly date: string },
): Promise<void> {
  const { today } = calendar;
  const firstMonth = `${month}-01`;
  const monthsOfYear = 13 - split(lastDayOfMonth(month)).month;
  const plans: readonly WrittenAccrual[] = [
    {
      ...common,
      kind: 'prepaid_cost',
      description: 'Leasingbil, förhöjd första avgift',
      amountOre: kronor(4_500),
      firstMonth,
      months: 36,
      movedOn: lease.date,
      resultAccount: 5615,
      balanceAccount: 1720,
      originVoucherId: lease.voucherId,
    },
    {
      ...common,
      kind: 'accrued_cost',
      description: 'Revision av årets bokslut',
      amountOre: kronor(1_500 * monthsOfYear),
      firstMonth,
      months: monthsOfYear,
      resultAccount: 6420,
      balanceAccount: 2990,
    },
    {
      ...common,
      kind: 'depreciation',
      description: 'Kvarn i butiken',
      amountOre: kronor(48_000),
      firstMonth: addMonths(firstMonth, 2),
      months: 60,
      resultAccount: 7832,
      balanceAccount: 1229,
    },
  ];
  for (const plan of plans) {
    await createAccrual(tx, plan, { today, actor: actors.bookkeeper });
  }
}
