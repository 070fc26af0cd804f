/** The first visit: a company, its first owner and a first key, from whoever has the operator's token. */

import { scopes } from '../../access/keys/scopes.ts';
import { createSecret, hashOfSecret } from '../../access/keys/secrets.ts';
import { type CreatedKey, createKey } from '../../access/keys/service.ts';
import { beginFirstSession, enterSession } from '../../access/sessions/store.ts';
import { hashOfPassword } from '../../access/users/passwords.ts';
import { createUser } from '../../access/users/service.ts';
import { type Pool, withTx } from '../../db/pool.ts';
import type { BasAccount } from '../../ledger/accounts/bas-base-chart.ts';
import type { YearSpan } from '../../ledger/fiscal-years/service.ts';
import { setUp } from '../company/service.ts';
import { claimSetup } from './store.ts';

const firstKey = 'Första nyckeln';
/** All that one key can have: what books proposes nothing. */
const firstScopes = scopes.filter((scope) => scope !== 'proposals:write');
const firstQuota = 600;

export interface FirstVisit {
  /** SHA-256 of the token. */
  readonly token: Buffer;
  /** Null when the command line has set the company up. */
  readonly company: {
    readonly name: string;
    readonly organizationNumber: string;
    readonly fiscalYear: YearSpan;
    readonly accounts: readonly BasAccount[];
  } | null;
  readonly owner: { readonly name: string; readonly email: string; readonly password: string };
  /** The sender's, as PostgreSQL can keep it. */
  readonly address: string;
  readonly agent: string;
  readonly requestId: string;
}

export interface FirstVisitResult {
  /** The new owner's session. */
  readonly session: string;
  readonly key: CreatedKey;
}

/**
 * Everything or nothing, in one transaction; of two at once one wins, and the other gets undefined, as does
 * whoever has a token that is unknown, older than a day, or of no use since there is a user.
 */
export async function setUpFirst(
  pool: Pool,
  visit: FirstVisit,
): Promise<FirstVisitResult | undefined> {
  const { name, email, password } = visit.owner;
  const passwordHash = await hashOfPassword(password);
  const session = createSecret('');
  return withTx(pool, async (tx) => {
    if (!(await claimSetup(tx, visit.token, visit.requestId))) return undefined;
    const actor = 'setup';
    if (visit.company) {
      const { name: company, ...rest } = visit.company;
      await setUp(tx, { company, ...rest, owner: null }, actor);
    }
    const { id } = await createUser(
      tx,
      { email, name, role: 'agare', passwordHash, passwordIsTemporary: false },
      actor,
    );
    const hash = hashOfSecret(session);
    await beginFirstSession(tx, id, { hash, address: visit.address, agent: visit.agent });
    await enterSession(tx, hash, visit.requestId);
    const key = await createKey(
      tx,
      { name: firstKey, scopes: firstScopes, quotaPerHour: firstQuota, expiresAt: null },
      `user:${id}`,
    );
    return { session, key };
  });
}
