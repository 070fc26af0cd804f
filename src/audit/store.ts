import type { Tx } from '../db/pool.ts';
import { sql } from '../db/sql.ts';
import { uuid } from '../uuid.ts';

export interface AuditEvent {
  /** Who: `user:<id>`, `key:<id>`, `job:<name>` or `cli`. */
  readonly actor: string;
  /** What, as in `key.revoked`. */
  readonly action: string;
  /** To what: an id, a date, a name. */
  readonly subject: string;
  readonly detail?: object;
}

/** Writes down who did what, in the transaction that did it. */
export async function recordEvent(tx: Tx, event: AuditEvent): Promise<void> {
  await tx.query(sql`insert into audit.events (id, actor, action, subject, detail)
    values (${uuid()}, ${event.actor}, ${event.action}, ${event.subject},
      ${JSON.stringify(event.detail ?? {})}::jsonb)`);
}
