/**
 * The login roles. Each process connects as the role its work needs. Roles belong to the whole server, so
 * each installation there has its own, told apart by a prefix: `hb_api`, or `hb_acme_api` where `hb` is
 * taken (docs/decisions/0014-roles-of-an-installation.md). In code, migrations and grants.sql a role has the
 * name it has with the prefix `hb`.
 *
 * Their passwords are derived from the owner's, so that DATABASE_URL alone configures any number of
 * processes on any number of hosts and nothing more has to be kept secret
 * (docs/decisions/0003-role-passwords.md).
 */
import { createHmac } from 'node:crypto';
import { parseDatabaseUrl, withLogin } from '../config/database-url.ts';

export const roles = ['hb_api', 'hb_app', 'hb_agency', 'hb_worker'] as const;
export type DatabaseRole = (typeof roles)[number];

/** What an installation has where nobody else on the server has it. */
export const plainPrefix = 'hb';

const kindOf = (role: DatabaseRole): string => role.slice(plainPrefix.length);
const kinds = roles.map(kindOf).join('|');

/** What the server calls `role` of an installation: `hb_acme_api`. Needs no quoting. */
export const roleName = (prefix: string, role: DatabaseRole): string => prefix + kindOf(role);

/** The names of all roles of an installation. */
export const roleNames = (prefix: string): string[] => roles.map((role) => roleName(prefix, role));

/** The names that the roles of any installation may have, as a POSIX regular expression. */
export const anyRoleName = `^${plainPrefix}(_[a-z0-9_]+)?(${kinds})$`;

/** SQL or any text that names the roles of one installation, naming those of another. */
export function renameRoles(text: string, from: string, to: string): string {
  return text.replace(new RegExp(`\\b${from}(${kinds})\\b`, 'g'), `${to}$1`);
}

/** The password of the role called `name`, or null when the owner has none (peer or certificate). */
export function rolePassword(ownerUrl: string, name: string): string | null {
  const { password } = parseDatabaseUrl(ownerUrl);
  if (password === undefined) return null;
  return createHmac('sha256', password).update(`huvudbok role ${name}`).digest('base64url');
}

/** The address that each role logs in with. */
export type Logins = (role: DatabaseRole) => string;

/** The owner's URL with the login of an installation's role in place of the owner's. */
export function loginsOf(ownerUrl: string, prefix: string): Logins {
  return (role) => {
    const name = roleName(prefix, role);
    return withLogin(ownerUrl, name, rolePassword(ownerUrl, name));
  };
}
