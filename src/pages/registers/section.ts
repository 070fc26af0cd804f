/** Customers, suppliers, articles, accounts, dimensions and series. */
import type { Pages } from '../page.ts';
import { registerAccountPages } from './accounts.ts';
import { registerArticlePages } from './articles.ts';
import { registerCustomerPages } from './customers.ts';
import { registerDimensionPages } from './dimensions.ts';
import { registerSeriesPages } from './series.ts';
import { registerSupplierPages } from './suppliers.ts';

export function registerRegisterSection(pages: Pages): void {
  registerDimensionPages(pages);
  registerCustomerPages(pages);
  registerSupplierPages(pages);
  registerArticlePages(pages);
  registerAccountPages(pages);
  registerSeriesPages(pages);
}
