/** Bank accounts, their rows, and what books each. */
import type { Pages } from '../page.ts';
import { registerBankPages } from './bank.ts';
import { registerBankAccountPages } from './bank-account.ts';
import { registerBankColumnPages } from './bank-columns.ts';
import { registerBankImportPages } from './bank-import.ts';
import { registerBankRowPages } from './bank-row.ts';
import { registerBankRulePages } from './bank-rules.ts';
import { registerBankSplitting } from './bank-splitting.ts';
import { registerBankUndoing } from './bank-undoing.ts';
import { registerSettlementForm } from './settlement-form.ts';
import { registerSettlementPages } from './settlements.ts';

export function registerBankSection(pages: Pages): void {
  registerBankPages(pages);
  registerBankAccountPages(pages);
  registerBankImportPages(pages);
  registerBankColumnPages(pages);
  registerBankRulePages(pages);
  registerSettlementForm(pages);
  registerSettlementPages(pages);
  registerBankSplitting(pages);
  registerBankUndoing(pages);
  registerBankRowPages(pages);
}
