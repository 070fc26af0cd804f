/** VAT: its periods, a period's return, what is behind its boxes, and the statement of sales within the EU. */
import type { Pages } from '../../page.ts';
import { registerVatBoxPage } from './box.ts';
import { registerOssPage } from './oss.ts';
import { registerVatPeriodPages } from './period.ts';
import { registerVatPages } from './periods.ts';
import { registerStatementPage } from './statement.ts';

export function registerVatSection(pages: Pages): void {
  registerVatPages(pages);
  registerVatPeriodPages(pages);
  registerVatBoxPage(pages);
  registerStatementPage(pages);
  registerOssPage(pages);
}
