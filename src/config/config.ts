/** The only reader of the environment. Every fault is listed at once, at start. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { normalizeMailAddress } from '../domain/basics/mail-address.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { sha256Of } from '../lib/sha256.ts';
import type { BackupKey } from './backup-key.ts';
import { parseDatabaseUrl, UrlFault } from './database-url.ts';
import { type Keyring, parseKeyring } from './keyring.ts';
import { type LegacySecret, legacyNames, legacySecretMin } from './legacy-secrets.ts';
import { type Network, parseNetwork } from './networks.ts';
import { parseSmtpUrl, type SmtpServer } from './smtp.ts';
import { codeOf, defaultDataDir, type Environment, readValues } from './values.ts';

/** A whole number as people write it: `1e3` and `0x10` are slips, and nothing is not 0. */
function whole(min: number, max: number) {
  return z
    .string()
    .refine(
      (text) => /^\d{1,9}$/.test(text.trim()) && Number(text) >= min && Number(text) <= max,
      `anges som ett heltal ${min}–${max}`,
    )
    .transform(Number);
}

const port = whole(1, 65_535);
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
);

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** The names that Fastify knows networks by; whatever it does not know would only fail when it begins. */
const proxyNames = new Set(['loopback', 'linklocal', 'uniquelocal']);
const isProxy = (text: string): boolean => proxyNames.has(text) || parseNetwork(text) !== undefined;

/** Sent as `Authorization: Bearer <secret>`, so only what a header can carry in one word. */
const legacySecret = z
  .string()
  .regex(
    new RegExp(`^[\\x21-\\x7e]{${legacySecretMin},}$`),
    `ska ha minst ${legacySecretMin} tecken, utan mellanslag; skapa en med openssl rand -base64 32`,
  )
  .optional();

const schema = z.object({
  PORT: port.default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  BASE_URL: z
    .url({
      protocol: /^https?$/,
      error: 'anges som en fullständig adress, t.ex. https://bok.exempel.se',
    })
    .refine(
      (text) => /^[^?#@]*$/.test(text),
      'anges utan lösenord, ? och #, t.ex. https://bok.exempel.se',
    )
    .optional(),
  DATA_DIR: z.string().min(1).default(defaultDataDir),
  DATABASE_URL: z.string().superRefine(refuseUnreadableUrl).optional(),
  EMBEDDED_IN: z.string().min(1).optional(),
  SCHEMA_STAMP: z.string().min(1).optional(),
  DATABASE_CONNECTIONS: whole(1, 1_000).optional(),
  TRUST_PROXY: list
    .pipe(
      z.array(
        z
          .string()
          .refine(
            isProxy,
            'anges som adresser eller nät, t.ex. 10.0.0.0/8, eller loopback, linklocal, uniquelocal',
          ),
      ),
    )
    .default([]),
  TLS_CERT_FILE: z.string().min(1).optional(),
  TLS_KEY_FILE: z.string().min(1).optional(),
  TIME_ZONE: z
    .string()
    .refine(isTimeZone, 'är ingen känd tidszon, t.ex. Europe/Stockholm')
    .default('Europe/Stockholm'),
  INTAKE_WAIT_MS: whole(0, 50_000).default(10_000),
  WEBHOOK_PRIVATE_NETWORKS: list
    .pipe(
      z.array(
        z
          .string()
          .refine((text) => parseNetwork(text), 'anges som adresser eller nät, t.ex. 10.0.0.0/8'),
      ),
    )
    .default([]),
  CHROMIUM_PATH: z.string().min(1).optional(),
  HEIC_PREVIEW: z.enum(['on', 'off'], 'väljs bland on, off').default('on'),
  SMTP_URL: z
    .string()
    .refine(
      (text) => parseSmtpUrl(text),
      'anges som smtps://användare:lösenord@värd:465 eller smtp://…:587, med tecken som @ och / i lösenordet procentkodade',
    )
    .optional(),
  MAIL_FROM: z
    .string()
    .refine(normalizeMailAddress, 'anges som en e-postadress, t.ex. faktura@exempel.se')
    .optional(),
  BANK_INBOX_DIR: z.string().min(1).optional(),
  BACKUP_DIR: z.string().min(1).optional(),
  BACKUP_TIME: z
    .string()
    .regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|off)$/, 'anges som ett klockslag, t.ex. 02:30, eller off')
    .default('02:00'),
  BACKUP_KEEP: whole(1, 1_000).default(14),
  BACKUP_PASSPHRASE: z.string().min(12, 'ska ha minst 12 tecken').optional(),
  BACKUP_KEY: z
    .string()
    .transform((text) => /^AGE-SECRET-KEY-\S+$/m.exec(text)?.[0] ?? '')
    .refine((key) => key !== '', 'ska vara en nyckel från age-keygen (AGE-SECRET-KEY-…)')
    .optional(),
  METRICS_PORT: port.optional(),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  LOG_LEVEL: z.enum(logLevels, `väljs bland ${logLevels.join(', ')}`).default('info'),
  SECRETS_KEY: z
    .string()
    .refine(
      (text) => parseKeyring(text),
      'ska vara 32 slumpade byte i base64; skapa en med huvudbok secrets create-key',
    )
    .optional(),
  STATS_API_KEY: legacySecret,
  ORDER_INBOUND_SECRET: legacySecret,
  PEPPOL_INBOUND_SECRET: legacySecret,
});

/** Every setting; each may also be given as NAME_FILE, the path of a file with its value. */
export const settingNames: readonly string[] = Object.keys(schema.shape);

export interface BackupConfig {
  /** Where they are kept; undefined takes none by itself. */
  readonly folder: string | undefined;
  /** The time of day, HH:MM, from when the day's is due; undefined takes none by itself. */
  readonly time: string | undefined;
  /** How many to keep. */
  readonly keep: number;
  /** What they are encrypted with; undefined leaves them open. */
  readonly key: BackupKey | undefined;
}

export interface Config {
  readonly port: number;
  readonly host: string;
  /** The installation's public address, without a trailing slash. */
  readonly baseUrl: string;
  readonly dataDir: string;
  /** The owner's login on an outside PostgreSQL; undefined means the embedded server. */
  readonly databaseUrl: string | undefined;
  /** The DATA_DIR whose embedded server `databaseUrl` is, as `start` tells its parts; undefined for a server of one's own. */
  readonly embeddedIn: string | undefined;
  /** What the database was migrated to a moment ago (`readSchemaStamp`), as `start` tells its parts. */
  readonly schemaStamp: string | undefined;
  /** How many connections this process may hold; undefined is what its parts usually need. */
  readonly databaseConnections: number | undefined;
  /** Addresses or networks whose X-Forwarded-* headers are believed. */
  readonly trustProxy: readonly string[];
  readonly tls: { readonly certFile: string; readonly keyFile: string } | undefined;
  readonly timeZone: string;
  readonly intakeWaitMs: number;
  /** Networks that webhooks may be sent to although they are not public. */
  readonly webhookNetworks: readonly Network[];
  /** The Chromium to print with; undefined looks for one. */
  readonly chromiumPath: string | undefined;
  /** Whether pictures in HEIC are decoded, to be shown as JPEG. */
  readonly showsHeic: boolean;
  /** Where mail is handed over; undefined sends none. */
  readonly smtp: SmtpServer | undefined;
  /** The sender of mail; undefined is the company's own address. */
  readonly mailFrom: string | undefined;
  /** Where files of the bank are laid to be taken in, in a folder for each account; undefined watches none. */
  readonly bankInbox: string | undefined;
  readonly backup: BackupConfig;
  /** Where figures for Prometheus are served; undefined serves none. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined;
  readonly logLevel: string;
  /**
   * What secrets in the database are sealed with; undefined leaves the embedded installation to its own file
   * in `dataDir`, and any other without what needs one.
   */
  readonly keyring: Keyring | undefined;
  /** The secrets of earlier routes that are set. */
  readonly legacySecrets: readonly LegacySecret[];
}

function refuseUnreadableUrl(url: string, context: z.RefinementCtx): void {
  try {
    parseDatabaseUrl(url);
  } catch (error) {
    if (!(error instanceof UrlFault)) throw error;
    context.addIssue({ code: 'custom', message: error.fault });
  }
}

function isTimeZone(name: string): boolean {
  // An offset (+02:00) turns the other way round in PostgreSQL, and forgets summer time.
  if (!/^[a-z]/i.test(name)) return false;
  try {
    new Intl.DateTimeFormat('sv', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

const backupKeyOf = (
  identity: string | undefined,
  passphrase: string | undefined,
): BackupKey | undefined =>
  identity === undefined ? (passphrase === undefined ? undefined : { passphrase }) : { identity };

export function loadConfig(env: Environment): Config {
  const faults: string[] = [];
  const parsed = schema.safeParse(readValues(env, settingNames, faults));
  if (!parsed.success) {
    for (const issue of parsed.error.issues) {
      faults.push(`${String(issue.path[0])}: ${issue.message}`);
    }
  }
  const secrets = legacyNames.flatMap((name) => parsed.data?.[name] ?? []);
  if (new Set(secrets).size < secrets.length) {
    faults.push(`${legacyNames.join(', ')}: ge var och en sin egen hemlighet`);
  }
  if (
    parsed.data &&
    (parsed.data.TLS_CERT_FILE === undefined) !== (parsed.data.TLS_KEY_FILE === undefined)
  ) {
    faults.push('TLS_CERT_FILE och TLS_KEY_FILE: ange båda eller ingen');
  }
  if (parsed.data?.BACKUP_KEY !== undefined && parsed.data.BACKUP_PASSPHRASE !== undefined) {
    faults.push('BACKUP_KEY och BACKUP_PASSPHRASE: ange bara den ena');
  }
  if (!parsed.success || faults.length > 0) {
    const lines = faults.map((fault) => `  ${fault}`).join('\n');
    throw new OperatorError(`Inställningarna går inte att använda:\n${lines}`);
  }
  const { data } = parsed;
  const tls =
    data.TLS_CERT_FILE && data.TLS_KEY_FILE
      ? { certFile: data.TLS_CERT_FILE, keyFile: data.TLS_KEY_FILE }
      : undefined;
  const host = data.HOST.includes(':') ? `[${data.HOST}]` : data.HOST;
  return Object.freeze({
    port: data.PORT,
    host: data.HOST,
    baseUrl: (data.BASE_URL ?? `${tls ? 'https' : 'http'}://${host}:${data.PORT}`).replace(
      /\/+$/,
      '',
    ),
    dataDir: resolve(data.DATA_DIR),
    databaseUrl: data.DATABASE_URL,
    embeddedIn: data.EMBEDDED_IN,
    schemaStamp: data.SCHEMA_STAMP,
    databaseConnections: data.DATABASE_CONNECTIONS,
    trustProxy: data.TRUST_PROXY,
    tls,
    timeZone: data.TIME_ZONE,
    intakeWaitMs: data.INTAKE_WAIT_MS,
    webhookNetworks: data.WEBHOOK_PRIVATE_NETWORKS.map(parseNetwork).filter(
      (network) => network !== undefined,
    ),
    chromiumPath: data.CHROMIUM_PATH,
    showsHeic: data.HEIC_PREVIEW === 'on',
    smtp: data.SMTP_URL === undefined ? undefined : parseSmtpUrl(data.SMTP_URL),
    mailFrom: data.MAIL_FROM === undefined ? undefined : normalizeMailAddress(data.MAIL_FROM),
    bankInbox: data.BANK_INBOX_DIR === undefined ? undefined : resolve(data.BANK_INBOX_DIR),
    backup: {
      folder: data.BACKUP_DIR === undefined ? undefined : resolve(data.BACKUP_DIR),
      time: data.BACKUP_TIME === 'off' ? undefined : data.BACKUP_TIME,
      keep: data.BACKUP_KEEP,
      key: backupKeyOf(data.BACKUP_KEY, data.BACKUP_PASSPHRASE),
    },
    metrics:
      data.METRICS_PORT === undefined
        ? undefined
        : { host: data.METRICS_HOST, port: data.METRICS_PORT },
    logLevel: data.LOG_LEVEL,
    keyring: data.SECRETS_KEY === undefined ? undefined : parseKeyring(data.SECRETS_KEY),
    legacySecrets: legacyNames.flatMap((name) => {
      const secret = data[name];
      return secret === undefined ? [] : [{ name, hash: sha256Of(secret) }];
    }),
  });
}

/** The process's own configuration; `.env` in the working directory is read when present. */
export function loadProcessConfig(): Config {
  try {
    process.loadEnvFile();
  } catch (error) {
    // Node says that there is none also of one that it may not read.
    if (codeOf(error) !== 'ENOENT' || existsSync('.env')) {
      throw new OperatorError(
        `Filen .env i ${process.cwd()} kan inte läsas: rätta dess rättigheter, eller ta bort den.`,
        { cause: error },
      );
    }
  }
  return loadConfig(process.env);
}
