/**
 * Who is calling, may they, and have they calls left: 401 → 403 → 429, before a byte of the body is
 * read. One batched statement answers for all the calls that arrive at once, and those of a busy key
 * are counted before they come (prepaid.ts); permission is looked up
 * anew in every later statement too (row level security, src/db), so a key revoked in mid-call opens
 * nothing more.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Admission, admit, countFurther, presentKey } from '../access/keys/admission-store.ts';
import { findLegacy } from '../access/keys/legacy.ts';
import { keyRefusal } from '../access/keys/refusal.ts';
import type { Scope } from '../access/keys/scopes.ts';
import { hashOfSecret } from '../access/keys/secrets.ts';
import type { LegacyName, LegacySecret } from '../config/legacy-secrets.ts';
import { createBatcher, type Submit } from '../db/batching/batcher.ts';
import type { HasHungUp } from '../db/batching/hanging-up.ts';
import { type Db, db, type Pool, type Tx, withReading } from '../db/pool.ts';
import { AppError, refuseWhole } from '../lib/errors.ts';
import { admissions } from '../lib/metrics/metrics.ts';
import { FailureCounts } from './failures.ts';
import { hangUpOf } from './hanging-up.ts';
import { bearerOf } from './headers.ts';
import { nameOf } from './load.ts';
import { Prepaid } from './prepaid.ts';
import { setRateLimitHeaders } from './rate-limit.ts';
import type { Readers } from './readers.ts';
import { holderOf } from './shedding.ts';
import { addressOf } from './transport.ts';

/** The key behind a call. `hash` is the SHA-256 of its secret: what the database knows it by. */
export interface Caller {
  readonly keyId: string;
  readonly keyName: string;
  readonly scopes: readonly Scope[];
  readonly hash: Buffer;
  readonly hasHungUp: HasHungUp;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
  }
}

/** What a route asks beyond scopes. */
interface Guard {
  readonly legacy?: LegacyName;
  readonly isProposing?: boolean;
}

interface Credential {
  readonly holder: string;
  readonly hash: Buffer;
  readonly scopes: readonly Scope[];
}

/** Calls without a valid key that one address may make in an hour before it gets 429 instead of 401. */
const maxFailuresPerHour = 1_000;
const keyForm = /^svc_(?:live|test)_[A-Za-z0-9_-]{43}$/;
const testKeyForm = /^svc_test_/;

export class Access {
  readonly #db: Db;
  readonly #legacySecrets: readonly LegacySecret[];
  readonly #admit: Submit<Credential, Admission>;
  readonly #prepaid: Prepaid;
  readonly #failures = new FailureCounts();

  constructor(pool: Pool, legacySecrets: readonly LegacySecret[]) {
    this.#db = db(pool);
    this.#legacySecrets = legacySecrets;
    this.#prepaid = new Prepaid(this.#db);
    this.#admit = createBatcher({
      name: 'admission',
      maxItems: 200,
      maxInFlight: 2,
      holderOf: ({ holder }) => holder,
      run: (items) => admit(this.#db, items),
    });
  }

  /**
   * An onRequest hook that lets through keys with all of `required`, and on the routes that had one
   * of its own before, the legacy secret of that name. Whoever may book has nobody to ask, and proposes nothing.
   */
  readonly hook =
    (required: readonly Scope[], { legacy, isProposing = false }: Guard = {}) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const hash = this.#hashOf(request, legacy);
      const hasHungUp = hangUpOf(request);
      const admission = hash
        ? await this.#letIn({ holder: holderOf(request), hash, scopes: required }, hasHungUp)
        : undefined;
      admissions.inc({ outcome: admission?.outcome ?? 'unauthorized' });
      if (hash && admission?.key_id) request.presentedKey = hash;
      if (
        !hash ||
        !admission ||
        ['unauthorized', 'key_expired', 'key_revoked'].includes(admission.outcome)
      ) {
        throw this.#refuseStranger(request, admission);
      }
      refuseUnlessConfigured(admission);
      refuseUnlessScoped(admission, required);
      if (isProposing) refuseBookers(admission);
      setRateLimitHeaders(reply, admission);
      if (admission.outcome === 'rate_limited') throw quotaSpent(admission);
      request.server.load.remember(hash);
      request.caller = {
        keyId: admission.key_id,
        keyName: admission.name,
        scopes: admission.scopes,
        hash,
        hasHungUp,
      };
    };

  /**
   * Counts so many calls more for one that has been let in and does the work of several. Throws 429 when the hour
   * has not so many left; none of them is then counted.
   */
  async countFurther(request: FastifyRequest, reply: FastifyReply, calls: number): Promise<void> {
    if (calls === 0) return;
    const { hash } = callerOf(request);
    await this.#prepaid.giveBack(hash);
    const window = await countFurther(this.#db, hash, calls);
    if (!window) throw keyRefusal('unauthorized');
    setRateLimitHeaders(reply, window);
    if (window.is_within) return;
    const left = Math.max(0, window.quota - Number(window.used));
    throw spent(
      window.seconds_left,
      `Anropet räknas som ${calls + 1}, och av nyckelns ${window.quota} i timmen är ${left} kvar efter det första; dela upp det, eller försök igen om ${window.seconds_left} sekunder.`,
    );
  }

  /** Nobody calls with keys any more. */
  stop(): Promise<void> {
    return this.#prepaid.stop();
  }

  async #letIn(credential: Credential, hasHungUp: HasHungUp): Promise<Admission> {
    const { hash, scopes } = credential;
    const prepaid = this.#prepaid.take(hash, scopes);
    if (prepaid) return prepaid;
    const admission = await this.#admit(credential, hasHungUp);
    return admission.outcome === 'admitted' ? this.#prepaid.follow(hash, admission) : admission;
  }

  /** The hash of the one secret presented, when it has a form that may open the route. */
  #hashOf(request: FastifyRequest, legacy: LegacyName | undefined): Buffer | undefined {
    const secret = bearerOf(request);
    if (secret === undefined) return undefined;
    const hash = hashOfSecret(secret);
    const configured = findLegacy(this.#legacySecrets, hash);
    const isWelcome = configured ? configured.name === legacy : keyForm.test(secret);
    return isWelcome ? hash : undefined;
  }

  #refuseStranger(request: FastifyRequest, admission: Admission | undefined): AppError {
    const { used, secondsLeft } = this.#failures.count(addressOf(request), performance.now());
    if (used > maxFailuresPerHour) {
      return new AppError(
        'rate_limited',
        'För många anrop utan giltig nyckel från den här adressen.',
        {
          headers: { 'retry-after': String(secondsLeft) },
        },
      );
    }
    if (admission?.outcome === 'key_revoked') {
      return keyRefusal('key_revoked');
    }
    return new AppError('unauthorized', strangerMessage(request, admission), {
      headers: { 'www-authenticate': 'Bearer' },
    });
  }
}

function strangerMessage(request: FastifyRequest, admission: Admission | undefined): string {
  if (admission?.outcome === 'key_expired') return 'API-nyckeln har gått ut; skapa en ny i appen.';
  return testKeyForm.test(bearerOf(request) ?? '')
    ? 'Nyckeln är en testnyckel (svc_test_…), som bara fungerar mot det exempelföretag den skapades för. Här behövs en nyckel som börjar på svc_live_, eller en ny testnyckel om det här är ett exempelföretag.'
    : 'API-nyckel saknas eller är okänd. Skicka den som Authorization: Bearer svc_live_… i en enda rubrik.';
}

/** Lets a key in where there is no request: as the hook of a route that asks for no scope. */
export async function admitKey(pool: Pool, hash: Buffer): Promise<Caller> {
  const [admission] = await admit(db(pool), [{ hash, scopes: [] }]);
  if (admission?.outcome === 'key_revoked') throw keyRefusal('key_revoked');
  if (admission?.outcome === 'rate_limited') throw quotaSpent(admission);
  if (admission) refuseUnlessConfigured(admission);
  if (admission?.outcome !== 'admitted') throw keyRefusal('unauthorized');
  const { key_id: keyId, name: keyName, scopes } = admission;
  return { keyId, keyName, scopes, hash, hasHungUp: () => false };
}

const quotaSpent = ({ quota, seconds_left: left }: Admission): AppError =>
  spent(left, `Nyckelns kvot på ${quota} anrop i timmen är slut; försök igen om ${left} sekunder.`);

const spent = (secondsLeft: number, message: string): AppError =>
  new AppError('rate_limited', message, { headers: { 'retry-after': String(secondsLeft) } });

function refuseUnlessConfigured(admission: Admission): void {
  if (admission.outcome !== 'server_misconfigured') return;
  throw new AppError(
    'server_misconfigured',
    'Installationen är inte färdig: företag och räkenskapsår saknas. Kör huvudbok setup.',
  );
}

function refuseUnlessScoped(admission: Admission, required: readonly Scope[]): void {
  if (admission.outcome === 'insufficient_scope') throw scopesMissing(admission.scopes, required);
}

/** Throws 403 when the key may book by itself: for what only proposes. */
export function refuseBookers({ scopes }: Pick<Caller, 'scopes'>): void {
  if (scopes.includes('ledger:write')) throw refuseWhole('scope_conflict', 'proposes_and_books');
}

/** Throws 403 unless the key has all of `required`: for what a route's body asks beyond the route. */
export function requireScopes(
  { scopes }: Pick<Caller, 'scopes'>,
  required: readonly Scope[],
): void {
  if (required.some((scope) => !scopes.includes(scope))) throw scopesMissing(scopes, required);
}

function scopesMissing(scopes: readonly Scope[], required: readonly Scope[]): AppError {
  const missing = required.filter((scope) => !scopes.includes(scope));
  return new AppError(
    'insufficient_scope',
    `Nyckeln saknar ${missing.length === 1 ? 'behörigheten' : 'behörigheterna'} ${missing.join(' och ')}. Anropet kräver ${required.join(' och ')}.`,
    { detail: { required, missing } },
  );
}

/** The key behind a request that its route's access hook has let in. */
export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error('the route lets calls in without a key');
  return request.caller;
}

/** Reads on behalf of a key: row level security sees it, in this transaction only. */
export function withKey<T>(
  readers: Readers,
  caller: Caller,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const { hash, hasHungUp } = caller;
  const read = (pool: Pool) => withReading(pool, (tx) => presentKey(tx, hash), work);
  return readers.run(nameOf(hash), read, hasHungUp);
}
