/** The page that a received e-invoice is read on. */
import type { Db } from '../../db/pool.ts';
import type { InboxWarning } from '../../domain/purchases/supplier-inbox.ts';
import { readEInvoice } from '../../peppol/validate.ts';
import { loadTemplate, type Render } from '../../render/templates.ts';
import { findDocument } from '../inbox/store.ts';
import { viewOf } from './view.ts';

let template: Render | undefined;

/** One page of HTML that needs nothing else. The bytes have been read as an e-invoice before. */
export function eInvoiceHtml(bytes: Uint8Array, warnings: readonly InboxWarning[]): string {
  template ??= loadTemplate('documents/e-invoice');
  return template(viewOf(readEInvoice(bytes).model, warnings));
}

/** The page of a purchase; undefined when there is no such purchase. */
export async function purchaseHtml(db: Db, purchaseId: string): Promise<string | undefined> {
  const found = await findDocument(db, purchaseId);
  return found && eInvoiceHtml(found.raw, found.warnings);
}
