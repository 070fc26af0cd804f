/** For whoever watches over the process: `/healthz` lives, `/readyz` can work. */
import type { FastifyInstance } from 'fastify';
import { countUnreadable, findBackupState } from '../backups/records.ts';
import { db, type Pool } from '../db/pool.ts';
import { sql } from '../db/sql.ts';
import { AppError } from '../errors.ts';

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
    if ((await countUnreadable(db(pool))) > 0) {
      // Better no answers than empty ones.
      throw new AppError(
        'server_misconfigured',
        'Regler för vem som får läsa saknas i databasen, så allt ser tomt ut: återställ den med sina roller.',
      );
    }
    // A backup that is missing is a person's matter too.
    const backup = (await findBackupState(db(pool))) ?? null;
    return { ok: true, verification, backup };
  });
}
