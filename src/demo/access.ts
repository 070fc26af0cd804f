/** Who may do what in the example company: people, API keys, an agency, a webhook. */
import { createAgencyKey } from '../access/agency/keys.ts';
import type { Scope } from '../access/keys/scopes.ts';
import { hashOfSecret } from '../access/keys/secrets.ts';
import { createKey, revokeKey } from '../access/keys/service.ts';
import { hashOfPassword } from '../access/users/passwords.ts';
import { createUser } from '../access/users/service.ts';
import type { Keyring } from '../config/keyring.ts';
import type { Tx } from '../db/pool.ts';
import { createEndpoint, pauseEndpoint, queueTest } from '../events/webhooks/service.ts';
import type { Books } from './books.ts';
import { type DemoPerson, people } from './company.ts';

const generousQuota = 100_000;
const ordinaryQuota = 600;

/** One of each role, all with the same password. */
export async function addPeople(tx: Tx, password: string, actor: string): Promise<Books['actors']> {
  const add = async ({ email, name, role }: DemoPerson): Promise<string> => {
    const passwordHash = await hashOfPassword(password);
    const user = { email, name, role, passwordHash, passwordIsTemporary: false };
    return `user:${(await createUser(tx, user, actor)).id}`;
  };
  const owner = await add(people.owner);
  const administrator = await add(people.administrator);
  const bookkeeper = await add(people.bookkeeper);
  await add(people.reader);
  return { owner, administrator, bookkeeper };
}

export interface DemoKeys {
  /** Opens everything; for the person who tries. */
  readonly key: string;
  readonly agencyKey: string;
  /** Hashes of the keys of those who send orders, till reports and e-invoices. */
  readonly webShop: Buffer;
  readonly till: Buffer;
  readonly accessPoint: Buffer;
  /** Of the one that reads and proposes. */
  readonly assistant: Buffer;
  readonly assistantKey: string;
}

export async function addKeys(tx: Tx, { owner }: Books['actors']): Promise<DemoKeys> {
  const add = (name: string, scopes: readonly Scope[], quotaPerHour = ordinaryQuota) =>
    createKey(tx, { name, scopes, quotaPerHour, expiresAt: null }, owner);
  const whole = await add(
    'Exempelnyckel',
    [
      'data:read',
      'intake:write',
      'documents:read',
      'documents:write',
      'bank:write',
      'bank:read',
      'ledger:write',
    ],
    generousQuota,
  );
  const webShop = await add('Webbutiken', ['intake:write']);
  const till = await add('Kassasystemet', ['intake:write']);
  const accessPoint = await add('Accesspunkten', ['intake:write']);
  const assistant = await add('Assistenten', ['data:read', 'bank:read', 'proposals:write']);
  const former = await add('Gamla kassasystemet', ['data:read', 'ledger:write']);
  await revokeKey(tx, former.id, owner);
  const agency = await createAgencyKey(tx, 'Redovisningsbyrån Siffran AB', owner);
  return {
    key: whole.key,
    agencyKey: agency.key,
    webShop: hashOfSecret(webShop.key),
    till: hashOfSecret(till.key),
    accessPoint: hashOfSecret(accessPoint.key),
    assistant: hashOfSecret(assistant.key),
    assistantKey: assistant.key,
  };
}

/** Where there is a key to seal its secret with. One message waits, and none is sent: the webhook is off, and the address nobody's (RFC 2606). */
export async function addWebhook(
  { tx, actors }: Books,
  keyring: Keyring | undefined,
): Promise<void> {
  if (!keyring) return;
  const endpoint = {
    url: 'https://hook.lagersystemet.example/huvudbok',
    types: ['invoice.booked', 'invoice.paid'],
    description: 'Lagersystemet',
  } as const;
  const { id } = await createEndpoint(
    tx,
    endpoint,
    { webhookNetworks: [], keyring },
    actors.administrator,
  );
  await queueTest(tx, id);
  await pauseEndpoint(tx, id, actors.administrator);
}
