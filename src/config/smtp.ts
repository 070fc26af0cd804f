/** The mail server of SMTP_URL. */

export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte (smtps). */
  readonly isSecure: boolean;
  /** Whether to refuse to go on without TLS: a password is never sent in the clear over a network. */
  readonly requiresTls: boolean;
  readonly isLocal: boolean;
  readonly login: { readonly user: string; readonly password: string } | undefined;
}

const defaultPorts = { 'smtp:': 587, 'smtps:': 465 } as const;
const localHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

/** `smtp://user:password@host:587` or `smtps://…`; undefined when it is no such address. */
export function parseSmtpUrl(text: string): SmtpServer | undefined {
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'smtp:' && url.protocol !== 'smtps:')) return undefined;
  // Anything more would be a setting that nobody reads.
  if (!url.hostname || !['', '/'].includes(url.pathname) || url.search || url.hash)
    return undefined;
  const user = decoded(url.username);
  const password = decoded(url.password);
  if (user === undefined || password === undefined || (user === '') !== (password === '')) {
    return undefined;
  }
  const isSecure = url.protocol === 'smtps:';
  const isLocal = localHosts.has(url.hostname);
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? defaultPorts[url.protocol] : Number(url.port),
    isSecure,
    isLocal,
    requiresTls: !isSecure && !isLocal && user !== '',
    login: user === '' ? undefined : { user, password },
  };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
