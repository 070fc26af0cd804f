/**
 * The web application: every page, in a room of its own beside the API, where requests have cookies and
 * forms, and answers have the headers of a page.
 */
import { join } from 'node:path';
import fastifyCookie from '@fastify/cookie';
import fastifyStatic from '@fastify/static';
import type { App } from '../http/fastify.ts';
import { registerAccountPages } from './accounts.ts';
import { registerAgencyKeyPages } from './agency-keys.ts';
import { registerApiKeyPage } from './api-key.ts';
import { registerApiKeyPages } from './api-keys.ts';
import { registerArticlePages } from './articles.ts';
import { registerAuditPages } from './audit.ts';
import { registerCompanyPages } from './company-settings.ts';
import { registerCustomerPages } from './customers.ts';
import { registerDimensionPages } from './dimensions.ts';
import { answerErrorPage } from './errors.ts';
import { registerFirstVisit } from './first-visit.ts';
import { registerFiscalYearPages } from './fiscal-years.ts';
import { readFields } from './form-fields.ts';
import { secureHeaders } from './headers.ts';
import { registerInvoicePage } from './invoice.ts';
import { registerInvoiceCrediting } from './invoice-credit.ts';
import { registerInvoiceDrafts } from './invoice-draft.ts';
import { registerInvoiceFiles } from './invoice-files.ts';
import { registerInvoiceHappenings } from './invoice-happenings.ts';
import { registerInvoicePages } from './invoices.ts';
import { registerLegacySecretPages } from './legacy-secrets.ts';
import { registerLockPages } from './locks.ts';
import { registerLogin } from './login.ts';
import { registerLoginCode } from './login-code.ts';
import { registerOpeningBalances } from './opening-balances.ts';
import { registerOperationPages } from './operations.ts';
import { registerOrderPage } from './order.ts';
import { registerOrderPages } from './orders.ts';
import { registerOverviewPages } from './overview.ts';
import { registerOwnAccountPages } from './own-account.ts';
import { type PageDeps, Pages } from './page.ts';
import { registerPurchasePage } from './purchase.ts';
import { registerPurchaseActions } from './purchase-actions.ts';
import { registerPurchasePages } from './purchases.ts';
import { registerReferenceRatePages } from './reference-rates.ts';
import { registerRefusedDocuments } from './refused-documents.ts';
import { registerSecondFactorPages } from './second-factor.ts';
import { registerSeriesPages } from './series.ts';
import { registerSettingsPage } from './settings.ts';
import { registerSupplierPages } from './suppliers.ts';
import { registerUploads } from './uploads.ts';
import { registerUserPages } from './users.ts';
import { registerVoucherPage } from './voucher.ts';
import { registerVoucherAttachments } from './voucher-attachments.ts';
import { registerVoucherCorrection } from './voucher-correction.ts';
import { registerVoucherForm } from './voucher-form.ts';
import { registerVoucherTemplates } from './voucher-templates.ts';
import { registerVoucherPages } from './vouchers.ts';
import { registerWebhookPage } from './webhook.ts';
import { registerWebhookPages } from './webhooks.ts';
import { registerWelcome } from './welcome.ts';

const publicFolder = join(import.meta.dirname, '../../public');
/** The largest form: a voucher of a thousand rows. */
const FORM_MAX_BYTES = 1024 * 1024;

const sections: readonly ((pages: Pages) => void)[] = [
  registerDimensionPages,
  registerInvoicePages,
  registerInvoicePage,
  registerInvoiceDrafts,
  registerInvoiceHappenings,
  registerInvoiceCrediting,
  registerInvoiceFiles,
  registerVoucherPages,
  registerVoucherPage,
  registerVoucherAttachments,
  registerVoucherForm,
  registerVoucherCorrection,
  registerVoucherTemplates,
  registerOrderPages,
  registerOrderPage,
  registerPurchasePages,
  registerPurchasePage,
  registerPurchaseActions,
  registerRefusedDocuments,
  registerSettingsPage,
  registerCompanyPages,
  registerUserPages,
  registerApiKeyPages,
  registerApiKeyPage,
  registerAgencyKeyPages,
  registerLegacySecretPages,
  registerReferenceRatePages,
  registerWebhookPages,
  registerWebhookPage,
  registerOwnAccountPages,
  registerSecondFactorPages,
  registerOperationPages,
  registerOverviewPages,
  registerAuditPages,
  registerCustomerPages,
  registerSupplierPages,
  registerArticlePages,
  registerAccountPages,
  registerSeriesPages,
  registerFiscalYearPages,
  registerLockPages,
  registerOpeningBalances,
];

export async function registerPages(app: App, deps: PageDeps): Promise<void> {
  await app.register(fastifyStatic, { root: publicFolder, prefix: '/public/', maxAge: '1h' });
  app.decorateRequest('person', null);
  app.decorate('errorPage', answerErrorPage);
  await app.register(async (room) => {
    await room.register(fastifyCookie);
    await registerUploads(room);
    room.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_MAX_BYTES },
      (_request, body, done) => done(null, readFields(new URLSearchParams(String(body)))),
    );
    room.addHook('onRequest', async (_request, reply) => secureHeaders(reply));
    const pages = new Pages(room as unknown as App, deps);
    registerWelcome(pages, room as unknown as App);
    registerFirstVisit(pages, room as unknown as App);
    registerLogin(pages, room as unknown as App);
    registerLoginCode(pages, room as unknown as App);
    for (const register of sections) register(pages);
  });
}
