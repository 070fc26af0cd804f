/** Vouchers: the list, one, new ones, corrections, documents and templates. */
import type { Pages } from '../../page.ts';
import { registerPictures } from './pictures.ts';
import { registerVoucherPage } from './voucher.ts';
import { registerVoucherAttachments } from './voucher-attachments.ts';
import { registerVoucherCorrection } from './voucher-correction.ts';
import { registerVoucherForm } from './voucher-form.ts';
import { registerVoucherTemplates } from './voucher-templates.ts';
import { registerVoucherPages } from './vouchers.ts';

export function registerVoucherSection(pages: Pages): void {
  registerVoucherPages(pages);
  registerVoucherPage(pages);
  registerVoucherAttachments(pages);
  registerPictures(pages);
  registerVoucherForm(pages);
  registerVoucherCorrection(pages);
  registerVoucherTemplates(pages);
}
