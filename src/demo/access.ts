/**
 * Who may do what in the example company: people, API keys, an agency, a webhook. Those who had access before the books
 * were emptied keep it, as they had made it: a secret is shown once, and what uses it goes on.
 */
import { createAgencyKey } from '../access/agency/keys.ts';
import type { Scope } from '../access/keys/scopes.ts';
import { hashOfSecret } from '../access/keys/secrets.ts';
import { createKey, revokeKey } from '../access/keys/service.ts';
import { hashOfPassword } from '../access/users/passwords.ts';
import { createUser } from '../access/users/service.ts';
import { findUserId } from '../access/users/store.ts';
import type { Keyring } from '../config/keyring.ts';
import type { Tx } from '../db/pool.ts';
import { createEndpoint, pauseEndpoint, queueTest } from '../events/webhooks/service.ts';
import type { Books } from './books.ts';
import { type DemoPerson, people } from './company.ts';
import { findKeyNamed, hasAgencyNamed, hasEndpoint } from './store.ts';

const generousQuota = 100_000;
const ordinaryQuota = 600;

export interface DemoPeople {
  readonly actors: Books['actors'];
  /** Those who have the password; nobody of those who were there before. */
  readonly added: readonly DemoPerson[];
}

/** One of each role, all with the same password. */
export async function addPeople(tx: Tx, password: string, actor: string): Promise<DemoPeople> {
  const added: DemoPerson[] = [];
  const add = async (person: DemoPerson): Promise<string> => {
    const { email, name, role } = person;
    const known = await findUserId(tx, email);
    if (known !== undefined) return `user:${known}`;
    added.push(person);
    const passwordHash = await hashOfPassword(password);
    const user = { email, name, role, passwordHash, passwordIsTemporary: false };
    return `user:${(await createUser(tx, user, actor)).id}`;
  };
  const owner = await add(people.owner);
  const administrator = await add(people.administrator);
  const bookkeeper = await add(people.bookkeeper);
  await add(people.reader);
  return { actors: { owner, administrator, bookkeeper }, added };
}

/** The secrets are null of those that were there before. */
export interface DemoKeys {
  /** Opens everything; for the person who tries. */
  readonly key: string | null;
  readonly agencyKey: string | null;
  /** Hashes of the keys of those who send orders, till reports and e-invoices. */
  readonly webShop: Buffer;
  readonly till: Buffer;
  readonly accessPoint: Buffer;
  /** Of the one that reads and proposes. */
  readonly assistant: Buffer;
  readonly assistantKey: string | null;
}

export async function addKeys(tx: Tx, { owner }: Books['actors']): Promise<DemoKeys> {
  const add = async (name: string, scopes: readonly Scope[], quotaPerHour = ordinaryQuota) => {
    const known = await findKeyNamed(tx, name);
    if (known?.is_live && scopes.every((scope) => known.scopes.includes(scope))) {
      return { key: null, hash: known.hash };
    }
    const asked = { name, scopes, quotaPerHour, expiresAt: null, isTest: true };
    const { key } = await createKey(tx, asked, owner);
    return { key, hash: hashOfSecret(key) };
  };
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
  await addFormerKey(tx, owner);
  const agencyName = 'Redovisningsbyrån Siffran AB';
  const agency = (await hasAgencyNamed(tx, agencyName))
    ? null
    : await createAgencyKey(tx, agencyName, owner);
  return {
    key: whole.key,
    agencyKey: agency?.key ?? null,
    webShop: webShop.hash,
    till: till.hash,
    accessPoint: accessPoint.hash,
    assistant: assistant.hash,
    assistantKey: assistant.key,
  };
}

/** One that opens nothing any more. */
async function addFormerKey(tx: Tx, owner: string): Promise<void> {
  const name = 'Gamla kassasystemet';
  if (await findKeyNamed(tx, name)) return;
  const scopes: readonly Scope[] = ['data:read', 'ledger:write'];
  const asked = { name, scopes, quotaPerHour: ordinaryQuota, expiresAt: null, isTest: true };
  const { id } = await createKey(tx, asked, owner);
  await revokeKey(tx, id, owner);
}

/** Where there is a key to seal its secret with. One message waits, and none is sent: the webhook is off, and the address nobody's (RFC 2606). */
export async function addWebhook(
  { tx, actors }: Books,
  keyring: Keyring | undefined,
): Promise<void> {
  const url = 'https://hook.lagersystemet.example/huvudbok';
  if (!keyring || (await hasEndpoint(tx, url))) return;
  const endpoint = {
    url,
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
