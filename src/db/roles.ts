/**
 * The login roles. Each process connects as the role its work needs. Their passwords are derived
 * from the owner's, so that DATABASE_URL alone configures any number of processes on any number of
 * hosts and nothing more has to be kept secret (docs/decisions/0003-role-passwords.md).
 */
import { createHmac } from 'node:crypto';
import { parseDatabaseUrl, withLogin } from './connection-settings.ts';

export const roles = ['hb_api', 'hb_app', 'hb_agency', 'hb_worker'] as const;
export type Role = (typeof roles)[number];

/** The role's password, or null when the owner has none (peer or certificate authentication). */
export function rolePassword(ownerUrl: string, role: Role): string | null {
  const { password } = parseDatabaseUrl(ownerUrl);
  if (password === undefined) return null;
  return createHmac('sha256', password).update(`huvudbok role ${role}`).digest('base64url');
}

/** The owner's URL with the role's login in place of the owner's. */
export function roleUrl(ownerUrl: string, role: Role): string {
  return withLogin(ownerUrl, role, rolePassword(ownerUrl, role));
}
