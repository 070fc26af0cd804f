/**
 * The web application: every page, in a room of its own beside the API, where requests have cookies and
 * forms, and answers have the headers of a page.
 */
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import fastifyCookie from '@fastify/cookie';
import fastifyStatic from '@fastify/static';
import type { FastifyRequest } from 'fastify';
import type { App } from '../http/fastify.ts';
import { registerAccountSection } from '../pages/account/section.ts';
import { registerBankSection } from '../pages/bank/section.ts';
import { registerBegunForms } from '../pages/begun-form-actions.ts';
import { answerErrorPage } from '../pages/errors.ts';
import { readSentFields } from '../pages/form-fields.ts';
import { secureHeaders } from '../pages/headers.ts';
import { registerInvoiceSection } from '../pages/invoices/section.ts';
import { registerAccrualSection } from '../pages/ledger/accruals/section.ts';
import { registerArchiveSection } from '../pages/ledger/archive/section.ts';
import { registerDocumentSection } from '../pages/ledger/documents/section.ts';
import { registerMonthSection } from '../pages/ledger/months/section.ts';
import { registerProposalSection } from '../pages/ledger/proposals/section.ts';
import { registerReportSection } from '../pages/ledger/reports/section.ts';
import { registerSieSection } from '../pages/ledger/sie/section.ts';
import { registerVatSection } from '../pages/ledger/vat/section.ts';
import { registerVoucherSection } from '../pages/ledger/vouchers/section.ts';
import { registerYearSection } from '../pages/ledger/years/section.ts';
import { registerOperationSection } from '../pages/operations/section.ts';
import { registerOrderSection } from '../pages/orders/section.ts';
import { Pages } from '../pages/page.ts';
import { registerPurchaseSection } from '../pages/purchases/section.ts';
import { registerRegisterSection } from '../pages/registers/section.ts';
import { registerSettingSection } from '../pages/settings/section.ts';
import { registerUploads } from '../pages/uploads.ts';
import type { PageDeps } from '../pages/visit.ts';
import { fontsFolder, pageFonts } from '../render/fonts.ts';

const publicFolder = join(import.meta.dirname, '../../public');
/** The largest form: a voucher of a thousand rows, with what was typed in every field. */
const formMaxBytes = 1024 * 1024;

const sections: readonly ((pages: Pages) => void)[] = [
  registerBegunForms,
  registerOperationSection,
  registerVoucherSection,
  registerDocumentSection,
  registerInvoiceSection,
  registerOrderSection,
  registerPurchaseSection,
  registerRegisterSection,
  registerBankSection,
  registerMonthSection,
  registerAccrualSection,
  registerProposalSection,
  registerVatSection,
  registerReportSection,
  registerYearSection,
  registerSieSection,
  registerArchiveSection,
  registerSettingSection,
  registerAccountSection,
];

export async function registerPages(app: App, deps: PageDeps): Promise<void> {
  await app.register(fastifyStatic, { root: publicFolder, prefix: '/public/', maxAge: '1h' });
  await app.register(fastifyStatic, {
    root: fontsFolder,
    prefix: '/public/fonts/',
    maxAge: '30d',
    decorateReply: false,
    allowedPath: (path) => pageFonts.has(path),
  });
  app.decorateRequest('person', null);
  app.decorateRequest('inboxes', null);
  app.decorate('errorPage', answerErrorPage);
  // A PDF in the browser's own viewer has no page to name its icon.
  app.get('/favicon.ico', { schema: { hide: true } }, (_request, reply) =>
    reply.redirect('/public/icon.svg', 301),
  );
  await app.register(async (room) => {
    await room.register(fastifyCookie);
    await registerUploads(room, deps.spool);
    room.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: formMaxBytes },
      async (_request: FastifyRequest, body: string | Buffer) =>
        readSentFields(new URLSearchParams(String(body))),
    );
    room.addHook('onRequest', async (_request, reply) => secureHeaders(reply));
    const pages = new Pages(room as unknown as App, deps);
    for (const register of sections) {
      register(pages);
      await turn();
    }
  });
}
