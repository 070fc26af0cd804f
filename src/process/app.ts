/** The HTTP application: every route, on one server. What a process adds is only where it listens. */
import { setImmediate as turn } from 'node:timers/promises';
import { registerAgency } from '../api/agency/routes.ts';
import { registerAssistants } from '../api/assistants/routes.ts';
import { registerBalances } from '../api/balances/routes.ts';
import { registerBankTransactions } from '../api/bank-transactions/routes.ts';
import { registerDocumentReading } from '../api/documents/reading.ts';
import { registerDocuments } from '../api/documents/routes.ts';
import { registerEInvoices } from '../api/e-invoices/routes.ts';
import { registerEvents } from '../api/events/routes.ts';
import { registerHealth } from '../api/health.ts';
import { registerOutgoingEInvoices } from '../api/invoices/e-invoice.ts';
import { registerInvoices } from '../api/invoices/routes.ts';
import { registerMeta } from '../api/meta/routes.ts';
import { registerOpenApi } from '../api/openapi.ts';
import { registerOrders } from '../api/orders/routes.ts';
import { registerOss } from '../api/oss/routes.ts';
import { registerPostability } from '../api/postability/routes.ts';
import { registerProposals } from '../api/proposals/routes.ts';
import { registerInvoiceReading } from '../api/registers/invoice-routes.ts';
import { registerRegisters } from '../api/registers/routes.ts';
import { registerSettlements } from '../api/settlements/routes.ts';
import { registerStatistics } from '../api/stats/routes.ts';
import { registerTillReportReading } from '../api/till-reports/reading.ts';
import { registerTillReports } from '../api/till-reports/routes.ts';
import { registerVouchers } from '../api/vouchers/routes.ts';
import { Access } from '../http/access.ts';
import { type App, type AppDeps, createServer } from '../http/fastify.ts';
import { registerPages } from './pages.ts';

/** In the order that they are described in. */
const sections: readonly ((app: App, deps: AppDeps, access: Access) => unknown)[] = [
  (app, { pool }) => registerHealth(app, pool),
  registerMeta,
  registerVouchers,
  registerPostability,
  registerRegisters,
  registerInvoiceReading,
  registerInvoices,
  registerOutgoingEInvoices,
  registerOrders,
  registerTillReports,
  registerTillReportReading,
  registerEInvoices,
  registerDocuments,
  registerDocumentReading,
  registerBankTransactions,
  registerSettlements,
  registerProposals,
  registerStatistics,
  registerBalances,
  registerOss,
  registerEvents,
  registerAgency,
  registerAssistants,
];

/** Between its parts what has come meanwhile is read, for whoever has something else to wait for. */
export async function buildApp(deps: AppDeps): Promise<App> {
  const app = createServer(deps);
  const access = new Access(deps.pool, deps.config.legacySecrets);
  app.addHook('onClose', () => access.stop());
  await registerOpenApi(app, deps.clock);
  for (const register of sections) {
    register(app, deps, access);
    await turn();
  }
  await registerPages(app, deps);
  return app;
}
