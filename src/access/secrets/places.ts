/** Where the database keeps sealed secrets: what is moved when keys change, and useless without them. */
import { type Sql, sql } from '../../db/sql.ts';
import type { Row } from './seal.ts';

export interface SecretPlace {
  /** As `restricted.clear_secrets` calls it. */
  readonly name: 'second_factor' | 'webhook' | 'webhook_previous';
  readonly table: Sql;
  readonly column: Sql;
  readonly rowOf: (id: string) => Row;
}

export const rowOfUser = (id: string): Row => `restricted.users/${id}`;
export const rowOfEndpoint = (id: string): Row => `events.endpoints/${id}`;

const users = { table: sql`restricted.users`, rowOf: rowOfUser };
const endpoints = { table: sql`events.endpoints`, rowOf: rowOfEndpoint };

export const places: readonly SecretPlace[] = [
  { name: 'second_factor', ...users, column: sql`sealed_totp_secret` },
  { name: 'webhook', ...endpoints, column: sql`sealed_secret` },
  { name: 'webhook_previous', ...endpoints, column: sql`previous_sealed_secret` },
];
