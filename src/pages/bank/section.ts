/** Bank accounts, their rows, and what books each. */
import type { Pages } from '../page.ts';
import { registerBankPages } from './bank.ts';
import { registerBankRowPages } from './bank-row.ts';

export function registerBankSection(pages: Pages): void {
  registerBankPages(pages);
  registerBankRowPages(pages);
}
