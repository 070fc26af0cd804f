/** Accruals and depreciation. */
import type { Pages } from '../../page.ts';
import { registerAccrualForm } from './accrual-form.ts';
import { registerAccrualPages } from './accruals.ts';

export function registerAccrualSection(pages: Pages): void {
  registerAccrualForm(pages);
  registerAccrualPages(pages);
}
