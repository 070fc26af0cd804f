/** The supplier inbox, and paying what is owed. */
import type { Pages } from '../page.ts';
import { registerPurchasesByHand } from './by-hand.ts';
import { registerPaymentFilePages } from './payment-file.ts';
import { registerPaymentFileForm } from './payment-file-new.ts';
import { registerPaymentPages } from './payments.ts';
import { registerPurchasePage } from './purchase.ts';
import { registerPurchaseActions } from './purchase-actions.ts';
import { registerPurchasePages } from './purchases.ts';
import { registerRefusedDocuments } from './refused-documents.ts';

export function registerPurchaseSection(pages: Pages): void {
  registerPurchasePages(pages);
  registerPurchasesByHand(pages);
  registerPurchasePage(pages);
  registerPurchaseActions(pages);
  registerRefusedDocuments(pages);
  registerPaymentPages(pages);
  registerPaymentFileForm(pages);
  registerPaymentFilePages(pages);
}
