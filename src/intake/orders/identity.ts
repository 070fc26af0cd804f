/** What an order or refund is known by: its sender's own number, when there is one that can be kept. */
import { plainExternalId } from '../../domain/basics/identifiers.ts';
import { isObject } from '../../domain/basics/json-fields.ts';
import { sha256Of } from '../../lib/sha256.ts';

/** Characters, as in the order's shape: two measures would let one number become two invoices. */
const maxLength = 255;

/** The order's externalId, or null when it lacks a readable one (it is then known by its bytes). */
export const externalIdOf = (json: unknown): string | null => readableId(json, 'externalId');

function readableId(json: unknown, name: string): string | null {
  const id = isObject(json) ? json[name] : undefined;
  const isReadable =
    typeof id === 'string' &&
    id.trim() !== '' &&
    [...id].length <= maxLength &&
    id.isWellFormed() &&
    !id.includes('\0');
  return isReadable ? id : null;
}

/**
 * What an order is known by: its number without the space around it and in the Unicode form NFC, so
 * that two spellings of one number are one order. The number itself is kept and shown as it came.
 */
export const identityOf = (externalId: string): string => `id:${plainExternalId(externalId)}`;

/** The number of a refund, spelt alike. */
export const refundKeyOf = (refundId: string): string => plainExternalId(refundId);

/** What an order without a readable number is known by: its bytes. */
export const identityOfBytes = (sha256: Buffer): string => `sha256:${sha256.toString('hex')}`;

/** Which refund it is, and of which order. */
export interface RefundIdentity {
  readonly identity: string;
  /** The refund's own number as it came; null when it cannot be read, as the next two are then. */
  readonly refundId: string | null;
  /** The number that must credit once, spelt alike. */
  readonly refundKey: string | null;
  readonly orderIdentity: string | null;
}

/**
 * A refund is known by its number and its order's: the same number on another order is another refund, which a
 * person must look at, and never one that is taken for sent before. One without readable numbers is known by its bytes.
 */
export function refundIdentityOf(json: unknown, sha256: Buffer): RefundIdentity {
  const externalId = externalIdOf(json);
  const refundId = readableId(json, 'refundId');
  if (externalId === null || refundId === null) {
    const identity = `refund-${identityOfBytes(sha256)}`;
    return { identity, refundId: null, refundKey: null, orderIdentity: null };
  }
  const orderIdentity = identityOf(externalId);
  const refundKey = refundKeyOf(refundId);
  // As long as two numbers may be, an index could not hold them.
  const both = sha256Of(Buffer.from(JSON.stringify([orderIdentity, refundKey]))).toString('hex');
  return { identity: `refund:${both}`, refundId, refundKey, orderIdentity };
}
