/** One supplier invoice: the document and its files, for people to read and to keep. */

import { z } from 'zod';
import { AppError } from '../../lib/errors.ts';
import { say } from '../../lib/language.ts';
import { eInvoiceHtml } from '../../purchases/e-invoices/html.ts';
import {
  bytesOf,
  findPurchase,
  findPurchaseFile,
  type PurchasePage,
} from '../../purchases/inbox/inbox-store.ts';
import { begunInput } from '../begun-form.ts';
import { textOf } from '../form-fields.ts';
import { downloadOf, foreignContent } from '../headers.ts';
import { uuid } from '../inputs.ts';
import { fileAnswer } from '../ledger/vouchers/voucher-files.ts';
import type { Pages } from '../page.ts';
import { nothingTyped, type Visit } from '../visit.ts';
import { showPurchase } from './purchase-view.ts';

export const purchaseParams = z.object({ id: uuid });

export function registerPurchasePage(pages: Pages): void {
  pages.show({
    url: '/leverantorsinkorg/:id',
    changesStored: true,
    right: 'read',
    params: purchaseParams,
    show: async (visit) => showPurchase(visit, { coding: await begunInput(visit, nothingTyped) }),
  });

  pages.show({
    url: '/leverantorsinkorg/:id/dokument',
    right: 'read',
    params: purchaseParams,
    show: async (visit) => {
      const purchase = await getPurchase(visit);
      const content = eInvoiceHtml(bytesOf(purchase), purchase.warnings);
      return { type: 'text/html; charset=utf-8', content, headers: foreignContent };
    },
  });

  pages.show({
    url: '/leverantorsinkorg/:id/original',
    right: 'read',
    params: purchaseParams,
    show: async (visit) => {
      const purchase = await getPurchase(visit);
      const headers = downloadOf(`${plain(purchase.invoice_number)}.xml`);
      return { type: 'application/xml', content: bytesOf(purchase), headers };
    },
  });

  pages.show({
    url: '/leverantorsinkorg/:id/bilaga/:sha256',
    right: 'read',
    params: z.object({ id: uuid, sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
    show: async ({ tx, query, params: { id, sha256 } }) => {
      const file = await findPurchaseFile(tx, id, sha256);
      if (!file) throw new AppError('not_found', say`Bilagan finns inte.`);
      if (textOf(query, 'visa') !== '') return fileAnswer(file, false);
      return { type: file.media_type, content: file.bytes, headers: downloadOf(file.file_name) };
    },
  });
}

const plain = (number: string): string => number.replace(/[^\p{L}\p{N}._ -]/gu, '_') || 'faktura';

async function getPurchase({ tx, params }: Visit<{ id: string }>): Promise<PurchasePage> {
  const purchase = await findPurchase(tx, params.id);
  if (!purchase) throw new AppError('not_found', say`Leverantörsfakturan finns inte.`);
  return purchase;
}
