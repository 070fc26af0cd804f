/** The supplier inbox. */
import type { Pages } from '../page.ts';
import { registerPurchasesByHand } from './by-hand.ts';
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
}
