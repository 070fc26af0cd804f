/** Received orders. */
import type { Pages } from '../page.ts';
import { registerOrderPage } from './order.ts';
import { registerOrderInvoice } from './order-invoice.ts';
import { registerOrderPages } from './orders.ts';
import { registerTillReportPages } from './till-reports.ts';

export function registerOrderSection(pages: Pages): void {
  registerOrderPages(pages);
  registerOrderPage(pages);
  registerOrderInvoice(pages);
  registerTillReportPages(pages);
}
