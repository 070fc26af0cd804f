/** The HTTP application: every route, on one server. What a process adds is only where it listens. */
import { registerAgency } from '../api/agency/routes.ts';
import { registerAssistants } from '../api/assistants/routes.ts';
import { registerBankTransactions } from '../api/bank-transactions/routes.ts';
import { registerDocuments } from '../api/documents/routes.ts';
import { registerEInvoices } from '../api/e-invoices/routes.ts';
import { registerEvents } from '../api/events/routes.ts';
import { registerHealth } from '../api/health.ts';
import { registerInvoices } from '../api/invoices/routes.ts';
import { registerMeta } from '../api/meta/routes.ts';
import { registerOpenApi } from '../api/openapi.ts';
import { registerOrders } from '../api/orders/routes.ts';
import { registerPostability } from '../api/postability/routes.ts';
import { registerProposals } from '../api/proposals/routes.ts';
import { registerInvoiceReading } from '../api/registers/invoice-routes.ts';
import { registerRegisters } from '../api/registers/routes.ts';
import { registerSettlements } from '../api/settlements/routes.ts';
import { registerStatistics } from '../api/stats/routes.ts';
import { registerTillReports } from '../api/till-reports/routes.ts';
import { registerVouchers } from '../api/vouchers/routes.ts';
import { Access } from '../http/access.ts';
import { type App, type AppDeps, createServer } from '../http/fastify.ts';
import { registerPages } from './pages.ts';

export async function buildApp(deps: AppDeps): Promise<App> {
  const app = createServer(deps);
  const access = new Access(deps.pool, deps.config.legacySecrets);
  await registerOpenApi(app, deps.clock);
  registerHealth(app, deps.pool);
  registerMeta(app, deps, access);
  registerVouchers(app, deps, access);
  registerPostability(app, deps, access);
  registerRegisters(app, deps, access);
  registerInvoiceReading(app, deps, access);
  registerInvoices(app, deps, access);
  registerOrders(app, deps, access);
  registerTillReports(app, deps, access);
  registerEInvoices(app, deps, access);
  registerDocuments(app, deps, access);
  registerBankTransactions(app, deps, access);
  registerSettlements(app, deps, access);
  registerProposals(app, deps, access);
  registerStatistics(app, deps, access);
  registerEvents(app, deps, access);
  registerAgency(app, deps);
  registerAssistants(app, deps, access);
  await registerPages(app, deps);
  return app;
}
