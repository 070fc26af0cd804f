/** The secrets that earlier routes were called with, as they are configured (contract section 5). */

export const legacyNames = [
  'STATS_API_KEY',
  'ORDER_INBOUND_SECRET',
  'PEPPOL_INBOUND_SECRET',
] as const;
export type LegacyName = (typeof legacyNames)[number];

/** Shorter ones could be guessed; the server refuses to start with them. */
export const legacySecretMin = 32;

/** A configured secret. Only its SHA-256 is kept, so that nothing can print it. */
export interface LegacySecret {
  readonly name: LegacyName;
  readonly hash: Buffer;
}
