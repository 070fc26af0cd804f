/** The second factor: codes of six digits by time (RFC 6238), and recovery codes for a lost device. */
import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { Keyring } from '../../config/keyring.ts';
import { type QrCode, qrCode } from '../../lib/qr.ts';
import { hashOfSecret } from '../keys/secrets.ts';
import { open, rowOfUser, seal } from '../secrets/seal.ts';

const stepSeconds = 30;
/** Clocks differ: the step before and the one after count too. */
const stepsAside = 1;
/** 160 bits, as RFC 4226 recommends. */
const secretBytes = 20;
const recoveryCodesCount = 10;
const recoveryBytes = 10;

/** A new secret, in base32 as authenticator apps want it typed. */
export const createTotpSecret = (): string => base32Of(randomBytes(secretBytes));

const base32Of = (bytes: Uint8Array): string =>
  new Secret({ buffer: new Uint8Array(bytes).buffer }).base32;

const secretForm = /^[A-Z2-7]{32}$/;

/** The bytes of a secret in base32, with or without spaces; undefined when it is none of ours. */
export function readTotpSecret(text: string): Buffer | undefined {
  const plain = text.replace(/\s/g, '').toUpperCase();
  return secretForm.test(plain) ? Buffer.from(Secret.fromBase32(plain).buffer) : undefined;
}

/** The step of time that a code belongs to; undefined when it is none of the three that count now. */
export function stepOfCode(secret: Uint8Array, code: string, now: Date): bigint | undefined {
  const token = code.replace(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return undefined;
  const delta = TOTP.validate({
    token,
    secret: new Secret({ buffer: new Uint8Array(secret).buffer }),
    period: stepSeconds,
    timestamp: now.getTime(),
    window: stepsAside,
  });
  if (delta === null) return undefined;
  return BigInt(Math.floor(now.getTime() / 1000 / stepSeconds) + delta);
}

/** The code that a device with the secret shows. */
export function codeAt(secret: Uint8Array, now: Date): string {
  return TOTP.generate({
    secret: new Secret({ buffer: new Uint8Array(secret).buffer }),
    period: stepSeconds,
    timestamp: now.getTime(),
  });
}

/** What an authenticator app scans. */
export function qrCodeOf(
  secret: string,
  { email, issuer }: { readonly email: string; readonly issuer: string },
): QrCode {
  const address = new TOTP({ issuer, label: email, secret, period: stepSeconds }).toString();
  return qrCode(address);
}

/** Ten codes such as `K7MQ-R2XW-9D4T-ABCD`, 80 random bits each. */
export const createRecoveryCodes = (): string[] =>
  Array.from({ length: recoveryCodesCount }, () =>
    (base32Of(randomBytes(recoveryBytes)).match(/.{4}/g) ?? []).join('-'),
  );

/** What the database knows a recovery code by; undefined when the text has not the form of one. */
export function hashOfRecoveryCode(text: string): Buffer | undefined {
  const plain = text.replace(/[\s-]/g, '').toUpperCase();
  return /^[A-Z2-7]{16}$/.test(plain) ? hashOfSecret(plain) : undefined;
}

/** Sealed as the secret of the user's second factor. */
export const sealTotpSecret = (keyring: Keyring, userId: string, secret: Buffer): Buffer =>
  seal(keyring, rowOfUser(userId), secret);

/** Undefined when it cannot be read with the keys that are here. */
export const openTotpSecret = (
  keyring: Keyring | undefined,
  { user_id, sealed }: { readonly user_id: string; readonly sealed: Buffer | null },
): Buffer | undefined => (sealed ? open(keyring, rowOfUser(user_id), sealed) : undefined);

/** A code of either kind, ready to be spent in the database, which takes a step only with the secret. */
export interface Proof {
  readonly secret: Buffer | null;
  readonly step: bigint | null;
  readonly recoveryHash: Buffer | null;
}

/** What a typed code proves; undefined when it proves nothing, `unreadable` when nobody can tell. */
export function proofOf(
  secret: Buffer | undefined,
  code: string,
  now: Date,
): Proof | 'unreadable' | undefined {
  const recoveryHash = hashOfRecoveryCode(code);
  if (recoveryHash) return { secret: null, step: null, recoveryHash };
  if (!secret) return 'unreadable';
  const step = stepOfCode(secret, code, now);
  return step === undefined ? undefined : { secret, step, recoveryHash: null };
}
