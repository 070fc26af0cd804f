/** The certificate that the HTTP process answers with. */
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { Config } from '../config/config.ts';
import { OperatorError } from '../lib/operator-error.ts';

export interface Tls {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** Certificate and key as they are on disk now; undefined when none are configured. */
export function readTls({ tls }: Pick<Config, 'tls'>): Tls | undefined {
  if (!tls) return undefined;
  const cert = read('TLS_CERT_FILE', tls.certFile);
  const key = read('TLS_KEY_FILE', tls.keyFile);
  try {
    createSecureContext({ cert });
    createSecureContext({ cert, key });
  } catch (cause) {
    throw new OperatorError(
      `TLS_CERT_FILE (${tls.certFile}) och TLS_KEY_FILE (${tls.keyFile}) går inte att använda ihop (${(cause as Error).message}): ange certifikatkedjan och dess egen nyckel, båda som PEM och utan lösenord.`,
      { cause },
    );
  }
  return { cert, key };
}

function read(name: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new OperatorError(
      `${name}: filen ${path} kan inte läsas (${code}): rätta sökvägen, eller ge den här användaren rätt att läsa den.`,
      { cause },
    );
  }
}
