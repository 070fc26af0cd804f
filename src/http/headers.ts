import type { FastifyReply, FastifyRequest } from 'fastify';

/** The host prefix keeps other hosts of the domain from planting a cookie of this name. */
export const sessionCookie = '__Host-huvudbok';

/**
 * A cookie's name at the address that was asked. Browsers keep cookies by host and never by port: at a port of its own it
 * is named after that, or a look into another installation on the host would log people out of this one.
 */
export function cookieAt({ host = '' }: FastifyRequest, name: string): string {
  const [, port] = /:(\d{1,5})$/.exec(host) ?? [];
  return port === undefined || port === '80' || port === '443' ? name : `${name}-${port}`;
}

const bearerForm = /^Bearer +([\x21-\x7e]+)$/i;

/** The one secret presented as `Authorization: Bearer …`; undefined when there is none, or several. */
export function bearerOf(request: FastifyRequest): string | undefined {
  const [given = '', ...others] = headerValues(request, 'authorization');
  return others.length === 0 ? bearerForm.exec(given)?.[1] : undefined;
}

/** Every value a header was sent with; Node itself keeps one and drops or joins the rest. */
export function headerValues(request: FastifyRequest, name: string): string[] {
  const { rawHeaders } = request.raw;
  return rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name,
  );
}

/** What every answer tells a browser, whoever asked: guess no type, stand in no frame, run and load nothing. */
const cautious = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // What a key, token or session opens is for its holder alone: nothing on the way may keep it.
  'cache-control': 'no-store',
} as const;

/** Browsers remember for a year that it is reached by TLS only. */
const onlyTls = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } as const;

/** Headers of an answer that has not said otherwise; pages, files and `/docs` allow what they need. */
export const cautiousHeaders = (isTls: boolean): Readonly<Record<string, string>> =>
  isTls ? { ...cautious, ...onlyTls } : cautious;

/** Set before anything else looks at the request, so that a refusal has them too. */
export function beCautious(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(cautiousHeaders(request.protocol === 'https'));
}

/**
 * How a browser is to take a file, under a name that is somebody else's: nothing in it can end the header,
 * and browsers that know RFC 6266 get it whole.
 */
export function fileDisposition(way: 'inline' | 'attachment', fileName: string): string {
  const plain = fileName
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\w.\- ]/g, '_');
  const whole = encodeURIComponent(fileName.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${way}; filename="${plain}"; filename*=UTF-8''${whole}`;
}

/**
 * Swagger UI builds its page with script: styles that it sets by attribute and pictures within its style
 * sheet are let through, and calls to this address; no script but its own files.
 */
export const docsContentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');
