/** Fiscal years, opening balances and locks. */
import type { Pages } from '../../page.ts';
import { registerFiscalYearPages } from './fiscal-years.ts';
import { registerLockPages } from './locks.ts';
import { registerMovingIn } from './moving-in.ts';
import { registerOpeningBalances } from './opening-balances.ts';
import { registerOpeningItems } from './opening-items.ts';
import { registerRevaluation } from './revaluation.ts';
import { registerYearEnd } from './year-end.ts';

export function registerYearSection(pages: Pages): void {
  registerFiscalYearPages(pages);
  registerYearEnd(pages);
  registerRevaluation(pages);
  registerLockPages(pages);
  registerOpeningBalances(pages);
  registerOpeningItems(pages);
  registerMovingIn(pages);
}
