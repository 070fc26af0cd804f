/**
 * What a role may use of the server. It is the role's own, whichever program logs in and through whichever
 * pooler. A client may set the times and `work_mem` for itself all the same, for PostgreSQL lets everybody
 * choose those; the number of connections and `temp_file_limit` it cannot (docs/architecture.md).
 */
import type pg from 'pg';
import type { DatabaseRole } from './roles.ts';

interface Limits {
  /** Of the server's connections. Together more than all: no role alone takes the others' places. */
  readonly connections_share: number;
  readonly settings: Readonly<Record<string, string>>;
}

const answering = {
  statement_timeout: '30s',
  transaction_timeout: '90s',
  work_mem: '8MB',
  temp_file_limit: '512MB',
};

const limits: Readonly<Record<DatabaseRole, Limits>> = {
  hb_api: { connections_share: 0.6, settings: answering },
  hb_app: { connections_share: 0.5, settings: answering },
  hb_agency: { connections_share: 0.2, settings: answering },
  // The nightly check reads all books, a series in one statement.
  hb_worker: {
    connections_share: 0.6,
    settings: {
      statement_timeout: '1h',
      transaction_timeout: '2h',
      work_mem: '32MB',
      temp_file_limit: '20GB',
    },
  },
};

const common = {
  idle_in_transaction_session_timeout: '60s',
  // Every statement of ours is short and repeated: planning it anew, or compiling it, costs more than
  // running it.
  plan_cache_mode: 'force_generic_plan',
  jit: 'off',
};

/** What `role` is given on a server that has all of it. */
export const settingsOf = (role: DatabaseRole): Readonly<Record<string, string>> => ({
  ...common,
  ...limits[role].settings,
});

/** What a server has to share out, and which settings the owner may give a role there. */
export interface ServerRoom {
  readonly max_connections: number;
  readonly settable: readonly string[];
}

export async function readRoom(client: pg.ClientBase): Promise<ServerRoom> {
  const { rows } = await client.query(
    `select current_setting('max_connections')::integer as max_connections,
       (select array_agg(name) from pg_settings where context = 'user'
         or name = 'temp_file_limit' and has_parameter_privilege(name, 'set')) as settable`,
  );
  return rows[0];
}

/** What gives `role`, called `name`, its limits, as far as the server has them and the owner may. */
export function limitStatements(
  role: DatabaseRole,
  name: string,
  { max_connections, settable }: ServerRoom,
): string[] {
  const connections = Math.floor(max_connections * limits[role].connections_share);
  return [
    `alter role ${name} connection limit ${connections}`,
    ...Object.entries(settingsOf(role))
      .filter(([setting]) => settable.includes(setting))
      .map(([setting, value]) => `alter role ${name} set ${setting} = '${value}'`),
  ];
}
