/** What an order is known by: its sender's own number, when there is one that can be kept. */

/** Characters, as in the order's shape: two measures would let one number become two invoices. */
const maxLength = 255;

/** The order's externalId, or null when it lacks a readable one (it is then known by its bytes). */
export function externalIdOf(json: unknown): string | null {
  if (typeof json !== 'object' || json === null || !('externalId' in json)) return null;
  const { externalId } = json;
  const isReadable =
    typeof externalId === 'string' &&
    externalId.trim() !== '' &&
    [...externalId].length <= maxLength &&
    externalId.isWellFormed() &&
    !externalId.includes('\0');
  return isReadable ? externalId : null;
}

/**
 * What an order is known by: its number without the space around it and in the Unicode form NFC, so
 * that two spellings of one number are one order. The number itself is kept and shown as it came.
 */
export const identityOf = (externalId: string): string =>
  `id:${externalId.normalize('NFC').trim()}`;

/** What an order without a readable number is known by: its bytes. */
export const identityOfBytes = (sha256: Buffer): string => `sha256:${sha256.toString('hex')}`;
