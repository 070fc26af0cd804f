/**
 * The web application: every page, in a room of its own beside the API, where requests have cookies and
 * forms, and answers have the headers of a page.
 */
import { join } from 'node:path';
import fastifyCookie from '@fastify/cookie';
import fastifyStatic from '@fastify/static';
import type { App } from '../http/fastify.ts';
import { registerAccountPages } from './accounts.ts';
import { registerArticlePages } from './articles.ts';
import { registerCustomerPages } from './customers.ts';
import { registerDimensionPages } from './dimensions.ts';
import { answerErrorPage } from './errors.ts';
import { registerFiscalYearPages } from './fiscal-years.ts';
import { readFields } from './form-fields.ts';
import { secureHeaders } from './headers.ts';
import { registerLockPages } from './locks.ts';
import { registerLogin } from './login.ts';
import { registerOpeningBalances } from './opening-balances.ts';
import { type PageDeps, Pages } from './page.ts';
import { registerSeriesPages } from './series.ts';
import { registerSupplierPages } from './suppliers.ts';
import { registerUploads } from './uploads.ts';
import { registerWelcome } from './welcome.ts';

const publicFolder = join(import.meta.dirname, '../../public');
/** The largest form: a voucher of a thousand rows. */
const FORM_MAX_BYTES = 1024 * 1024;

const sections: readonly ((pages: Pages) => void)[] = [
  registerDimensionPages,
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
    registerLogin(pages, room as unknown as App);
    for (const register of sections) register(pages);
  });
}
