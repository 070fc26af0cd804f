/** Documents that wait for a voucher: the inbox, and one of them. */
import type { Pages } from '../../page.ts';
import { registerDocumentPage } from './document.ts';
import { registerDocumentInbox } from './documents.ts';

export function registerDocumentSection(pages: Pages): void {
  registerDocumentInbox(pages);
  registerDocumentPage(pages);
}
