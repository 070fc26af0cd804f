/** The HTTP application: every route, on one server. What a process adds is only where it listens. */
import type { FastifyInstance } from 'fastify';
import { registerAgency } from './agency/routes.ts';
import { db, type Pool } from './db/pool.ts';
import { sql } from './db/sql.ts';
import { Access } from './http/access.ts';
import { type App, type AppDeps, createServer } from './http/fastify.ts';
import { watchMethods } from './http/methods.ts';
import { registerOpenApi } from './http/openapi.ts';
import { registerInvoices } from './invoices/routes.ts';
import { registerMeta } from './meta/routes.ts';
import { registerOrders } from './orders/routes.ts';
import { registerWelcome } from './pages/welcome.ts';
import { registerPostability } from './postability/routes.ts';
import { registerStatistics } from './stats/routes.ts';
import { registerVouchers } from './vouchers/routes.ts';

export async function buildApp(deps: AppDeps): Promise<App> {
  const app = createServer(deps);
  const access = new Access(deps.pool, deps.config.legacySecrets);
  const refuseOtherMethods = watchMethods(app);
  await registerOpenApi(app);
  await registerWelcome(app, deps.config.baseUrl);
  registerHealth(app, deps.pool);
  registerMeta(app, deps, access);
  registerVouchers(app, deps, access);
  registerPostability(app, deps, access);
  registerInvoices(app, deps, access);
  registerOrders(app, deps, access);
  registerStatistics(app, deps, access);
  registerAgency(app, deps);
  refuseOtherMethods();
  return app;
}

/** For whoever watches over the process: `/healthz` lives, `/readyz` can work. */
function registerHealth(app: FastifyInstance, pool: Pool): void {
  app.get('/healthz', { schema: { hide: true } }, async () => ({ ok: true }));
  app.get('/readyz', { schema: { hide: true } }, async () => {
    await db(pool).query(sql`select 1`);
    return { ok: true };
  });
}
