/** Endpoints that are told of events: set up, tried, rotated, paused. */

import { createSecret } from '../../access/keys/secrets.ts';
import { open, rowOfEndpoint, seal } from '../../access/secrets/seal.ts';
import { recordEvent } from '../../audit/store.ts';
import type { Config } from '../../config/config.ts';
import type { Keyring } from '../../config/keyring.ts';
import type { Tx } from '../../db/pool.ts';
import { delayAfter, totalMs } from '../../domain/basics/retry-delays.ts';
import { refuse, refuseWhole } from '../../lib/errors.ts';
import { uuid } from '../../lib/uuid.ts';
import type { EventType } from '../types.ts';
import { urlProblem } from './addresses.ts';
import type { AttemptResult, Send } from './send.ts';
import {
  type DueDelivery,
  deleteEndpointRow,
  disableEndpoint,
  endWaiting,
  findSecretKeyId,
  finishDelivery,
  holdEndpoint,
  insertAttempt,
  insertDeliveryAgain,
  insertEndpoint,
  insertTestDelivery,
  lockEndpoint,
  noteFailure,
  noteSuccess,
  postponeDelivery,
  replaceSecret,
  setEnabled,
  unknownEndpoint,
} from './store.ts';

export interface NewEndpoint {
  readonly url: string;
  /** Empty means all. */
  readonly types: readonly EventType[];
  readonly description: string;
}

export interface CreatedEndpoint {
  readonly id: string;
  readonly url: string;
  readonly types: readonly EventType[];
  /** `whsec_` and 256 random bits in base64, as Standard Webhooks has it. Shown only now. */
  readonly secret: string;
}

/** Told of what happens from now on. */
export async function createEndpoint(
  tx: Tx,
  endpoint: NewEndpoint,
  { webhookNetworks, keyring }: Pick<Config, 'webhookNetworks' | 'keyring'>,
  actor: string,
): Promise<CreatedEndpoint> {
  const { url, types, description } = endpoint;
  const problem = urlProblem(url, webhookNetworks);
  if (problem) throw refuse('unprocessable', [{ path: 'url', ...problem }]);
  const id = uuid();
  const secret = newSecret();
  const sealed = sealSecret(keyring, id, secret);
  await insertEndpoint(tx, { id, url, description, types, sealed }, actor);
  await recordEvent(tx, { actor, action: 'webhook.created', subject: id, detail: { url, types } });
  return { id, url, types, secret };
}

export async function deleteEndpoint(tx: Tx, id: string, actor: string): Promise<void> {
  const url = await deleteEndpointRow(tx, id);
  if (url === undefined) throw unknownEndpoint(id);
  await recordEvent(tx, { actor, action: 'webhook.deleted', subject: id, detail: { url } });
}

/** The old secret signs beside the new for a day, so that the receiver can change over, if it can be read. */
export async function rotateSecret(
  tx: Tx,
  id: string,
  keyring: Keyring | undefined,
  actor: string,
): Promise<{ secret: string }> {
  const secret = newSecret();
  const keeps = (await hasReadableSecret(tx, id, keyring)) === true;
  if (!(await replaceSecret(tx, id, sealSecret(keyring, id, secret), keeps))) {
    throw unknownEndpoint(id);
  }
  await recordEvent(tx, { actor, action: 'webhook.rotated', subject: id });
  return { secret };
}

/** On again: what waited is sent at once, and what has happened since follows. */
export async function enableEndpoint(
  tx: Tx,
  id: string,
  keyring: Keyring | undefined,
  actor: string,
): Promise<void> {
  if ((await hasReadableSecret(tx, id, keyring)) === false) {
    throw refuseWhole('unprocessable', 'endpoint_secret_unreadable');
  }
  if (!(await setEnabled(tx, id))) throw unknownEndpoint(id);
  await endWaiting(tx, id);
  await recordEvent(tx, { actor, action: 'webhook.enabled', subject: id });
}

/** What happens meanwhile is kept and sent when it is on again. */
export async function pauseEndpoint(tx: Tx, id: string, actor: string): Promise<void> {
  if (!(await lockEndpoint(tx, id))) throw unknownEndpoint(id);
  if (await disableEndpoint(tx, id, 'Avstängd av en användare.')) {
    await recordEvent(tx, { actor, action: 'webhook.disabled', subject: id });
  }
}

/** Queues a message that says nothing but that it arrived. */
export async function queueTest(tx: Tx, id: string): Promise<{ deliveryId: string }> {
  const deliveryId = await insertTestDelivery(tx, id, testType);
  if (deliveryId === undefined) throw unknownEndpoint(id);
  return { deliveryId };
}

/** Sends a delivery once more, with its event's own id, whatever became of it before. */
export async function resend(
  tx: Tx,
  deliveryId: string,
  actor: string,
): Promise<{ deliveryId: string }> {
  const id = await insertDeliveryAgain(tx, deliveryId);
  if (id === undefined) throw refuseWhole('not_found', 'no_delivery', { id: deliveryId });
  await recordEvent(tx, { actor, action: 'webhook.resent', subject: deliveryId });
  return { deliveryId: id };
}

const gone = 410;
const testType = 'webhook.test';

/**
 * Writes down how an attempt went, and what follows from it. Says why the endpoint was shut off, if it
 * was: it says it is gone, or no attempt has succeeded for as long as deliveries are tried.
 */
export async function concludeAttempt(
  tx: Tx,
  delivery: DueDelivery,
  result: AttemptResult,
): Promise<string | undefined> {
  const { id, endpoint_id: endpointId, attempt, type } = delivery;
  const { status, restMs } = result;
  await insertAttempt(tx, id, attempt, result);
  if (status !== null && status >= 200 && status < 300) {
    const failingSince = await noteSuccess(tx, endpointId);
    if (failingSince) await catchUp(tx, endpointId, failingSince);
    await finishDelivery(tx, id, 'delivered');
    return undefined;
  }
  if (type === testType) {
    await finishDelivery(tx, id, 'failed');
    return undefined;
  }
  await noteFailure(tx, endpointId);
  if (restMs > 0) await holdEndpoint(tx, endpointId, restMs);
  const delay = status === gone ? null : delayAfter(attempt, Math.random());
  if (delay !== null) {
    await postponeDelivery(tx, id, Math.max(delay, restMs));
    return undefined;
  }
  const reason =
    status === gone
      ? await shutOff(tx, endpointId, 'Mottagaren svarade 410: adressen finns inte mer.', 0)
      : await shutOff(
          tx,
          endpointId,
          `Inget försök på tre dygn har lyckats. Sist: ${result.error ?? `status ${status}.`}`,
          Math.floor(totalMs / 3_600_000),
        );
  // What it is shut off by was not taken: it waits for it to be on again, as what comes after it does.
  if (status === gone || reason !== undefined) await postponeDelivery(tx, id, 0);
  else await finishDelivery(tx, id, 'failed');
  return reason;
}

/** With nothing taken for as long, a receiver counts as having been away. */
const outageMs = 60_000;
/** The attempt that an outage begins with started before it was known to have failed. */
const attemptMsMax = 30_000;

/**
 * A receiver that is back gets what it missed at once: what failed because it was away would otherwise wait
 * for up to twenty hours, and hold up what has happened since (fan_out). What had failed before keeps its
 * waits: an event that the receiver never takes is not attempted more often because others succeed.
 */
async function catchUp(tx: Tx, endpointId: string, failingSince: Date): Promise<void> {
  if (Date.now() - failingSince.getTime() < outageMs) return;
  await endWaiting(tx, endpointId, new Date(failingSince.getTime() - attemptMsMax));
}

async function shutOff(
  tx: Tx,
  endpointId: string,
  reason: string,
  afterHours: number,
): Promise<string | undefined> {
  if (!(await disableEndpoint(tx, endpointId, reason, afterHours))) return undefined;
  await recordEvent(tx, {
    actor: 'job:webhooks',
    action: 'webhook.disabled',
    subject: endpointId,
    detail: { reason },
  });
  return reason;
}

function sealSecret(keyring: Keyring | undefined, id: string, secret: string): Buffer {
  if (!keyring) throw refuseWhole('unprocessable', 'no_secrets_key');
  return seal(keyring, rowOfEndpoint(id), Buffer.from(secret));
}

/** What signs a delivery, newest first; none when they cannot be read with the keys that are here. */
export function openSecretsOf(
  keyring: Keyring | undefined,
  { endpoint_id: id, sealed }: Pick<DueDelivery, 'endpoint_id' | 'sealed'>,
): string[] {
  return sealed.flatMap((one) => open(keyring, rowOfEndpoint(id), one)?.toString() ?? []);
}

/** Undefined when there is no such endpoint. */
async function hasReadableSecret(
  tx: Tx,
  id: string,
  keyring: Keyring | undefined,
): Promise<boolean | undefined> {
  const endpoint = await findSecretKeyId(tx, id);
  if (!endpoint) return undefined;
  return endpoint.key_id !== null && keyring?.keys.has(endpoint.key_id) === true;
}

/** Makes an attempt at a delivery; without a secret to sign with it fails here. */
export async function attemptDelivery(
  send: Send,
  keyring: Keyring | undefined,
  delivery: DueDelivery,
): Promise<AttemptResult> {
  const { event_id: eventId, url, body } = delivery;
  const secrets = openSecretsOf(keyring, delivery);
  if (secrets.length > 0) return send({ eventId, url, secrets, body });
  const error = 'Hemligheten kan inte läsas: SECRETS_KEY saknas eller är en annan.';
  return { startedAt: new Date(), durationMs: 0, status: null, error, restMs: 0 };
}

/** Standard Webhooks wants plain base64 after the prefix. */
function newSecret(): string {
  const random = createSecret('').replaceAll('-', '+').replaceAll('_', '/');
  return `whsec_${random}=`;
}
