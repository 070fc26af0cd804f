/** For whoever watches over the process: `/healthz` lives, `/readyz` can work. */
import type { FastifyInstance } from 'fastify';
import { db, type Pool } from '../db/pool.ts';
import { sql } from '../db/sql.ts';

interface LastVerification {
  finished_at: Date;
  problems: number;
}

export function registerHealth(app: FastifyInstance, pool: Pool): void {
  app.get('/healthz', { schema: { hide: true } }, async () => ({ ok: true }));
  // Books that do not hold are a person's matter: taking the service away would only hide them.
  app.get('/readyz', { schema: { hide: true } }, async () => {
    const [verification = null] = await db(pool).query<LastVerification>(
      sql`select finished_at, problems from api.last_verification()`,
    );
    return { ok: true, verification };
  });
}
