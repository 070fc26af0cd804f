/** Month ends and the VAT periods that end with them. */
import type { Pages } from '../../page.ts';
import { registerMonthEndPages } from './month-end.ts';
import { registerVatPeriodPages } from './vat-period.ts';

export function registerMonthSection(pages: Pages): void {
  registerMonthEndPages(pages);
  registerVatPeriodPages(pages);
}
