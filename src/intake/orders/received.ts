/** What a shop has sent, on its way into the inbox: known by its own number, and nothing judged. */
import { sha256Of } from '../../lib/sha256.ts';
import { uuid } from '../../lib/uuid.ts';
import { externalIdOf, identityOf, identityOfBytes, refundIdentityOf } from './identity.ts';
import type { ReceivedOrder } from './store.ts';

/** Whose call it came with. */
export interface SendingCall {
  readonly keyHash: Buffer;
  readonly requestId: string;
}

/** `json` is what the bytes say, anything JSON.parse can return. */
export function receivedOrder(raw: Buffer, json: unknown, sender: SendingCall): ReceivedOrder {
  const externalId = externalIdOf(json);
  const sha256 = sha256Of(raw);
  return {
    ...sender,
    kind: 'order',
    identity: externalId === null ? identityOfBytes(sha256) : identityOf(externalId),
    externalId,
    refundKey: null,
    orderIdentity: null,
    raw,
    sha256,
    orderId: uuid(),
    attemptId: uuid(),
  };
}

/** As `receivedOrder`. */
export function receivedRefund(raw: Buffer, json: unknown, sender: SendingCall): ReceivedOrder {
  const sha256 = sha256Of(raw);
  const { refundId: externalId, ...known } = refundIdentityOf(json, sha256);
  return {
    ...sender,
    kind: 'refund',
    ...known,
    externalId,
    raw,
    sha256,
    orderId: uuid(),
    attemptId: uuid(),
  };
}
